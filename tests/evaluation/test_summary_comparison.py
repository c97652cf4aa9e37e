from dataclasses import replace

import pytest

from driftline.baselines.lead import Chance, Lead
from driftline.errors import InputError
from driftline.evaluation import summary_exam
from driftline.evaluation.folds import folds
from driftline.evaluation.summary_comparison import compare_summarizers, cross_validate_summaries
from driftline.evaluation.summary_exam import SUMMARIZERS, examine_summary, train_summarizer
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus
from driftline.settings import Settings
from driftline.text.corpus import Corpus, Document


@pytest.fixture(scope="module", name="pairs")
def some_bundled_pairs():
    return sample_corpus("earthquakes", "pairs").select(range(40))


@pytest.fixture(autouse=True)
def no_rouge(monkeypatch):
    """ROUGE takes most of an exam's time, and has tests of its own."""
    monkeypatch.setattr(summary_exam, "_scorer", lambda: None)


@pytest.fixture(scope="module", name="fitted")
def fitted_model():
    return fit(sample_corpus("earthquakes"))


def test_cross_validation_equals_learning_by_hand(fitted, pairs):
    """Each document is examined once, by systems that learned from the pairs of the other folds."""
    found = cross_validate_summaries(pairs, model=fitted, n_folds=3)

    assert [result.system for result in found.results] == list(SUMMARIZERS)
    for result in found.results:
        by_hand = []
        for train, test in folds(pairs, 3, 0):
            system = train_summarizer(result.system, fitted, train)
            by_hand += [examine_summary(system, document) for document in test]
        assert result.outcomes == by_hand
    assert (found.n_documents, found.n_left_out) == (40, 0)


def test_the_content_model_is_learned_from_the_articles_of_the_same_folds(pairs):
    """Without a model the articles of the other folds are what it is fitted to, with the settings that are given."""
    settings = Settings(n_clusters=20)
    found = cross_validate_summaries(pairs, ["content"], settings, n_folds=2)
    by_hand = []
    for train, test in folds(pairs, 2, 0):
        system = train_summarizer("content", fit(train, settings), train)
        by_hand += [examine_summary(system, document) for document in test]

    assert found.results[0].outcomes == by_hand
    assert "|folds:2|n_clusters:20|" in found.signature


def test_workers_do_not_matter(fitted, pairs):
    """One process and two find the same; only this process does without ROUGE here."""
    few, names = pairs.select(range(8)), ["content", "random"]
    one, two = (cross_validate_summaries(few, names, model=fitted, n_folds=2, workers=n).results for n in (1, 2))
    assert [[replace(o, rouge=None) for o in r.outcomes] for r in two] == [r.outcomes for r in one]


def test_stories_stay_together(pairs):
    """Documents of one story are in one fold, so that a classifier cannot learn them by heart."""
    twins = [Document(f"{d.id}-{i}", d.sentences, in_summary=d.in_summary, story=d.id) for d in pairs for i in (0, 1)]
    found = cross_validate_summaries(Corpus(tuple(twins)), ["lead"], n_folds=2)

    assert len({o.group for o in found.results[0].outcomes}) == len(pairs)
    with pytest.raises(InputError, match="from 2 to the 40 stories"):
        cross_validate_summaries(Corpus(tuple(twins)), ["lead"], n_folds=41)


def test_articles_without_a_summary_teach_the_model_alone(pairs):
    """They are in the folds that the model learns from, and are left out of the exam and counted."""
    more = Corpus((*pairs.documents, *sample_corpus("earthquakes", "dev").documents))
    found = cross_validate_summaries(more, ["content", "random"], n_folds=2)

    assert (found.n_documents, found.n_left_out) == (40, 20)


def test_what_is_refused(fitted, pairs):
    """Unknown systems, wrong numbers and a corpus without summaries are refused before anything is learned."""
    with pytest.raises(InputError, match="system: expected one of content, classifier, lead, random, got 'magic'"):
        cross_validate_summaries(pairs, ["content", "magic"])
    with pytest.raises(InputError, match="workers: expected"):
        cross_validate_summaries(pairs, workers=0)
    with pytest.raises(InputError, match="folds: expected a number from 2"):
        cross_validate_summaries(pairs, ["lead"], n_folds=1)
    with pytest.raises(InputError, match="holds no summary to compare with"):
        cross_validate_summaries(sample_corpus("earthquakes", "dev"))


def test_signatures_tell_summaries_apart(pairs):
    """The same texts with other summaries are another test."""

    def made(corpus):
        return compare_summarizers({"lead": Lead()}, corpus, {"seed": 1}).signature

    other = Corpus(tuple(Document(d.id, d.sentences, in_summary=(True,) * len(d)) for d in pairs))
    assert made(pairs) != made(other)
    assert made(pairs) == made(Corpus(pairs.documents[::-1]))
    assert f"|test:{pairs.data_hash}|" in made(pairs)
    assert "|seed:1|" in made(pairs)


def test_random_is_seeded(pairs):
    """The seed decides what the random system takes."""
    first, again, other = (cross_validate_summaries(pairs, ["random"], n_folds=2, seed=s).results for s in (0, 0, 1))
    assert first == again
    assert first[0].figures != other[0].figures
    assert {o.document: o for o in first[0].outcomes} == {d.id: examine_summary(Chance(0), d) for d in pairs}


def test_summaries_of_other_articles_are_told_from_none(pairs):
    """Where no sentence of any summary stands in its document there is nothing to examine, and that is said."""
    foreign = Corpus(tuple(Document(d.id, d.sentences, summary=("Elections are held.",)) for d in pairs))
    with pytest.raises(InputError, match="40 of 40 have a `summary`, but no sentence of one stands in its document"):
        cross_validate_summaries(foreign, ["lead"])
