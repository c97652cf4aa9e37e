"""The exam of `check`: documents are damaged in one known way, and it is asked what the check says of them.

Documents are always unseen ones, and what is drawn depends on the document's id alone.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from driftline.evaluation.folds import N_FOLDS, folds
from driftline.evaluation.metrics import Figure
from driftline.evaluation.ordering_exam import generator
from driftline.evaluation.outcomes import group_of
from driftline.evaluation.significance import bootstrap_interval
from driftline.model.content_model import ContentModel
from driftline.model.fitting import fit
from driftline.model.themes import NEARLY_ALL
from driftline.settings import Settings
from driftline.tasks.checking import check
from driftline.tasks.domain import domain_fit
from driftline.tasks.misplaced import moved
from driftline.text.corpus import Corpus, Document

FEWEST_SENTENCES = 5
"""Shorter documents have too few middle sentences to move one."""
MOST_SENTENCES = 40
"""Longer documents are not examined for moved sentences and missing topics: it would take hours."""

_N_SUSPECTS = 2


@dataclass(frozen=True)
class CheckingOutcome:
    """What came of one question about one document."""

    question: str
    group: str
    hit: bool


def examine_checking(
    model: ContentModel, train: Corpus, documents: Sequence[Document], others: Mapping[str, Corpus], seed: int = 0
) -> Iterator[CheckingOutcome]:
    """Ask all questions about unseen documents of the domain and about documents of others."""
    topics, gold = _usual_topics(model, train), _usual_labels(model, train)
    themes = () if model.reference is None else model.reference.norms.themes
    theme_of = {state: theme.states for theme in themes for state in theme.states}  # no state has two
    for document in documents:
        yield from _undamaged(model, document)
        if FEWEST_SENTENCES <= len(document) <= MOST_SENTENCES:
            yield _moved(model, document, seed)
        if len(document) <= MOST_SENTENCES:
            states = model.v_topics(document).tolist()
            yield from _deleted(model, document, "topic", states, {state: {state} for state in topics})
            told = [theme_of.get(state) for state in states]
            yield from _deleted(model, document, "theme", told, {theme.states: set(theme.states) for theme in themes})
            yield from _deleted(model, document, "gold topic", document.labels or (), gold)
    for name, corpus in others.items():
        for document in corpus:
            yield CheckingOutcome(f"flagged: {name}", group_of(document), bool(domain_fit(model, document).foreign))


def cross_validate_checking(
    corpus: Corpus,
    others: Mapping[str, Corpus],
    settings: Settings | None = None,
    *,
    n_folds: int = N_FOLDS,
    seed: int = 0,
    learn: Callable[[Corpus, Settings], ContentModel] = fit,
) -> list[Figure]:
    """Learn from all folds but one, and examine that one; a story stays in one fold."""
    outcomes: list[CheckingOutcome] = []
    for train, documents in folds(corpus, n_folds, seed):
        outcomes += examine_checking(learn(train, settings or Settings()), train, documents, others, seed)
    return checking_figures(outcomes, seed=seed)


def checking_figures(outcomes: Sequence[CheckingOutcome], *, seed: int = 0) -> list[Figure]:
    """Return the share of hits of each question, with its interval."""
    figures = []
    for question in dict.fromkeys(outcome.question for outcome in outcomes):
        hits = [(float(o.hit), o.group) for o in outcomes if o.question == question]
        values, groups = zip(*hits, strict=True)
        low, high = bootstrap_interval(values, [1.0] * len(values), groups, seed=seed)
        figures.append(Figure(question, float(np.mean(values)), low, high, percent=True))
    return figures


def move_one(document: Document, seed: int) -> tuple[Document, int]:
    """Move one middle sentence to a random other place; returns where it then stands."""
    rng, n = generator(document, seed, "move one"), len(document)
    sentence = int(rng.integers(1, n - 1))
    place = int(rng.choice([other for other in range(n) if other != sentence]))
    return _kept(document, moved(n, sentence, place)), place


def _kept(document: Document, places: Sequence[int]) -> Document:
    words = None if document.words is None else tuple(document.words[place] for place in places)
    return Document(document.id, tuple(document.sentences[place] for place in places), words)


def _undamaged(model: ContentModel, document: Document) -> Iterator[CheckingOutcome]:
    group, found = group_of(document), check(model, _kept(document, range(len(document))))
    for question, hit in {
        "own documents: alarm": bool(found.domain.foreign),
        "own documents: a missing topic": bool(found.missing),
        "own documents: a misplaced sentence": any(suspect.clear for suspect in found.suspects),
        "own documents: an abrupt step": bool(found.abrupt),
        "own documents: an unlike sentence": bool(found.unlike),
    }.items():
        yield CheckingOutcome(question, group, hit)


def _moved(model: ContentModel, document: Document, seed: int) -> CheckingOutcome:
    damaged, place = move_one(document, seed)
    suspects = check(model, damaged).suspects[:_N_SUSPECTS]
    hit = place in {suspect.sentence for suspect in suspects}
    return CheckingOutcome("moved sentence among the first two suspects", group_of(document), hit)


def _usual_topics(model: ContentModel, train: Corpus) -> list[int]:
    """List the topics of the model that nearly all training documents have."""
    held = model.estimate.counts.document_counts[: model.insertion_state]
    return [int(state) for state in np.flatnonzero(held >= NEARLY_ALL * len(train))]


def _usual_labels(model: ContentModel, train: Corpus) -> dict[Hashable, set[int]]:
    """List the gold topics that nearly all training documents have, with the states that mostly tell them."""
    held = Counter(label for document in train for label in set(document.labels or ()))
    told: dict[int, Counter[str]] = {}
    for document in train if held else ():
        for state, label in zip(model.v_topics(document).tolist(), document.labels or (), strict=False):
            told.setdefault(state, Counter())[label] += 1
    mostly = {state: labels.most_common(1)[0][0] for state, labels in told.items() if state != model.insertion_state}
    usual = [label for label, n in held.items() if n > NEARLY_ALL * len(train)]
    return {label: {state for state, of_state in mostly.items() if of_state == label} for label in usual}


def _deleted(
    model: ContentModel, document: Document, kind: str, told: Sequence[Hashable], usual: Mapping[Hashable, set[int]]
) -> Iterator[CheckingOutcome]:
    """Delete all sentences on each usual topic in turn; it is named if most states of a missing one tell it."""
    for topic, states in usual.items():
        places = [place for place, other in enumerate(told) if other != topic]
        if 0 < len(places) < len(document):
            missing = check(model, _kept(document, places)).missing
            named = any(2 * len(states.intersection(found.states)) > len(found.states) for found in missing)
            yield CheckingOutcome(f"deleted {kind} is named", group_of(document), named)
