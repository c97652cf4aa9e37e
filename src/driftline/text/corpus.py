"""Documents and collections of them, whatever file or object they came from."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from driftline.errors import InputError

MOST_PROBLEMS = 10
"""So many problems of an input are told in full."""


@dataclass(frozen=True)
class Document:
    """One document: its sentences in their order, and what else its source says of it.

    >>> document = Document("izmit", ("A quake shook Izmit.", "Nobody was hurt."))
    >>> len(document), document.sentences[1]
    (2, 'Nobody was hurt.')
    """

    id: str
    sentences: tuple[str, ...]
    """The text as it stands, for display and as the source of words."""
    words: tuple[tuple[str, ...], ...] | None = None
    """The words of each sentence where the caller gave words; None where they come from the text."""
    labels: tuple[str, ...] | None = None
    """The gold topic of each sentence, where the source has it."""
    summary: tuple[str, ...] | None = None
    """The sentences of a human summary, where the source has one."""
    in_summary: tuple[bool, ...] | None = None
    """Whether a human summary holds each sentence, where the source says so."""
    story: str | None = None
    """What documents about one event share; cross-validation keeps a story together."""

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.sentences)


@dataclass(frozen=True)
class Corpus:
    """A collection of documents of one domain.

    >>> corpus = Corpus.from_sentences([["A quake shook Izmit.", "Nobody was hurt."]])
    >>> len(corpus), corpus.n_sentences, corpus[0].id
    (1, 2, 'document-1')
    """

    documents: tuple[Document, ...]

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.documents)

    def __iter__(self) -> Iterator[Document]:
        """Iterate over the documents."""
        return iter(self.documents)

    def __getitem__(self, index: int) -> Document:
        """Return one document by its place."""
        return self.documents[index]

    @property
    def n_sentences(self) -> int:
        """The number of sentences in all documents."""
        return sum(len(document) for document in self.documents)

    @property
    def data_hash(self) -> str:
        """Twelve hexadecimal digits of the content, the same for any order of the documents."""
        return hash_of_digests(b"".join(sorted(map(document_digest, self.documents))))

    def select(self, indices: Iterable[int]) -> Self:
        """Return the documents at these places as a corpus of their own."""
        return type(self)(tuple(self.documents[i] for i in indices))

    @classmethod
    def read(cls, path: str | Path, **options: Any) -> Self:  # noqa: ANN401
        """Read a folder of .txt files, or a .txt, .jsonl, .csv or .parquet file.

        Options are the fields of :class:`driftline.ReadOptions`, for instance ``spans="lines"``.
        """
        from driftline.text import reading

        return cls(reading.read_documents(Path(path), reading.ReadOptions(**options)))

    @classmethod
    def from_dicts(cls, records: Iterable[Mapping[str, Any]], **options: Any) -> Self:  # noqa: ANN401
        """Take documents from mappings with the keys of a .jsonl line (`text` or `sentences`, `id`, ...).

        >>> Corpus.from_dicts([{"id": "a", "text": "It shook. It stopped."}])[0].sentences
        ('It shook.', 'It stopped.')
        """
        from driftline.text import reading

        return cls(reading.documents_from_dicts(records, reading.ReadOptions(**options)))

    @classmethod
    def from_sentences(cls, documents: Iterable[Sequence[str]], ids: Sequence[str] | None = None) -> Self:
        """Take documents that are already lists of sentences.

        >>> Corpus.from_sentences([["It shook.", "It stopped."]], ids=["a"])[0].id
        'a'
        """
        made = [
            Document(_id(ids, i), _strings(sentences, f"document {i + 1}", "sentences"))
            for i, sentences in enumerate(_iterable(documents, "documents"))
        ]
        return cls(_checked(made, ids))

    @classmethod
    def from_words(cls, documents: Iterable[Sequence[Sequence[str]]], ids: Sequence[str] | None = None) -> Self:
        """Take documents whose sentences are lists of words, as they are: no splitting, no masking.

        >>> Corpus.from_words([[["it", "shook"], ["it", "stopped"]]])[0].words
        (('it', 'shook'), ('it', 'stopped'))
        """
        made = []
        for i, sentences in enumerate(_iterable(documents, "documents")):
            words = checked_words(sentences, f"document {i + 1}")
            made.append(Document(_id(ids, i), tuple(map(" ".join, words)), words))
        return cls(_checked(made, ids))


def checked_words(sentences: Sequence[Sequence[str]], name: str) -> tuple[tuple[str, ...], ...]:
    """Return sentences of words as tuples, or say what is wrong with them."""
    return tuple(
        _strings(words, f"{name}, sentence {number}", "words")
        for number, words in enumerate(_iterable(sentences, name), 1)
    )


def _strings(values: object, name: str, kind: str) -> tuple[str, ...]:
    """Return a list of strings, which may be an iterator, as a tuple."""
    made = tuple(values) if isinstance(values, Iterable) and not isinstance(values, str) else None
    if made is None or not all(isinstance(value, str) for value in made):
        got = values if made is None else list(made)
        raise InputError(f"{name}: expected a list of {kind} (str), got {got!r:.80}")
    return made


def _iterable(values: Any, name: str) -> Iterable[Any]:  # noqa: ANN401 (it finds out what it is)
    if not isinstance(values, Iterable):
        raise InputError(f"{name}: expected a list, got {values!r:.80}")
    return values


def _id(ids: Sequence[str] | None, i: int) -> str:
    return ids[i] if ids is not None and i < len(ids) else f"document-{i + 1}"


def _checked(documents: list[Document], ids: Sequence[str] | None) -> tuple[Document, ...]:
    if ids is not None and len(ids) != len(documents):
        raise InputError(f"ids: expected one for each of the {len(documents)} documents, got {len(ids)}")
    for value in ids or ():
        if not isinstance(value, str):
            raise InputError(f"ids: expected strings, got {value!r:.80}")
    return check_documents(documents)


def check_documents(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Refuse a collection without documents, with empty documents or with an id that stands twice."""
    if not documents:
        raise InputError("the corpus holds no document")
    problems = [f"document {d.id!r}: holds no sentence" for d in documents if not d.sentences]
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            problems.append(f"document id {document.id!r} stands more than once; ids must differ")
        seen.add(document.id)
    raise_problems(problems)
    return tuple(documents)


def raise_problems(problems: Sequence[str]) -> None:
    """Raise one InputError for all problems of an input, if there are any."""
    if problems:
        shown = list(problems[:MOST_PROBLEMS])
        if len(problems) > MOST_PROBLEMS:
            shown.append(f"... and {len(problems) - MOST_PROBLEMS} more problems like these")
        raise InputError("\n".join(shown))


def story_key(document: Document) -> str:
    """Name the story of a document by what it says; documents with the same text and no story are one."""
    return document_digest(document).hex() if document.story is None else f"story {document.story}"


def document_digest(document: Document) -> bytes:
    """Return 32 bytes that tell a document's content, whatever its id."""
    parts = document.sentences if document.words is None else ["\x1f".join(s) for s in document.words]
    return hashlib.sha256("\x1e".join(parts).encode("utf-8", "surrogatepass")).digest()


def hash_of_digests(digests: bytes) -> str:
    """Return the hash of a collection from the sorted digests of its documents."""
    return hashlib.sha256(digests).hexdigest()[:12]
