"""Learning all evidence: it works, it does not peek, and neither file order nor tiny corpora disturb it."""

from dataclasses import replace

import numpy as np
import pytest

import driftline
from driftline.errors import DriftlineWarning, InputError
from driftline.model.ordering import learning
from driftline.model.ordering.stories import stories
from driftline.settings import Settings
from driftline.text.corpus import Corpus, Document

RNG = np.random.default_rng(0)
STEPS = (["one", "begins"], ["two", "goes", "on"], ["three", "nears"], ["four", "ends"])


def drilled(n):
    """Documents of words in one and the same order, each with a word of its own."""
    return Corpus.from_words([[[*step, f"w{i}"] for step in STEPS] for i in range(n)])


@pytest.fixture(scope="module", name="drill")
def make_drill():
    return driftline.fit(drilled(20), ordering="best")


def test_what_is_always_so_is_learned(drill):
    """From words alone: documents in a new mix of words are put in the order that all of them have."""
    best = driftline.order(drill, [[*STEPS[i], "new"] for i in (2, 0, 3, 1)])

    assert best.order == (1, 3, 0, 2)
    assert best.proved
    assert drill.ordering == "best"
    assert "ordering:best" in drill.signature


def test_the_content_model_is_the_same(drill):
    """What a model does beside ordering does not depend on how it orders; the switch gives the plain model."""
    plain = driftline.fit(drilled(20))

    assert drill.signature != plain.signature == drill.with_ordering("content").signature
    np.testing.assert_array_equal(drill.log_transition, plain.log_transition)
    assert drill.with_ordering("best") is drill
    with pytest.raises(InputError, match=r"got 'best' \(this model was learned without it"):
        plain.with_ordering("best")
    with pytest.raises(InputError, match="ordering: expected 'content', or 'best' where it was learned, got 'odd'"):
        plain.with_ordering("odd")


def test_the_order_of_the_files_does_not_matter():
    """The same documents in another order give the same scores, to the bit."""
    corpus = driftline.sample_corpus("earthquakes").select(range(12))
    with pytest.warns(DriftlineWarning, match="only 12 documents"):
        one = driftline.fit(corpus, ordering="best")
    with pytest.warns(DriftlineWarning, match="only 12 documents"):
        other = driftline.fit(corpus.select(reversed(range(12))), ordering="best")
    document = driftline.sample_corpus("earthquakes", "test")[0]
    orders = [RNG.permutation(len(document)) for _ in range(5)]

    np.testing.assert_array_equal(
        driftline.score_orders(one, document, orders), driftline.score_orders(other, document, orders)
    )


def test_weights_are_learned_on_documents_that_evidence_has_not_seen(monkeypatch):
    """No document, and none of its story, is among those from which its own evidence was learned."""
    corpus = drilled(10)
    told = [replace(document, story=f"s{i % 5}") for i, document in enumerate(corpus)]
    seen_and_held = []
    judge = learning._evidence_of

    def watch(known, similarity, features, seen, held):
        texts = [{s.words[-1] for d in part for s in known.sentences[d]} for part in (seen, held)]
        seen_and_held.append(texts)
        return judge(known, similarity, features, seen, held)

    monkeypatch.setattr(learning, "_evidence_of", watch)
    with pytest.warns(DriftlineWarning):
        driftline.fit(Corpus(tuple(told)), ordering="best")

    for seen, held in seen_and_held:
        groups = [{int(word[1:]) % 5 for word in words} for words in (seen, held)]
        assert groups[0].isdisjoint(groups[1])
    assert set().union(*(held for _, held in seen_and_held)) == {f"w{i}" for i in range(10)}


def test_own_settings_are_kept():
    """Who sets the number of clusters or states gets it in every member of the ensemble."""
    with pytest.warns(DriftlineWarning):
        model = driftline.fit(drilled(10), Settings(n_states=3), ordering="best")

    assert {member.chain.n_states for member in model.order_mix.members} == {3}


def test_too_few_stories_are_refused():
    """One document, or many of one story, have nothing to judge evidence by."""
    with (
        pytest.warns(DriftlineWarning),
        pytest.raises(InputError, match=r"at least 2 different stories with 2 or more sentences each; .* has 1"),
    ):
        driftline.fit(drilled(1), ordering="best")
    with (
        pytest.warns(DriftlineWarning),
        pytest.raises(InputError, match="the corpus has 0"),
    ):
        driftline.fit(Corpus.from_words([[["one"]], [["two"]]]), ordering="best")
    with pytest.raises(InputError, match="ordering: expected one of content, best, got 'magic'"):
        driftline.fit(drilled(3), ordering="magic")


def test_a_large_corpus_is_sampled(monkeypatch):
    """Evidence is learned from no more sentences than the limit, by whole documents."""
    monkeypatch.setattr(learning, "_MOST_SENTENCES", 50)

    model = driftline.fit(drilled(40), ordering="best")

    lengths = [len(block) for block in model.order_mix.evidence.ordered.weights]
    assert set(lengths) == {4}
    assert 40 < sum(lengths) <= 50


def test_stories_are_named_or_found():
    """Documents share a story by its name, or, without a name, by repeating each other; formulas do not count."""
    formula = "No one was hurt."
    named = [Document(str(i), ("a", "b"), story=story) for i, story in enumerate("xyx")]
    sent_again = [Document("n1", ("A quake hit.", "It was big.")), Document("n2", ("A quake hit.", "It was huge."))]
    formulaic = [Document(f"f{i}", (formula, f"Town {i}.")) for i in range(6)]

    numbers = stories([*named, *sent_again, *formulaic]).tolist()

    assert numbers[0] == numbers[2] != numbers[1]
    assert numbers[3] == numbers[4]
    assert len(set(numbers)) == 3 + len(formulaic)
