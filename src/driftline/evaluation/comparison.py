"""Several systems in one exam: on a test corpus, or in cross-validation by story."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from driftline.baselines.bigram import BigramModel
from driftline.baselines.flat import FlatModel
from driftline.baselines.lapata import LapataModel
from driftline.errors import InputError
from driftline.evaluation.folds import N_FOLDS, fold_parts, folds
from driftline.evaluation.metrics import Figure, discrimination_figures, ordering_figures
from driftline.evaluation.ordering_exam import (
    ExamRules,
    examine_discrimination,
    examine_ordering,
    fit_for_exam,
)
from driftline.evaluation.outcomes import DiscriminationOutcome, OrderingOutcome
from driftline.evaluation.permutations import Permutations, check_permutations
from driftline.model.content_model import ContentModel, Ordering
from driftline.model.fitting import fit
from driftline.parallel import check_workers, map_in_order
from driftline.settings import Settings
from driftline.signature import signature
from driftline.tasks.ordering import Orderer
from driftline.text.corpus import Corpus, Document

Task = Literal["ordering", "discrimination"]
Outcome = OrderingOutcome | DiscriminationOutcome
Outcomes = Sequence[OrderingOutcome] | Sequence[DiscriminationOutcome]
Say = Callable[[str], None]

SYSTEMS = ("content", "best", "bigram", "lapata", "random")


@dataclass(frozen=True)
class Result:
    """One system's outcomes and figures."""

    system: str
    figures: list[Figure]
    outcomes: Outcomes


@dataclass(frozen=True)
class Comparison:
    """All systems over the same documents."""

    task: Task
    signature: str
    n_documents: int
    n_left_out: int
    """Documents of one sentence, which have only one order."""
    results: list[Result]


@dataclass(frozen=True)
class _Job:
    """One document for one system; goes to whichever process is free."""

    task: Task
    system: Orderer
    document: Document
    rules: ExamRules
    permutations: Sequence[Sequence[int]] | None

    def run(self) -> Outcome:
        if self.task == "ordering":
            return examine_ordering(self.system, self.document, self.rules)
        return examine_discrimination(self.system, self.document, self.rules, self.permutations)


@dataclass(frozen=True)
class Plan:
    """What to compare, and how."""

    task: Task = "ordering"
    rules: ExamRules = field(default_factory=ExamRules)
    permutations: Permutations = field(default_factory=dict)
    """Orders to tell the original one from, by document id; others are drawn."""
    permutations_from: str = "permutations"
    """Where they were read, for messages."""
    workers: int = 1
    pipeline: str | None = None
    """The spaCy pipeline that finds Lapata's features."""

    def __post_init__(self) -> None:
        if self.task not in get_args(Task):
            raise InputError(f"task: expected one of {', '.join(get_args(Task))}, got {self.task!r}")
        if self.permutations and self.task != "discrimination":
            raise InputError("permutations: only the discrimination exam compares with given orders")
        check_workers(self.workers)


def evaluate(
    systems: Mapping[str, Orderer], corpus: Corpus, plan: Plan | None = None, *, on_progress: Say = lambda _: None
) -> Comparison:
    """Examine systems over a test corpus.

    >>> quakes = Corpus.from_words([[["a", "quake", "hit"], ["no", "one", "died"]]] * 20)
    >>> found = evaluate({"content": fit(quakes)}, quakes, Plan(task="discrimination"))
    >>> found.results[0].figures[0].value
    1.0
    """
    plan = plan or Plan()
    check_permutations(plan.permutations, corpus, plan.permutations_from)
    documents = fit_for_exam(corpus.documents)
    if not documents:
        raise InputError("the corpus holds only documents of one sentence: there is nothing to order")
    jobs = [(name, _job(plan, system, d)) for name, system in systems.items() for d in documents]
    outcomes = _run(jobs, plan, on_progress)
    used: dict[str, object] = {}
    for system in systems.values():
        if isinstance(system, (ContentModel, BigramModel, LapataModel)):
            used |= system.signature_parts
    return _comparison(plan, corpus, outcomes, used)


def cross_validate(
    corpus: Corpus,
    names: Sequence[str] = SYSTEMS,
    settings: Settings | None = None,
    plan: Plan | None = None,
    *,
    n_folds: int = N_FOLDS,
    on_progress: Say = lambda _: None,
) -> Comparison:
    """Train each system on all folds but one and examine it on that one; a story stays in one fold."""
    plan, settings = plan or Plan(), settings or Settings()
    for name in names:
        _check_name(name)
    check_permutations(plan.permutations, corpus, plan.permutations_from)
    jobs: list[tuple[str, _Job]] = []
    used = fold_parts(n_folds, settings)
    for number, (train, test) in enumerate(folds(corpus, n_folds, plan.rules.seed), 1):
        on_progress(f"training on all folds but {number} of {n_folds}")
        systems = {name: train_system(name, train, settings, plan.pipeline) for name in names}
        jobs += [(name, _job(plan, s, d)) for name, s in systems.items() for d in fit_for_exam(test)]
        if isinstance(lapata := systems.get("lapata"), LapataModel):
            used["lapata"] = lapata.found
    if not jobs:
        raise InputError("the corpus holds only documents of one sentence: there is nothing to order")
    jobs.sort(key=lambda job: names.index(job[0]))
    return _comparison(plan, corpus, _run(jobs, plan, on_progress), used)


def train_system(name: str, corpus: Corpus | None, settings: Settings, pipeline: str | None = None) -> Orderer:
    """Train one of `SYSTEMS`; only the random one needs no corpus."""
    _check_name(name)
    if name == "random":
        return FlatModel()
    if corpus is None:
        raise InputError(f"system {name!r} learns from text: it needs a training corpus")
    if name in get_args(Ordering):
        return fit(corpus, settings, ordering=name)  # type: ignore[arg-type]
    if name == "bigram":
        return BigramModel.learn(corpus, settings)
    return LapataModel.learn(corpus, settings, pipeline)


def _check_name(name: str) -> None:
    if name not in SYSTEMS:
        raise InputError(f"system: expected one of {', '.join(SYSTEMS)}, got {name!r}")


def _job(plan: Plan, system: Orderer, document: Document) -> _Job:
    return _Job(plan.task, system, document, plan.rules, plan.permutations.get(document.id))


def _run(jobs: Sequence[tuple[str, _Job]], plan: Plan, say: Say) -> dict[str, list[Outcome]]:
    outcomes: dict[str, list[Outcome]] = {}
    done = map_in_order(_Job.run, [job for _, job in jobs], plan.workers)
    for number, ((name, job), outcome) in enumerate(zip(jobs, done, strict=True), 1):
        outcomes.setdefault(name, []).append(outcome)
        say(f"{name}: {job.document.id} ({number} of {len(jobs)})")
    return outcomes


def _comparison(
    plan: Plan,
    corpus: Corpus,
    outcomes: Mapping[str, Sequence[Outcome]],
    used: Mapping[str, object],
) -> Comparison:
    results = []
    for name, found in outcomes.items():
        figures = (
            ordering_figures(found)  # type: ignore[arg-type]
            if plan.task == "ordering"
            else discrimination_figures(found)  # type: ignore[arg-type]
        )
        results.append(Result(name, figures, found))  # type: ignore[arg-type]
    documents = fit_for_exam(corpus.documents)
    limits = {"limit": plan.rules.time_limit, "rank_limit": plan.rules.rank_time_limit}
    asked = limits if plan.task == "ordering" else {"perms": _orders_part(plan.permutations, documents)}
    line = signature(
        task=plan.task, test=corpus.data_hash, tested=len(documents), seed=plan.rules.seed, **asked, **used
    )
    return Comparison(plan.task, line, len(documents), len(corpus) - len(documents), results)


def _orders_part(permutations: Permutations, documents: Sequence[Document]) -> str:
    """Say for a signature with which orders the original one was compared."""
    given = sorted((d.id, [list(map(int, p)) for p in permutations[d.id]]) for d in documents if d.id in permutations)
    if not given:
        return "drawn"
    digest = hashlib.sha256(repr(given).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"given {digest}" if len(given) == len(documents) else f"given {digest} for {len(given)}"
