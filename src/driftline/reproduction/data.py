"""The documents of a domain: the bundled corpora, or a folder of real ones in the same layout."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, Protocol, get_args

from driftline.errors import InputError
from driftline.evaluation.folds import N_FOLDS, folds
from driftline.reproduction.released import is_released, read_released
from driftline.samples.corpora import DOMAINS, sample_corpus
from driftline.text.corpus import Corpus, Document
from driftline.tuning.objective import hold_out

SplitBy = Literal["story", "random"]

_DEV_SHARE = 5  # without a development set of its own, a fifth of what is learned from is tuned on


@dataclass(frozen=True)
class Part:
    """One division of a domain into documents to learn from, to tune on and to be tested on."""

    train: Corpus
    tuned_on: tuple[Corpus, Corpus]
    """What tuning learns from, and what it is scored on."""
    test: tuple[Document, ...]


@dataclass(frozen=True)
class Domain:
    """All that there is of a domain."""

    name: str
    parts: tuple[Part, ...]
    """One, or one for each fold where the data has no test set."""
    pairs: Corpus | None
    """Documents with human summaries."""
    protocol: str
    """How it was divided, in words."""


class Source(Protocol):
    """Where domains come from."""

    @property
    def about(self) -> str:
        """Say what kind of text this is."""
        ...

    def domain(self, name: str) -> Domain:
        """Return a domain, or say in one sentence what it lacks."""
        ...


@dataclass(frozen=True)
class Bundled:
    """The bundled corpora, which grammars wrote."""

    about: str = "synthetic"

    def domain(self, name: str) -> Domain:
        """Write a domain: 100 documents to learn from, 20 to tune on, 100 to test on."""
        if name not in DOMAINS:
            raise InputError(f"domain {name!r}: the bundled corpora are {', '.join(DOMAINS)}")
        train, dev, test = (sample_corpus(name, split) for split in ("train", "dev", "test"))  # type: ignore[arg-type]
        pairs = sample_corpus("earthquakes", "pairs") if name == "earthquakes" else None
        part = Part(train, (train, dev), test.documents)
        return Domain(name, (part,), pairs, "100 documents to learn from, 20 to tune on, 100 to test on")


@dataclass
class Folder:
    """A folder of domains: DOMAIN/train.jsonl, dev.jsonl, test.jsonl and pairs.jsonl, or the released layout.

    Without test.jsonl all documents are cross-validated by story; dev.jsonl is then part of them.
    """

    path: Path
    split: SplitBy = "story"
    variant: str | None = None
    """A folder inside of each domain's, whose files are read in place of the domain's own."""
    seed: int = 0
    about: str = "real"
    _read: dict[str, Domain] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.path.is_dir():
            raise InputError(f"{self.path}: there is no such folder of data")
        if self.split not in get_args(SplitBy):
            raise InputError(f"split: expected one of {', '.join(get_args(SplitBy))}, got {self.split!r}")

    def domain(self, name: str) -> Domain:
        """Read a domain, once."""
        if name not in self._read:
            self._read[name] = self._domain(name)
        return self._read[name]

    def _domain(self, name: str) -> Domain:
        if not re.fullmatch(r"[\w-]+(/[\w-]+)*", name):
            raise InputError(f"domain {name!r}: expected the name of a folder")
        folder = self.path / name / (self.variant or "")
        if not folder.is_dir():
            raise InputError(f"{self.path}: lacks the domain {name!r} (there is no folder {folder})")
        found = {split: self._stories(corpus) for split, corpus in _splits(folder).items()}
        if "train" not in found:
            raise InputError(f"{folder}: lacks the split 'train' (train.jsonl)")
        pairs = found.pop("pairs", None)
        if "test" in found:
            if "dev" not in found:
                raise InputError(f"{folder}: lacks the split 'dev' (dev.jsonl), which tuning needs")
            part = Part(found["train"], (found["train"], found["dev"]), found["test"].documents)
            sizes = [len(found[split]) for split in ("train", "dev", "test")]
            told = "{} documents to learn from, {} to tune on, {} to test on".format(*sizes)
            return Domain(name, (part,), pairs, told)
        whole = Corpus(tuple(document for corpus in found.values() for document in corpus))
        told = f"{len(whole)} documents, cross-validated in {N_FOLDS} folds " + (
            "by story" if self.split == "story" else "at random (stories ignored)"
        )
        return Domain(name, tuple(self._folds(whole)), pairs, told)

    def _folds(self, whole: Corpus) -> Iterator[Part]:
        for train, test in folds(whole, N_FOLDS, self.seed):
            inner = hold_out(train, _DEV_SHARE, self.seed)
            yield Part(train, (inner.train, Corpus(inner.test)), tuple(test))

    def _stories(self, corpus: Corpus) -> Corpus:
        if self.split == "story":
            return corpus
        return Corpus(tuple(replace(document, story=None) for document in corpus))


def _splits(folder: Path) -> Mapping[str, Corpus]:
    """Read what there is of train, dev, test and pairs."""
    found = {}
    for split in ("train", "dev", "test", "pairs"):
        path = folder / f"{split}.jsonl"
        if path.is_file():
            found[split] = Corpus.read(path)
        elif is_released(folder / split):
            found[split] = read_released(folder / split).corpus
    return found
