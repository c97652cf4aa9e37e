"""Settings refuse what cannot work and name it; the signature and the errors say what they should."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.errors import DriftlineError, DriftlineWarning, InputError, ModelFileError, SettingsError
from driftline.settings import Settings
from driftline.signature import signature
from driftline.version import __version__

WHOLE = {
    "n_clusters": 1,
    "min_cluster_size": 1,
    "n_states": 1,
    "max_iterations": 0,
    "max_clustered_sentences": 1,
    "max_words": 1,
    "seed": 0,
    "n_examples": 0,
}
"""The settings that are whole numbers, with the least value of each."""
SMOOTHING = ["emission_smoothing", "transition_smoothing"]
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.lists(st.integers(), max_size=2)
)


@pytest.mark.parametrize(("name", "least"), WHOLE.items())
def test_the_least_whole_number_is_accepted(name, least):
    """Each whole-number setting may have its least value, and one less is refused by name and value."""
    assert least == getattr(Settings(**{name: least}), name)
    with pytest.raises(
        SettingsError, match=f"^{name}: expected a whole number of at least {least}.*, got {least - 1}$"
    ):
        Settings(**{name: least - 1})


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("value", [True, 2.0, "2", math.nan, [2]])
def test_whole_numbers_are_ints(name, value):
    """What is no int, a bool included, is no whole number."""
    with pytest.raises(SettingsError, match=name):
        Settings(**{name: value})


@pytest.mark.parametrize("name", WHOLE)
def test_numpys_whole_numbers_become_plain_ones(name):
    """A number of a NumPy range is welcome, and is kept as an int, which every model file can hold."""
    assert type(getattr(Settings(**{name: np.int64(7)}), name)) is int


@pytest.mark.parametrize("name", SMOOTHING)
def test_numpys_floats_become_plain_ones(name):
    """A NumPy float of any precision is welcome, and is kept as a float."""
    assert type(getattr(Settings(**{name: np.float32(0.5)}), name)) is float


@pytest.mark.parametrize("name", ["n_clusters", "min_cluster_size", "n_states"])
def test_none_chooses_by_the_corpus(name):
    """The settings that depend on the corpus may be None; the others may not."""
    assert getattr(Settings(**{name: None}), name) is None
    with pytest.raises(SettingsError, match="seed"):
        Settings(seed=None)


@pytest.mark.parametrize("name", SMOOTHING)
@pytest.mark.parametrize("value", [0, 0.0, -1, 1e-101, 5e-324, math.nan, math.inf, -math.inf, True, "1", None, [1.0]])
def test_smoothing_that_cannot_work(name, value):
    """Smoothing is a finite number above 0 that leaves room for products of probabilities."""
    with pytest.raises(SettingsError, match=f"^{name}: expected a number of at least 1e-100"):
        Settings(**{name: value})


@pytest.mark.parametrize("name", SMOOTHING)
@pytest.mark.parametrize("value", [1e308, pytest.param(10**400, id="10**400")])
def test_smoothing_that_would_overflow(name, value):
    """Smoothing so large that its product with a vocabulary leaves the floats is refused too."""
    with pytest.raises(SettingsError, match=name):
        Settings(**{name: value})


@pytest.mark.parametrize("name", SMOOTHING)
@pytest.mark.parametrize("value", [1, 1e-100, 1e-8, 10.0, np.float64(0.5)])
def test_smoothing_that_works(name, value):
    """Whole numbers, tiny numbers and NumPy's floats are all fine."""
    assert value == getattr(Settings(**{name: value}), name)


@pytest.mark.parametrize("value", ["builtin", "none", "spacy:en_core_web_sm"])
def test_maskings(value):
    """The built-in masker, none, and a spaCy pipeline by name can be chosen."""
    assert value == Settings(masking=value).masking


@pytest.mark.parametrize("value", ["", "spacy", "spacy:", "Builtin", "nltk:x", None, 1, ["builtin"]])
def test_maskings_that_do_not_exist(value):
    """Any other masking is refused."""
    with pytest.raises(SettingsError, match=r"^masking: expected 'builtin', 'none' or 'spacy:PIPELINE', got"):
        Settings(masking=value)


@pytest.mark.parametrize("value", ["printed", "", None, 1, ["as-printed"], np.array([1, 2])])
def test_transitions_that_do_not_exist(value):
    """Transition rows are as printed or normalised."""
    assert Settings(transitions="normalised").transitions == "normalised"
    with pytest.raises(SettingsError, match=r"^transitions: expected one of as-printed, normalised, got"):
        Settings(transitions=value)


def test_all_problems_at_once():
    """Every setting that cannot work is named, a line each."""
    with pytest.raises(SettingsError) as caught:
        Settings(n_clusters=0, emission_smoothing=-1.0, seed="x")

    assert [line.split(":")[0] for line in str(caught.value).splitlines()] == [
        "n_clusters",
        "emission_smoothing",
        "seed",
    ]


@given(st.dictionaries(st.sampled_from([field.name for field in dataclasses.fields(Settings)]), ANYTHING))
def test_any_value_is_taken_or_refused(values):
    """Whatever is given, the settings are made with just these values or a SettingsError is raised."""
    made, told = None, ""
    try:
        made = Settings(**values)
    except SettingsError as error:
        told = str(error)

    if made:
        assert {name: made.as_dict()[name] for name in values} == values
    else:
        assert any(told.startswith(f"{name}: expected") for name in values)


def test_settings_are_frozen():
    """A setting cannot be changed once it is made."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().seed = 1


def test_settings_are_given_by_name():
    """Settings are never given by position."""
    with pytest.raises(TypeError):
        Settings(40)


def test_as_dict_makes_the_settings_again():
    """All settings by name make equal settings."""
    made = Settings.paper()

    assert Settings(**made.as_dict()) == made
    assert Settings() != made


def test_the_papers_settings():
    """The paper's own models have far sharper language models than our default, and T = 4."""
    paper = Settings.paper()

    assert paper.emission_smoothing < 1e-6 < Settings().emission_smoothing
    assert paper.min_cluster_size == 4


def test_signature():
    """A signature shows each part by name, floats shortly, and ends with the version."""
    assert f"driftline|k:40|d1:1e-08|d2:0.1|T:none|mask:words|version:{__version__}" == signature(
        k=40, d1=1e-8, d2=0.1, T=None, mask="words"
    )


def test_a_signature_tells_settings_apart():
    """Settings that differ have signatures that differ, however little they differ."""
    assert signature(d1=0.1) != signature(d1=math.nextafter(0.1, 1))


@pytest.mark.parametrize("error", [InputError, SettingsError, ModelFileError])
def test_one_name_catches_all_errors(error):
    """Every error is a DriftlineError, and a ValueError for those who know nothing of driftline."""
    assert issubclass(error, InputError)
    assert issubclass(error, DriftlineError)
    assert issubclass(error, ValueError)


def test_warnings_can_be_filtered():
    """A warning is a UserWarning, so that it is shown by default."""
    assert issubclass(DriftlineWarning, UserWarning)
