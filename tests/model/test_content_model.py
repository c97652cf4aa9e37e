import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.errors import DriftlineWarning, InputError
from driftline.model.content_model import ContentModel
from driftline.model.fitting import fit
from driftline.settings import Settings
from driftline.text.corpus import Corpus, Document
from oracles import OracleModel, log_sum
from strategies import UNSEEN, WORDS, documents, labelled, smoothings


def from_labels(drawn, d1=0.1, d2=1.0):
    """A model of labelled documents of words."""
    corpus = Corpus.from_words(drawn.documents)
    return ContentModel.from_labels(
        corpus, drawn.labels, n_states=drawn.n_states, emission_smoothing=d1, transition_smoothing=d2
    )


@given(labelled(max_states=3, max_documents=4), smoothings, smoothings, documents(WORDS + UNSEEN))
def test_a_model_is_what_the_paper_prints(drawn, d1, d2, asked):
    """Emissions, chain, probability and best path of any document agree with enumeration, unknown words included."""
    model = from_labels(drawn, d1, d2)
    oracle = OracleModel(drawn.documents, drawn.labels, drawn.n_states, d1, d2)

    np.testing.assert_allclose(model.log_initial, oracle.log_initial(), rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(model.log_transition, oracle.log_transition(), rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(model.log_final, oracle.log_final(), rtol=1e-9, atol=1e-14)
    emission = [oracle.log_emission(sentence) for sentence in asked]
    np.testing.assert_allclose(model.log_emission(asked), emission, rtol=1e-9, atol=1e-12)
    paths = oracle.all_paths(asked)
    np.testing.assert_allclose(model.log_probability(asked), log_sum(list(paths.values())), rtol=1e-9, atol=1e-12)
    # Paths may tie, so the one that was found must be as probable as the best.
    found = paths[tuple(model.v_topics(asked).tolist())]
    np.testing.assert_allclose(found, max(paths.values()), rtol=1e-9, atol=1e-12)


@given(labelled(max_states=3, max_documents=4), documents(WORDS + UNSEEN))
def test_state_probabilities_are_shares_of_all_paths(drawn, asked):
    """Every sentence's states sum to 1, each with the share of the paths through it."""
    paths = OracleModel(drawn.documents, drawn.labels, drawn.n_states, 0.1, 1.0).all_paths(asked)
    total = log_sum(list(paths.values()))
    want = np.zeros((len(asked), drawn.n_states))
    for path, log_probability in paths.items():
        want[np.arange(len(path)), path] += np.exp(log_probability - total)

    np.testing.assert_allclose(from_labels(drawn).state_probabilities(asked), want, rtol=1e-7, atol=1e-12)


def test_a_document_of_one_sentence(words_model):
    """One sentence: initial times emission times final."""
    document = [["a", "quake", "hit"]]

    total = words_model.log_initial + words_model.log_emission(document)[0] + words_model.log_final

    np.testing.assert_allclose(words_model.log_probability(document), np.logaddexp.reduce(total), rtol=1e-12, atol=0)
    assert words_model.v_topics(document).tolist() == [int(total.argmax())]


def test_the_arrays_have_the_shapes_of_the_contract(words_model):
    """Rows are from, columns are to; one value a state and a sentence, the insertion state last."""
    assert words_model.n_states == 3
    assert words_model.insertion_state == 2
    assert words_model.log_initial.shape == words_model.log_final.shape == (3,)
    assert words_model.log_transition.shape == (3, 3)
    assert words_model.log_emission([["a"], ["b"]]).shape == (2, 3)
    assert words_model.v_topics([["a"], ["b"]]).shape == (2,)
    assert isinstance(words_model.log_probability([["a"]]), float)


def test_a_document_can_come_in_three_forms(text_model, text_corpus, words_model, words_corpus):
    """A Document, a list of sentences, or lists of words for a model of words: all say the same."""
    document = text_corpus[0]
    assert text_model.v_topics(document).tolist() == text_model.v_topics(list(document.sentences)).tolist()
    assert text_model.log_probability(document) == text_model.log_probability(document.sentences)

    document = words_corpus[0]
    lists = [list(words) for words in document.words]
    assert words_model.log_probability(document) == words_model.log_probability(lists)


def test_text_is_masked_as_the_training_text_was(text_model):
    """Other names, numbers and dates make no difference to a model of text."""
    one = ["A quake of magnitude 7.1 shook Izmit on Aug. 17, 1999."]
    other = ["A quake of magnitude 5.9 shook Athens on Tuesday."]

    np.testing.assert_array_equal(text_model.log_emission(one), text_model.log_emission(other))


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("A quake.", "expected a list of sentences, got one string"),
        ([], "holds no sentence"),
        ((), "holds no sentence"),
        (Document("empty", (), ()), "holds no sentence"),
        (["A quake."], "was trained on words, but the document holds text"),
        (Document("d", ("A quake.",)), "was trained on words, but the document holds text"),
        ([["a", 3]], r"sentence 1: expected a list of words \(str\), got \['a', 3\]"),
        ([["a"], "b"], r"sentence 2: expected a list of words \(str\), got 'b'"),
        ([["a"], 5], "sentence 2: expected a list of words .*, got 5"),
        ([None], "sentence 1: expected a list of words .*, got None"),
        (None, "document: expected .*, got None"),
        (5, "document: expected .*, got 5"),
        ({"text": "A quake."}, "document: expected .*, got {'text'"),
    ],
)
def test_a_document_of_the_wrong_kind_is_refused_by_a_model_of_words(words_model, document, message):
    """The error says what was expected and what came."""
    with pytest.raises(InputError, match=message):
        words_model.v_topics(document)


@pytest.mark.parametrize("method", ["log_emission", "log_probability", "v_topics", "state_probabilities"])
def test_every_method_refuses_what_is_no_document(words_model, method):
    """There is one check for all that take a document."""
    with pytest.raises(InputError, match="expected a list of sentences, got one string"):
        getattr(words_model, method)("A quake.")


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([["a", "quake"]], "was trained on text, but the document holds words"),
        (Document("d", ("a",), (("a",),)), "was trained on text, but the document holds words"),
        (["A quake.", 3], r"expected sentences \(str\), got 3"),
        (["A quake.", ["a"]], r"expected sentences \(str\), got \['a'\]"),
    ],
)
def test_a_document_of_the_wrong_kind_is_refused_by_a_model_of_text(text_model, document, message):
    """The error says what was expected and what came."""
    with pytest.raises(InputError, match=message):
        text_model.v_topics(document)


@pytest.mark.parametrize(
    ("labels", "n_states", "message"),
    [
        ([[0, 1, 2], [0, 1], [1, 0, 1], [0]], 0, "n_states: expected a whole number of at least 1, got 0"),
        ([[0, 1, 2], [0, 1], [1, 0, 1], [0]], 2.0, "n_states: expected a whole number of at least 1, got 2.0"),
        ([[0, 1, 2], [0, 1], [1, 0, 1], [0]], "3", "n_states: expected a whole number of at least 1, got '3'"),
        ([[0, 1, 2]], 3, "labels: expected one list for each of the 4 documents, got 1"),
        ([[0, 1, 2], [0], [1, 0, 1], [0]], 3, "labels of 'athens': expected 2 values, got 1"),
        ([[0, 1, 3], [0, 1], [1, 0, 1], [0]], 3, r"labels of 'izmit': expected states from 0 to 2, got \[0, 1, 3\]"),
        ([[0, 1, -1], [0, 1], [1, 0, 1], [0]], 3, "labels of 'izmit': expected states from 0 to 2"),
        ([[0, 1, 1.0], [0, 1], [1, 0, 1], [0]], 3, "labels of 'izmit': expected states from 0 to 2"),
        ([["0", "1", "2"], [0, 1], [1, 0, 1], [0]], 3, "labels of 'izmit': expected states from 0 to 2"),
        (None, 3, "labels: expected .*, got None"),
        ([0, 1, 2, 3], 3, "labels of 'izmit': expected .*, got 0"),
    ],
)
def test_labels_that_do_not_fit_are_refused(words_corpus, labels, n_states, message):
    """The error names the argument, the document, the value and what was expected."""
    with pytest.raises(InputError, match=message):
        ContentModel.from_labels(words_corpus, labels, n_states)


def test_labels_can_be_numpy_integers(words_corpus, words_model):
    """Labels that come out of an array, and their number of states, are as good as plain integers."""
    labels = [np.array(states) for states in ([0, 1, 2], [0, 1], [1, 0, 1], [0])]

    model = ContentModel.from_labels(words_corpus, labels, np.int64(3), emission_smoothing=0.1)

    np.testing.assert_array_equal(model.log_transition, words_model.log_transition)


def test_settings_that_cannot_work_are_refused(words_corpus):
    """Smoothing of 0 would make probabilities of 0."""
    with pytest.raises(InputError, match=r"emission_smoothing: expected a number of at least 1e-100.*, got 0"):
        ContentModel.from_labels(words_corpus, [[0, 1, 2], [0, 1], [1, 0, 1], [0]], 3, emission_smoothing=0)


def test_from_labels_takes_whole_settings(words_corpus):
    """With `settings` everything that can be chosen is chosen there."""
    settings = Settings(emission_smoothing=0.5, transitions="normalised", n_examples=0)

    model = ContentModel.from_labels(words_corpus, [[0, 1, 2], [0, 1], [1, 0, 1], [0]], 3, settings=settings)

    assert model.settings == settings
    assert model.examples == ((), (), ())
    np.testing.assert_allclose(np.exp(model.log_transition).sum(axis=1), 1.0, rtol=1e-12, atol=0)


def test_a_corpus_without_documents_is_refused():
    """There is nothing to learn from nothing."""
    with pytest.raises(InputError, match="the corpus holds no document"):
        ContentModel.from_labels(Corpus(()), [], 1)


def test_a_corpus_of_words_and_text_is_refused():
    """Documents of words and documents of text have no vocabulary in common."""
    mixed = Corpus((Document("a", ("a b",), (("a", "b"),)), Document("b", ("A b.",))))

    with pytest.raises(InputError, match="mixes documents of words with documents of text"):
        ContentModel.from_labels(mixed, [[0], [0]], 1)


def test_examples_are_typical_sentences_of_their_state(words_model):
    """Each example stands where it says, has the state that it exemplifies, and stands there once."""
    flat = {("izmit", 0): 0, ("izmit", 1): 1, ("izmit", 2): 2, ("athens", 0): 0, ("athens", 1): 1}
    flat |= {("calm", 0): 1, ("calm", 1): 0, ("calm", 2): 1, ("short", 0): 0}
    for state, examples in enumerate(words_model.examples):
        assert examples
        assert all(flat[example.document, example.sentence] == state for example in examples)
        assert len({example.text for example in examples}) == len(examples)
    assert [example.text for example in words_model.examples[2]] == ["tea was served"]


@given(labelled())
def test_no_sentence_of_a_state_is_more_typical_than_its_first_example(drawn):
    """Typical is what a state explains better than all states together, and, a little, what it explains well."""
    model = from_labels(drawn)
    oracle = OracleModel(drawn.documents, drawn.labels, drawn.n_states, 0.1, 1.0)

    def typical(sentence, state):
        scores = oracle.log_emission(sentence)
        return scores[state] - log_sum(scores) + 0.1 * scores[state] / max(len(sentence), 1)

    worth = [[] for _ in range(drawn.n_states)]
    for document, states in zip(drawn.documents, drawn.labels, strict=True):
        for sentence, state in zip(document, states, strict=True):
            worth[state].append(typical(sentence, state))
    for state, examples in enumerate(model.examples):
        shown = [typical(example.text.split(), state) for example in examples]
        np.testing.assert_allclose(shown[:1], [max(worth[state])] if worth[state] else [], rtol=1e-7, atol=1e-8)
        np.testing.assert_allclose(shown, sorted(shown, reverse=True), rtol=1e-7, atol=1e-8)


def test_as_many_examples_are_kept_as_were_asked_for(words_corpus):
    """n_examples bounds the examples of a state."""
    labels = [[0] * len(document) for document in words_corpus]

    model = ContentModel.from_labels(words_corpus, labels, 1, settings=Settings(n_examples=2))

    assert [len(examples) for examples in model.examples] == [2]


def test_examples_do_not_depend_on_the_order_of_the_documents(words_corpus):
    """Of two equally typical sentences the same one is kept, whichever document is read first."""
    labels = [[0, 1, 2], [0, 1], [1, 0, 1], [0]]

    def examples(order):
        return ContentModel.from_labels(words_corpus.select(order), [labels[i] for i in order], 3).examples

    assert examples([0, 1, 2, 3]) == examples([3, 2, 1, 0])


def test_the_signature_names_what_moves_a_figure(words_model, text_model):
    """Data, sizes, settings and version stand in one line."""
    assert words_model.signature.startswith(f"driftline|data:{words_model.data_hash}|docs:4|k:3|T:none|")
    assert "|d1:0.1|d2:1|m:3|rows:as-printed|" in words_model.signature
    assert "|mask:words|" in words_model.signature
    assert "|mask:builtin|" in text_model.signature
    assert "|words:50000|sample:15000|sample_seed:0|" in text_model.signature


def test_a_model_from_labels_says_so(words_model):
    """The record tells that nothing was re-estimated."""
    record = words_model.record

    assert (record.ending, record.moved, record.n_documents, record.n_sentences) == ("labels", (), 4, 9)


def test_masking_can_be_left_out(text_corpus):
    """With masking="none" names and numbers stay the words that they are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DriftlineWarning)
        model = fit(text_corpus, Settings(masking="none"))

    assert {"izmit", "7.1"} <= set(model.vocabulary.words)


def test_the_ordering_problem_is_that_of_the_document(words_model):
    """A model states the problem of ordering the sentences of a document in its own chain and emissions."""
    document = [["no", "one", "died"], ["a", "quake", "hit", "izmit"]]

    problem = words_model.order_problem(document)

    assert (problem.n_sentences, problem.n_states) == (2, 3)


def test_save_writes_a_file(words_model, tmp_path):
    """The method is the function of the storage room."""
    words_model.save(tmp_path / "model")

    assert (tmp_path / "model").stat().st_size > 0


@given(labelled(), st.integers(0, 3))
def test_documents_encoded_together_are_those_encoded_alone(drawn, n):
    """Encoding several documents at once keeps them apart."""
    model = from_labels(drawn)
    chosen = drawn.documents[:n]

    together = model.encode(chosen)

    assert together.n_documents == len(chosen)
    alone = [word for document in chosen for word in model.encode([document]).words.tolist()]
    assert together.words.tolist() == alone
