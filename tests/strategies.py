"""What hypothesis draws: random documents with states, random chains, random similarities."""

import itertools
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from driftline.kernels.hmm import Chain
from driftline.text.encoding import Vocabulary, encode

WORDS = "abcde"
UNSEEN = "xyz"
SMOOTHINGS = (1e-12, 1e-8, 1e-6, 1e-2, 1.0, 10.0)

smoothings = st.sampled_from(SMOOTHINGS)


def sentences(words=WORDS, min_size=0, max_size=5):
    """Lists of words; by default some are empty, and words repeat often."""
    return st.lists(st.sampled_from(words), min_size=min_size, max_size=max_size)


def documents(words=WORDS, max_sentences=4, min_words=0):
    """Lists of one or more sentences."""
    return st.lists(sentences(words, min_words), min_size=1, max_size=max_sentences)


def collections(min_documents=1, max_documents=6, **kinds):
    """Lists of documents; like sentences and like documents are frequent."""
    return st.lists(documents(**kinds), min_size=min_documents, max_size=max_documents)


@dataclass(frozen=True)
class Labelled:
    """Documents whose sentences have states; the last state is the insertion state."""

    documents: list
    labels: list
    n_states: int

    @property
    def flat_labels(self):
        """The states of all sentences in one array."""
        return np.array(list(itertools.chain.from_iterable(self.labels)), dtype=np.int64)


@st.composite
def labelled(draw, max_states=4, max_documents=6):
    """Documents with states at random; states may stay empty, the insertion state too."""
    n_states = draw(st.integers(1, max_states))
    drawn = draw(collections(max_documents=max_documents))
    state = st.integers(0, n_states - 1)
    labels = [draw(st.lists(state, min_size=len(d), max_size=len(d))) for d in drawn]
    return Labelled(drawn, labels, n_states)


def encoded(documents, vocabulary_of=None):
    """Encode documents, by their own vocabulary or by that of other ones."""
    return encode(documents, Vocabulary.of(documents if vocabulary_of is None else vocabulary_of))


@dataclass(frozen=True)
class Hmm:
    """What a kernel takes: a chain, emissions, and documents of ragged lengths."""

    chain: Chain
    log_emission: np.ndarray
    offsets: np.ndarray

    @property
    def lists(self):
        """The chain as plain lists, for the oracles."""
        return [a.tolist() for a in (self.chain.log_initial, self.chain.log_transition, self.chain.log_final)]

    def parts(self):
        """The emissions of each document."""
        return [self.log_emission[a:b] for a, b in itertools.pairwise(self.offsets)]


def make_hmm(rng, n_states, lengths, low=-8.0, *, coarse=False):
    """Draw an HMM; with coarse values many paths tie, and their sums are exact."""
    shapes = [(n_states,), (n_states, n_states), (n_states,), (sum(lengths), n_states)]
    if coarse:
        arrays = [-rng.integers(0, 3, shape) / 2.0 for shape in shapes]
    else:
        arrays = [rng.uniform(low, 0.0, shape) for shape in shapes]
    return Hmm(Chain(*arrays[:3]), arrays[3], np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]))


@st.composite
def hmms(draw, max_states=4, max_length=5, max_documents=5, min_length=0):
    """HMMs with values of all sizes, smoothed defaults in their rows, and many ties."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lengths = draw(st.lists(st.integers(min_length, max_length), min_size=1, max_size=max_documents))
    n_states = draw(st.integers(1, max_states))
    hmm = make_hmm(rng, n_states, lengths, draw(st.sampled_from([-1.0, -8.0, -60.0])), coarse=draw(st.booleans()))
    if draw(st.booleans()):  # like a content model: most transitions are the smallest of their row
        log_transition = hmm.chain.log_transition
        is_default = rng.random(log_transition.shape) < 0.7
        log_transition[:] = np.where(is_default, log_transition.min(axis=1, keepdims=True), log_transition)
    return hmm


def distinct_similarities(rng, n):
    """Draw a symmetric float32 matrix above 0 in which no two pairs tie."""
    values = (rng.permutation(n * (n - 1) // 2) + 1) / (n * n)
    matrix = np.zeros((n, n), dtype=np.float32)
    matrix[np.triu_indices(n, 1)] = values
    return matrix + matrix.T


def tied_similarities(rng, n):
    """Draw a symmetric float32 matrix in which most pairs tie, many of them at 0."""
    matrix = np.triu(rng.integers(0, 4, (n, n)), 1).astype(np.float32) / 4
    return matrix + matrix.T
