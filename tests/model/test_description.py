from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.errors import InputError
from driftline.model.content_model import ContentModel
from driftline.model.description import describe, overview, sparkline
from driftline.model.topics import topics
from driftline.settings import Settings
from driftline.text.corpus import Corpus


def with_record(model, **changes):
    """The same model with another history."""
    return replace(model, record=replace(model.record, **changes))


def test_a_model_is_described_from_the_outside_in(words_model):
    """First what it was made of, then a line a topic, then each topic in full."""
    text = describe(words_model)

    assert text.startswith("A content model of 4 documents (9 sentences): 2 topics and everything else.\n")
    assert f"Signature: {words_model.signature}" in text
    for topic in topics(words_model):
        assert f"[{topic.state}] {topic.label}" in text
        for example in topic.examples:
            assert f"    - {example.text}" in text
    assert "The labels place 1 sentence" in text


def test_one_topic_is_described_alone(words_model):
    """With a state there is that topic and no other."""
    text = describe(words_model, 1)

    assert text.startswith("[1] ")
    assert "Signature" not in text
    assert "\n[0]" not in text


@pytest.mark.parametrize("state", [-1, 3, 100])
def test_a_topic_that_is_not_there_is_refused(words_model, state):
    """The error names the numbers that there are."""
    with pytest.raises(InputError, match=f"topic: expected a number from 0 to 2, got {state}"):
        describe(words_model, state)


def test_the_overview_follows_the_documents(words_model):
    """Topics stand in the order of their places in documents, everything else last."""
    lines = overview(topics(words_model))

    assert lines[0].split()[:3] == ["topic", "share", "begin..end"]
    assert [int(line.split()[0]) for line in lines[1:]] == [0, 1, 2]
    assert lines[1].endswith("[1] 75% end 25%")


def test_the_overview_names_three_followers():
    """A topic that anything follows shows the most frequent three of them."""
    documents = [[["a", "b"], [f"c{i}"]] for i in range(7)]
    model = ContentModel.from_labels(Corpus.from_words(documents), [[0, i + 1] for i in range(7)], 9)

    assert overview(topics(model))[1].count("%") == 1 + 3


def test_a_short_overview_shows_the_largest_topics_in_their_places():
    """With a limit the small topics are counted only; those that are shown still follow the documents."""
    documents = [[["a", "b"], ["c", "d"], ["e", "f"]], [["c", "d"], ["e", "f"]], [["e", "f"]]]
    model = ContentModel.from_labels(Corpus.from_words(documents), [[0, 1, 2], [1, 2], [2]], 4)

    lines = overview(topics(model), most=2)

    assert [line.split()[0] for line in lines[1:-1]] == ["1", "2"]
    assert lines[-1].strip() == "... and 2 smaller ones"


def test_the_columns_of_the_overview_line_up(words_model):
    """Whatever the labels are, what follows them begins in one column."""
    lines = overview(topics(words_model))

    column = lines[0].index("most often followed by")
    assert all(line[column - 2 : column] == "  " and line[column] != " " for line in lines[1:])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "Its states were given as labels."),
        (
            {"ending": "converged", "moved": (3, 0), "min_cluster_size": 2},
            "Re-estimation ended after 2 iterations: no sentence moved any more.",
        ),
        (
            {"ending": "cycle", "moved": (3, 1, 2)},
            "Re-estimation ended after 3 iterations: the topics began to repeat themselves.",
        ),
        ({"ending": "max_iterations", "moved": (3,)}, "Re-estimation ended after 1 iteration: that was the limit."),
        ({"n_sampled_sentences": 5}, "The first clusters were made from a sample of 5 sentences."),
        ({"n_arbitrary_merges": 7}, "7 merges joined clusters with nothing in common"),
    ],
)
def test_the_description_tells_how_the_model_came_to_be(words_model, changes, sentence):
    """How re-estimation ended, a sample, arbitrary merges: each is said where it is so."""
    assert sentence in describe(with_record(words_model, **changes))


def test_the_description_does_not_tell_what_is_not_so(words_model):
    """No sample and no arbitrary merges are no news."""
    text = describe(words_model).replace(words_model.signature, "")

    assert "sample" not in text
    assert "merges" not in text


def test_one_is_not_written_as_several(words_model):
    """One sentence in one document is what it says."""
    text = describe(words_model, 2)

    assert "1 sentence (11.1%) in 1 document;" in text


def test_an_empty_topic_is_described_too():
    """A state without sentences has nothing before or after it."""
    model = ContentModel.from_labels(Corpus.from_words([[["a", "b"]]]), [[0]], 3)

    assert describe(model, 1).count("nothing (it holds no sentence)") == 2


def test_long_sentences_are_cut():
    """An example takes one line of a hundred characters at most, cut between words."""
    sentence = [f"word{i}" for i in range(60)]
    model = ContentModel.from_labels(Corpus.from_words([[sentence]]), [[0]], 2)

    shown = next(line for line in describe(model, 0).splitlines() if line.startswith("    - "))
    assert shown.startswith("    - word0 word1 word2")
    assert shown.endswith("…")
    assert len(shown) <= 106


def test_a_long_sentence_without_spaces_is_cut_and_not_blotted_out():
    """A script that writes no spaces still shows how the example begins."""
    model = ContentModel.from_labels(
        Corpus.from_sentences([["地震" * 80, "海啸"]]), [[0, 1]], 3, settings=Settings(masking="none")
    )

    assert "    - 地震地震" in describe(model, 0)


def test_no_text_is_described_where_none_was_kept():
    """With n_examples=0 the description quotes no sentence."""
    model = ContentModel.from_labels(
        Corpus.from_words([[["a", "b"], ["c", "d"]]]), [[0, 1]], 3, settings=Settings(n_examples=0)
    )

    assert "    - " not in describe(model)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_a_sparkline_has_a_bar_for_each_share(shares):
    """The largest share has the full bar, and a larger share never a smaller bar."""
    bars = sparkline(shares)

    assert len(bars) == len(shares)
    if max(shares) > 0:
        assert bars[shares.index(max(shares))] == "█"
    ranked = sorted(zip(shares, bars, strict=True))
    assert [bar for _, bar in ranked] == sorted(bars)


def test_a_sparkline_of_nothing_is_flat():
    """Without any share all bars are the lowest."""
    assert sparkline([0.0, 0.0]) == "▁▁"
