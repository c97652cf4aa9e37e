import msgspec
import pytest

from driftline.baselines.bigram import BigramModel
from driftline.baselines.flat import FlatModel
from driftline.baselines.lapata import LapataModel
from driftline.errors import DriftlineWarning, InputError
from driftline.evaluation.comparison import SYSTEMS, Plan, cross_validate, evaluate, train_system
from driftline.evaluation.folds import folds
from driftline.evaluation.ordering_exam import ExamRules, examine_ordering
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus
from driftline.settings import Settings
from driftline.text.corpus import Corpus


@pytest.fixture(scope="module", name="train")
def training_corpus():
    return sample_corpus("earthquakes", "train").select(range(40))


@pytest.fixture(scope="module", name="short")
def short_documents():
    return Corpus(tuple(d for d in sample_corpus("earthquakes", "test") if 2 <= len(d) <= 6)[:8])


@pytest.fixture(scope="module", name="systems")
def all_systems(train):
    return {name: train_system(name, train, Settings()) for name in SYSTEMS}


def figure(result, name):
    return next(f.value for f in result.figures if f.name == name)


def as_json(comparison):
    return msgspec.json.encode(comparison)


def test_one_exam_for_all(systems, short):
    """All systems are examined on the same documents, and each outcome is that of the exam alone."""
    found = evaluate(systems, short)

    assert [result.system for result in found.results] == list(SYSTEMS)
    assert (found.n_documents, found.n_left_out) == (len(short), 0)
    for result in found.results:
        alone = [examine_ordering(systems[result.system], d, ExamRules()) for d in short]
        assert list(result.outcomes) == alone


def test_systems_in_their_bands(systems):
    """On unseen bundled documents all systems that learned beat the random one, which scores as chance."""
    test = sample_corpus("earthquakes", "test").select(range(40))
    found = evaluate(systems, test, Plan(task="discrimination"))
    value = {result.system: figure(result, "discrimination") for result in found.results}

    assert value["random"] == 0.5
    assert 0.75 < value["content"] < 1
    assert 0.60 < value["bigram"] < 0.95
    assert 0.80 < value["lapata"] < 1
    assert all(0 <= f.low <= f.value <= f.high <= 1 for result in found.results for f in result.figures)


@pytest.mark.parametrize("task", ["ordering", "discrimination"])
def test_workers_do_not_matter(systems, short, task):
    """One process and two give the same bytes."""
    some = {name: systems[name] for name in ("content", "lapata", "random")}
    one, two = (as_json(evaluate(some, short, Plan(task=task, workers=n))) for n in (1, 2))
    assert one == two


def test_cross_validation_workers_do_not_matter(train):
    """The same holds for cross-validation."""
    corpus = Corpus(tuple(d for d in train if len(d) <= 7))
    one, two = (
        as_json(cross_validate(corpus, ["bigram", "random"], plan=Plan(task="discrimination", workers=n), n_folds=2))
        for n in (1, 2)
    )
    assert one == two


def test_cross_validation_equals_training_by_hand(train):
    """Each document is examined by the systems that were trained without its fold, with all of them in one table."""
    found = cross_validate(train, ["bigram", "random"], plan=Plan(task="discrimination"), n_folds=3)
    by_hand = {}
    for part, test in folds(train, 3, 0):
        compared = evaluate({"bigram": BigramModel.learn(part)}, Corpus(tuple(test)), Plan(task="discrimination"))
        by_hand |= {outcome.document: outcome for outcome in compared.results[0].outcomes}

    assert [result.system for result in found.results] == ["bigram", "random"]
    assert {o.document: o for o in found.results[0].outcomes} == by_hand
    assert found.n_documents == len(by_hand) == len(train)


def test_the_systems_that_cross_validation_trains(train):
    """By default all of them are compared, in a fixed order, with their settings in the signature."""
    settings = Settings(emission_smoothing=0.05)
    found = cross_validate(train, settings=settings, plan=Plan(task="discrimination"), n_folds=2)

    assert [result.system for result in found.results] == list(SYSTEMS)
    assert "|folds:2|" in found.signature
    assert "|emission_smoothing:0.05|" in found.signature
    assert "|lapata:words|" in found.signature


def test_signatures_name_what_moves_figures(systems, train, short):
    """The signature has the hashes of both corpora, the seed, the rules of the task and the version."""
    ordering = evaluate(systems, short, Plan(rules=ExamRules(seed=3, time_limit=2.0))).signature
    pairs = evaluate(systems, short, Plan(task="discrimination")).signature

    for part in (f"test:{short.data_hash}", "tested:8", "seed:3", "limit:2", f"data:{train.data_hash}",
                 f"bigram:{train.data_hash} d 0.1", f"lapata:{train.data_hash} words", "version:"):  # fmt: skip
        assert f"|{part}" in ordering
    assert "perms:drawn" in pairs
    assert "limit:" not in pairs
    assert "perms:" not in ordering


def test_signatures_tell_given_orders_apart(short):
    """Other orders are another signature, and orders for some of the documents only are told."""

    def made(orders):
        return evaluate({"random": FlatModel()}, short, Plan(task="discrimination", permutations=orders)).signature

    orders = {d.id: [list(range(len(d)))[::-1]] for d in short}
    turned = {d.id: [[*range(1, len(d)), 0]] for d in short}
    assert "|perms:given " in made(orders)
    assert made(orders) == made(dict(reversed(orders.items())))
    assert made(orders) != made(turned)
    with pytest.warns(DriftlineWarning, match="no orders for 7 of the 8 documents"):
        assert " for 1|" in made({short[0].id: orders[short[0].id]})


def test_documents_of_one_sentence(systems, short):
    """They are left out and counted; a corpus of nothing else is refused in every exam."""
    single = Corpus.from_sentences([["One."], ["Two."]])
    found = evaluate({"random": FlatModel()}, Corpus((*short.documents, *single.documents)))

    assert (found.n_documents, found.n_left_out) == (8, 2)
    for task in ("ordering", "discrimination"):
        with pytest.raises(InputError, match="only documents of one sentence: there is nothing to order"):
            evaluate({"random": FlatModel()}, single, Plan(task=task))
        with pytest.raises(InputError, match="only documents of one sentence"):
            cross_validate(single, ["random"], plan=Plan(task=task), n_folds=2)


def test_given_orders_are_checked(short):
    """Orders that do not fit are refused before anything is trained, with where they were read."""
    plan = Plan(task="discrimination", permutations={short[0].id: [[0]]}, permutations_from="orders.jsonl")
    for attempt in (lambda: evaluate({}, short, plan), lambda: cross_validate(short, plan=plan)):
        with pytest.raises(InputError, match=f"orders.jsonl, document '{short[0].id}': order 1 is"):
            attempt()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task": "sorting"}, "task: expected one of ordering, discrimination, got 'sorting'"),
        ({"workers": 0}, "workers: expected a whole number of at least 1, got 0"),
        ({"permutations": {"a": [[0]]}}, "only the discrimination exam compares with given orders"),
    ],
)
def test_plans_that_are_refused(options, message):
    """A plan says at once what cannot be."""
    with pytest.raises(InputError, match=message):
        Plan(**options)


def test_systems_that_are_refused(train):
    """Unknown systems are refused before any is trained, and those that learn need a corpus."""
    with pytest.raises(
        InputError, match="system: expected one of content, best, bigram, lapata, random, got 'magic'"
    ):
        cross_validate(train, ["content", "magic"])
    with pytest.raises(InputError, match="'bigram' learns from text"):
        train_system("bigram", None, Settings())
    assert isinstance(train_system("random", None, Settings()), FlatModel)


def test_training(train):
    """Systems are trained with the settings and the pipeline that are given."""
    settings = Settings(emission_smoothing=0.02)
    assert train_system("bigram", train, settings).smoothing == 0.02
    assert train_system("content", train, settings).signature == fit(train, settings).signature
    assert isinstance(train_system("lapata", train, settings), LapataModel)


def test_progress_is_told(short):
    """Every document of every system is announced."""
    said = []
    evaluate({"random": FlatModel()}, short, Plan(task="discrimination"), on_progress=said.append)
    assert said[-1] == f"random: {short[-1].id} (8 of 8)"
    assert len(said) == 8
