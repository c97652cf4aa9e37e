"""The second pass over the text: words become numbers on disk, so that no later pass reads text to learn from.

A shard numbers its words as it meets them, before anybody knows the vocabulary of the collection; a table for
each shard then leads from its own numbers to those of the vocabulary.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftline.streaming.engines import Run
from driftline.streaming.survey import masker_of
from driftline.streaming.workspace import Job, load_array, load_record, save_array, save_record
from driftline.text.encoding import EncodedCorpus, Vocabulary
from driftline.text.reading import stream_documents

_SENTENCES_A_PART = 1 << 15
_SENTENCES_AT_ONCE = 1 << 14


@dataclass(frozen=True)
class Part:
    """Documents that follow each other in one shard; what is done in one go by one worker."""

    shard: int
    number: int
    n_documents: int
    n_sentences: int

    @property
    def name(self) -> str:
        """The name of its files."""
        return f"{self.shard:05d}-{self.number:05d}"


@dataclass(frozen=True)
class ShardWords:
    """What the second pass finds in one shard."""

    words: list[str]
    """The word of each number of the shard."""
    counts: list[int]
    parts: list[Part]


@dataclass
class _Writer:
    """The documents of a shard that are not yet on disk, and the words met so far."""

    job: Job
    shard: int
    index: dict[str, int] = field(default_factory=dict)
    counts: list[int] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    sentence_lengths: list[int] = field(default_factory=list)
    document_lengths: list[int] = field(default_factory=list)

    def add(self, sentences: list[list[str]]) -> None:
        """Take a document."""
        for sentence in sentences:
            for word in sentence:
                number = self.index.setdefault(word, len(self.counts))
                if number == len(self.counts):
                    self.counts.append(0)
                self.counts[number] += 1
                self.words.append(number)
            self.sentence_lengths.append(len(sentence))
        self.document_lengths.append(len(sentences))
        if len(self.sentence_lengths) >= _SENTENCES_A_PART:
            self.flush()

    def flush(self) -> None:
        """Write what was taken as a part."""
        if not self.document_lengths:
            return
        part = Part(self.shard, len(self.parts), len(self.document_lengths), len(self.sentence_lengths))
        for kind in ("words", "sentence_lengths", "document_lengths"):
            taken = getattr(self, kind)
            save_array(self.job.path("words", f"{part.name}.{kind}.npy"), np.array(taken, dtype=np.uint32))
            taken.clear()
        self.parts.append(part)


def number_words(job: Job, run: Run) -> tuple[Vocabulary, list[Part]]:
    """Mask all shards, choose the vocabulary, and return the parts in the order of the shards."""
    list(run(partial(number_shard, job), range(len(job.shards))))
    counts: Counter[str] = Counter()
    parts: list[Part] = []
    for number in range(len(job.shards)):
        found = load_record(job.path("words", f"{number:05d}.json"), ShardWords)
        counts.update(dict(zip(found.words, found.counts, strict=True)))
        parts += found.parts
    vocabulary = Vocabulary.of_counts(counts, job.settings.max_words)
    save_record(job.path("vocabulary.json"), vocabulary.words)
    for number in range(len(job.shards)):
        words = load_record(job.path("words", f"{number:05d}.json"), ShardWords).words
        table = [vocabulary.index.get(word, vocabulary.unknown) for word in words]
        save_array(job.path("words", f"{number:05d}.table.npy"), np.array(table, dtype=np.int64))
    return vocabulary, parts


def number_shard(job: Job, number: int) -> None:
    """Mask one shard and write the numbers of its words, unless that was done before."""
    done = job.path("words", f"{number:05d}.json")
    if done.exists():
        return
    masker, writer = masker_of(job), _Writer(job, number)
    for document in stream_documents(job.shards[number], job.options):
        writer.add(masker.words(document.sentences))
    writer.flush()
    save_record(done, ShardWords(list(writer.index), writer.counts, writer.parts))


@lru_cache(maxsize=2)
def vocabulary_of(job: Job) -> Vocabulary:
    """Return the vocabulary of the collection."""
    return Vocabulary(load_record(job.path("vocabulary.json"), tuple[str, ...]))


def read_part(job: Job, part: Part) -> Iterator[EncodedCorpus]:
    """Read the documents of a part, some at a time."""
    words, sentence_lengths, document_lengths = (
        load_array(job.path("words", f"{part.name}.{kind}.npy"))
        for kind in ("words", "sentence_lengths", "document_lengths")
    )
    table = load_array(job.path("words", f"{part.shard:05d}.table.npy"))
    sentence_ends, document_ends = _ends(sentence_lengths), _ends(document_lengths)
    start = 0
    while start < part.n_documents:
        stop = int(np.searchsorted(document_ends, document_ends[start] + _SENTENCES_AT_ONCE, side="right")) - 1
        stop = min(max(stop, start + 1), part.n_documents)
        sentences = sentence_ends[document_ends[start] : document_ends[stop] + 1]
        yield EncodedCorpus(
            words=table[words[sentences[0] : sentences[-1]]],
            sentence_offsets=sentences - sentences[0],
            document_offsets=document_ends[start : stop + 1] - document_ends[start],
            vocabulary=vocabulary_of(job),
        )
        start = stop


def _ends(lengths: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def join(parts: list[EncodedCorpus]) -> EncodedCorpus:
    """Put collections with one vocabulary together."""
    return EncodedCorpus(
        words=np.concatenate([part.words for part in parts]),
        sentence_offsets=_ends(np.concatenate([np.diff(part.sentence_offsets) for part in parts])),
        document_offsets=_ends(np.concatenate([np.diff(part.document_offsets) for part in parts])),
        vocabulary=parts[0].vocabulary,
    )
