"""The sentences that are typical of each topic, kept with a model for display."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from driftline.model.training import Estimate
from driftline.text.corpus import Corpus
from driftline.text.encoding import EncodedCorpus

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Example:
    """A sentence that is typical of a topic, and where it stands."""

    document: str
    sentence: int
    """Its place in the document, from 0."""
    text: str


def typical_sentences(
    corpus: Corpus, encoded: EncodedCorpus, states: Integers, estimate: Estimate, n_examples: int
) -> tuple[tuple[Example, ...], ...]:
    """Choose for each state the sentences that it gives the most probability, a word, over all other states."""
    n_states = estimate.counts.n_states
    if n_examples == 0:
        return ((),) * n_states
    scores = estimate.emissions.score(encoded)
    n_words = np.diff(encoded.sentence_offsets)
    lead = typicality(scores, states, n_words)
    home = encoded.document_of_sentence
    place = np.arange(len(states)) - encoded.document_offsets[home]
    # Of equally typical sentences the first by its text and then its document's id, so that the order of
    # the files does not show.
    texts_of = [corpus[int(d)].sentences[p] for d, p in zip(home, place, strict=True)]
    ids = [corpus[int(d)].id for d in home]
    by_text = sorted(range(len(states)), key=lambda i: (texts_of[i], ids[i], place[i]))
    canonical = np.empty(len(states), dtype=np.int64)
    canonical[by_text] = np.arange(len(states))
    chosen = []
    for state in range(n_states):
        members = np.flatnonzero(states == state)
        ranked = members[np.lexsort((canonical[members], -lead[members]))]
        texts: dict[str, Example] = {}
        for i in ranked:
            document = corpus[int(home[i])]
            text = document.sentences[place[i]]
            texts.setdefault(text, Example(document.id, int(place[i]), text))
            if len(texts) == n_examples:
                break
        chosen.append(tuple(texts.values()))
    return tuple(chosen)


def typicality(scores: Floats, states: Integers, n_words: Integers) -> Floats:
    """Return how much more probable each sentence is in its own state than in all, and, less so, how plain it is."""
    own = scores[np.arange(len(states)), states]
    lead = (own - np.logaddexp.reduce(scores, axis=1)) + 0.1 * own / np.maximum(n_words, 1)
    rounded: Floats = np.round(lead, 9)  # so that equal sentences tie
    return rounded
