import math

import numpy as np
import pytest
from scipy import sparse

from driftline.baselines.sentence_classifier import STEP, SentenceClassifier, boost, sentence_features
from driftline.errors import InputError
from driftline.samples.corpora import sample_corpus
from driftline.tasks.alignment import summary_marks
from driftline.text.corpus import Corpus, Document


def plain_boost(rows, target, n_rounds):
    """Real AdaBoost by loops: the score of each row after so many rounds, and the feature of each round."""
    n, m = len(rows), len(rows[0])
    weights, scores, asked = [1 / n] * n, [0.0] * n, []
    for _ in range(n_rounds):
        tests = []
        for f in range(m):
            sums = {
                (has, t): sum(
                    w for w, row, is_in in zip(weights, rows, target, strict=True) if (row[f], is_in) == (has, t)
                )
                for has in (0, 1)
                for t in (False, True)
            }
            vote = {
                has: STEP / 2 * math.log((sums[has, True] + 1 / n) / (sums[has, False] + 1 / n)) for has in (0, 1)
            }
            loss = sum(w * math.exp(-vote[has] if t else vote[has]) for (has, t), w in sums.items())
            tests.append((loss, f, vote))
        _, best, vote = min(tests, key=lambda test: test[:2])
        scores = [score + vote[row[best]] for score, row in zip(scores, rows, strict=True)]
        weights = [w * math.exp(-vote[row[best]] if t else vote[row[best]])
                   for w, row, t in zip(weights, rows, target, strict=True)]  # fmt: skip
        weights = [w / sum(weights) for w in weights]
        asked.append(best)
    return scores, asked


@pytest.mark.parametrize("seed", range(5))
def test_boosting_equals_loops(seed):
    """Scores are those of real AdaBoost written with loops, and only the features that it asked of have votes."""
    rng = np.random.default_rng(seed)
    rows = (rng.random((25, 7)) < 0.4).astype(int)
    target = rows[:, 2] + rows[:, 5] + rng.random(25) > 1.2
    scores, asked = plain_boost(rows.tolist(), target.tolist(), 20)

    boosted = boost(sparse.csr_array(rows.astype(float)), target, 20)

    np.testing.assert_allclose(boosted.scores(sparse.csr_array(rows.astype(float))), scores, rtol=1e-9, atol=1e-12)
    assert set(np.flatnonzero(boosted.votes)) == set(asked)


def test_boosting_learns_what_one_word_tells():
    """Where one word decides, unseen rows are told by it, and the more rounds the surer."""
    rows = np.array([[1, 0, 1], [1, 1, 0], [0, 1, 1], [0, 0, 0]] * 5)
    target = rows[:, 0] == 1
    unseen = sparse.csr_array(np.array([[1.0, 0, 0], [0, 1, 1]]))

    few, many = (boost(sparse.csr_array(rows.astype(float)), target, n).scores(unseen) for n in (5, 50))

    assert few[0] > 0 > few[1]
    assert many[0] > few[0]
    assert many[1] < few[1]


def test_it_agrees_with_scikit_learn():
    """On the features of unseen bundled sentences accuracy is within two points of AdaBoost on depth-1 trees."""
    ensemble, tree = pytest.importorskip("sklearn.ensemble"), pytest.importorskip("sklearn.tree")
    pairs = sample_corpus("earthquakes", "pairs")
    ours, theirs, common = [], [], []
    for first in (0, 1):  # each half learns once and is examined once
        train, test = pairs.select(range(first, 60, 2)), pairs.select(range(1 - first, 60, 2))
        parts = [[set(row) for d in part for row in sentence_features(d)] for part in (train, test)]
        words = sorted(set().union(*parts[0]))
        x, unseen = (np.array([[w in row for w in words] for row in rows], dtype=float) for rows in parts)
        y, wanted = (np.array([m for d in part for m in summary_marks(d)]) for part in (train, test))
        peer = ensemble.AdaBoostClassifier(tree.DecisionTreeClassifier(max_depth=1), n_estimators=50, random_state=0)
        theirs.append(np.mean(peer.fit(x, y).predict(unseen) == wanted))
        ours.append(np.mean((boost(sparse.csr_array(x), y).scores(sparse.csr_array(unseen)) > 0) == wanted))
        common.append(max(wanted.mean(), 1 - wanted.mean()))

    assert np.mean(ours) >= np.mean(theirs) - 0.02
    assert np.mean(ours) > np.mean(common) + 0.03  # it learned something


def test_features_are_words_and_thirds():
    """Each sentence has its words once, in lower case, without punctuation, and the third that it stands in."""
    rows = sentence_features(["It shook, it shook!", "B.", "C.", "D.", "E.", "F."])

    assert rows[0] == ["it", "shook", "<beginning third>"]
    assert [row[-1].split()[0] for row in rows] == ["<beginning", "<beginning", "<middle", "<middle", "<end", "<end"]
    assert [row[-1] for row in sentence_features(["A."])] == ["<beginning third>"]


def test_given_words_stay_as_they_are():
    """Documents of words are not cut again, whether they come as documents or as lists."""
    corpus = Corpus.from_words([[["it's", "u.s.-led"]]])

    assert sentence_features(corpus[0]) == sentence_features([["it's", "u.s.-led"]])
    assert sentence_features(corpus[0])[0][:2] == ["it's", "u.s.-led"]


def test_what_was_marked_scores_higher():
    """A word that only chosen sentences hold raises the score, and so does a place."""
    corpus = Corpus(tuple(
        Document(f"d{i}", ("Tea.", "Quake hit.", "Milk."), in_summary=(False, True, False)) for i in range(4)
    ))  # fmt: skip
    scores = SentenceClassifier.learn(corpus).summary_scores(["Milk.", "Quake.", "Unknown word."])

    assert int(scores.argmax()) == 1
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("summary", [None, (), ("Tea.",)])
def test_nothing_to_learn_from(summary):
    """Without a sentence that stands in a summary there is no classifier."""
    with pytest.raises(InputError, match="no sentence of the corpus stands in a summary"):
        SentenceClassifier.learn(Corpus((Document("a", ("It shook.",), summary=summary),)))


def test_summaries_that_were_not_found_teach_nothing():
    """A document whose summary could not be aligned does not make its sentences count as left out."""
    good = Document("a", ("Quake.", "Tea."), in_summary=(True, False))
    bad = Document("b", ("Quake.", "Quake."), summary=("Elections are held.",))

    alone, both = SentenceClassifier.learn(Corpus((good,))), SentenceClassifier.learn(Corpus((good, bad)))
    assert both.index == alone.index
    assert both.summary_scores(["Quake.", "Tea."]).tolist() == alone.summary_scores(["Quake.", "Tea."]).tolist()
