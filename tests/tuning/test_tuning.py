from dataclasses import replace

import pytest

from driftline.errors import InputError
from driftline.samples.corpora import sample_corpus
from driftline.settings import Settings
from driftline.text.corpus import Corpus
from driftline.tuning.objective import FitAndExamine, Split
from driftline.tuning.tuning import Tuning, tune


@pytest.fixture(scope="module", name="train")
def documents_to_learn_from():
    return sample_corpus("drugs").select(range(40))


@pytest.fixture(scope="module", name="dev")
def documents_to_choose_by():
    return sample_corpus("drugs", "dev")


def quick(**more):
    return Tuning(max_trials=5, max_sentences=8, n_folds=3, **more)


def test_what_was_found_is_at_least_as_good_as_the_defaults(train, dev):
    """On what was chosen on, the choice is at least as good as the defaults, and both scores can be had again."""
    found = tune(train, dev, quick())
    exam = FitAndExamine("ordering", (Split(train, dev.documents),), max_sentences=8)

    assert found.chosen_on.tuned.value >= found.chosen_on.default.value
    assert exam.score(found.settings) == found.chosen_on.tuned
    assert exam.score(Settings()) == found.chosen_on.default
    assert found.n_trials == 5


@pytest.mark.parametrize(("has_dev", "has_test"), [(True, True), (True, False), (False, True), (False, False)])
def test_held_out_documents_had_no_say(has_dev, has_test, train, dev):
    """What is held out is never what was chosen on, whichever sets there are."""
    test = sample_corpus("drugs", "test").select(range(12))
    found = tune(train, dev if has_dev else None, quick(), test=test if has_test else None)

    names = {
        (True, True): ("the development set", "the test set"),
        (True, False): ("the development set", "the training documents"),
        (False, True): ("the training documents", "the test set"),
        (False, False): ("four fifths of the stories", "the other fifth"),
    }
    chosen, held = names[has_dev, has_test]
    assert found.chosen_on.on.startswith(chosen)
    assert found.held_out.on.startswith(held)
    if not has_dev and not has_test:
        fit_for_exam = [d for d in train if 2 <= len(d) <= 8]
        assert found.chosen_on.tuned.n_documents + found.held_out.tuned.n_documents == len(fit_for_exam)


def test_trials_are_kept_and_taken_up(train, dev, tmp_path):
    """A run that finds its file does not evaluate again, and ends with the same result."""
    path = tmp_path / "trials"
    said = []
    first = tune(train, dev, quick(), trials_path=path)
    again = tune(train, dev, quick(), trials_path=path, on_progress=said.append)

    assert again == first
    assert [line for line in said if line.startswith("trial")] == []
    with pytest.raises(InputError, match="holds the trials of another run"):
        tune(train, dev, quick(seed=1), trials_path=path)


def test_the_signature_tells_runs_apart(train, dev):
    """Other documents, other rules or other fixed settings are another run."""
    one = Tuning(max_trials=1, max_sentences=6, n_folds=2)
    lines = {
        tune(train, dev, one).signature,
        tune(train, dev.select(range(15)), one).signature,
        tune(train.select(range(39)), dev, one).signature,
        tune(train, dev, Tuning(max_trials=1, max_sentences=7, n_folds=2)).signature,
        tune(train, dev, Tuning(max_trials=1, max_sentences=6, n_folds=2, base=Settings(masking="none"))).signature,
        tune(train, dev, Tuning(max_trials=1, max_sentences=6, n_folds=2, base=Settings(seed=1))).signature,
        tune(train, dev, Tuning(max_trials=2, max_sentences=6, n_folds=2)).signature,
        tune(train, dev, Tuning(max_trials=1, max_sentences=6, n_folds=2, method="sweep")).signature,
        tune(train, dev, Tuning(max_trials=1, max_sentences=6, n_folds=3)).signature,
    }

    assert len(lines) == 9


def test_what_is_learned_from_and_what_is_scored_on_are_no_pair_to_swap(train, dev, tmp_path):
    """A run with the two sides turned round takes no trials of the other, though the documents are the same."""
    path, test = tmp_path / "trials", sample_corpus("drugs", "test").select(range(12))
    # As many sentences on both sides, so that the documents alone tell the runs apart.
    one, other = train.select(range(20)), train.select(range(20, 40))
    twin = Corpus(tuple(replace(d, sentences=one[i].sentences) for i, d in enumerate(other)))
    tuning = Tuning(max_trials=1, max_sentences=8)
    tune(one, twin, tuning, test=test, trials_path=path)

    with pytest.raises(InputError, match="holds the trials of another run"):
        tune(twin, one, tuning, test=test, trials_path=path)


def test_what_cannot_be_tuned(train):
    """Unknown searches, a fixed number of states and too few stories are refused."""
    with pytest.raises(InputError, match="method: expected one of powell, sweep, got 'grid'"):
        Tuning(method="grid")
    with pytest.raises(InputError, match="n_states: tuning chooses the number of states by k and T"):
        Tuning(base=Settings(n_states=7))
    with pytest.raises(InputError, match="folds: expected a number from 2 to the 4 stories"):
        tune(Corpus(train.documents[:4]), None, quick())
