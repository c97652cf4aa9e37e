"""The report as Markdown."""

from collections.abc import Iterator, Sequence

from driftline.reproduction.experiments import Published
from driftline.reproduction.report import Report, Row, Section, number, with_interval


def markdown(report: Report) -> str:
    """Write the whole report."""
    lines = ["# The paper, run again", "", introduction(report), ""]
    for section in report.sections:
        lines += [f"## {section.where}: {section.title}", "", section.about, ""]
        lines += section_table(section)
        lines += [f"- Not done: {problem}" for problem in section.problems]
        lines += [f"- {note}" for note in notes(section)]
        lines.append("")
    lines.append(f"Signature: `{report.signature}`")
    return "\n".join(lines) + "\n"


def introduction(report: Report) -> str:
    """Say what these figures are of."""
    kind = (
        "The documents are **synthetic**: grammars wrote them, so no figure here says how well real text is ordered."
        if report.kind == "synthetic"
        else "The documents are real ones, read from a folder."
    )
    short = " This was the quick run: fewer documents and fewer trials." if report.effort == "quick" else ""
    return (
        f"{kind}{short} In square brackets 95 % intervals (bootstrap over stories or documents); in round brackets "
        "what others published, on their documents. Content is the model of the paper, tuned on the development set; "
        "with the defaults and with the paper's sharp smoothing it stands beside it."
    )


def section_table(section: Section) -> list[str]:
    """Lay out rows as a table, a line a system and a column a figure."""
    if not section.rows:
        return []
    figures = list(dict.fromkeys(row.figure for row in section.rows))
    header = ["domain", "system", *([section.vary] if section.vary else []), *figures]
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * (len(header) - len(figures)) + "--:|" * len(figures)]
    for label, cells in grouped(section.rows):
        found = [cell_text(cells[figure]) if figure in cells else "" for figure in figures]
        lines.append("| " + " | ".join([*label, *found]) + " |")
    return [*lines, ""]


def grouped(rows: Sequence[Row]) -> Iterator[tuple[list[str], dict[str, Row]]]:
    """Gather the rows of one line of a table, with what stands before them."""
    gathered: dict[tuple[str, str, float | None], dict[str, Row]] = {}
    for row in rows:
        gathered.setdefault((row.domain, row.system, row.x), {})[row.figure] = row
    for (domain, system, x), cells in gathered.items():
        yield [domain, system, *([] if x is None else [f"{x:g}"])], cells


def cell_text(row: Row) -> str:
    """Write a figure with what was published of it."""
    published = "; ".join(f"{p.source} {number(p.value, percent=row.percent)}" for p in row.published)
    return with_interval(row) + (f" ({published})" if published else "")


def notes(section: Section) -> list[str]:
    """Say what has to be known to read a section, and what was published that stands beside no row."""
    return [*section.protocol, *(f"Published, and not run here: {_other(other)}" for other in section.others)]


def _other(other: Published) -> str:
    where = "" if other.x is None else f" at {other.x:g}"
    return f"{other.domain}, {other.system}, {other.figure}{where}: {other.value:g} ({other.source})"
