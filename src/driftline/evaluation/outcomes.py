"""What an exam finds out about one document. Figures come from outcomes, never the other way round."""

from dataclasses import dataclass

from driftline.text.corpus import Document


@dataclass(frozen=True)
class OrderingOutcome:
    """How one system ordered one document."""

    document: str
    group: str
    """The story, or the document itself: what a bootstrap draws as one."""
    n_sentences: int
    rank: float
    """Of the original order; ties count half."""
    exact: bool
    """Whether the rank was counted; otherwise it is an estimate."""
    credit: float
    """1 if the original order is the one best order, 1 / (1 + ties) if it ties with others, else 0."""
    tau: float
    """Kendall's tau between the order that was found and the original one."""
    proved: bool
    """Whether the order that was found is proved best."""


@dataclass(frozen=True)
class DiscriminationOutcome:
    """How often one system preferred the original order of one document to another order."""

    document: str
    group: str
    n_sentences: int
    n_pairs: int
    won: float
    """Pairs in which the original order scored higher; ties count half."""


@dataclass(frozen=True)
class SummaryOutcome:
    """How one system summarized one document, at the length of the human summary."""

    document: str
    group: str
    n_sentences: int
    n_chosen: int
    n_agreed: int
    """Chosen sentences that stand in the human summary."""
    rouge: tuple[float, float] | None
    """ROUGE-1 and ROUGE-L (F) against the human summary, where the library is installed."""

    @property
    def accuracy(self) -> float:
        """The share of the chosen sentences that stand in the human summary."""
        return self.n_agreed / self.n_chosen


def group_of(document: Document) -> str:
    """Name what a bootstrap must draw as one: documents that share a story are no independent evidence."""
    return document.id if document.story is None else f"story {document.story}"
