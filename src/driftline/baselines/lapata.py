"""Lapata (2003), as the paper compares with it: which features of a sentence tend to follow which.

P(S_i | S_i-1) is estimated from the features of adjacent sentences: nouns, verbs, and noun-verb
dependencies where a spaCy pipeline has a parser. An order's score is the product over neighbours. Her
approximate search is replaced by the exact one that all systems share.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, Self

import numpy as np

from driftline.errors import InputError
from driftline.kernels.order_problem import OrderProblem
from driftline.model.content_model import AnyDocument
from driftline.settings import Settings
from driftline.tasks.texts import sentence_texts
from driftline.text.corpus import Corpus
from driftline.text.spacy_masking import TAGS, annotations, load_pipeline, parse
from driftline.text.tokens import is_word, tokenize

_START = ("<START>",)
_SMOOTHING = 0.1
# Where nothing tells nouns and verbs, all words are features but the most frequent, if there are enough others.
_COMMON_WORDS, _FEWEST_WORDS = 100, 300
_NOUNS = frozenset({"NOUN", "PROPN"})
_ARGUMENTS = frozenset({"nsubj", "nsubjpass", "dobj", "obj", "iobj", "pobj", "obl"})

Features = tuple[str, ...]


@dataclass(frozen=True)
class LapataModel:
    """Counts of pairs of features in adjacent sentences."""

    pipeline: str | None
    """The spaCy pipeline that finds the features."""
    features: str
    """What they are, in words: it depends on what the pipeline can do."""
    pairs: Counter[tuple[str, str]]
    befores: Counter[str]
    n_features: int
    common: frozenset[str]
    data_hash: str

    @classmethod
    def learn(cls, corpus: Corpus, settings: Settings | None = None, pipeline: str | None = None) -> Self:
        """Count the features of adjacent sentences; without a pipeline all but the commonest words serve.

        >>> corpus = Corpus.from_sentences([["A quake struck.", "Houses fell."]])
        >>> LapataModel.learn(corpus).features
        'words'
        """
        del settings  # it has a smoothing of its own
        texts = [document.sentences for document in corpus]
        common = frozenset[str]() if pipeline else _common_words(texts)
        model = cls(pipeline, _kind(pipeline), Counter(), Counter(), 0, common, corpus.data_hash)
        seen: set[str] = set()
        for text in texts:
            for before, after in pairwise([_START, *model.sentence_features(text)]):
                seen.update(after)
                model.pairs.update((b, a) for b in before for a in after)
                model.befores.update(b for b in before for _ in after)
        return replace(model, n_features=len(seen) + 1)  # and one for what was never seen

    @property
    def signature_parts(self) -> dict[str, object]:
        """What moves this rival's figures."""
        return {"lapata": f"{self.data_hash} {self.found}"}

    @property
    def found(self) -> str:
        """What the features are and what found them."""
        return self.features if self.pipeline is None else f"{self.features} by {self.pipeline}"

    def order_problem(self, document: AnyDocument) -> OrderProblem:
        """State the problem of ordering sentences by their neighbours."""
        features = self.sentence_features(sentence_texts(document))
        log_start = np.array([self._log_step(_START, after) for after in features])
        log_step = np.array([[self._log_step(before, after) for after in features] for before in features])
        return OrderProblem.of_steps(log_start, log_step, 0.0)

    def sentence_features(self, sentences: Sequence[str]) -> list[Features]:
        """Return the features of each sentence, each once."""
        if self.pipeline is not None:
            return list(_parsed_features(self.pipeline, tuple(sentences)))
        return [
            tuple(dict.fromkeys(w for w in _plain_words(sentence) if w not in self.common)) for sentence in sentences
        ]

    def _log_step(self, before: Features, after: Features) -> float:
        """Average log P(a | b) over all pairs of features: her product would favour sentences with few."""
        if not before or not after:
            return -math.log(self.n_features)
        logs = [
            math.log((self.pairs[b, a] + _SMOOTHING) / (self.befores[b] + _SMOOTHING * self.n_features))
            for b in before
            for a in after
        ]
        return math.fsum(logs) / len(logs)


def _kind(name: str | None) -> str:
    """Say what the features are: that depends on what a pipeline can do."""
    if name is None:
        return "words"
    purpose = _purpose(name)
    pipeline = load_pipeline(name, purpose)
    given = annotations(pipeline)
    if not given & TAGS:
        has = ", ".join(pipeline.pipe_names) or "no component"
        raise InputError(f"{purpose}: the pipeline must tell nouns and verbs, but has {has}")
    return "nouns, verbs, dependencies" if "token.dep" in given else "nouns, verbs"


def _purpose(pipeline: str) -> str:
    return f"pipeline {pipeline!r} for the features of 'lapata'"


@lru_cache(maxsize=1 << 14)  # parsing is slow, and folds and exams come back to the same sentences
def _parsed_features(pipeline: str, sentences: tuple[str, ...]) -> tuple[Features, ...]:
    purpose = _purpose(pipeline)
    parsed = parse(load_pipeline(pipeline, purpose), sentences, purpose)
    return tuple(tuple(dict.fromkeys(_features(sentence))) for sentence in parsed)


def _features(parsed: Any) -> Iterator[str]:  # noqa: ANN401 (spaCy has no types to name here)
    """Find the nouns and verbs of a sentence, and which noun is what of which verb, if there is a parse."""
    yield from (_lemma(token) for token in parsed if token.pos_ in _NOUNS or token.pos_ == "VERB")
    for token in parsed:
        if token.dep_ in _ARGUMENTS and token.pos_ in _NOUNS:
            # The noun of a prepositional phrase hangs on its preposition.
            verb = token.head if token.head.pos_ == "VERB" else token.head.head
            if verb.pos_ == "VERB":
                yield f"{_lemma(token)}<{token.dep_}<{_lemma(verb)}"


def _lemma(token: Any) -> str:  # noqa: ANN401
    """Return the dictionary form, or the word where the pipeline has no lemmatizer."""
    return str(token.lemma_ or token.text).lower()


def _common_words(texts: Iterable[Sequence[str]]) -> frozenset[str]:
    counts = Counter(word for text in texts for sentence in text for word in _plain_words(sentence))
    if len(counts) <= _FEWEST_WORDS:
        return frozenset()
    # Of equally frequent words the first by the alphabet: the order of the documents must not matter.
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    return frozenset(ranked[:_COMMON_WORDS])


def _plain_words(sentence: str) -> list[str]:
    return [token.lower() for token in tokenize(sentence) if is_word(token)]
