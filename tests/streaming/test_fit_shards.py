"""A streamed fit is the fit: the same bytes for any shards, workers and interruptions."""

import errno
import gzip
import json
import os
import shutil

import pytest

from driftline import Corpus, InputError, Settings, fit, fit_shards, load, sample_corpus
from driftline.streaming import fitting, words
from driftline.streaming.engines import Engine
from driftline.text.reading import ReadOptions

SETTINGS = {
    "all sentences clustered": Settings(),
    "a sample clustered": Settings(max_clustered_sentences=200, seed=3),
    "rare words folded, nothing masked": Settings(masking="none", max_words=200, n_examples=2),
    "states lost on the way": Settings(max_clustered_sentences=100, n_clusters=60, min_cluster_size=1),
    "no re-estimation": Settings(max_iterations=0, n_examples=0),
}


@pytest.fixture(name="quakes", scope="module")
def quakes_fixture():
    """Bundled documents to learn from."""
    return sample_corpus("earthquakes").select(range(50))


def write_shards(folder, documents, n_shards):
    """Deal documents out to .jsonl files."""
    folder.mkdir()
    for i in range(n_shards):
        lines = [json.dumps({"id": d.id, "sentences": d.sentences}) + "\n" for d in documents[i::n_shards]]
        (folder / f"part-{i}.jsonl").write_text("".join(lines), "utf-8")
    return folder


def saved(model, path):
    """Return the bytes of a model's file."""
    model.save(path)
    return path.read_bytes()


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_shards_give_the_bytes_of_a_fit_in_memory(settings, quakes, tmp_path, monkeypatch):
    """Whatever is sampled, folded or dropped, one shard and five give the file that a fit in memory gives."""
    monkeypatch.setattr(words, "_SENTENCES_A_PART", 100)
    monkeypatch.setattr(words, "_SENTENCES_AT_ONCE", 40)
    expected = saved(fit(quakes, settings), tmp_path / "memory")

    for n_shards in (1, 5):
        folder = write_shards(tmp_path / f"{n_shards}", quakes.documents, n_shards)
        assert saved(fit_shards(folder, settings), tmp_path / "streamed") == expected


def test_workers_give_the_same_bytes(quakes, tmp_path):
    """Two processes make the file that one makes."""
    folder = write_shards(tmp_path / "shards", quakes.documents[:30], 3)

    one, two = (fit_shards(folder, engine=Engine(workers=n)) for n in (1, 2))

    assert saved(one, tmp_path / "one") == saved(two, tmp_path / "two")


class KilledError(Exception):
    """Stands for the end of the process."""


@pytest.fixture(name="killable", scope="module")
def killable_fixture(quakes, tmp_path_factory):
    """Shards and settings with all that a fit can do, the bytes that it ends with, and how many files it writes."""
    settings = Settings(max_clustered_sentences=60, n_clusters=40, min_cluster_size=1)
    folder = write_shards(tmp_path_factory.mktemp("killable") / "shards", quakes.documents[:30], 3)
    with pytest.MonkeyPatch.context() as patch:
        written = count_writes(patch)
        expected = saved(fit_shards(folder, settings), folder.parent / "expected")
    return folder, settings, expected, len(written)


def count_writes(patch, n_allowed=10_000):
    """Note every file that is written, up to the one at which the process ends."""
    written = []

    def write_or_die(path, content, **_):
        written.append(path)
        if len(written) > n_allowed:
            raise KilledError
        path.write_bytes(content)

    patch.setattr("driftline.streaming.workspace.write_atomically", write_or_die)
    return written


@pytest.mark.parametrize("share", [i / 16 for i in range(16)])
def test_a_killed_fit_goes_on_to_the_same_bytes(share, killable, tmp_path):
    """Wherever it was killed, the next call ends where one alone would."""
    folder, settings, expected, n_writes = killable
    with pytest.MonkeyPatch.context() as patch:
        count_writes(patch, int(share * n_writes))
        with pytest.raises(KilledError):
            fit_shards(folder, settings, checkpoint=tmp_path / "checkpoint")

    assert saved(fit_shards(folder, settings, checkpoint=tmp_path / "checkpoint"), tmp_path / "resumed") == expected


def test_a_finished_checkpoint_gives_the_model_again(quakes, tmp_path):
    """After the end the same call needs no iteration more and gives the same model."""
    folder = write_shards(tmp_path / "shards", quakes.documents[:30], 2)
    first = fit_shards(folder, checkpoint=tmp_path / "checkpoint")
    said = []

    again = fit_shards(folder, checkpoint=tmp_path / "checkpoint", on_progress=said.append)

    assert saved(again, tmp_path / "again") == saved(first, tmp_path / "first")
    assert not [line for line in said if "iteration" in line]


@pytest.mark.parametrize("change", ["settings", "options", "shard"])
def test_the_checkpoint_of_another_fit_is_refused(change, quakes, tmp_path):
    """Other settings, options or data do not go on from a checkpoint; the folder is named."""
    folder = write_shards(tmp_path / "shards", quakes.documents[:30], 2)
    fit_shards(folder, checkpoint=tmp_path / "checkpoint")
    if change == "shard":
        with (folder / "part-0.jsonl").open("a") as file:
            file.write('{"text": "A quake hit. No one died."}\n')
    settings = Settings(max_iterations=1) if change == "settings" else Settings()
    options = ReadOptions(language="de") if change == "options" else None

    with pytest.raises(InputError, match=r"checkpoint: holds the checkpoint of another fit"):
        fit_shards(folder, settings, options=options, checkpoint=tmp_path / "checkpoint")


def test_a_folder_of_texts_is_one_shard(quakes, tmp_path):
    """A folder of texts is streamed too, and its checkpoint knows each of its files."""
    texts = tmp_path / "texts"
    texts.mkdir()
    for document in quakes.documents[:25]:
        (texts / f"{document.id}.txt").write_text("\n".join(document.sentences), "utf-8")
    options = ReadOptions(spans="lines")

    streamed = fit_shards(texts, options=options, checkpoint=tmp_path / "checkpoint")

    expected = fit(Corpus.read(texts, spans="lines"))
    assert saved(streamed, tmp_path / "streamed") == saved(expected, tmp_path / "memory")
    (texts / f"{quakes[0].id}.txt").write_text("A quake hit.\nNobody died.", "utf-8")
    with pytest.raises(InputError, match="holds the checkpoint of another fit"):
        fit_shards(texts, options=options, checkpoint=tmp_path / "checkpoint")


def test_a_shard_that_is_gone_is_named(tmp_path):
    """A shard that leads nowhere is refused by its name."""
    (tmp_path / "a.jsonl").symlink_to(tmp_path / "nowhere")

    with pytest.raises(InputError, match=r"a\.jsonl"):
        fit_shards(tmp_path / "a.jsonl")


def test_a_folder_with_something_else_is_no_checkpoint(quakes, tmp_path):
    """A checkpoint is never put among other files."""
    folder = write_shards(tmp_path / "shards", quakes.documents[:30], 1)

    with pytest.raises(InputError, match="shards: holds something else than a checkpoint"):
        fit_shards(folder, checkpoint=folder)


def test_two_fits_never_share_a_folder(quakes, tmp_path):
    """While one fit works in a folder, another is refused by name; once the first has ended it is not."""
    folder, checkpoint = write_shards(tmp_path / "shards", quakes.documents[:30], 1), tmp_path / "checkpoint"
    refused = []

    def start_another(_):
        with pytest.raises(InputError) as refusal:
            fit_shards(folder, checkpoint=checkpoint)
        refused.append(str(refusal.value))

    first = fit_shards(folder, checkpoint=checkpoint, on_progress=start_another)

    assert set(refused) == {f"{checkpoint}: another fit is at work there; wait for it, or name another folder"}
    again = fit_shards(folder, checkpoint=checkpoint)
    assert saved(again, tmp_path / "again") == saved(first, tmp_path / "first")


def test_a_fit_killed_at_its_first_file(quakes, tmp_path):
    """What a kill leaves of a file that was being written does not make the folder somebody else's."""
    folder = write_shards(tmp_path / "shards", quakes.documents[:30], 1)
    (tmp_path / "checkpoint").mkdir()
    (tmp_path / "checkpoint" / ".driftline-x1y2.part").write_bytes(b"{")

    assert fit_shards(folder, checkpoint=tmp_path / "checkpoint").n_states > 1


def test_an_id_that_stands_twice_is_found_across_shards(quakes, tmp_path):
    """The id is named with both of its shards."""
    folder = write_shards(tmp_path / "shards", quakes.documents[:30], 2)
    shutil.copy(folder / "part-0.jsonl", folder / "part-2.jsonl")

    with pytest.raises(InputError) as refused:
        fit_shards(folder)

    first = str(refused.value).splitlines()[0]
    assert first == (f"{folder}/part-2.jsonl: the id {quakes[0].id!r} was already given in {folder}/part-0.jsonl")


def test_a_damaged_shard_is_named_with_its_line_and_the_checkpoint_survives(quakes, tmp_path):
    """What can be read is kept; once the shard is mended, the fit goes on."""
    folder = write_shards(tmp_path / "shards", quakes.documents[:30], 2)
    whole = (folder / "part-1.jsonl").read_bytes()
    (folder / "part-1.jsonl").write_bytes(whole[:-20])

    with pytest.raises(InputError, match=r"part-1.jsonl, line 15: "):
        fit_shards(folder, checkpoint=tmp_path / "checkpoint")
    kept = sorted(path.name for path in (tmp_path / "checkpoint" / "survey").iterdir())

    assert kept == ["00000.digests.npy", "00000.ids.npy", "00000.json"]


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_full_disk_is_told_and_the_checkpoint_survives(share, killable, tmp_path, monkeypatch):
    """The file that found no room is named; with room again the fit goes on to the same bytes."""
    folder, settings, expected, n_writes = killable
    real, n_written = os.replace, 0

    def replace_while_there_is_room(source, target):
        nonlocal n_written
        n_written += 1
        if n_written > share * n_writes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", replace_while_there_is_room)
        with pytest.raises(InputError, match=rf"{tmp_path}/checkpoint/.*cannot be written \(No space left on device"):
            fit_shards(folder, settings, checkpoint=tmp_path / "checkpoint")

    assert not list((tmp_path / "checkpoint").rglob("*.part"))
    assert saved(fit_shards(folder, settings, checkpoint=tmp_path / "checkpoint"), tmp_path / "resumed") == expected


def test_a_damaged_checkpoint_is_refused(quakes, tmp_path):
    """A file that somebody changed is named, and what to do about it."""
    folder = write_shards(tmp_path / "shards", quakes.documents[:30], 1)
    fit_shards(folder, checkpoint=tmp_path / "checkpoint")
    for name, content in (
        ("counts/first", b"?"),
        ("generations.json", b"[{}]"),
        ("words/00000-00000.words.npy", b""),
    ):
        path = tmp_path / "checkpoint" / name
        before = path.read_bytes()
        path.write_bytes(content)
        if name == "counts/first":  # no longer needed
            continue
        with pytest.raises(InputError, match=rf"{path.name}: is damaged"):
            fit_shards(folder, checkpoint=tmp_path / "checkpoint")
        path.write_bytes(before)


def test_a_shard_that_changes_while_it_is_read_is_noticed(quakes, tmp_path, monkeypatch):
    """Examples are never taken from other documents than were counted."""
    folder = write_shards(tmp_path / "shards", quakes.documents[:30], 1)
    real = fitting.typical_sentences

    def after_a_change(*arguments):
        write_shards(tmp_path / "fewer", quakes.documents[:20], 1)
        shutil.copy(tmp_path / "fewer" / "part-0.jsonl", folder / "part-0.jsonl")
        return real(*arguments)

    monkeypatch.setattr(fitting, "typical_sentences", after_a_change)

    with pytest.raises(InputError, match="was changed while it was read"):
        fit_shards(folder)


def test_a_function_that_splits_is_refused(quakes, tmp_path):
    """Other processes cannot be told a function."""
    folder = write_shards(tmp_path / "shards", quakes.documents[:30], 1)

    with pytest.raises(InputError, match="splitter: "):
        fit_shards(folder, options=ReadOptions(splitter=str.splitlines))


def test_progress_tells_the_rate_what_moved_and_the_time_left(quakes, tmp_path):
    """Each pass says how far it is, and each iteration how many sentences moved."""
    folder = write_shards(tmp_path / "shards", quakes.documents[:30], 2)
    said = []

    model = fit_shards(folder, on_progress=said.append)

    n = model.record.n_sentences
    assert f"iteration 1: {model.record.moved[0]:,} of {n:,} sentences moved" in said
    line = next(text for text in said if text.startswith("iteration 2 ("))
    assert f"({model.record.moved[0]:,} moved in the one before)" in line
    assert f"of {n:,} sentences, " in line
    assert line.endswith(" s left")


def test_the_model_can_be_opened(quakes, tmp_path):
    """A model of shards is a model file like any other."""
    folder = write_shards(tmp_path / "shards", quakes.documents, 2)
    fit_shards(folder).save(tmp_path / "model")

    assert load(tmp_path / "model").v_topics(quakes[0]).tolist() == fit(quakes).v_topics(quakes[0]).tolist()


def test_nothing_but_empty_shards_is_refused(tmp_path):
    """A collection without a document is refused by its name."""
    (tmp_path / "empty.jsonl").write_text("")

    with pytest.raises(InputError, match=r"empty.jsonl: holds no document"):
        fit_shards(tmp_path / "*.jsonl")


def test_packed_and_plain_shards_are_the_same(quakes, tmp_path):
    """A pattern of .jsonl.gz files is read as the same documents, also by Corpus.read."""
    folder = write_shards(tmp_path / "shards", quakes.documents, 3)
    expected = Corpus.read(folder)
    for path in sorted(folder.iterdir()):
        (folder / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()

    assert Corpus.read(folder / "*.gz") == expected
    assert saved(fit_shards(folder), tmp_path / "packed") == saved(fit(expected), tmp_path / "memory")
