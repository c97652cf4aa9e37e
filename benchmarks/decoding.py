"""Scoring and decoding: 1,000 documents and 64 states, beside hmmlearn and a plain loop over dictionaries."""

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from hmmlearn.base import BaseHMM

import driftline
from driftline.kernels.forward import forward
from driftline.kernels.hmm import Chain, Floats, Integers
from driftline.kernels.viterbi import viterbi
from driftline.text.encoding import EncodedCorpus
from measure import SYNTHETIC, Result, Row, fresh_documents, side_by_side
from plain import PlainModel

N_DOCUMENTS, N_STATES, N_PLAIN_DOCUMENTS = 1_000, 64, 20
REPETITIONS = 5


class GivenEmissions(BaseHMM):
    """hmmlearn's HMM with the emissions given as a matrix; what it decodes are the numbers of its rows."""

    def __init__(self, chain: Chain, log_emission: Floats, implementation: str) -> None:
        """Take what driftline's kernels take; likelihoods have the best of each row as 1."""
        super().__init__(chain.n_states, implementation=implementation)
        self.startprob_, self.transmat_ = np.exp(chain.log_initial), np.exp(chain.log_transition)
        self.log_likelihood = log_emission
        self.likelihood = np.exp(log_emission - log_emission.max(axis=1, keepdims=True))

    def _compute_log_likelihood(self, X: Integers) -> Floats:  # noqa: N803 (hmmlearn's name)
        return self.log_likelihood[X[:, 0]]

    def _compute_likelihood(self, X: Integers) -> Floats:  # noqa: N803
        return self.likelihood[X[:, 0]]


def run(_: Path | None) -> Result:
    """Learn 64 states from a bundled corpus, and score and decode fresh documents of the same grammar."""
    corpus = driftline.sample_corpus("earthquakes")
    # hmmlearn refuses rows that do not sum to 1.
    model = driftline.fit(corpus, driftline.Settings(n_states=N_STATES, transitions="normalised"))
    encoded = model.encode(list(islice(fresh_documents(["earthquakes"]), N_DOCUMENTS)))
    # A copy has not yet worked out its bigrams, as no corpus has that is scored for the first time.
    (scoring,) = side_by_side([lambda: model.estimate.emissions.score(replace(encoded))], REPETITIONS)
    our_rate, plain_rate = _scoring_rates(model, corpus)
    return Result(
        (
            *_decoding_rows(model, encoded, scoring),
            Row("scoring", our_rate, "a loop over dictionaries", plain_rate, "sentences/s", 1, higher_is_better=True),
        ),
        (
            f"{SYNTHETIC}: {N_DOCUMENTS:,} documents, {encoded.n_sentences:,} sentences, {model.n_states} states",
            "the two paths, sums and scores of each kind agree to 1e-9",
            model.signature,
        ),
    )


def _decoding_rows(model: driftline.ContentModel, encoded: EncodedCorpus, scoring: float) -> list[Row]:
    """Give both the same emissions, and neither a final factor, which hmmlearn does not know."""
    chain = replace(model.chain, log_final=np.zeros(model.n_states))
    emission, offsets = model.estimate.emissions.score(encoded), encoded.document_offsets
    rows, lengths = np.arange(len(emission))[:, None], np.diff(offsets)
    peer, scaled = (GivenEmissions(chain, emission, implementation) for implementation in ("log", "scaling"))
    kept: dict[str, Any] = {}
    path, their_path, total, their_total, their_scaled = side_by_side(
        [
            lambda: kept.update(path=viterbi(chain, emission, offsets)[0]),
            lambda: kept.update(their_path=peer.decode(rows, lengths)[1]),
            lambda: kept.update(total=forward(chain, emission, offsets).sum()),
            lambda: kept.update(their_total=peer.score(rows, lengths)),
            lambda: kept.update(their_scaled=scaled.score(rows, lengths)),
        ],
        REPETITIONS,
    )
    # Of equally probable paths they may choose different ones.
    scores = [_path_scores(chain, emission, offsets, kept[name]) for name in ("path", "their_path")]
    np.testing.assert_allclose(*scores, rtol=1e-9, atol=0)
    totals = [kept["their_total"], kept["their_scaled"] + emission.max(axis=1).sum()]
    np.testing.assert_allclose(totals, kept["total"], rtol=1e-9, atol=0)
    return [
        Row("Viterbi", path, "hmmlearn decode", their_path, target=5),
        Row("scoring and Viterbi", scoring + path, "hmmlearn decode alone", their_path, target=1),
        Row("forward", total, "hmmlearn score (log)", their_total, target=1),
        Row("forward", total, "hmmlearn score (scaling)", their_scaled, target=1),
    ]


def _path_scores(chain: Chain, emission: Floats, offsets: Integers, path: Integers) -> Floats:
    """Return the log-probability of each document's path, final factor left out."""
    emitted = emission[np.arange(len(path)), path]
    moved = np.where(np.isin(np.arange(len(path)), offsets), 0.0, chain.log_transition[np.roll(path, 1), path])
    scores: Floats = np.add.reduceat(emitted + moved, offsets[:-1]) + chain.log_initial[path[offsets[:-1]]]
    return scores


def _scoring_rates(model: driftline.ContentModel, corpus: driftline.Corpus) -> tuple[float, float]:
    """Return sentences a second, ours and plain, on a few documents that the plain loop can manage."""
    paths = [model.v_topics(document).tolist() for document in corpus]
    settings = model.settings
    known = driftline.ContentModel.from_labels(corpus, paths, model.n_states, settings=settings)
    words = [known.masker.words(document.sentences) for document in corpus]
    plain = PlainModel(words, paths, model.n_states, settings.emission_smoothing, settings.transition_smoothing)
    few = known.encode(corpus.documents[:N_PLAIN_DOCUMENTS])
    sentences = [sentence for document in words[:N_PLAIN_DOCUMENTS] for sentence in document]
    kept: dict[str, Any] = {}
    seconds = side_by_side(
        [
            lambda: kept.update(ours=known.estimate.emissions.score(replace(few))),
            lambda: kept.update(plain=[plain.log_emission(sentence) for sentence in sentences]),
        ],
        1,
    )
    np.testing.assert_allclose(kept["ours"], kept["plain"], rtol=1e-9, atol=0)
    return len(sentences) / seconds[0], len(sentences) / seconds[1]
