"""Collections of documents made from Python objects."""

import dataclasses

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from driftline.errors import InputError
from driftline.text.corpus import Corpus, Document, check_documents, raise_problems

ANY_TEXT = st.text(st.characters(), max_size=8)
SENTENCES = st.lists(st.lists(ANY_TEXT, min_size=1, max_size=3), min_size=1, max_size=4)
WORDS = st.lists(st.lists(st.lists(ANY_TEXT, max_size=3), min_size=1, max_size=3), min_size=1, max_size=4)


def test_documents_can_be_counted_and_taken():
    """A corpus is a sequence of documents with numbered ids that knows how many sentences it holds."""
    corpus = Corpus.from_sentences([["a", "b"], ["c"]])

    assert (len(corpus), corpus.n_sentences) == (2, 3)
    assert [document.id for document in corpus] == ["document-1", "document-2"]
    assert corpus[1].sentences == ("c",)
    assert len(corpus[1]) == 1


def test_ids_can_be_given():
    """Given ids name the documents in their order."""
    assert [d.id for d in Corpus.from_words([[["a"]], [["b"]]], ids=["x", "y"])] == ["x", "y"]


def test_selection():
    """A selection holds the chosen documents, in the order of the choice."""
    assert [d.id for d in Corpus.from_sentences([["a"], ["b"], ["c"]]).select([2, 0])] == ["document-3", "document-1"]


def test_documents_are_frozen():
    """Neither a document nor a corpus can be changed."""
    corpus = Corpus.from_sentences([["a"]])

    with pytest.raises(dataclasses.FrozenInstanceError):
        corpus.documents = ()
    with pytest.raises(dataclasses.FrozenInstanceError):
        corpus[0].id = "other"


@given(SENTENCES)
def test_sentences_stay_as_they_are(documents):
    """Sentences of any text are kept to the letter, and no words are given."""
    corpus = Corpus.from_sentences(documents)

    assert [tuple(d) for d in documents] == [d.sentences for d in corpus]
    assert {None} == {d.words for d in corpus}


@given(WORDS)
def test_words_stay_as_they_are(documents):
    """Words of any text are kept to the letter; the sentences show them with spaces."""
    corpus = Corpus.from_words(documents)

    assert [tuple(map(tuple, d)) for d in documents] == [d.words for d in corpus]
    assert [tuple(map(" ".join, d)) for d in documents] == [d.sentences for d in corpus]


def test_words_from_iterators_are_not_lost():
    """Iterators that can be read only once give all that they hold."""
    words = Corpus.from_words([(iter(["a", "b"]) for _ in range(1))])
    sentences = Corpus.from_sentences([iter(["a", "b"])])

    assert words[0].words == (("a", "b"),)
    assert sentences[0].sentences == ("a", "b")


@given(SENTENCES, st.randoms(use_true_random=False))
def test_the_hash_is_that_of_the_content(documents, rng):
    """The data hash is the same for any order and any ids of the documents, and another for other text."""
    shuffled = rng.sample(documents, len(documents))
    other = [[*documents[0], "more"], *documents[1:]]
    data_hash = Corpus.from_sentences(documents).data_hash

    assert data_hash == Corpus.from_sentences(shuffled, ids=[f"x{i}" for i in range(len(documents))]).data_hash
    assert data_hash != Corpus.from_sentences(other).data_hash
    assert len(data_hash) == 12
    assert set(data_hash) <= set("0123456789abcdef")


def test_the_hash_sees_where_words_and_sentences_end():
    """Text cut otherwise is other content, and so are words instead of text."""
    hashes = [
        Corpus.from_sentences([["ab", "c"]]).data_hash,
        Corpus.from_sentences([["a", "bc"]]).data_hash,
        Corpus.from_sentences([["abc"]]).data_hash,
        Corpus.from_sentences([["ab"], ["c"]]).data_hash,
        Corpus.from_words([[["ab", "c"]]]).data_hash,
        Corpus.from_words([[["a", "bc"]]]).data_hash,
        Corpus.from_words([[["ab"], ["c"], []]]).data_hash,
    ]

    assert len(hashes) == len(set(hashes))


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([], "the corpus holds no document"),
        ([["a"], []], "document 'document-2': holds no sentence"),
        ([["a"], "b"], r"document 2: expected a list of sentences \(str\), got 'b'"),
        ("abc", r"document 1: expected a list of sentences \(str\), got 'a'"),
        ([["a"], ["b", 5]], r"document 2: expected a list of sentences \(str\), got \['b', 5\]"),
        ([[["a"]]], r"document 1: expected a list of sentences \(str\), got \[\['a'\]\]"),
        ([["a"], 5], r"document 2: expected a list of sentences \(str\), got 5"),
        ([None], r"document 1: expected a list of sentences \(str\), got None"),
        (5, "documents.*5"),
        (None, "documents.*None"),
    ],
)
def test_wrong_sentences(documents, message):
    """What is no list of lists of strings is refused, with the document's number and what it is."""
    with pytest.raises(InputError, match=message):
        Corpus.from_sentences(documents)


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([], "the corpus holds no document"),
        ([[["a"]], []], "document 'document-2': holds no sentence"),
        ([[["a"], "b"]], r"document 1, sentence 2: expected a list of words \(str\), got 'b'"),
        ([[["a"]], [["a", 5]]], r"document 2, sentence 1: expected a list of words \(str\), got \['a', 5\]"),
        (["abc"], r"document 1, sentence 1: expected a list of words \(str\), got 'a'"),
        ([[5]], r"document 1, sentence 1: expected a list of words \(str\), got 5"),
        ([5], "document 1.*got 5"),
        (None, "documents.*None"),
    ],
)
def test_wrong_words(documents, message):
    """What is no list of lists of lists of strings is refused, with the places of the document and sentence."""
    with pytest.raises(InputError, match=message):
        Corpus.from_words(documents)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["x"], "ids: expected one for each of the 2 documents, got 1"),
        (["x", "y", "z"], "ids: expected one for each of the 2 documents, got 3"),
        (["x", "x"], "document id 'x' stands more than once; ids must differ"),
        ([1, 2], "ids: .*1"),
        (["x", None], "ids: .*None"),
    ],
)
@pytest.mark.parametrize("make", [Corpus.from_sentences, Corpus.from_words])
def test_wrong_ids(make, ids, message):
    """Ids are strings, one for each document, all different."""
    with pytest.raises(InputError, match=message):
        make([[["a"]], [["b"]]] if make == Corpus.from_words else [["a"], ["b"]], ids=ids)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({}, "record 2: expected either `text` or `sentences`, got neither"),
        ({"text": "a", "sentences": ["a"]}, "record 2: expected either `text` or `sentences`, got both"),
        ({"text": "", "sentences": ["a"]}, "record 2: expected either `text` or `sentences`, got both"),
        ({"text": 5}, r"record 2: Expected `str \| null`, got `int` - at `\$.text`"),
        ({"sentences": ["a", 5]}, r"record 2: Expected `str`, got `int` - at `\$.sentences\[1\]`"),
        ({"sentences": "a"}, r"record 2: Expected `array \| null`, got `str` - at `\$.sentences`"),
        ({"sentences": ["a"], "labels": ["x", "y"]}, "record 2: `labels` has 2 values, but the document has 1 sent"),
        ({"sentences": ["a", "b"], "in_summary": []}, "record 2: `in_summary` has 0 values, but the document has 2"),
        ({"text": "a", "in_summary": ["yes"]}, r"record 2: Expected `bool`, got `str` - at `\$.in_summary\[0\]`"),
        ({"text": "a", "id": 1.5}, r"record 2: Expected `.*`, got `float` - at `\$.id`"),
        ({"text": " \n"}, "record 2: holds no sentence"),
        ({"sentences": []}, "record 2: holds no sentence"),
        ({"text": "a", "id": "document-1"}, "record 2: the id 'document-1' was already given at record 1"),
        ("text", "record 2: Expected `object`, got `str`"),
        (None, "record 2: Expected `object`, got `null`"),
        ({5: "text"}, "record 2: Expected `str`"),
    ],
)
def test_wrong_records(record, message):
    """A mapping that is no document is refused with its number and what is wrong."""
    with pytest.raises(InputError, match=message):
        Corpus.from_dicts([{"text": "a"}, record])


@pytest.mark.parametrize("records", [5, None])
def test_no_records_at_all(records):
    """What cannot be iterated over is refused by the argument's name."""
    with pytest.raises(InputError, match="records"):
        Corpus.from_dicts(records)


def test_everything_that_a_record_may_hold():
    """Each field of a record has its place in the document; numbers become strings."""
    record = {
        "id": 7,
        "text": "It shook. It stopped.",
        "labels": ["quake", 2],
        "summary": "It shook. Nothing else.",
        "in_summary": [True, False],
        "story": 3,
        "unknown": {"of": "no interest"},
    }

    assert (
        Document(
            id="7",
            sentences=("It shook.", "It stopped."),
            labels=("quake", "2"),
            summary=("It shook.", "Nothing else."),
            in_summary=(True, False),
            story="3",
        )
        == Corpus.from_dicts([record])[0]
    )


def test_a_summary_may_be_a_list():
    """The sentences of a summary may be given as they are."""
    assert Corpus.from_dicts([{"text": "x", "summary": ["a. b"]}])[0].summary == ("a. b",)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(ANY_TEXT, inner, max_size=2),
    max_leaves=4,
)
FIELDS = st.sampled_from(["text", "sentences", "id", "labels", "summary", "in_summary", "story", "other"])


@given(st.lists(st.dictionaries(FIELDS, JSON, max_size=4) | JSON, max_size=3))
@example([{"text": "half a pair: \ud800"}])
@example([{"text": "a", "id": 10**5000}])
def test_any_records_are_taken_or_refused(records):
    """Whatever the records hold, a corpus is made or an InputError says which record is wrong."""
    corpus, told = None, ""
    try:
        corpus = Corpus.from_dicts(records)
    except InputError as error:
        told = str(error)

    if corpus:
        assert len(records) == len(corpus)
        assert all(document.sentences for document in corpus)
    else:
        assert told.startswith(("record ", "the records: holds no document"))


def test_problems_are_listed_together():
    """All problems come in one error, but only the first ten and how many more there are."""
    with pytest.raises(InputError) as caught:
        raise_problems([f"problem {i}" for i in range(12)])
    with pytest.raises(InputError) as ten:
        raise_problems([f"problem {i}" for i in range(10)])

    assert [*(f"problem {i}" for i in range(10)), "... and 2 more problems like these"] == str(caught.value).split(
        "\n"
    )
    assert [f"problem {i}" for i in range(10)] == str(ten.value).split("\n")


def test_empty_and_doubled_documents_are_reported_together():
    """A collection's empty documents and doubled ids are all named."""
    with pytest.raises(InputError, match=r"(?s)'a': holds no sentence.*'b' stands more than once"):
        check_documents([Document("a", ()), Document("b", ("x",)), Document("b", ("y",))])
