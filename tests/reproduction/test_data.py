import shutil

import pytest

from driftline.errors import InputError
from driftline.reproduction.data import Bundled, Folder
from driftline.samples.corpora import sample_corpus


def test_bundled_domains():
    """The bundled corpora are divided as the paper's were; only earthquakes has pairs."""
    quakes, drugs = (Bundled().domain(name) for name in ("earthquakes", "drugs"))

    (part,) = quakes.parts
    assert [len(part.train), len(part.tuned_on[1]), len(part.test)] == [100, 20, 100]
    assert part.tuned_on[0] == part.train
    assert len(quakes.pairs) == 60
    assert drugs.pairs is None
    with pytest.raises(InputError, match="domain 'recipes': the bundled corpora are earthquakes, "):
        Bundled().domain("recipes")


def test_a_domain_with_a_test_set(data):
    """Where there is a test set, it alone is tested on, and dev alone is tuned on."""
    (part,) = Folder(data).domain("drugs").parts

    assert [len(part.train), len(part.tuned_on[1]), len(part.test)] == [12, 6, 8]
    assert not {d.id for d in part.train} & {d.id for d in part.test}


@pytest.mark.parametrize("split", ["story", "random"])
def test_a_domain_without_a_test_set(data, split):
    """Without one, every document is tested once, and tuned on are documents of the training folds alone."""
    found = Folder(data, split).domain("quakes")
    tested = [d.id for part in found.parts for d in part.test]

    assert len(found.parts) == 5
    assert len(tested) == len(set(tested)) == 16
    assert ("by story" in found.protocol) == (split == "story")
    for part in found.parts:
        seen = {d.id for d in part.train}
        assert not seen & {d.id for d in part.test}
        tuned = [{d.id for d in corpus} for corpus in part.tuned_on]
        assert tuned[0] | tuned[1] == seen
        assert not tuned[0] & tuned[1]
        if split == "story":
            assert not {d.story for d in part.train} & {d.story for d in part.test}
        else:
            assert {d.story for d in part.test} == {None}


def test_variants(data, tmp_path):
    """A variant is a folder inside of the domain's."""
    shutil.copytree(data / "drugs", tmp_path / "drugs" / "body")

    assert len(Folder(tmp_path, variant="body").domain("drugs").parts) == 1
    with pytest.raises(InputError, match="lacks the split 'train'"):
        Folder(tmp_path).domain("drugs")


def test_the_released_layout_is_read_too(tmp_path):
    """A split may be a folder of orders, a file each."""
    for split in ("train", "dev", "test"):
        folder = tmp_path / "quakes" / split
        folder.mkdir(parents=True)
        for document in sample_corpus("drugs", split).select(range(3)):
            (folder / f"{document.id}.perm-1.txt").write_text("\n".join(document.sentences))
    (part,) = Folder(tmp_path).domain("quakes").parts

    assert [len(part.train), len(part.test)] == [3, 3]


def test_what_a_folder_lacks(data, tmp_path):
    """A missing folder, domain or split is one sentence; so is a name that leads elsewhere."""
    with pytest.raises(InputError, match="there is no such folder of data"):
        Folder(tmp_path / "none")
    with pytest.raises(InputError, match="lacks the domain 'finance'"):
        Folder(data).domain("finance")
    with pytest.raises(InputError, match="expected the name of a folder"):
        Folder(data).domain("../data")
    with pytest.raises(InputError, match="split: expected one of story, random, got 'date'"):
        Folder(data, "date")
    (tmp_path / "drugs").mkdir()
    for split in ("train", "test"):
        shutil.copy(data / "drugs" / f"{split}.jsonl", tmp_path / "drugs")
    with pytest.raises(InputError, match=r"lacks the split 'dev' \(dev.jsonl\)"):
        Folder(tmp_path).domain("drugs")
