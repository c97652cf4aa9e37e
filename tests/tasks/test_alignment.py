import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.samples.corpora import sample_corpus
from driftline.tasks.alignment import LEAST_SHARED, align, alignment_report, summary_marks
from driftline.text.corpus import Document

ARTICLE = ("A quake shook Izmit, officials said.", "Tea was served.", "Nobody was hurt.", "Tea was served.")


def aligned(summary, article=ARTICLE):
    """The source and the kind of each sentence of a summary."""
    return [(a.article_sentence, a.kind) for a in align(Document("a", tuple(article), summary=tuple(summary)))]


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        (["Nobody was hurt."], [(2, "identical")]),
        (["A quake shook Izmit."], [(0, "edited")]),
        (["NOBODY was hurt!"], [(2, "identical")]),
        (["Elections are held."], [(None, "none")]),
        ([], []),
        (["?!"], [(None, "none")]),
    ],
)
def test_each_kind_is_told(summary, expected):
    """A sentence is found as it is, with words dropped, or not at all."""
    assert aligned(summary) == expected


def test_each_source_is_used_once():
    """Three like sentences of a summary take the two that the article has, the nearest ones; one has no source."""
    assert aligned(["Tea was served."] * 3) == [(None, "none"), (1, "identical"), (3, "identical")]


def test_of_equal_sources_the_nearest_and_then_the_first():
    """Where several sentences are equally close, the one at the most similar place is taken, then the first."""
    assert aligned(["Tea."], ["Tea.", "Milk.", "Tea."]) == [(0, "identical")]
    assert aligned(["A b.", "C d.", "Tea."], ["Tea.", "C d.", "Tea."])[2] == (2, "identical")
    assert aligned(["A b.", "Tea."], ["Tea.", "C d.", "Tea."])[1] == (0, "identical")


def test_a_source_that_says_less_besides_goes_first():
    """Of two sentences that hold all words of a summary sentence, the one with fewer others is its source."""
    assert aligned(["It shook."], ["It shook hard in the night.", "It shook hard."]) == [(1, "edited")]


def test_the_share_that_is_asked_for():
    """A source holds at least the least share of the words, and exactly that is enough."""
    assert LEAST_SHARED == 0.6
    (found,) = align(Document("a", ("one two three x y z",), summary=("one two three four five",)))
    assert (found.article_sentence, found.kind, found.shared) == (0, "edited", 0.6)
    assert aligned(["one two three four five six"], ["one two three x y z"]) == [(None, "none")]


sentence = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=4).map(" ".join)


@given(st.lists(sentence, min_size=1, max_size=5), st.lists(sentence, max_size=5))
def test_sources_are_never_shared_and_always_close(article, summary):
    """No sentence is the source of two, what stands word for word is found first, and shares are what they say."""
    document = Document("a", tuple(article), summary=tuple(summary))
    found = align(document)

    sources = [a.article_sentence for a in found if a.article_sentence is not None]
    assert len(sources) == len(set(sources))
    assert [a.summary_sentence for a in found] == list(range(len(summary)))
    for a in found:
        assert (a.article_sentence is None) == (a.kind == "none")
        assert (a.shared >= LEAST_SHARED) == (a.kind != "none")
    for text in set(summary):
        identical = sum(a.kind == "identical" for a in found if summary[a.summary_sentence] == text)
        assert identical == min(summary.count(text), article.count(text))
    assert summary_marks(document) == tuple(i in sources for i in range(len(article)))


def test_marks_of_the_source_go_first():
    """Where the source marks its sentences, nothing is aligned; without any summary there are no marks."""
    assert summary_marks(Document("a", ("It shook.",), summary=("It shook.",), in_summary=(False,))) == (False,)
    assert summary_marks(Document("a", ("It shook.",))) is None
    assert summary_marks(Document("a", ("It shook.",), summary=())) == (False,)


def test_bundled_summaries_are_found_where_they_were_taken_from():
    """The bundled pairs know the source of every sentence, edited ones too, and alignment finds each of them."""
    for document in sample_corpus("earthquakes", "pairs"):
        sources = {a.article_sentence for a in align(document)}
        assert tuple(i in sources for i in range(len(document))) == document.in_summary


def test_the_report_counts_and_names():
    """The report counts sentences by how they were found, and names every one that was not."""
    corpus = [
        Document("a", ARTICLE, summary=("Nobody was hurt.", "A quake shook Izmit.", "Why?")),
        Document("b", ARTICLE),
        Document("c", ("It shook.",), summary=("Elections are held.",)),
    ]

    report = alignment_report(corpus)

    assert (report.n_summaries, report.identical, report.edited) == (2, 1, 1)
    assert report.not_found == (("a", 2, "Why?"), ("c", 0, "Elections are held."))
    assert [d.document for d in report.documents] == ["a", "c"]
    assert [d.sentences for d in report.documents] == [align(corpus[0]), align(corpus[2])]
