"""Learning to order past the paper: evidence from known orders, and the weights of one score from held-out ones.

Weights are learned on documents that the evidence has not seen: the training documents are cut into folds
by story, and each fold is judged by what was learned from the others. The content models of those folds,
each with settings of its own, are the ensemble.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from driftline.errors import InputError
from driftline.kernels.hmm import Floats, Integers
from driftline.kernels.log_linear import learn_weights
from driftline.kernels.order_problem import OrderProblem
from driftline.kernels.pair_regression import Values
from driftline.kernels.threads import one_blas_thread
from driftline.model.ordering.order_mix import MixWeights, OrderMix, scaled, shares
from driftline.model.ordering.pair_evidence import Evidence, LocalFeatures, PairEvidence, Scale, sentence_rows
from driftline.model.ordering.sentence_space import Sentence, SentenceSpace
from driftline.model.ordering.stories import stories
from driftline.model.training import Estimate, reestimate, start
from driftline.settings import Settings
from driftline.text.corpus import Corpus
from driftline.text.encoding import EncodedCorpus

N_FOLDS = 5
_MOST_SENTENCES, _MOST_PAIRS = 4_000, 200_000  # of the documents that evidence is learned from
_RANDOM_ORDERS, _MOVES = 40, 60  # that each document is told from
# The members of the ensemble see topics at different grains: sentences a cluster, T, and a factor of delta 1.
_GRAINS = ((12, 4, 1.0), (10, 4, 0.5), (16, 4, 1.0), (11, 3, 2.0), (14, 3, 1.0))

Sentences = Sequence[Sequence[Sentence]]


@dataclass(frozen=True)
class _Known:
    """The documents that evidence is learned from, in a canonical order."""

    sentences: Sentences
    encoded: EncodedCorpus
    folds: Integers
    """[document]"""
    seed: int


def learn_order_mix(
    corpus: Corpus, sentences: Sentences, encoded: EncodedCorpus, settings: Settings, say: Callable[[str], None]
) -> OrderMix:
    """Learn from the documents of a corpus, given as sentences and as arrays as well."""
    known = _known(corpus, sentences, encoded, settings.seed)
    with one_blas_thread():  # so that sums of floats are the same whatever else the machine does
        return _learn(known, settings, say)


def _learn(known: _Known, settings: Settings, say: Callable[[str], None]) -> OrderMix:
    say(f"comparing {known.encoded.n_sentences:,} sentences")
    space = SentenceSpace.of([sentence for document in known.sentences for sentence in document])
    similarity = space.own_similarity()
    raw = [LocalFeatures.of(document, space) for document in known.sentences]
    scales = Scale.of([f.ordered for f in raw], centered=False), Scale.of([f.adjacent for f in raw], centered=True)
    features = [scaled(f, scales) for f in raw]
    advantages: list[Floats] = []
    members, smoothings = [], []
    for fold in range(known.folds.max() + 1):
        say(f"learning which sentence comes first, part {fold + 1} of {known.folds.max() + 2}")
        seen, held = np.flatnonzero(known.folds != fold), np.flatnonzero(known.folds == fold)
        evidence = _evidence_of(known, similarity, features, seen, held)
        own = _own_settings(settings, known.encoded.select(seen).n_sentences, _GRAINS[fold % len(_GRAINS)])
        member = _member(known.encoded.select(seen), own)
        members.append(member)
        smoothings.append(own.emission_smoothing)
        chains = _chains(member, known.encoded, held)
        for document, one, chain in zip(held.tolist(), evidence, chains, strict=True):
            advantages += _advantages(one, chain, np.random.default_rng([known.seed, document]))
    say("learning what each kind of evidence is worth")
    weights = MixWeights(*learn_weights(advantages).tolist())
    everything = PairEvidence.fit(similarity, known.encoded.document_offsets, features)
    return OrderMix(space, everything, scales, tuple(members), tuple(smoothings), weights)


def _known(corpus: Corpus, sentences: Sentences, encoded: EncodedCorpus, seed: int) -> _Known:
    """Choose the documents: in an order that does not depend on that of the files, and not too many."""
    content = [tuple(s.tokens for s in document) for document in sentences]
    canonical = np.array(sorted(range(len(corpus)), key=content.__getitem__))
    drawn = canonical[np.random.default_rng(seed).permutation(len(canonical))]
    lengths = np.diff(encoded.document_offsets)[drawn]
    drawn = drawn[lengths > 1]
    lengths = lengths[lengths > 1]
    fits = (np.cumsum(lengths) <= _MOST_SENTENCES) & (np.cumsum(lengths**2) <= _MOST_PAIRS)
    fits[:N_FOLDS] = True
    chosen = drawn[fits]
    groups = stories([corpus[int(d)] for d in chosen])
    n_folds = min(N_FOLDS, int(groups.max(initial=-1)) + 1)
    if n_folds < 2:
        raise InputError(
            "ordering: 'best' learns from documents of at least 2 different stories with 2 or more sentences each; "
            f"the corpus has {n_folds}"
        )
    return _Known([sentences[d] for d in chosen], encoded.select(chosen), groups % n_folds, seed)


def _evidence_of(
    known: _Known, similarity: Values, features: Sequence[LocalFeatures], seen: Integers, held: Integers
) -> Iterator[Evidence]:
    """Return the evidence of the documents held out, learned from those that were seen."""
    offsets = known.encoded.document_offsets
    rows = sentence_rows(offsets, seen)
    seen_offsets = np.concatenate([[0], np.cumsum(np.diff(offsets)[seen])])
    learned = PairEvidence.fit(similarity[np.ix_(rows, rows)], seen_offsets, [features[d] for d in seen])
    for d in held:
        yield learned.of(similarity[offsets[d] : offsets[d + 1]][:, rows], features[d])


def _own_settings(settings: Settings, n_sentences: int, grain: tuple[int, int, float]) -> Settings:
    """Give a member of the ensemble a grain of its own, where the user set none."""
    a_cluster, min_size, smoothing = grain
    if settings.n_clusters is None and settings.n_states is None:
        n_clusters = max(1, n_sentences // a_cluster)
        settings = replace(settings, n_clusters=n_clusters, min_cluster_size=settings.min_cluster_size or min_size)
    return replace(settings, emission_smoothing=settings.emission_smoothing * smoothing)


def _member(corpus: EncodedCorpus, settings: Settings) -> Estimate:
    """Learn one content model of the ensemble."""
    state, _, _ = start(corpus, settings)
    for later, _ in reestimate(state, corpus, settings):
        state = later
    return state.estimate


def _chains(member: Estimate, encoded: EncodedCorpus, documents: Integers) -> Iterator[OrderProblem]:
    for d in documents:
        yield OrderProblem.of(member.chain, member.emissions.score(encoded.select(np.array([d]))))


def _advantages(evidence: Evidence, chain: OrderProblem, rng: np.random.Generator) -> Iterator[Floats]:
    """Return by how much the order of a document has more of each kind of evidence than other orders have."""
    n = len(evidence.first)
    for others in (_random_orders(n, rng), _moved_sentences(n, rng)):
        values = shares(evidence, [chain], np.vstack([np.arange(n)[None], others]))
        yield values[0] - values[1:]


def _random_orders(n: int, rng: np.random.Generator) -> Integers:
    drawn = rng.permuted(np.tile(np.arange(n), (_RANDOM_ORDERS, 1)), axis=1)
    others = drawn[(drawn != np.arange(n)).any(axis=1)]
    return others if len(others) else np.arange(n)[None, ::-1]


def _moved_sentences(n: int, rng: np.random.Generator) -> Integers:
    """Return orders with one sentence at another place, all of them or a sample."""
    moves = [(origin, to) for origin in range(n) for to in range(n) if origin != to and to != origin - 1]
    drawn = rng.permutation(len(moves))[:_MOVES]
    return np.array([np.insert(np.delete(np.arange(n), moves[i][0]), moves[i][1], moves[i][0]) for i in drawn])
