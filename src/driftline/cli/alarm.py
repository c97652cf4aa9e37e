"""The warning of commands that are given a text of another domain than their model's."""

import sys
from typing import TYPE_CHECKING, Any

from driftline.cli.common import print_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from driftline.tasks.domain import DomainFit
    from driftline.text.corpus import Document


def warn_foreign(document: "Document", domain: "DomainFit") -> None:
    """Say on standard error if a document is not of the model's domain; the work is done all the same."""
    if domain.foreign:
        told = f"{document.id} does not read like a document of the model's domain: {domain.reason}"
        print_text(f"driftline: warning: {told}", file=sys.stderr)


def warned(
    results: "Iterable[tuple[DomainFit, tuple[Document, Any]]]",
) -> "Iterator[tuple[DomainFit, Document, Any]]":
    """Pass results on as they come, with a warning before those of documents that are of another domain."""
    for domain, (document, made) in results:
        warn_foreign(document, domain)
        yield domain, document, made
