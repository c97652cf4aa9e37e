"""Why this order: the topic of each sentence, what each step is worth, and how close the runner-up comes."""

from dataclasses import dataclass

import numpy as np

from driftline.kernels.hmm import Integers
from driftline.kernels.mixed_problem import MixedProblem
from driftline.kernels.viterbi import viterbi
from driftline.model.content_model import AnyDocument, ContentModel, as_evidence
from driftline.tasks.ordering import DEFAULT_TIME_LIMIT, Ordering, check_time_limit
from driftline.tasks.problems import AnyProblem, best_of, scores_of
from driftline.tasks.reasons import Grounds, Reason


@dataclass(frozen=True)
class Step:
    """One sentence of an order, and how it hangs together with the one before."""

    sentence: int
    """Its place in the input."""
    state: int
    """Its topic in this order (Viterbi)."""
    probability: float
    """Of this state after the one before, or at the beginning of a document."""
    swap_cost: float | None
    """How much the log-probability would fall if this sentence and the one before changed places; None
    for the first one. The largest ones are what decided the order."""
    reasons: tuple[Reason, ...] = ()
    """What that cost is made of, most important first, for a model that was learned with ordering "best"."""


@dataclass(frozen=True)
class Explanation:
    """An order, explained."""

    steps: tuple[Step, ...]
    runner_up: tuple[int, ...] | None
    """The next best order; None if there is no other (sentences that are equal count as one)."""
    runner_up_gap: float | None
    """How much lower its log-probability is."""
    runner_up_proved: bool
    """Whether no order comes between."""


def explain_order(
    model: ContentModel, sentences: AnyDocument, ordering: Ordering, *, time_limit: float = DEFAULT_TIME_LIMIT
) -> Explanation:
    """Explain an order of sentences.

    >>> import driftline
    >>> quakes = driftline.Corpus.from_words([[["a", "quake", "hit"], ["no", "one", "died"]]] * 20)
    >>> model = driftline.fit(quakes)
    >>> explained = explain_order(model, quakes[0], driftline.order(model, quakes[0]))
    >>> explained.runner_up, explained.steps[1].swap_cost == explained.runner_up_gap
    ((1, 0), True)
    """
    check_time_limit(time_limit)
    log_emission = model.log_emission(sentences)
    problem = model.order_problem(sentences)
    order = np.array(ordering.order)
    n = len(order)
    states, _ = viterbi(model.chain, log_emission[order], np.array([0, n]))
    swapped = np.tile(order, (max(n - 1, 1), 1))
    for place in range(n - 1):
        swapped[place, [place, place + 1]] = order[[place + 1, place]]
    costs = scores_of(problem, order[None])[0] - scores_of(problem, swapped)
    into = [model.log_initial[states[0]], *model.log_transition[states[:-1], states[1:]]]
    reasons = _reasons(model, sentences, problem, order)
    steps = tuple(
        Step(int(order[i]), int(states[i]), float(np.exp(into[i])), float(costs[i - 1]) if i else None, reasons[i])
        for i in range(n)
    )
    best = best_of(problem, n_best=2, time_limit=time_limit)
    others = [(o, s) for o, s in zip(best.orders, best.log_scores, strict=True) if o != ordering.order]
    if not others:
        return Explanation(steps, None, None, runner_up_proved=best.proved)
    runner_up, score = others[0]
    return Explanation(steps, runner_up, ordering.log_probability - score, best.proved)


def _reasons(
    model: ContentModel, sentences: AnyDocument, problem: AnyProblem, order: Integers
) -> list[tuple[Reason, ...]]:
    """Say for each place but the first what speaks for it, where the model has more than topics to go by."""
    if model.order_mix is None or not isinstance(problem, MixedProblem):
        return [()] * len(order)
    grounds = Grounds(model.order_mix, problem, as_evidence(sentences, model.masker))
    return [(), *(grounds.reasons(order, place) for place in range(1, len(order)))]
