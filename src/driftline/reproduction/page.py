"""The report as one self-contained page: tables, plots and notes, without a script, in light and dark."""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from string import Template

from driftline.reproduction.markdown import grouped, introduction, notes
from driftline.reproduction.plots import curve_plot, dot_plot
from driftline.reproduction.report import Report, Row, Section, number, with_interval

_TEMPLATE, _STYLE = (Path(__file__).with_name(name) for name in ("page.html", "page.css"))


def page(report: Report) -> str:
    """Write the whole page."""
    links = [
        f'<li><a href="#{escape(s.name)}">{escape(s.where)}: {escape(s.title)}</a></li>' for s in report.sections
    ]
    return Template(_TEMPLATE.read_text("utf-8")).substitute(
        style=_STYLE.read_text("utf-8"),
        kind=escape(report.kind),
        effort=escape(report.effort),
        introduction=_strong(introduction(report)),
        contents="\n".join(links),
        sections="\n".join(map(_section, report.sections)),
        signature=escape(report.signature),
    )


def _section(section: Section) -> str:
    heading = f"<h2><small>{escape(section.where)}</small> {escape(section.title)}</h2>"
    problems = [f'<p class="problem">Not done: {escape(problem)}</p>' for problem in section.problems]
    return "\n".join(
        [
            f'<section id="{escape(section.name)}">',
            heading,
            f"<p>{_strong(section.about)}</p>",
            *_plots(section),
            *_table(section),
            *problems,
            *_notes(section),
            "</section>",
        ]
    )


def _plots(section: Section) -> Iterator[str]:
    """Draw each figure of a section, unless nothing is uncertain about it."""
    for figure in dict.fromkeys(row.figure for row in section.rows):
        rows = [row for row in section.rows if row.figure == figure]
        if not any(row.has_interval for row in rows):
            continue
        drawn = dot_plot(rows) if section.vary is None else curve_plot(rows, section.vary)
        yield f"<figure><figcaption>{escape(figure)}</figcaption>{drawn}</figure>"


def _table(section: Section) -> Iterator[str]:
    if not section.rows:
        return
    figures = list(dict.fromkeys(row.figure for row in section.rows))
    head = ["domain", "system", *([section.vary] if section.vary else []), *figures]
    yield '<div class="wide"><table>'
    yield "<thead><tr>" + "".join(f"<th>{escape(name)}</th>" for name in head) + "</tr></thead><tbody>"
    for label, cells in grouped(section.rows):
        names = "".join(f'<th scope="row">{escape(text)}</th>' for text in label)
        found = "".join(f"<td>{_cell(cells[figure]) if figure in cells else ''}</td>" for figure in figures)
        yield f"<tr>{names}{found}</tr>"
    yield "</tbody></table></div>"


def _cell(row: Row) -> str:
    value, bracket, interval = with_interval(row).partition(" [")
    ours = f"<b>{escape(value)}</b>" + (f" <i>[{escape(interval)}</i>" if bracket else "")
    published = "".join(
        f'<br><span class="published">{escape(p.source)} {escape(number(p.value, percent=row.percent))}</span>'
        for p in row.published
    )
    return f'<span title="{escape(row.signature)}">{ours}</span>{published}'


def _notes(section: Section) -> Iterator[str]:
    signatures = sorted({row.signature for row in section.rows})
    yield "<details><summary>Protocol, what else was published, signatures</summary><ul>"
    yield from (f"<li>{escape(note)}</li>" for note in notes(section))
    yield from (f"<li><code>{escape(line)}</code></li>" for line in signatures)
    yield "</ul></details>"


def _strong(text: str) -> str:
    """Escape a text and set what stands between pairs of asterisks in bold."""
    parts = escape(text).split("**")
    return "".join(f"<strong>{part}</strong>" if i % 2 else part for i, part in enumerate(parts))
