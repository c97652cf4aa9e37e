"""Training replay: how sentences moved between topics from iteration to iteration.

Fitting is deterministic, so the replay takes the same steps again and looks at each of them.
"""

import itertools
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from driftline.explorer.subject import Documents, Subject, TopicName
from driftline.model.content_model import encode_corpus
from driftline.model.training import State, reestimate, start
from driftline.text.corpus import Corpus
from driftline.text.encoding import EncodedCorpus

_MOST_MOVES = 400
_EXAMPLES = 3

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Moved:
    """A sentence that changed its topic."""

    text: str
    document: str
    number: int
    """Of its document."""


@dataclass(frozen=True)
class Move:
    """Sentences that went from one topic to another in one iteration. Topics are named by their tracks."""

    source: int
    target: int
    n_sentences: int
    examples: tuple[Moved, ...]


@dataclass(frozen=True)
class Iteration:
    """The topics after an iteration; iteration 0 is the first clustering."""

    sizes: tuple[int, ...]
    """[track] Sentences."""
    n_topics: int
    n_moved: int
    moves: tuple[Move, ...]
    """Into this iteration, the largest first."""
    log_probability: float | None
    """Of the best paths, by the model before this iteration."""


@dataclass(frozen=True)
class Track:
    """A topic through all iterations; one that lost all its sentences ends before the last."""

    state: int | None
    """Its number in the finished model."""
    position: float
    """The mean place of its sentences when it is last seen."""
    example: str
    """A sentence that it began with."""


@dataclass(frozen=True)
class Replay:
    """All that the page draws."""

    names: tuple[TopicName, ...]
    told: str | None
    """Why there is nothing to replay, if there is not."""
    tracks: tuple[Track, ...]
    iterations: tuple[Iteration, ...]
    n_sentences: int
    ending: str


def replay(subject: Subject) -> Replay:
    """Take the steps of training again, if the documents at hand are those it was done on."""
    record = subject.model.record
    if record.ending == "labels":
        return _nothing(subject, "This model was estimated from given labels: nothing was re-estimated.")
    if subject.documents is None:
        return _nothing(subject, "Give the training documents to see it: driftline explore MODEL CORPUS.")
    if not subject.documents.are_training:
        return _nothing(subject, "The documents given are not those that the model was learned from.")
    return replace(subject.documents.once(_replay), names=subject.names)


def _nothing(subject: Subject, told: str) -> Replay:
    return Replay(subject.names, told, (), (), subject.model.record.n_sentences, "")


@dataclass(frozen=True)
class _Sentences:
    """The sentences of a corpus in a row, and where each of them comes from."""

    corpus: Corpus
    encoded: EncodedCorpus

    @property
    def places(self) -> NDArray[np.float64]:
        """How far along its document each sentence stands."""
        home, offsets = self.encoded.document_of_sentence, self.encoded.document_offsets
        place = np.arange(self.encoded.n_sentences) - offsets[home]
        shares: NDArray[np.float64] = (place + 0.5) / np.diff(offsets)[home]
        return shares

    def moved(self, sentence: int) -> Moved:
        """Name one sentence."""
        number = int(self.encoded.document_of_sentence[sentence])
        document = self.corpus[number]
        place = sentence - int(self.encoded.document_offsets[number])
        return Moved(document.sentences[place], document.id, number)


def _replay(documents: Documents) -> Replay:
    """Take the steps, with no names of topics: those can change."""
    model, corpus = documents.model, documents.corpus
    settings = model.settings
    _, encoded = encode_corpus(corpus, settings)
    sentences = _Sentences(corpus, encoded)
    state, _, _ = start(encoded, settings)
    n_tracks = state.estimate.counts.n_states
    tracks = np.arange(n_tracks)  # [state] which track each state of now is
    history, infos = [state.states], []
    for after, info in reestimate(state, encoded, settings):
        tracks = tracks[_kept(state, encoded)]
        state = after
        history.append(tracks[after.states])
        infos.append(info)
    iterations = [Iteration(_sizes(history[0], n_tracks), _n_topics(history[0], n_tracks), 0, (), None)]
    for (old, new), info in zip(itertools.pairwise(history), infos, strict=True):
        moves, n_moved = _moves(old, new, sentences), int((old != new).sum())
        iterations.append(
            Iteration(_sizes(new, n_tracks), _n_topics(new, n_tracks), n_moved, moves, info.log_probability)
        )
    state_of = {int(track): number for number, track in enumerate(tracks)}
    return Replay(
        names=(),
        told=None,
        tracks=tuple(_track(track, history, sentences, state_of.get(track)) for track in range(n_tracks)),
        iterations=tuple(iterations),
        n_sentences=encoded.n_sentences,
        ending=model.record.ending,
    )


def _kept(before: State, encoded: EncodedCorpus) -> Integers:
    """Return the states that an iteration keeps: those that still explain a sentence, and the insertion state."""
    states, _ = before.estimate.decode(encoded)
    kept = np.bincount(states, minlength=before.estimate.counts.n_states) > 0
    kept[-1] = True
    return np.flatnonzero(kept)


def _sizes(tracks: Integers, n_tracks: int) -> tuple[int, ...]:
    return tuple(np.bincount(tracks, minlength=n_tracks).tolist())


def _n_topics(tracks: Integers, n_tracks: int) -> int:
    """Count the topics that hold sentences; the last track is everything else."""
    return len(np.unique(tracks[tracks < n_tracks - 1]))


def _moves(before: Integers, after: Integers, sentences: _Sentences) -> tuple[Move, ...]:
    groups: dict[tuple[int, int], list[int]] = {}
    for sentence in np.flatnonzero(after != before):
        groups.setdefault((int(before[sentence]), int(after[sentence])), []).append(int(sentence))
    ranked = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return tuple(
        Move(*pair, len(members), tuple(map(sentences.moved, members[:_EXAMPLES])))
        for pair, members in ranked[:_MOST_MOVES]
    )


def _track(track: int, history: list[Integers], sentences: _Sentences, state: int | None) -> Track:
    held = [np.flatnonzero(tracks == track) for tracks in history if (tracks == track).any()]
    if not held:
        return Track(state, 0.5, "")
    return Track(state, float(sentences.places[held[-1]].mean()), sentences.moved(int(held[0][0])).text)
