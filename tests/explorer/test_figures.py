"""Figures for notebooks: what stands in them is what the model says."""

import re

import pytest

from driftline.errors import InputError
from driftline.explorer import figures
from driftline.explorer.rendering import page_file

pytest.importorskip("plotly", reason="plotly is not installed")


def test_flow(quake_model):
    """Every topic that holds a sentence is a marker, every step asked for a line as thick as it is probable."""
    figure = quake_model.plot_flow(n_steps=20)

    *lines, markers = figure.data
    held = quake_model.estimate.counts.sentence_counts > 0
    assert len(lines) == 20
    assert len(markers.x) == held.sum()
    widths = [line.line.width for line in lines]
    assert widths == sorted(widths, reverse=True)
    assert {int(state) for state in markers.text} == {int(state) for state in held.nonzero()[0]}


def test_topic(quake_model):
    """The bars are the shares of the topic's sentences in each tenth of their documents."""
    figure = quake_model.plot_topic(0)

    counts = quake_model.estimate.counts.position_counts[0]
    assert list(figure.data[0].y) == pytest.approx(counts / counts.sum(), rel=1e-12)
    for state in (-1, quake_model.n_states, "0"):
        with pytest.raises(InputError, match="state: expected a number"):
            quake_model.plot_topic(state)


@pytest.mark.parametrize("sort", ["likeness", "length", "oddness"])
def test_ribbons(quake_model, quakes, sort):
    """A row a document, a cell a sentence."""
    figure = quake_model.plot_ribbons(quakes, sort=sort)

    rows = figure.data[0].customdata
    assert sorted(row[0][0] for row in rows) == sorted(document.id for document in quakes)
    by_id = {document.id: document for document in quakes}
    assert all(row[0][3] == by_id[row[0][0]].sentences[0].replace("&", "&amp;") for row in rows)


def test_unknown_order(quake_model, quakes):
    """An order that there is not is refused by name."""
    with pytest.raises(InputError, match="sort: expected one of likeness, length, oddness, got 'size'"):
        quake_model.plot_ribbons(quakes, sort="size")


def test_document(quake_model):
    """One document is one strip; markup in its sentences stays text."""
    figure = quake_model.plot_document(["A quake hit <b>Izmit</b>.", "No one died."])

    (row,) = figure.data[0].customdata
    assert [cell[3] for cell in row] == ["A quake hit &lt;b&gt;Izmit&lt;/b&gt;.", "No one died."]
    assert [cell[1] for cell in row] == quake_model.v_topics(["A quake hit <b>Izmit</b>.", "No one died."]).tolist()


def test_the_colours_of_the_pages():
    """Figures have the colours of the pages."""
    stops = re.search(r"const STOPS = \[(.*?)\]", page_file("colour.js"))[1]

    assert tuple(re.findall(r"#\w+", stops)) == figures.COLOURS
    assert figures.ETCETERA_COLOUR in page_file("colour.js")


def test_without_plotly(quake_model, monkeypatch):
    """Where Plotly is not installed, one sentence says what to install."""
    monkeypatch.setattr("driftline.explorer.extras.find_spec", lambda _: None)

    with pytest.raises(InputError, match=r"pip install 'driftline\[explore\]'"):
        quake_model.plot_flow()
