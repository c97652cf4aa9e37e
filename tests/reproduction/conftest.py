"""A folder of small domains in the documented layout, and small experiments over them."""

import json

import pytest

from driftline.reproduction.data import Folder
from driftline.reproduction.run import Plan, reproduce
from driftline.samples.corpora import sample_corpus

EXPERIMENT = """
title = "Small"
where = "Table 9"
order = 1
about = "Small **and** <quick>."
measures = ["ordering", "parameters", "statistics"]
domains = ["drugs", "quakes"]
systems = ["content", "content, defaults", "bigram", "random"]
figures = ["Kendall's tau", "rank 0-4", "k", "vocabulary", "tau on test, tuned"]
published = [
  { domain = "drugs", system = "content", figure = "Kendall's tau", value = 0.45, source = "the paper" },
  { domain = "drugs", system = "entity grid", figure = "Kendall's tau", value = 0.2, source = "others" },
]

[full]
max_sentences = 6
tuned_sentences = 6
trials = 2

[quick]
max_sentences = 6
tuned_sentences = 6
documents = 4
trials = 1
"""
CURVE = """
title = "A curve"
where = "Figure 9"
order = 2
about = "By size."
measures = ["ordering", "summarization"]
domains = ["quakes"]
systems = ["content, defaults", "classifier", "lead"]
vary = "{vary}"
figures = ["original order found", "extraction accuracy"]
published = [
  {{ domain = "quakes", system = "content", figure = "extraction accuracy", value = 0.88, source = "us", x = 4.0 }},
]

[full]
max_sentences = 6
tuned_sentences = 6
sizes = [4, 100]
seeds = [0, 1]

[quick]
sizes = [4]
"""


def write(path, documents, **more):
    """Write documents as .jsonl."""
    lines = []
    for number, d in enumerate(documents):
        row = {"id": d.id, "sentences": d.sentences, "story": f"{path.stem}-{number // 2}", **more}
        if d.in_summary is not None:
            row["in_summary"] = d.in_summary
        lines.append(json.dumps(row) + "\n")
    path.write_text("".join(lines), "utf-8")


@pytest.fixture(scope="session", name="data")
def folder_of_domains(tmp_path_factory):
    """`drugs` has all splits, `quakes` no test set but pairs."""
    folder = tmp_path_factory.mktemp("data")
    for name, splits in (("drugs", ("train", "dev", "test")), ("quakes", ("train", "dev"))):
        (folder / name).mkdir()
        for split in splits:
            corpus = sample_corpus("drugs" if name == "drugs" else "earthquakes", split)
            short = [d for d in corpus if 4 <= len(d) <= 8]
            write(folder / name / f"{split}.jsonl", short[: {"train": 12, "dev": 6, "test": 8}[split]])
    pairs = [d for d in sample_corpus("earthquakes", "pairs") if len(d) <= 14][:16]
    write(folder / "quakes" / "pairs.jsonl", pairs)
    return folder


def write_experiments(folder):
    """Write three experiments."""
    folder.mkdir()
    (folder / "small.toml").write_text(EXPERIMENT, "utf-8")
    (folder / "curve.toml").write_text(CURVE.format(vary="pairs"), "utf-8")
    (folder / "size.toml").write_text(CURVE.format(vary="states"), "utf-8")
    return folder


@pytest.fixture(name="experiments")
def folder_of_experiments(tmp_path):
    """Three experiments, to change."""
    return write_experiments(tmp_path / "experiments")


@pytest.fixture(scope="session", name="whole")
def undisturbed_run(data, tmp_path_factory):
    """A reproduction of all three in one process: the folder, and what was found."""
    folder = tmp_path_factory.mktemp("whole")
    plan = Plan(experiments=write_experiments(folder / "experiments"))
    return folder, reproduce(folder / "out", Folder(data), plan)
