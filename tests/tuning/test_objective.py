import math
from dataclasses import replace

import numpy as np
import pytest

from driftline.errors import InputError
from driftline.evaluation.comparison import Plan, evaluate
from driftline.evaluation.ordering_exam import ExamRules
from driftline.evaluation.summary_comparison import compare_summarizers
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus
from driftline.settings import Settings
from driftline.tasks.summarization import learn_summaries
from driftline.text.corpus import Corpus
from driftline.tuning.objective import FitAndExamine, Split, cross_validation, digest, hold_out

SETTINGS = Settings(n_clusters=60)


@pytest.fixture(scope="module", name="train")
def documents_to_learn_from():
    return sample_corpus("drugs").select(range(40))


@pytest.fixture(scope="module", name="dev")
def documents_to_choose_by():
    return Corpus(tuple(d for d in sample_corpus("drugs", "dev") if len(d) <= 8))


@pytest.mark.parametrize(
    ("objective", "task", "figure"),
    [
        ("ordering", "ordering", "Kendall's tau"),
        ("prediction", "ordering", "original order found"),
        ("discrimination", "discrimination", "discrimination"),
    ],
)
def test_scores_are_those_of_the_exam(objective, task, figure, train, dev):
    """Tuning scores a model with the figure, and nearly the interval, that the exam of all systems gives it."""
    score = FitAndExamine(objective, (Split(train, dev.documents),)).score(SETTINGS)
    plan = Plan(task=task, rules=ExamRules(time_limit=math.inf, rank_time_limit=math.inf))
    (result,) = evaluate({"content": fit(train, SETTINGS)}, dev, plan).results
    (wanted,) = (found for found in result.figures if found.name == figure)

    np.testing.assert_allclose(score.value, wanted.value, rtol=1e-12)
    np.testing.assert_allclose((score.low, score.high), (wanted.low, wanted.high), rtol=1e-9)
    assert score.n_documents == len(dev)


def test_summaries_are_those_of_the_exam():
    """The objective of summaries is the exam's extraction accuracy."""
    pairs = sample_corpus("earthquakes", "pairs")
    train, test = pairs.select(range(25)), pairs.select(range(25, 35))
    score = FitAndExamine("summarization", (Split(train, test.documents),)).score(SETTINGS)
    model = learn_summaries(fit(train, SETTINGS), train)
    (result,) = compare_summarizers({"content": model}, test, {}).results

    np.testing.assert_allclose(score.value, result.figures[0].value, rtol=1e-12)


def test_long_documents_are_left_out(train, dev):
    """What is too long to be ordered with proof is not ordered; other exams take it."""
    longest = max(map(len, dev))
    splits = (Split(train, dev.documents),)

    kept = FitAndExamine("ordering", splits, max_sentences=longest - 1).examined(dev.documents)
    assert max(map(len, kept)) == longest - 1
    assert FitAndExamine("discrimination", splits, max_sentences=2).examined(dev.documents) == list(dev)
    assert FitAndExamine("prediction", splits, max_sentences=100).longest == 10


def test_nothing_to_score_on(train, dev):
    """Where no document can be scored, or none has the summary that is needed, that is said before the search."""
    with pytest.raises(InputError, match="objective 'ordering': no document to score on has 2 to 1 sentences"):
        FitAndExamine("ordering", (Split(train, dev.documents),), max_sentences=1)
    with pytest.raises(InputError, match="objective 'summarization': no document to score on has a summary"):
        FitAndExamine("summarization", (Split(train, dev.documents),))
    pairs = sample_corpus("earthquakes", "pairs").documents
    with pytest.raises(InputError, match="the corpus holds no summary"):
        FitAndExamine("summarization", (Split(train, pairs),))
    with pytest.raises(InputError, match=r"objective: expected one of ordering, .*, got 'best'"):
        FitAndExamine("best", (Split(train, dev.documents),))


def test_clusters_are_fewer_where_less_is_learned_from(train, dev):
    """The number of clusters is for the whole corpus: half of it gets half as many."""
    half = train.select(range(20))
    ways = [
        FitAndExamine("discrimination", (Split(half, dev.documents),), n, max_sentences=8).score(
            Settings(n_clusters=k)
        )
        for n, k in ((None, 30), (2 * half.n_sentences, 60), (10**9, 60), (None, 1), (1, None), (None, None))
    ]

    assert ways[0] == ways[1]
    assert ways[2] == ways[3]
    assert ways[4] == ways[5]
    assert ways[0] != ways[2]


def test_splits_keep_stories_apart():
    """Each document is scored once, and no story is both learned from and scored; so too for what is held back."""
    rows = [{"id": str(i), "sentences": ["One.", "Two."], "story": i // 3} for i in range(30)]
    corpus = Corpus.from_dicts(rows)
    cut = cross_validation(corpus, 5, 0)
    kept = hold_out(corpus, 5, 0)

    assert sorted(d.id for split in cut for d in split.test) == sorted(d.id for d in corpus)
    for split in (*cut, kept):
        assert not {d.story for d in split.train} & {d.story for d in split.test}
    assert len(kept.test) == 6


def test_the_digest_tells_what_can_move_a_score(train):
    """Another text, id, story or summary is another run; another order of the documents is not."""
    documents = list(train)
    wanted = digest(documents)

    assert digest(documents[::-1]) == wanted
    for change in ({"id": "x"}, {"story": "x"}, {"summary": ("x",)}, {"sentences": ("x",) * len(documents[0])}):
        assert digest([replace(documents[0], **change), *documents[1:]]) != wanted
