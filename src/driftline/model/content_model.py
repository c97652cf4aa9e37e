"""The content model: an HMM whose states are topics, frozen once it is made."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from driftline.errors import InputError
from driftline.kernels.forward import forward
from driftline.kernels.hmm import Chain
from driftline.kernels.mixed_problem import MixedProblem
from driftline.kernels.order_problem import OrderProblem
from driftline.kernels.posterior import posterior
from driftline.kernels.viterbi import viterbi
from driftline.model.counts import Counts
from driftline.model.examples import Example, typical_sentences
from driftline.model.ordering.order_mix import OrderMix
from driftline.model.ordering.sentence_space import Sentence
from driftline.model.plots import Plots
from driftline.model.reference import Reference, learn_reference
from driftline.model.summary_counts import SummaryCounts
from driftline.model.training import Estimate, TrainingRecord
from driftline.settings import Settings
from driftline.signature import signature
from driftline.text.corpus import Corpus, Document, checked_words
from driftline.text.encoding import EncodedCorpus, Vocabulary, Words, encode
from driftline.text.masking import Masker, learn_masker
from driftline.text.tokens import tokenize

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Ordering = Literal["content", "best"]
AnyDocument = Document | Sequence[str] | Sequence[Sequence[str]]
"""A document, a list of sentences, or a list of lists of words for a model that was trained on words."""


@dataclass(frozen=True)
class ContentModel(Plots):
    """What was learned of a domain. Made by :func:`driftline.fit`, `from_labels` or :func:`driftline.load`."""

    settings: Settings
    vocabulary: Vocabulary
    masker: Masker | None
    """How text becomes words; None for a model that was trained on words as they are."""
    estimate: Estimate
    record: TrainingRecord
    data_hash: str
    """The `Corpus.data_hash` of the training documents."""
    examples: tuple[tuple[Example, ...], ...]
    """Typical sentences of each state."""
    summaries: SummaryCounts | None = None
    """What is known of human summaries, after :func:`driftline.learn_summaries`."""
    order_mix: OrderMix | None = None
    """What orders sentences beside the content model, after ``driftline.fit(..., ordering="best")``."""
    reference: Reference | None = None
    """What is usual in the domain; None if it was learned from too few documents, or by an older version."""
    given_labels: tuple[str, ...] = ()
    """[state] What people call the states, empty where nobody gave a label."""

    @classmethod
    def from_labels(
        cls,
        corpus: Corpus,
        labels: Sequence[Sequence[int]],
        n_states: int,
        *,
        emission_smoothing: float | None = None,
        transition_smoothing: float | None = None,
        settings: Settings | None = None,
    ) -> Self:
        """Estimate a model from known states, one for each sentence; the last is the insertion state.

        The smoothing that is given here goes before that of the settings.

        >>> corpus = Corpus.from_words([[["it", "shook"], ["all", "is", "well"]]])
        >>> model = ContentModel.from_labels(corpus, [[0, 1]], n_states=2, emission_smoothing=0.1)
        >>> model.n_states, model.log_emission([["it", "shook"]]).shape
        (2, (1, 2))
        """
        settings = settings or Settings()
        settings = replace(
            settings,
            emission_smoothing=settings.emission_smoothing if emission_smoothing is None else emission_smoothing,
            transition_smoothing=(
                settings.transition_smoothing if transition_smoothing is None else transition_smoothing
            ),
        )
        states = _checked_labels(corpus, labels, n_states)
        masker, encoded = encode_corpus(corpus, settings)
        # NumPy's integers are welcome, but cannot stand in the JSON of a model file.
        n_states = int(n_states)
        counts = Counts.of(encoded, states, n_states)
        record = TrainingRecord(
            n_documents=len(corpus), n_sentences=corpus.n_sentences, n_clusters=n_states, min_cluster_size=None,
            n_merged=0, n_arbitrary_merges=0, n_sampled_sentences=corpus.n_sentences, moved=(), ending="labels",
        )  # fmt: skip
        estimate = Estimate.of(counts, encoded.vocabulary.size, settings)
        examples = typical_sentences(corpus, encoded, states, estimate, settings.n_examples)
        reference = learn_reference(corpus, encoded, states, estimate, settings)
        return cls(
            settings, encoded.vocabulary, masker, estimate, record, corpus.data_hash, examples, reference=reference
        )

    @property
    def n_states(self) -> int:
        """[m] The number of states, the insertion state (the last one) included."""
        return self.estimate.chain.n_states

    @property
    def insertion_state(self) -> int:
        """The state that stands for digressions and unseen topics; always the last."""
        return self.n_states - 1

    @property
    def chain(self) -> Chain:
        """Transitions, for the kernels."""
        return self.estimate.chain

    @property
    def log_initial(self) -> Floats:
        """[state] The log-probability that a document begins in a state."""
        return self.chain.log_initial

    @property
    def log_transition(self) -> Floats:
        """[from state, to state] The log of p(s_j given s_i)."""
        return self.chain.log_transition

    @property
    def log_final(self) -> Floats:
        """[state] The log-probability that a document ends after a state."""
        return self.chain.log_final

    @property
    def signature_parts(self) -> dict[str, object]:
        """Every setting that can move a figure, in short."""
        return {
            "data": self.data_hash,
            "docs": self.record.n_documents,
            "k": self.record.n_clusters,
            "T": self.record.min_cluster_size,
            "d1": self.settings.emission_smoothing,
            "d2": self.settings.transition_smoothing,
            "m": self.n_states,
            "rows": self.settings.transitions,
            "mask": self.settings.masking if self.masker else "words",
            "iterations": len(self.record.moved),
            "words": self.settings.max_words,
            "sample": self.settings.max_clustered_sentences,
            "sample_seed": self.settings.seed,
            **({} if self.order_mix is None else {"ordering": self.ordering}),
        }

    @property
    def signature(self) -> str:
        """How this model was made, in one line that can stand beside a figure."""
        return signature(**self.signature_parts)

    def encode(self, documents: Sequence[AnyDocument]) -> EncodedCorpus:
        """Turn documents into arrays as the training documents were."""
        return encode([document_words(document, self.masker) for document in documents], self.vocabulary)

    def log_emission(self, document: AnyDocument) -> Floats:
        """Return the log-probability that each state gives to each sentence: [sentence, state]."""
        return self.estimate.emissions.score(self.encode([document]))

    def log_probability(self, document: AnyDocument) -> float:
        """Return the log-probability of a document (forward algorithm)."""
        encoded = self.encode([document])
        return float(forward(self.chain, self.estimate.emissions.score(encoded), encoded.document_offsets)[0])

    def v_topics(self, document: AnyDocument) -> Integers:
        """Return the most probable state of each sentence (Viterbi algorithm)."""
        encoded = self.encode([document])
        return viterbi(self.chain, self.estimate.emissions.score(encoded), encoded.document_offsets)[0]

    def state_probabilities(self, document: AnyDocument) -> Floats:
        """Return how probable each state is at each sentence, given the whole document."""
        return posterior(self.chain, self.log_emission(document))

    @property
    def ordering(self) -> Ordering:
        """What orders sentences: the "content" model alone, or the "best" mix of all evidence."""
        return "content" if self.order_mix is None else "best"

    def with_ordering(self, ordering: Ordering) -> Self:
        """Return the model with another way to order; "best" has to have been learned.

        >>> import driftline
        >>> quakes = driftline.Corpus.from_words([[["a", "quake", "hit"], ["no", "one", "died"]]] * 20)
        >>> driftline.fit(quakes).with_ordering("content").ordering
        'content'
        """
        if ordering == "content":
            return replace(self, order_mix=None)
        if ordering != "best" or self.order_mix is None:
            learned = " (this model was learned without it)" if ordering == "best" else ""
            raise InputError(
                f"ordering: expected 'content', or 'best' where it was learned, got {ordering!r}{learned}"
            )
        return self

    def order_problem(self, document: AnyDocument) -> OrderProblem | MixedProblem:
        """State the problem of ordering the sentences of a document: which order has the highest score?"""
        if self.order_mix is None:
            return OrderProblem.of(self.chain, self.log_emission(document))
        return self.order_mix.problem(as_evidence(document, self.masker), self.encode([document]))

    def summary_scores(self, document: AnyDocument) -> Floats:
        """Return how much each sentence belongs in a summary, by its topic.

        Without pairs that is the share of the domain's documents that hold the topic.
        """
        if self.summaries is not None:
            return self.summaries.probability[self.v_topics(document)]
        counts = self.estimate.counts
        central = counts.document_counts / max(counts.n_documents, 1)
        # Everything else is in most documents, and no topic that a summary could want.
        central[self.insertion_state] = 0.0
        return central[self.v_topics(document)]

    def save(self, path: str | Path) -> None:
        """Write the model to a file that is safe to open; see :func:`driftline.load`."""
        from driftline.storage import save

        save(self, path)


def document_words(document: AnyDocument, masker: Masker | None) -> Words:
    """Return the words of a document as the training documents were turned into words."""
    if isinstance(document, str):
        raise InputError("document: expected a list of sentences, got one string; split it first")
    if not isinstance(document, (Document, Sequence)):
        raise InputError(f"document: expected a Document or a list of sentences, got {document!r:.80}")
    if not len(document):
        raise InputError("document: holds no sentence")
    if isinstance(document, Document):
        words, sentences = document.words, document.sentences
    elif isinstance(document[0], str):
        words, sentences = None, tuple(document)  # type: ignore[arg-type]
    else:
        words, sentences = checked_words(document, "document"), ()
    if (words is None) != (masker is not None):
        kind = ("words", "text") if masker is None else ("text", "words")
        raise InputError(f"document: this model was trained on {kind[0]}, but the document holds {kind[1]}")
    if masker is None:
        return words or ()
    for sentence in sentences:
        if not isinstance(sentence, str):
            raise InputError(f"document: expected sentences (str), got {sentence!r:.80}")
    return masker.words(sentences)


def as_evidence(document: AnyDocument, masker: Masker | None) -> list[Sentence]:
    """Return the sentences of a document as evidence sees them."""
    masked = document_words(document, masker)
    if masker is None:
        return [Sentence(tuple(words), tuple(words)) for words in masked]
    written = document.sentences if isinstance(document, Document) else document
    return [
        Sentence(tuple(words), tuple(tokenize(text)))  # type: ignore[arg-type]
        for words, text in zip(masked, written, strict=True)
    ]


def encode_corpus(corpus: Corpus, settings: Settings) -> tuple[Masker | None, EncodedCorpus]:
    """Mask and encode training documents: all of them as text, or all of them as words."""
    if not len(corpus):
        raise InputError("the corpus holds no document")
    given = [document.words for document in corpus]
    words: list[Words] = [words for words in given if words is not None]
    if len(words) == len(given):
        return None, encode(words, Vocabulary.of(words, settings.max_words))
    if words:
        raise InputError("the corpus mixes documents of words with documents of text")
    masker = learn_masker(settings.masking, (s for document in corpus for s in document.sentences))
    words = [masker.words(document.sentences) for document in corpus]
    return masker, encode(words, Vocabulary.of(words, settings.max_words))


def _checked_labels(corpus: Corpus, labels: Sequence[Sequence[int]], n_states: int) -> Integers:
    if not isinstance(n_states, (int, np.integer)) or n_states < 1:
        raise InputError(f"n_states: expected a whole number of at least 1, got {n_states!r}")
    if not isinstance(labels, (Sequence, np.ndarray)):
        raise InputError(f"labels: expected one list of states for each document, got {labels!r:.80}")
    if len(labels) != len(corpus):
        raise InputError(f"labels: expected one list for each of the {len(corpus)} documents, got {len(labels)}")
    for document, given in zip(corpus, labels, strict=True):
        if not isinstance(given, (Sequence, np.ndarray)):
            raise InputError(f"labels of {document.id!r}: expected a list of states, got {given!r:.80}")
        if len(given) != len(document):
            raise InputError(f"labels of {document.id!r}: expected {len(document)} values, got {len(given)}")
        if not all(isinstance(s, (int, np.integer)) and 0 <= s < n_states for s in given):
            raise InputError(
                f"labels of {document.id!r}: expected states from 0 to {n_states - 1}, got {given!r:.80}"
            )
    return np.array([state for given in labels for state in given], dtype=np.int64)
