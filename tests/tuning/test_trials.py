import msgspec
import pytest

from driftline.errors import InputError
from driftline.tuning.objective import Score
from driftline.tuning.space import Point
from driftline.tuning.trials import Trial, Trials

TRIALS = [Trial(Point(k, 3, 0.1, 1.0), Score(k / 100, 0.0, 1.0, 9)) for k in (40, 10, 70)]


@pytest.fixture(name="path")
def file_of_three_trials(tmp_path):
    path = tmp_path / "tuned.trials"
    trials = Trials("run", path)
    for trial in TRIALS:
        trials.add(trial)
    return path


def test_trials_come_back(path):
    """What was written is there when the file is opened again, in its order."""
    trials = Trials("run", path)

    assert list(trials) == TRIALS
    assert len(trials) == 3
    assert trials.known(TRIALS[1].point) == TRIALS[1].score
    assert trials.known(Point(5, 3, 0.1, 1.0)) is None


def test_a_file_cut_anywhere_keeps_its_whole_lines(path):
    """Wherever a kill tears the file after its header, all whole lines count and the next trial is whole again."""
    raw = path.read_bytes()
    header = raw.index(b"\n") + 1
    for cut in range(header, len(raw)):
        path.write_bytes(raw[:cut])
        trials = Trials("run", path)
        n_whole = raw[:cut].count(b"\n") - 1
        assert list(trials) == TRIALS[:n_whole]
        trials.add(TRIALS[2])
        expected = TRIALS[:n_whole] + TRIALS[2:] if n_whole < 3 else TRIALS
        assert list(Trials("run", path)) == expected


def test_trials_without_a_file():
    """Without a path, trials are kept as long as the run."""
    trials = Trials("run")
    trials.add(TRIALS[0])

    assert list(trials) == TRIALS[:1]


def test_another_run_is_refused(path):
    """A file of other documents or another objective is not taken up, and not changed."""
    before = path.read_bytes()
    with pytest.raises(
        InputError, match=r"tuned.trials: holds the trials of another run \(run\), not of this one \(x"
    ):
        Trials("x", path)

    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1: is no line of a file of trials"),
        (b"\xff\n", "line 1: is no line"),
        (b"[" * 100_000 + b"\n", "line 1: is no line"),
        (msgspec.json.encode({"trials_of": "run"}) + b"\n{}\n", "line 2: is no line of a file of trials"),
    ],
)
def test_foreign_files_are_refused(tmp_path, content, message):
    """A file that is something else is named with its line."""
    path = tmp_path / "t"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        Trials("run", path)


def test_places_that_take_no_file(tmp_path, monkeypatch):
    """A folder, a file that is too long and one that cannot be written are refused."""
    with pytest.raises(InputError, match="is not a regular file"):
        Trials("run", tmp_path)
    path = tmp_path / "t"
    trials = Trials("run", path)
    monkeypatch.setattr("driftline.tuning.trials._MOST_BYTES", 3)
    with pytest.raises(InputError, match="a file of trials has at most 3"):
        Trials("run", path)
    path.unlink()
    path.mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        trials.add(TRIALS[0])
