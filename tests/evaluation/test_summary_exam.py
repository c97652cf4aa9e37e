import sys
from dataclasses import dataclass

import numpy as np
import pytest

from driftline.baselines.lead import Chance, Lead
from driftline.errors import InputError
from driftline.evaluation.summary_comparison import compare_summarizers
from driftline.evaluation.summary_exam import SUMMARIZERS, _scorer, examine_summary, train_summarizer, with_summaries
from driftline.evaluation.tables import comparison_table
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus
from driftline.text.corpus import Corpus, Document


@pytest.fixture(scope="module", name="pairs")
def bundled_pairs():
    return sample_corpus("earthquakes", "pairs")


@pytest.fixture(scope="module", name="fitted")
def fitted_model():
    return fit(sample_corpus("earthquakes"))


@dataclass(frozen=True)
class Knowing:
    """A system that has seen the answer."""

    sign: float

    def summary_scores(self, document):
        return self.sign * np.array(document.in_summary, dtype=float)


def test_accuracy_worked_by_hand():
    """Lead takes as many sentences as the human did, here two, and one of them stands in the human summary."""
    document = Document("a", ("One.", "Two.", "Three.", "Four."), in_summary=(True, False, True, False), story="s")
    outcome = examine_summary(Lead(), document)

    assert (outcome.n_sentences, outcome.n_chosen, outcome.n_agreed) == (4, 2, 1)
    assert (outcome.document, outcome.group) == ("a", "story s")


def test_the_scale_has_its_ends(pairs):
    """Who knows the answer gets all of it; who avoids it gets only what there is no room to avoid."""
    found = compare_summarizers({"best": Knowing(1), "worst": Knowing(-1)}, pairs, {})
    best, worst = (result.figures[0] for result in found.results)

    assert (best.value, best.low, best.high) == (1.0, 1.0, 1.0)
    forced = [max(0, 2 * sum(d.in_summary) - len(d)) / sum(d.in_summary) for d in pairs]
    assert worst.value == pytest.approx(sum(forced) / 60, rel=1e-12)


def test_chance_is_the_floor(pairs):
    """A random choice agrees as often as its length says: sentences of the summary over all sentences."""
    values = [
        compare_summarizers({"random": Chance(seed)}, pairs, {}).results[0].figures[0].value for seed in range(4)
    ]
    assert np.mean(values) == pytest.approx(np.mean([sum(d.in_summary) / len(d) for d in pairs]), abs=0.03)


def test_all_systems_in_their_bands(fitted, pairs):
    """On the bundled pairs every system beats chance, and all are judged on the same documents."""
    train, test = pairs.select(range(30)), pairs.select(range(30, 60))
    systems = {name: train_summarizer(name, fitted, train) for name in SUMMARIZERS}
    found = compare_summarizers(systems, test, {"pairs": 30})
    value = {result.system: result.figures[0].value for result in found.results}

    assert 0.28 < value["random"] < 0.48
    assert 0.48 < value["content"] < 0.70
    assert 0.50 < value["classifier"] < 0.75
    assert 0.55 < value["lead"] < 0.75
    assert len({tuple(o.document for o in result.outcomes) for result in found.results}) == 1
    assert "pairs:30" in found.signature
    assert f"test:{test.data_hash}" in found.signature


def test_documents_without_an_answer_are_left_out_and_counted(pairs):
    """Documents without a summary, or with one that shares nothing with them, cannot be examined."""
    others = (Document("a", ("It shook.",)), Document("b", ("It shook.",), summary=("Elections are held.",)))
    corpus = Corpus((*pairs.documents[:3], *others))
    found = compare_summarizers({"lead": Lead()}, corpus, {})

    assert (found.n_documents, found.n_left_out) == (3, 2)
    assert len(with_summaries(corpus)) == 3
    told = "2 documents without a summary, or without a sentence of it in the text, were left out."
    assert told in comparison_table(found)
    with pytest.raises(InputError, match="1 of 2 have a `summary`, but no sentence of one stands in its document"):
        compare_summarizers({"lead": Lead()}, Corpus(others), {})
    with pytest.raises(InputError, match="holds no summary to compare with"):
        compare_summarizers({"lead": Lead()}, Corpus(others[:1]), {})


def test_rouge_worked_by_hand():
    """ROUGE-1 counts shared words: 2 of the 3 chosen ones and 2 of the 3 wanted ones give F = 2 / 3."""
    pytest.importorskip("rouge_score")
    document = Document("a", ("red green blue.", "Tea."), summary=("red green gold.",), in_summary=(True, False))
    assert examine_summary(Lead(), document).rouge == pytest.approx((2 / 3, 2 / 3), rel=1e-12)


@pytest.mark.parametrize(("name", "reason"), [("magic", "expected one of content"), ("classifier", "--train")])
def test_systems_that_cannot_be_trained(fitted, name, reason):
    """An unknown system, and a classifier without pairs, are refused with what would help."""
    with pytest.raises(InputError, match=reason):
        train_summarizer(name, fitted, None)


def test_content_needs_a_model(pairs):
    """The content model's row needs one; the others do without."""
    with pytest.raises(InputError, match="'content' needs a model"):
        train_summarizer("content", None, pairs)
    assert train_summarizer("lead", None, None) == Lead()


def test_without_rouge(monkeypatch):
    """Where the library is not installed, accuracy stands alone."""
    monkeypatch.setitem(sys.modules, "rouge_score.rouge_scorer", None)
    _scorer.cache_clear()
    try:
        assert examine_summary(Lead(), Document("a", ("One.", "Two."), in_summary=(True, False))).rouge is None
    finally:
        _scorer.cache_clear()
