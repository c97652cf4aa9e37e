import random
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.errors import DriftlineWarning, InputError, SettingsError
from driftline.model.fitting import fit
from driftline.model.training import Estimate
from driftline.settings import Settings
from driftline.text.corpus import Corpus
from oracles import OracleModel
from strategies import collections

TOPICS = ["a strong quake hit the town", "no one was hurt there", "the mayor spoke to the press", "rain is expected"]


def corpus_of(n_documents, seed=0):
    """Documents of four topics in their order, with words of their own and now and then a repetition."""
    rng = random.Random(seed)
    documents = [
        [[*topic.split(), f"w{rng.randrange(9)}"] for topic in TOPICS for _ in range(rng.choice([0, 1, 1, 2]))]
        for _ in range(n_documents)
    ]
    return Corpus.from_words([document or [["rain"]] for document in documents])


def fit_quietly(corpus, settings=None):
    """Fit, whatever warnings there are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DriftlineWarning)
        return fit(corpus, settings)


def saved(model, folder):
    """The bytes of the model's file."""
    model.save(folder / "model")
    return (folder / "model").read_bytes()


@pytest.mark.parametrize("seed", range(5))
def test_fit_finds_the_topics_of_a_plain_domain(seed):
    """Each of four formulas becomes a topic of its own, and every sentence of it belongs there."""
    corpus = corpus_of(30, seed)

    model = fit(corpus, Settings(n_clusters=4))

    found = {}
    for document in corpus:
        for words, state in zip(document.words, model.v_topics(document).tolist(), strict=True):
            found.setdefault(words[0], set()).add(state)
    assert [len(states) for states in found.values()] == [1] * 4
    assert len(set.union(*found.values())) == 4
    assert model.record.ending == "converged"
    assert model.record.moved[-1] == 0


@given(collections(min_documents=2), st.sampled_from([None, 0, 1, 30]))
def test_a_fitted_model_is_the_estimate_of_its_own_states(documents, max_iterations):
    """Once converged, the model is what the formulas make of the states that it gives its training documents."""
    settings = Settings(emission_smoothing=0.1) if max_iterations is None else Settings(max_iterations=max_iterations)
    model = fit_quietly(Corpus.from_words(documents), settings)
    assert model.record.n_documents == len(documents)
    assert len(model.record.moved) <= settings.max_iterations
    if model.record.ending != "converged":
        return

    labels = [model.v_topics(document).tolist() for document in documents]
    oracle = OracleModel(documents, labels, model.n_states, settings.emission_smoothing, 1.0)
    np.testing.assert_allclose(model.log_transition, oracle.log_transition(), rtol=1e-9, atol=1e-14)
    want = [oracle.log_emission(sentence) for sentence in documents[0]]
    np.testing.assert_allclose(model.log_emission(documents[0]), want, rtol=1e-9, atol=1e-12)


def test_no_iterations_keep_the_clusters():
    """With max_iterations=0 the model is the estimate of the first clustering."""
    model = fit(corpus_of(30), Settings(max_iterations=0, n_clusters=6, min_cluster_size=1))

    assert model.n_states == 7
    assert model.record.moved == ()
    assert model.record.ending == "max_iterations"


@pytest.mark.parametrize("n_states", [1, 2, 3, 6])
def test_a_fixed_model_size_is_the_size_of_the_model(n_states):
    """With n_states the model has that many states, as long as none of them empties."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DriftlineWarning)
        model = fit(corpus_of(30), Settings(n_states=n_states, max_iterations=0))

    assert model.n_states == n_states
    assert model.settings.n_states == n_states
    assert model.settings.min_cluster_size is None


def test_the_settings_of_a_model_are_those_that_were_used():
    """What the user left open is filled in with what was chosen."""
    model = fit(corpus_of(30))

    assert model.settings.n_clusters == model.record.n_clusters
    assert model.settings.min_cluster_size == model.record.min_cluster_size is not None
    again = fit(corpus_of(30), model.settings)
    np.testing.assert_array_equal(model.log_transition, again.log_transition)


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(n_clusters=5, min_cluster_size=1),
        Settings(n_states=3, max_iterations=0),
        Settings(n_examples=0, transitions="normalised"),
        Settings(max_clustered_sentences=20, seed=3),
    ],
)
def test_the_same_bytes_for_any_order_of_the_files(settings, tmp_path):
    """Shuffled documents, with duplicates and the same sentences in many of them, give the very same model file."""
    documents = [[list(s) for s in document.words] for document in corpus_of(20)]
    documents += [*documents[:3], [["rain"]], [["rain"]], [["rain"], []]]
    ids = [f"document {i}" for i in range(len(documents))]
    want = saved(fit(Corpus.from_words(documents, ids=ids), settings), tmp_path)

    rng = random.Random(1)
    for _ in range(3):
        order = rng.sample(range(len(documents)), len(documents))
        shuffled = Corpus.from_words([documents[i] for i in order], ids=[ids[i] for i in order])
        assert saved(fit(shuffled, settings), tmp_path) == want


def test_the_same_bytes_for_any_order_of_documents_that_masking_makes_equal(tmp_path):
    """Texts that differ in their names only are equal once masked; the file does not tell which came first."""
    places = ["Izmit", "Athens", "Kobe", "Lima"]
    documents = [[f"A quake shook {place}.", "Nobody was hurt.", f"Officials in {place} spoke."] for place in places]
    corpus = Corpus.from_sentences(documents * 6, ids=[f"document {i}" for i in range(24)])

    want = saved(fit(corpus), tmp_path)

    assert saved(fit(corpus.select(reversed(range(24)))), tmp_path) == want


@given(collections(min_documents=2, max_documents=6), st.data())
def test_the_same_topics_for_any_order_of_the_files(documents, data):
    """Whatever the documents are, their order changes no number of the model and no V-topic."""
    shuffled = data.draw(st.permutations(documents))

    one, other = (fit_quietly(Corpus.from_words(d), Settings(n_examples=0)) for d in (documents, shuffled))

    np.testing.assert_array_equal(one.log_transition, other.log_transition)
    for document in documents:
        np.testing.assert_array_equal(one.v_topics(document), other.v_topics(document))
    assert one.signature == other.signature


@pytest.mark.parametrize("n_documents", [1, 2, 19])
def test_a_small_corpus_works_with_a_warning(n_documents):
    """Under 20 documents there is a model, and a warning that says what to expect."""
    with pytest.warns(DriftlineWarning, match=f"only {n_documents} documents?: topics will follow single documents"):
        model = fit(corpus_of(n_documents))

    assert model.n_states >= 1


def test_one_document_is_not_written_as_several():
    """The warning counts a single document as one."""
    with pytest.warns(DriftlineWarning, match="only 1 document:"):
        fit(corpus_of(1))


def test_enough_documents_give_no_warning():
    """Twenty documents with topics are enough; warnings are errors in these tests."""
    assert fit(corpus_of(20)).n_states > 2


@pytest.mark.parametrize("settings", [Settings(n_states=2), Settings(n_clusters=1), Settings(min_cluster_size=1000)])
def test_a_collapse_is_said(settings):
    """A model of one or two states tells nothing apart; the warning names what to change."""
    with pytest.warns(DriftlineWarning, match=r"only [12] states? .*raise n_clusters or lower min_cluster_size"):
        model = fit(corpus_of(20), settings)

    assert model.n_states <= 2


def test_warnings_point_at_the_caller():
    """A warning stands at the line that called fit."""
    with pytest.warns(DriftlineWarning) as caught:
        fit(corpus_of(1))

    assert caught[0].filename == __file__


def test_progress_is_told_in_sentences():
    """Whoever asks hears of masking, clustering and every iteration."""
    said = []

    model = fit(corpus_of(20), on_progress=said.append)

    assert said[0].startswith("masking")
    assert said[1].startswith("clustering")
    assert len(said) == 2 + len(model.record.moved)
    assert said[-1] == f"iteration {len(model.record.moved)}: 0 of {model.record.n_sentences} sentences moved"


def test_a_cycle_is_recorded(monkeypatch):
    """When re-estimation comes back to where it had been, the record says so."""
    corpus = corpus_of(20)
    settings = Settings(n_clusters=2, min_cluster_size=1)
    n = corpus.n_sentences
    answers = iter([np.arange(n) % 2, 1 - np.arange(n) % 2] * 20)
    monkeypatch.setattr(Estimate, "decode", lambda self, encoded: (next(answers), -1.0))

    model = fit(corpus, settings)

    assert model.record.ending == "cycle"
    assert len(model.record.moved) == 3


def test_a_sampled_corpus_is_recorded():
    """The record tells how many sentences the first clustering saw."""
    model = fit(corpus_of(40), Settings(max_clustered_sentences=30))

    assert model.record.n_sampled_sentences <= 30
    assert model.record.n_sentences > 100
    assert model.n_states > 2


def test_more_clusters_than_sampled_sentences_are_refused_by_their_name():
    """Where only a sample is clustered, the error says that the sample is what is too small."""
    with pytest.raises(SettingsError, match=r"n_clusters: 50 .*max_clustered_sentences"):
        fit(corpus_of(40), Settings(max_clustered_sentences=30, n_clusters=50))


def test_documents_without_any_words_are_no_error():
    """Sentences of nothing but punctuation leave no words; every state finds them alike."""
    corpus = Corpus.from_sentences([["...", "!!"], ["?"]] * 10)

    model = fit(corpus)

    assert np.isfinite(model.log_probability(["...", "What?"]))
    assert model.log_emission(["..."]).tolist() == [[0.0] * model.n_states]


def test_a_corpus_without_documents_is_refused():
    """There is nothing to learn from nothing."""
    with pytest.raises(InputError, match="the corpus holds no document"):
        fit(Corpus(()))


@pytest.mark.parametrize("settings", [{"n_clusters": 5}, "paper", 5])
def test_settings_of_another_kind_are_refused(settings):
    """The error shows what came instead of Settings."""
    with pytest.raises(SettingsError, match=r"settings: expected driftline.Settings, got"):
        fit(corpus_of(20), settings)


@pytest.mark.parametrize("corpus", [[["A quake."]], None, "texts/"])
def test_a_corpus_of_another_kind_is_refused(corpus):
    """The error says that a Corpus was expected, and shows what came."""
    with pytest.raises(InputError, match=r"corpus: expected .*Corpus"):
        fit(corpus)
