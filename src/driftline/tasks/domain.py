"""The alarm: is this text of the model's domain at all?"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from driftline.model.content_model import AnyDocument, ContentModel
from driftline.model.familiarity import FEWEST_WORDS
from driftline.text.corpus import Document

Made = TypeVar("Made")

FALSE_ALARMS = 0.025
"""The share of a domain's own documents whose words may raise the alarm."""


@dataclass(frozen=True)
class DomainFit:
    """How familiar the words of a document are to a domain."""

    foreign: bool | None
    """Whether it does not read like a document of the domain; None where that cannot be told."""
    percentile: float | None
    """The share of training documents, each left out in turn, whose words are less familiar than these."""
    unknown_share: float | None
    """The share of its words that stand in no training document; names and numbers are not counted."""
    usual_unknown_share: float | None
    """The share that is usual for a document of the domain of this length."""
    reason: str
    """All of it in a sentence."""


def domain_fit(model: ContentModel, document: AnyDocument) -> DomainFit:
    """Say whether a document is of the domain that a model was learned from.

    >>> import driftline
    >>> model = driftline.fit(driftline.sample_corpus("earthquakes"))
    >>> domain_fit(model, driftline.sample_corpus("finance")[0]).foreign
    True
    >>> domain_fit(model, driftline.sample_corpus("earthquakes", "test")[0]).foreign
    False
    """
    encoded = model.encode([document])
    reference = model.reference
    if reference is None:
        return _untold("the model does not know what is usual: it is of an older version, or of too few documents")
    measured = reference.words.documents(encoded)
    n_words = int(measured.n_words[0])
    if n_words < FEWEST_WORDS:
        return _untold(f"{n_words} words besides names and numbers are too few to tell where they come from")
    scale = reference.norms.documents
    familiarity = float(scale.familiarity(measured)[0])
    unknown = float(measured.unknown[0])
    usual = float(np.clip(scale.unknown.usual(measured.n_words)[0], 0, 1))
    foreign = familiarity < scale.threshold(FALSE_ALARMS)
    place = scale.percentile(familiarity)
    return DomainFit(foreign, place, unknown, usual, _reason(model, unknown, usual, place))


def with_domain(
    work: Callable[[ContentModel, Document], Made], model: ContentModel, document: Document
) -> tuple[DomainFit, Made]:
    """Do some work on a document, wherever that is done, and say beside it whether it is of the domain."""
    return domain_fit(model, document), work(model, document)


def _reason(model: ContentModel, unknown: float, usual: float, place: float) -> str:
    n = model.record.n_documents
    compared = "its words are less familiar than those of any of them" if place == 0 else (
        f"its words are more familiar than those of {place:.0%} of them"
    )  # fmt: skip
    return (
        f"{unknown:.0%} of its words stand in none of the {n:,} training documents ({usual:.0%} is usual); {compared}"
    )


def _untold(reason: str) -> DomainFit:
    return DomainFit(None, None, None, None, reason)
