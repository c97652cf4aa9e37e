"""From an experiment to its cells, and from their results to its rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from driftline.errors import DriftlineError, InputError
from driftline.evaluation.comparison import SYSTEMS
from driftline.evaluation.metrics import Figure, ordering_figures, summary_figures
from driftline.evaluation.ordering_exam import fit_for_exam
from driftline.evaluation.outcomes import OrderingOutcome, SummaryOutcome, group_of
from driftline.evaluation.summary_exam import SUMMARIZERS
from driftline.reproduction.cells import Cell, Chosen, CountCell, Counted, OrderingCell, SummaryCell, TuneCell
from driftline.reproduction.data import Domain, Part, Source
from driftline.reproduction.experiments import Effort, Experiment, Measure
from driftline.reproduction.report import Row
from driftline.reproduction.store import Failed
from driftline.settings import Settings
from driftline.text.corpus import Corpus, Document
from driftline.tuning.objective import Score
from driftline.tuning.tuning import Tuning

Results = Mapping[str, Any]


@dataclass(frozen=True)
class Label:
    """Which row a cell's result belongs to."""

    domain: str
    system: str
    measure: Measure
    x: float | None = None


@dataclass
class Planned:
    """An experiment and the domains that it can be done on."""

    experiment: Experiment
    effort: Effort
    domains: list[Domain] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """What could not be done, a sentence each."""

    @property
    def base(self) -> Settings:
        """The settings that all systems begin from."""
        return self.experiment.base()

    def add_problem(self, problem: str) -> None:
        """Note what could not be done, once."""
        line = " ".join(problem.split())
        if line not in self.problems:
            self.problems.append(line)


def prepare(experiment: Experiment, effort: Effort, source: Source) -> Planned:
    """Read the domains of an experiment; what is missing becomes a sentence, and the others go on."""
    planned = Planned(experiment, effort)
    for name in experiment.domains:
        try:
            domain = source.domain(name)
            if "summarization" in experiment.measures and domain.pairs is None:
                raise InputError(f"domain {name!r}: lacks the split 'pairs' (pairs.jsonl: documents with summaries)")
        except DriftlineError as error:
            planned.add_problem(str(error))
        else:
            planned.domains.append(domain)
    return planned


def tuning_cells(planned: Planned) -> Iterator[tuple[Domain, Part, TuneCell]]:
    """List the searches that an experiment needs."""
    if not planned.experiment.needs_tuning():
        return
    effort = planned.effort
    tuning = Tuning(max_trials=effort.trials, max_sentences=effort.tuned_sentences, base=planned.base)
    for domain in planned.domains:
        for part in domain.parts:
            train, dev = part.tuned_on
            test = _drawn(part.test, effort.tuned_sentences, effort.documents)
            yield domain, part, TuneCell(domain.name, train, dev, test, part.train, tuning)


def exam_cells(planned: Planned, results: Results) -> Iterator[tuple[Label, Cell]]:
    """List everything else, now that the settings are chosen."""
    chosen = {id(part): results[cell.key] for _, part, cell in tuning_cells(planned)}
    for domain in planned.domains:
        for measure in planned.experiment.measures:
            if measure == "statistics":
                train = Corpus(tuple({d.id: d for part in domain.parts for d in part.train}.values()))
                yield Label(domain.name, "corpus", measure), CountCell(domain.name, train, planned.base)
            elif measure == "ordering":
                yield from _ordering(planned, domain, chosen)
            elif measure == "summarization":
                yield from _summaries(planned, domain, chosen)


def rows(planned: Planned, results: Results) -> list[Row]:
    """Make the rows of an experiment from the results of its cells."""
    gathered: dict[Label, list[Any]] = {}
    keys: dict[Label, list[str]] = {}
    labelled: list[tuple[Label, Cell]] = [
        (Label(domain.name, "content", "parameters"), cell)
        for domain, _, cell in tuning_cells(planned)
        if "parameters" in planned.experiment.measures
    ]
    for label, cell in [*labelled, *exam_cells(planned, results)]:
        result = results[cell.key]
        if isinstance(result, Failed):
            planned.add_problem(result.reason)
            continue
        gathered.setdefault(label, []).append(result)
        keys.setdefault(label, []).append(cell.key)
    found = [
        Row.of(label.domain, label.system, label.x, figure, keys[label])
        for label, of_label in gathered.items()
        for figure in _figures(of_label)
        if figure.name in planned.experiment.figures
    ]
    return sorted(found, key=lambda row: _place(row, planned.experiment))


def _place(row: Row, experiment: Experiment) -> tuple[int, int, float, int]:
    systems = [*experiment.systems, row.system]
    return (
        experiment.domains.index(row.domain),
        systems.index(row.system),
        -1.0 if row.x is None else row.x,
        experiment.figures.index(row.figure),
    )


def _ordering(planned: Planned, domain: Domain, chosen: Mapping[int, Any]) -> Iterator[tuple[Label, Cell]]:
    effort = planned.effort
    for part in domain.parts:
        for system, settings in _systems(planned, SYSTEMS, chosen.get(id(part))):
            test = _drawn(part.test, effort.max_sentences, effort.documents)
            for x, varied, train in _varied(planned, part.train, settings, "documents"):
                cell = OrderingCell(domain.name, system, train, test, varied, effort.max_sentences)
                yield Label(domain.name, system, "ordering", x), cell


def _summaries(planned: Planned, domain: Domain, chosen: Mapping[int, Any]) -> Iterator[tuple[Label, Cell]]:
    """Halve the pairs by each seed: one half to learn from, the other to be tested on."""
    assert domain.pairs is not None
    part = domain.parts[0]
    for seed in planned.effort.seeds:
        learned, tested = _halves(domain.pairs, seed)
        for system, settings in _systems(planned, SUMMARIZERS, chosen.get(id(part))):
            articles = _without(part.train, tested)
            for x, varied, pairs in _varied(planned, learned, settings, "pairs", seed):
                cell = SummaryCell(domain.name, system, articles, pairs, tested, varied, seed)
                yield Label(domain.name, system, "summarization", x), cell


def _systems(planned: Planned, known: Sequence[str], chosen: object) -> Iterator[tuple[str, Settings]]:
    """List the systems of an experiment that an exam knows, each with its settings."""
    base = planned.base
    for system in planned.experiment.systems:
        if system == "content" and isinstance(chosen, Failed):
            planned.add_problem(chosen.reason)
        elif system == "content" and isinstance(chosen, Chosen):
            yield system, chosen.settings
        elif system == "content, paper":
            yield system, replace(Settings.paper(), transitions=base.transitions, masking=base.masking)
        elif system.partition(",")[0] in known:
            yield system, base


def _varied(
    planned: Planned, learned: Corpus, settings: Settings, what: str, only_seed: int | None = None
) -> Iterator[tuple[float | None, Settings, Corpus]]:
    """Vary what an experiment varies: how much is learned from, or the number of states."""
    vary, effort = planned.experiment.vary, planned.effort
    if vary == "states":
        for size in effort.sizes:
            yield float(size), replace(settings, n_states=size, min_cluster_size=None), learned
    elif vary == what:
        for size in effort.sizes:
            if size >= len(learned):
                yield float(len(learned)), settings, learned
                break
            for seed in effort.seeds if only_seed is None else (only_seed,):
                drawn = np.random.default_rng([seed, size]).permutation(len(learned))[:size]
                yield float(size), settings, learned.select(sorted(drawn.tolist()))
    else:
        yield None, settings, learned


def _drawn(documents: Sequence[Document], max_sentences: int, n: int | None) -> tuple[Document, ...]:
    """Draw some documents that can be ordered, in their own order."""
    short = [document for document in fit_for_exam(documents) if len(document) <= max_sentences]
    if n is None or n >= len(short):
        return tuple(short)
    drawn = np.random.default_rng(0).permutation(len(short))[:n]
    return tuple(short[i] for i in sorted(drawn.tolist()))


def _halves(pairs: Corpus, seed: int) -> tuple[Corpus, tuple[Document, ...]]:
    """Draw half of the stories to learn from; the others are tested on."""
    stories = sorted({group_of(document) for document in pairs})
    drawn = np.random.default_rng(seed).permutation(len(stories))[: len(stories) // 2]
    learned = {stories[int(i)] for i in drawn}
    train = Corpus(tuple(d for d in pairs if group_of(d) in learned))
    return train, tuple(d for d in pairs if group_of(d) not in learned)


def _without(train: Corpus, tested: Sequence[Document]) -> Corpus:
    """Leave out of the training documents what stands in the test: the same story, or the same text."""
    stories = {document.story for document in tested} - {None}
    texts = {document.sentences for document in tested}
    return Corpus(tuple(d for d in train if d.story not in stories and d.sentences not in texts))


def _figures(results: list[Any]) -> list[Figure]:
    """Turn the results of one row's cells into figures."""
    first = results[0]
    if isinstance(first, Counted):
        return _counted(first)
    if isinstance(first, Chosen):
        return _chosen(results)
    outcomes = [outcome for result in results for outcome in result]
    if not outcomes:
        return []
    if isinstance(outcomes[0], OrderingOutcome):
        return ordering_figures(outcomes)
    assert isinstance(outcomes[0], SummaryOutcome)
    return summary_figures(outcomes)


def _counted(found: Counted) -> list[Figure]:
    named = {
        "sentences, mean": found.mean_length,
        "sentences, s.d.": found.deviation,
        "vocabulary": float(found.n_types),
        "token/type": found.tokens_a_type,
    }
    return [Figure(name, value, value, value) for name, value in named.items()]


def _chosen(results: Sequence[Chosen]) -> list[Figure]:
    """Show the settings of one search, or the middle ones of several, and what they are worth."""
    settings: dict[str, list[float]] = {
        "k": [chosen.settings.n_clusters or 0 for chosen in results],
        "T": [chosen.settings.min_cluster_size or 0 for chosen in results],
        "delta 1": [chosen.settings.emission_smoothing for chosen in results],
        "delta 2": [chosen.settings.transition_smoothing for chosen in results],
        "states": [chosen.n_states for chosen in results],
    }
    return [
        *(Figure(name, float(np.median(found)), min(found), max(found)) for name, found in settings.items()),
        _mean_score("tau on dev, tuned", [chosen.chosen_on.tuned for chosen in results]),
        _mean_score("tau on dev, default", [chosen.chosen_on.default for chosen in results]),
        _mean_score("tau on test, tuned", [chosen.held_out.tuned for chosen in results]),
        _mean_score("tau on test, default", [chosen.held_out.default for chosen in results]),
    ]


def _mean_score(name: str, scores: Sequence[Score]) -> Figure:
    """Average over folds, each with the weight of its documents; so are the ends of the intervals."""
    weights = [score.n_documents for score in scores]
    ends = np.array([(score.value, score.low, score.high) for score in scores])
    value, low, high = np.average(ends, axis=0, weights=weights).tolist()
    return Figure(name, value, low, high)
