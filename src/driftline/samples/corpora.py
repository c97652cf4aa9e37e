"""The bundled corpora. They are synthetic: written by grammars, always the same for the same name."""

from collections.abc import Iterator
from typing import Literal, get_args

from driftline.errors import InputError
from driftline.samples.grammar import SampleDocument, load_grammar, write_document
from driftline.text.corpus import Corpus, Document

Domain = Literal["earthquakes", "clashes", "drugs", "finance", "accidents"]
Split = Literal["train", "dev", "test", "pairs"]

DOMAINS: tuple[str, ...] = get_args(Domain)
SPLITS: dict[str, int] = {"train": 100, "dev": 20, "test": 100, "pairs": 60}
"""How many documents each split has; `pairs` are earthquake articles with a condensed version."""

_PAIR_LENGTH = 15.0


def sample_corpus(domain: Domain, split: Split = "train") -> Corpus:
    """Write one of the bundled synthetic corpora, with gold topics; the text is always the same.

    >>> corpus = sample_corpus("earthquakes", "dev")
    >>> len(corpus), corpus[0].labels[0]
    (20, 'lead')
    """
    if domain not in DOMAINS:
        raise InputError(f"domain: expected one of {', '.join(DOMAINS)}, got {domain!r}")
    if split not in tuple(SPLITS):
        raise InputError(f"split: expected one of {', '.join(SPLITS)}, got {split!r}")
    if split == "pairs" and domain != "earthquakes":
        raise InputError(f"split: only earthquakes has pairs of articles and summaries, not {domain}")
    grammar = load_grammar(domain)
    mean = _PAIR_LENGTH if split == "pairs" else None
    names = [f"{domain}/{split}/{number}" for number in range(SPLITS[split])]
    return Corpus(tuple(_document(name, write_document(grammar, name, mean), split) for name in names))


def _document(name: str, sample: SampleDocument, split: str) -> Document:
    paired = split == "pairs"
    return Document(
        id=name.replace("/", "-"),
        sentences=sample.sentences,
        labels=sample.labels,
        summary=sample.summary if paired else None,
        in_summary=sample.in_summary if paired else None,
    )


def write_documents(domain: Domain, numbers: range) -> Iterator[Document]:
    """Write documents that no bundled split holds, as many as there are numbers: for large collections."""
    grammar = load_grammar(domain)
    for number in numbers:
        name = f"{domain}/written/{number}"
        yield _document(name, write_document(grammar, name), "written")
