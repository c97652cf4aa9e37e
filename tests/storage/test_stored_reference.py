"""What is usual in a domain comes back from a file as it was, and a file in which it cannot be so is refused."""

import json

import numpy as np
import pytest

import driftline
from driftline.errors import ModelFileError
from driftline.storage.model_file import Header
from driftline.storage.packing import check_types
from driftline.storage.reference import pack_reference, unpack_reference

HUGE = 10**400


@pytest.fixture(scope="module", name="quake_model")
def learned_model():
    return driftline.fit(driftline.sample_corpus("earthquakes").select(range(30)))


@pytest.fixture(name="arrays")
def make_arrays(quake_model):
    return dict(pack_reference(quake_model.reference))


def unpacked(model, arrays):
    check_types(arrays)
    return unpack_reference(arrays, model.vocabulary, model.n_states)


def changed(arrays, *path, value):
    """Put another value at one place of the stored record, as JSON has it."""
    record = json.loads(arrays["reference.json"].tobytes())
    *parents, last = path
    part = record
    for key in parents:
        part = part[key]
    part[last] = value
    return {**arrays, "reference.json": np.frombuffer(json.dumps(record).encode(), dtype=np.uint8)}


def test_a_saved_model_checks_as_before(quake_model, tmp_path):
    """Saved and opened, all findings are the same, and saving again gives the same bytes."""
    quake_model.save(tmp_path / "one")
    opened = driftline.load(tmp_path / "one")
    opened.save(tmp_path / "two")

    for document in driftline.sample_corpus("earthquakes", "test").select(range(3)):
        assert driftline.check(opened, document) == driftline.check(quake_model, document)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_model_of_few_documents_holds_none(words_model):
    """A model that knows nothing usual stores none of it, and its file is read as one without."""
    assert pack_reference(words_model.reference) == {}
    assert unpacked(words_model, {}) is None


@pytest.mark.parametrize("name", ["reference.json", "reference_words"])
def test_half_of_it_is_refused(quake_model, arrays, name):
    """Both parts belong together."""
    del arrays[name]
    with pytest.raises(ValueError, match="only in part"):
        unpacked(quake_model, arrays)


@pytest.mark.parametrize(
    "words",
    [
        lambda counts: counts[:-1],
        lambda counts: np.append(counts, 0),
        lambda counts: counts[:0],
        lambda counts: counts[None],
        lambda counts: counts.astype(float),
        lambda counts: -counts,
        lambda counts: counts + 31,
        lambda counts: np.full_like(counts, 2**62),
    ],
)
def test_counts_of_words_that_cannot_be_are_refused(quake_model, arrays, words):
    """Too few, too many, of another shape or type, negative, or more than there are stories."""
    arrays["reference_words"] = words(arrays["reference_words"])
    with pytest.raises(ValueError, match=r"stories of words|reference_words"):
        unpacked(quake_model, arrays)


@pytest.mark.parametrize("value", [-1, 0, 3, 2**60, HUGE, 1.5, None, "30", float("nan")])
def test_a_number_of_stories_that_cannot_be_is_refused(quake_model, arrays, value):
    """Fewer than hold one word, none, uncountably many, or no whole number at all."""
    with pytest.raises(ValueError, match=r"stories|Expected|malformed|out of range"):
        unpacked(quake_model, changed(arrays, "n_stories", value=value))


NUMBERS = (
    ("norms", "abrupt"),
    ("norms", "documents", "unknown", "level"),
    ("norms", "documents", "unknown", "noise"),
    ("norms", "sentences", "spread", "slope"),
    ("norms", "documents", "values", -1),
    ("norms", "order", -1),
    ("norms", "overall", -1),
    ("norms", "themes", 0, "share"),
)


@pytest.mark.parametrize("path", NUMBERS, ids=lambda path: "-".join(map(str, path)))
@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e300, HUGE, "1", None, [1.0]], ids=repr)
def test_numbers_that_are_none_are_refused(quake_model, arrays, path, value):
    """What is not finite, absurdly large or of another type stands nowhere in the record."""
    with pytest.raises(ValueError, match=r"usual|share|Expected|malformed|out of range"):
        unpacked(quake_model, changed(arrays, *path, value=value))


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("norms", "documents", "unknown", "noise"), -0.1, "cannot be so"),
        (("norms", "sentences", "spread", "floor"), -0.1, "cannot be so"),
        (("norms", "documents", "values"), [], "ascending"),
        (("norms", "documents", "values"), [1.0, 0.5], "ascending"),
        (("norms", "order"), [], "ascending"),
        (("norms", "order"), [[0.1]], "Expected"),
        (("norms", "overall"), [0.1, 0.2, 0.1], "ascending"),
        (("norms", "documents"), None, "Expected"),
        (("norms", "themes", 0, "states"), [], "out of range"),
        (("norms", "themes", 0, "states"), [-1], "out of range"),
        (("norms", "themes", 0, "states"), [2, 1], "out of order"),
        (("norms", "themes", 0, "states"), [1, 1], "out of order"),
        (("norms", "themes", 0, "states"), [10**9], "out of range"),
        (("norms", "themes", 0, "states"), [HUGE], "out of range|Expected"),
        (("norms", "themes", 0, "share"), 1.01, "share"),
        (("norms", "themes", 0, "share"), -0.01, "share"),
        (("norms",), [], "Expected"),
    ],
)
def test_a_record_that_cannot_be_is_refused(quake_model, arrays, path, value, reason):
    """Spreads below 0, marks out of order, topics that are none, and parts of another shape are refused."""
    with pytest.raises(ValueError, match=reason):
        unpacked(quake_model, changed(arrays, *path, value=value))


def test_the_insertion_state_is_no_theme(quake_model, arrays):
    """The last state stands for everything else, which nothing can lack."""
    last = quake_model.n_states - 1
    assert unpacked(quake_model, changed(arrays, "norms", "themes", 0, "states", value=[last - 1])) is not None
    with pytest.raises(ValueError, match="out of range"):
        unpacked(quake_model, changed(arrays, "norms", "themes", 0, "states", value=[last]))


def test_sentences_may_have_no_ruler(quake_model, arrays):
    """Where hardly any training sentence has words enough, that part is empty, and nothing is unlike."""
    found = unpacked(quake_model, changed(arrays, "norms", "sentences", value=None))

    assert found.norms.sentences is None


@pytest.mark.parametrize("text", [b"", b"{", b"null", b"[1]", b"\xff\xfe", b'{"n_stories": 3}'])
def test_what_is_no_record_is_refused(quake_model, arrays, text):
    """Other bytes than those of a record."""
    arrays["reference.json"] = np.frombuffer(text, dtype=np.uint8)
    with pytest.raises(ValueError):
        unpacked(quake_model, arrays)


def test_a_hostile_file_is_refused_in_a_sentence(quake_model, tmp_path, monkeypatch):
    """A file whose checksum is right and whose record is hostile is called damaged, by its name."""
    monkeypatch.setattr(
        "driftline.storage.model_file.pack_reference",
        lambda reference: changed(pack_reference(reference), "n_stories", value=-5),
    )
    quake_model.save(tmp_path / "hostile")

    with pytest.raises(ModelFileError, match="hostile: is damaged") as refused:
        driftline.load(tmp_path / "hostile")
    assert len(str(refused.value).splitlines()) == 1
    assert Header.__name__ not in str(refused.value)
