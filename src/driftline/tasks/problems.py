"""An ordering problem of either kind: one chain alone, or all evidence together."""

from driftline.kernels.hmm import Floats, Integers
from driftline.kernels.mixed_problem import MixedProblem
from driftline.kernels.mixed_search import best_mixed_orders
from driftline.kernels.order_problem import OrderProblem, log_scores
from driftline.kernels.order_search import BestOrders, best_orders

AnyProblem = OrderProblem | MixedProblem


def scores_of(problem: AnyProblem, orders: Integers) -> Floats:
    """Return the score of each order: [order, place] -> [order]."""
    return problem.log_scores(orders) if isinstance(problem, MixedProblem) else log_scores(problem, orders)


def best_of(problem: AnyProblem, *, n_best: int = 1, time_limit: float) -> BestOrders:
    """Find the best orders, with proof where that is possible in time."""
    if isinstance(problem, MixedProblem):
        return best_mixed_orders(problem, n_best=n_best, time_limit=time_limit)
    return best_orders(problem, n_best=n_best, time_limit=time_limit)
