"""What is usual in a domain, against the oracle's model of the stories that are not left out."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

import driftline
from driftline.model import reference as module
from driftline.model.content_model import ContentModel
from driftline.model.familiarity import kept_values
from driftline.model.reference import Evidence, Reference, learn_reference, order_worth, overall
from driftline.model.themes import find_themes
from driftline.text.corpus import Corpus
from oracles import OracleModel, log_sum, plain_forward
from strategies import documents, labelled, smoothings

D1, D2 = 0.1, 0.5


def plain_evidence(oracle, document):
    """Per sentence: the probabilities of states by its words alone, and its log-probability in no order."""
    sizes = [1 + sum(label == s for labels in oracle.labels for label in labels) for s in range(oracle.m)]
    share = [size / sum(sizes) for size in sizes]
    joint = [[math.log(p) + e for p, e in zip(share, oracle.log_emission(s), strict=True)] for s in document]
    alone = [log_sum(row) for row in joint]
    return [[math.exp(v - a) for v in row] for row, a in zip(joint, alone, strict=True)], alone, share


def plain_worth(oracle, document):
    rows = [oracle.log_emission(sentence) for sentence in document]
    together = plain_forward(oracle.log_initial(), oracle.log_transition(), oracle.log_final(), rows)
    return (together - math.fsum(plain_evidence(oracle, document)[1])) / len(document)


def plain_steps(oracle, document):
    """For each sentence but the first: the log of the sum over i, j of p(i) p(j | i) p(j) / share(j)."""
    rows, _, share = plain_evidence(oracle, document)
    states = range(oracle.m)
    return [
        math.log(
            math.fsum(
                before[i] * float(oracle.p_transition(i, j)) * after[j] / share[j] for i in states for j in states
            )
        )
        for before, after in itertools.pairwise(rows)
    ]


@settings(max_examples=40)
@given(labelled(max_documents=4), documents("abcxyz"), smoothings, smoothings)
def test_evidence_is_that_of_the_oracle(case, document, d1, d2):
    """Of random models: what states a sentence has, what a step is worth, and what the order of topics adds."""
    smoothing = {"emission_smoothing": d1, "transition_smoothing": d2}
    model = ContentModel.from_labels(Corpus.from_words(case.documents), case.labels, case.n_states, **smoothing)
    oracle = OracleModel(case.documents, case.labels, case.n_states, d1, d2)
    encoded = model.encode([document])
    log_emission = model.estimate.emissions.score(encoded)

    found = Evidence.of(model.estimate, log_emission)

    posterior, alone, _ = plain_evidence(oracle, document)
    np.testing.assert_allclose(found.posterior, posterior, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(found.log_alone, alone, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.steps(model.estimate), plain_steps(oracle, document), rtol=1e-7, atol=1e-7)
    worth = order_worth(model.estimate, log_emission, encoded.document_offsets, found)
    np.testing.assert_allclose(worth, [plain_worth(oracle, document)], rtol=1e-8, atol=1e-8)


def reports(n=12):
    """Documents of words, their states, and their stories, two documents each."""
    words = [
        [["quake", "hit", "abcdef"[i % 6]], ["no", "one", "died"], ["sun", "rose", "twice"][: 1 + i % 3]]
        for i in range(2 * n)
    ]
    labels = [[0, 1, 2] for _ in words]
    made = Corpus.from_words(words, ids=[f"d{i:02}" for i in range(2 * n)])
    told = [replace(document, story=f"s{i // 2:02}") for i, document in enumerate(made)]
    return words, labels, Corpus(tuple(told))


def test_what_is_usual_is_that_of_models_without_the_story():
    """Each fifth of the stories is measured by a model of the others, its vocabulary that of all."""
    words, labels, corpus = reports()
    settings_ = driftline.Settings(emission_smoothing=D1, transition_smoothing=D2)
    model = ContentModel.from_labels(corpus, labels, 3, settings=settings_)
    order, steps, held = {}, [], {}
    for fold in range(5):
        others = [i for i in range(len(words)) if i // 2 % 5 != fold]
        oracle = OracleModel([words[i] for i in others], [labels[i] for i in others], 3, D1, D2)
        oracle.vocabulary = OracleModel(words, labels, 3, D1, D2).vocabulary
        for i in range(len(words)):
            if i // 2 % 5 == fold:
                order[i] = plain_worth(oracle, words[i])
                steps += plain_steps(oracle, words[i])
                held[i] = np.sum(plain_evidence(oracle, words[i])[0], axis=0)

    norms = model.reference.norms

    np.testing.assert_allclose(norms.order, sorted(order.values()), rtol=0, atol=2e-6)
    assert norms.abrupt == pytest.approx(np.quantile([*steps, 0.0], 0.02), abs=2e-6)
    expected = find_themes(model.estimate.counts, model.vocabulary.size, np.array([held[i] for i in sorted(held)]))
    assert norms.themes == expected
    # Documents of three sentences on three topics, two of three words and one of one to three, are all alike.
    assert len(norms.overall) == len(words)


def test_words_and_order_count_alike():
    """Together they are the sum of both, each in its own spreads above its own middle."""
    values = tuple(np.linspace(-2.0, 2.0, 101).tolist())
    low, high = np.quantile(values, [0.16, 0.84])

    np.testing.assert_allclose(overall(values, np.array([0.0, high])), [0, 2 * high / (high - low)], rtol=1e-12)
    assert np.isfinite(overall((1.0,) * 10, np.array([1.5])))[0]


def test_the_order_of_the_documents_does_not_show():
    """What is usual is the same to the last bit in whatever order the documents come."""
    words, labels, corpus = reports()
    shuffled = np.random.default_rng(3).permutation(len(words)).tolist()

    one = ContentModel.from_labels(corpus, labels, 3).reference.norms
    other = ContentModel.from_labels(corpus.select(shuffled), [labels[i] for i in shuffled], 3).reference.norms

    assert one == other


def test_a_story_is_left_out_as_a_whole():
    """Two tellings of one story never explain each other: a word of one story alone is unknown in both."""
    words, labels, _ = reports(12)
    for i in range(0, len(words), 2):
        words[i].append([f"only{'abcdefghijkl'[i // 2]}"] * 9)
        words[i + 1].append([f"only{'abcdefghijkl'[i // 2]}"] * 9)
        labels[i].append(2)
        labels[i + 1].append(2)
    made = Corpus.from_words(words)
    kept = Corpus(tuple(replace(document, story=str(i // 2)) for i, document in enumerate(made)))

    by_story, by_document = (ContentModel.from_labels(c, labels, 3).reference for c in (kept, made))

    n = np.array([16.0])
    assert by_story.norms.documents.unknown.usual(n)[0] > 0.5
    assert by_document.norms.documents.unknown.usual(n)[0] < 0.1
    assert (by_story.words.n_stories, by_document.words.n_stories) == (12, 24)


@pytest.mark.parametrize("n_stories", [9, 10])
def test_ten_stories_are_needed(n_stories):
    """Fewer stories than ten say nothing of what is usual."""
    _, labels, corpus = reports(10)
    few = corpus.select(range(2 * n_stories))

    found = ContentModel.from_labels(few, labels[: 2 * n_stories], 3).reference

    assert (found is not None) == (n_stories == 10)


def test_documents_of_too_few_words_say_nothing():
    """Ten stories of three words each are no ruler."""
    corpus = Corpus.from_words([[["a", "quake", "hit"]]] * 12)

    assert ContentModel.from_labels(corpus, [[0]] * 12, 2).reference is None


def test_of_very_many_documents_nothing_is_learned(monkeypatch):
    """A corpus past the bound has no ruler, and one at the bound has."""
    _, labels, corpus = reports()
    monkeypatch.setattr(module, "MOST_DOCUMENTS", len(corpus) - 1)
    assert ContentModel.from_labels(corpus, labels, 3).reference is None

    monkeypatch.setattr(module, "MOST_DOCUMENTS", len(corpus))
    assert isinstance(ContentModel.from_labels(corpus, labels, 3).reference, Reference)


def test_of_many_documents_some_are_left_out(monkeypatch):
    """Past a bound one fold is measured, of about as many documents as the bound says."""
    _, labels, corpus = reports()
    monkeypatch.setattr(module, "_MOST_HELD_OUT", 3)

    norms = ContentModel.from_labels(corpus, labels, 3).reference.norms

    assert len(norms.order) == len(norms.overall) == 4  # two stories of twelve: every eighth


def test_documents_of_one_sentence_have_a_ruler_without_steps():
    """Where no sentence follows another, a step is abrupt if it is worth less than nothing at all."""
    corpus = Corpus.from_words(
        [[["a", "quake", "hit", "the", "town", "of", "izmit", "today", c]] for c in "abcdefghijkl"]
    )

    norms = ContentModel.from_labels(corpus, [[0]] * 12, 2).reference.norms

    assert norms.abrupt == 0.0
    assert norms.sentences is not None


def test_more_stories_make_words_familiar_and_leave_the_rest():
    """An updated model knows the new words, and what is usual stays what it was."""
    _, labels, corpus = reports()
    model = ContentModel.from_labels(corpus, labels, 3)
    new = Corpus.from_words([[["quake", "struck", "again"], ["no", "one", "fled"]]], ids=["new"])

    updated = driftline.update(model, new).reference

    assert updated.norms == model.reference.norms
    counts = dict(zip(updated.words.vocabulary.words, updated.words.counts.tolist(), strict=False))
    assert (counts["quake"], counts["struck"]) == (13, 1)
    assert updated.words.n_stories == 13


def test_learned_from_the_pieces(words_corpus, words_model):
    """Four documents are too few, whoever asks."""
    encoded = words_model.encode(words_corpus.documents)
    states, _ = words_model.estimate.decode(encoded)

    assert learn_reference(words_corpus, encoded, states, words_model.estimate, words_model.settings) is None


def test_kept_values_are_rounded():
    """The last bits of sums, which differ between machines and orders, are not kept."""
    assert kept_values(np.array([1 / 3, 0.1 + 0.2])) == (0.3, 0.333333)
