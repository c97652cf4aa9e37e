"""The ordering exam, and that nothing in it can see the original order."""

import itertools
import math
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.baselines.bigram import BigramModel
from driftline.baselines.flat import FlatModel
from driftline.baselines.lapata import LapataModel
from driftline.errors import InputError
from driftline.evaluation import ordering_exam
from driftline.evaluation.metrics import discrimination_figures, kendall_tau, ordering_figures
from driftline.evaluation.ordering_exam import (
    N_PERMUTATIONS,
    ExamRules,
    Shuffled,
    draw_orders,
    examine_discrimination,
    examine_ordering,
    fit_for_exam,
    shuffle,
)
from driftline.kernels.order_problem import OrderProblem
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus
from driftline.tasks.ranking import Rank
from driftline.text.corpus import Corpus, Document
from oracles import StreamBigrams, better_and_equal, quick_order_scores


@dataclass(frozen=True)
class AsShown:
    """A cheat: it likes best that each sentence is followed by the one that is shown after it."""

    seen: list = field(default_factory=list)

    def order_problem(self, document):
        self.seen.append(document)
        n = len(document)
        log_step = np.full((n, n), -5.0)
        log_step[np.arange(n - 1), np.arange(1, n)] = -0.1
        return OrderProblem.of_steps(np.where(np.arange(n) == 0, -0.1, -5.0), log_step, 0.0)


@dataclass(frozen=True)
class ByText:
    """Knows the answer: sentences say their places."""

    sign: float = 1.0

    def order_problem(self, document):
        place = np.array([float(s.split()[-1]) for s in document.sentences])
        log_step = -self.sign * np.abs(place[None, :] - place[:, None] - 1.0)
        return OrderProblem.of_steps(-self.sign * place, log_step, 0.0)


def documents(n, n_sentences=5):
    return [Document(f"d{i}", tuple(f"sentence {i} {place}" for place in range(n_sentences))) for i in range(n)]


def values(figures):
    return {figure.name: figure.value for figure in figures}


# Leaks


def test_a_cheat_that_prefers_what_it_is_shown_scores_as_random():
    """Who likes the shown order has the tau, ranks and pairs of somebody who draws orders."""
    cheat, n = AsShown(), 400
    outcomes = [examine_ordering(cheat, document, ExamRules()) for document in documents(n, 4)]
    pairs = [examine_discrimination(cheat, document, ExamRules()) for document in documents(60, 4)]
    found = values(ordering_figures(outcomes))

    # tau of random orders of four sentences has the standard deviation 0.49
    assert found["Kendall's tau"] == pytest.approx(0, abs=4 * 0.49 / math.sqrt(n))
    # it finds one order best, the shown one, which is the original once in 4!
    assert found["original order found"] == pytest.approx(1 / 24, abs=4 * math.sqrt(1 / 24 / n))
    assert values(discrimination_figures(pairs))["discrimination"] == pytest.approx(0.5, abs=0.15)


def test_nothing_that_is_shown_tells_the_original():
    """What a system is shown has no id, story, label, summary or mark, and its sentences in a seeded shuffle."""
    cheat = AsShown()
    document = Document(
        "an id", tuple("abcdef"), labels=tuple("abcdef"), summary=("a",), in_summary=(True,) + (False,) * 5, story="s"
    )
    examine_ordering(cheat, document, ExamRules())
    examine_discrimination(cheat, document, ExamRules())

    assert {d.id for d in cheat.seen} == {"shown"}
    assert all(d.labels is d.summary is d.in_summary is d.story is None for d in cheat.seen)
    assert all(sorted(d.sentences) == list("abcdef") for d in cheat.seen)
    assert len({d.sentences for d in cheat.seen}) == 1
    assert cheat.seen[0].sentences != document.sentences


def test_shuffles_prefer_no_place():
    """Over many documents each sentence is shown at each place equally often."""
    shown = np.array([shuffle(document, 0).places for document in documents(2000, 4)])

    counts = np.array([np.bincount(column, minlength=4) for column in shown.T]) / 2000
    np.testing.assert_allclose(counts, 0.25, rtol=0, atol=4 * math.sqrt(0.25 * 0.75 / 2000))


def test_where_all_orders_tie():
    """A system that knows nothing has tau about 0, credit 1 / N!, half of the pairs and the middle rank."""
    outcomes = [examine_ordering(FlatModel(), document, ExamRules()) for document in documents(300, 4)]
    pairs = examine_discrimination(FlatModel(), documents(1, 4)[0], ExamRules())

    assert {(o.rank, o.credit, o.exact) for o in outcomes} == {(23 / 2, 1 / 24, True)}
    assert np.mean([o.tau for o in outcomes]) == pytest.approx(0, abs=4 * 0.49 / math.sqrt(300))
    assert (pairs.won, pairs.n_pairs) == (N_PERMUTATIONS / 2, N_PERMUTATIONS)


def test_a_shuffle_depends_on_seed_and_id_alone():
    """The same document is always shown alike; another seed or id shows it otherwise."""
    document = documents(1, 12)[0]

    assert shuffle(document, 1) == shuffle(document, 1)
    assert shuffle(document, 1).places != shuffle(document, 2).places
    assert shuffle(document, 1).places != shuffle(Document("other", document.sentences), 1).places


def test_the_original_order_can_be_told_in_shuffled_places():
    """`original` and `as_read` undo the shuffle."""
    shown = shuffle(documents(1, 9)[0], 3)

    assert [shown.document.sentences[k] for k in shown.original] == list(documents(1, 9)[0].sentences)
    assert shown.as_read(shown.original) == list(range(9))
    words = Corpus.from_words([[["a"], ["b"], ["c"], ["d"]]])[0]
    assert shuffle(words, 0).document.words == tuple((s,) for s in shuffle(words, 0).document.sentences)


@given(st.lists(st.sampled_from("ab"), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_equal_sentences_are_interchangeable(sentences, random):
    """Of all ways to tell equal sentences apart an order is read in the one that is nearest to the original."""
    places = list(range(len(sentences)))
    random.shuffle(places)
    shown = Shuffled(Document("x", tuple(sentences[p] for p in places)), tuple(places))
    order = list(range(len(sentences)))
    random.shuffle(order)
    texts = [shown.document.sentences[k] for k in order]

    read = shown.as_read(order)

    ways = [w for w in itertools.permutations(range(len(sentences))) if [sentences[p] for p in w] == texts]
    assert tuple(read) in ways
    assert kendall_tau(read) == max(map(kendall_tau, ways))


# Outcomes


def test_the_scale_has_its_ends():
    """Who knows the answer has it all, and who avoids it is last."""
    for document in documents(5):
        best, worst = (examine_ordering(ByText(sign), document, ExamRules()) for sign in (1.0, -1.0))
        assert (best.rank, best.credit, best.tau) == (0, 1, 1)
        assert (worst.credit, worst.rank) == (0, 119)
        assert examine_discrimination(ByText(), document, ExamRules()).won == N_PERMUTATIONS
        assert examine_discrimination(ByText(-1.0), document, ExamRules()).won == 0


@pytest.fixture(scope="module", name="content")
def content_model():
    return fit(sample_corpus("earthquakes"))


@pytest.fixture(scope="module", name="short")
def short_documents():
    return [d for d in sample_corpus("earthquakes", "test") if 2 <= len(d) <= 5][:6]


def test_ranks_equal_enumeration(content, short):
    """Rank, credit and tau are those of all orders scored one by one on the document as it stands."""
    for document in short:
        chain = (content.log_initial, content.log_transition, content.log_final)
        scores = quick_order_scores(*chain, content.log_emission(document))
        better, equal = better_and_equal(scores, tuple(range(len(document))))
        best = [kendall_tau(order) for order, score in scores.items() if score >= max(scores.values()) - 1e-9]

        outcome = examine_ordering(content, document, ExamRules())

        assert (outcome.rank, outcome.exact, outcome.proved) == (better + equal / 2, True, True)
        assert outcome.credit == (0 if better else 1 / (1 + equal))
        assert any(outcome.tau == pytest.approx(tau, abs=1e-12) for tau in best)


def test_discrimination_equals_plain_scores(short):
    """Pairs are won by the score of the document as it stands against that of each given order, ties by half."""
    corpus = Corpus.from_words([[s.lower().split() for s in d.sentences] for d in short])
    model = BigramModel.learn(corpus)
    plain = StreamBigrams([d.words for d in corpus], model.smoothing)
    for document in corpus:
        n = len(document)
        given = [list(order) for order in itertools.islice(itertools.permutations(range(n)), 1, 8)] + [list(range(n))]
        own = plain.log_probability(document.words)
        others = [plain.log_probability([document.words[i] for i in order]) for order in given]
        won = sum(0.5 if abs(o - own) < 1e-9 * abs(own) else o < own for o in others)

        outcome = examine_discrimination(model, document, ExamRules(), given)

        assert (outcome.won, outcome.n_pairs) == (won, len(given))


@pytest.mark.parametrize("system", [FlatModel(), LapataModel.learn(sample_corpus("earthquakes", "dev"))])
def test_a_seed_repeats_itself(system, short):
    """The same seed gives the same outcomes."""
    for task in (examine_ordering, examine_discrimination):
        assert task(system, short[0], ExamRules(seed=4)) == task(system, short[0], ExamRules(seed=4))


def test_an_estimate_is_no_proof(monkeypatch):
    """Where a sample met no better order, the original counts as found only if the search found that very order."""
    estimate = Rank(better=0, equal=0, n_orders=120, exact=False, interval=(0, 3))
    monkeypatch.setattr(ordering_exam, "rank", lambda *_, **__: estimate)
    document = documents(1)[0]
    found, missed = (examine_ordering(system, document, ExamRules()) for system in (ByText(), AsShown()))

    assert (found.credit, found.tau, found.exact) == (1, 1, False)
    assert missed.tau < 1
    assert missed.credit == 0


@pytest.mark.parametrize("limit", [-1, float("nan"), "5"])
def test_time_limits_are_checked(limit):
    """A limit that is no number of seconds is refused."""
    for name in ("time_limit", "rank_time_limit"):
        with pytest.raises(InputError, match="time_limit: expected a number of seconds"):
            ExamRules(**{name: limit})


# Orders to tell from


def test_drawn_orders_are_others():
    """Drawn orders are never the original one, whole, seeded, and of every kind there is."""
    document = documents(1, 3)[0]
    drawn = draw_orders(document, 0, 500)

    assert {tuple(order) for order in drawn} == set(itertools.permutations(range(3))) - {(0, 1, 2)}
    assert draw_orders(document, 0) == draw_orders(document, 0) == drawn[:N_PERMUTATIONS]
    assert draw_orders(document, 1) != draw_orders(document, 0)


def test_one_sentence_has_no_other_order():
    """A document of one sentence is not fit for the exam, and asking for other orders of it is refused."""
    single = Document("single", ("One.",))

    assert fit_for_exam([single, *documents(2)]) == documents(2)
    with pytest.raises(InputError, match="document 'single': one sentence has no other order"):
        draw_orders(single, 0)


@pytest.mark.parametrize("wrong", [[[0, 1]], [[0, 1, 1]], [], [["0", "1", "2"]], [[1, 2, 3]]])
def test_wrong_orders_are_refused(wrong):
    """Given orders are checked, and the refusal names the document."""
    with pytest.raises(InputError, match="permutations of 'd0': "):
        examine_discrimination(FlatModel(), documents(1, 3)[0], ExamRules(), wrong)
