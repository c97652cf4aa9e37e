from dataclasses import FrozenInstanceError

import msgspec
import pytest

from driftline.baselines.flat import FlatModel
from driftline.evaluation.comparison import Plan, evaluate
from driftline.evaluation.outcomes import DiscriminationOutcome, OrderingOutcome
from driftline.text.corpus import Corpus


def test_outcomes_are_kept_per_document(words_model, words_corpus):
    """Each system has one outcome a document, in the order of the corpus, that cannot be changed afterwards."""
    for task, kind in (("ordering", OrderingOutcome), ("discrimination", DiscriminationOutcome)):
        found = evaluate({"content": words_model}, words_corpus, Plan(task=task))
        outcomes = found.results[0].outcomes

        assert [outcome.document for outcome in outcomes] == ["izmit", "athens", "calm"]
        assert all(isinstance(outcome, kind) for outcome in outcomes)
        with pytest.raises(FrozenInstanceError):
            outcomes[0].document = "other"


def test_figures_come_from_outcomes(words_model, words_corpus):
    """What JSON holds of the outcomes is enough to compute the figures anew."""
    found = evaluate({"content": words_model}, words_corpus, Plan())
    result = msgspec.json.decode(msgspec.json.encode(found))["results"][0]

    means = {
        "mean rank": "rank", "original order found": "credit", "Kendall's tau": "tau"
    }  # fmt: skip
    for figure in result["figures"][:3]:
        kept = [outcome[means[figure["name"]]] for outcome in result["outcomes"]]
        assert figure["value"] == pytest.approx(sum(kept) / len(kept), rel=1e-15)


def test_groups_are_stories():
    """An outcome knows the story of its document, or stands for itself."""
    rows = [
        {"id": i, "sentences": ["It shook.", "It ended."], "story": s} for i, s in (("a", 7), ("b", 7), ("c", None))
    ]
    found = evaluate({"random": FlatModel()}, Corpus.from_dicts(rows))

    assert [outcome.group for outcome in found.results[0].outcomes] == ["story 7", "story 7", "c"]
