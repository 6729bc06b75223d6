# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits of normal mixtures."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import Array, Seed, given_texts, numbers, optional_numbers, range_text, shown, switch_of, texts_of
from ._backends import native
from ._documentation import documented
from ._progress import ProgressArgument, Watched
from ._result import Result
from ._table import Table, check_missing, is_missing, is_table, listed


class MixtureFit(Result):
    """Normal mixtures fitted to a sample, and the chosen one.

    The table "sizes" compares the numbers of components. "mixture" has the components of the chosen mixture with their
    standard errors, and "mixtures" has the components for all numbers of components. With a bootstrap, "tests" has tests
    of the number of components, and "intervals" has confidence intervals for the chosen mixture. `stopped_by` is
    "interrupted" if the fit was stopped before all starts had converged.

    Examples
    --------
    >>> import sporos
    >>> fit = sporos.fit([1.0, 1.1, 1.3, 0.8, 5.0, 5.2, 5.3, 4.9, 1.2], components=2)
    >>> fit.predict([0.9, 5.1]).tolist(), fit.probabilities([0.9, 5.1]).shape
    ([0, 1], (2, 2))
    """

    def __init__(self, document: dict[str, Any], values: Array) -> None:
        super().__init__(document)
        self._values = values
        mixture = self.table("mixture")
        self.weights: Array = mixture["weight"]
        """Weights of the components, which sum to 1."""
        self.means: Array = mixture["mean"]
        """Means of the components."""
        self.deviations: Array = mixture["deviation"]
        """Standard deviations of the components."""

    def log_densities(self, values: npt.ArrayLike) -> Array:
        """Returns the logarithm of weight times density for each component at each value.

        Parameters
        ----------
        values : array_like, shape (n,)
            Finite numbers.

        Returns
        -------
        array, shape (n, components)
            Natural logarithms; -inf for components with weight 0.
        """
        points = numbers("values", values, None)[:, np.newaxis]
        standardized = (points - self.means) / self.deviations
        with np.errstate(divide="ignore"):  # a component may have no weight
            constants = np.log(self.weights / self.deviations) - 0.5 * np.log(2 * np.pi)
        densities: Array = constants - 0.5 * standardized * standardized
        return densities

    def probabilities(self, values: npt.ArrayLike) -> Array:
        """Returns the posterior probability of each component for each value.

        Parameters
        ----------
        values : array_like, shape (n,)
            Finite numbers.

        Returns
        -------
        array, shape (n, components)
            Probabilities, which sum to 1 in each row.
        """
        logs = self.log_densities(values)
        shares = np.exp(logs - logs.max(axis=1, keepdims=True))
        probabilities: Array = shares / shares.sum(axis=1, keepdims=True)
        return probabilities

    def predict(self, values: npt.ArrayLike) -> npt.NDArray[np.intp]:
        """Returns the most probable component of each value.

        Parameters
        ----------
        values : array_like, shape (n,)
            Finite numbers.

        Returns
        -------
        array of int, shape (n,)
            Components, counted from 0.
        """
        components: npt.NDArray[np.intp] = self.log_densities(values).argmax(axis=1)
        return components

    @property
    def labels(self) -> npt.NDArray[np.intp]:
        """Most probable component of each observation in the sample, counted from 0."""
        return self.predict(self._values)

    def __repr__(self) -> str:
        sizes = self.table("sizes")
        (bic,) = sizes["bic"][sizes["is_chosen"]]
        return f"MixtureFit({len(self.means)} components, chosen from {len(sizes['bic'])} numbers of them, BIC {bic:.6g})"


def _observations(values: npt.ArrayLike, ignored: list[str], backend: str | None) -> tuple[npt.ArrayLike, list[str]]:
    """Returns the values, or those of a table's only column of numbers, and notes on the choice of the column."""
    if not is_table(values):
        if ignored:
            raise ValueError("ignore is given, expected it only with a table of named columns")
        return values, []
    table = Table("values", values)
    for name in ignored:
        if name not in table.names:
            raise ValueError(f"values has no column {name!r}, expected the name of a column to ignore")
    numeric = [
        (name, column)
        for name, column in zip(table.names, table.columns)
        if name not in ignored and any(isinstance(value, Real) and not is_missing(value) for value in column)
    ]
    if len(numeric) > 1:
        found = ", ".join(name for name, _ in numeric)
        raise ValueError(f"values has {len(numeric)} columns of numbers ({found}), expected one that is not ignored")
    with table.named_in_messages():
        observations, notes = native(backend).observations_of_table(table.text(), ignored)
    return observations, notes


def _without_missing(
    values: npt.ArrayLike, weights: npt.ArrayLike | None
) -> tuple[npt.ArrayLike, npt.ArrayLike | None, int]:
    """Returns values and weights without the rows that have missing entries, and the number of removed rows."""
    lists = [np.asarray(part, dtype=object) for part in (values, weights) if part is not None]
    if any(part.shape != lists[0].shape or part.ndim != 1 for part in lists):
        return values, weights, 0  # `fit` refuses these shapes
    kept = [i for i, row in enumerate(zip(*lists)) if not any(is_missing(value) for value in row)]
    values, *others = (part[kept].tolist() for part in lists)
    return values, others[0] if others else None, lists[0].size - len(kept)


@documented("fit")
def fit(
    values: npt.ArrayLike,
    components: int | tuple[int, int] | str | None = None,
    *,
    weights: npt.ArrayLike | None = None,
    missing: str | None = None,
    ignore: str | Sequence[str] | None = None,
    criterion: str | None = None,
    deviations: str | None = None,
    floor: float | None = None,
    precision: str | None = None,
    bayesian: bool = False,
    starts: int | None = None,
    nelder_mead_starts: int | None = None,
    nelder_mead_coefficients: str | None = None,
    method: str | None = None,
    seed: Seed = None,
    bootstrap: int | None = None,
    confidence: float | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
) -> MixtureFit:
    """Fits normal mixtures to a sample by maximum likelihood, and chooses the number of components.

    Parameters
    ----------
    values : array_like or table, shape (n,)
        The sample. A table, such as a pandas.DataFrame, must have one column of numbers that is not ignored.
    components : int, (int, int) or str, optional
        Number of components, or the first and last number to compare, at most 64; default: (1, 10).
    weights : array_like, shape (n,), optional
        Frequency weight of each value; default: 1.
    missing : {'refuse', 'drop'}, optional
        Treatment of missing values and weights (None or NaN): raise an error, or drop the rows; default: refuse.
    ignore : str or sequence of str, optional
        Columns of a table to ignore.
    bayesian : bool
        Whether to maximize the posterior under the prior of Fraley and Raftery (2007), which is derived from the
        sample; default: False, which maximizes the likelihood.
    method : {'em', 'nelder-mead'}, optional
        Algorithm; default: both. 'em' sets the default of `nelder_mead_starts` to 0, 'nelder-mead' that of `starts`.
    {options}

    Returns
    -------
    MixtureFit
        The fits. If Ctrl-C or `progress` stops the run, these are the best fits so far, and `stopped_by` is
        "interrupted".

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid, or the sample has too few observations for the requested number of components.

    Examples
    --------
    >>> import sporos
    >>> fit = sporos.fit([1.0, 1.1, 1.3, 0.8, 5.0, 5.2, 5.3, 4.9, 1.2], components=2)
    >>> fit.labels.tolist()
    [0, 0, 0, 0, 1, 1, 1, 1, 0]
    >>> fit.table("mixture")["mean"].round(1).tolist()
    [1.1, 5.1]
    """
    if method not in (None, "em", "nelder-mead"):
        raise ValueError(f"method is {shown(method)}, expected em or nelder-mead")
    if method == "em" and nelder_mead_starts is None:
        nelder_mead_starts = 0
    if method == "nelder-mead" and starts is None:
        starts = 0
    options = given_texts(fit, locals(), "weights", "missing", "ignore", "bayesian", "method")
    options |= texts_of({"components": range_text("components", components)})
    has_prior = switch_of("bayesian", bayesian)
    check_missing(missing, "refuse", "drop")
    sample, notes = _observations(values, listed("ignore", ignore), backend)
    dropped = 0
    if missing == "drop":
        sample, weights, dropped = _without_missing(sample, weights)
    observations = numbers("values", sample, None)
    counts = optional_numbers("weights", weights, len(observations))
    if dropped > 0:
        notes.append(f"rows left out because a value is missing: {dropped}")
    with Watched("fit", progress) as watch:
        found = native(backend).fit(options, has_prior, observations, counts, notes, watch)
        return MixtureFit(found, observations)
