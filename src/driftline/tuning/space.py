"""The four free parameters of section 5.2 as a box to search: k, T, delta 1 and delta 2.

Smoothing lies on a logarithmic scale in steps of a quarter of a power of ten, and whole numbers are
rounded, so that a search meets the same point again and need not evaluate it twice.
"""

from dataclasses import dataclass, replace
from typing import Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from driftline.errors import InputError
from driftline.settings import Settings

Floats = NDArray[np.float64]

STEPS_A_DECADE = 4
_EMISSION_EXPONENTS, _TRANSITION_EXPONENTS = (-10.0, 1.0), (-4.0, 2.0)
_LARGEST_MIN_SIZE = 12
_SENTENCES_A_CLUSTER = 3  # k beyond this, or beyond the default, leaves clusters that are hardly more than pairs
_FEWEST_SENTENCES = 30


class Point(msgspec.Struct, frozen=True, order=True):
    """One choice of the four parameters."""

    n_clusters: int
    min_cluster_size: int
    emission_smoothing: float
    transition_smoothing: float

    def settings(self, base: Settings) -> Settings:
        """Return these settings with this choice in them."""
        return replace(base, **msgspec.structs.asdict(self))

    def __str__(self) -> str:
        """Name the choice as the paper does."""
        return (
            f"k {self.n_clusters}, T {self.min_cluster_size}, delta 1 {self.emission_smoothing:g}, "
            f"delta 2 {self.transition_smoothing:g}"
        )


def point_of(settings: Settings) -> Point:
    """Return the choice that resolved settings make.

    >>> str(point_of(Settings(n_clusters=40, min_cluster_size=3)))
    'k 40, T 3, delta 1 0.1, delta 2 1'
    """
    if settings.n_clusters is None or settings.min_cluster_size is None:
        raise InputError("n_clusters, min_cluster_size: a point of the search has both")
    return Point(
        settings.n_clusters, settings.min_cluster_size, settings.emission_smoothing, settings.transition_smoothing
    )


@dataclass(frozen=True)
class Space:
    """The box: each coordinate runs from 0 to 1."""

    fewest_clusters: int
    most_clusters: int

    @classmethod
    def of(cls, n_sentences: int, default: Point) -> Self:
        """Make the space for a training corpus of so many sentences, with the default in it.

        >>> Space.of(120, Point(30, 3, 0.1, 1.0)).most_clusters
        40
        """
        if n_sentences < _FEWEST_SENTENCES:
            raise InputError(
                f"the training documents hold {n_sentences} sentences; tuning needs at least {_FEWEST_SENTENCES}"
            )
        return cls(2, min(n_sentences, max(n_sentences // _SENTENCES_A_CLUSTER, default.n_clusters)))

    def point(self, coordinates: Floats) -> Point:
        """Round a place in the box to a point.

        >>> Space(2, 200).point(np.array([0.0, 0, 0.5, 1]))
        Point(n_clusters=2, min_cluster_size=1, emission_smoothing=3.16e-05, transition_smoothing=100.0)
        """
        clusters, size, emission, transition = np.clip(coordinates, 0.0, 1.0).tolist()
        return Point(
            n_clusters=round(self.fewest_clusters * (self.most_clusters / self.fewest_clusters) ** clusters),
            min_cluster_size=round(1 + size * (_LARGEST_MIN_SIZE - 1)),
            emission_smoothing=_smoothing(emission, _EMISSION_EXPONENTS),
            transition_smoothing=_smoothing(transition, _TRANSITION_EXPONENTS),
        )

    def coordinates(self, point: Point) -> Floats:
        """Return where a point lies in the box; what is outside is moved to its edge."""
        ratio = np.log(self.most_clusters / self.fewest_clusters)
        places = [
            np.log(point.n_clusters / self.fewest_clusters) / ratio,
            (point.min_cluster_size - 1) / (_LARGEST_MIN_SIZE - 1),
            _place(point.emission_smoothing, _EMISSION_EXPONENTS),
            _place(point.transition_smoothing, _TRANSITION_EXPONENTS),
        ]
        result: Floats = np.clip(places, 0.0, 1.0)
        return result


def _smoothing(place: float, exponents: tuple[float, float]) -> float:
    exponent = exponents[0] + place * (exponents[1] - exponents[0])
    return float(f"{10 ** (round(STEPS_A_DECADE * exponent) / STEPS_A_DECADE):.3g}")


def _place(smoothing: float, exponents: tuple[float, float]) -> float:
    return float((np.log10(smoothing) - exponents[0]) / (exponents[1] - exponents[0]))
