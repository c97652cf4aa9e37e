"""What all tests share: that they can import `oracles` and `strategies`, and how hypothesis searches.

Pytest puts the folder of this file on the path, which is all that the import needs.
"""

import os

import hypothesis
import pytest

from driftline.model.content_model import ContentModel
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus
from driftline.text.corpus import Corpus

# The same examples in every run: a test that fails on some days only is no test. To look for new ones:
# HYPOTHESIS_PROFILE=search make test
hypothesis.settings.register_profile("same", deadline=None, derandomize=True, max_examples=60)
hypothesis.settings.register_profile("search", deadline=None, max_examples=1000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

QUAKES = [
    [["a", "quake", "hit", "izmit"], ["no", "one", "died"], ["tea", "was", "served"]],
    [["a", "quake", "hit", "athens"], ["two", "people", "died"]],
    [["no", "one", "died"], ["a", "quake", "hit"], ["no", "one", "was", "hurt"]],
    [["a", "quake", "hit", "izmit"]],
]
QUAKE_LABELS = [[0, 1, 2], [0, 1], [1, 0, 1], [0]]


@pytest.fixture(scope="session")
def words_corpus() -> Corpus:
    """Four short documents, given as words."""
    return Corpus.from_words(QUAKES, ids=["izmit", "athens", "calm", "short"])


@pytest.fixture(scope="session")
def words_model(words_corpus: Corpus) -> ContentModel:
    """A model of three states, estimated from known labels of documents given as words."""
    return ContentModel.from_labels(words_corpus, QUAKE_LABELS, n_states=3, emission_smoothing=0.1)


@pytest.fixture(scope="session")
def text_corpus() -> Corpus:
    """Two documents of text, with names, numbers and dates."""
    return Corpus.from_sentences(
        [
            ["A quake of magnitude 7.1 shook Izmit on Aug. 17, 1999.", "Nobody was hurt.", "Izmit is in Turkey."],
            ["A quake of magnitude 5.9 shook Athens on Tuesday.", "Two people were hurt."],
        ],
        ids=["izmit", "athens"],
    )


@pytest.fixture(scope="session")
def text_model(text_corpus: Corpus) -> ContentModel:
    """A model of three states, estimated from known labels of text."""
    return ContentModel.from_labels(text_corpus, [[0, 1, 2], [0, 1]], n_states=3)


@pytest.fixture(scope="session")
def best_model() -> ContentModel:
    """A model with all evidence, learned from some of the bundled documents."""
    return fit(sample_corpus("earthquakes").select(range(24)), ordering="best")
