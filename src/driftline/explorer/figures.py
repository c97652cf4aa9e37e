"""Figures for notebooks, drawn by Plotly: the flow, a topic, ribbons, a document."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from driftline.errors import InputError
from driftline.explorer.extras import needs_plotly
from driftline.explorer.subject import Documents, Subject, TopicName
from driftline.explorer.views.flow import flow
from driftline.explorer.views.ribbons import ribbons
from driftline.explorer.views.topic import topic
from driftline.model.content_model import AnyDocument, ContentModel
from driftline.model.tagging import tag
from driftline.tasks.texts import sentence_texts
from driftline.text.corpus import Corpus

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

COLOURS = ("#4a63bd", "#2d78b4", "#4fa3a5", "#a9b665", "#e3ac3a", "#cf6b33", "#b04468")
"""From topics that open a document to those that close it; those of the pages."""
ETCETERA_COLOUR = "#9a9a9a"
_GOLDEN = 0.618034
_FONT = {"family": "Georgia, DejaVu Serif, serif", "size": 13}
_TOLD = "%{customdata[0]}, sentence %{x}<br>[%{customdata[1]}] %{customdata[2]}<br>%{customdata[3]}<extra></extra>"
_ORDERS = ("likeness", "length", "oddness")


def plot_flow(model: ContentModel, *, n_steps: int = 60) -> "Figure":
    """Draw topics by where they stand in a document, and the most probable steps between them."""
    figure = _figure("From start to end")
    record = flow(Subject(model, "model"))
    place: dict[int | None, tuple[float, float]] = {}
    shown = [topic for topic in record.topics if topic.n_sentences]
    for rank, found in enumerate(shown):
        place[found.state] = (0.06 + 0.88 * (rank + 0.5) / len(shown), (0.5 + rank * _GOLDEN) % 1)
    for step in record.steps[:n_steps]:
        (x0, y0), (x1, y1) = place.get(step.source, (0.0, 0.5)), place.get(step.target, (1.0, 0.5))
        figure.add_scatter(
            x=[x0, (x0 + x1) / 2, x1], y=[y0, (y0 + y1) / 2 + 0.03, y1], mode="lines", hoverinfo="skip",
            line={"width": max(0.5, 14 * step.probability), "color": "rgba(110,110,110,0.45)", "shape": "spline"},
        )  # fmt: skip
    top = max((found.document_share for found in shown), default=1.0)
    colours = _colours(record.names)
    figure.add_scatter(
        x=[place[found.state][0] for found in shown],
        y=[place[found.state][1] for found in shown],
        mode="markers+text",
        text=[str(found.state) for found in shown],
        marker={
            "size": [10 + 30 * (found.document_share / top) ** 0.5 for found in shown],
            "color": [colours[found.state] for found in shown],
        },
        customdata=[[_plain(record.names[f.state].label), f.document_share] for f in shown],
        hovertemplate="%{text}: %{customdata[0]}<br>in %{customdata[1]:.0%} of the documents<extra></extra>",
    )
    for x, name in ((0.0, "start"), (1.0, "end")):
        figure.add_annotation(x=x, y=0.5, text=f"<i>{name}</i>", showarrow=False)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure


def plot_topic(model: ContentModel, state: int) -> "Figure":
    """Draw where the sentences of a topic stand in their documents, beside those of all topics."""
    _check_state(model, state)
    page = topic(Subject(model, "model"), state)
    figure = _figure(f"{state}: {_plain(page.label)}")
    tenths = [f"{10 * part}–{10 * part + 10}%" for part in range(len(page.positions))]
    figure.add_bar(x=tenths, y=page.positions, name="this topic", marker={"color": _colours(page.names)[state]})
    figure.add_scatter(x=tenths, y=page.all_positions, name="all topics", line={"shape": "hvh", "color": "#555555"})
    figure.update_xaxes(title="place in the document")
    figure.update_yaxes(title="share of the sentences", tickformat=".0%")
    figure.update_layout(showlegend=True)
    return figure


def plot_ribbons(model: ContentModel, corpus: Corpus, *, sort: str = "likeness") -> "Figure":
    """Draw every document as a strip of topics in reading order."""
    if sort not in _ORDERS:
        raise InputError(f"sort: expected one of {', '.join(_ORDERS)}, got {sort!r}")
    subject = Subject(model, "model", Documents(model, corpus))
    record = ribbons(subject)
    order = getattr(record, f"by_{sort}")
    return _strips(
        subject,
        [record.states[number] for number in order],
        [corpus[number].sentences for number in order],
        [record.ids[number] for number in order],
    )


def plot_document(model: ContentModel, document: AnyDocument) -> "Figure":
    """Draw one document as a strip of topics, its sentences told on hovering."""
    return _strips(Subject(model, "model"), [tag(model, document).states], [sentence_texts(document)], ["document"])


def _strips(
    subject: Subject, states: Sequence[Sequence[int]], texts: Sequence[Sequence[str]], ids: Sequence[str]
) -> "Figure":
    longest = max(map(len, states))
    last = max(subject.model.n_states - 2, 1)

    def shade(state: int) -> float | None:
        return None if state == subject.model.insertion_state else subject.names[state].rank / last

    def told(document: int, place: int) -> list[object]:
        state = states[document][place]
        return [_plain(ids[document]), state, _plain(subject.names[state].label), _plain(texts[document][place])]

    def filled(row: list[Any], empty: object) -> list[Any]:
        return row + [empty] * (longest - len(row))

    figure = _figure("Sentence by sentence")
    figure.add_heatmap(
        z=[filled([shade(state) for state in row], None) for row in states],
        customdata=[filled([told(d, i) for i in range(len(row))], ["", 0, "", ""]) for d, row in enumerate(states)],
        hovertemplate=_TOLD,
        x=list(range(1, longest + 1)),
        y=list(range(len(states))),
        zmin=0.0,
        zmax=1.0,
        colorscale=[[i / (len(COLOURS) - 1), colour] for i, colour in enumerate(COLOURS)],
        showscale=False,
        xgap=1,
        ygap=1,
        hoverongaps=False,
    )
    figure.update_xaxes(title="sentence")
    figure.update_yaxes(visible=False, autorange="reversed")
    figure.update_layout(height=max(160, min(1200, 120 + 14 * len(states))))
    return figure


def _figure(title: str) -> Any:  # noqa: ANN401 (a Figure, whose methods are made as it is imported)
    needs_plotly()
    from plotly.graph_objects import Figure

    return Figure(layout={"title": title, "template": "plotly_white", "showlegend": False, "font": _FONT})


def _check_state(model: ContentModel, state: int) -> None:
    if not isinstance(state, int) or not 0 <= state < model.n_states:
        raise InputError(f"state: expected a number from 0 to {model.n_states - 1}, got {state!r}")


def _plain(text: str) -> str:
    """Keep a text from being taken for the few tags that Plotly knows."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _colours(names: Sequence[TopicName]) -> list[str]:
    """Give each state its colour, by its place among the topics."""
    from plotly.colors import sample_colorscale

    last = max(len(names) - 2, 1)
    shades = sample_colorscale(list(COLOURS), [min(name.rank / last, 1.0) for name in names])
    return [ETCETERA_COLOUR if name.is_insertion else shade for name, shade in zip(names, shades, strict=True)]
