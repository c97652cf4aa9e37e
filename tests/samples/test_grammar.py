"""The grammar engine, on grammars of a few lines."""

import random
import re
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.samples.grammar import DIGRESSION, _tidy, _weighted, _Writer, load_grammar, write_document

SEED = "toy/train/7"


def toy(topics, order=None, length=(3, 0, 1, 9), lists=None, **more):
    """Make a grammar: topics by name, each a template or a table; length is mean, s.d., least and most."""
    tables = {name: {"sentences": [topic]} if isinstance(topic, str) else topic for name, topic in topics.items()}
    mean, sd, least, most = length
    return {
        "disorder": 0.0,
        "digressions": 0.0,
        "length": {"mean": mean, "sd": sd, "min": least, "max": most},
        "plan": [{"order": order or list(tables)}],
        "topics": tables,
        "lists": lists or {},
        **more,
    }


def expand(template, lists=None, seed=SEED):
    return _Writer({"lists": lists or {}}, random.Random(seed)).expand(template)


def expansions(template, lists=None):
    return {expand(template, lists, seed) for seed in range(200)}


def test_alternatives():
    """Braces hold alternatives, also empty ones and ones within others; each of them comes up."""
    assert {"a b", "a c d", "a c e", "a "} == expansions("a {b|c {d|e}|}")


def test_lists():
    """A slot is an item of its list, and the item is a template of its own."""
    lists = {"city": ["Izmit", "{New|Old} <port>"], "port": ["Haven"]}

    assert {"in Izmit", "in New Haven", "in Old Haven"} == expansions("in <city>", lists)


def test_what_is_fixed_stays():
    """A named choice is the same wherever it is named in a document, and may differ in the next one."""
    lists = {"city": ["Izmit", "Bam"], "name": ["Verel"]}

    assert {"Izmit Izmit Izmit", "Bam Bam Bam"} == expansions("<$here=city> <$here=city> <$here>", lists)
    assert expand("<$name> <$name>", lists) == "Verel Verel"


def test_numbers():
    """Whole, large and decimal numbers keep to their bounds and forms."""
    whole = {int(n) for n in expansions("<int:2-9>")}
    large = expansions("<big:900-95000>")
    decimal = expansions("<dec:4.1-4.4>")

    assert set(range(2, 10)) == whole
    assert {"4.1", "4.2", "4.3", "4.4"} == decimal
    assert all(re.fullmatch(r"9\d0|\d,\d00|\d\d,000", n) and 900 <= int(n.replace(",", "")) <= 95000 for n in large)
    assert expand("<big:7-7>") == "7"


def test_unknown_lists_are_not_written():
    """A slot without a list is a mistake of the grammar and never becomes text."""
    with pytest.raises(KeyError):
        expand("<nowhere>")


@pytest.mark.parametrize(
    ("raw", "tidy"),
    [
        ("  it   shook .", "It shook."),
        ("so , he said ; yes", "So, he said; yes"),
        ("the U.S..", "The U.S."),
        ("so ...", "So..."),
        ("a eagle and a oak, a one-off, a hen", "An eagle and an oak, a one-off, a hen"),
        ("A aid worker", "An aid worker"),
        ("", ""),
    ],
)
def test_tidying(raw, tidy):
    """Spaces, stops, articles and the first letter are put right."""
    assert tidy == _tidy(raw)


def test_the_same_seed_writes_the_same():
    """A document depends on nothing but its grammar and seed."""
    grammar = load_grammar("earthquakes")

    assert write_document(grammar, SEED) == write_document(load_grammar("earthquakes"), SEED)
    assert write_document(grammar, SEED) != write_document(grammar, SEED + "1")


def test_the_global_generator_is_left_alone():
    """Writing neither uses nor changes Python's global random numbers."""
    state = random.getstate()

    write_document(load_grammar("drugs"), SEED)

    assert state == random.getstate()


def test_required_topics_come_in_order():
    """Every required topic stands in a document of just their number, in the order of the plan."""
    topics = {name: {"required": True, "sentences": [f"{name} <int:1-9>"]} for name in "abc"}

    document = write_document(toy(topics, order=["b", "a", "c"]), SEED)

    assert document.labels == ("b", "a", "c")
    assert [sentence[0] for sentence in document.sentences] == ["B", "A", "C"]


def test_weights_and_limits():
    """Sentences go to topics by their weight, up to each topic's most, and stop when all are full."""
    topics = {
        "often": {"weight": 50, "max": 4, "sentences": ["x"]},
        "seldom": {"weight": 1, "sentences": ["y"]},
        "never": {"weight": 0, "sentences": ["z"]},
    }

    assert write_document(toy(topics), SEED).labels == ("often",) * 3
    full = toy({name: topics[name] for name in ("often", "seldom")}, length=(9, 0, 1, 9))
    assert write_document(full, SEED).labels == ("often",) * 4 + ("seldom",)


def test_light_topics_make_room():
    """Where required topics are more than the length allows, those of light weight are left out, last first."""
    topics = {name: {"required": True, "weight": weight, "sentences": [name]} for name, weight in
              {"a": 0.5, "b": 0.5, "c": 2, "d": 0.5}.items()}  # fmt: skip

    assert write_document(toy(topics, length=(2, 0, 1, 9)), SEED).labels == ("a", "c")


def test_a_draw_at_the_very_end(monkeypatch):
    """Where rounding carries a draw past the sum of all weights, the last item is taken."""
    writer = _Writer({}, random.Random(SEED))
    monkeypatch.setattr(writer.rng, "random", lambda: 1.0)

    assert _weighted(writer, ["a", "b"], [0.1, 0.2]) == "b"


def test_plans_are_drawn_by_weight():
    """Each plan comes up about as often as its weight says."""
    grammar = toy({"a": "a", "b": "b"}, length=(2, 0, 1, 2))
    grammar["plan"] = [{"order": ["a", "b"], "weight": 3}, {"order": ["b", "a"]}]

    firsts = [write_document(grammar, str(i)).labels[0] for i in range(400)]

    assert 0.68 < firsts.count("a") / 400 < 0.82


def test_templates_are_not_repeated_before_they_must():
    """A document uses all templates of a topic before it uses one again."""
    topics = {"a": {"max": 5, "sentences": ["u", "v", "w"]}}

    sentences = write_document(toy(topics, length=(5, 0, 1, 9)), SEED).sentences

    assert {"U", "V", "W"} == set(sentences[:3])
    assert len(sentences) == 5


@pytest.mark.parametrize(("mean", "sd"), [(10, 2), (10, 8)])
def test_lengths(mean, sd):
    """Lengths have about the mean and spread that the grammar states, within its bounds."""
    grammar = toy({"a": {"max": 99, "sentences": ["x"]}}, length=(mean, sd, 2, 60))

    lengths = [len(write_document(grammar, str(i)).sentences) for i in range(600)]

    assert statistics.mean(lengths) == pytest.approx(mean, rel=0.1)
    assert statistics.pstdev(lengths) == pytest.approx(sd, rel=0.2)
    assert 2 <= min(lengths) <= max(lengths) <= 60


def test_another_mean_scales_the_length():
    """A mean of one's own scales every document, its bounds too."""
    grammar = toy({"a": {"max": 99, "sentences": ["x"]}}, length=(10, 0, 1, 20))

    assert len(write_document(grammar, SEED, mean=30).sentences) == 30


def test_neighbours_are_swapped():
    """Disorder swaps neighbours of different topics, never the first sentence."""
    topics = {name: {"required": True, "sentences": [name]} for name in "abc"}

    document = write_document(toy(topics, disorder=1.0), SEED)

    assert document.labels == ("a", "c", "b")


def test_digressions():
    """Any sentence but the first may give way to a digression."""
    topics = {"a": {"max": 3, "sentences": ["a"]}, DIGRESSION: {"sentences": ["By the way."]}}

    document = write_document(toy(topics, order=["a"], digressions=1.0), SEED)

    assert document.labels == ("a", DIGRESSION, DIGRESSION)
    assert document.sentences == ("A", "By the way.", "By the way.")
    assert write_document(toy({"a": topics["a"]}, digressions=1.0), SEED).labels == ("a",) * 3


def test_the_short_version():
    """An editor keeps the sentences of telling topics and leaves out some of their droppable phrases."""
    topics = {
        "key": {"max": 40, "summary": 1.0, "sentences": ["it shook((, he said))"]},
        "colour": {"required": True, "sentences": ["a bird sang((, she said))"]},
    }

    document = write_document(toy(topics, length=(41, 0, 1, 99)), SEED)

    assert document.labels == ("key",) * 40 + ("colour",)
    assert document.in_summary == (True,) * 40 + (False,)
    assert {"It shook", "It shook, he said"} == set(document.summary)
    assert {"It shook, he said", "A bird sang, she said"} == set(document.sentences)


def test_a_short_version_is_never_empty():
    """Where an editor would keep nothing, the first sentence is kept."""
    document = write_document(toy({"a": {"max": 3, "sentences": ["x"]}}), SEED)

    assert document.in_summary == (True, False, False)
    assert document.summary == ("X",)


@given(st.text(max_size=20), st.sampled_from(["earthquakes", "clashes", "drugs", "finance", "accidents"]))
def test_any_seed_writes_a_document(seed, domain):
    """Whatever the seed, a document has a label and a summary mark for each sentence, and none is empty."""
    document = write_document(load_grammar(domain), seed)

    assert len(document.sentences) == len(document.labels) == len(document.in_summary) > 0
    assert sum(document.in_summary) == len(document.summary) > 0
    assert all(document.sentences)
    assert all(document.summary)
