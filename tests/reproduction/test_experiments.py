import pytest

from driftline.errors import InputError
from driftline.reproduction.experiments import experiments_folder, names_in, read_experiment
from driftline.samples.corpora import DOMAINS

NAMES = ["ordering-curve", "parameters", "summary-curve", "table1", "table2", "table3", "table4", "table5"]


def test_the_paper_is_there():
    """There is an experiment for each table and figure of the paper, and all of them can be read."""
    assert names_in(experiments_folder()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_each_experiment_can_be_run_on_the_bundled_corpora(name):
    """Domains are bundled, every published figure belongs to one of them and is a figure of the table."""
    found = read_experiment(experiments_folder(), name)

    assert found.name == name
    assert set(found.domains) <= set(DOMAINS)
    assert found.base() is not None
    for published in found.published:
        assert published.domain in found.domains
        assert published.figure in found.figures


def test_published_figures_are_those_of_the_paper():
    """The figures of table 2 that matter most, as they are printed."""
    published = read_experiment(experiments_folder(), "table2").published
    tau = {(p.domain, p.system, p.source): p.value for p in published if p.figure == "Kendall's tau"}

    assert tau["earthquakes", "content", "the paper"] == 0.81
    assert tau["accidents", "lapata", "the paper"] == 0.07
    assert tau["earthquakes", "content", "Soricut and Marcu 2006"] == 0.39
    assert len({p.domain for p in published}) == 5


def broken(old, new):
    return lambda text: text.replace(old, new)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (broken('title = "Small"', "title ="), "small.toml: is no TOML"),
        (broken('title = "Small"', "title = 3"), r"small.toml: Expected `str`, got `int` - at `\$.title`"),
        (broken('title = "Small"', ""), "small.toml: .*missing required field `title`"),
        (broken("order = 1", "order = 1\ncolour = 3"), "small.toml: .*unknown field `colour`"),
        (broken('"bigram"', '"trigram"'), "small.toml: system 'trigram'; expected some of .*bigram, "),
        (broken("trials = 2", "trials = 0"), "small.toml: max_sentences is at least 2"),
        (broken("trials = 2", "trials = 2\nsizes = [3]"), "small.toml: `vary` and the `sizes`"),
        (broken("order = 1", "order = 1\nsettings = {n_clusters = 0}"), "small.toml: n_clusters: expected"),
        (broken("order = 1", "order = 1\nsettings = {clusters = 1}"), "small.toml: .*clusters"),
        (lambda text: text + "\udcff", "small.toml: is no TOML"),
        (lambda _: "a = " + "[" * 100_000, "small.toml: is no TOML"),
        (broken("order = 1", "order = " + "1" * 5_000), "small.toml: is no TOML"),
    ],
)
def test_broken_experiments(experiments, change, message):
    """What is wrong with a TOML is said in one sentence that names the file."""
    path = experiments / "small.toml"
    path.write_text(change(path.read_text("utf-8")), "utf-8", "surrogateescape")
    with pytest.raises(InputError, match=message) as caught:
        read_experiment(experiments, "small")

    assert "\n" not in str(caught.value)


def test_what_is_not_there(experiments, tmp_path, monkeypatch):
    """Unknown tables, folders that are missing or empty and files that are too long are refused."""
    with pytest.raises(InputError, match="'table9' is no table or figure; expected some of curve, size, small"):
        read_experiment(experiments, "table9")
    with pytest.raises(InputError, match="there is no such folder of experiments"):
        names_in(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"holds no .toml file"):
        names_in(tmp_path / "empty")
    monkeypatch.setattr("driftline.reproduction.experiments._MOST_BYTES", 3)
    with pytest.raises(InputError, match="an experiment has at most 3"):
        read_experiment(experiments, "small")
