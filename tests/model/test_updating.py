"""Documents that are added later count as if they had been there, with their V-topics; the old ones stay."""

import itertools

import numpy as np
import pytest
from hypothesis import given

from driftline import ContentModel, Corpus, InputError, Settings, fit, load, order, sample_corpus, update
from driftline.model.description import describe
from driftline.model.updating import extend, movement
from driftline.text.encoding import Vocabulary
from strategies import WORDS, collections, labelled


def model_of(drawn, settings=None):
    """Estimate a model from drawn documents and labels."""
    return ContentModel.from_labels(
        Corpus.from_words(drawn.documents), drawn.labels, drawn.n_states, settings=settings
    )


def same_arrays(a, b):
    """Check that two models hold the same counts and probabilities."""
    for one, two in zip(vars(a.estimate.counts).values(), vars(b.estimate.counts).values(), strict=True):
        np.testing.assert_array_equal(one, two)
    for name in ("log_initial", "log_transition", "log_final"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


@given(labelled(), collections(words=WORDS + "xyz"))
def test_new_documents_count_as_if_they_had_been_there(drawn, new):
    """One pass gives the model of all documents with the old labels and the V-topics of the new ones."""
    before, corpus = model_of(drawn), Corpus.from_words(new)

    after = update(before, corpus, passes=1)

    # The old model, over the vocabulary of both: the new documents are placed by it.
    wide = ContentModel.from_labels(
        Corpus.from_words([*drawn.documents, *new]), [*drawn.labels, *([[0] * len(d) for d in new])], drawn.n_states
    ).vocabulary
    assert after.vocabulary == wide
    states = _v_topics_with(before, wide, corpus)
    whole = ContentModel.from_labels(
        Corpus.from_words([*drawn.documents, *new]), [*drawn.labels, *states], drawn.n_states
    )
    same_arrays(after, whole)


def _v_topics_with(before, vocabulary, corpus):
    """Place documents by a model that knows more words, none of which it has seen."""
    from driftline.model.training import Estimate
    from driftline.model.updating import renumber
    from driftline.text.encoding import encode

    counts = renumber(before.estimate.counts, before.vocabulary, vocabulary)
    encoded = encode([d.words for d in corpus], vocabulary)
    states, _ = Estimate.of(counts, vocabulary.size, before.settings).decode(encoded)
    return [states[a:b].tolist() for a, b in itertools.pairwise(encoded.document_offsets)]


@given(labelled(), collections(words=WORDS + "xyz"))
def test_movement_is_that_of_whole_tables(drawn, new):
    """The variation of words is that of dense tables of p(w' | w), weighted by how often each history stands."""
    before = model_of(drawn)
    after = update(before, Corpus.from_words(new), passes=1)

    moved = movement(before, after)

    size, d, m = after.vocabulary.size, after.settings.emission_smoothing, after.n_states
    tables = []
    for model in (before, after):
        counts, old = model.estimate.counts, model.vocabulary
        table = np.zeros((m, size + 1, size))
        for bigram, state, count in zip(counts.bigrams, counts.bigram_states, counts.bigram_counts, strict=True):
            history, word = divmod(int(bigram), old.size)
            place = [after.vocabulary.index.get(old.name(i), {old.unknown: size - 1, old.start: size}.get(i))
                     for i in (history, word)]  # fmt: skip
            table[state, place[0], place[1]] += count
        tables.append(table)
    held = tables[1].sum(axis=2)
    p, q = ((t + d) / (t.sum(axis=2, keepdims=True) + d * size) for t in tables)
    distance = np.abs(p - q).sum(axis=2) / 2
    expected = (distance * held).sum(axis=1) / np.maximum(held.sum(axis=1), 1)
    np.testing.assert_allclose(moved.words, expected[:-1], rtol=1e-9, atol=1e-12)
    assert all(0 <= value <= 1 for value in (*moved.words, *moved.transitions, moved.initial))


def test_the_same_documents_again_leave_the_shares_alone():
    """Twice the same counts are the same shares, so that only smoothing moves, and with hardly any nothing does."""
    corpus = sample_corpus("earthquakes")
    model = fit(corpus, Settings(emission_smoothing=1e-9, transition_smoothing=1e-9))

    moved = movement(model, update(model, _renamed(corpus)))

    assert max(moved.words) < 1e-5
    assert movement(model, model).mean_words == movement(model, model).initial == 0
    assert movement(model, update(model, sample_corpus("clashes"))).mean_transitions > 0.01


def _renamed(corpus):
    return Corpus.from_sentences([document.sentences for document in corpus])


def test_passes_go_on_until_no_new_sentence_moves():
    """More passes than are needed change nothing."""
    train = sample_corpus("earthquakes")
    model = fit(train.select(range(70)))
    new = train.select(range(70, 100))

    same_arrays(update(model, new, passes=20), update(model, new, passes=40))


def test_the_record_the_hash_and_the_description_tell_it(tmp_path):
    """The sizes add up, what was added is kept apart, and the file holds all of it."""
    train = sample_corpus("earthquakes")
    model = fit(train.select(range(70)))

    after = update(model, train.select(range(70, 100)))
    after.save(tmp_path / "after")

    assert load(tmp_path / "after").record == after.record
    assert (after.record.n_documents, after.record.n_added_documents) == (100, 30)
    assert after.record.n_sentences == train.n_sentences
    assert after.data_hash != model.data_hash
    text = describe(after)
    assert "Of the documents, 30 were added later." in text
    assert "sample" not in text.replace(after.signature, "")


def test_what_orders_is_kept_over_the_new_vocabulary(best_model, tmp_path):
    """The content models of the mix mean the same words as before, in memory and from the file."""
    new = Corpus.from_sentences([["An aardvark fell on the zorkmid.", "The mmm was late."]])

    after = update(best_model, new)
    after.save(tmp_path / "after")

    assert after.ordering == "best"
    assert after.vocabulary.index["the"] != best_model.vocabulary.index["the"]
    for old, mixed in zip(best_model.order_mix.members, after.order_mix.members, strict=True):
        assert _named_bigrams(mixed, after.vocabulary) == _named_bigrams(old, best_model.vocabulary)
    texts = sample_corpus("earthquakes", "test")[0].sentences
    found, loaded = (order(model, texts, time_limit=60) for model in (after, load(tmp_path / "after")))
    assert found.proved
    assert found == loaded


def _named_bigrams(member, vocabulary):
    names = [*vocabulary.words, "unknown", "start"]
    numbers = zip(member.counts.bigrams.tolist(), member.counts.bigram_states.tolist(), strict=True)
    named = [(names[bigram // vocabulary.size], names[bigram % vocabulary.size], state) for bigram, state in numbers]
    return dict(zip(named, member.counts.bigram_counts.tolist(), strict=True))


def test_new_names_are_masked():
    """A name that only the new documents tell of becomes <NAME> at the start of a sentence too."""
    old = [["It shook the town.", "The army came.", "It was late."]] * 20
    new = [["They saw Zork again.", "Zork was there."]]
    model = fit(Corpus.from_sentences(old))

    after = update(model, Corpus.from_sentences(new))

    assert "zork" not in after.vocabulary.words
    assert after.masker.words(["Zork was there."]) == [["<NAME>", "was", "there"]]
    assert after.masker.words(["The army came."]) == model.masker.words(["The army came."])


def test_a_full_vocabulary_takes_the_most_frequent_new_words():
    """Old words stay; of the new ones the most frequent enter while there is room."""
    old = Vocabulary(("b", "d"))

    assert extend(old, {"a": 1, "b": 9, "c": 2, "e": 2}, 4).words == ("b", "c", "d", "e")
    assert extend(old, {"a": 1}, 1).words == ("b", "d")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (([["a"]],), "corpus: expected a driftline.Corpus"),
        ((Corpus(()),), "the corpus holds no document"),
        ((Corpus.from_sentences([["Text."]]),), "trained on words"),
    ],
)
def test_what_cannot_be_added(arguments, named):
    """What is no corpus, or one of another kind, is refused."""
    model = fit(Corpus.from_words([[["a", "b"], ["c"]]] * 20), Settings())

    with pytest.raises(InputError, match=named):
        update(model, *arguments)


@pytest.mark.parametrize("passes", [0, True, 1.5])
def test_passes_are_counted(passes):
    """At least one pass is needed."""
    corpus = Corpus.from_words([[["a", "b"], ["c"]]] * 20)

    with pytest.raises(InputError, match="passes: expected a whole number of at least 1"):
        update(fit(corpus), corpus, passes=passes)


def test_models_that_have_nothing_to_do_with_each_other():
    """Only a model and what was made of it can be compared."""
    one, two = (fit(Corpus.from_words([[[word, "b"], ["c"]]] * 20)) for word in "xy")

    with pytest.raises(InputError, match="after: expected a model that `update` made"):
        movement(one, two)
