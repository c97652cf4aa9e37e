"""The sentences of any kind of document as text, for what looks at the text itself."""

from collections.abc import Sequence

from driftline.errors import InputError
from driftline.model.content_model import AnyDocument
from driftline.text.corpus import Document


def sentence_texts(document: AnyDocument) -> tuple[str, ...]:
    """Return the sentences of a document; those that were given as words are joined.

    >>> sentence_texts([["it", "shook"], ["all", "ran"]])
    ('it shook', 'all ran')
    """
    if isinstance(document, str) or not isinstance(document, (Document, Sequence)):
        raise InputError(f"document: expected a Document or a list of sentences, got {document!r:.80}")
    if not len(document):
        raise InputError("document: holds no sentence")
    sentences = document.sentences if isinstance(document, Document) else document
    return tuple(sentence if isinstance(sentence, str) else " ".join(sentence) for sentence in sentences)
