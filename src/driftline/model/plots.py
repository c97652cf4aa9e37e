"""What a model can draw of itself in a notebook. The figures are the explorer's, which is only loaded when asked."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from driftline.model.content_model import AnyDocument, ContentModel
    from driftline.text.corpus import Corpus


class Plots:
    """The plot methods of :class:`driftline.ContentModel`; they return Plotly figures (extra `explore`)."""

    def plot_flow(self: "ContentModel", *, n_steps: int = 60) -> "Figure":  # type: ignore[misc]
        """Draw topics by where they stand in a document, and the `n_steps` most probable steps between them."""
        from driftline.explorer import figures

        return figures.plot_flow(self, n_steps=n_steps)

    def plot_topic(self: "ContentModel", state: int) -> "Figure":  # type: ignore[misc]
        """Draw where the sentences of a topic stand in their documents, beside those of all topics."""
        from driftline.explorer import figures

        return figures.plot_topic(self, state)

    def plot_ribbons(self: "ContentModel", corpus: "Corpus", *, sort: str = "likeness") -> "Figure":  # type: ignore[misc]
        """Draw every document as a strip of topics, by likeness, length or oddness."""
        from driftline.explorer import figures

        return figures.plot_ribbons(self, corpus, sort=sort)

    def plot_document(self: "ContentModel", document: "AnyDocument") -> "Figure":  # type: ignore[misc]
        """Draw one document as a strip of topics, its sentences told on hovering."""
        from driftline.explorer import figures

        return figures.plot_document(self, document)
