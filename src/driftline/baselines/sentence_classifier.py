"""The sentence classifier (section 5.4): boosted one-word tests on words and location, as in BoosTexter.

Real AdaBoost.MH with two classes: each round asks of one feature whether a sentence has it, and adds a
vote for either answer. A round's best feature is found by one sparse product over all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from driftline.errors import InputError
from driftline.model.content_model import AnyDocument
from driftline.tasks.alignment import summary_marks
from driftline.tasks.texts import sentence_texts
from driftline.text.corpus import Corpus, Document
from driftline.text.tokens import is_word, tokenize

Floats = NDArray[np.float64]

N_ROUNDS = 200
STEP = 0.1
"""The share of its vote that each round gives: whole votes learn the training sentences by heart."""

_THIRDS = ("<beginning third>", "<middle third>", "<end third>")


@dataclass(frozen=True)
class Boosted:
    """Votes for and against, by feature."""

    bias: float
    """The sum of the votes of features that a sentence does not have."""
    votes: Floats
    """[feature] What having the feature adds to that."""

    def scores(self, features: sparse.csr_array) -> Floats:
        """Return the sum of votes for each row: positive means "in"."""
        result: Floats = features @ self.votes + self.bias
        return result


@dataclass(frozen=True)
class SentenceClassifier:
    """Scores sentences by their words and the third of the document they stand in."""

    index: dict[str, int]
    boosted: Boosted

    @classmethod
    def learn(cls, corpus: Corpus, n_rounds: int = N_ROUNDS) -> Self:
        """Learn from documents with summaries which sentences are in."""
        # Where nothing could be aligned, "not marked" does not mean "left out by the editor".
        marked = [(document, marks) for document in corpus if any(marks := summary_marks(document) or ())]
        if not marked:
            raise InputError("no sentence of the corpus stands in a summary: it needs `summary` or `in_summary`")
        rows = [features for document, _ in marked for features in sentence_features(document)]
        index = {feature: i for i, feature in enumerate(sorted({f for row in rows for f in row}))}
        target = np.array([mark for _, marks in marked for mark in marks], dtype=bool)
        return cls(index, boost(_matrix(rows, index), target, n_rounds))

    def summary_scores(self, document: AnyDocument) -> Floats:
        """Score sentences by the classifier's votes."""
        return self.boosted.scores(_matrix(sentence_features(document), self.index))


def boost(features: sparse.csr_array, target: NDArray[np.bool_], n_rounds: int = N_ROUNDS) -> Boosted:
    """Run real AdaBoost with one-feature tests on a binary matrix [example, feature].

    A round takes the feature whose votes leave the least loss, and a step of those votes.
    """
    n = len(target)
    weights = np.full(n, 1 / n)
    smoothing = 1 / n  # BoosTexter's 1 / (examples x classes), where weights are shared out over the classes too
    by_feature = features.T.tocsr()
    signs = np.where(target, 1.0, -1.0)
    votes, bias = np.zeros(features.shape[1]), 0.0
    for _ in range(n_rounds):
        in_and_out = np.column_stack([np.where(target, weights, 0.0), np.where(target, 0.0, weights)])
        has = by_feature @ in_and_out
        lacks = np.maximum(in_and_out.sum(axis=0) - has, 0.0)  # rounding can leave a little less than nothing
        votes_has, votes_lacks = _votes(has, smoothing), _votes(lacks, smoothing)
        best = int((_loss(has, votes_has) + _loss(lacks, votes_lacks)).argmin())
        vote_has, vote_lacks = float(votes_has[best]), float(votes_lacks[best])
        votes[best] += vote_has - vote_lacks
        bias += vote_lacks
        vote = np.full(n, vote_lacks)
        vote[by_feature.indices[by_feature.indptr[best] : by_feature.indptr[best + 1]]] = vote_has
        weights *= np.exp(-signs * vote)
        weights /= weights.sum()
    return Boosted(bias, votes)


def _votes(side: Floats, smoothing: float) -> Floats:
    """Return what each feature would say on one side of its test, from the weights that are in and out there."""
    votes: Floats = STEP / 2 * np.log((side[:, 0] + smoothing) / (side[:, 1] + smoothing))
    return votes


def _loss(side: Floats, votes: Floats) -> Floats:
    """Return the weight that is left on one side of each feature's test after its vote."""
    loss: Floats = side[:, 0] * np.exp(-votes) + side[:, 1] * np.exp(votes)
    return loss


def sentence_features(document: AnyDocument) -> list[list[str]]:
    """Return the words of each sentence and the third of the document that it stands in."""
    texts = sentence_texts(document)
    given = document.words if isinstance(document, Document) else document
    sentences = given or texts
    return [
        [*sorted({t.lower() for t in _tokens(sentence) if is_word(t)}), _THIRDS[3 * i // len(sentences)]]
        for i, sentence in enumerate(sentences)
    ]


def _tokens(sentence: str | Sequence[str]) -> Sequence[str]:
    return tokenize(sentence) if isinstance(sentence, str) else sentence


def _matrix(rows: Sequence[Sequence[str]], index: dict[str, int]) -> sparse.csr_array:
    known = [[index[feature] for feature in row if feature in index] for row in rows]
    columns = np.array([column for row in known for column in row], dtype=np.int64)
    ends = np.concatenate([[0], np.cumsum([len(row) for row in known], dtype=np.int64)])
    return sparse.csr_array((np.ones(len(columns)), columns, ends), shape=(len(rows), len(index)))
