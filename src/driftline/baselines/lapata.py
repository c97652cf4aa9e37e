"""Lapata (2003), as the paper compares with it: which features of a sentence tend to follow which.

P(S_i | S_i-1) is estimated from the features of adjacent sentences: nouns, verbs, and noun-verb
dependencies where a spaCy pipeline has a parser. An order's score is the product over neighbours. Her
approximate search is replaced by the exact one that all systems share.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np

from driftline.kernels.order_problem import OrderProblem
from driftline.model.content_model import AnyDocument
from driftline.settings import Settings
from driftline.text.corpus import Corpus, Document
from driftline.text.spacy_masking import load_pipeline
from driftline.text.tokens import is_word, tokenize

_START = ("<START>",)
_SMOOTHING = 0.1
_COMMON_WORDS = 100  # where nothing tells nouns and verbs, all words are features but the most frequent
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

    @classmethod
    def learn(cls, corpus: Corpus, settings: Settings | None = None, pipeline: str | None = None) -> Self:
        """Count the features of adjacent sentences; without a pipeline all but the commonest words serve.

        >>> corpus = Corpus.from_sentences([["A quake struck.", "Houses fell."]])
        >>> LapataModel.learn(corpus).features
        'words'
        """
        del settings  # it has a smoothing of its own
        texts = [list(document.sentences) for document in corpus]
        counts = Counter(word for text in texts for sentence in text for word in _plain_words(sentence))
        common = (
            frozenset(word for word, _ in counts.most_common(_COMMON_WORDS)) if len(counts) > 300 else frozenset()
        )
        model = cls(pipeline, _kind(pipeline), Counter(), Counter(), 0, common)
        seen: set[str] = set()
        for text in texts:
            for before, after in pairwise([_START, *model.sentence_features(text)]):
                seen.update(after)
                model.pairs.update((b, a) for b in before for a in after)
                model.befores.update(b for b in before for _ in after)
        return cls(pipeline, model.features, model.pairs, model.befores, len(seen) + 1, common)

    def order_problem(self, document: AnyDocument) -> OrderProblem:
        """State the problem of ordering sentences by their neighbours."""
        sentences = document.sentences if isinstance(document, Document) else [_text(s) for s in document]
        features = self.sentence_features(list(sentences))
        log_start = np.array([self._log_step(_START, after) for after in features])
        log_step = np.array([[self._log_step(before, after) for after in features] for before in features])
        return OrderProblem.of_steps(log_start, log_step, 0.0)

    def sentence_features(self, sentences: Sequence[str]) -> list[Features]:
        """Return the features of each sentence, each once."""
        if self.pipeline is None:
            found = [[w for w in _plain_words(sentence) if w not in self.common] for sentence in sentences]
        else:
            found = [_parsed_features(parsed) for parsed in load_pipeline(self.pipeline).pipe(sentences)]
        return [tuple(dict.fromkeys(features)) for features in found]

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


def _kind(pipeline: str | None) -> str:
    if pipeline is None:
        return "words"
    return "nouns, verbs, dependencies" if "parser" in load_pipeline(pipeline).pipe_names else "nouns, verbs"


def _parsed_features(parsed: Any) -> list[str]:  # noqa: ANN401 (spaCy has no types to name here)
    features = [token.lemma_.lower() for token in parsed if token.pos_ in {"NOUN", "PROPN", "VERB"}]
    for token in parsed:
        if token.dep_ in _ARGUMENTS and token.pos_ in {"NOUN", "PROPN"}:
            verb = token.head if token.head.pos_ == "VERB" else token.head.head
            if verb.pos_ == "VERB":
                features.append(f"{token.lemma_.lower()}<{token.dep_}<{verb.lemma_.lower()}")
    return features


def _plain_words(sentence: str) -> list[str]:
    return [token.lower() for token in tokenize(sentence) if is_word(token)]


def _text(sentence: str | Sequence[str]) -> str:
    return sentence if isinstance(sentence, str) else " ".join(sentence)
