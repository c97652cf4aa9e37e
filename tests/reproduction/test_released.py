import pytest

from driftline.errors import InputError
from driftline.evaluation.permutations import check_permutations
from driftline.reproduction.released import is_released, read_released

SENTENCES = ["A quake hit .", "No one died .", "No one died .", "It was felt far away ."]


def write(path, order, sentences=SENTENCES):
    path.write_text("\n".join(sentences[i] for i in order) + "\n\n", "utf-8")


def test_orders_beside_the_original(tmp_path):
    """A file without a number is the original; each other one is an order of it, in terms of its places."""
    write(tmp_path / "ap-1.txt", [0, 1, 2, 3])
    for number, order in ((2, [3, 1, 0, 2]), (10, [1, 0, 3, 2])):
        write(tmp_path / f"ap-1.perm-{number}.txt", order)
    found = read_released(tmp_path)

    (document,) = found.corpus
    assert document.id == "ap-1"
    assert list(document.sentences) == SENTENCES
    assert found.permutations == {"ap-1": [[3, 1, 0, 2], [1, 0, 3, 2]]}
    check_permutations(found.permutations, found.corpus, "orders")


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("pattern", ["a.b-1.sent.perm-{}", "a.b-1.perm_{}.sents", "a.b-1-permutation{}.txt"])
def test_the_original_among_the_orders(tmp_path, pattern, first):
    """Without such a file the order with the first number is the original, in each way of naming."""
    for number, order in enumerate(([0, 1, 2, 3], [3, 2, 1, 0], [2, 1, 0, 3]), first):
        write(tmp_path / pattern.format(number), order)
    found = read_released(tmp_path)

    assert [d.id for d in found.corpus] == ["a.b-1"]
    assert list(found.corpus[0].sentences) == SENTENCES
    assert found.permutations == {"a.b-1": [[3, 1, 2, 0], [1, 2, 0, 3]]}
    assert is_released(tmp_path)


def test_documents_stand_apart(tmp_path):
    """Each document has its own orders; hidden files and folders are passed over."""
    write(tmp_path / "a.perm-1", [0, 1])
    write(tmp_path / "b.perm-1", [2, 3])
    write(tmp_path / "b.perm-2", [3, 2])
    (tmp_path / ".hidden").write_bytes(b"\xff")
    (tmp_path / "folder").mkdir()
    found = read_released(tmp_path)

    assert [d.id for d in found.corpus] == ["a", "b"]
    assert found.permutations == {"b": [[1, 0]]}


def test_what_is_no_such_folder(tmp_path):
    """A folder of texts is not taken for one of orders."""
    assert not is_released(tmp_path)
    write(tmp_path / "a.txt", [0])
    assert not is_released(tmp_path)
    assert not is_released(tmp_path / "none")


def test_broken_collections(tmp_path, monkeypatch):
    """Other sentences, empty originals, two names for one order and bytes that are no text are named."""
    with pytest.raises(InputError, match="holds no file"):
        read_released(tmp_path)
    with pytest.raises(InputError, match="there is no such folder"):
        read_released(tmp_path / "none")
    write(tmp_path / "a.txt", [0, 1])
    write(tmp_path / "a.perm-1.txt", [0, 3])
    write(tmp_path / "b.perm-1.txt", [])
    with pytest.raises(
        InputError, match=r"a.perm-1.txt: holds other sentences than a.txt\n.*b.perm-1.txt: holds no sen"
    ):
        read_released(tmp_path)
    (tmp_path / "a.txt").write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"a.txt: cannot be read as UTF-8 text"):
        read_released(tmp_path)
    write(tmp_path / "a.sent.txt", [0, 1])
    with pytest.raises(InputError, match=r"is the same order as a.sent.txt, by its name"):
        read_released(tmp_path)
    monkeypatch.setattr("driftline.reproduction.released._MOST_FILES", 1)
    with pytest.raises(InputError, match="more than 1 files"):
        read_released(tmp_path)


def test_long_files(tmp_path, monkeypatch):
    """A file that is too long is refused before it is read."""
    write(tmp_path / "a.perm-1.txt", [0, 1])
    monkeypatch.setattr("driftline.reproduction.released._MOST_BYTES", 3)
    with pytest.raises(InputError, match="more than 3 bytes"):
        read_released(tmp_path)
