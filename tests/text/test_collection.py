"""Collections that are read piece by piece, and the shards that they lie in."""

import gzip
import os

import pytest

from driftline import Corpus, InputError, ReadOptions
from driftline.text import collection
from driftline.text.collection import Collection, is_large
from driftline.text.shards import find_shards, stem_of, suffix_of

LINES = [f'{{"id": "{i}", "sentences": ["It shook.", "It stopped."]}}\n' for i in range(6)]


def write(path, lines):
    """Write lines, packed if the name says so."""
    raw = "".join(lines).encode()
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


@pytest.fixture(name="shards")
def shards_fixture(tmp_path):
    """A folder of shards of three kinds, and what is no shard."""
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    write(tmp_path / "a.jsonl", LINES[:2])
    write(tmp_path / "b.jsonl.gz", LINES[2:4])
    rows = [{"id": str(i), "text": "It shook. It stopped."} for i in (4, 5)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "c.parquet")
    write(tmp_path / "notes.md", ["not read"])
    write(tmp_path / ".hidden.jsonl", ["not read"])
    return tmp_path


def test_a_folder_of_shards_is_one_collection(shards):
    """Shards are read by name, whatever their format, as often as asked, and as a corpus too."""
    found = Collection.at(shards, ReadOptions())

    assert [path.name for path in found.shards] == ["a.jsonl", "b.jsonl.gz", "c.parquet"]
    assert [document.id for document in found] == [document.id for document in found] == list("012345")
    assert Corpus(tuple(found)) == Corpus.read(shards)


def test_a_pattern_names_shards(shards):
    """A pattern takes the files that match it; one that none matches is refused."""
    assert [path.name for path in find_shards(shards / "*.jsonl*")] == ["a.jsonl", "b.jsonl.gz"]
    with pytest.raises(InputError, match=r"\*\.csv: no file matches this pattern"):
        find_shards(shards / "*.csv")


def test_a_text_beside_shards_makes_a_folder_of_texts(shards):
    """A folder with a .txt file in it is what it always was."""
    write(shards / "a.txt", ["It shook."])

    assert find_shards(shards) == (shards,)
    assert [document.id for document in Corpus.read(shards)] == ["a"]


def test_what_is_large(shards, monkeypatch):
    """Shards are, and files from a certain size on."""
    assert is_large(shards)
    assert not is_large(shards / "a.jsonl")
    monkeypatch.setattr(collection, "LARGE_FILE", 10)
    assert is_large(shards / "a.jsonl")


def test_a_packed_file_counts_as_what_it_holds(tmp_path, monkeypatch):
    """A packed file is large from a tenth of the size on: texts shrink to about that."""
    path = write(tmp_path / "a.jsonl.gz", ['{"text": "It shook."}\n'])
    size = path.stat().st_size

    monkeypatch.setattr(collection, "LARGE_FILE", 5 * size)
    assert is_large(path)
    monkeypatch.setattr(collection, "LARGE_FILE", 10 * size)
    assert not is_large(path)


def test_documents_without_ids_are_named_by_file_and_line(tmp_path):
    """The name of a packed file is cut before both of its suffixes."""
    write(tmp_path / "x.jsonl.gz", ['{"text": "It shook."}\n'])

    assert Corpus.read(tmp_path / "x.jsonl.gz")[0].id == "x-1"
    assert suffix_of(tmp_path / "X.JSONL.GZ") == ".jsonl.gz"
    assert stem_of(tmp_path / "X.JSONL.GZ") == "X"


@pytest.mark.parametrize("cut", [5, 30, -4])
def test_a_damaged_pack_is_refused(tmp_path, cut):
    """A packed file that was cut off is named, and so is one that is no pack."""
    path = write(tmp_path / "x.jsonl.gz", LINES)
    path.write_bytes(path.read_bytes()[:cut])

    with pytest.raises(InputError, match=r"x.jsonl.gz: cannot be read"):
        Corpus.read(path)
    path.write_bytes(b"no pack at all")
    with pytest.raises(InputError, match=r"x.jsonl.gz: cannot be read"):
        list(Collection((path,), ReadOptions()))


def test_an_id_in_two_shards_is_refused(shards):
    """An id that stands twice is told before anything is done."""
    write(shards / "d.jsonl", LINES[3:4])

    with pytest.raises(InputError, match="the id '3' stands more than once"):
        Collection.at(shards, ReadOptions())


def test_problems_of_a_shard_are_told_together(tmp_path):
    """Up to ten problems are told in full, and nothing more is read once there are more."""
    write(tmp_path / "x.jsonl", ['{"text": 1}\n'] * 50)

    with pytest.raises(InputError) as refused:
        list(Collection((tmp_path / "x.jsonl",), ReadOptions()))

    lines = str(refused.value).splitlines()
    assert len(lines) == 11
    assert lines[-1] == "... and 1 more problems like these"


def test_an_empty_collection_is_refused(tmp_path):
    """A collection without a document is refused by its name."""
    write(tmp_path / "x.jsonl", [])

    with pytest.raises(InputError, match=r"x.jsonl: holds no document"):
        Collection.at(tmp_path / "x.jsonl", ReadOptions())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read(tmp_path):
    """A closed folder is named."""
    (tmp_path / "closed").mkdir(mode=0)

    with pytest.raises(InputError, match="closed: cannot be read"):
        find_shards(tmp_path / "closed")
