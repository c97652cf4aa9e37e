"""`driftline explore` on the command line: what it refuses, and that it serves until Ctrl-C."""

import contextlib
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from driftline.cli import explore
from driftline.explorer.desk import stamp

MAIN = [sys.executable, "-c", "from driftline.cli.main import main; main()"]


@contextlib.contextmanager
def exploring(*arguments):
    """Run the command in a process of its own; yields the address it prints, and ends it as Ctrl-C does."""
    command = [*MAIN, "explore", *map(str, arguments), "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield re.search(r"http://\S+", process.stdout.readline())[0]
            process.send_signal(signal.SIGINT)
            process.wait(timeout=10)
        finally:
            process.kill()
        assert (process.returncode, process.stderr.read()) == (0, "")


@pytest.fixture
def opener():
    """A browser that keeps cookies."""
    return urllib.request.build_opener(urllib.request.HTTPCookieProcessor())


def test_it_serves_until_control_c(model, corpora):
    """The printed address answers with a page; Ctrl-C ends the command with status 0 and no word of complaint."""
    with exploring(model, corpora[".jsonl"]) as address:
        page = urllib.request.urlopen(address, timeout=10).read().decode()

    assert "<title>Flow · quakes.driftline · Driftline</title>" in page


def test_a_token_on_this_machine(model, opener):
    """With --token the address without its token gives nothing; with it, a browser is let in by its cookie."""
    with exploring(model, "--token") as address:
        bare = address.partition("?")[0]
        with pytest.raises(urllib.error.HTTPError, match="403"):
            opener.open(bare + "flow.json", timeout=10)
        page = opener.open(address, timeout=10).read().decode()

    assert "<title>Flow" in page


def test_a_file_that_is_written_while_it_is_read(run, model, corpora, monkeypatch):
    """The desk gets the stamp of the file from before it was read."""
    desks = []
    monkeypatch.setattr("driftline.explorer.serving.serve", lambda desk, *_, **__: desks.append(desk))
    before, read = stamp(model), explore.read_subject

    def read_and_replace(*arguments):
        subject = read(*arguments)
        subject.model.save(model)
        return subject

    monkeypatch.setattr(explore, "read_subject", read_and_replace)
    run("explore", model, corpora[".jsonl"], "--no-open", "--port", "0")

    assert desks[0].seen == before != stamp(model)


def test_a_missing_model(run, tmp_path):
    """A model that is not there is refused in one sentence that names it."""
    assert run("explore", tmp_path / "none", "--no-open").refusal == f"{tmp_path}/none: there is no such model file"


def test_a_missing_corpus(run, model, tmp_path):
    """A corpus that is not there is refused in one sentence that names it."""
    assert f"{tmp_path}/none" in run("explore", model, tmp_path / "none", "--no-open").refusal


def test_text_for_a_model_of_words(run, words_model, report):
    """Documents that the model cannot read are refused before anything is served."""
    assert "trained on words" in run("explore", words_model, report, "--no-open").refusal


def test_a_port_in_use(run, model):
    """A port that something else listens at is refused with what to do instead."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refusal = run("explore", model, "--no-open", "--port", port).refusal

    assert refusal == f"port {port} is in use on 127.0.0.1: name another one (--port), or 0 for any free one"


def test_impossible_addresses(run, model):
    """A port or a host that no machine has is refused in one sentence."""
    assert "from 0 to 65535" in run("explore", model, "--no-open", "--port", "70000").refusal
    assert "no address" in run("explore", model, "--no-open", "--host", "256.256.1.1").refusal
    assert "--port" in run("explore", model, "--no-open", "--port", "-1").misuse


def test_without_its_libraries(run, model, monkeypatch):
    """Where the extra is not installed, one sentence says what to install."""
    monkeypatch.setattr("driftline.explorer.extras.find_spec", lambda _: None)

    assert run("explore", model).refusal.endswith("pip install 'driftline[explore]'")
