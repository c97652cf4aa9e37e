"""Tuning (section 5.2): the best settings on a development set, and what they are worth where nothing was chosen."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, get_args

from driftline.errors import InputError
from driftline.evaluation.folds import N_FOLDS
from driftline.model.fitting import fit
from driftline.settings import Settings
from driftline.signature import signature
from driftline.text.corpus import Corpus
from driftline.tuning.objective import (
    MAX_SENTENCES,
    FitAndExamine,
    Objective,
    Score,
    Split,
    cross_validation,
    digest,
    hold_out,
)
from driftline.tuning.search import Evaluator, Limits, powell, sweep
from driftline.tuning.space import Point, Space, point_of
from driftline.tuning.trials import Trials

Say = Callable[[str], None]
Method = Literal["powell", "sweep"]

_KEPT_BACK = 5  # without a development set, a fifth of the stories is kept back from the search


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """How to tune."""

    objective: Objective = "ordering"
    method: Method = "powell"
    max_trials: int = 60
    """Points that are evaluated at the most, the defaults included."""
    max_sentences: int = MAX_SENTENCES
    """Longer documents are not ordered."""
    n_folds: int = N_FOLDS
    """For cross-validation by story."""
    workers: int = 1
    seed: int = 0
    """Decides folds, shuffles and where a sweep looks."""
    base: Settings = field(default_factory=Settings)
    """The settings that stay as they are."""

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            raise InputError(f"method: expected one of {', '.join(get_args(Method))}, got {self.method!r}")
        if self.base.n_states is not None:
            raise InputError("n_states: tuning chooses the number of states by k and T; leave it out")
        Limits(self.max_trials, self.workers)


@dataclass(frozen=True)
class Worth:
    """What the tuned and the default settings are worth on the same documents."""

    on: str
    """Which documents, in words."""
    tuned: Score
    default: Score


@dataclass(frozen=True)
class Tuned:
    """What a search found."""

    settings: Settings
    objective: Objective
    chosen_on: Worth
    held_out: Worth
    """On documents on which nothing was chosen: what is less here was overfitting."""
    n_trials: int
    signature: str


def tune(
    corpus: Corpus,
    dev: Corpus | None = None,
    tuning: Tuning | None = None,
    *,
    test: Corpus | None = None,
    trials_path: Path | None = None,
    on_progress: Say = lambda _: None,
) -> Tuned:
    """Search for the settings that do best on a development set, or without one in cross-validation by story.

    What they are worth is told on held-out documents too: on `test`; without it on the training documents,
    cross-validated, if there is a development set, and else on a fifth of the stories that the search never sees.
    With `trials_path` every trial is kept in that file, and a search that was stopped goes on from there.

    >>> import driftline
    >>> train, dev = driftline.sample_corpus("drugs"), driftline.sample_corpus("drugs", "dev")
    >>> found = tune(train, dev, Tuning(objective="discrimination", max_trials=2))
    >>> found.chosen_on.tuned.value >= found.chosen_on.default.value
    True
    """
    tuning = tuning or Tuning()
    chosen_on, searched, held_out, kept = _parts(corpus, dev, test, tuning)
    exam, judge = (
        FitAndExamine(tuning.objective, splits, corpus.n_sentences, tuning.max_sentences, tuning.seed)
        for splits in (searched, kept)
    )
    run = _run_parts(corpus, searched, tuning)
    trials = Trials(signature(**run), trials_path)
    evaluator = Evaluator(exam, tuning.base, trials, Limits(tuning.max_trials, tuning.workers), on_progress)
    default = _default_point(corpus, tuning.base)
    space = Space.of(corpus.n_sentences, default)
    if tuning.method == "powell":
        powell(space, default, evaluator)
    else:
        sweep(space, default, evaluator, seed=tuning.seed)
    best = evaluator.best
    settings = best.point.settings(tuning.base)
    on_progress("scoring what was found on held-out documents")
    return Tuned(
        settings,
        tuning.objective,
        Worth(chosen_on, best.score, evaluator.asked[default]),
        Worth(held_out, judge.score(settings), judge.score(default.settings(tuning.base))),
        len(evaluator.asked),
        signature(**run, **_search_parts(default, kept, tuning)),
    )


def _parts(
    corpus: Corpus, dev: Corpus | None, test: Corpus | None, tuning: Tuning
) -> tuple[str, tuple[Split, ...], str, tuple[Split, ...]]:
    """Say on what to search and on what to judge what was found, each in words and as splits."""
    n_folds, seed = tuning.n_folds, tuning.seed
    if dev is not None:
        searched = (Split(corpus, dev.documents),)
        if test is None:
            on = f"the training documents, cross-validated in {n_folds} folds by story"
            return "the development set", searched, on, cross_validation(corpus, n_folds, seed)
        return "the development set", searched, "the test set", (Split(corpus, test.documents),)
    on = f"the training documents, cross-validated in {n_folds} folds by story"
    if test is not None:
        return on, cross_validation(corpus, n_folds, seed), "the test set", (Split(corpus, test.documents),)
    kept = hold_out(corpus, _KEPT_BACK, seed)
    on = f"four fifths of the stories, cross-validated in {n_folds} folds"
    return on, cross_validation(kept.train, n_folds, seed), "the other fifth of the stories", (kept,)


def _default_point(train: Corpus, base: Settings) -> Point:
    """Return the settings that would be taken without a search, as they come out on this corpus."""
    return point_of(fit(train, replace(base, max_iterations=0, n_examples=0)).settings)


def _run_parts(corpus: Corpus, searched: tuple[Split, ...], tuning: Tuning) -> dict[str, object]:
    """Name all that moves what a point is worth: trials of the same run can be taken up."""
    usual = Settings().signature_parts
    return {
        "tuned": tuning.objective,
        "splits": _named(searched),
        "sentences": corpus.n_sentences,
        "max_sentences": tuning.max_sentences,
        "seed": tuning.seed,
        **{
            name: value
            for name, value in tuning.base.signature_parts.items()
            if name not in Point.__struct_fields__ and value != usual[name]
        },
    }


def _search_parts(default: Point, kept: tuple[Split, ...], tuning: Tuning) -> dict[str, object]:
    """Name what else moves the result: where the search begins, how it goes on, and what it is judged by."""
    return {
        "from": str(default).replace(", ", "+").replace(" ", "_"),
        "method": tuning.method,
        "trials": tuning.max_trials,
        "folds": tuning.n_folds,
        "held_out": _named(kept),
    }


def _named(splits: tuple[Split, ...]) -> str:
    """Name splits by their documents, those to learn from apart from those to be scored on."""
    return "+".join(f"{digest(split.train.documents)}/{digest(split.test)}" for split in splits)
