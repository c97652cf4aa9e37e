"""The lead baseline (section 5.4): the first sentences of the text; and chance, the floor."""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from driftline.model.content_model import AnyDocument
from driftline.tasks.texts import sentence_texts

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Lead:
    """Takes the first sentences."""

    def summary_scores(self, document: AnyDocument) -> Floats:
        """Score sentences by their place, the first one highest.

        >>> Lead().summary_scores(["one", "two"]).tolist()
        [0.0, -1.0]
        """
        return -np.arange(len(sentence_texts(document)), dtype=float) + 0.0


@dataclass(frozen=True)
class Chance:
    """Takes any sentences, always the same ones for the same document and seed."""

    seed: int = 0

    def summary_scores(self, document: AnyDocument) -> Floats:
        """Draw a score for each sentence."""
        sentences = sentence_texts(document)
        digest = hashlib.sha256(f"{self.seed} {sentences!r}".encode("utf-8", "surrogatepass")).digest()
        return np.random.default_rng(int.from_bytes(digest[:8], "little")).random(len(sentences))
