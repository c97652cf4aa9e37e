import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.errors import InputError
from driftline.settings import Settings
from driftline.tuning.space import Point, Space, point_of

SPACE = Space(2, 300)
PLACES = st.lists(st.floats(-0.5, 1.5), min_size=4, max_size=4).map(np.array)


def test_corners():
    """The box reaches from few clusters and the paper's sharp smoothing to many and to flat."""
    assert SPACE.point(np.zeros(4)) == Point(2, 1, 1e-10, 1e-4)
    assert SPACE.point(np.ones(4)) == Point(300, 12, 10.0, 100.0)


@given(PLACES)
def test_every_place_is_a_point_that_settings_take(place):
    """Wherever a search looks, inside the box or not, there are settings; the other settings stay."""
    point = SPACE.point(place)
    settings = point.settings(Settings(masking="none"))

    assert point_of(settings) == point
    assert settings.masking == "none"
    assert 2 <= point.n_clusters <= 300


@given(PLACES)
def test_a_point_lies_where_it_was_rounded_to(place):
    """Going from a point to its place and back leads to the same point: searches can begin again there."""
    point = SPACE.point(place)

    assert SPACE.point(SPACE.coordinates(point)) == point


def test_smoothing_is_rounded_to_quarters_of_a_power_of_ten():
    """Small steps along a smoothing lead to the same point, so that it need not be evaluated again."""
    found = [SPACE.point(np.array([0.5, 0.5, x, 0.5])).emission_smoothing for x in np.linspace(0, 1, 1001)]
    ratios = [b / a for a, b in itertools.pairwise(sorted(set(found)))]

    assert len(set(found)) == 11 * 4 + 1
    np.testing.assert_allclose(ratios, 10**0.25, rtol=0.01)


def test_points_outside_are_moved_to_the_edge():
    """A default beyond the box can still be where a search begins."""
    outside = Point(10_000, 40, 1e-30, 1e30)

    assert SPACE.point(SPACE.coordinates(outside)) == Point(300, 12, 1e-10, 100.0)


def test_too_little_to_tune_on():
    """A corpus of a few sentences is refused in one sentence."""
    with pytest.raises(InputError, match="the training documents hold 29 sentences; tuning needs at least 30"):
        Space.of(29, Point(5, 3, 0.1, 1.0))


def test_the_default_is_in_the_box():
    """However many clusters are the default, a search can begin there; never are there more than sentences."""
    assert Space.of(300, Point(40, 3, 0.1, 1.0)).most_clusters == 100
    assert Space.of(300, Point(140, 3, 0.1, 1.0)).most_clusters == 140
    assert Space.of(100, Point(140, 3, 0.1, 1.0)).most_clusters == 100


def test_unresolved_settings_are_no_point():
    """Settings that leave k to the corpus have no place in the box."""
    with pytest.raises(InputError, match="n_clusters, min_cluster_size"):
        point_of(Settings())
