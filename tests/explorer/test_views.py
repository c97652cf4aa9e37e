"""Views: what they say is what the model and its counts say."""

import itertools
import time
from dataclasses import replace

import numpy as np
import pytest

import driftline
from driftline.explorer.marks import Marker
from driftline.explorer.subject import Documents, Subject
from driftline.explorer.views import trial
from driftline.explorer.views.document import document, explain_sentences
from driftline.explorer.views.flow import flow
from driftline.explorer.views.ribbons import likeness_order, ribbons
from driftline.explorer.views.topic import topic
from driftline.tasks.ranking import Rank
from driftline.text.corpus import Corpus

# The flow


def test_steps_are_transitions(subject):
    """Each step has the model's probability and the documents that take it, the most probable first."""
    model, record = subject.model, flow(subject)

    probabilities = [step.probability for step in record.steps]
    assert probabilities == sorted(probabilities, reverse=True)
    for step in record.steps[:50]:
        if step.source is None:
            expected = model.log_initial[step.target]
        elif step.target is None:
            expected = model.log_final[step.source]
        else:
            expected = model.log_transition[step.source, step.target]
        assert step.probability == pytest.approx(np.exp(expected), rel=1e-12)
        assert step.n_documents > 0


def test_parts_are_where_topics_stand(subject):
    """The three parts name the topics with the most sentences there."""
    positions = subject.model.estimate.counts.position_counts[:-1]
    for part, (start, stop) in zip(flow(subject).parts, [(0, 3), (3, 7), (7, 10)], strict=True):
        assert part.topics[0].state == positions[:, start:stop].sum(axis=1).argmax()


def test_topics_stand_in_reading_order(subject):
    """Topics are listed by their place in a document; everything else is the last."""
    record = flow(subject)
    positions = [found.position for found in record.topics[:-1]]

    assert positions == sorted(positions)
    assert record.topics[-1].state == subject.model.insertion_state
    assert sorted(name.rank for name in record.names) == list(range(subject.model.n_states))


# Marks


def test_marks_keep_the_text(subject, quakes):
    """The pieces of a marked sentence, put together, are the sentence."""
    for shown in quakes.documents[:20]:
        for row, sentence in zip(explain_sentences(subject, shown), shown.sentences, strict=True):
            assert "".join(text for text, _ in row.pieces) == sentence


def test_words_that_decide_are_marked(words_model):
    """A pair of words that only one topic has is marked there, and nowhere else."""
    marker = Marker(words_model)

    assert marker.pieces("no one died", ["no", "one", "died"], 1) == (("no one died", 2),)
    assert marker.pieces("no one died", ["no", "one", "died"], 0) == (("no one died", 0),)
    assert marker.pieces("", [], 0) == ()


def test_generic_words_are_found_in_the_text(subject):
    """A run of names or numbers is marked as the one word that stands for it."""
    sentence = "At least 1,200 people were killed in San Lorenzo."
    words = subject.words_of([sentence])[0]

    pieces = subject.marker.pieces(sentence, words, 0)

    assert any(level and text.startswith("At least 1,200") for text, level in pieces)


def test_known_pairs_leave_out_the_sentence_itself(words_model):
    """For a training document, the pairs that only its own sentence has are not known."""
    marker = Marker(words_model)
    words = ["a", "quake", "hit", "athens"]

    assert marker.known_pairs(words, 0, own=0) == (3, 3)
    assert marker.known_pairs(words, 0, own=1) == (2, 3)
    assert marker.known_pairs(["unseen", "words"], 0, own=0) == (0, 1)


# A topic


def test_a_topic_is_that_of_topics(subject):
    """Its figures are those of `topics`, its rates those of the counts."""
    page, found = topic(subject, 1), subject.topics[1]

    assert (page.label, page.share, page.positions) == (found.label, found.share, found.positions)
    for row, bigram in zip(page.bigrams, found.bigrams, strict=True):
        assert row.topic_rate / row.domain_rate == pytest.approx(bigram.lift, rel=1e-9)
        assert 0 < row.topic_rate <= 1000
    assert page.n_given == (subject.documents.tagged().states == 1).sum()
    assert sum(page.all_positions) == pytest.approx(1.0, rel=1e-9)


def test_the_chance_of_a_summary(subject):
    """With human summaries the chance is that of the model; where too few articles tell, it says so."""
    able = driftline.learn_summaries(subject.model, driftline.sample_corpus("earthquakes", "pairs"))
    known = Subject(able, "m")

    for state in range(able.n_states):
        chance = topic(known, state).summary
        if able.summaries.known[state]:
            assert chance.share == able.summaries.probability[state]
        else:
            assert chance.share is None
            assert "too few to tell" in chance.reason
    assert topic(subject, 0).summary.share is None


def test_a_topic_without_examples(quakes):
    """A model that keeps no text of its documents still has its page."""
    model = driftline.fit(quakes, driftline.Settings(n_examples=0))

    assert topic(Subject(model, "m"), 0).sentences == ()
    assert topic(Subject(model, "m"), 0).n_given is None
    assert trial.trial(Subject(model, "m")).sample == ()


# Documents


def test_confidence_is_the_posterior(subject, quakes):
    """The topic and the confidence of each sentence are those of `tag`."""
    tags = driftline.tag(subject.model, quakes[7])
    page = document(subject, 7)

    assert tuple(row.state for row in page.sentences) == tags.states
    assert tuple(row.probability for row in page.sentences) == pytest.approx(tags.probabilities, rel=1e-12)
    assert page.log_probability == pytest.approx(tags.log_probability, rel=1e-12)


def test_departures(subject, quakes):
    """A document turned around departs from its domain more often than as it stands; foreign sentences are told."""

    def n_departures(sentences):
        return sum(len(row.departures) for row in explain_sentences(subject, sentences))

    longer = [d.sentences for d in driftline.sample_corpus("earthquakes", "test") if len(d) >= 8]
    assert sum(map(n_departures, longer)) < sum(n_departures(sentences[::-1]) for sentences in longer)
    foreign = ["Add two cups of flour, whisk gently and fold the egg whites into the batter."]
    kinds = {departure.kind for departure in explain_sentences(subject, foreign)[0].departures}
    assert kinds & {"words", "digression"}


# Ribbons


def test_ribbons_are_tags(subject, quakes):
    """Each strip is the V-topics of its document; each order holds every document once."""
    record = ribbons(subject)

    for number in (0, 17, 99):
        assert list(record.states[number]) == subject.model.v_topics(quakes[number]).tolist()
    for order in (record.by_likeness, record.by_length, record.by_oddness):
        assert sorted(order) == list(range(len(quakes)))
    lengths = [len(quakes[number]) for number in record.by_length]
    assert lengths == sorted(lengths, reverse=True)
    surprise = [record.surprise[number] for number in record.by_oddness]
    assert surprise == sorted(surprise, reverse=True)
    assert record.unknown == 0.0


def test_like_documents_stand_together(subject, quakes):
    """Neighbours in the order of likeness share more topics than neighbours at random do."""
    record = ribbons(subject)

    def shared(order):
        sets = [set(record.states[number]) for number in order]
        return np.mean([len(a & b) / len(a | b) for a, b in itertools.pairwise(sets)])

    assert shared(record.by_likeness) > 1.25 * shared(range(len(quakes)))


def test_likeness_of_equal_rows():
    """Rows that are all alike keep their order, and no row is lost."""
    assert sorted(likeness_order(np.ones((9, 3)))) == list(range(9))
    assert likeness_order(np.zeros((0, 3))) == []
    assert likeness_order(np.ones((1, 3))) == [0]


def test_another_language(quake_model):
    """Documents in another language come through, and it is told how many of their words are unknown."""
    corpus = Corpus.from_sentences(
        [["Ein Erdbeben erschütterte die Küste.", "Niemand wurde verletzt."]] * 3, ids="abc"
    )
    record = ribbons(Subject(quake_model, "m", Documents(quake_model, corpus)))

    assert record.unknown > 0.5
    assert not record.are_training


def test_ten_thousand_documents(quake_model, quakes):
    """Strips of 10,000 documents are laid out in seconds once they are tagged, in less than a megabyte."""
    many = Corpus(tuple(replace(quakes[i % 100], id=str(i)) for i in range(10_000)))
    subject = Subject(quake_model, "m", Documents(quake_model, many))
    states = np.tile(quake_model.v_topics(quakes[0]), 10_000)
    n = len(quakes[0])
    tagged = replace(
        Documents(quake_model, quakes).tagged(), states=states, offsets=np.arange(10_001) * n,
        log_probability=np.full(10_000, -1.0), n_words=np.full(10_000, 100),
    )  # fmt: skip
    subject.documents.__dict__["_tagged"] = tagged
    started = time.process_time()

    record = ribbons(subject)

    assert time.process_time() - started < 10
    assert len(record.states) == 10_000


# Try it


@pytest.mark.parametrize(
    ("rank", "told"),
    [
        (Rank(0, 0, 1, exact=True, interval=(0, 0)), "the only order there is"),
        (Rank(0, 0, 24, exact=True, interval=(0, 0)), "the best of all 24 orders"),
        (Rank(0, 3, 24, exact=True, interval=(0, 0)), "the best of all 24 orders, 3 as good"),
        (Rank(5, 1, 24, exact=True, interval=(5, 5)), "5 of 24 orders are better, 1 as good"),
        (
            Rank(10**30, 0, 10**33, exact=False, interval=(10**29, 10**31)),
            "about 1.0 × 10³⁰ of 1.0 × 10³³ orders are better (1.0 × 10²⁹ to 1.0 × 10³¹)",
        ),
    ],
)
def test_a_rank_in_words(rank, told):
    """A rank is told in words, however large its numbers are."""
    assert trial.describe(rank) == told


def test_a_text_of_two_hundred_sentences(subject, quakes):
    """A long text is tagged, scored and ranked by an estimate; a longer one is refused."""
    sentences = [sentence for shown in quakes for sentence in shown.sentences][:200]

    assert len(trial.read_sentences(subject, sentences).rows) == 200
    scored = trial.score(subject, sentences, range(200))
    assert not scored.exact
    assert 0 <= scored.better_share <= 1
    assert len(trial.shorten(subject, sentences, 50).indices) == 50
    with pytest.raises(driftline.InputError, match="expected 1 to 200"):
        trial.read_sentences(subject, [*sentences, "One more."])
