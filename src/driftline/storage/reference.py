"""What is usual in a model's domain, if it knows that."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import chain

import numpy as np

from driftline.model.familiarity import WordStories
from driftline.model.reference import Norms, Reference
from driftline.model.themes import Theme
from driftline.storage.packing import Arrays, pack_record, unpack_record
from driftline.text.encoding import Vocabulary

_NAME, _WORDS = "reference", "reference_words"
_MOST_STORIES = 2**53  # what floats can still count
_LARGEST = 1e9


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
    counts = arrays[_WORDS]
    if counts.shape != (vocabulary.size,) or not max(counts.max(), 1) <= record.n_stories <= _MOST_STORIES:
        raise ValueError("the stories of words do not fit the vocabulary")
    _check_norms(record.norms)
    _check_themes(record.norms.themes, n_states)
    return Reference(WordStories(counts, record.n_stories, vocabulary), record.norms)


def _check_norms(norms: Norms) -> None:
    scales = [scale for scale in (norms.documents, norms.sentences) if scale is not None]
    lists = (*(scale.values for scale in scales), norms.order, norms.overall)
    if not all(values and (np.diff(values) >= 0).all() for values in lists):
        raise ValueError("what is usual in the domain is not in ascending order")
    lines = [line for scale in scales for line in (scale.unknown, scale.spread)]
    figures = (norms.abrupt, *chain(*lists), *chain.from_iterable(map(astuple, lines)))
    # What is not finite, or so large that differences overflow, no training gives.
    if not all(abs(figure) <= _LARGEST for figure in figures) or any(
        min(line.noise, line.floor) < 0 for line in lines
    ):
        raise ValueError("what is usual in the domain cannot be so")


def _check_themes(themes: Sequence[Theme], n_states: int) -> None:
    for theme in themes:
        # The insertion state, the last one, is no topic.
        if not theme.states or list(theme.states) != sorted(set(theme.states) & set(range(n_states - 1))):
            raise ValueError("a theme has a state that is out of range, or out of order")
        if not 0 <= theme.share <= 1:
            raise ValueError("a theme has a share that is none")
