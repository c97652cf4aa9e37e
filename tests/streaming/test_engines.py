"""Engines do the same work: in this process, in several, and on a real Dask cluster that loses a worker."""

import json
import os
import signal

import pytest

from driftline import DriftlineError, InputError, Settings, fit_shards, sample_corpus
from driftline.streaming.engines import Engine

SETTINGS = Settings(max_clustered_sentences=100, n_clusters=30, max_iterations=2)


@pytest.fixture(name="shards", scope="module")
def shards_fixture(tmp_path_factory):
    """Some documents in six shards."""
    folder = tmp_path_factory.mktemp("shards")
    documents = sample_corpus("earthquakes").documents[:24]
    for i in range(6):
        lines = [json.dumps({"id": d.id, "sentences": d.sentences}) for d in documents[i::6]]
        (folder / f"{i}.jsonl").write_text("\n".join(lines), "utf-8")
    return folder


@pytest.fixture(name="cluster", scope="module")
def cluster_fixture():
    """A Dask scheduler with four worker processes."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


def test_a_killed_dask_worker_costs_time_only(shards, cluster, tmp_path):
    """Four workers of a cluster, one of which is killed in the middle, make the bytes that one process makes."""
    distributed = pytest.importorskip("distributed")
    fit_shards(shards, SETTINGS).save(tmp_path / "one")
    address = cluster.scheduler_address
    with distributed.Client(address, set_as_default=False) as client:
        workers = client.run(os.getpid)
    killed = []

    def kill_one(message):
        if message.startswith("iteration 1: ") and not killed:
            killed.append(next(iter(workers.values())))
            os.kill(killed[0], signal.SIGKILL)

    model = fit_shards(
        shards, SETTINGS, engine=Engine("dask", scheduler=address), checkpoint=tmp_path / "checkpoint",
        on_progress=kill_one,
    )  # fmt: skip

    model.save(tmp_path / "dask")
    assert len(workers) == 4
    assert len(killed) == 1
    assert (tmp_path / "dask").read_bytes() == (tmp_path / "one").read_bytes()


def test_what_a_dask_worker_refuses_is_told_here(cluster, tmp_path):
    """An unreadable shard is named in the words that one process would use."""
    (tmp_path / "bad.jsonl").write_text('{"text": 1}\n')

    with pytest.raises(InputError, match=r"bad.jsonl, line 1: "):
        fit_shards(tmp_path / "bad.jsonl", engine=Engine("dask", scheduler=cluster.scheduler_address))


def test_a_scheduler_that_is_not_there(shards, monkeypatch):
    """Its address is named."""
    distributed = pytest.importorskip("distributed")

    def nobody(*_, **__):
        raise OSError("timed out")

    monkeypatch.setattr(distributed, "Client", nobody)

    with pytest.raises(InputError, match=r"scheduler: tcp://nowhere:1 cannot be reached \(timed out\)"):
        fit_shards(shards, engine=Engine("dask", scheduler="tcp://nowhere:1"))


def test_without_the_extra(shards, monkeypatch):
    """The package that is missing is named, and the extra that brings it."""
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)

    with pytest.raises(InputError, match=r"install driftline\[dask\]"):
        fit_shards(shards, engine=Engine("dask", scheduler="tcp://nowhere:1"))


def _die(_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_process_is_told():
    """A pool that has lost a process cannot go on; the message says what may help."""
    with (
        pytest.raises(DriftlineError, match="a worker process was ended from outside"),
        Engine(workers=2).start() as run,
    ):
        list(run(_die, [1, 2]))


def test_a_worker_refuses_as_one_process_does(tmp_path):
    """What is wrong with a shard is told in the same words by another process."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text('{"text": 1}\n')

    with pytest.raises(InputError, match=r"a.jsonl, line 1: "):
        fit_shards(tmp_path, engine=Engine(workers=2))


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"workers": 0}, "workers: expected a whole number of at least 1, got 0"),
        ({"name": "spark"}, "engine: expected one of processes, dask, got 'spark'"),
        ({"name": "dask"}, "engine: dask needs the address of a scheduler"),
        ({"scheduler": "tcp://a:1"}, "engine: dask needs the address of a scheduler"),
    ],
)
def test_engines_that_cannot_be(wrong, named):
    """An engine that cannot work is refused before anything is read."""
    with pytest.raises(InputError, match=named):
        Engine(**wrong)


def test_work_comes_back_in_order():
    """Results stand in the order of the tasks, whoever made them."""
    with Engine(workers=2).start() as run:
        assert list(run(abs, list(range(-20, 0)))) == list(range(20, 0, -1))
