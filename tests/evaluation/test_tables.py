import pytest

from driftline.baselines.flat import FlatModel
from driftline.baselines.lead import Lead
from driftline.evaluation.comparison import Comparison, Plan, Result, evaluate
from driftline.evaluation.metrics import Figure, ordering_figures
from driftline.evaluation.outcomes import OrderingOutcome
from driftline.evaluation.summary_comparison import compare_summarizers
from driftline.evaluation.tables import comparison_table, figure_text
from driftline.text.corpus import Corpus, Document


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (Figure("tau", -0.5, -1.0, 0.125), "-0.50 [-1.00, 0.12]"),
        (Figure("rank", 1234567.0, 999.994, 1e20), "1.23e+06 [999.99, 1.00e+20]"),
        (Figure("rank", float("inf"), 0.0, float("inf")), "inf [0.00, inf]"),
        (Figure("found", 1.0, 0.995, 1.0, percent=True), "100.0 % [100, 100]"),
    ],
)
def test_figures_as_text(figure, text):
    """Figures have two digits, or one of a per cent, very large ones powers of ten."""
    assert figure_text(figure) == text


def outcome(document, **more):
    return OrderingOutcome(document, document, 4, 0.0, credit=1.0, tau=1.0, **more)


def test_an_ordering_table():
    """A row a system, the original order as the ceiling, and notes on what is estimated or was left out."""
    outcomes = [outcome("a", exact=False, proved=True), outcome("b", exact=True, proved=False)]
    results = [Result("content", ordering_figures(outcomes), outcomes)]
    lines = comparison_table(Comparison("ordering", "the signature", 2, 3, results)).splitlines()

    assert [line.split("|")[1].strip("- ") for line in lines[:4]] == ["system", "", "content", "(original order)"]
    assert len({len(line) for line in lines[:4]}) == 1
    assert lines[4:] == [
        "",
        "2 documents; in brackets 95 % intervals (bootstrap over stories or documents).",
        "3 documents of one sentence were left out.",
        "content: 1 ranks are estimates, 1 orders are not proved best.",
        "Signature: the signature",
    ]


def test_a_discrimination_table(words_corpus):
    """Discrimination has one column, no ceiling and no notes on ranks."""
    table = comparison_table(evaluate({"random": FlatModel()}, words_corpus, Plan(task="discrimination")))

    assert table.splitlines()[0].split("|")[1:-1] == [" system ", " discrimination  "]
    assert "original order" not in table
    assert "estimates" not in table


def test_a_summary_table():
    """What a table of summaries leaves out are documents without a summary."""
    corpus = Corpus((Document("a", ("One.", "Two."), in_summary=(True, False)), Document("b", ("One.",))))
    table = comparison_table(compare_summarizers({"lead": Lead()}, corpus, {}))

    assert "100.0 % [100, 100]" in table
    assert "1 documents without a summary, or without a sentence of it in the text, were left out." in table


def test_no_system(words_corpus):
    """Without systems there is no table to draw."""
    assert comparison_table(evaluate({}, words_corpus)) == "No system was compared."
