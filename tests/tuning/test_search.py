"""Both searches against a landscape whose best point is known, and under the limits that are set for them."""

import builtins
from dataclasses import dataclass, field

import numpy as np
import pytest

from driftline.errors import InputError
from driftline.settings import Settings
from driftline.tuning.objective import Score
from driftline.tuning.search import Evaluator, Limits, powell, sweep
from driftline.tuning.space import Point, Space, point_of
from driftline.tuning.trials import Trials

SPACE = Space(2, 300)
START = Point(40, 3, 0.1, 1.0)
PEAK = np.array([0.8, 0.5, 0.3, 0.4])
SEARCHES = {"powell": powell, "sweep": sweep}


@dataclass
class Hill:
    """A smooth landscape with one peak; remembers what was asked."""

    asked: list = field(default_factory=list)

    def score(self, settings):
        point = point_of(settings)
        self.asked.append(point)
        value = 1.0 - float(((SPACE.coordinates(point) - PEAK) ** 2).sum())
        return Score(value, value - 0.1, value + 0.1, 5)


@dataclass(frozen=True)
class Slope:
    """The same for other processes, which share no memory."""

    def score(self, settings):
        return Hill().score(settings)


def search(name, exam, trials=None, *, max_trials=60, workers=1, say=lambda _: None):
    kept = Trials("run") if trials is None else trials
    evaluator = Evaluator(exam, Settings(), kept, Limits(max_trials, workers), say)
    SEARCHES[name](SPACE, START, evaluator)
    return evaluator


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_climbs(name):
    """The best point is at least as good as where it began and, on a smooth hill, near the peak."""
    hill = Hill()
    found = search(name, hill)

    assert hill.asked[0] == START
    assert found.best.score.value > {"powell": 0.99, "sweep": 0.9}[name] > found.asked[START].value


@pytest.mark.parametrize("name", SEARCHES)
def test_every_point_is_evaluated_once(name):
    """However often a search comes back to a point, its worth is known; and there are never more than allowed."""
    hill = Hill()
    found = search(name, hill, max_trials=37)

    assert len(set(hill.asked)) == len(hill.asked) == len(found.asked) == 37


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("n_done", [0, 1, 7, 24])
def test_a_search_goes_on_where_it_was(name, n_done, tmp_path):
    """Stopped after any number of trials and begun again, a search asks for the same points in the same order."""
    whole = search(name, Hill(), max_trials=25)
    path = tmp_path / "t"
    if n_done:
        search(name, Hill(), Trials("run", path), max_trials=n_done)
    rest = Hill()
    resumed = search(name, rest, Trials("run", path), max_trials=25)

    assert list(resumed.asked.items()) == list(whole.asked.items())
    assert len(rest.asked) == 25 - n_done


def test_processes_move_nothing():
    """A sweep in two processes finds what it finds in one."""
    one, two = (search("sweep", Slope(), max_trials=9, workers=workers) for workers in (1, 2))

    assert list(one.asked.items()) == list(two.asked.items())


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_of_one_point(name):
    """With one trial there are only the defaults."""
    assert search(name, Hill(), max_trials=1).best.point == START


def test_a_sweep_of_a_space_that_is_seen_ends(monkeypatch):
    """Where all points are known, a sweep does not look for others for ever."""
    monkeypatch.setattr(Space, "point", lambda *_: START)

    assert len(search("sweep", Hill()).asked) == 1


def test_progress_tells_the_best_so_far():
    """Every trial is told with its worth, beside the best one."""
    said = []
    search("powell", Hill(), max_trials=3, say=said.append)

    assert len(said) == 3
    trial = said[0].removeprefix("trial 1 of 3: ").split(";")[0]
    assert said[0] == f"trial 1 of 3: {trial}; best so far {trial}"


def test_a_sweep_needs_its_extra(monkeypatch):
    """Without Optuna a sweep is refused with what to install."""
    real = builtins.__import__

    def without_optuna(name, *rest):
        if name == "optuna":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_optuna)
    with pytest.raises(InputError, match=r"a sweep needs Optuna: install driftline\[tune\]"):
        search("sweep", Hill())


@pytest.mark.parametrize("value", [0, -1, 2.0, True, "3"])
def test_numbers_of_trials(value):
    """A number of trials is a whole number of at least 1."""
    with pytest.raises(InputError, match="trials: expected a whole number of at least 1, got "):
        Limits(value)
