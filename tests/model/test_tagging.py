import numpy as np
import pytest
from hypothesis import given

from driftline.errors import InputError
from driftline.model.content_model import ContentModel
from driftline.model.tagging import tag
from driftline.text.corpus import Corpus
from strategies import UNSEEN, WORDS, documents, labelled


@given(labelled(), documents(WORDS + UNSEEN))
def test_tags_are_what_the_model_says(drawn, asked):
    """States are the V-topics, each with its probability, and the document with its own."""
    model = ContentModel.from_labels(Corpus.from_words(drawn.documents), drawn.labels, drawn.n_states)

    tags = tag(model, asked)

    assert list(tags.states) == model.v_topics(asked).tolist()
    assert tags.log_probability == model.log_probability(asked)
    want = model.state_probabilities(asked)[np.arange(len(asked)), tags.states]
    np.testing.assert_allclose(tags.probabilities, want, rtol=1e-12, atol=0)


def test_a_known_sentence_gets_its_topic_and_a_strange_one_the_insertion_state(words_model):
    """What no topic has seen goes to the last state."""
    tags = tag(words_model, [["a", "quake", "hit", "izmit"], ["xx", "yy", "zz"]])

    assert tags.states == (0, 2)


def test_probabilities_are_plain_numbers(words_model):
    """Tags hold Python numbers, ready for JSON, each between 0 and 1."""
    tags = tag(words_model, [["a"], ["b"]])

    assert all(type(state) is int for state in tags.states)
    assert all(type(p) is float and 0.0 < p <= 1.0 for p in tags.probabilities)
    assert type(tags.log_probability) is float


def test_tags_of_no_document_are_refused(words_model):
    """There is nothing to tag in an empty document."""
    with pytest.raises(InputError, match="holds no sentence"):
        tag(words_model, [])
