import math

import pytest

from driftline.baselines.lead import Lead
from driftline.errors import InputError
from driftline.evaluation.summary_comparison import compare_summarizers
from driftline.evaluation.summary_curve import CurvePoint, LearningCurve, learning_curve
from driftline.evaluation.summary_exam import examine_summary, train_summarizer
from driftline.evaluation.tables import curve_table
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus
from driftline.text.corpus import Corpus


@pytest.fixture(scope="module", name="pairs")
def some_bundled_pairs():
    return sample_corpus("earthquakes", "pairs").select(range(40))


@pytest.fixture(scope="module", name="fitted")
def fitted_model():
    return fit(sample_corpus("earthquakes"))


def test_learning_curve_draws_parts(fitted, pairs):
    """All draws of all pairs are the same pairs; smaller draws differ; a curve repeats itself exactly."""
    train, test = pairs.select(range(20)), pairs.select(range(30, 40))
    curve = learning_curve(fitted, train, test, [3, 20], n_draws=3, names=["content", "classifier"])
    points = curve.points

    assert [(p.system, p.n_pairs) for p in points] == [
        ("content", 3), ("classifier", 3), ("content", 20), ("classifier", 20)
    ]  # fmt: skip
    assert all(p.lowest <= p.accuracy <= p.highest and p.n_draws == 3 for p in points)
    assert all(math.isclose(p.lowest, p.highest, rel_tol=1e-12) for p in points[2:])
    assert points[1].lowest < points[1].highest
    assert learning_curve(fitted, train, test, [3, 20], n_draws=3, names=["content", "classifier"]) == curve


@pytest.mark.parametrize("size", [0, 21])
def test_sizes_that_there_are_not(fitted, pairs, size):
    """A curve cannot be drawn beyond the pairs there are."""
    with pytest.raises(InputError, match="sizes: expected numbers from 1 to the 20 pairs"):
        learning_curve(fitted, pairs.select(range(20)), pairs, [size])


def test_a_curve_counts_pairs(fitted, pairs):
    """Documents without a summary are no pairs; a test corpus without any is refused."""
    mixed = Corpus((*sample_corpus("earthquakes", "dev").documents, *pairs.documents[:4]))
    with pytest.raises(InputError, match="from 1 to the 4 pairs"):
        learning_curve(fitted, mixed, pairs, [5])
    assert learning_curve(fitted, mixed, pairs.select([9]), [4], n_draws=1).points[0].n_pairs == 4
    with pytest.raises(InputError, match="holds no summary to compare with"):
        learning_curve(fitted, pairs, sample_corpus("earthquakes", "dev"), [1])


def test_the_last_point_is_what_all_pairs_give(fitted, pairs):
    """A draw of all pairs is examined as `evaluate` does; lead needs no pairs, so its points are all alike."""
    train, test = pairs.select(range(20)), pairs.select(range(30, 40))
    points = {(p.system, p.n_pairs): p for p in learning_curve(fitted, train, test, [5, 20], n_draws=2).points}

    for name in ("content", "classifier"):
        outcomes = [examine_summary(train_summarizer(name, fitted, train), d, rouge=False) for d in test]
        mean = sum(o.n_agreed / o.n_chosen for o in outcomes) / 10
        assert points[name, 20].accuracy == pytest.approx(mean, rel=1e-12)
    lead = compare_summarizers({"lead": Lead()}, test, {}).results[0].figures[0].value
    assert [points["lead", n].accuracy for n in (5, 20)] == pytest.approx([lead, lead], rel=1e-12)


def test_a_curve_has_a_signature(fitted, pairs):
    """It names the pairs, their summaries, the test documents, the sizes, the draws and the model."""
    train, test = pairs.select(range(5)), pairs.select(range(38, 40))
    curve = learning_curve(fitted, train, test, [4, 5], n_draws=1, seed=7)

    assert (curve.n_documents, len(curve.points)) == (2, 6)
    for part in ("|curve:4,5|", "|draws:1|", "|seed:7|", f"|test:{test.data_hash}|", f"|pairs:{train.data_hash} ",
                 f"|data:{fitted.data_hash}|"):  # fmt: skip
        assert part in curve.signature


@pytest.mark.parametrize("n_draws", [0, -1])
def test_there_must_be_a_draw(fitted, pairs, n_draws):
    """A point of no draws has no mean; a system that there is not has no curve."""
    with pytest.raises(InputError, match="n_draws: expected a whole number of at least 1"):
        learning_curve(fitted, pairs, pairs, [1], n_draws=n_draws)
    with pytest.raises(InputError, match="got 'magic'"):
        learning_curve(fitted, pairs, pairs, [1], names=["magic"])


def test_a_curve_as_a_table():
    """A row a number of pairs, a column a system, and what the brackets hold."""
    points = tuple(
        CurvePoint(name, n, accuracy, accuracy - 0.1, accuracy + 0.1, 4)
        for n in (5, 30)
        for name, accuracy in (("content", 0.5), ("lead", 0.625))
    )
    lines = curve_table(LearningCurve("driftline|x", 12, points)).splitlines()

    assert lines[0].split() == ["|", "pairs", "|", "content", "|", "lead", "|"]
    assert [cell.strip() for cell in lines[3].split("|")][1:4] == ["30", "50.0 % (40-60)", "62.5 % (52-72)"]
    assert "over 12 documents: the mean of 4 seeded draws" in lines[5]
    assert lines[6] == "Signature: driftline|x"
