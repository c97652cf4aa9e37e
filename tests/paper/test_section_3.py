"""Section 3 of Barzilay & Lee (2004), "Model Construction", worked by hand.

Every expected number is a fraction that can be checked with pencil and paper; the arithmetic stands
beside it. The paper's clusters c_1 ... c_m are the states 0 ... m - 1 here, and s_m is the last one.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from driftline.errors import DriftlineWarning
from driftline.model.clustering import bigram_features, cluster, cosine
from driftline.model.content_model import ContentModel
from driftline.model.fitting import fit
from driftline.model.training import Estimate, State, reestimate
from driftline.settings import Settings
from driftline.text.corpus import Corpus
from strategies import encoded


def model_of(documents, labels, n_states, d1=1.0, d2=1.0):
    """A model of documents written as sentences with spaces between their words."""
    corpus = Corpus.from_words([[sentence.split() for sentence in document] for document in documents])
    return ContentModel.from_labels(
        corpus, labels, n_states, emission_smoothing=float(d1), transition_smoothing=float(d2)
    )


def p_sentence(model, sentence):
    """The probability that each state gives to a sentence."""
    return np.exp(model.log_emission([sentence.split()])[0])


def assert_fractions(got, want):
    """Floats are these fractions."""
    np.testing.assert_allclose(got, np.array(want, dtype=float), rtol=1e-12, atol=0)


# Initial topic induction


def test_similarity_is_the_cosine_of_word_bigrams():
    """The paper: "measuring sentence similarity by the cosine metric using word bigrams as features"."""
    #             a b   b c   b d
    #  a b c       1     1     0     length sqrt 2
    #  a b d       1     0     1     length sqrt 2
    #  a b a b c   2     1     0  and b a 1: length sqrt 6
    documents = [[list("abc"), list("abd"), list("ababc")]]

    similarity = cosine(bigram_features(encoded(documents)))

    want = [[1, 1 / 2, 3 / math.sqrt(12)], [1 / 2, 1, 2 / math.sqrt(12)], [3 / math.sqrt(12), 2 / math.sqrt(12), 1]]
    np.testing.assert_allclose(similarity, want, rtol=1e-6, atol=0)


def test_small_clusters_become_etcetera():
    """The paper: "merging together all clusters containing fewer than T sentences"; m counts what results."""
    # Three, two, one and one sentences in k = 4 clusters; with T = 2 the two single ones are etcetera.
    documents = [["a b", "a b", "c d"], ["a b", "c d", "e f", "g h"]]
    corpus = encoded([[sentence.split() for sentence in document] for document in documents])

    made = cluster(corpus, Settings(n_clusters=4, min_cluster_size=2))

    assert made.n_states == 3
    assert made.states.tolist() == [0, 0, 1, 0, 1, 2, 2]


def test_a_fixed_number_of_states_merges_the_smallest_clusters():
    """The last table's model sizes: the smallest clusters go to etcetera until m states remain."""
    documents = [["a b", "a b", "c d"], ["a b", "c d", "e f", "g h"]]
    corpus = encoded([[sentence.split() for sentence in document] for document in documents])

    for m, want in ((2, [0, 0, 1, 0, 1, 1, 1]), (3, [0, 0, 1, 0, 1, 2, 2]), (4, [0, 0, 1, 0, 1, 2, 3])):
        made = cluster(corpus, Settings(n_clusters=4, n_states=m))
        assert made.n_states == m
        assert made.states.tolist() == want


def test_names_numbers_and_dates_do_not_keep_sentences_apart():
    """Footnote 3: clusters hold "the same event type, rather than same actual event" (figure 2's sentences)."""
    corpus = Corpus.from_sentences(
        [
            ["The temblor was centered 60 kilometers northwest of Kunming.", "The army sent tents."],
            ["The temblor was centered 250 kilometers northwest of Peshawar.", "Schools were closed on Monday."],
        ]
    )

    with pytest.warns(DriftlineWarning, match="only 2 documents"):
        model = fit(corpus, Settings(n_clusters=3, min_cluster_size=2, max_iterations=0))

    assert model.n_states == 2
    # The two temblors are one cluster; the two other sentences are one each, and so etcetera.
    assert model.estimate.counts.sentence_counts.tolist() == [2, 2]
    assert {example.text for example in model.examples[0]} == {document.sentences[0] for document in corpus}


# Emission probabilities

# Cluster 1 holds "a b" and "a c", cluster 2 holds "c", etcetera holds "b a".
# V = {a, b, c, UNK}, so |V| = 4; delta_1 = 1/2, so delta_1 |V| = 2.
EMITTING = [["a b", "c"], ["a c", "b a"]], [[0, 1], [0, 2]], 3


@pytest.fixture(scope="module")
def emitting():
    """A model of two topics and etcetera, with delta_1 = 1/2."""
    return model_of(*EMITTING, d1=0.5)


def test_bigram_states_are_smoothed_counts(emitting):
    """p_s(w'|w) = (f(ww') + delta_1) / (f(w) + delta_1 |V|), with START before the first word."""
    # p_1(a|START) = (2 + 1/2) / (2 + 2) = 5/8        p_2(a|START) = (0 + 1/2) / (1 + 2) = 1/6
    # p_1(b|a)     = (1 + 1/2) / (2 + 2) = 3/8        p_2(b|a)     = (0 + 1/2) / (0 + 2) = 1/4
    assert_fractions(p_sentence(emitting, "a")[:2], [Fraction(5, 8), Fraction(1, 6)])
    assert_fractions(
        p_sentence(emitting, "a b")[:2], [Fraction(5, 8) * Fraction(3, 8), Fraction(1, 6) * Fraction(1, 4)]
    )
    # p_1(c|START) = (0 + 1/2) / (2 + 2) = 1/8        p_2(c|START) = (1 + 1/2) / (1 + 2) = 1/2
    assert_fractions(p_sentence(emitting, "c")[:2], [Fraction(1, 8), Fraction(1, 2)])


def test_the_insertion_state_is_the_complement_of_all_others(emitting):
    """p_m(w'|w) = (1 - max p_i(w'|w)) / sum over u in V of (1 - max p_i(u|w)), over i < m."""
    # After START:   a: 1 - max(5/8, 1/6) = 3/8 =  9/24      b:   1 - max(1/8, 1/6) = 5/6 = 20/24
    #                c: 1 - max(1/8, 1/2) = 1/2 = 12/24      UNK: 1 - max(1/8, 1/6) = 5/6 = 20/24
    # They sum to 61/24.
    assert_fractions(
        [p_sentence(emitting, w)[2] for w in ("a", "b", "c", "?")], [Fraction(n, 61) for n in (9, 20, 12, 20)]
    )
    # After a:       a: 1 - max(1/8, 1/4) = 6/8              b:   1 - max(3/8, 1/4) = 5/8
    #                c: 1 - max(3/8, 1/4) = 5/8              UNK: 1 - max(1/8, 1/4) = 6/8
    # They sum to 22/8.
    after_a = [p_sentence(emitting, f"a {w}")[2] / p_sentence(emitting, "a")[2] for w in ("a", "b", "c", "?")]
    assert_fractions(after_a, [Fraction(n, 22) for n in (6, 5, 5, 6)])


def test_unknown_words_are_unk(emitting):
    """A word that training never saw is UNK, and as a history it has counts of 0 everywhere."""
    # p_1(UNK|START) = (1/2) / 4 = 1/8, p_2(UNK|START) = (1/2) / 3 = 1/6, p_3(UNK|START) = 20/61 (above).
    assert_fractions(p_sentence(emitting, "quake"), [Fraction(1, 8), Fraction(1, 6), Fraction(20, 61)])
    # p(a|UNK) = (1/2) / 2 = 1/4 in both topics, so its complement is 3/4 for all of the four words: 1/4 too.
    assert_fractions(p_sentence(emitting, "quake a"), [Fraction(1, 8) / 4, Fraction(1, 6) / 4, Fraction(20, 61) / 4])
    assert_fractions(p_sentence(emitting, "tremor a"), p_sentence(emitting, "quake a"))


def test_the_contents_of_etcetera_are_ignored(emitting):
    """The paper: "the contents of the etcetera cluster are ignored at this stage"."""
    # "b a" stands in etcetera: p_m(a|b) is no larger for it. No topic has seen b as a history: 1/4 each,
    # so the complement is 3/4 for every word, and p_3(a|b) = 1/4.
    assert_fractions(p_sentence(emitting, "b a")[2] / p_sentence(emitting, "b")[2], Fraction(1, 4))


def test_without_other_states_the_insertion_state_is_uniform():
    """With m = 1 there is nothing to be complementary to: every word has 1/|V|."""
    model = model_of([["a b"]], [[0]], 1, d1=0.5)

    assert_fractions(p_sentence(model, "b quake"), [Fraction(1, 3) * Fraction(1, 3)])


# Transition probabilities


def test_transitions_count_documents_and_rows_need_not_sum_to_one():
    """p(j|i) = (D(c_i, c_j) + delta_2) / (D(c_i) + delta_2 m): a document with clusters 1, 2, 1, 3."""
    model = model_of([["a", "b", "a", "c"]], [[0, 1, 0, 2]], 3, d2=0.5)

    # delta_2 m = 3/2, and D(c) = 1 for all three: the denominator is 5/2.
    # D(1, 2) = D(2, 1) = D(1, 3) = 1: (1 + 1/2) / (5/2) = 3/5; the others are 0: (1/2) / (5/2) = 1/5.
    want = [
        [Fraction(1, 5), Fraction(3, 5), Fraction(3, 5)],
        [Fraction(3, 5), Fraction(1, 5), Fraction(1, 5)],
        [Fraction(1, 5), Fraction(1, 5), Fraction(1, 5)],
    ]
    assert_fractions(np.exp(model.log_transition), want)
    # Row 1 sums to 7/5: cluster 1 is in one document, and is followed by two others in it.
    assert_fractions(np.exp(model.log_transition).sum(axis=1), [Fraction(7, 5), 1, Fraction(3, 5)])


def test_normalised_rows_are_the_named_alternative():
    """With transitions="normalised" each row is divided by its sum: 1/5, 3/5, 3/5 become 1/7, 3/7, 3/7."""
    corpus = Corpus.from_words([[["a"], ["b"], ["a"], ["c"]]])
    settings = Settings(transition_smoothing=0.5, transitions="normalised")

    model = ContentModel.from_labels(corpus, [[0, 1, 0, 2]], 3, settings=settings)

    assert_fractions(np.exp(model.log_transition[0]), [Fraction(1, 7), Fraction(3, 7), Fraction(3, 7)])


def test_documents_begin_and_end_in_dummy_states():
    """Initial and final probabilities are transitions out of and into the edge of a document."""
    model = model_of([["a", "b", "a", "c"], ["a"]], [[0, 1, 0, 2], [0]], 3, d2=0.5)

    # Both of two documents begin in cluster 1: (2 + 1/2) / (2 + 3/2) = 5/7; the others (1/2) / (7/2) = 1/7.
    assert_fractions(np.exp(model.log_initial), [Fraction(5, 7), Fraction(1, 7), Fraction(1, 7)])
    # D(1) = 2, and one document ends there:  (1 + 1/2) / (2 + 3/2) = 3/7
    # D(2) = 1, and no document ends there:   (0 + 1/2) / (1 + 3/2) = 1/5
    # D(3) = 1, and one document ends there:  (1 + 1/2) / (1 + 3/2) = 3/5
    assert_fractions(np.exp(model.log_final), [Fraction(3, 7), Fraction(1, 5), Fraction(3, 5)])


# The probability of a document, and its best path

# Cluster 1 holds "a" twice, etcetera holds "b". V = {a, b, UNK}; delta_1 = delta_2 = 1, m = 2.
#
#   emission    a                      b                      UNK
#   s_1         (2 + 1)/(2 + 3) = 3/5  (0 + 1)/(2 + 3) = 1/5  1/5
#   s_2         (2/5) / 2 = 1/5        (4/5) / 2 = 2/5        2/5       for 2/5 + 4/5 + 4/5 = 2
#
#   initial     s_1: (2 + 1)/(2 + 2) = 3/4      s_2: (0 + 1)/(2 + 2) = 1/4
#   transition  1 -> 1: (0 + 1)/(2 + 2) = 1/4   1 -> 2: (1 + 1)/(2 + 2) = 1/2
#               2 -> 1: (0 + 1)/(1 + 2) = 1/3   2 -> 2: (0 + 1)/(1 + 2) = 1/3
#   final       s_1: (1 + 1)/(2 + 2) = 1/2      s_2: (1 + 1)/(1 + 2) = 2/3
#
# The document "a", "b" by all of its four paths:
PATHS = {
    (0, 0): Fraction(3, 4) * Fraction(3, 5) * Fraction(1, 4) * Fraction(1, 5) * Fraction(1, 2),  #  9/800 =  81/7200
    (0, 1): Fraction(3, 4) * Fraction(3, 5) * Fraction(1, 2) * Fraction(2, 5) * Fraction(2, 3),  #  3/50  = 432/7200
    (1, 0): Fraction(1, 4) * Fraction(1, 5) * Fraction(1, 3) * Fraction(1, 5) * Fraction(1, 2),  #  1/600 =  12/7200
    (1, 1): Fraction(1, 4) * Fraction(1, 5) * Fraction(1, 3) * Fraction(2, 5) * Fraction(2, 3),  #  1/225 =  32/7200
}


@pytest.fixture(scope="module")
def two_states():
    """The model of the table above."""
    return model_of([["a", "b"], ["a"]], [[0, 1], [0]], 2)


def test_the_probability_of_a_document_sums_over_all_paths(two_states):
    """Forward: 81 + 432 + 12 + 32 = 557 of 7200, the factor of the end included."""
    assert sum(PATHS.values()) == Fraction(557, 7200)
    assert_fractions(math.exp(two_states.log_probability([["a"], ["b"]])), Fraction(557, 7200))


def test_the_best_path_is_the_most_probable_one(two_states):
    """Viterbi: s_1, s_2 with 432 of 7200."""
    assert max(PATHS, key=PATHS.get) == (0, 1)
    assert two_states.v_topics([["a"], ["b"]]).tolist() == [0, 1]


def test_the_probability_of_a_state_is_its_share_of_the_paths(two_states):
    """At "a" s_1 has 81 + 432 of 557, at "b" s_2 has 432 + 32."""
    got = two_states.state_probabilities([["a"], ["b"]])

    assert_fractions(got, [[Fraction(513, 557), Fraction(44, 557)], [Fraction(93, 557), Fraction(464, 557)]])


def test_a_document_of_one_sentence_begins_and_ends_at_once(two_states):
    """The document "a": 3/4 x 3/5 x 1/2 = 9/40 by s_1 and 1/4 x 1/5 x 2/3 = 1/30 by s_2: 31/120."""
    assert_fractions(math.exp(two_states.log_probability([["a"]])), Fraction(31, 120))
    assert two_states.v_topics([["a"]]).tolist() == [0]


# Viterbi re-estimation


def begin(documents, labels, n_states, settings):
    """A corpus, and where its re-estimation begins."""
    model = model_of(documents, labels, n_states, settings.emission_smoothing, settings.transition_smoothing)
    corpus = model.encode([[sentence.split() for sentence in document] for document in documents])
    return corpus, State(np.array(list(itertools.chain(*labels))), Estimate(model.estimate.counts, *_parts(model)))


def _parts(model):
    return model.estimate.emissions, model.chain


def test_sentences_move_to_the_state_that_most_likely_made_them():
    """The paper: "placing each one in the (new) cluster" that most likely generated it, until none moves."""
    # One document "a", "a", its second sentence in etcetera. V = {a, UNK}, delta_1 = 1/10, delta_2 = 1.
    # p_1(a) = (1 + 1/10) / (1 + 2/10) = 11/12, so p_2(a) = (1/12) / (1/12 + 11/12) = 1/12.
    # initial: 2/3, 1/3    1 -> 1: 1/3    1 -> 2: 2/3    final: 1/3, 2/3
    #   path 1, 1:  2/3 x 11/12 x 1/3 x 11/12 x 1/3 = 242/3888
    #   path 1, 2:  2/3 x 11/12 x 2/3 x  1/12 x 2/3 =  88/3888       so the second sentence moves.
    settings = Settings(emission_smoothing=0.1, transition_smoothing=1.0)
    corpus, state = begin([["a", "a"]], [[0, 1]], 2, settings)

    steps = list(reestimate(state, corpus, settings))

    assert [(info.n_moved, info.ending) for _, info in steps] == [(1, None), (0, "converged")]
    assert_fractions(math.exp(steps[0][1].log_probability), Fraction(242, 3888))
    # Etcetera is empty now and stays. p_1(a) = (2 + 1/10) / (2 + 2/10) = 21/22.
    after, _ = steps[0]
    assert after.states.tolist() == [0, 0]
    assert after.estimate.counts.n_states == 2
    assert_fractions(np.exp(after.estimate.emissions.score(corpus)[0]), [Fraction(21, 22), Fraction(1, 22)])


def test_a_topic_that_loses_all_of_its_sentences_is_dropped():
    """An empty state would take whatever is new; after re-estimation m is smaller by one."""
    # Three documents "a"; two in cluster 1, one in cluster 2, none in etcetera. V = {a, UNK}, delta_1 = 1/10.
    # p_1(a) = 21/22, p_2(a) = 11/12.    initial: 3/6, 2/6, 1/6    final: (2 + 1)/(2 + 3) = 3/5, 2/4, 1/3
    #   the third document by s_1: 1/2 x 21/22 x 3/5 = 63/220 = 0.286
    #                      by s_2: 1/3 x 11/12 x 1/2 = 11/72  = 0.153       so it moves, and cluster 2 is empty.
    settings = Settings(emission_smoothing=0.1, transition_smoothing=1.0)
    corpus, state = begin([["a"], ["a"], ["a"]], [[0], [0], [1]], 3, settings)

    (after, info), *_ = reestimate(state, corpus, settings)

    assert (info.n_moved, info.n_states) == (1, 2)
    assert_fractions(math.exp(info.log_probability), Fraction(63, 220) ** 3)
    assert after.states.tolist() == [0, 0, 0]
    # m = 2 now: initial (3 + 1) / (3 + 2) = 4/5 and 1/5.
    assert_fractions(np.exp(after.estimate.chain.log_initial), [Fraction(4, 5), Fraction(1, 5)])
