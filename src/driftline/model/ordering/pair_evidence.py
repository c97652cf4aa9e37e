"""Evidence of pairs, learned: which of two sentences comes first, which follows which, which opens a document."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from driftline.kernels.hmm import Integers
from driftline.kernels.pair_regression import PairKernel, PairRegression, Values, fit_pairs
from driftline.model.ordering.local_evidence import ADJACENT, ORDERED, Facts, measure
from driftline.model.ordering.sentence_space import VIEWS, Sentence, SentenceSpace

ORDERED_KERNEL = PairKernel(antisymmetric=True, scale=0.02)
ADJACENT_KERNEL = PairKernel(antisymmetric=False)
_FIRST_RIDGE = 0.5
_MOST = 5.0  # usual distances that rare evidence may be from what is usual

ADJACENT_NAMES = (*ADJACENT, *(f"share {view}" for view in VIEWS))
"""The local evidence for neighbours, with what they share."""


@dataclass(frozen=True)
class Evidence:
    """What is known of the pairs of one document's sentences."""

    ordered: Values
    """[sentence, sentence] Above 0 if the first one is likely to come before the second."""
    adjacent: Values
    """[sentence, sentence] The higher, the more likely does the second one directly follow the first."""
    first: Values
    """[sentence] The higher, the more likely does it open the document."""


@dataclass(frozen=True)
class LocalFeatures:
    """The local evidence of one document."""

    ordered: Values
    """[sentence, sentence, kind]"""
    adjacent: Values

    @classmethod
    def of(cls, sentences: Sequence[Sentence], space: SentenceSpace) -> Self:
        """Measure it."""
        facts = [Facts(sentence) for sentence in sentences]
        alone = measure(ADJACENT, facts, antisymmetric=False)
        return cls(
            measure(ORDERED, facts, antisymmetric=True),
            np.concatenate([alone, space.inner_similarities(sentences)], axis=2),
        )


@dataclass(frozen=True)
class Scale:
    """What is usual for each kind of local evidence, so that all kinds count alike."""

    center: Values
    spread: Values

    @classmethod
    def of(cls, features: Sequence[Values], *, centered: bool) -> Self:
        """Measure it over all pairs of known documents."""
        pairs = np.concatenate([f[~np.eye(len(f), dtype=bool)] for f in features]).astype(np.float64)
        center = pairs.mean(axis=0) if centered else np.zeros(pairs.shape[1])
        spread = np.sqrt(((pairs - center) ** 2).mean(axis=0))
        spread[spread == 0] = 1.0
        return cls(center.astype(np.float32), spread.astype(np.float32))

    def apply(self, features: Values) -> Values:
        """Return the evidence in usual distances from what is usual; a sentence has none with itself."""
        scaled = np.clip((features - self.center) / self.spread, -_MOST, _MOST)
        scaled[np.diag_indices(len(scaled))] = 0.0
        result: Values = scaled.astype(np.float32)
        return result


@dataclass(frozen=True)
class PairEvidence:
    """What tells the order of pairs, learned from documents whose order is known."""

    ordered: PairRegression
    adjacent: PairRegression
    first: Values
    """[known sentence]"""
    first_share: float
    """The share of sentences that open a document."""

    @classmethod
    def fit(cls, similarity: Values, document_offsets: Integers, features: Sequence[LocalFeatures]) -> Self:
        """Learn from known documents; `similarity` is [sentence, sentence]."""
        lengths = np.diff(document_offsets).tolist()
        earlier = [np.triu(np.ones((n, n), np.float32)) - np.tril(np.ones((n, n), np.float32)) for n in lengths]
        next_one = [np.eye(n, k=1, dtype=np.float32) - np.float32(1 / n) for n in lengths]
        is_first = np.zeros(len(similarity), dtype=np.float32)
        is_first[document_offsets[:-1]] = 1.0
        system = similarity.copy()
        system[np.diag_indices_from(system)] += np.float32(_FIRST_RIDGE)
        first = cho_solve(cho_factor(system, overwrite_a=True), is_first - is_first.mean())
        return cls(
            fit_pairs(ORDERED_KERNEL, similarity, document_offsets, [f.ordered for f in features], earlier),
            fit_pairs(ADJACENT_KERNEL, similarity, document_offsets, [f.adjacent for f in features], next_one),
            first.astype(np.float32),
            float(is_first.mean()),
        )

    def of(self, similarity: Values, features: LocalFeatures) -> Evidence:
        """Return the evidence of a new document; `similarity` is [sentence, known sentence]."""
        return Evidence(
            self.ordered.predict(similarity, features.ordered),
            self.adjacent.predict(similarity, features.adjacent),
            similarity @ self.first + np.float32(self.first_share),
        )


def sentence_rows(document_offsets: Integers, documents: Integers) -> Integers:
    """List the sentences of some documents."""
    spans = list(pairwise(document_offsets.tolist()))
    return np.concatenate([np.arange(*spans[d]) for d in documents])
