"""Masking: agreement of the maskers with texts in which others replaced names, numbers and dates."""

import difflib
import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from driftline import Corpus
from driftline.text.masking import DATE, NAME, NUMBER, learn_masker
from driftline.text.tokens import is_word, tokenize
from measure import PIPELINE, Result, Row, read_splits

CORPORA = ("earthquakes", "accidents")
GENERIC = {"<name>": NAME, "<num>": NUMBER, "<date>": DATE}
POSSESSIVE = {"'s", "’s"}
"""Swallowed by a name or left beside it, as each tool likes: not judged."""

Masks = list[frozenset[str]]


@dataclass
class Agreement:
    """What one masker and the given texts say of the same tokens."""

    both: int = 0
    one_type: int = 0
    ours_only: Counter[str] = field(default_factory=Counter)
    theirs_only: Counter[str] = field(default_factory=Counter)
    n_sentences: int = 0
    n_alike: int = 0

    def add(self, tokens: Sequence[str], ours: Masks, theirs: Masks) -> None:
        """Count one sentence; a token that both mask has one type if both could mean the same."""
        self.n_sentences += 1
        alike = True
        for token, a, b in zip(tokens, ours, theirs, strict=True):
            if not is_word(token) or token.lower() in POSSESSIVE:
                continue
            if a and b:
                self.both += 1
                self.one_type += bool(a & b)
            elif a or b:
                (self.ours_only if a else self.theirs_only)[token] += 1
                alike = False
        self.n_alike += alike

    def figures(self) -> dict[str, float]:
        """Return what is reported, each between 0 and 1."""
        masked, wanted = self.both + self.ours_only.total(), self.both + self.theirs_only.total()
        return {
            "precision": self.both / masked,
            "recall": self.both / wanted,
            "F1": 2 * self.both / (masked + wanted),
            "same type": self.one_type / self.both,
            "sentences alike": self.n_alike / self.n_sentences,
        }


def run(corpora: Path | None) -> Result:
    """Compare the built-in masker and a spaCy pipeline with the `generic` variant of two real corpora."""
    if not corpora:
        return Result((), ("needs --corpora: only real texts have names that somebody else has masked",))
    if not find_spec(PIPELINE):
        return Result((), (f"needs the spaCy pipeline {PIPELINE}",))
    rows = []
    for name in CORPORA:
        corpus, given = (read_splits(corpora / name / variant, "train", "dev") for variant in ("", "generic"))
        ours, spacy = (agreement(corpus, given, masking).figures() for masking in ("builtin", f"spacy:{PIPELINE}"))
        # There is no target: spaCy is trained on tagged text in one language, the built-in rule on nothing.
        rows += [Row(f"{name}: {f}", ours[f], PIPELINE, spacy[f], "", higher_is_better=True) for f in ours]
    return Result(tuple(rows), ("agreement with masks that others made, which are no gold standard either",))


def agreement(corpus: Corpus, given: Corpus, masking: str) -> Agreement:
    """Judge a masker by its output alone, as the given texts are: both are aligned with the original tokens."""
    counted = Agreement()
    masker = learn_masker(masking, (sentence for document in corpus for sentence in document.sentences))
    generic = {document.id: document.sentences for document in given}
    for document in corpus:
        masked = masker.words(document.sentences)
        for sentence, words, reference in zip(document.sentences, masked, generic[document.id], strict=True):
            tokens = tokenize(sentence)
            counted.add(tokens, masks(tokens, words), masks(tokens, _words(reference)))
    return counted


def masks(tokens: Sequence[str], masked: Sequence[str]) -> Masks:
    """Find which generic tokens may stand for each token.

    Where the two texts differ, whatever generic tokens the masked one has there may stand for all that the
    original has there: a run of names collapses into one.
    """
    found: Masks = [frozenset()] * len(tokens)
    spelled = [token.lower() for token in tokens]
    for operation, a, b, c, d in difflib.SequenceMatcher(None, spelled, masked, autojunk=False).get_opcodes():
        if operation != "equal":
            found[a:b] = [frozenset(masked[c:d]) & {NAME, NUMBER, DATE}] * (b - a)
    return found


def _words(reference: str) -> list[str]:
    """Cut a given text into tokens, generic ones spelled in driftline's way."""
    parts = ([GENERIC[part]] if part in GENERIC else tokenize(part) for part in reference.split())
    return list(itertools.chain.from_iterable(parts))
