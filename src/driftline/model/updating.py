"""Adding documents to a model later: their counts join those that the model holds, and the old text is not needed.

The old sentences keep their states, as nobody can read them again; the new ones are placed by Viterbi passes.
"""

import hashlib
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from driftline.errors import InputError
from driftline.model.content_model import ContentModel, document_words
from driftline.model.counts import Counts
from driftline.model.ordering.order_mix import OrderMix
from driftline.model.reference import grown
from driftline.model.training import Estimate
from driftline.settings import Settings
from driftline.text.corpus import Corpus
from driftline.text.encoding import Vocabulary, count_words, encode
from driftline.text.masking import BuiltinMasker, Masker, NameEvidence, learn_names

Floats = NDArray[np.float64]


def update(model: ContentModel, corpus: Corpus, *, passes: int = 3) -> ContentModel:
    """Add new documents of the same domain to a model.

    Each pass places the new sentences in their V-topics by the model so far, until none moves. A document that
    the model has learned from before would count twice.

    >>> import driftline
    >>> train = driftline.sample_corpus("earthquakes")
    >>> model = driftline.fit(train.select(range(80)))
    >>> update(model, train.select(range(80, 100))).record.n_documents
    100
    """
    if not isinstance(corpus, Corpus):
        raise InputError(f"corpus: expected a driftline.Corpus, got {corpus!r:.80}")
    if not isinstance(passes, int) or isinstance(passes, bool) or passes < 1:
        raise InputError(f"passes: expected a whole number of at least 1, got {passes!r}")
    if not len(corpus):
        raise InputError("the corpus holds no document")
    masker = _learned_anew(model.masker, corpus)
    words = [document_words(document, masker) for document in corpus]
    vocabulary = extend(model.vocabulary, count_words(words), model.settings.max_words)
    old = renumber(model.estimate.counts, model.vocabulary, vocabulary)
    new = encode(words, vocabulary)
    estimate, before = Estimate.of(old, vocabulary.size, model.settings), None
    for _ in range(passes):
        states, _ = estimate.decode(new)
        if before is not None and (states == before).all():
            break
        counts = old + Counts.of(new, states, model.n_states)
        estimate, before = Estimate.of(counts, vocabulary.size, model.settings), states
    record = replace(
        model.record,
        n_documents=model.record.n_documents + len(corpus),
        n_sentences=model.record.n_sentences + new.n_sentences,
        n_added_documents=model.record.n_added_documents + len(corpus),
        n_added_sentences=model.record.n_added_sentences + new.n_sentences,
    )
    both = hashlib.sha256(f"{model.data_hash}+{corpus.data_hash}".encode()).hexdigest()[:12]
    reference = None if model.reference is None else grown(model.reference, corpus, new)
    mix = model.order_mix and _over(model.order_mix, model.vocabulary, vocabulary, model.settings)
    return replace(
        model, vocabulary=vocabulary, masker=masker, estimate=estimate, record=record, data_hash=both,
        order_mix=mix, reference=reference,
    )  # fmt: skip


def extend(vocabulary: Vocabulary, counts: dict[str, int], max_words: int) -> Vocabulary:
    """Add the most frequent of the new words, as long as there is room; the old ones stay."""
    new = {word: count for word, count in counts.items() if word not in vocabulary.index}
    room = max(max_words - len(vocabulary.words), 0)
    return Vocabulary(tuple(sorted([*vocabulary.words, *Vocabulary.of_counts(new, room).words])))


def renumber(counts: Counts, old: Vocabulary, new: Vocabulary) -> Counts:
    """Express counts in a vocabulary that holds all words of the old one; their order stays."""
    number = np.array([*(new.index[word] for word in old.words), new.unknown, new.start])
    histories, words = np.divmod(counts.bigrams, old.size)
    return replace(counts, bigrams=number[histories] * new.size + number[words])


def _over(mix: OrderMix, old: Vocabulary, new: Vocabulary, settings: Settings) -> OrderMix:
    """Express what orders sentences in a larger vocabulary; it learns nothing from the new documents."""
    members = tuple(
        Estimate.of(renumber(member.counts, old, new), new.size, replace(settings, emission_smoothing=smoothing))
        for member, smoothing in zip(mix.members, mix.smoothings, strict=True)
    )
    return replace(mix, members=members)


@dataclass(frozen=True)
class Movement:
    """How far a model has moved, in total variation: 0 is not at all, 1 is to something else altogether."""

    words: tuple[float, ...]
    """Of each topic's distributions of the next word, averaged over the words it has seen."""
    transitions: tuple[float, ...]
    """Of each state's distribution of the next state."""
    initial: float
    """Of the distribution of first states."""
    mean_words: float
    """Averaged over topics by their sentences."""
    mean_transitions: float


def movement(before: ContentModel, after: ContentModel) -> Movement:
    """Say how far each state has moved from one model to another that was made of it by :func:`update`."""
    if before.n_states != after.n_states or not set(before.vocabulary.words) <= set(after.vocabulary.words):
        raise InputError("after: expected a model that `update` made of the one before")
    words = _word_movement(before, after)
    rows = [np.exp(np.column_stack([m.log_transition, m.log_final])) for m in (before, after)]
    transitions = _variation(*(row / row.sum(axis=1, keepdims=True) for row in rows))
    firsts = [np.exp(m.log_initial) for m in (before, after)]
    sizes = after.estimate.counts.sentence_counts
    return Movement(
        tuple(map(float, words)),
        tuple(map(float, transitions)),
        float(_variation(*(first[None] / first.sum() for first in firsts))[0]),
        float(words @ sizes[:-1] / max(sizes[:-1].sum(), 1)),
        float(transitions @ sizes / max(sizes.sum(), 1)),
    )


def _variation(before: Floats, after: Floats) -> Floats:
    distance: Floats = np.abs(before - after).sum(axis=1) / 2
    return distance


def _word_movement(before: ContentModel, after: ContentModel) -> Floats:
    """Compare p_s(w'|w) before and after, over all words w' and averaged over the histories w of the state after."""
    size, smoothing, m = after.vocabulary.size, after.settings.emission_smoothing, after.n_states
    new = after.estimate.counts
    old = renumber(before.estimate.counts, before.vocabulary, after.vocabulary)
    keys = new.bigrams * m + new.bigram_states
    old_counts = np.zeros(len(keys), dtype=np.int64)
    old_counts[np.searchsorted(keys, old.bigrams * m + old.bigram_states)] = old.bigram_counts
    rows, row = np.unique(new.bigrams // size * m + new.bigram_states, return_inverse=True)
    held_new, held_old = (np.bincount(row, weights=c, minlength=len(rows)) for c in (new.bigram_counts, old_counts))
    all_new, all_old = held_new + smoothing * size, held_old + smoothing * size
    seen = np.abs((new.bigram_counts + smoothing) / all_new[row] - (old_counts + smoothing) / all_old[row])
    unseen = (size - np.bincount(row, minlength=len(rows))) * np.abs(smoothing / all_new - smoothing / all_old)
    distance = (np.bincount(row, weights=seen, minlength=len(rows)) + unseen) / 2
    total, weight = (np.bincount(rows % m, weights=w, minlength=m)[:-1] for w in (distance * held_new, held_new))
    moved: Floats = total / np.maximum(weight, 1)
    return moved


def _learned_anew(masker: Masker | None, corpus: Corpus) -> Masker | None:
    """Let the masker learn the words that it knew nothing of."""
    if not isinstance(masker, BuiltinMasker):
        return masker
    known = masker.evidence.common | masker.evidence.names
    found = learn_names(sentence for document in corpus for sentence in document.sentences)
    common, names = masker.evidence.common | (found.common - known), masker.evidence.names | (found.names - known)
    return BuiltinMasker(NameEvidence(common, names))
