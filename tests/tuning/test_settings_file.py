import tomllib

import pytest

from driftline.errors import InputError, SettingsError
from driftline.settings import Settings
from driftline.tuning.objective import Score
from driftline.tuning.settings_file import read_settings, settings_text, write_settings
from driftline.tuning.tuning import Tuned, Worth

SETTINGS = Settings(n_clusters=81, min_cluster_size=4, emission_smoothing=1e-7, masking="spacy:en_core_web_sm")
GOOD, LESS = Score(0.5, 0.4, 0.6, 12), Score(0.25, 0.0, 0.5, 12)
FOUND = Tuned(
    SETTINGS, "ordering", Worth("dev", GOOD, LESS), Worth('the "test" set', LESS, GOOD), 60, "driftline|x:1"
)


def test_settings_come_back(tmp_path):
    """What is written is read again as the same settings, and the scores stand beside them."""
    path = tmp_path / "tuned.toml"
    write_settings(path, FOUND)

    assert read_settings(path) == SETTINGS
    scores = tomllib.loads(path.read_text("utf-8"))["scores"]
    assert scores["chosen_on_tuned"] == {"value": 0.5, "interval": [0.4, 0.6], "documents": 12}
    assert scores["held_out"] == 'the "test" set'
    assert scores["signature"] == "driftline|x:1"


def test_a_person_can_read_it():
    """The file says what it is for, and leaves out what the corpus decides."""
    text = settings_text(FOUND)

    assert text.startswith("# Written by `driftline tune`")
    assert "n_states" not in text
    assert "emission_smoothing = 1e-07\n" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[settings]\nn_cluster = 4\n", "'n_cluster' is no setting; expected some of n_clusters, "),
        ("[setting]\n", r"expected the table \[settings\], got 'setting' beside it"),
        ("n_clusters = 4\n", r"expected the table \[settings\], got 'n_clusters' beside it"),
        ("settings = 4\n", r"has no table \[settings\]"),
        ("", r"has no table \[settings\]"),
        ("[settings\n", "is no TOML"),
        ("[settings]\nmasking = '\\udc00'\nmasking = 2\n", "is no TOML"),
        ("a = " + "[" * 100_000, "is no TOML"),
        ("[settings]\nn_clusters = " + "1" * 5_000, "is no TOML"),
        ("[settings]\nmasking = 0x" + "f" * 5_000, "masking: expected"),
        ("[settings]\nn_clusters = 0\n", "n_clusters: expected a whole number of at least 1, or None, got 0"),
        ("[settings]\nemission_smoothing = nan\n", "emission_smoothing: expected a number"),
    ],
)
def test_broken_files(tmp_path, text, message):
    """What is wrong with a file is said in one sentence that names it."""
    path = tmp_path / "tuned.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message) as caught:
        read_settings(path)

    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path, monkeypatch):
    """No file, bytes that are no text and files that are too long are refused; all wrong values are told."""
    path = tmp_path / "tuned.toml"
    with pytest.raises(InputError, match=r"tuned.toml: there is no such file"):
        read_settings(path)
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"tuned.toml: is no TOML"):
        read_settings(path)
    path.write_text("[settings]\nn_clusters = 0\nseed = -1\n", "utf-8")
    with pytest.raises(SettingsError, match=r"n_clusters.*\n.*seed"):
        read_settings(path)
    monkeypatch.setattr("driftline.tuning.settings_file._MOST_BYTES", 3)
    with pytest.raises(InputError, match="a settings file has at most 3"):
        read_settings(path)
