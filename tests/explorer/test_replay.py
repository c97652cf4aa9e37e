"""The replay takes the steps that training took."""

from dataclasses import replace

import numpy as np

from driftline.explorer.subject import Documents, Subject
from driftline.explorer.views.replay import replay
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus
from driftline.settings import Settings


def test_it_ends_where_training_ended(subject):
    """As many sentences move in each iteration as the record says, and the last sizes are the model's."""
    shown = replay(subject)

    assert tuple(iteration.n_moved for iteration in shown.iterations[1:]) == subject.model.record.moved
    sizes = {track.state: size for track, size in zip(shown.tracks, shown.iterations[-1].sizes, strict=True)}
    sizes.pop(None, None)
    expected = subject.model.estimate.counts.sentence_counts
    assert [sizes[state] for state in range(subject.model.n_states)] == expected.tolist()


def test_sentences_are_conserved(quakes):
    """What moves out of a topic moves into another one, also where topics lose all their sentences and end."""
    model = fit(quakes, Settings(n_clusters=300, min_cluster_size=2))
    shown = replay(Subject(model, "m", Documents(model, quakes)))

    assert any(track.state is None for track in shown.tracks)
    for before, after in zip(shown.iterations, shown.iterations[1:], strict=False):
        change = np.zeros(len(shown.tracks), dtype=int)
        for move in after.moves:
            assert move.source != move.target
            change[move.source] -= move.n_sentences
            change[move.target] += move.n_sentences
        assert sum(move.n_sentences for move in after.moves) == after.n_moved
        assert (np.array(before.sizes) + change).tolist() == list(after.sizes)
        assert sum(after.sizes) == shown.n_sentences


def test_examples_are_sentences_that_moved(subject):
    """Each example stands in the document it is said to come from."""
    corpus = subject.documents.corpus
    for iteration in replay(subject).iterations:
        for move in iteration.moves:
            assert 1 <= len(move.examples) <= move.n_sentences
            for example in move.examples:
                assert corpus[example.number].id == example.document
                assert example.text in corpus[example.number].sentences


def test_where_there_is_nothing_to_replay(subject, bare, words_model, words_corpus):
    """Without the training documents, or for a model that was not trained, it says so plainly."""
    model = subject.model
    others = Subject(model, "m", Documents(model, sample_corpus("earthquakes", "test")))

    assert "Give the training documents" in replay(bare).told
    assert "not those that the model was learned from" in replay(others).told
    assert "given labels" in replay(Subject(words_model, "m", Documents(words_model, words_corpus))).told
    assert replay(replace(bare)).iterations == ()
