"""The exam of `check`: what is asked, how documents are damaged, and what a check that works gets."""

from driftline.evaluation.checking_exam import CheckingOutcome, checking_figures, examine_checking, move_one
from driftline.model.fitting import fit
from driftline.samples.corpora import sample_corpus


def test_one_middle_sentence_moves():
    """One sentence that is neither first nor last stands elsewhere, the others as they were, in every run alike."""
    document = sample_corpus("earthquakes")[0]

    damaged, place = move_one(document, 0)

    moved = damaged.sentences[place]
    assert moved in document.sentences[1:-1]
    assert damaged.sentences != document.sentences
    assert [s for s in damaged.sentences if s != moved] == [s for s in document.sentences if s != moved]
    assert move_one(document, 0) == (damaged, place)
    assert move_one(document, 1) != (damaged, place)


def test_figures_are_shares_of_hits():
    """Each question has its own figure, in the order of the questions."""
    outcomes = [CheckingOutcome("b", "x", True), CheckingOutcome("b", "y", False), CheckingOutcome("a", "x", True)]

    figures = checking_figures(outcomes)

    assert [(figure.name, figure.value) for figure in figures] == [("b", 0.5), ("a", 1.0)]


def test_all_questions_are_asked():
    """Own documents, moved sentences, deleted topics and other domains are examined, and the easy one goes well."""
    corpus, strange = sample_corpus("finance").select(range(50)), sample_corpus("accidents", "dev").select(range(3))
    train = corpus.select(range(47))

    outcomes = list(examine_checking(fit(train), train, corpus.documents[49:], {"accidents": strange}))

    asked = {outcome.question for outcome in outcomes}
    assert {
        "own documents: alarm",
        "moved sentence among the first two suspects",
        "deleted theme is named",
        "deleted gold topic is named",
    } <= asked
    assert [outcome.hit for outcome in outcomes if outcome.question == "flagged: accidents"] == [True] * 3
