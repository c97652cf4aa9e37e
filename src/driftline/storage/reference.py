"""What is usual in a model's domain, if it knows that."""

import math
from dataclasses import dataclass

import numpy as np

from driftline.model.familiarity import Line, WordStories
from driftline.model.reference import Norms, Reference
from driftline.storage.packing import Arrays, pack_record, unpack_record
from driftline.text.encoding import Vocabulary

_NAME, _WORDS = "reference", "reference_words"


@dataclass(frozen=True)
class _Record:
    n_stories: int
    norms: Norms


def pack_reference(reference: Reference | None) -> Arrays:
    """Store the ruler."""
    if reference is None:
        return {}
    record = _Record(reference.words.n_stories, reference.norms)
    return {_WORDS: reference.words.counts, **pack_record(_NAME, record)}


def unpack_reference(arrays: Arrays, vocabulary: Vocabulary, n_states: int) -> Reference | None:
    """Take the ruler out again and check that it can be one."""
    record = unpack_record(_NAME, arrays, _Record)
    if record is None or _WORDS not in arrays:
        if record is not None or _WORDS in arrays:
            raise ValueError("what is usual in the domain is there only in part")
        return None
    counts, norms = arrays[_WORDS], record.norms
    if counts.shape != (vocabulary.size,) or (counts > record.n_stories).any():
        raise ValueError("the stories of words do not fit the vocabulary")
    scales = [scale for scale in (norms.documents, norms.sentences) if scale is not None]
    lists = (*(scale.values for scale in scales), norms.order, norms.overall)
    if not all(values and (np.diff(values) >= 0).all() for values in lists):
        raise ValueError("what is usual in the domain is not in ascending order")
    lines = [line for scale in scales for line in (scale.unknown, scale.spread)]
    if not all(map(_can_be, lines)) or not all(map(math.isfinite, (*sum(lists, ()), norms.abrupt))):
        raise ValueError("what is usual in the domain cannot be so")
    for theme in norms.themes:
        if not theme.states or min(theme.states) < 0 or max(theme.states) >= n_states:
            raise ValueError("a theme has a state that is out of range")
        if not (0 <= theme.share <= 1 and 0 <= theme.least <= 1):
            raise ValueError("a theme has a share that is none")
    return Reference(WordStories(counts, record.n_stories, vocabulary), norms)


def _can_be(line: Line) -> bool:
    return (
        all(map(math.isfinite, (line.level, line.slope, line.noise, line.floor))) and min(line.noise, line.floor) >= 0
    )
