# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Portfolios and newsvendors, by Frank–Wolfe."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import Array, Seed, chosen_texts, is_scalar, names_of, numbers, optional_numbers, shown
from ._backends import native
from ._distributions import distribution_texts, is_distribution
from ._documentation import documented
from ._progress import ProgressArgument, Watched
from ._table import Table, in_order_of, is_missing, is_table, labels_of

# The options that are texts of the command line.
_of_frank_wolfe = (
    "variant", "step_rule", "epochs", "iterations", "sample_size", "sample_growth", "momentum", "screening", "seed",
    "gap_tolerance", "time_limit", "gap_batches", "gap_batch_size", "gap_confidence", "gap_interval",
    "gap_iterations", "gap_procedure", "record_interval",
)
_of_portfolio = (
    "risk_aversion", "region", "limit", "low", "high", "nonzeros", "days", "moments", "assets", "instance_seed",
)
_of_newsvendor = (
    "product_count", "resource_count", "tightness", "instance_seed",
)

@dataclass(frozen=True, repr=False)
class Solution:
    """What Frank–Wolfe found."""

    x: Array
    """Weights of the assets or quantities of the products."""
    objective: float
    """At the end, on the last sample."""
    gap: float
    """The duality gap there: no point of the region is better by more, on that sample."""
    independent_gap: dict[str, Any] | None
    """Estimates on samples that the optimizer has not seen: of that gap, with its bounds "lower" and "upper", and of
    "suboptimality", what there is to gain; "bound" is what there is to gain at most, with "confidence"."""
    exact_objective: float | None
    """The expectation itself, where it is known."""
    stopped_by: str
    """Why it ended."""
    iterations: int
    """Done over all epochs."""
    trace: list[dict[str, Any]]
    """The trajectory, a dictionary for each point: `pandas.DataFrame(solution.trace)`."""
    _json: dict[str, Any]

    @property
    def weights(self) -> dict[str, float]:
        """Weights of the assets, or quantities of the products, by their names; those that are not 0."""
        return {one["name"]: one["value"] for one in self._json["solution"]}

    def to_dict(self) -> dict[str, Any]:
        """What `sporos optimize --format json` writes."""
        return self._json

    def __repr__(self) -> str:
        most = 5
        weights = sorted(self.weights.items(), key=lambda item: -abs(item[1]))
        named = ", ".join(f"{name} {value:.6g}" for name, value in weights[:most])
        if len(weights) > most:
            named += f" and {len(weights) - most} more"
        found = f"objective {self.objective:.9g}, gap {self.gap:.3g}"
        return f"Solution({named}; {found}, {self.iterations} iterations, stopped by {self.stopped_by})"


def _solution(found: tuple[str, Array]) -> Solution:
    told = json.loads(found[0])
    return Solution(
        found[1],
        told["objective"],
        told["gap"],
        told["independent_gap"],
        told["exact_objective"],
        told["stopped_by"],
        told["iterations"],
        told["trajectory"],
        told,
    )


def _returns(values: npt.ArrayLike) -> tuple[list[str], Array]:
    """The names of the assets, where they have some, and their returns."""
    if not is_table(values):
        return [], numbers("returns", values, None, None)
    table = Table("returns", values)
    for name, column in zip(table.names, table.columns):
        strange = next((one for one in column.tolist() if not isinstance(one, Real) and not is_missing(one)), None)
        if strange is not None:
            raise ValueError(f"column {name!r} of returns holds {shown(strange)}, expected the returns of an asset: "
                             f"leave the column out; of dates, make it the index, as set_index({name!r}) does")
    return table.names, numbers("returns", table.numbers(table.names), None, None)


@documented("portfolio")
def portfolio(
    returns: npt.ArrayLike | None = None,
    *,
    means: npt.ArrayLike | None = None,
    covariance: npt.ArrayLike | None = None,
    deviations: npt.ArrayLike | None = None,
    loadings: npt.ArrayLike | None = None,
    assets: int | None = None,
    instance_seed: Seed = None,
    names: Sequence[str] | None = None,
    days: str | None = None,
    moments: str | None = None,
    risk_aversion: float | None = None,
    region: str | None = None,
    limit: float | None = None,
    low: float | None = None,
    high: float | None = None,
    bounds: npt.ArrayLike | None = None,
    nonzeros: int | None = None,
    variant: str | None = None,
    step_rule: str | None = None,
    epochs: int | None = None,
    iterations: int | None = None,
    sample_size: int | None = None,
    sample_growth: float | None = None,
    momentum: bool | None = None,
    screening: bool | None = None,
    seed: Seed = None,
    gap_tolerance: float | None = None,
    time_limit: float | None = None,
    gap_batches: int | None = None,
    gap_batch_size: int | None = None,
    gap_confidence: float | None = None,
    gap_interval: int | None = None,
    gap_iterations: int | None = None,
    gap_procedure: str | None = None,
    start: npt.ArrayLike | None = None,
    record_interval: int | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
) -> Solution:
    """The mean–variance portfolio: minimizes `risk_aversion` / 2 times the variance of its return, less the mean.

    Of historical `returns`; or of given `means` and `covariance`, or `means`, `deviations` and `loadings`, which make a
    quadratic program that is solved exactly; or of paper 004's normal returns with so many `assets`, which are sampled.
    Samples are drawn of the days, too, with ``days="drawn"``, and of normal returns with ``moments="sampled"``.

    Parameters
    ----------
    returns : array_like, shape (days, assets), optional
        Historical returns. The columns of a table name the assets.
    means : array_like, shape (assets,), optional
        Expected returns. The index of a pandas.Series names the assets; what else has an index of assets has to have the
        same names, in any order.
    covariance : array_like, shape (assets, assets), optional
        Of the returns.
    deviations : array_like, shape (assets,), optional
        Standard deviations of what the factors do not explain.
    loadings : array_like, shape (factors, assets), optional
        Of independent standard normal factors.
    names : sequence of str, optional
        Of the assets.
    bounds : array_like, shape (assets, 2), optional
        The least and the largest weight of each asset, in the regions full-investment and box.
    start : array_like, shape (assets,), optional
        The weights to start at.
    variant : str, optional
        Where iterations move: vanilla, away-step, pairwise; default: pairwise, and vanilla where samples are drawn or the
        region has many vertices; the others need exact or adaptive steps to be good.
    step_rule : str, optional
        How far: exact, adaptive, restarting, open-loop; default: exact, and open-loop where samples are drawn.
    epochs : int, optional
        How many; default: 1000, and 100 where samples are drawn, of which each draws a new one.
    iterations : int, optional
        Iterations of each epoch; default: 25, and 250 where samples are drawn.
    {options}

    Returns
    -------
    Solution
        With the weights as `x`.

    Examples
    --------
    >>> import numpy, sporos
    >>> solution = sporos.optimize.portfolio(means=[0.1, 0.2], covariance=numpy.diag([1.0, 1.0]))
    >>> solution.x.round(6).tolist()
    [0.45, 0.55]
    """
    options = chosen_texts(locals(), _of_portfolio + _of_frank_wolfe)
    given = [name for name, value in (("returns", returns), ("means", means), ("assets", assets)) if value is not None]
    if len(given) != 1:
        raise ValueError(f"{' and '.join(given) or 'nothing'} is given, expected one of returns, means and assets")
    if means is None and not (covariance is None and deviations is None and loadings is None):
        raise ValueError("covariance, deviations or loadings are given, expected them only with means")
    if bounds is not None and assets is not None:
        raise ValueError("bounds and assets are given, expected bounds only with returns or means")
    module = native(backend)
    with Watched("optimize portfolio", progress) as watch:
        if returns is not None:
            own, table = _returns(returns)
            called = names_of("names", names) or own
            limits = optional_numbers("bounds", in_order_of(own, "bounds", bounds, 0), table.shape[1], 2)
            x = optional_numbers("start", in_order_of(own, "start", start, 0), None)
            return _solution(module.optimize_history(options, table, called, limits, x, watch))
        if means is not None:
            if (covariance is None) == (deviations is None) or (covariance is not None and loadings is not None):
                raise ValueError("means are given, expected either covariance, or deviations with or without loadings")
            own = labels_of(means, 0) or labels_of(covariance, 0) or labels_of(covariance, 1)
            mean = numbers("means", in_order_of(own, "means", means, 0), None)
            spread = (
                optional_numbers("covariance", in_order_of(own, "covariance", covariance, 0, 1), len(mean), len(mean)),
                optional_numbers("deviations", in_order_of(own, "deviations", deviations, 0), len(mean)),
                optional_numbers("loadings", in_order_of(own, "loadings", loadings, 1), None, len(mean)),
            )
            limits = optional_numbers("bounds", in_order_of(own, "bounds", bounds, 0), len(mean), 2)
            x = optional_numbers("start", in_order_of(own, "start", start, 0), None)
            called = names_of("names", names) or own
            return _solution(module.optimize_normal(options, mean, *spread, called, limits, x, watch))
        x = optional_numbers("start", start, None)
        return _solution(module.optimize_generated("portfolio", options, x, watch))


def _demands(demand: Any, products: int) -> tuple[list[str], Array | None]:
    """The texts of the products' distributions, or the demands that there were."""
    if is_scalar(demand):
        return products * distribution_texts("demand", demand), None
    entries: Sequence[Any] = demand if isinstance(demand, Sequence) else np.ravel(demand)[:1].tolist()
    if any(is_distribution(one) for one in entries):
        return distribution_texts("demand", demand), None
    return [], numbers("demand", demand, None, products)


@documented("newsvendor")
def newsvendor(
    cost: npt.ArrayLike | None = None,
    holding: npt.ArrayLike | None = None,
    price: npt.ArrayLike | None = None,
    demand: Any = None,
    *,
    capacity: npt.ArrayLike | None = None,
    amounts: npt.ArrayLike | None = None,
    sense: Sequence[str] | None = None,
    product_count: int | None = None,
    resource_count: int | None = None,
    tightness: float | None = None,
    instance_seed: Seed = None,
    names: Sequence[str] | None = None,
    resource_names: Sequence[str] | None = None,
    variant: str | None = None,
    step_rule: str | None = None,
    epochs: int | None = None,
    iterations: int | None = None,
    sample_size: int | None = None,
    sample_growth: float | None = None,
    momentum: bool | None = None,
    screening: bool | None = None,
    seed: Seed = None,
    gap_tolerance: float | None = None,
    time_limit: float | None = None,
    gap_batches: int | None = None,
    gap_batch_size: int | None = None,
    gap_confidence: float | None = None,
    gap_interval: int | None = None,
    gap_iterations: int | None = None,
    gap_procedure: str | None = None,
    start: npt.ArrayLike | None = None,
    record_interval: int | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
) -> Solution:
    """A newsvendor of one or many products, which may share resources: minimizes the expected cost of its orders.

    Parameters
    ----------
    cost : array_like, shape (products,), optional
        Of a unit; together with `holding`, `price` and `demand`, or `product_count` alone.
    holding : array_like, shape (products,), optional
        Cost of a unit that is left over.
    price : array_like, shape (products,), optional
        Cost of a unit that is missing.
    demand : list of str or of frozen distributions of scipy.stats, or array_like, shape (periods, products), optional
        The distribution of each product's demand, such as "normal(30, 5)", "gamma(16, 10)" or
        ``scipy.stats.poisson(9)``, or one for all; or the demands that there were.
    capacity : array_like, shape (resources,), optional
        What there is of each resource. Without resources, each quantity is a quantile of its demand.
    amounts : array_like, shape (resources, products), optional
        How much of each resource a unit of each product needs. Numbers of both may be negative.
    sense : sequence of str, optional
        How much of each resource is used: "<=" its capacity, ">=" or "="; without them at most that.
    names, resource_names : sequence of str, optional
        Of the products and the resources.
    start : array_like, shape (products,), optional
        The quantities to start at.
    {options}

    Returns
    -------
    Solution
        With the quantities as `x`.

    Examples
    --------
    >>> import sporos
    >>> solution = sporos.optimize.newsvendor(
    ...     [1, 2], [0.2, 0.1], [4, 6], ["normal(30, 5)", "poisson(9)"], capacity=[40], amounts=[[1, 1.5]], seed=7)
    >>> solution.x.shape
    (2,)
    >>> sporos.optimize.newsvendor([1], [0], [4], [[40], [10], [30], [20]]).x.tolist()
    [32.5]
    """
    options = chosen_texts(locals(), _of_newsvendor + _of_frank_wolfe)
    module = native(backend)
    x = optional_numbers("start", start, None)
    with Watched("optimize newsvendor", progress) as watch:
        if product_count is not None:
            if cost is not None:
                raise ValueError("cost and product_count are given, expected one of them")
            return _solution(module.optimize_generated("newsvendor", options, x, watch))
        if cost is None or holding is None or price is None or demand is None:
            raise ValueError("something is missing: expected cost, holding, price and demand, or product_count")
        if (capacity is None) != (amounts is None):
            raise ValueError("one of capacity and amounts is given, expected both or none")
        unit = numbers("cost", cost, None)
        d = len(unit)
        each = [numbers("holding", holding, d), numbers("price", price, d)]
        texts, periods = _demands(demand, d)
        stock = numbers("capacity", np.empty(0) if capacity is None else capacity, None)
        needs = numbers("amounts", np.empty((0, d)) if amounts is None else amounts, len(stock), d)
        called = names_of("sense", sense), names_of("names", names), names_of("resource_names", resource_names)
        return _solution(
            module.optimize_newsvendor(options, unit, *each, texts, periods, stock, needs, *called, x, watch)
        )
