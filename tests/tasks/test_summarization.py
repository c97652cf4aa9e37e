import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.errors import DriftlineWarning, InputError
from driftline.model.content_model import ContentModel
from driftline.model.fitting import fit
from driftline.model.summary_counts import SummaryCounts
from driftline.samples.corpora import sample_corpus
from driftline.tasks.summarization import learn_summaries, parse_length, summarize
from driftline.text.corpus import Corpus, Document
from oracles import plain_choice, plain_summary_probability, plain_viterbi
from strategies import labelled


@pytest.fixture(scope="module", name="pairs")
def bundled_pairs():
    return sample_corpus("earthquakes", "pairs")


@pytest.fixture(scope="module", name="fitted")
def fitted_model():
    return fit(sample_corpus("earthquakes"))


@pytest.fixture(scope="module", name="able")
def model_that_learned(fitted, pairs):
    return learn_summaries(fitted, pairs.select(range(30)))


def plain_states(model, sentences):
    """The states of sentences, by the oracle's Viterbi."""
    chain = (model.log_initial.tolist(), model.log_transition.tolist(), model.log_final.tolist())
    return plain_viterbi(*chain, model.log_emission(sentences).tolist())[0]


@st.composite
def marked(draw):
    """Labelled documents and a mark for each of their sentences, at least one of them true."""
    drawn = draw(labelled(max_documents=8))
    marks = [draw(st.lists(st.booleans(), min_size=len(d), max_size=len(d))) for d in drawn.documents]
    marks[0][0] = True
    return drawn, marks


@given(marked(), st.integers(1, 6), st.sampled_from(["summary", "article"]))
def test_random_models_equal_the_paper(drawn, length, topics_of):
    """Probabilities of states and chosen sentences are what an independent reading of section 4.2 gives."""
    collection, marks = drawn
    plain = Corpus.from_words(collection.documents)
    model = ContentModel.from_labels(plain, collection.labels, collection.n_states)
    corpus = Corpus(tuple(replace(d, in_summary=tuple(m)) for d, m in zip(plain, marks, strict=True)))
    pairs = [document for document in corpus if any(document.in_summary)]
    articles = [plain_states(model, d.words) for d in pairs]
    if topics_of == "summary":
        summaries = [plain_states(model, [w for w, m in zip(d.words, d.in_summary, strict=True) if m]) for d in pairs]
    else:
        summaries = [[s for s, m in zip(a, d.in_summary, strict=True) if m]
                     for a, d in zip(articles, pairs, strict=True)]  # fmt: skip
    probability = plain_summary_probability(articles, summaries, collection.n_states)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DriftlineWarning)  # of pairs that teach nothing
        able = learn_summaries(model, corpus, topics_of=topics_of)

    assert able.summaries.n_pairs == len(pairs)
    assert able.summaries.known.tolist() == [p is not None for p in probability]
    np.testing.assert_allclose(able.summaries.probability, [float(p or 0) for p in probability], rtol=1e-15, atol=0)
    for document in corpus:
        states = plain_states(model, document.words)
        summary = summarize(able, document, length)
        assert list(summary.indices) == plain_choice(states, probability, length)
        assert summary.states == tuple(states[i] for i in summary.indices)
        assert summary.n_missing == max(0, length - len(document))


def test_bundled_pairs_equal_the_paper(able, fitted, pairs):
    """On real text with a lightly edited summary too, the summary being decoded as a text of its own."""
    train, test = pairs.select(range(30)), pairs.select(range(30, 60))
    assert any(set(d.summary) - set(d.sentences) for d in train)
    articles = [plain_states(fitted, d.sentences) for d in train]
    summaries = [plain_states(fitted, d.summary) for d in train]
    probability = plain_summary_probability(articles, summaries, fitted.n_states)

    np.testing.assert_allclose(able.summaries.probability, [float(p or 0) for p in probability], rtol=1e-15, atol=0)
    for document in test:
        states, length = plain_states(fitted, document.sentences), sum(document.in_summary)
        summary = summarize(able, document, length)
        assert list(summary.indices) == plain_choice(states, probability, length)
        assert summary.probabilities == pytest.approx([float(probability[s] or 0) for s in summary.states], rel=1e-15)


def test_what_a_summary_says_of_itself(able, pairs):
    """Sentences stand in reading order, with what was counted for the topic of each as the reason."""
    document = pairs[40]
    summary = summarize(able, document, 4)

    assert list(summary.indices) == sorted(summary.indices)
    assert summary.sentences == tuple(document.sentences[i] for i in summary.indices)
    assert summary.method == "pairs"
    for state, probability, reason in zip(summary.states, summary.probabilities, summary.reasons, strict=True):
        articles, both = able.summaries.article_counts[state], able.summaries.both_counts[state]
        assert reason == f"{both} of {articles} articles with this topic have it in their summary"
        assert probability == both / articles


def test_a_topic_that_few_articles_hold(able, pairs):
    """A sentence that was taken though nothing is known of its topic says so."""
    summaries = [summarize(able, document, "100%") for document in pairs.select(range(30, 60))]
    known = able.summaries.known
    told = [(bool(known[state]), reason) for summary in summaries
            for state, reason in zip(summary.states, summary.reasons, strict=True)]  # fmt: skip

    assert any(not is_known for is_known, _ in told)
    assert all(reason.startswith("nothing is known of this topic") != is_known for is_known, reason in told)


def test_without_pairs_the_central_topics_are_taken(fitted, pairs):
    """A model without pairs goes by the share of documents that hold a topic, and says so; digressions come last."""
    summary = summarize(fitted, pairs[0], 5)

    assert summary.method == "centrality"
    share = fitted.estimate.counts.document_counts / 100
    share[fitted.insertion_state] = 0
    states = fitted.v_topics(pairs[0]).tolist()
    assert list(summary.indices) == plain_choice(states, share.tolist(), 5)
    n_holding = round(share[summary.states[0]] * 100)
    assert summary.reasons[0] == f"{n_holding} of 100 documents of the domain hold this topic"


def test_a_digression_says_that_it_fits_no_topic(words_corpus):
    """Without pairs a sentence of the insertion state counts for nothing."""
    model = ContentModel.from_labels(words_corpus, [[0, 0, 1], [0, 0], [0, 0, 0], [0]], n_states=2)
    summary = summarize(model, [["tea", "was", "served"], ["a", "quake", "hit", "izmit"]], 2)

    assert summary.states == (1, 0)
    assert summary.probabilities == (0.0, 1.0)
    assert summary.reasons == ("it fits no topic", "4 of 4 documents of the domain hold this topic")


def test_ties_go_to_the_first(words_model, words_corpus):
    """Where all states count the same the summary is the lead."""
    flat = replace(words_model, summaries=SummaryCounts(np.full(3, 4), np.full(3, 2), 4))

    assert summarize(flat, words_corpus[2], 2).indices == (0, 1)


@pytest.mark.parametrize(
    ("length", "n", "unit"),
    [(3, 3, "sentences"), ("3", 3, "sentences"), (np.int64(2), 2, "sentences"), ("30%", 30, "percent"),
     (" 100 w", 100, "words"), ("100%", 100, "percent"), (10**17, 10**17, "sentences")],
)  # fmt: skip
def test_lengths_that_are_understood(length, n, unit):
    """Numbers of sentences, shares and words."""
    wanted = parse_length(length)
    assert (wanted.n, wanted.unit) == (n, unit)


@pytest.mark.parametrize(
    "length",
    [
        0,
        -1,
        "-1",
        "abc",
        1.5,
        "1.5",
        True,
        None,
        "0%",
        "101%",
        "0w",
        "",
        "%",
        "3x",
        [3],
        "1e9",
        math.nan,
        "NaN",
        "+3",
        "\u0663",
        10**18,
    ],
)
def test_lengths_that_are_refused(words_model, words_corpus, length):
    """The refusal names the argument, what was expected, and what was given."""
    with pytest.raises(InputError) as caught:
        summarize(words_model, words_corpus[0], length)
    assert str(caught.value).startswith("length: expected a number of sentences of at least 1")
    assert str(caught.value).endswith(f"got {length!r}")


def test_a_share_is_rounded_up(able, pairs):
    """A share gives at least so many sentences, and one at the least."""
    n = len(pairs[0])
    for percent in (1, 10, 30, 50, 99, 100):
        assert len(summarize(able, pairs[0], f"{percent}%").indices) == max(1, math.ceil(n * percent / 100))


def test_words_are_not_exceeded(able, pairs):
    """A length in words is kept, unless the first sentence alone is longer; what is left out would not have fit."""

    def n_words(sentences):
        return sum(any(c.isalnum() for c in token) for s in sentences for token in s.replace("-", " ").split())

    document = Corpus.from_sentences([["One two three.", "Four five.", "Six.", "Seven eight nine ten."]])[0]
    model = replace(able, summaries=None)
    for wanted in range(1, 12):
        summary = summarize(model, document, f"{wanted}w")
        got = n_words(summary.sentences)
        assert got <= wanted or len(summary.indices) == 1
        assert summary.n_words_over == max(0, got - wanted)
        left = [s for i, s in enumerate(document.sentences) if i not in summary.indices]
        assert all(n_words([s]) > wanted - got for s in left)


def test_a_short_document_is_taken_whole(able):
    """Fewer sentences than asked are all taken, and it is said how many are missing."""
    summary = summarize(able, ["It shook.", "Nobody was hurt."], 5)
    assert (summary.indices, summary.n_missing) == ((0, 1), 3)


@pytest.mark.parametrize("document", [[], Document("a", ()), "It shook."])
def test_no_document(able, document):
    """A document without a sentence, and a bare string, are refused."""
    with pytest.raises(InputError, match="document: "):
        summarize(able, document, 3)


def test_a_corpus_without_summaries_is_refused(fitted):
    """There is nothing to learn from."""
    with pytest.raises(InputError, match="holds no summary"):
        learn_summaries(fitted, sample_corpus("earthquakes", "dev"))


def test_topics_of_is_checked(fitted, pairs):
    """Only the two ways there are."""
    with pytest.raises(InputError, match="topics_of: expected 'summary' or 'article', got 'both'"):
        learn_summaries(fitted, pairs, topics_of="both")


@pytest.mark.parametrize("in_summary", [None, (False, False)])
@pytest.mark.parametrize("topics_of", ["summary", "article"])
def test_pairs_without_overlap(fitted, in_summary, topics_of):
    """Summaries that share no sentence with their articles are learned from, and what is odd about them is said."""
    sentences, summary = ("It shook.", "Nobody was hurt."), ("Elections are held.",)
    document = Document("a", sentences, summary=summary, in_summary=in_summary)
    with pytest.warns(DriftlineWarning) as told:
        able = learn_summaries(fitted, Corpus((document,)), topics_of=topics_of)

    messages = [str(warning.message) for warning in told]
    assert any("1 of the 1 sentences of the summaries stand nowhere" in m for m in messages) == (in_summary is None)
    assert messages[-1].startswith("nothing was learned from 1 pair: no topic stands in 3 articles or more")
    assert able.summaries.n_pairs == 1
    assert summarize(able, document, 1).indices == (0,)


def test_summaries_of_other_topics_teach_nothing():
    """Where articles hold topics that no summary has, all probabilities are 0, and that is said."""
    sentences = ("It shook.", "All ran.")
    corpus = Corpus.from_sentences([sentences] * 3)
    model = ContentModel.from_labels(corpus, [[0, 1]] * 3, n_states=3, emission_smoothing=1e-9)
    foreign = Corpus(tuple(replace(document, summary=("Elections.",)) for document in corpus))
    with pytest.warns(DriftlineWarning) as told:
        able = learn_summaries(model, foreign)

    assert str(told[0].message).startswith("3 of the 3 sentences of the summaries stand nowhere")
    assert str(told[1].message) == (
        "nothing was learned from 3 pairs: no summary holds a topic of its article; "
        "summaries will be the first sentences"
    )
    assert not able.summaries.probability.any()
    assert able.summaries.known.tolist() == [True, True, False]


def test_a_summary_that_says_nothing_is_none(fitted, pairs):
    """Blank sentences make no pair; beside marks they leave the marks to be learned from."""
    blank = replace(pairs[0], summary=(" ", ""), in_summary=None)
    with pytest.raises(InputError, match="holds no summary"):
        learn_summaries(fitted, Corpus((blank,)))

    marked = [replace(d, summary=("",)) for d in pairs]
    bare = [replace(d, summary=None) for d in pairs]
    first, second = (learn_summaries(fitted, Corpus(tuple(d))).summaries for d in (marked, bare))
    assert first.both_counts.tolist() == second.both_counts.tolist()


def test_good_pairs_are_learned_from_without_a_word(fitted, pairs, recwarn):
    """Nothing is said of pairs as they should be."""
    learn_summaries(fitted, pairs)

    assert not recwarn.list


def test_marks_in_a_model_of_words(words_model, words_corpus):
    """A model of words learns from marks though the source has a summary as text, which it cannot read."""
    document = replace(words_corpus[0], summary=("a quake hit izmit",), in_summary=(True, False, False))
    able = learn_summaries(words_model, Corpus((document, replace(document, id="b"), replace(document, id="c"))))

    assert able.summaries.both_counts.sum() == 3


def test_the_model_that_was_given_stays_as_it_was(fitted, able):
    """Learning makes a new model."""
    assert fitted.summaries is None
    assert able.summaries.n_pairs == 30
