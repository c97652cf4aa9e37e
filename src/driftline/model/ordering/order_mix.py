"""One score of an order from all evidence: content models, ordered pairs, neighbours, and what comes first."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from driftline.kernels.hmm import Floats, Integers
from driftline.kernels.mixed_problem import MixedProblem
from driftline.kernels.order_problem import OrderProblem, log_scores
from driftline.kernels.pair_terms import PairTerms
from driftline.kernels.threads import one_blas_thread
from driftline.model.ordering.pair_evidence import Evidence, LocalFeatures, PairEvidence, Scale
from driftline.model.ordering.sentence_space import Sentence, SentenceSpace
from driftline.model.training import Estimate
from driftline.text.encoding import EncodedCorpus


@dataclass(frozen=True)
class MixWeights:
    """How much each kind of evidence counts in the score of an order."""

    content: float
    """Of the mean log-probability under the content models."""
    ordered: float
    """Of the evidence of all ordered pairs, per sentence of the document."""
    adjacent: float
    """Of the evidence of all neighbours."""
    first: float
    """Of the evidence of the first sentence."""


@dataclass(frozen=True)
class OrderMix:
    """Everything that :func:`driftline.fit` learns with `ordering="best"`."""

    space: SentenceSpace
    evidence: PairEvidence
    scales: tuple[Scale, Scale]
    """Of the local evidence for ordered pairs and for neighbours."""
    members: tuple[Estimate, ...]
    """The content models of the ensemble; they share the vocabulary of the model."""
    smoothings: tuple[float, ...]
    """Delta 1 of each of them."""
    weights: MixWeights

    def evidence_of(self, sentences: Sequence[Sentence]) -> Evidence:
        """Return what is known of the pairs of these sentences."""
        return self.evidence.of(self.space.similarity(sentences), self.features(sentences))

    def features(self, sentences: Sequence[Sentence]) -> LocalFeatures:
        """Return the local evidence of these sentences, scaled."""
        return scaled(LocalFeatures.of(sentences, self.space), self.scales)

    def problem(self, sentences: Sequence[Sentence], encoded: EncodedCorpus) -> MixedProblem:
        """State the problem of ordering the sentences of one document."""
        with one_blas_thread():
            pairs = mix_pairs(self.evidence_of(sentences), self.weights)
        if not self.weights.content:
            return MixedProblem(pairs)
        chains = (OrderProblem.of(m.chain, m.emissions.score(encoded)) for m in self.members)
        return MixedProblem(pairs, tuple(chains), self.weights.content)


def scaled(features: LocalFeatures, scales: tuple[Scale, Scale]) -> LocalFeatures:
    """Return local evidence in units that count alike."""
    return LocalFeatures(scales[0].apply(features.ordered), scales[1].apply(features.adjacent))


def mix_pairs(evidence: Evidence, weights: MixWeights) -> PairTerms:
    """Return what pairs are worth in the score of an order."""
    n = len(evidence.first)
    return PairTerms(
        weights.first * evidence.first.astype(np.float64),
        weights.adjacent * evidence.adjacent.astype(np.float64),
        # Pairs grow with the square of the sentences, neighbours only with the sentences.
        weights.ordered * 2 / n * evidence.ordered.astype(np.float64),
    )


def shares(evidence: Evidence, chains: Sequence[OrderProblem], orders: Integers) -> Floats:
    """Return what each kind of evidence says of some orders of one document, before it is weighted.

    Orders are [order, place], the result [order, kind] with the kinds in the order of `MixWeights`.
    """
    kinds = [MixWeights(0, 1, 0, 0), MixWeights(0, 0, 1, 0), MixWeights(0, 0, 0, 1)]
    content = np.mean([log_scores(chain, orders) for chain in chains], axis=0)
    return np.column_stack([content, *(mix_pairs(evidence, kind).scores(orders) for kind in kinds)])
