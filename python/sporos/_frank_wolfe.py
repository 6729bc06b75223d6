# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: enable-incomplete-feature=Unpack
"""Optimizes portfolios and newsvendors by Frank–Wolfe methods."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
import numpy.typing as npt

from ._arguments import Array, Seed, is_scalar, names_of, numbers, optional_numbers, shown
from ._backends import native
from ._distributions import distribution_texts, is_distribution
from ._documentation import documented, option_texts
from ._progress import ProgressArgument, Watched
from ._result import Result
from ._table import Table, in_order_of, is_missing, is_table, labels_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


class FrankWolfeOptions(TypedDict, total=False):
    """Options of the optimizer, with the names and values of the command line."""

    variant: str | None
    step_rule: str | None
    epochs: int | None
    iterations: int | None
    sample_size: int | None
    sample_growth: float | None
    momentum: bool | None
    screening: bool | None
    seed: Seed
    gap_tolerance: float | None
    time_limit: float | None
    gap_batches: int | None
    gap_batch_size: int | None
    gap_confidence: float | None
    gap_interval: int | None
    gap_iterations: int | None
    gap_procedure: str | None
    record_interval: int | None


class PortfolioOptions(FrankWolfeOptions, total=False):
    """Options of the optimizer and of a portfolio."""

    risk_aversion: float | None
    region: str | None
    limit: float | None
    low: float | None
    high: float | None
    nonzeros: int | None
    days: str | None
    moments: str | None
    assets: int | None
    instance_seed: Seed


class NewsvendorOptions(FrankWolfeOptions, total=False):
    """Options of the optimizer and of a generated newsvendor."""

    product_count: int | None
    resource_count: int | None
    tightness: float | None
    instance_seed: Seed


class Solution(Result):
    """A result with the solution as an array; the table "solution" has the nonzero values with their names.

    Examples
    --------
    >>> import sporos
    >>> sporos.optimize.newsvendor([1], [0], [4], [[40], [10], [30], [20]]).x.tolist()
    [32.5]
    """

    def __init__(self, document: dict[str, Any], x: Array) -> None:
        super().__init__(document)
        self.x = x
        """Weights of all assets, or quantities of all products."""


def _solution(found: tuple[dict[str, Any], Array]) -> Solution:
    return Solution(*found)


def _returns(values: npt.ArrayLike) -> tuple[list[str], Array]:
    """Returns the names of the assets, which are empty for an array, and the returns."""
    if not is_table(values):
        return [], numbers("returns", values, None, None)
    table = Table("returns", values)
    for name, column in zip(table.names, table.columns):
        strange = next((one for one in column.tolist() if not isinstance(one, Real) and not is_missing(one)), None)
        if strange is not None:
            raise ValueError(f"column {name!r} of returns holds {shown(strange)}, expected the returns of an asset: "
                             f"remove the column, or if it holds dates, make it the index by set_index({name!r})")
    return table.names, numbers("returns", table.numbers(table.names), None, None)


@documented("portfolio")
def portfolio(
    returns: npt.ArrayLike | None = None,
    *,
    means: npt.ArrayLike | None = None,
    covariance: npt.ArrayLike | None = None,
    deviations: npt.ArrayLike | None = None,
    loadings: npt.ArrayLike | None = None,
    names: Sequence[str] | None = None,
    bounds: npt.ArrayLike | None = None,
    start: npt.ArrayLike | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
    **options: Unpack[PortfolioOptions],
) -> Solution:
    """Minimizes the mean–variance objective: `risk_aversion` / 2 times the variance of the return, minus its mean.

    Give exactly one source of returns:

    - historical `returns`,
    - normal returns with `means`, and either `covariance`, or `deviations` with or without `loadings`,
    - a generated instance with the requested number of `assets`.

    Returns of a generated instance are sampled. Otherwise the problem is a quadratic program with exact moments; use
    ``days="drawn"`` to sample the days of `returns`, and ``moments="sampled"`` to sample normal returns.

    Parameters
    ----------
    returns : array_like or table, shape (days, assets), optional
        Historical returns. The columns of a table name the assets.
    means : array_like, shape (assets,), optional
        Expected returns. The index of a pandas.Series names the assets. Other arguments with an index of assets must
        have the same names, in any order.
    covariance : array_like, shape (assets, assets), optional
        Covariance matrix of the returns.
    deviations : array_like, shape (assets,), optional
        Standard deviations of the idiosyncratic part of the returns, which the factors do not explain.
    loadings : array_like, shape (factors, assets), optional
        Loadings on independent standard normal factors; default: no factors.
    names : sequence of str, optional
        Names of the assets; default: the names in a table or index, otherwise asset 1, asset 2, …
    bounds : array_like, shape (assets, 2), optional
        Lower and upper bound of each weight, for the regions full-investment and box.
    start : array_like, shape (assets,), optional
        Initial weights.
    {options}

    Returns
    -------
    Solution
        A `Result` with all weights as `x`. The table "solution" has the nonzero weights, and "trajectory" the recorded
        iterations. `findings` has the objective and its duality gap. If samples are drawn, it also has a bound on the
        distance from the minimum.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid, or the arguments do not fit together.
    RuntimeError
        If the optimizer fails during the run.

    Examples
    --------
    >>> import numpy, sporos
    >>> solution = sporos.optimize.portfolio(means=[0.1, 0.2], covariance=numpy.diag([1.0, 1.0]))
    >>> solution.x.round(6).tolist(), solution.table()["asset"].tolist()
    ([0.45, 0.55], ['asset 2', 'asset 1'])
    """
    texts = option_texts(portfolio, options)
    assets = options.get("assets")
    given = [name for name, value in (("returns", returns), ("means", means), ("assets", assets)) if value is not None]
    if len(given) != 1:
        raise ValueError(f"{' and '.join(given) or 'nothing'} is given, expected one of returns, means and assets")
    if means is None and not (covariance is None and deviations is None and loadings is None):
        raise ValueError("covariance, deviations or loadings are given, expected them only with means")
    if bounds is not None and assets is not None:
        raise ValueError("bounds and assets are given, expected bounds only with returns or means")
    module = native(backend)
    with Watched("optimize portfolio", progress) as watch:
        if assets is not None:
            return _solution(module.optimize_generated("portfolio", texts, optional_numbers("start", start, None), watch))
        if returns is not None:
            asset_names, table = _returns(returns)
        else:
            if (covariance is None) == (deviations is None) or (covariance is not None and loadings is not None):
                raise ValueError("means are given, expected either covariance, or deviations with or without loadings")
            asset_names = labels_of(means, 0) or labels_of(covariance, 0) or labels_of(covariance, 1)
            table = numbers("means", in_order_of(asset_names, "means", means, 0), None)
        d = table.shape[-1]

        def of_assets(name: str, values: Any, axes: tuple[int, ...], *shape: int | None) -> Array | None:
            """Returns the values as an array, with these axes in the order of the assets."""
            return optional_numbers(name, in_order_of(asset_names, name, values, *axes), *shape)

        called = names_of("names", names) or asset_names
        limits, x = of_assets("bounds", bounds, (0,), d, 2), of_assets("start", start, (0,), None)
        if returns is not None:
            return _solution(module.optimize_history(texts, table, called, limits, x, watch))
        spread = (
            of_assets("covariance", covariance, (0, 1), d, d),
            of_assets("deviations", deviations, (0,), d),
            of_assets("loadings", loadings, (1,), None, d),
        )
        return _solution(module.optimize_normal(texts, table, *spread, called, limits, x, watch))


def _demands(demand: Any, products: int) -> tuple[list[str], Array | None]:
    """Returns the distributions of the products' demands as strings, or the observed demands."""
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
    names: Sequence[str] | None = None,
    resource_names: Sequence[str] | None = None,
    start: npt.ArrayLike | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
    **options: Unpack[NewsvendorOptions],
) -> Solution:
    """Minimizes the expected cost of a newsvendor's orders of one or several products, which may share resources.

    Give `cost`, `holding`, `price` and `demand`, or `product_count` for a generated instance.

    Parameters
    ----------
    cost : array_like, shape (products,), optional
        Cost per unit ordered.
    holding : array_like, shape (products,), optional
        Cost per unit left over.
    price : array_like, shape (products,), optional
        Cost per unit of unmet demand.
    demand : list of str or of frozen distributions of scipy.stats, or array_like, shape (periods, products), optional
        Distribution of each product's demand, such as "normal(30, 5)", "gamma(16, 10)" or ``scipy.stats.poisson(9)``;
        or one distribution for all products; or observed demands.
    capacity : array_like, shape (resources,), optional
        Capacity of each resource; requires `amounts`. Without resources, each quantity is a quantile of its demand.
    amounts : array_like, shape (resources, products), optional
        Amount of each resource that a unit of each product uses. Capacities and amounts may be negative.
    sense : sequence of str, optional
        Constraint on the use of each resource: "<=", ">=" or "=" its capacity; default: "<=" for all.
    names, resource_names : sequence of str, optional
        Names of the products and of the resources.
    start : array_like, shape (products,), optional
        Initial quantities.
    {options}

    Returns
    -------
    Solution
        A `Result` with all quantities as `x`. The table "solution" has the nonzero quantities, "resources" the use of
        each resource, and "trajectory" the recorded iterations. `findings` has the objective and bounds on its distance
        from the minimum.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid, or the arguments do not fit together.
    RuntimeError
        If the optimizer fails during the run.

    Examples
    --------
    >>> import sporos
    >>> solution = sporos.optimize.newsvendor(
    ...     [1, 2], [0.2, 0.1], [4, 6], ["normal(30, 5)", "poisson(9)"], capacity=[40], amounts=[[1, 1.5]], seed=7)
    >>> solution.x.shape, solution.table("resources")["is_binding"].tolist()
    ((2,), [True])
    >>> sporos.optimize.newsvendor([1], [0], [4], [[40], [10], [30], [20]]).x.tolist()
    [32.5]
    """
    texts = option_texts(newsvendor, options)
    module = native(backend)
    x = optional_numbers("start", start, None)
    with Watched("optimize newsvendor", progress) as watch:
        if options.get("product_count") is not None:
            if cost is not None:
                raise ValueError("cost and product_count are given, expected one of them")
            return _solution(module.optimize_generated("newsvendor", texts, x, watch))
        if cost is None or holding is None or price is None or demand is None:
            raise ValueError("arguments are missing: expected cost, holding, price and demand, or product_count")
        if (capacity is None) != (amounts is None):
            raise ValueError("one of capacity and amounts is given, expected both or none")
        unit = numbers("cost", cost, None)
        d = len(unit)
        each = [numbers("holding", holding, d), numbers("price", price, d)]
        demands, periods = _demands(demand, d)
        stock = numbers("capacity", np.empty(0) if capacity is None else capacity, None)
        needs = numbers("amounts", np.empty((0, d)) if amounts is None else amounts, len(stock), d)
        called = names_of("sense", sense), names_of("names", names), names_of("resource_names", resource_names)
        return _solution(
            module.optimize_newsvendor(texts, unit, *each, demands, periods, stock, needs, *called, x, watch)
        )
