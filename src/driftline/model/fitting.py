"""Learning a content model from a corpus: the whole line, from documents to a frozen model."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

from driftline.errors import DriftlineWarning, InputError, SettingsError
from driftline.model.clustering import Clustering
from driftline.model.content_model import ContentModel, Ordering, as_evidence, encode_corpus
from driftline.model.description import counted
from driftline.model.examples import typical_sentences
from driftline.model.ordering.learning import learn_order_mix
from driftline.model.reference import learn_reference
from driftline.model.training import StepInfo, TrainingRecord, reestimate, start
from driftline.settings import Settings
from driftline.text.corpus import Corpus

FEW_DOCUMENTS = 20

Progress = Callable[[str], None]
"""Takes a sentence about what is going on."""


def with_reference(model: ContentModel, corpus: Corpus) -> ContentModel:
    """Let a model know what is usual in the documents that it was learned from."""
    encoded = model.encode(corpus.documents)
    states, _ = model.estimate.decode(encoded)
    return replace(model, reference=learn_reference(corpus, encoded, states, model.estimate, model.settings))


def fit(
    corpus: Corpus,
    settings: Settings | None = None,
    *,
    ordering: Ordering = "content",
    on_progress: Progress | None = None,
) -> ContentModel:
    """Learn a content model from the documents of one domain; with ordering "best", also all else that orders.

    >>> corpus = Corpus.from_words([[["a", "quake", "hit"], ["no", "one", "died"]]] * 20)
    >>> fit(corpus).n_states
    3
    """
    if not isinstance(corpus, Corpus):
        raise InputError(f"corpus: expected a driftline.Corpus, got {corpus!r:.80}")
    settings = settings if settings is not None else Settings()
    if not isinstance(settings, Settings):
        raise SettingsError(f"settings: expected driftline.Settings, got {settings!r:.80}")
    if ordering not in get_args(Ordering):
        raise InputError(f"ordering: expected one of {', '.join(get_args(Ordering))}, got {ordering!r}")
    say = on_progress or (lambda _: None)
    say(f"masking {corpus.n_sentences:,} sentences of {len(corpus):,} documents")
    masker, encoded = encode_corpus(corpus, settings)
    say(f"clustering {min(encoded.n_sentences, settings.max_clustered_sentences):,} sentences")
    state, clustering, n_clustered = start(encoded, settings)
    infos: list[StepInfo] = []
    for next_state, info in reestimate(state, encoded, settings):
        state = next_state
        infos.append(info)
        say(f"iteration {info.iteration}: {info.n_moved:,} of {encoded.n_sentences:,} sentences moved")
    record = first_record(len(corpus), encoded.n_sentences, n_clustered, clustering)
    if infos:
        moved = tuple(info.n_moved for info in infos)
        record = replace(record, moved=moved, ending=infos[-1].ending or "max_iterations")
    warn_of_little(record, state.estimate.counts.n_states)
    # The model tells the k and the T that were used, not that they were left open.
    resolved = replace(settings, n_clusters=record.n_clusters, min_cluster_size=record.min_cluster_size)
    examples = typical_sentences(corpus, encoded, state.states, state.estimate, settings.n_examples)
    mix = None
    if ordering == "best":
        evidence = [as_evidence(document, masker) for document in corpus]
        mix = learn_order_mix(corpus, evidence, encoded, settings, say)
    # Where no sentence moved, the states are the V-topics.
    states = state.states if record.ending == "converged" else state.estimate.decode(encoded)[0]
    reference = learn_reference(corpus, encoded, states, state.estimate, resolved)
    return ContentModel(
        resolved,
        encoded.vocabulary,
        masker,
        state.estimate,
        record,
        corpus.data_hash,
        examples,
        order_mix=mix,
        reference=reference,
    )


def first_record(n_documents: int, n_sentences: int, n_clustered: int, clustering: Clustering) -> TrainingRecord:
    """Put down how a model began, before re-estimation."""
    return TrainingRecord(
        n_documents=n_documents,
        n_sentences=n_sentences,
        n_clusters=clustering.n_clusters,
        min_cluster_size=clustering.min_cluster_size,
        n_merged=clustering.n_merged,
        n_arbitrary_merges=clustering.n_arbitrary_merges,
        n_sampled_sentences=n_clustered,
        moved=(),
        ending="max_iterations",
    )


def warn_of_little(record: TrainingRecord, n_states: int) -> None:
    """Warn where there is too little to learn from, or too few states to tell anything."""
    if record.n_documents < FEW_DOCUMENTS:
        warnings.warn(
            f"only {counted(record.n_documents, 'document')}: topics will follow single documents, and transitions "
            f"are mostly smoothing; {FEW_DOCUMENTS} or more give topics that hold, 100 are what the paper used",
            DriftlineWarning,
            stacklevel=3,
        )
    elif n_states <= 2:
        warnings.warn(
            f"the model has only {n_states} states (k = {record.n_clusters}, T = {record.min_cluster_size}), so it "
            "cannot tell topics apart; raise n_clusters or lower min_cluster_size",
            DriftlineWarning,
            stacklevel=3,
        )
