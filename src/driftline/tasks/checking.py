"""Checking a draft against what is usual in its domain: what is missing, misplaced, abrupt or foreign, and why."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from driftline.errors import InputError
from driftline.model.content_model import AnyDocument, ContentModel, Floats, document_words
from driftline.model.description import counted
from driftline.model.familiarity import FEWEST_IN_SENTENCE, FEWEST_WORDS, percentile
from driftline.model.reference import Evidence, Reference, order_worth
from driftline.model.themes import PRESENT
from driftline.model.topics import Topic, topics
from driftline.tasks.domain import domain_fit
from driftline.tasks.findings import AbruptStep, Check, MissingTopic, Suspect, UnlikeSentence
from driftline.tasks.misplaced import Move, rank_moves
from driftline.tasks.texts import sentence_texts
from driftline.text.encoding import EncodedCorpus
from driftline.text.excerpt import excerpt

CLEAR_ODDS = 100.0
"""Other places must be so many times more probable than its own for a sentence to be clearly misplaced."""

_RARE_SENTENCE = 0.01  # the share of a domain's own sentences that may count as unlike it
_WORDS_NAMED = 6
_QUOTED = 60


@dataclass(frozen=True)
class _Draft:
    """A document as all finders see it."""

    texts: tuple[str, ...]
    words: Sequence[Sequence[str]]
    encoded: EncodedCorpus
    states: tuple[int, ...]
    topics: tuple[Topic, ...]

    @classmethod
    def of(cls, model: ContentModel, document: AnyDocument) -> "_Draft":
        return cls(
            sentence_texts(document),
            document_words(document, model.masker),
            model.encode([document]),
            tuple(map(int, model.v_topics(document))),
            topics(model),
        )

    def quote(self, sentence: int) -> str:
        return f'"{excerpt(self.texts[sentence], _QUOTED)}"'

    def label(self, state: int) -> str:
        return f"[{state}] {self.topics[state].label}"


def check(model: ContentModel, document: AnyDocument) -> Check:
    """Read a draft: what it lacks, what stands in the wrong place, and whether it is of the domain at all.

    >>> import driftline
    >>> model = driftline.fit(driftline.sample_corpus("finance"))
    >>> found = check(model, driftline.sample_corpus("earthquakes")[0])
    >>> found.domain.foreign, found.status
    (True, 4)
    """
    if not isinstance(model, ContentModel):
        raise InputError(f"model: expected a driftline.ContentModel, got {model!r:.80}")
    domain, draft = domain_fit(model, document), _Draft.of(model, document)
    moves = rank_moves(model, document, len(draft.texts), model.n_states)
    suspects = tuple(_suspects(moves or (), draft))
    notes = [] if moves is not None else [f"{len(draft.texts)} sentences are too many to try other places for each"]
    if model.reference is None:
        verdict = "no score, since what is usual in the domain is not known"
        return Check(domain, (), suspects, (), (), None, verdict, (*notes, domain.reason))
    log_emission = model.estimate.emissions.score(draft.encoded)
    evidence = Evidence.of(model.estimate, log_emission)
    place = _percentile(model, model.reference, draft, log_emission, evidence)
    return Check(
        domain=domain,
        missing=tuple(_missing(model.reference, draft, evidence)),
        suspects=suspects,
        abrupt=tuple(_abrupt(model, model.reference, draft, evidence)),
        unlike=tuple(_unlike(model.reference, draft)),
        percentile=place,
        verdict=_verdict(place, model.record.n_documents),
        notes=tuple(notes),
    )


def _suspects(moves: Sequence[Move], draft: _Draft) -> Iterator[Suspect]:
    """Say why, and which doubts are findings: of two sentences that would change sides, the first one alone."""
    told: list[Move] = []
    for move in moves:
        sentence = move.sentence
        clear = move.doubt > math.log(CLEAR_ODDS) and move.place != sentence
        clear = clear and all(abs(sentence - other.sentence) > 1 for other in told)
        if clear:
            told.append(move)
        yield Suspect(
            sentence, draft.texts[sentence], move.place, move.gain, move.doubt, clear, _move_reason(move, draft)
        )


def _move_reason(move: Move, draft: _Draft) -> str:
    if move.place == move.sentence:
        return "no other place is more probable"
    state = draft.states[move.sentence]
    # What stands before the proposed place once the sentence is taken out.
    before = move.place - 1 if move.place <= move.sentence else move.place
    where = "at the beginning" if move.place == 0 else f"after sentence {before + 1}, {draft.quote(before)}"
    usual = "" if draft.topics[state].is_insertion else (
        f"; what it is about, {draft.label(state)}, usually stands {_whereabouts(draft.topics[state].position)}"
    )  # fmt: skip
    return f"it would stand better {where}{usual}"


def _missing(reference: Reference, draft: _Draft, evidence: Evidence) -> Iterator[MissingTopic]:
    expected, told = evidence.posterior.sum(axis=0), set(draft.states)
    for theme in reference.norms.themes:
        # What its words alone would allow, no sentence is about if the most probable topics say so.
        if expected[list(theme.states)].sum() >= PRESENT and not told.isdisjoint(theme.states):
            continue
        members = sorted((draft.topics[state] for state in theme.states), key=lambda topic: -topic.n_sentences)
        n_sentences = max(sum(topic.n_sentences for topic in members), 1)
        position = sum(topic.position * topic.n_sentences for topic in members) / n_sentences
        label = " / ".join(topic.label for topic in members[:2]) + (" / …" if len(members) > 2 else "")
        example = next((example for topic in members for example in topic.examples), None)
        yield MissingTopic(
            theme.states, label, theme.share, position, example,
            f"{theme.share:.0%} of such documents have it, usually {_whereabouts(position)}",
        )  # fmt: skip


def _abrupt(model: ContentModel, reference: Reference, draft: _Draft, evidence: Evidence) -> Iterator[AbruptStep]:
    for place, worth in enumerate(evidence.steps(model.estimate).tolist(), 1):
        if worth < reference.norms.abrupt:
            before, after = draft.states[place - 1], draft.states[place]
            counts = model.estimate.counts
            both, n_before = int(counts.document_pair_counts[before, after]), int(counts.document_counts[before])
            usual = ", ".join(
                f"{'the end' if n.state is None else draft.label(n.state)} ({n.share:.0%})"
                for n in draft.topics[before].after[:2]
            )
            yield AbruptStep(
                place, draft.texts[place], worth,
                f"{draft.label(after)} follows {draft.label(before)} in {both} of "
                f"{counted(n_before, 'training document')}; what usually follows: {usual or 'nothing'}",
            )  # fmt: skip


def _unlike(reference: Reference, draft: _Draft) -> Iterator[UnlikeSentence]:
    scale, vocabulary = reference.norms.sentences, reference.words.vocabulary
    if scale is None:
        return
    measured = reference.words.sentences(draft.encoded)
    familiarity = scale.familiarity(measured)
    rare = (measured.n_words >= FEWEST_IN_SENTENCE) & (familiarity < scale.threshold(_RARE_SENTENCE))
    for sentence in np.flatnonzero(rare).tolist():
        unknown = tuple(dict.fromkeys(word for word in draft.words[sentence] if word not in vocabulary.index))
        share, named = measured.unknown[sentence], ", ".join(unknown[:_WORDS_NAMED])
        yield UnlikeSentence(
            sentence, draft.texts[sentence], unknown, scale.percentile(float(familiarity[sentence])),
            f"{share:.0%} of its words stand in no training document: {named}"
            if share
            else "all of its words are known, but few documents of the domain use them",
        )  # fmt: skip


def _percentile(
    model: ContentModel, reference: Reference, draft: _Draft, log_emission: Floats, evidence: Evidence
) -> float | None:
    measured = reference.words.documents(draft.encoded)
    if measured.n_words[0] < FEWEST_WORDS:
        return None
    order = order_worth(model.estimate, log_emission, draft.encoded.document_offsets, evidence)
    familiarity = reference.norms.documents.familiarity(measured)
    return percentile(reference.norms.overall, float(reference.overall(familiarity, order)[0]))


def _verdict(place: float | None, n_documents: int) -> str:
    if place is None:
        return "no score: too few words"
    words = next(word for limit, word in _WORDS_FOR if place < limit)
    ruler = counted(n_documents, "training document")
    return f"{words}: words and order fit the domain better than in {place:.0%} of its {ruler}"


_WORDS_FOR = (
    (0.02, "very unusual"),
    (0.1, "unusual"),
    (0.25, "below average"),
    (0.75, "usual"),
    (2.0, "very typical"),
)


def _whereabouts(position: float) -> str:
    return next(words for limit, words in _PLACES if position < limit)


_PLACES = (
    (0.15, "at the beginning"), (0.4, "in the first half"), (0.6, "in the middle"), (0.85, "in the second half"),
    (2.0, "at the end"),
)  # fmt: skip
