import errno
import json
import os
import stat
import struct
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given

from driftline.errors import InputError, ModelFileError
from driftline.model.content_model import ContentModel
from driftline.model.counts import Counts
from driftline.model.fitting import fit
from driftline.model.summary_counts import SummaryCounts
from driftline.model.tagging import tag
from driftline.model.topics import relabel
from driftline.settings import Settings
from driftline.storage import load, model_file, packing, save
from driftline.text.corpus import Corpus
from driftline.text.masking import PlainMasker
from driftline.text.spacy_masking import SpacyMasker
from strategies import documents, labelled


@pytest.fixture
def path(tmp_path):
    """Where the models of a test are saved."""
    return tmp_path / "model"


@pytest.fixture(scope="module")
def raw(words_model, tmp_path_factory):
    """The bytes of a saved model of words."""
    file = tmp_path_factory.mktemp("raw") / "model"
    save(words_model, file)
    return file.read_bytes()


def refusal(path):
    """The sentence that a file is refused with: one line that begins with the path."""
    with pytest.raises(ModelFileError) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message


def opened(path):
    """The model in a file, or None if it was refused as it should be."""
    try:
        return load(path)
    except ModelFileError:
        refusal(path)
        return None


def refusal_of(path, raw):
    """The sentence that a file of these bytes is refused with."""
    path.write_bytes(raw)
    return refusal(path)


def saved(model, path):
    """The bytes of a model's file."""
    save(model, path)
    return path.read_bytes()


def as_safetensors(header, data=b""):
    """A file whose JSON header is exactly this."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def parts(raw):
    """The JSON header of a file and what follows it."""
    length = struct.unpack("<Q", raw[:8])[0]
    return json.loads(raw[8 : 8 + length]), raw[8 + length :]


@pytest.fixture
def any_checksum(monkeypatch):
    """Let every checksum fit, as it does for someone who knows how to make one."""
    monkeypatch.setattr(model_file, "_checksum", lambda *_: "fits")


def forged(raw, change_arrays=None, change_header=None):
    """A file whose arrays or header someone has changed; to be opened with `any_checksum`."""
    head, _ = parts(raw)
    header = json.loads(head["__metadata__"]["driftline"]) | {"checksum": "fits"}
    arrays = {name: array.copy() for name, array in safetensors.numpy.load(raw).items()}
    if change_arrays:
        change_arrays(arrays)
    if change_header:
        change_header(header)
    return safetensors.numpy.save(arrays, metadata={"driftline": json.dumps(header)})


# What comes back


@given(labelled(), documents())
def test_a_model_comes_back_as_it_was(tmp_path_factory, drawn, asked):
    """A loaded model has the same arrays, bit for bit, says the same of any document, and saves the same bytes."""
    folder = tmp_path_factory.mktemp("round")
    model = ContentModel.from_labels(Corpus.from_words(drawn.documents), drawn.labels, drawn.n_states)

    first = saved(model, folder / "first")
    loaded = load(folder / "first")

    assert saved(loaded, folder / "second") == first
    np.testing.assert_array_equal(loaded.log_transition, model.log_transition)
    np.testing.assert_array_equal(loaded.log_emission(asked), model.log_emission(asked))
    assert loaded.log_probability(asked) == model.log_probability(asked)
    assert loaded.v_topics(asked).tolist() == model.v_topics(asked).tolist()
    assert (loaded.settings, loaded.record, loaded.examples) == (model.settings, model.record, model.examples)
    assert (loaded.vocabulary, loaded.data_hash, loaded.signature) == (
        model.vocabulary,
        model.data_hash,
        model.signature,
    )


def test_a_model_of_text_comes_back_with_its_masker(text_model, path):
    """What the masker knows of names is saved, so new text is masked as before."""
    save(text_model, path)

    loaded = load(str(path))

    assert loaded.masker == text_model.masker
    sentences = ["Izmit was hit on Tuesday.", "A quake of magnitude 4 shook the Town."]
    assert loaded.masker.words(sentences) == text_model.masker.words(sentences)
    assert tag(loaded, sentences) == tag(text_model, sentences)


@pytest.mark.parametrize("masking", ["none", "spacy:en_core_web_sm"])
def test_the_masking_of_a_model_is_part_of_it(text_model, path, masking):
    """A model whose text was not masked, or by spaCy, comes back with the same masker."""
    masker = PlainMasker() if masking == "none" else SpacyMasker("en_core_web_sm")
    save(replace(text_model, masker=masker, settings=Settings(masking=masking)), path)

    assert load(path).masker == masker


def test_a_fitted_model_comes_back(path):
    """What fit chose and recorded is kept."""
    corpus = Corpus.from_words([[["a", "quake", "hit"], ["no", "one", "died"]]] * 20)
    model = fit(corpus)

    save(model, path)

    assert load(path).record == model.record
    assert load(path).settings == model.settings


def test_what_is_known_of_summaries_comes_back(words_model, path, tmp_path):
    """A model that has learned from summaries keeps their counts, and saves the same bytes again."""
    model = replace(words_model, summaries=SummaryCounts(np.array([4, 3, 0]), np.array([3, 0, 0]), 5))

    first = saved(model, path)
    loaded = load(path)

    assert loaded.summaries.article_counts.tolist() == [4, 3, 0]
    assert loaded.summaries.both_counts.tolist() == [3, 0, 0]
    assert loaded.summaries.n_pairs == 5
    assert saved(loaded, tmp_path / "again") == first


def test_given_labels_come_back(words_model, path, tmp_path):
    """Labels that people gave come back as they were written; taken back, they leave no trace in the file."""
    first = saved(words_model, path)
    labelled = relabel(words_model, 1, "“what” was <hit> ☃")

    again = saved(labelled, tmp_path / "labelled")
    loaded = load(tmp_path / "labelled")

    assert loaded.given_labels == ("", "“what” was <hit> ☃", "")
    assert saved(loaded, tmp_path / "again") == again
    assert saved(relabel(loaded, 1, ""), path) == first


@pytest.mark.usefixtures("any_checksum")
def test_labels_that_fit_no_state_are_refused(raw, path):
    """There is a label for each state or none at all."""

    def add(arrays):
        arrays.update(packing.pack_texts("given_labels", ["one"]))

    assert "1 labels for 3 states" in refusal_of(path, forged(raw, add))


def test_words_of_any_kind_come_back(path):
    """Empty words, spaces, line ends, other scripts and even half of a surrogate pair are words like any other."""
    words = ["", " ", "\n", "a\0b", "地震", "é", "\ud800", '"', "<UNK>"]
    model = ContentModel.from_labels(Corpus.from_words([[words, words[::-1]]], ids=["\ud800 id"]), [[0, 1]], 2)

    save(model, path)

    loaded = load(path)
    assert loaded.vocabulary == model.vocabulary
    assert loaded.examples == model.examples


def test_a_model_without_text_keeps_none(words_corpus, path):
    """With n_examples=0 no sentence stands in the file."""
    labels = [[0, 1, 2], [0, 1], [1, 0, 1], [0]]
    model = ContentModel.from_labels(words_corpus, labels, 3, settings=Settings(n_examples=0))

    raw = saved(model, path)

    assert b"quake hit" not in raw
    assert load(path).examples == ((), (), ())


def test_the_same_model_gives_the_same_bytes(words_model, tmp_path):
    """Nothing but the model is in the file: no time, no place, no chance."""
    assert saved(words_model, tmp_path / "one") == saved(words_model, tmp_path / "other")


@pytest.mark.parametrize("smoothing", [1, np.float64(0.25)])
def test_smoothing_of_any_number_type_can_be_saved(words_corpus, tmp_path, smoothing):
    """A whole number, or one out of an array, is the number that it is, before and after."""
    labels = [[0, 1, 2], [0, 1], [1, 0, 1], [0]]
    model = ContentModel.from_labels(words_corpus, labels, 3, emission_smoothing=smoothing)

    first = saved(model, tmp_path / "first")
    assert saved(load(tmp_path / "first"), tmp_path / "second") == first


def test_a_saved_model_holds_no_code(raw):
    """The file is JSON and numbers, in a format that anyone can read without running any of it."""
    arrays = safetensors.numpy.load(raw)

    assert {array.dtype.str for array in arrays.values()} <= {"<i8", "|u1"}
    head, _ = parts(raw)
    assert head["__metadata__"].keys() == {"driftline"}


def test_the_header_says_how_the_model_was_made(raw, words_model):
    """Format version, settings, data hash and signature can be read without opening the model."""
    head, _ = parts(raw)
    header = json.loads(head["__metadata__"]["driftline"])

    assert (header["format"], header["format_version"]) == ("driftline-model", 1)
    assert header["settings"]["emission_smoothing"] == 0.1
    assert header["data_hash"] == words_model.data_hash
    assert header["signature"] == words_model.signature


# Damage


def test_no_damaged_byte_goes_unnoticed(raw, path):
    """Whichever byte is changed, the file is refused, or the very same model comes out of it."""
    rng = np.random.default_rng(0)
    for place in np.unique([*range(120), *rng.choice(len(raw), 500), len(raw) - 1]):
        damaged = bytearray(raw)
        damaged[place] ^= int(rng.choice([1, 2, 4, 16, 32, 128, 255]))
        path.write_bytes(damaged)
        model = opened(path)
        if model is not None:
            assert saved(model, path) == raw, f"byte {place} was changed from {raw[place : place + 1]} unnoticed"


def test_a_changed_setting_does_not_go_unnoticed(raw, path):
    """The header is under the checksum too: another smoothing would be another model."""
    assert b"0.1," in raw

    assert "is damaged" in refusal_of(path, raw.replace(b"0.1,", b"0.2,"))


def test_a_truncated_file_is_refused(raw, path):
    """However much is missing, the file is refused."""
    for length in np.unique(np.linspace(0, len(raw) - 1, 200).astype(int)):
        refusal_of(path, raw[:length])


def test_a_file_that_goes_on_is_refused(raw, path):
    """Bytes after the end do not belong to the model."""
    assert "is damaged" in refusal_of(path, raw + b"\0")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"1234567",
        b"A quake shook Izmit.\n" * 10,
        b"\x89PNG\r\n\x1a\n" + bytes(100),
        b"PK\x03\x04" + bytes(100),
        bytes(1000),
        struct.pack("<Q", 2**63) + b"{}",
        struct.pack("<Q", 2) + b"[]",
    ],
)
def test_a_foreign_file_is_refused(path, content):
    """What is no safetensors file at all is no driftline model."""
    assert refusal_of(path, content).endswith(("is no driftline model", "is cut off"))


def test_a_foreign_safetensors_file_is_refused(path):
    """Someone else's arrays are no driftline model, with metadata or without."""
    arrays = {"weight": np.zeros(3)}

    for metadata in (None, {"format": "pt"}, {"driftline": '{"format": "else", "format_version": 1}'}):
        assert refusal_of(path, safetensors.numpy.save(arrays, metadata)).endswith("is no driftline model")


@pytest.mark.parametrize(
    "header",
    [
        b"{}",
        b'{"__metadata__": []}',
        b'{"__metadata__": null}',
        b'{"__metadata__": {"driftline": null}}',
        b'{"__metadata__": {"driftline": "\xff"}}',
        b'{"__metadata__": {"driftline": "\\ud800"}}',
        b'{"__metadata__": {"driftline": {"format": "driftline-model"}}}',
        b'{"__metadata__": {"driftline": "[]"}}',
        b'{"__metadata__": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        json.dumps({"__metadata__": {"driftline": '{"x": ' + "[" * 100_000}}).encode(),
        json.dumps(
            {"__metadata__": {"driftline": '{"format": "driftline-model", "x":' + '{"x":' * 100_000}}
        ).encode(),
    ],
    ids=range(11),
)
def test_a_strange_header_is_refused(path, header):
    """No header can bring down the reader, however it is nested or spelled."""
    refusal_of(path, as_safetensors(header))


@pytest.mark.usefixtures("any_checksum")
def test_a_newer_format_is_refused_with_the_way_out(raw, path):
    """The sentence says which version wrote the file, and what this one reads."""

    def newer(header):
        header.update(format_version=2, made_by="driftline 9.9", new_field=[1])
        header.pop("record")

    message = refusal_of(path, forged(raw, change_header=newer))

    assert "was written by driftline 9.9 in format 2" in message
    assert "reads formats up to 1" in message


@pytest.mark.usefixtures("any_checksum")
@pytest.mark.parametrize("version", [0, -1, True, 1.5, "1", None, 2**70])
def test_a_format_that_never_was_is_refused(raw, path, version):
    """Format versions are whole numbers from 1."""
    refusal_of(path, forged(raw, change_header=lambda header: header.update(format_version=version)))


# Forgery: the checksum fits, the content does not


def put(name, value):
    """Replace one array."""
    return lambda arrays: arrays.update({name: np.asarray(value)})


def change(name, function):
    """Replace one array by what a function makes of it."""
    return lambda arrays: arrays.update({name: np.ascontiguousarray(function(arrays[name]))})


COUNTS = [field.name for field in fields(Counts)]


@pytest.mark.usefixtures("any_checksum")
@pytest.mark.parametrize("name", [*COUNTS, "vocabulary.ends", "example_texts.ends", "example_places"])
@pytest.mark.parametrize(
    "function",
    [
        lambda array: array.astype(np.float64),
        lambda array: array.astype(np.int32),
        lambda array: array[..., None],
        lambda array: np.array(3),
        lambda array: -1 - array,
    ],
    ids=["floats", "int32", "one axis more", "a number", "negative"],
)
def test_arrays_of_another_kind_are_refused(raw, path, name, function):
    """Every array has its type, its shape and its range, whatever the checksum says."""

    def change_it(arrays):
        value = function(arrays[name])
        if name == "n_documents" and value.ndim == 0:
            value = np.array([3.5])
        arrays[name] = np.ascontiguousarray(value) if value.ndim else value

    refusal_of(path, forged(raw, change_it))


@pytest.mark.usefixtures("any_checksum")
@pytest.mark.parametrize("name", [*COUNTS, "vocabulary.bytes", "vocabulary.ends", "example_places"])
def test_an_array_that_is_missing_is_named(raw, path, name):
    """The sentence says which array is not there."""
    message = refusal_of(path, forged(raw, lambda arrays: arrays.pop(name)))

    assert "is damaged" in message
    assert name in message


@pytest.mark.usefixtures("any_checksum")
@pytest.mark.parametrize(
    "change_arrays",
    [
        change("bigram_states", lambda states: states + 3),
        change("bigrams", lambda bigrams: bigrams[::-1]),
        change("bigrams", lambda bigrams: bigrams + 10_000),
        change("bigrams", lambda bigrams: np.concatenate([bigrams[:1] + 2**62, bigrams[1:]])),
        change("bigrams", lambda bigrams: np.full_like(bigrams, bigrams[0])),
        change("bigram_counts", lambda counts: counts[:-1]),
        change("bigram_counts", lambda counts: counts * 0),
        change("document_pair_counts", lambda counts: counts[:2]),
        change("initial_counts", lambda counts: counts[:2]),
        change("position_counts", lambda counts: counts[:, :9]),
        put("n_documents", np.array([1, 2])),
        put("n_documents", np.array([], dtype=np.int64)),
        change("vocabulary.ends", lambda ends: ends[::-1]),
        change("vocabulary.ends", lambda ends: ends + 1),
        change("vocabulary.ends", lambda ends: ends[:-1]),
        change("vocabulary.bytes", lambda raw_bytes: raw_bytes | 0x80),
        change("vocabulary.bytes", lambda raw_bytes: raw_bytes.astype(np.float64)),
        change("example_places", lambda places: places + np.array([3, 0])),
        change("example_places", lambda places: places - np.array([3, 0])),
        change("example_places", lambda places: places[:-1]),
        change("example_places", lambda places: places[:, :1]),
        change("example_places", np.ravel),
    ],
    ids=range(22),
)
def test_content_that_cannot_be_is_refused(raw, path, change_arrays):
    """States and bigrams out of range, places that go back, shapes that do not fit: each is damage."""
    assert "is damaged" in refusal_of(path, forged(raw, change_arrays))


@pytest.mark.usefixtures("any_checksum")
@pytest.mark.parametrize(
    ("articles", "both", "n_pairs"),
    [([4, 3], [3, 0], 5), ([4, 3, 0], [3, 0], 5), ([4, 3, 0], [3, 4, 0], 5), ([6, 3, 0], [3, 0, 0], 5)],
    ids=["too few states", "shapes that differ", "more summaries than articles", "more articles than pairs"],
)
def test_counts_of_summaries_that_cannot_be_are_refused(raw, path, articles, both, n_pairs):
    """There is a count for each state, and no summary without its article, no article without its pair."""

    def add(arrays):
        arrays["summary_articles"], arrays["summary_both"] = np.array(articles), np.array(both)
        arrays["summary_pairs"] = np.array([n_pairs])

    assert "is damaged" in refusal_of(path, forged(raw, add))


@pytest.mark.usefixtures("any_checksum")
@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("bigrams", lambda arrays: (len(arrays["vocabulary.ends"]) + 2) * (len(arrays["vocabulary.ends"]) + 1)),
        ("bigram_states", lambda arrays: len(arrays["document_counts"])),
    ],
)
def test_the_first_number_out_of_range_is_refused(raw, path, name, limit):
    """A bigram's number is below (|V| + 1) |V|, START included, and a state's below m; one less is fine."""

    def put_last(value):
        def put_it(arrays):
            arrays[name][-1] = value(arrays)

        return put_it

    path.write_bytes(forged(raw, put_last(lambda arrays: limit(arrays) - 1)))
    assert load(path).n_states == 3
    assert "out of range" in refusal_of(path, forged(raw, put_last(limit)))


@pytest.mark.usefixtures("any_checksum")
def test_a_bigram_that_stands_twice_in_a_state_is_refused(raw, path):
    """Every bigram of a state has one count."""

    def twice(arrays):
        for name in ("bigrams", "bigram_states"):
            arrays[name][1] = arrays[name][0]

    assert "is damaged" in refusal_of(path, forged(raw, twice))


@pytest.mark.usefixtures("any_checksum")
def test_a_vocabulary_with_a_word_twice_is_refused(raw, path):
    """Words are sorted and each stands once: the formulas divide by their number."""

    def twice(arrays):
        ends = arrays["vocabulary.ends"]
        arrays["vocabulary.bytes"] = np.full(len(ends), ord("a"), dtype=np.uint8)
        arrays["vocabulary.ends"] = np.arange(1, len(ends) + 1)

    assert "is damaged" in refusal_of(path, forged(raw, twice))


@pytest.mark.usefixtures("any_checksum")
@pytest.mark.parametrize("name", ["bigram_counts", "document_counts", "document_pair_counts", "sentence_counts"])
def test_counts_beyond_all_measure_do_not_bring_down_the_reader(raw, path, name):
    """Counts near the end of the integers are refused, or give finite numbers."""
    path.write_bytes(forged(raw, change(name, lambda counts: np.full_like(counts, 2**62))))
    model = opened(path)
    if model is not None:
        assert np.isfinite(model.log_emission([["a", "quake", "hit"]])).all()
        assert np.isfinite(model.log_transition).all()


@pytest.mark.parametrize("dtype", ["BF16", "F8_E5M2", "F8_E4M3", "F4", "BOOL", "C64", "F16", "XX"])
def test_types_that_we_never_write_are_refused(raw, path, dtype):
    """An array of a type that NumPy may not even know is damage, not a crash."""
    head, data = parts(raw)
    head["strange"] = {"dtype": dtype, "shape": [0], "data_offsets": [len(data), len(data)]}

    refusal_of(path, as_safetensors(head, data))


@pytest.mark.parametrize("shape", [[0, 2**62], [0, 2**63, 2**63], [0] * 100, [-1], [2**64], "3", None])
def test_shapes_that_cannot_be_are_refused(raw, path, shape):
    """However large an array says that it is, nothing is allocated for it."""
    head, data = parts(raw)
    head["strange"] = {"dtype": "I64", "shape": shape, "data_offsets": [len(data), len(data)]}

    refusal_of(path, as_safetensors(head, data))


@pytest.mark.usefixtures("any_checksum")
@pytest.mark.parametrize(
    "settings",
    [
        {"emission_smoothing": 0},
        {"emission_smoothing": -1.0},
        {"emission_smoothing": "NaN"},
        {"emission_smoothing": 10**400},
        {"transitions": "sideways"},
        {"masking": "pickle:evil"},
        {"n_clusters": 0, "seed": -1},
    ],
)
def test_settings_that_cannot_work_are_refused(raw, path, settings):
    """The settings of a file are checked like any others, and all of their problems stand in one sentence."""
    message = refusal_of(path, forged(raw, change_header=lambda header: header["settings"].update(settings)))

    assert "is damaged" in message


@pytest.mark.usefixtures("any_checksum")
def test_a_file_that_says_it_was_masked_but_has_no_names_is_refused(raw, path):
    """The built-in masker needs the evidence that it was learned from."""
    message = refusal_of(path, forged(raw, change_header=lambda header: header.update(words_given=False)))

    assert "is damaged" in message


# Places that hold no file, or no room for one


def test_a_missing_file_is_named(tmp_path):
    """The sentence names the path that was asked for."""
    assert refusal(tmp_path / "nothing").endswith("there is no such model file")


def test_a_folder_is_no_model_file(tmp_path):
    """A folder is named as what it is."""
    assert refusal(tmp_path).endswith("is a folder; expected a model file")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_no_model_file(tmp_path):
    """A named pipe, which could be waited for for ever, is refused; so is a device without end."""
    os.mkfifo(tmp_path / "pipe")

    for path in (tmp_path / "pipe", Path(os.devnull)):
        assert refusal(path).endswith("is not a regular file; expected a model file")


@pytest.mark.parametrize("name", ["a" * 5000, "a\0b"], ids=["long", "nul"])
def test_a_name_that_no_file_can_have_is_refused(tmp_path, name):
    """Opening a file of an impossible name is an ordinary refusal."""
    refusal(tmp_path / name)


@pytest.mark.parametrize("call", ["stat", "open"])
def test_a_file_that_may_not_be_read_is_refused(raw, path, monkeypatch, call):
    """Without the permission to look, or to read, the sentence gives the system's reason."""
    path.write_bytes(raw)
    original = getattr(os, call)

    def refuse(file, *args, **kwargs):
        if str(file) == str(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return original(file, *args, **kwargs)

    if call == "open":
        monkeypatch.setattr(Path, "read_bytes", refuse)
    else:
        monkeypatch.setattr(os, "stat", refuse)

    assert "Permission denied" in refusal(path)


def test_a_file_beyond_all_measure_is_not_even_read(path, monkeypatch):
    """A file that is larger than any model is refused by its size."""
    monkeypatch.setattr(model_file, "_MAX_BYTES", 10)

    assert refusal_of(path, bytes(11)).endswith("has 11 bytes; a model file has at most 10")


@pytest.mark.parametrize("call", ["fsync", "write", "replace"])
def test_a_full_disk_leaves_the_old_model(words_model, text_model, path, monkeypatch, call):
    """When the disk is full, the file that was there stays as it was, and nothing else is left behind."""
    before = saved(words_model, path)

    def full(*args, **kwargs):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if call == "write":
        monkeypatch.setattr(os, "fdopen", FullFile)
    else:
        monkeypatch.setattr(os, call, full)
    with pytest.raises(InputError, match=r"cannot be written .*No space left on device"):
        save(text_model, path)

    monkeypatch.undo()
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == ["model"]


class FullFile:
    """A file on a disk that takes the first few bytes only."""

    def __init__(self, handle, mode):
        self.file = open(handle, mode)  # noqa: SIM115 (closed in __exit__)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.file.close()

    def write(self, content):
        self.file.write(content[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_new_model_on_a_full_disk_leaves_nothing(words_model, path, monkeypatch):
    """When the first model does not fit, there is no file at all."""

    def full(*args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        save(words_model, path)

    assert os.listdir(path.parent) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_named(words_model, tmp_path):
    """A read-only folder gives one sentence with the path and the system's reason."""
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with pytest.raises(InputError, match=r"model: cannot be written .*Permission denied"):
            save(words_model, tmp_path / "model")
    finally:
        tmp_path.chmod(stat.S_IRWXU)


def test_a_read_only_file_system_is_named(words_model, path, monkeypatch):
    """Where no file can be made, the sentence has the path and the system's reason."""

    def refuse(*args, **kwargs):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "open", refuse)

    with pytest.raises(InputError, match=r"model: cannot be written .*Read-only file system"):
        save(words_model, path)


def test_a_folder_in_the_place_of_the_file_is_named(words_model, tmp_path):
    """A model is not written over a folder."""
    with pytest.raises(InputError, match="is a folder; expected the path of a file to write"):
        save(words_model, tmp_path)


def test_a_folder_that_does_not_exist_is_named(words_model, tmp_path):
    """Folders are not made on the way."""
    with pytest.raises(InputError, match=r"the folder .*missing does not exist"):
        save(words_model, tmp_path / "missing" / "model")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_regular_file_is_not_replaced(words_model, path):
    """A pipe or a device (think of /dev/null) is not swapped for a file."""
    os.mkfifo(path)

    with pytest.raises(InputError, match="is not a regular file"):
        save(words_model, path)

    assert stat.S_ISFIFO(path.stat().st_mode)


def test_the_longest_name_that_a_file_can_have_is_good_enough(words_model, tmp_path):
    """The name of the temporary file is no longer than what the system allows."""
    path = tmp_path / ("m" * 255)

    save(words_model, path)

    assert load(path).n_states == 3
