import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.evaluation.metrics import discrimination_figures, kendall_tau, ordering_figures, summary_figures
from driftline.evaluation.outcomes import DiscriminationOutcome, OrderingOutcome, SummaryOutcome, group_of
from driftline.text.corpus import Document
from oracles import swaps_of_neighbours

OUTCOME = OrderingOutcome("a", "a", 4, rank=0.0, exact=True, credit=1.0, tau=1.0, proved=True)


def ordered(ranks):
    """Outcomes with these ranks, each of a document of its own."""
    return [replace(OUTCOME, document=str(i), group=str(i), rank=rank) for i, rank in enumerate(ranks)]


def values(figures):
    return {figure.name: figure.value for figure in figures}


@given(st.permutations(range(6)))
def test_tau_counts_swaps_of_neighbours(order):
    """Tau = 1 - 2 S / (N choose 2), S being counted by doing the swaps."""
    assert kendall_tau(order) == pytest.approx(1 - 2 * swaps_of_neighbours(order) / 15, rel=1e-15)


def test_tau_has_its_ends_and_a_middle():
    """1 for the original, -1 for its reverse, 0 on average over all orders; one sentence is in order."""
    orders = list(itertools.permutations(range(4)))

    assert (kendall_tau(orders[0]), kendall_tau(orders[-1]), kendall_tau([0])) == (1.0, -1.0, 1.0)
    assert sum(map(kendall_tau, orders)) == pytest.approx(0, abs=1e-12)


def test_rank_ranges_leave_no_gap():
    """Every rank, halves from ties too, falls into exactly one range of the paper's second table."""
    found = values(ordering_figures(ordered([0, 4, 4.5, 5, 7.5, 10, 10.5, 11])))

    assert (found["rank 0-4"], found["rank 5-10"], found["rank >10"]) == (3 / 8, 3 / 8, 2 / 8)
    assert found["mean rank"] == pytest.approx(52.5 / 8, rel=1e-15)


@pytest.mark.parametrize("rank", [0, 0.5, 4.5, 5, 10, 10.5, 1e30])
def test_a_rank_counts_once(rank):
    """The three shares of a single document add up to 1."""
    found = values(ordering_figures(ordered([rank])))
    assert found["rank 0-4"] + found["rank 5-10"] + found["rank >10"] == 1


def test_ordering_figures_are_means():
    """Credit and tau are means over documents."""
    outcomes = [replace(OUTCOME, credit=1.0, tau=1.0), replace(OUTCOME, group="b", credit=0.25, tau=-0.5)]
    found = values(ordering_figures(outcomes))

    assert (found["original order found"], found["Kendall's tau"]) == (0.625, 0.25)


def test_discrimination_is_a_mean_over_pairs():
    """A document with more pairs counts for more."""
    outcomes = [DiscriminationOutcome("a", "a", 4, 20, 20.0), DiscriminationOutcome("b", "b", 3, 5, 2.5)]
    (figure,) = discrimination_figures(outcomes)

    assert figure.value == pytest.approx(22.5 / 25, rel=1e-15)
    assert figure.low == 0.5
    assert figure.high == 1.0


def test_extraction_accuracy_is_a_mean_over_documents():
    """A summary counts as one, however long; ROUGE stands only where every document has it."""
    outcomes = [SummaryOutcome("a", "a", 9, 4, 1, (0.5, 0.25)), SummaryOutcome("b", "b", 3, 1, 1, (1.0, 0.75))]

    assert values(summary_figures(outcomes)) == {"extraction accuracy": 0.625, "ROUGE-1": 0.75, "ROUGE-L": 0.5}
    assert values(summary_figures([outcomes[0], replace(outcomes[1], rouge=None)])) == {"extraction accuracy": 0.625}


def test_infinite_ranks():
    """A rank past the range of floats leaves a mean and an interval that say so, without a warning."""
    figure = ordering_figures(ordered([float("inf"), 0, 0, 0]))[0]

    assert (figure.value, figure.low, figure.high) == (float("inf"), 0, float("inf"))
    assert ordering_figures(ordered([float("inf")] * 2))[0].low == float("inf")


def test_a_story_is_one_group():
    """Documents of one story are drawn together; without a story each stands for itself."""
    assert group_of(Document("a", ("x",), story="s")) == group_of(Document("b", ("x",), story="s"))
    assert group_of(Document("a", ("x",))) != group_of(Document("b", ("x",)))
