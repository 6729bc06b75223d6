# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Minimizes expectations: portfolios and newsvendors by Frank–Wolfe, classifications by quasi-Newton methods.

Options have the names of `sporos optimize`, with `_` for `-`; None leaves to them what is usual there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import Array, column_names, names_of, numbers, optional_numbers, texts_of
from ._backends import native
from ._progress import ProgressArgument, Watched

__all__ = ["Classification", "Solution", "classification", "newsvendor", "portfolio"]


# The options that are texts of the command line.
_of_frank_wolfe = (
    "variant", "step_rule", "epochs", "iterations", "sample_size", "sample_growth", "momentum", "screening", "seed",
    "gap_tolerance", "time_limit", "gap_batches", "gap_batch_size", "gap_confidence", "gap_interval",
    "record_interval",
)
_of_portfolio = (
    "risk_aversion", "region", "limit", "low", "high", "nonzeros", "days", "assets", "instance_seed",
)
_of_newsvendor = (
    "product_count", "resource_count", "tightness", "instance_seed",
)
_of_classification = (
    "test_share", "split_seed", "standardize", "storage", "penalty", "intercept", "optimizer", "iterations",
    "memory", "skip_up_to", "damp_below", "batch_size", "hessian_batch_size", "pair_source", "regularization",
    "pair_interval", "step_rule", "step", "limit_steps", "longest_move", "seed", "wolfe_decrease",
    "wolfe_curvature", "most_evaluations", "gradient_tolerance", "time_limit", "record_interval",
)


def _options(arguments: dict[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    return texts_of({name: arguments[name] for name in names})


@dataclass(frozen=True)
class Solution:
    """What Frank–Wolfe found."""

    x: Array
    """Weights of the assets or quantities of the products."""
    objective: float
    """At the end, on the last sample."""
    gap: float
    """The duality gap there: no point of the region is better by more, on that sample."""
    independent_gap: dict[str, Any] | None
    """Its estimate on samples that the optimizer has not seen, with an upper bound of what there is to gain."""
    exact_objective: float | None
    """The expectation itself, where it is known."""
    stopped_by: str
    """Why it ended."""
    iterations: int
    """Done over all epochs."""
    trace: list[dict[str, Any]]
    """The trajectory, a dictionary for each point: `pandas.DataFrame(solution.trace)`."""
    _json: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """What `sporos optimize --format json` writes."""
        return self._json


@dataclass(frozen=True)
class Classification:
    """A logistic classification that was learned."""

    coefficients: Array
    """One for each feature as it was given."""
    intercept: float
    """0 where there is none."""
    classes: tuple[Any, Any]
    """The two labels, in ascending order."""
    objective: float
    """Mean loss and penalty, over the rows that it was learned from."""
    gradient_norm: float
    """Of the objective."""
    training: dict[str, Any]
    """Accuracy, area under the curve, log-loss and confusion, on the rows it was learned from."""
    test: dict[str, Any] | None
    """The same on those that were held back."""
    stopped_by: str
    """Why it ended."""
    iterations: int
    """Done."""
    trace: list[dict[str, Any]]
    """The trajectory, a dictionary for each point."""
    _json: dict[str, Any]

    def probabilities(self, features: npt.ArrayLike) -> Array:
        """How likely each row is of the second class."""
        margins = numbers("features", features, None, len(self.coefficients)) @ self.coefficients + self.intercept
        scaled = np.exp(-np.abs(margins))
        probabilities: Array = np.where(margins >= 0, 1.0, scaled) / (1.0 + scaled)
        return probabilities

    def predict(self, features: npt.ArrayLike) -> npt.NDArray[Any]:
        """The likelier class of each row."""
        classes: npt.NDArray[Any] = np.asarray(self.classes)[(self.probabilities(features) >= 0.5).astype(int)]
        return classes

    def to_dict(self) -> dict[str, Any]:
        """What `sporos optimize classification --format json` writes."""
        return self._json


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


def portfolio(
    returns: npt.ArrayLike | None = None,
    *,
    means: npt.ArrayLike | None = None,
    covariance: npt.ArrayLike | None = None,
    deviations: npt.ArrayLike | None = None,
    loadings: npt.ArrayLike | None = None,
    assets: int | None = None,
    instance_seed: int | None = None,
    names: Sequence[str] | None = None,
    days: str | None = None,
    risk_aversion: float | None = None,
    region: str | None = None,
    limit: float | None = None,
    low: float | None = None,
    high: float | None = None,
    nonzeros: int | None = None,
    variant: str | None = None,
    step_rule: str | None = None,
    epochs: int | None = None,
    iterations: int | None = None,
    sample_size: int | None = None,
    sample_growth: float | None = None,
    momentum: bool | None = None,
    screening: bool | None = None,
    seed: int | None = None,
    gap_tolerance: float | None = None,
    time_limit: float | None = None,
    gap_batches: int | None = None,
    gap_batch_size: int | None = None,
    gap_confidence: float | None = None,
    gap_interval: int | None = None,
    start: npt.ArrayLike | None = None,
    record_interval: int | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
) -> Solution:
    """The mean–variance portfolio: minimizes `risk_aversion` / 2 times the variance of its return, less the mean.

    Of historical `returns`, a row for each day and a column for each asset (a pandas.DataFrame names them); or of normal
    ones with `means` and `covariance`, or `means`, `deviations` and `loadings` (factors × assets); or of paper 004's with
    so many `assets`. `region` says which weights are allowed: full-investment, budget, l1-ball, l2-ball, box, k-sparse.

    >>> import numpy, sporos
    >>> solution = sporos.optimize.portfolio(means=[0.1, 0.2], covariance=numpy.diag([1.0, 1.0]), seed=7)
    >>> round(float(solution.x.sum()), 9), bool(solution.x[1] > solution.x[0])
    (1.0, True)
    """
    options = _options(locals(), _of_portfolio + _of_frank_wolfe)
    given = [name for name, value in (("returns", returns), ("means", means), ("assets", assets)) if value is not None]
    if len(given) != 1:
        raise ValueError(f"{' and '.join(given) or 'nothing'} is given, expected one of returns, means and assets")
    if means is None and not (covariance is None and deviations is None and loadings is None):
        raise ValueError("covariance, deviations or loadings are given, expected them only with means")
    module = native(backend)
    x = optional_numbers("start", start, None)
    with Watched("optimize portfolio", progress) as watch:
        if returns is not None:
            called = names_of(names) or column_names(returns)
            table = numbers("returns", returns, None, None)
            return _solution(module.optimize_history(options, table, called, x, watch))
        if means is not None:
            if (covariance is None) == (deviations is None) or (covariance is not None and loadings is not None):
                raise ValueError("means are given, expected either covariance, or deviations with or without loadings")
            mean = numbers("means", means, None)
            spread = (
                optional_numbers("covariance", covariance, len(mean), len(mean)),
                optional_numbers("deviations", deviations, len(mean)),
                optional_numbers("loadings", loadings, None, len(mean)),
            )
            return _solution(module.optimize_normal(options, mean, *spread, names_of(names), x, watch))
        return _solution(module.optimize_generated("portfolio", options, x, watch))


def newsvendor(
    cost: npt.ArrayLike | None = None,
    holding: npt.ArrayLike | None = None,
    price: npt.ArrayLike | None = None,
    demand: Sequence[str] | npt.ArrayLike | None = None,
    *,
    capacity: npt.ArrayLike | None = None,
    amounts: npt.ArrayLike | None = None,
    product_count: int | None = None,
    resource_count: int | None = None,
    tightness: float | None = None,
    instance_seed: int | None = None,
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
    seed: int | None = None,
    gap_tolerance: float | None = None,
    time_limit: float | None = None,
    gap_batches: int | None = None,
    gap_batch_size: int | None = None,
    gap_confidence: float | None = None,
    gap_interval: int | None = None,
    start: npt.ArrayLike | None = None,
    record_interval: int | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
) -> Solution:
    """A newsvendor of many products that share resources: minimizes the expected cost of its orders.

    A unit of product j costs `cost[j]`, `holding[j]` when it is left over and `price[j]` when it is missing. `demand` is
    a text for each product, such as "normal(30, 5)", "gamma(16, 10)" or "poisson(9)", or an array of the demands that
    there were, periods × products. Of resource i there is `capacity[i]`, and a unit of product j needs `amounts[i, j]`
    of it. Or an instance of paper 004, with `product_count` products.

    >>> import sporos
    >>> solution = sporos.optimize.newsvendor(
    ...     [1, 2], [0.2, 0.1], [4, 6], ["normal(30, 5)", "poisson(9)"], capacity=[40], amounts=[[1, 1.5]], seed=7)
    >>> solution.x.shape
    (2,)
    """
    options = _options(locals(), _of_newsvendor + _of_frank_wolfe)
    module = native(backend)
    x = optional_numbers("start", start, None)
    with Watched("optimize newsvendor", progress) as watch:
        if product_count is not None:
            if cost is not None:
                raise ValueError("cost and product_count are given, expected one of them")
            return _solution(module.optimize_generated("newsvendor", options, x, watch))
        if cost is None or holding is None or price is None or demand is None or capacity is None or amounts is None:
            raise ValueError(
                "something is missing: expected cost, holding, price, demand, capacity and amounts, or product_count"
            )
        unit = numbers("cost", cost, None)
        d = len(unit)
        each = [numbers("holding", holding, d), numbers("price", price, d)]
        texts: list[str] = []
        periods: Array | None = None
        if np.asarray(demand).dtype.kind == "U":
            texts = [str(text) for text in np.asarray(demand).tolist()]
        else:
            periods = numbers("demand", demand, None, d)
        stock = numbers("capacity", capacity, None)
        needs = numbers("amounts", amounts, len(stock), d)
        called = names_of(names), names_of(resource_names)
        return _solution(
            module.optimize_newsvendor(options, unit, *each, texts, periods, stock, needs, *called, x, watch)
        )


def classification(
    features: npt.ArrayLike,
    labels: npt.ArrayLike,
    *,
    feature_names: Sequence[str] | None = None,
    test_share: float | None = None,
    split_seed: int | None = None,
    standardize: bool | None = None,
    storage: str | None = None,
    penalty: float | None = None,
    intercept: bool | None = None,
    optimizer: str | None = None,
    iterations: int | None = None,
    memory: int | None = None,
    skip_up_to: float | None = None,
    damp_below: float | None = None,
    batch_size: int | None = None,
    hessian_batch_size: int | None = None,
    pair_source: str | None = None,
    regularization: float | None = None,
    pair_interval: int | None = None,
    step_rule: str | None = None,
    step: float | None = None,
    limit_steps: bool | None = None,
    longest_move: float | None = None,
    seed: int | None = None,
    wolfe_decrease: float | None = None,
    wolfe_curvature: float | None = None,
    most_evaluations: int | None = None,
    gradient_tolerance: float | None = None,
    time_limit: float | None = None,
    record_interval: int | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
) -> Classification:
    """Logistic classification: minimizes the mean loss over the rows of `features`, with a penalty.

    `labels` holds two values, of any type, one for each row; the coefficients are for features as they are given,
    whether they are standardized under way or not. `optimizer` is sqn, the stochastic method, or lbfgs.

    >>> import sporos
    >>> learned = sporos.optimize.classification([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"], optimizer="lbfgs")
    >>> learned.predict([[0.2], [2.7]]).tolist()
    ['a', 'b']
    """
    options = _options(locals(), _of_classification)
    called = names_of(feature_names) or column_names(features)
    table = numbers("features", features, None, None)
    if called and len(called) != table.shape[1]:
        raise ValueError(f"feature_names has {len(called)} entries, expected one for each of the {table.shape[1]} features")
    classes, places = _two_classes(labels, len(table))
    with Watched("optimize classification", progress) as watch:
        texts = [str(name) for name in classes]
        told_text, coefficients, constant = native(backend).classify(options, table, places, texts, called, watch)
    told = json.loads(told_text)
    del told["data"]["file"], told["data"]["format"]
    return Classification(
        coefficients,
        constant,
        classes,
        told["objective"],
        told["gradient_norm"],
        told["training"],
        told["test"],
        told["stopped_by"],
        told["iterations"],
        told["trajectory"],
        told,
    )


def _two_classes(labels: npt.ArrayLike, rows: int) -> tuple[tuple[Any, Any], Array]:
    """The two labels in ascending order, and 0 or 1 for each row."""
    array = np.asarray(labels)
    if array.shape != (rows,):
        raise ValueError(f"labels has the shape {array.shape}, expected ({rows},), one for each row of features")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"labels[{int(np.argmin(np.isfinite(array)))}] is not finite, expected one of two classes")
    classes, places = np.unique(array, return_inverse=True)
    if len(classes) != 2:
        raise ValueError(f"labels has {len(classes)} different value{'s'[: len(classes) != 1]}, expected two classes")
    first, second = classes.tolist()
    return (first, second), places.astype(np.float64)
