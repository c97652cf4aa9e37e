"""Comparisons as tables for people."""

from collections.abc import Sequence

from driftline.evaluation.comparison import Comparison
from driftline.evaluation.metrics import Figure
from driftline.evaluation.outcomes import OrderingOutcome
from driftline.evaluation.summary_comparison import SummaryComparison
from driftline.evaluation.summary_curve import CurvePoint, LearningCurve


def comparison_table(comparison: Comparison | SummaryComparison) -> str:
    """Lay out a comparison as a Markdown table, a row a system, with what has to be known to read it."""
    if not comparison.results:
        return "No system was compared."
    header = ["system", *(figure.name for figure in comparison.results[0].figures)]
    rows = [[result.system, *map(figure_text, result.figures)] for result in comparison.results]
    if comparison.task == "ordering":
        rows.append(["(original order)", "0", "100 %", "1.00", "100 %", "0 %", "0 %"])
    return "\n".join([markdown_table([header, *rows]), "", *_notes(comparison), f"Signature: {comparison.signature}"])


def curve_table(curve: LearningCurve) -> str:
    """Lay out a learning curve as a Markdown table: a row a number of pairs, a column a system."""
    systems = list(dict.fromkeys(point.system for point in curve.points))
    sizes = list(dict.fromkeys(point.n_pairs for point in curve.points))
    points = {(point.n_pairs, point.system): point for point in curve.points}
    rows = [[str(size), *(_point_text(points[size, system]) for system in systems)] for size in sizes]
    note = (
        f"Extraction accuracy over {curve.n_documents} documents: the mean of {curve.points[0].n_draws} seeded draws "
        "of so many pairs, and in brackets the lowest and the highest."
    )
    return "\n".join([markdown_table([["pairs", *systems], *rows]), "", note, f"Signature: {curve.signature}"])


def _point_text(point: CurvePoint) -> str:
    return f"{100 * point.accuracy:.1f} % ({100 * point.lowest:.0f}-{100 * point.highest:.0f})"


def figure_text(figure: Figure) -> str:
    """Write a figure with its interval.

    >>> figure_text(Figure("tau", 0.5, 0.25, 0.75)), figure_text(Figure("found", 0.5, 0.25, 0.75, percent=True))
    ('0.50 [0.25, 0.75]', '50.0 % [25, 75]')
    """
    if figure.percent:
        return f"{100 * figure.value:.1f} % [{100 * figure.low:.0f}, {100 * figure.high:.0f}]"
    return f"{_number(figure.value)} [{_number(figure.low)}, {_number(figure.high)}]"


def _number(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 1000 else f"{value:.2e}"


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Lay out rows of cells, the first of them the header.

    >>> print(markdown_table([["a", "b"], ["one", "2"]]))
    | a   | b |
    |-----|---|
    | one | 2 |
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |" for row in rows]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def _notes(comparison: Comparison | SummaryComparison) -> list[str]:
    notes = [f"{comparison.n_documents} documents; in brackets 95 % intervals (bootstrap over stories or documents)."]
    if comparison.n_left_out:
        why = (
            "without a summary, or without a sentence of it in the text,"
            if comparison.task == "summarization"
            else "of one sentence"
        )
        notes.append(f"{comparison.n_left_out} documents {why} were left out.")
    for result in comparison.results:
        ordering = [outcome for outcome in result.outcomes if isinstance(outcome, OrderingOutcome)]
        estimated = sum(not outcome.exact for outcome in ordering)
        unproved = sum(not outcome.proved for outcome in ordering)
        if estimated or unproved:
            notes.append(f"{result.system}: {estimated} ranks are estimates, {unproved} orders are not proved best.")
    return notes
