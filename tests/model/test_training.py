import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.model.counts import Counts
from driftline.model.training import Estimate, State, reestimate, start, step
from driftline.settings import Settings
from oracles import OracleModel, plain_viterbi
from strategies import collections, encoded, labelled

SETTINGS = Settings(emission_smoothing=0.1)


def state_of(documents, states, n_states, settings=SETTINGS):
    """Where re-estimation stands when sentences have these states."""
    corpus = encoded(documents)
    states = np.array(states, dtype=np.int64)
    counts = Counts.of(corpus, states, n_states)
    return corpus, State(states, Estimate.of(counts, corpus.vocabulary.size, settings))


def decode_as(monkeypatch, *answers):
    """Let every model decode what is given here, one answer after another and again from the first."""
    given_answers = iter(answers * 100)
    monkeypatch.setattr(Estimate, "decode", lambda self, corpus: (np.array(next(given_answers)), -1.0))


@given(labelled())
def test_a_step_places_every_sentence_in_its_v_topic(drawn):
    """One step is the Viterbi decoding of the training data, and the estimate of what it gives."""
    corpus, before = state_of(drawn.documents, drawn.flat_labels, drawn.n_states)
    oracle = OracleModel(drawn.documents, drawn.labels, drawn.n_states, 0.1, 1)

    after, n_moved, log_probability = step(before, corpus, SETTINGS)

    chain = [oracle.log_initial(), oracle.log_transition(), oracle.log_final()]
    best = [plain_viterbi(*chain, [oracle.log_emission(s) for s in document])[1] for document in drawn.documents]
    np.testing.assert_allclose(log_probability, sum(best), rtol=1e-9, atol=0)
    decoded, _ = before.estimate.decode(corpus)
    assert n_moved == int((decoded != drawn.flat_labels).sum())
    # The new estimate is that of the new states: those that are still there, under their new numbers.
    kept = sorted({*decoded.tolist(), drawn.n_states - 1})
    assert after.states.tolist() == [kept.index(state) for state in decoded.tolist()]
    counts = Counts.of(corpus, after.states, len(kept))
    again = Estimate.of(counts, corpus.vocabulary.size, SETTINGS)
    np.testing.assert_array_equal(after.estimate.chain.log_transition, again.chain.log_transition)


@given(collections(min_documents=2), st.data())
def test_reestimation_ends_where_no_sentence_moves(documents, data):
    """After it has converged, one more step changes neither a state nor a count."""
    k = data.draw(st.integers(1, sum(map(len, documents))))
    settings = Settings(n_clusters=k, emission_smoothing=0.1, max_iterations=100)
    corpus = encoded(documents)

    *_, (state, info) = reestimate(start(corpus, settings)[0], corpus, settings)

    assert info.ending == "converged"
    again, n_moved, _ = step(state, corpus, settings)
    assert n_moved == 0
    np.testing.assert_array_equal(again.states, state.states)
    np.testing.assert_array_equal(again.estimate.counts.bigram_counts, state.estimate.counts.bigram_counts)


def test_every_iteration_says_what_a_person_wants_to_know(monkeypatch):
    """Iterations are numbered from 1 and tell how many sentences moved, the states left, and why it ended."""
    corpus, state = state_of([[["a"], ["b"], ["c"]]], [0, 1, 2], 3)
    decode_as(monkeypatch, [0, 0, 2], [0, 1, 1], [0, 1, 1])

    infos = [info for _, info in reestimate(state, corpus, SETTINGS)]

    # In the second answer state 1 is the insertion state, because the topic between was dropped.
    assert [(i.iteration, i.n_moved, i.n_states, i.ending) for i in infos] == [
        (1, 1, 2, None),
        (2, 1, 2, None),
        (3, 0, 2, "converged"),
    ]
    assert {info.log_probability for info in infos} == {-1.0}


def test_states_that_lose_all_sentences_are_dropped(monkeypatch):
    """The states left keep their order and get the numbers from 0 up."""
    corpus, state = state_of([[["a"], ["b"], ["c"], ["d"]]], [0, 1, 2, 3], 4)
    decode_as(monkeypatch, [0, 2, 2, 3])

    after, n_moved, _ = step(state, corpus, SETTINGS)

    assert after.states.tolist() == [0, 1, 1, 2]
    assert after.estimate.counts.n_states == 3
    assert n_moved == 1


def test_the_insertion_state_stays_without_sentences(monkeypatch):
    """An empty insertion state is kept, as the last one."""
    corpus, state = state_of([[["a"], ["b"], ["c"]]], [0, 1, 2], 3)
    decode_as(monkeypatch, [1, 1, 1])

    after, _, _ = step(state, corpus, SETTINGS)

    assert after.states.tolist() == [0, 0, 0]
    assert after.estimate.counts.sentence_counts.tolist() == [3, 0]
    assert after.estimate.chain.n_states == 2


def test_a_cycle_ends_reestimation(monkeypatch):
    """States that were seen before are known again, also when other ones lie between."""
    corpus, state = state_of([[["a"], ["b"], ["c"]]], [0, 1, 2], 3)
    decode_as(monkeypatch, [0, 2, 1], [1, 0, 2], [0, 2, 1])

    infos = [info for _, info in reestimate(state, corpus, SETTINGS)]

    assert [info.ending for info in infos] == [None, None, "cycle"]
    assert infos[-1].n_moved > 0


def test_a_return_to_the_first_clusters_is_a_cycle_too(monkeypatch):
    """The clustering that re-estimation began with counts as seen."""
    corpus, state = state_of([[["a"], ["b"], ["c"]]], [0, 1, 2], 3)
    decode_as(monkeypatch, [0, 2, 1], [0, 1, 2])

    infos = [info for _, info in reestimate(state, corpus, SETTINGS)]

    assert [info.ending for info in infos] == [None, "cycle"]


def test_the_same_numbers_of_another_model_size_are_no_cycle(monkeypatch):
    """States 0 and 1 of three are not states 0 and 1 of two: there, state 1 is the insertion state."""
    corpus, state = state_of([[["a"], ["b"]]], [0, 1], 3)
    decode_as(monkeypatch, [0, 2], [0, 1])

    infos = [info for _, info in reestimate(state, corpus, SETTINGS)]

    assert [(info.n_states, info.ending) for info in infos] == [(2, None), (2, "converged")]


@pytest.mark.parametrize(
    ("moved", "ending"),
    [((300, 30, 20, 59), "diverged"), ((300, 30, 20, 45), "max_iterations"), ((300, 100, 199), "max_iterations")],
)
def test_ever_more_moves_end_reestimation(monkeypatch, moved, ending):
    """Where more than twice as many sentences move as in the calmest round, and not just a few, that is the end."""
    n = 1000
    corpus, state = state_of([[["a"]] * n], [0] * (n - 1) + [1], 3)
    answers, states = [], np.array([0] * (n - 1) + [1])
    for i, n_moved in enumerate(moved):
        # Other sentences each time, so that nothing is seen again.
        states = np.where((np.arange(n) >= 7 * i) & (np.arange(n) < 7 * i + n_moved), 1 - states, states)
        answers.append(states)
    decode_as(monkeypatch, *answers)

    infos = [info for _, info in reestimate(state, corpus, Settings(max_iterations=len(moved)))]

    assert [info.n_moved for info in infos] == list(moved)
    assert [info.ending for info in infos] == [None] * (len(moved) - 1) + [ending]


def test_iterations_run_out(monkeypatch):
    """The last iteration that is allowed says that it was the limit."""
    corpus, state = state_of([[["a"], ["b"], ["c"]]], [0, 1, 2], 3)
    decode_as(monkeypatch, [0, 2, 1], [1, 0, 2], [2, 1, 0])

    infos = [info for _, info in reestimate(state, corpus, Settings(max_iterations=2))]

    assert [info.ending for info in infos] == [None, "max_iterations"]


def test_convergence_in_the_last_iteration_is_convergence(monkeypatch):
    """Where no sentence moves any more, that is the reason that is given, and not the limit."""
    corpus, state = state_of([[["a"], ["b"], ["c"]]], [0, 1, 2], 3)
    decode_as(monkeypatch, [0, 1, 2])

    infos = [info for _, info in reestimate(state, corpus, Settings(max_iterations=1))]

    assert [info.ending for info in infos] == ["converged"]


def test_no_iterations_leave_the_first_clusters():
    """With max_iterations=0 nothing is re-estimated."""
    corpus, state = state_of([[["a"], ["b"], ["c"]]], [0, 1, 2], 3)

    assert list(reestimate(state, corpus, Settings(max_iterations=0))) == []


def test_a_small_corpus_is_clustered_whole():
    """Up to the stated size every sentence is clustered, and its cluster is its state."""
    documents = [[["a", "b"], ["b", "c"]]] * 4
    corpus = encoded(documents)

    state, clustering, n_clustered = start(corpus, Settings(max_clustered_sentences=8, n_clusters=2))

    assert n_clustered == 8
    assert state.states is clustering.states
    assert state.estimate.counts.sentence_counts.sum() == 8


def test_a_large_corpus_is_sampled_by_whole_documents():
    """Above the stated size so many documents are clustered as fit, and all sentences get a state."""
    documents = [[["a", "b"], ["b", "c"], ["c", "d"]]] * 10
    corpus = encoded(documents)

    state, clustering, n_clustered = start(corpus, Settings(max_clustered_sentences=11, n_clusters=3))

    assert n_clustered == 9
    assert len(clustering.states) == 9
    assert len(state.states) == 30
    assert state.estimate.counts.n_documents == 10
    assert state.estimate.counts.sentence_counts.tolist() == [10, 10, 10, 0]


def test_a_sample_holds_one_document_at_least():
    """A document that is longer than the stated size is clustered nevertheless."""
    corpus = encoded([[["a", "b"]] * 5, [["b", "c"]] * 5])

    _, _, n_clustered = start(corpus, Settings(max_clustered_sentences=3, n_clusters=1))

    assert n_clustered == 5


def test_the_sample_depends_on_the_seed():
    """Another seed draws other documents; the same one draws the same."""
    corpus = encoded([[[f"a{i}", f"b{i}"]] for i in range(40)])

    def drawn(seed):
        settings = Settings(max_clustered_sentences=5, seed=seed, n_clusters=5, min_cluster_size=1)
        return start(corpus, settings)[0].states.tolist()

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def counts_after(documents, settings):
    """All numbers of the model after re-estimation, whatever order the documents had."""
    corpus = encoded(documents)
    state, _, _ = start(corpus, settings)
    for next_state, _ in reestimate(state, corpus, settings):
        state = next_state
    counts = state.estimate.counts
    return counts.bigrams.tolist(), counts.bigram_states.tolist(), counts.document_pair_counts.tolist()


@pytest.mark.parametrize("limit", [6, 15_000])
@given(documents=collections(min_documents=4, max_documents=8, min_words=1), data=st.data())
def test_the_order_of_the_documents_does_not_matter(limit, documents, data):
    """Shuffled documents give the same model, sampled or not."""
    shuffled = data.draw(st.permutations(documents))
    settings = Settings(min_cluster_size=1, max_clustered_sentences=limit, emission_smoothing=0.1)

    assert counts_after(documents, settings) == counts_after(shuffled, settings)


def test_documents_that_differ_only_in_where_sentences_end_are_different():
    """The sample does not depend on the file order of documents with the same words in a row."""
    documents = [[["a", "b"], ["c", "d"]], [["a", "b", "c", "d"]], [["a"], ["b", "c"], ["d"]]]
    documents += [[["a", "b"]], [["a", "b"], ["c"]], [["a", "b"], []]]  # beginnings of one another
    rng = random.Random(0)

    for seed in range(10):
        settings = Settings(n_clusters=1, max_clustered_sentences=2, seed=seed, max_iterations=0)
        want = counts_after(documents, settings)
        for _ in range(5):
            assert counts_after(rng.sample(documents, 6), settings) == want
