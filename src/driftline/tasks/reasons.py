"""Which evidence decided an order, in words: what each sentence and the one before it say for standing so."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from driftline.kernels.hmm import Integers
from driftline.kernels.mixed_problem import MixedProblem
from driftline.kernels.order_problem import log_scores
from driftline.kernels.pair_regression import Values
from driftline.model.ordering.local_evidence import CONNECTIVES, ORDERED, PRONOUNS, Facts
from driftline.model.ordering.order_mix import OrderMix, mix_pairs
from driftline.model.ordering.pair_evidence import ADJACENT_NAMES
from driftline.model.ordering.sentence_space import Sentence

_LIKE = 0.1
"""From this similarity on a known sentence counts as like a new one."""


@dataclass(frozen=True)
class Reason:
    """One kind of evidence for a sentence to stand after the one before it, and not the other way round."""

    evidence: str
    """In words."""
    gain: float
    """How much the score of the order would fall by it if the two changed places; below 0 it spoke against it."""


@dataclass(frozen=True)
class Grounds:
    """What reasons are drawn from: the sentences of one document, and all that a model knows of them."""

    mix: OrderMix
    problem: MixedProblem
    sentences: Sequence[Sentence]

    def reasons(self, order: Integers, place: int) -> tuple[Reason, ...]:
        """Say what the sentence at a place and the one before it gain by not changing places, most first."""
        swapped = order.copy()
        swapped[[place - 1, place]] = order[[place, place - 1]]
        both = np.vstack([order, swapped])
        found = [*self._general(both, int(order[place - 1]), int(order[place])), *self._local(both, place)]
        return tuple(sorted(found, key=lambda reason: -abs(reason.gain)))

    def _general(self, both: Integers, before: int, here: int) -> Iterator[Reason]:
        """Reasons from what sentences like these do in the documents that the model was learned from."""
        pairs, weights = self.mix.evidence_of(self.sentences), self.mix.weights
        n_same, n_all = self._precedents(before, here)
        like = "sentences like the first come earlier than sentences like the second"
        if n_all:
            like = f"sentences like these two stand in this order in {n_same} of {n_all} documents that have both"
        for words, kept in (
            (like, replace(weights, content=0.0, adjacent=0.0, first=0.0)),
            ("sentences like these are such neighbours", replace(weights, content=0.0, ordered=0.0, first=0.0)),
            ("sentences like it open a document", replace(weights, content=0.0, ordered=0.0, adjacent=0.0)),
        ):
            gained = mix_pairs(pairs, kept).scores(both)
            yield Reason(words, float(gained[0] - gained[1]))
        chains = [log_scores(chain, both) for chain in self.problem.chains]
        gain = self.problem.share * sum(float(scores[0] - scores[1]) for scores in chains)
        yield Reason("their topics follow each other so", gain)

    def _local(self, both: Integers, place: int) -> Iterator[Reason]:
        """Reasons from the two sentences themselves; they are part of what the general ones gain."""
        features, evidence, weights = self.mix.features(self.sentences), self.mix.evidence, self.mix.weights
        a, b = (self.sentences[int(both[0, p])] for p in (place - 1, place))
        step = 4 / len(self.sentences) * weights.ordered
        i, j = both[0, place - 1], both[0, place]
        gains = step * features.ordered[i, j] * evidence.ordered.feature_weights
        for name, gain in zip(ORDERED, gains.tolist(), strict=True):
            if shown := _shown(name, Facts(a), Facts(b)):
                yield Reason(shown, gain)
        neighbours = weights.adjacent * (features.adjacent[i, j] - features.adjacent[j, i])
        for name, gain in zip(ADJACENT_NAMES, (neighbours * evidence.adjacent.feature_weights).tolist(), strict=True):
            if name not in ORDERED and (shown := _shown(name, Facts(a), Facts(b))):
                yield Reason(shown, gain)

    def _precedents(self, before: int, here: int) -> tuple[int, int]:
        """Count the known documents with sentences like both: those in the same order, and all of them."""
        similarity = self.mix.space.similarity([self.sentences[before], self.sentences[here]])
        lengths = [len(block) for block in self.mix.evidence.ordered.weights]
        places = [_most_alike(part) for part in np.split(similarity, np.cumsum(lengths)[:-1], axis=1)]
        known = [(first, second) for first, second in places if first >= 0 and second >= 0 and first != second]
        return sum(first < second for first, second in known), len(known)


def _most_alike(similarity: Values) -> tuple[int, int]:
    """Return the places of the most similar sentences of a known document; -1 where none is alike."""
    best = similarity.argmax(axis=1)
    alike = similarity[np.arange(2), best] >= _LIKE
    first, second = np.where(alike, best, -1).tolist()
    return first, second


def _shown(name: str, a: Facts, b: Facts) -> str:
    """Say a kind of local evidence with the words that it rests on; nothing where it is not there."""
    show = _WORDS.get(name)
    return show(a, b) if show else ""


def _full_name(a: Facts, b: Facts) -> str:
    full = [name for name in a.names if len(name) > 1 and name[-1] in b.capitalised]
    full = [name for name in full if not any(set(name) <= set(other) for other in b.names)]
    return f"names {' '.join(full[0])!r} in full before {full[0][-1]!r}" if full else ""


def _definite(a: Facts, b: Facts) -> str:
    words = sorted((b.definite & a.word_set) - a.definite)
    return f"mentions {words[0]!r} before it is a known one" if words else ""


def _indefinite(a: Facts, b: Facts) -> str:
    words = sorted(a.indefinite & b.definite)
    return f"says 'a {words[0]}' before 'the {words[0]}'" if words else ""


def _pronoun(_: Facts, b: Facts) -> str:
    return f"opens with {b.first_word!r}, which needs somebody named before" if b.first_word in PRONOUNS else ""


def _connective(_: Facts, b: Facts) -> str:
    return f"opens with {b.first_word!r}, which goes on from something" if b.first_word in CONNECTIVES else ""


_WORDS: dict[str, Callable[[Facts, Facts], str]] = {
    "names in full what the other one names in short": _full_name,
    "mentions what the other one calls 'the ...'": _definite,
    "says 'a ...' where the other one says 'the ...'": _indefinite,
    "opens with a pronoun after a name": _pronoun,
    "opens with a connective": _connective,
}
