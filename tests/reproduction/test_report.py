import xml.etree.ElementTree as ET

import pytest

from driftline.reproduction.experiments import Published
from driftline.reproduction.markdown import introduction, markdown
from driftline.reproduction.page import page
from driftline.reproduction.plots import curve_plot, dot_plot
from driftline.reproduction.report import Report, Row, Section, number, with_interval


def row(system="content", x=None, value=0.5, *, low=None, high=None, figure="tau", percent=False, published=()):
    low, high = value - 0.1 if low is None else low, value + 0.1 if high is None else high
    return Row("quakes & <co>", system, x, figure, value, low, high, percent, "driftline|x", published)


def section(rows=(), vary=None, problems=()):
    return Section(
        "t", "A <title>", "Table 1", "About & so on.", vary, ("Divided.",), tuple(rows), (), tuple(problems)
    )


PUBLISHED = (Published("quakes", "content", "tau", 0.81, "the <paper>"),)


def elements(svg):
    return [element.tag for element in ET.fromstring(svg.replace("&#x27;", "'")).iter()]


@pytest.mark.parametrize(
    ("value", "percent", "written"),
    [
        (0.724, True, "72 %"),
        (0.0, False, "0.00"),
        (-0.25, False, "-0.25"),
        (973.75, False, "974"),
        (1234567.0, False, "1,234,567"),
        (1e-7, False, "1e-07"),
        (99.994, False, "99.99"),
    ],
)
def test_numbers_are_as_long_as_they_say_something(value, percent, written):
    """Percentages are whole, small numbers have two digits, large ones none."""
    assert number(value, percent=percent) == written


def test_counts_have_no_interval():
    """What is counted is written alone, what is estimated with its interval."""
    assert with_interval(row(value=7.0, low=7.0, high=7.0)) == "7.00"
    assert with_interval(row(value=0.5, percent=True)) == "50 % [40, 60]"


@pytest.mark.parametrize(
    "rows",
    [
        [row()],
        [row(published=PUBLISHED), row("lead", value=-0.3)],
        [row(value=0.5, percent=True), row("lead", value=0.7, percent=True)],
        [
            row(figure="mean rank", value=5e6, low=0.0, high=1e7),
            row("lead", figure="mean rank", value=0.0, low=0, high=0),
        ],
        [row(figure="mean rank", value=0.0, low=0.0, high=0.0)],
    ],
)
def test_plots_are_well_formed(rows):
    """Every row has its interval and its dot, every published figure its diamond, and all lie inside."""
    svg = dot_plot(rows)
    found = elements(svg)

    assert sum(tag.endswith("circle") for tag in found) == len(rows)
    assert sum(tag.endswith("polygon") for tag in found) == sum(len(r.published) for r in rows)
    width = float(svg.split('viewBox="0 0 ')[1].split()[0])
    for element in ET.fromstring(svg).iter():
        if element.tag.endswith("circle"):
            assert 0 < float(element.get("cx")) < width


def test_curves_are_well_formed():
    """A curve has a line a system, a dot a size and one in its legend."""
    rows = [row(s, x, 0.1 * x, percent=True) for s in ("content", "lead") for x in (1.0, 2.0, 5.0)]
    rows[2] = row("content", 5.0, 0.5, percent=True, published=PUBLISHED)
    found = elements(curve_plot(rows, "pairs"))

    assert sum(tag.endswith("polyline") for tag in found) == 2
    assert sum(tag.endswith("circle") for tag in found) == 6 + 2
    assert sum(tag.endswith("polygon") for tag in found) == 1
    assert "lead" in curve_plot(rows, "pairs")


def test_what_is_told_is_text():
    """Whatever names, sources and reasons hold, it is text on the page."""
    report = Report("real", "full", "driftline|<s>", (section([row(published=PUBLISHED)], problems=["no <i>"]),))
    text = page(report)

    for raw in ("<co>", "<title>A", "<paper>", "<s>", "<i>]", "no <i>"):
        assert raw not in text
    assert "the &lt;paper&gt; 0.81" in text
    assert "Not done: no &lt;i&gt;" in text
    assert "- Not done: no <i>" in markdown(report)


def test_sections_without_rows():
    """A table that could not be run has a heading and its reason, and no empty table."""
    report = Report("synthetic", "quick", "driftline|s", (section(problems=["nothing there"]),))

    assert "| domain" not in markdown(report)
    assert "<table>" not in page(report)
    assert "quick run" in introduction(report)


def test_missing_cells_are_empty():
    """Where one system has a figure that another has not, its place is empty."""
    rows = [row(x=1.0), row("lead", x=1.0, figure="rank")]
    report = Report("real", "full", "driftline|s", (section(rows, vary="pairs"),))

    assert "| quakes & <co> | content | 1 | 0.50 [0.40, 0.60] |  |" in markdown(report)
