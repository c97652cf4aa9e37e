"""Tagging: the V-topic of every sentence of a document, and how sure the model is of it."""

from dataclasses import dataclass

from driftline.kernels.forward import forward
from driftline.kernels.posterior import posterior
from driftline.kernels.viterbi import viterbi
from driftline.model.content_model import AnyDocument, ContentModel
from driftline.text.corpus import Document


@dataclass(frozen=True)
class Tags:
    """The topics of one document."""

    states: tuple[int, ...]
    """The V-topic of each sentence."""
    probabilities: tuple[float, ...]
    """How probable that state is at that sentence, given the whole document."""
    log_probability: float
    """Of the document, by the forward algorithm."""


def tag(model: ContentModel, document: AnyDocument) -> Tags:
    """Give each sentence of a document its topic.

    >>> from driftline.model.fitting import fit
    >>> from driftline.text.corpus import Corpus
    >>> model = fit(Corpus.from_words([[["a", "quake", "hit"], ["no", "one", "died"]]] * 20))
    >>> tag(model, [["no", "one", "died"], ["a", "quake", "hit"]]).states
    (1, 0)
    """
    encoded = model.encode([document])
    log_emission = model.estimate.emissions.score(encoded)
    states, _ = viterbi(model.chain, log_emission, encoded.document_offsets)
    probabilities = posterior(model.chain, log_emission)
    return Tags(
        states=tuple(map(int, states)),
        probabilities=tuple(float(row[state]) for row, state in zip(probabilities, states, strict=True)),
        log_probability=float(forward(model.chain, log_emission, encoded.document_offsets)[0]),
    )


def tag_with(model: ContentModel, document: Document) -> tuple[Document, Tags]:
    """Tag a document and return it with its tags, as it comes back from another process."""
    return document, tag(model, document)
