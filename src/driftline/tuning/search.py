"""Two searches for the best point: Powell's method, as in the paper, and a long sweep by Optuna.

Both ask for the worth of points and are told what is known already, so a search that is taken up again walks
the same way as one that was never disturbed, only faster.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from driftline.errors import InputError
from driftline.parallel import check_workers, map_in_order
from driftline.settings import Settings
from driftline.tuning.objective import Exam, Score
from driftline.tuning.space import Floats, Point, Space
from driftline.tuning.trials import Trial, Trials

Say = Callable[[str], None]

BATCH = 4
"""Points that a sweep chooses at a time: fixed, so that the number of processes moves nothing."""
_POWELL_STEP, _POWELL_GAIN = 0.02, 1e-3
_SWEEP_PATIENCE = 20  # a sweep that meets so many batches of known points has seen all there is


class Spent(Exception):  # noqa: N818 (it is no error: every search ends some time)
    """The search has evaluated as many points as it may."""


@dataclass(frozen=True)
class Limits:
    """How far a search may go."""

    max_trials: int = 60
    workers: int = 1

    def __post_init__(self) -> None:
        check_workers(self.workers)
        if not isinstance(self.max_trials, int) or isinstance(self.max_trials, bool) or self.max_trials < 1:
            raise InputError(f"trials: expected a whole number of at least 1, got {self.max_trials!r}")


class Evaluator:
    """Answers what points are worth: each is evaluated once, and those of earlier runs not at all."""

    def __init__(self, exam: Exam, base: Settings, trials: Trials, limits: Limits, say: Say) -> None:
        """Begin to count the points that are asked for."""
        self._exam, self._base, self._trials, self._limits, self._say = exam, base, trials, limits, say
        self.asked: dict[Point, Score] = {}
        """Each point of this search, in the order in which it was first asked for."""

    @property
    def best(self) -> Trial:
        """The best point; of equal ones the first that was asked for."""
        return max((Trial(*item) for item in self.asked.items()), key=lambda trial: trial.score.value)

    def scores(self, points: Sequence[Point]) -> list[Score]:
        """Return what each point is worth, or end the search when it has had its number of points."""
        new = [point for point in dict.fromkeys(points) if point not in self.asked]
        room = self._limits.max_trials - len(self.asked)
        self._evaluate(new[:room])
        if len(new) > room:
            raise Spent
        return [self.asked[point] for point in points]

    def _evaluate(self, points: Sequence[Point]) -> None:
        unknown = [point for point in points if self._trials.known(point) is None]
        work = partial(_score, self._exam, self._base)
        for trial in map_in_order(work, unknown, min(self._limits.workers, len(unknown))):
            self._trials.add(trial)
            self._tell(trial)
        for point in points:
            score = self._trials.known(point)
            assert score is not None
            self.asked[point] = score

    def _tell(self, trial: Trial) -> None:
        known = max(self._trials, key=lambda known: known.score.value)
        self._say(
            f"trial {len(self._trials)} of {self._limits.max_trials}: {trial.score.value:.3f} ({trial.point}); "
            f"best so far {known.score.value:.3f} ({known.point})"
        )


def _score(exam: Exam, base: Settings, point: Point) -> Trial:
    return Trial(point, exam.score(point.settings(base)))


def powell(space: Space, start: Point, evaluator: Evaluator) -> None:
    """Search by Powell's method: along one parameter after the other, then along what brought most."""
    from scipy.optimize import minimize

    def loss(coordinates: Floats) -> float:
        (score,) = evaluator.scores([space.point(coordinates)])
        return -score.value

    try:
        evaluator.scores([start])
        while True:
            begun = evaluator.best.point
            # SciPy's search along a line may end lower than it began, so it begins again at the best of all.
            minimize(
                loss,
                space.coordinates(begun),
                method="Powell",
                bounds=[(0.0, 1.0)] * len(Point.__struct_fields__),
                options={"xtol": _POWELL_STEP, "ftol": _POWELL_GAIN},
            )
            if evaluator.best.point == begun:
                break
    except Spent:
        pass


def sweep(space: Space, start: Point, evaluator: Evaluator, *, seed: int = 0) -> None:
    """Search by Optuna's tree-structured estimator, a batch of points at a time."""
    try:
        import optuna
    except ImportError:
        raise InputError("a sweep needs Optuna: install driftline[tune], or search by Powell's method") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Optuna calls what it has had for years experimental
        study = optuna.create_study(
            direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed, constant_liar=True)
        )
        study.enqueue_trial(dict(zip(Point.__struct_fields__, space.coordinates(start).tolist(), strict=True)))
        patience = _SWEEP_PATIENCE
        try:
            evaluator.scores([start])
            while patience:
                n_before = len(evaluator.asked)
                asked = [study.ask() for _ in range(BATCH)]
                points = [space.point(_suggested(trial)) for trial in asked]
                for trial, score in zip(asked, evaluator.scores(points), strict=True):
                    study.tell(trial, score.value)
                patience = _SWEEP_PATIENCE if len(evaluator.asked) > n_before else patience - 1
        except Spent:
            pass


def _suggested(trial: "optuna.Trial") -> Floats:  # type: ignore[name-defined]  # noqa: F821
    return np.array([trial.suggest_float(name, 0.0, 1.0) for name in Point.__struct_fields__])
