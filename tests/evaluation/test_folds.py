import itertools

import pytest

from driftline.errors import InputError
from driftline.evaluation.folds import fold_parts, folds
from driftline.evaluation.outcomes import group_of
from driftline.settings import Settings
from driftline.text.corpus import Corpus, Document


@pytest.fixture(scope="module", name="corpus")
def stories_of_different_size():
    stories = [s for s, n in (("a", 5), ("b", 1), ("c", 3), (None, 4), ("d", 2)) for _ in range(n)]
    rows = [{"id": f"{i}", "sentences": ["One.", "Two."], "story": s} for i, s in enumerate(stories)]
    return Corpus.from_dicts(rows)


@pytest.mark.parametrize("n_folds", [2, 3, 8])
def test_folds_part_the_corpus_by_story(corpus, n_folds):
    """Every document is tested once, trained on in all other folds, and no story stands on both sides."""
    cut = list(folds(corpus, n_folds, 0))

    assert len(cut) == n_folds
    assert sorted(d.id for _, test in cut for d in test) == sorted(d.id for d in corpus)
    for train, test in cut:
        assert len(train) + len(test) == len(corpus)
        assert not {group_of(d) for d in train} & {group_of(d) for d in test}
    sizes = [len({group_of(d) for d in test}) for _, test in cut]
    assert max(sizes) - min(sizes) <= 1


def test_folds_depend_on_seed_and_names_alone(corpus):
    """Documents fall into the same folds in whatever order they stand; another seed cuts otherwise."""

    def cut(of, seed):
        return [{d.id for d in test} for _, test in folds(of, 3, seed)]

    assert cut(corpus, 0) == cut(Corpus(corpus.documents[::-1]), 0)
    assert len({str(sorted(map(sorted, cut(corpus, seed)))) for seed in range(5)}) > 1


def test_one_story_cannot_be_cut():
    """Where all documents share a story there is nothing else to learn from, and it is said so."""
    corpus = Corpus((Document("a", ("One.",), story="s"), Document("b", ("Two.",), story="s")))

    with pytest.raises(InputError, match="folds: the corpus holds only one story"):
        list(folds(corpus, 2, 0))


@pytest.mark.parametrize("n_folds", [-1, 0, 1, 9, 2.0, "2", True])
def test_numbers_of_folds(corpus, n_folds):
    """There are at least two folds, and none without a story."""
    with pytest.raises(InputError, match="folds: expected a number from 2 to the 8 stories there are, got "):
        list(itertools.chain(folds(corpus, n_folds, 0)))


def test_the_signature_has_every_setting_that_moves_a_figure():
    """All settings are told but how many examples are shown; the seed under a name that no exam needs."""
    parts = fold_parts(4, Settings(n_clusters=7, seed=3))

    assert parts["folds"] == 4
    assert parts["n_clusters"] == 7
    assert parts["sample_seed"] == 3
    assert set(parts) == {"folds", "sample_seed", *Settings().as_dict()} - {"seed", "n_examples"}
