"""Writing files: all or nothing, and a clear sentence if nothing."""

import errno
import os
import stat

import pytest

from driftline.errors import InputError
from driftline.files import write_atomically


def full_disk(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(("content", "raw"), [("Çay\n", "Çay\n".encode()), (b"\x00\r\n", b"\x00\r\n"), ("", b"")])
def test_content_is_written_as_it_is(tmp_path, content, raw):
    """Bytes are written as they are, strings as UTF-8 without any change of line ends."""
    write_atomically(tmp_path / "file", content)

    assert raw == (tmp_path / "file").read_bytes()
    assert os.listdir(tmp_path) == ["file"]


def test_an_old_file_is_replaced(tmp_path):
    """A file that is there already is replaced as a whole; the path may be a string."""
    (tmp_path / "file").write_text("a much longer old text")

    write_atomically(str(tmp_path / "file"), "new")

    assert (tmp_path / "file").read_text() == "new"


def test_a_name_in_the_current_folder(tmp_path, monkeypatch):
    """A bare name is a file in the current folder."""
    monkeypatch.chdir(tmp_path)

    write_atomically("file", "new")

    assert (tmp_path / "file").read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_permissions_follow_the_mask(tmp_path, mask, mode):
    """A new file has the permissions that any other program would give it, and the mask stays as it was."""
    before = os.umask(mask)
    try:
        write_atomically(tmp_path / "file", "x")
        after = os.umask(mask)
    finally:
        os.umask(before)

    assert mode == stat.S_IMODE((tmp_path / "file").stat().st_mode)
    assert mask == after


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_permissions_of_an_old_file_stay(tmp_path, mode):
    """What was closed to others, or open to them, is so when it is replaced."""
    (tmp_path / "file").write_text("old")
    (tmp_path / "file").chmod(mode)

    write_atomically(tmp_path / "file", "new")

    assert mode == stat.S_IMODE((tmp_path / "file").stat().st_mode)
    assert (tmp_path / "file").read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="only there can a folder be opened")
@pytest.mark.parametrize(("at_once", "kept"), [(True, ["file", "folder"]), (False, [])])
def test_the_name_outlives_a_loss_of_power_too(tmp_path, monkeypatch, at_once, kept):
    """The disk is waited for twice: for the content, and after the move for the folder that holds the name."""
    waited = []

    def fsync(handle):
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        assert (tmp_path / "file").exists() == is_folder
        waited.append("folder" if is_folder else "file")

    monkeypatch.setattr(os, "fsync", fsync)

    write_atomically(tmp_path / "file", "x", at_once=at_once)

    assert waited == kept


def test_a_folder_that_cannot_be_opened(tmp_path, monkeypatch):
    """Where the system opens no folder, the file is written nevertheless."""
    monkeypatch.setattr("driftline.files.os.O_RDONLY", os.O_WRONLY)

    write_atomically(tmp_path / "file", "x")

    assert (tmp_path / "file").read_text() == "x"


@pytest.mark.parametrize("call", ["fsync", "replace", "chmod"])
def test_a_full_disk_leaves_nothing(tmp_path, monkeypatch, call):
    """When writing fails at any step, the old file stays as it was and no other file is left behind."""
    (tmp_path / "file").write_text("old")
    monkeypatch.setattr(os, call, full_disk)

    with pytest.raises(InputError, match=r"file: cannot be written \(No space left on device\)"):
        write_atomically(tmp_path / "file", "new")

    assert (tmp_path / "file").read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_disk_that_is_full_at_once(tmp_path, monkeypatch):
    """When not even a temporary file can be made, that is said."""
    monkeypatch.setattr("tempfile.mkstemp", lambda **_: full_disk())

    with pytest.raises(InputError, match="cannot be written"):
        write_atomically(tmp_path / "file", "new")


def test_a_program_that_dies_leaves_the_old_file(tmp_path, monkeypatch):
    """An interruption on the way is passed on, with the old file untouched and nothing left behind."""

    def interrupted(*_):
        raise KeyboardInterrupt

    (tmp_path / "file").write_text("old")
    monkeypatch.setattr(os, "replace", interrupted)

    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "file", "new")

    assert (tmp_path / "file").read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_folder_is_no_file(tmp_path):
    """A path that is a folder is refused by name."""
    with pytest.raises(InputError, match="is a folder; expected the path of a file to write") as caught:
        write_atomically(tmp_path, "x")

    assert str(caught.value).startswith(str(tmp_path))


def test_a_folder_that_is_missing_is_not_made(tmp_path):
    """The folder of the file must be there; both are named."""
    with pytest.raises(InputError, match=r"missing.file: the folder .*missing does not exist"):
        write_atomically(tmp_path / "missing" / "file", "x")

    assert os.listdir(tmp_path) == []


def test_a_file_is_no_folder(tmp_path):
    """A path below a file is refused like one below a missing folder."""
    (tmp_path / "file").write_text("x")

    with pytest.raises(InputError, match="does not exist"):
        write_atomically(tmp_path / "file" / "below", "x")


def test_a_long_name_that_the_system_takes(tmp_path):
    """Any name that the system allows can be written, though the temporary file needs a name too."""
    name = "m" * 255

    write_atomically(tmp_path / name, "x")

    assert [name] == os.listdir(tmp_path)


def test_a_name_that_the_system_refuses(tmp_path):
    """A name longer than the system allows is refused in one sentence."""
    with pytest.raises(InputError, match="cannot be written"):
        write_atomically(tmp_path / ("m" * 300), "x")


def test_text_that_is_no_unicode(tmp_path):
    """Half a surrogate pair, which file names may bring in, does not stop a text from being written."""
    write_atomically(tmp_path / "file", "caf\udce9")

    assert (tmp_path / "file").read_bytes().startswith(b"caf")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no FIFOs")
def test_a_device_is_not_replaced(tmp_path):
    """What is no regular file, like a FIFO or /dev/null, is refused and stays what it is."""
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(InputError, match="pipe: is not a regular file"):
        write_atomically(tmp_path / "pipe", "x")

    assert (tmp_path / "pipe").is_fifo()


def test_a_link_stays_a_link(tmp_path):
    """Writing to a symbolic link writes the file that it points to."""
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")

    write_atomically(tmp_path / "link", "new")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"
