"""The ordering exam (section 5.3): one for all systems.

A system is shown the sentences of a document in a shuffle that depends on the document's id alone, so
that neither ties nor the way it searches can leak the original order, and parallel work cannot matter.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from driftline.errors import InputError
from driftline.evaluation.metrics import kendall_tau
from driftline.evaluation.outcomes import DiscriminationOutcome, OrderingOutcome, group_of
from driftline.tasks.ordering import Orderer, check_orders, check_time_limit, order, score_orders
from driftline.tasks.ranking import rank, tie_tolerance
from driftline.text.corpus import Document

N_PERMUTATIONS = 20


@dataclass(frozen=True)
class ExamRules:
    """What all systems are given alike."""

    seed: int = 0
    """Decides how sentences are shuffled and which other orders the original one is compared with."""
    time_limit: float = 5.0
    """Seconds for the best order of a document ..."""
    rank_time_limit: float = 5.0
    """... and for counting the orders better than the original one, past which the rank is estimated."""

    def __post_init__(self) -> None:
        for limit in (self.time_limit, self.rank_time_limit):
            check_time_limit(limit)


@dataclass(frozen=True)
class Shuffled:
    """A document as an exam shows it."""

    document: Document
    places: tuple[int, ...]
    """Where each sentence that is shown stands in the original."""

    @property
    def original(self) -> list[int]:
        """The original order, in terms of the shuffled sentences."""
        return [int(place) for place in np.argsort(self.places)]

    def as_read(self, order: Sequence[int]) -> list[int]:
        """Turn an order of the shuffled sentences into original places; equal sentences are interchangeable."""
        content = self.document.words or self.document.sentences
        waiting: dict[object, list[int]] = {}
        for k in sorted(range(len(content)), key=lambda k: -self.places[k]):
            waiting.setdefault(content[k], []).append(self.places[k])
        return [waiting[content[k]].pop() for k in order]


def shuffle(document: Document, seed: int) -> Shuffled:
    """Shuffle the sentences of a document, always in the same way, and hide what else could tell."""
    places = generator(document, seed, "shuffle").permutation(len(document)).tolist()
    hidden = Document(
        id="shown",
        sentences=tuple(document.sentences[place] for place in places),
        words=None if document.words is None else tuple(document.words[place] for place in places),
    )
    return Shuffled(hidden, tuple(places))


def generator(document: Document, seed: int, purpose: str) -> np.random.Generator:
    """Make the generator of one document for one purpose: no order of work can change what it draws."""
    digest = hashlib.sha256(f"{seed}\x1f{purpose}\x1f{document.id}".encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(int.from_bytes(digest[:8], "little"))


def examine_ordering(system: Orderer, document: Document, rules: ExamRules) -> OrderingOutcome:
    """Let a system order one document, and rank the original order by its scores."""
    shown = shuffle(document, rules.seed)
    best = order(system, shown.document, time_limit=rules.time_limit)
    ranked = rank(system, shown.document, order=shown.original, time_limit=rules.rank_time_limit)
    found = shown.as_read(best.order)
    return OrderingOutcome(
        document=document.id,
        group=group_of(document),
        n_sentences=len(document),
        rank=ranked.mean_rank,
        exact=ranked.exact,
        # An estimate of 0 better orders is no proof that the original is the best; the search knows more.
        credit=ranked.credit if ranked.exact or found == sorted(found) else 0.0,
        tau=kendall_tau(found),
        proved=best.proved,
    )


def examine_discrimination(
    system: Orderer, document: Document, rules: ExamRules, permutations: Sequence[Sequence[int]] | None = None
) -> DiscriminationOutcome:
    """Compare the score of the original order with those of other orders, given or drawn."""
    shown = shuffle(document, rules.seed)
    original = shown.original
    others = (
        draw_orders(document, rules.seed)
        if permutations is None
        else check_orders(permutations, len(document), f"permutations of {document.id!r}").tolist()
    )
    orders = [original, *([original[place] for place in other] for other in others)]
    scores = score_orders(system, shown.document, orders)
    tolerance = tie_tolerance(float(scores[0]))
    won = (scores[1:] < scores[0] - tolerance).sum() + 0.5 * (np.abs(scores[1:] - scores[0]) <= tolerance).sum()
    return DiscriminationOutcome(document.id, group_of(document), len(document), len(others), float(won))


def draw_orders(document: Document, seed: int, n: int = N_PERMUTATIONS) -> list[list[int]]:
    """Draw random orders of a document that are not the original one."""
    if len(document) < 2:
        raise InputError(f"document {document.id!r}: one sentence has no other order")
    rng = generator(document, seed, "permutations")
    found: list[list[int]] = []
    while len(found) < n:
        drawn = rng.permutation(len(document)).tolist()
        if drawn != sorted(drawn):
            found.append(drawn)
    return found


def fit_for_exam(documents: Sequence[Document]) -> list[Document]:
    """Leave out what has only one order."""
    return [document for document in documents if len(document) > 1]
