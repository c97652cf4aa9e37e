"""Running commands as a shell would, and bundled documents in every format that can be read."""

import csv
import io
import json
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import pytest

from driftline.cli.main import main
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus
from driftline.text.corpus import Corpus

FORMATS = (".jsonl", ".txt", ".csv", ".parquet")


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def lines(self):
        """The lines of a command that did its work and had nothing to say about it."""
        assert (self.status, self.err) == (0, "")
        return self.out.splitlines()

    @property
    def document(self):
        """The one JSON document on standard output; anything else there would be malformed JSON."""
        assert self.status == 0, self.err
        return json.loads(self.out)

    @property
    def refusal(self):
        """The one sentence that a refused input gets, and nothing else."""
        assert (self.status, self.out) == (1, ""), self.err
        assert self.err.startswith("driftline: ")
        assert len(self.err.splitlines()) == 1, self.err
        return self.err.removeprefix("driftline: ").rstrip("\n")

    @property
    def misuse(self):
        """What is said to somebody who typed a command wrongly, without the frame around it."""
        assert (self.status, self.out) == (2, ""), self.err
        assert "Traceback" not in self.err
        words = [word for word in self.err.split() if word.strip("╭╮╰╯│─")]
        return " ".join(words)


@pytest.fixture(name="run")
def command_runner(capsys, monkeypatch):
    """A function that types `driftline` with these arguments, in this process."""
    monkeypatch.setenv("COLUMNS", "300")  # so that no sentence is broken into lines

    def run(*arguments, stdin=b""):
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        monkeypatch.setattr(sys, "argv", ["driftline", *map(str, arguments)])
        capsys.readouterr()
        # As in a fresh process: every warning is shown once, and none is an error.
        with warnings.catch_warnings():
            warnings.resetwarnings()
            try:
                main()
                status = 0
            except SystemExit as left:
                status = left.code or 0
        said = capsys.readouterr()
        return Done(status, said.out, said.err)

    return run


@pytest.fixture(scope="session")
def quakes():
    """Bundled documents to learn from, in the order of their names, as a folder has them."""
    corpus = sample_corpus("earthquakes", "train")
    return Corpus(tuple(sorted(corpus, key=lambda document: document.id)))


@pytest.fixture(scope="session")
def unseen():
    """A bundled document of seven sentences that no model here has seen."""
    return next(document for document in sample_corpus("earthquakes", "test") if len(document) == 7)


@pytest.fixture(scope="session")
def corpora(quakes, tmp_path_factory):
    """The bundled documents, a sentence a line, as a folder of .txt files and as one file of each other format."""
    folder = tmp_path_factory.mktemp("corpora")
    paths = {suffix: folder / f"quakes{suffix}" for suffix in FORMATS}
    for suffix, path in paths.items():
        write_corpus(path, quakes, suffix)
    return paths


def write_corpus(path, corpus, suffix=None):
    """Write documents, a sentence a line, in the format that a suffix stands for."""
    rows = [{"id": document.id, "text": "\n".join(document.sentences)} for document in corpus]
    if (suffix or path.suffix) == ".txt":
        path.mkdir()
        for row in rows:
            (path / f"{row['id']}.txt").write_text(row["text"], "utf-8")
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    elif path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.DictWriter(file, ["id", "text"]).writerows([{"id": "id", "text": "text"}, *rows])
    else:
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


@pytest.fixture(scope="session")
def model(quakes, tmp_path_factory):
    """The path of a model of the bundled documents."""
    path = tmp_path_factory.mktemp("model") / "quakes.driftline"
    fit(quakes).save(path)
    return path


@pytest.fixture(scope="session")
def words_model(tmp_path_factory):
    """The path of a model that was trained on words as they are."""
    path = tmp_path_factory.mktemp("words") / "words.driftline"
    fit(Corpus.from_words([[["a", "quake", "hit"], ["no", "one", "died"]]] * 20)).save(path)
    return path


@pytest.fixture
def report(tmp_path, unseen):
    """The path of a text that no model here has seen, a sentence a line."""
    path = tmp_path / "report.txt"
    path.write_text("\n".join(unseen.sentences) + "\n", "utf-8")
    return path


@pytest.fixture(scope="session")
def files_under():
    """A function that returns every file under a folder with its content, to see that nothing there has changed."""

    def files(folder):
        return {str(path): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}

    return files
