"""Emission scores and decoding passes in PyTorch: words go to the device, states come back."""

from collections.abc import Iterator

import numpy as np

try:
    import torch
    from torch.nn.functional import embedding_bag
except ImportError:
    raise ImportError(f"{__name__} needs PyTorch; install driftline[gpu]") from None

from driftline.errors import InputError
from driftline.kernels.hmm import Floats, Integers
from driftline.kernels.torch_hmm import DeviceChain, forward_on_device, viterbi_on_device
from driftline.model.emissions import Emissions
from driftline.model.training import Estimate
from driftline.text.encoding import EncodedCorpus

_SENTENCES_AT_ONCE = 1 << 20


class DeviceEmissions:
    """The emissions of a model on a device, dense: a row a term, a column a state."""

    def __init__(self, emissions: Emissions, device: str) -> None:
        check_device(device)
        self.device, self.vocabulary_size = device, emissions.vocabulary_size
        self.known_bigrams = torch.from_numpy(emissions.bigrams).to(device)
        place = torch.full((emissions.vocabulary_size + 1,), -1, dtype=torch.int64, device=device)
        place[torch.from_numpy(emissions.histories).to(device)] = torch.arange(
            len(emissions.histories), device=device
        )
        self.history_place = place
        # One more row, of zeros, for words that no state has seen.
        n_bigrams = len(emissions.bigrams)
        self.bigram_terms = _dense(emissions.terms[:n_bigrams], device)
        self.history_terms = _dense(emissions.terms[n_bigrams:], device)
        self.seen = _dense(emissions.seen, device)

    def score(self, corpus: EncodedCorpus) -> torch.Tensor:
        """Return the log-probability that each state gives to each sentence, as `Emissions.score` does."""
        words, offsets = (torch.from_numpy(a).to(self.device) for a in (corpus.words, corpus.sentence_offsets))
        bigram, history = self._word_terms(words, offsets, corpus.vocabulary.start)
        scores = self._sum(self.bigram_terms, bigram, offsets) + self._sum(self.history_terms, history, offsets)
        scores -= (offsets.diff().to(scores) * float(np.log(self.vocabulary_size)))[:, None]
        self._sharpen(scores, bigram, offsets)
        return scores

    def _word_terms(
        self, words: torch.Tensor, offsets: torch.Tensor, start: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the row of each word's bigram and of its history, -1 for those that no state has seen."""
        histories = words.roll(1)
        firsts = offsets[:-1]
        histories[firsts[firsts < offsets[1:]]] = start
        bigram = torch.full_like(words, -1)
        if len(self.known_bigrams):
            wanted = histories * self.vocabulary_size + words
            place = torch.searchsorted(self.known_bigrams, wanted).clamp_(max=len(self.known_bigrams) - 1)
            bigram = torch.where(self.known_bigrams[place] == wanted, place, bigram)
        return bigram, self.history_place[histories]

    def _sum(self, rows: torch.Tensor, index: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
        """Add up the rows of the words of each sentence; -1 is the row of zeros."""
        index = torch.where(index < 0, len(rows) - 1, index)
        return embedding_bag(index, rows, offsets, mode="sum", include_last_offset=True)

    def _sharpen(self, scores: torch.Tensor, bigram: torch.Tensor, offsets: torch.Tensor) -> None:
        """Compute anew what is almost certain, as `Emissions.score` does."""
        near = scores[:, :-1] > -float(np.log(self.vocabulary_size)) + 1e-9
        rows = torch.nonzero(near.any(dim=1)).flatten()
        if len(rows):
            lengths = offsets.diff()
            wanted = torch.zeros(len(lengths), dtype=torch.bool, device=scores.device)
            wanted[rows] = True
            kept = bigram[wanted.repeat_interleave(lengths)]
            ends = torch.cat([offsets.new_zeros(1), lengths[rows].cumsum(0)])
            exact = self._sum(self.seen, kept, ends)[:, :-1]
            scores[rows, :-1] = torch.where(near[rows], exact, scores[rows, :-1])
        scores.clamp_(max=0.0)


class DeviceModel:
    """A model on a device, for decoding collections of any size piece by piece."""

    def __init__(self, estimate: Estimate, device: str = "cuda") -> None:
        self.emissions = DeviceEmissions(estimate.emissions, device)
        self.chain = DeviceChain.of(estimate.chain, device)

    def decode(self, corpus: EncodedCorpus) -> tuple[Integers, Floats]:
        """Return the V-topic of every sentence, and the log-probability of each document's best path."""
        found = [
            viterbi_on_device(self.chain, self.emissions.score(piece), piece.document_offsets)
            for piece in _pieces(corpus)
        ]
        states, log_probability = zip(*found, strict=True)
        return np.concatenate(states), np.concatenate(log_probability)

    def log_probability(self, corpus: EncodedCorpus) -> Floats:
        """Return the log-probability of each document (forward algorithm)."""
        return np.concatenate(
            [
                forward_on_device(self.chain, self.emissions.score(piece), piece.document_offsets)
                for piece in _pieces(corpus)
            ]
        )


def check_device(device: str) -> None:
    """Refuse a device that there is not, before the work."""
    try:
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"device: {device!r} cannot be used ({reason})") from None


def _dense(terms: object, device: str) -> torch.Tensor:
    rows = torch.from_numpy(terms.toarray()).to(device)  # type: ignore[attr-defined]
    return torch.cat([rows, rows.new_zeros((1, rows.shape[1]))])


def _pieces(corpus: EncodedCorpus) -> Iterator[EncodedCorpus]:
    """Cut a collection between documents into pieces that fit a device's memory."""
    ends = corpus.document_offsets
    start = 0
    while start < max(corpus.n_documents, 1):
        stop = max(start + 1, int(np.searchsorted(ends, ends[start] + _SENTENCES_AT_ONCE, side="right")) - 1)
        stop = min(stop, corpus.n_documents)
        sentences = corpus.sentence_offsets[ends[start] : ends[stop] + 1]
        words = corpus.words[sentences[0] : sentences[-1]]
        offsets = ends[start : stop + 1] - ends[start]
        yield EncodedCorpus(words, sentences - sentences[0], offsets, corpus.vocabulary)
        start = max(stop, start + 1)
