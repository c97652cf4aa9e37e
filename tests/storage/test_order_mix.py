"""What orders sentences comes back from a file as it was, and damage to it is refused."""

import warnings

import numpy as np
import pytest

import driftline
from driftline.kernels.hmm import Chain
from driftline.storage.order_mix import pack_order_mix, unpack_order_mix
from driftline.storage.packing import check_types

WEIGHT_PARTS = ("ordered", "adjacent", "first")


@pytest.fixture(name="arrays")
def make_arrays(best_model):
    return dict(pack_order_mix(best_model.order_mix))


def unpacked(best_model, arrays):
    return unpack_order_mix(arrays, best_model.vocabulary.size, best_model.settings)


def test_a_saved_model_scores_orders_to_the_bit_as_before(best_model, tmp_path):
    """Saved and opened, the scores of orders are the same, and saving again gives the same bytes."""
    document = driftline.sample_corpus("earthquakes", "test")[1]
    orders = [np.random.default_rng(i).permutation(len(document)) for i in range(4)]
    best_model.save(tmp_path / "one")
    opened = driftline.load(tmp_path / "one")
    opened.save(tmp_path / "two")

    expected = driftline.score_orders(best_model, document, orders)
    np.testing.assert_array_equal(driftline.score_orders(opened, document, orders), expected)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert isinstance(opened.order_mix.members[0].chain, Chain)


def test_a_plain_model_holds_nothing_of_it(best_model):
    """A model without evidence of pairs stores none, and its file is read as one without."""
    assert pack_order_mix(None) == {}
    assert unpacked(best_model, {}) is None


def damaged_record(arrays, old, new):
    text = arrays["ordering/record.json"].tobytes().decode()
    assert old in text
    arrays["ordering/record.json"] = np.frombuffer(text.replace(old, new, 1).encode(), dtype=np.uint8)


@pytest.mark.parametrize("part", WEIGHT_PARTS)
def test_weights_that_are_no_numbers_or_too_few_are_refused(best_model, arrays, part):
    """Every weight is a finite number, and each pair has one."""
    name = f"ordering/{part}.bytes"
    whole = arrays[name]
    arrays[name] = whole[:-4]
    with pytest.raises(ValueError, match="weights of the ordering are"):
        unpacked(best_model, arrays)
    arrays[name] = np.frombuffer(np.full(len(whole) // 4, np.nan, "<f4").tobytes(), dtype=np.uint8)
    with pytest.raises(ValueError, match="is no number"):
        unpacked(best_model, arrays)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("ordering/view-0/ends", lambda a: a[::-1], "do not fit together"),
        ("ordering/view-0/ends", lambda a: a[:-1], "does not fit its sentences"),
        ("ordering/view-1/features", lambda a: a + 10**6, "out of range"),
        ("ordering/view-2/counts", lambda a: a * 0, "do not fit together"),
        ("ordering/view-3/names.ends", lambda a: a[::-1], "do not fit their places"),
        ("ordering/lengths", lambda a: a[:0], "no lengths"),
        ("ordering/lengths", lambda a: a - a, "no lengths"),
        ("ordering/member-0/bigram_states", lambda a: a + 10**6, "out of range"),
    ],
)
def test_parts_that_do_not_fit_are_refused(best_model, arrays, name, change, message):
    """Counts, names and places are checked against each other before anything is made of them."""
    arrays[name] = change(arrays[name])

    with pytest.raises(ValueError, match=message):
        unpacked(best_model, arrays)


def test_members_have_counts(best_model, arrays):
    """The types that hold for a model's own counts hold for those of the ensemble."""
    own = {"bigram_counts": np.ones(1, dtype=np.int64)}
    check_types(own | arrays)
    arrays["ordering/member-1/bigram_counts"] = arrays["ordering/member-1/bigram_counts"] * 0
    with pytest.raises(ValueError, match="something else than counts"):
        check_types(own | arrays)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"content":', '"content":-1,"x":', "negative"),
        ('"smoothings":[', '"smoothings":[-5,', "KeyError|smoothing|expected|bigram"),
        ('"ordered":[[', '"ordered":[[0,1,0],[', "not what this version knows"),
    ],
)
def test_a_record_that_cannot_be_is_refused(best_model, arrays, old, new, message):
    """Weights are not negative, smoothing is positive, and every kind of evidence has its numbers."""
    damaged_record(arrays, old, new)

    with warnings.catch_warnings(), pytest.raises((ValueError, KeyError), match=message):
        unpacked(best_model, arrays)
