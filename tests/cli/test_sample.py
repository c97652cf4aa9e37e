"""`driftline sample`: the bundled corpora as files."""

import pytest

from driftline.samples.corpora import sample_corpus
from driftline.text.corpus import Corpus


def test_lines(run, tmp_path):
    """Each split is a .jsonl file that reads back as it was, with gold topics and summaries."""
    lines = run("sample", "earthquakes", "-o", tmp_path / "new" / "folder").lines

    assert len(lines) == 4
    assert all("synthetic" in line for line in lines)
    for split in ("train", "dev", "test", "pairs"):
        assert Corpus.read(tmp_path / "new" / "folder" / f"{split}.jsonl") == sample_corpus("earthquakes", split)


def test_texts(run, tmp_path):
    """With --format txt each split is a folder with a file a document, a sentence a line."""
    lines = run("sample", "finance", "-o", tmp_path, "--format", "txt").lines

    assert [line.partition(":")[0] for line in lines] == [str(tmp_path / s) for s in ("train", "dev", "test")]
    read = {document.id: document.sentences for document in Corpus.read(tmp_path / "dev", spans="lines")}
    assert read == {document.id: document.sentences for document in sample_corpus("finance", "dev")}


@pytest.mark.parametrize("kind", ["jsonl", "txt"])
def test_where_nothing_can_be_written(run, tmp_path, kind):
    """A file in the place of the folder is refused by its name and stays as it was."""
    (tmp_path / "a").write_text("mine")

    assert str(tmp_path / "a") in run("sample", "finance", "-o", tmp_path / "a", "--format", kind).refusal
    assert (tmp_path / "a").read_text() == "mine"


def test_shards(run, tmp_path):
    """As many new documents as asked, the same for any number of shards and workers."""
    one = run("sample", "finance", "-o", tmp_path / "one", "--documents", "25").lines
    run("sample", "finance", "-o", tmp_path / "three", "--documents", "25", "--shards", "3", "--workers", "2")

    assert one == [f"{tmp_path / 'one'}: 25 synthetic documents in 1 shard"]
    assert sorted(path.name for path in (tmp_path / "three").iterdir()) == [f"finance-{i}.jsonl" for i in range(3)]
    written = Corpus.read(tmp_path / "one")
    assert Corpus.read(tmp_path / "three") == written
    assert len(written) == 25
    bundled = {d.sentences for split in ("train", "dev", "test") for d in sample_corpus("finance", split)}
    assert bundled.isdisjoint(document.sentences for document in written)


def test_more_shards_than_documents(run, tmp_path):
    """A shard without a document is not asked for by anybody; nothing is written."""
    refusal = run("sample", "finance", "-o", tmp_path / "a", "--documents", "2", "--shards", "3").refusal

    assert refusal == "shards: expected from 1 to one for each of 2 documents, got 3"
    assert not (tmp_path / "a").exists()
