# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits of normal mixtures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import Array, Seed, numbers, optional_numbers, range_text, shown, switch_of, texts_of
from ._backends import native
from ._documentation import documented
from ._progress import ProgressArgument, Watched
from ._result import Result
from ._table import Table, check_missing, is_missing, is_table, listed


class MixtureFit(Result):
    """Fits of mixtures to a sample, and the one that is chosen.

    The table "sizes" compares the numbers of components, "mixture" has the components of the chosen mixture with their
    standard errors, and "mixtures" those of all numbers of components. Of a bootstrap, "tests" has tests of the number of
    components, and "intervals" has intervals of the chosen mixture. `stopped_by` is "interrupted" if the fit was stopped
    before all had converged.
    """

    def __init__(self, told: dict[str, Any], values: Array) -> None:
        super().__init__(told)
        self._values = values
        mixture = self.table("mixture")
        self.weights: Array = mixture["weight"]
        self.means: Array = mixture["mean"]
        self.deviations: Array = mixture["deviation"]

    def log_densities(self, values: npt.ArrayLike) -> Array:
        """ln of weight times density of each component at each value, n × k."""
        points = numbers("values", values, None)[:, np.newaxis]
        standardized = (points - self.means) / self.deviations
        with np.errstate(divide="ignore"):  # a component may have no weight
            constants = np.log(self.weights / self.deviations) - 0.5 * np.log(2 * np.pi)
        densities: Array = constants - 0.5 * standardized * standardized
        return densities

    def probabilities(self, values: npt.ArrayLike) -> Array:
        """The probability that each value comes from each component, n × k."""
        logs = self.log_densities(values)
        shares = np.exp(logs - logs.max(axis=1, keepdims=True))
        probabilities: Array = shares / shares.sum(axis=1, keepdims=True)
        return probabilities

    def predict(self, values: npt.ArrayLike) -> npt.NDArray[np.intp]:
        """The component, from 0, that each value most likely comes from."""
        components: npt.NDArray[np.intp] = self.log_densities(values).argmax(axis=1)
        return components

    @property
    def labels(self) -> npt.NDArray[np.intp]:
        """The component, from 0, that each observation of the sample most likely comes from."""
        return self.predict(self._values)

    def __repr__(self) -> str:
        sizes = self.table("sizes")
        (bic,) = sizes["bic"][sizes["is_chosen"]]
        return f"MixtureFit({len(self.means)} components, chosen from {len(sizes['bic'])} numbers of them, BIC {bic:.6g})"


def _observations(values: npt.ArrayLike, ignored: list[str], backend: str | None) -> tuple[npt.ArrayLike, list[str]]:
    """The values, or those of the only column of numbers of a table, and notes of how it was chosen."""
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
        raise ValueError(f"values has {len(numeric)} columns of numbers ({found}), expected one beside those to ignore")
    with table.named_in_messages():
        observations, notes = native(backend).observations_of_table(table.text(), ignored)
    return observations, notes


def _without_missing(
    values: npt.ArrayLike, weights: npt.ArrayLike | None
) -> tuple[npt.ArrayLike, npt.ArrayLike | None, int]:
    """What is left of both, and how many rows are not."""
    lists = [np.asarray(part, dtype=object) for part in (values, weights) if part is not None]
    if any(part.shape != lists[0].shape or part.ndim != 1 for part in lists):
        return values, weights, 0  # checked and refused later
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
    """Fits normal mixtures to a sample by maximum likelihood, and chooses how many components there are.

    Parameters
    ----------
    values : array_like, shape (n,)
        The sample; or a table, such as a pandas.DataFrame, with one column of numbers.
    components : int or (int, int), optional
        How many, or a range such as (1, 10).
    weights : array_like, shape (n,), optional
        How often each value counts; default: once.
    missing : {'refuse', 'drop'}, optional
        What becomes of values that are missing (None or NaN), or whose weights are: an error, or they are left out;
        default: refuse.
    ignore : str or sequence of str, optional
        Columns of a table that hold no observations.
    bayesian : bool
        Whether to add the prior that Fraley and Raftery (2007) take from the sample, and to maximize the posterior.
    method : {'em', 'nelder-mead'}, optional
        Takes the starts of the other one away.
    {options}

    Returns
    -------
    MixtureFit
        If Ctrl-C or `progress` has stopped it, the best fits so far, with `stopped_by` "interrupted".

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
    options = texts_of(
        {
            "components": range_text("components", components),
            "criterion": criterion,
            "deviations": deviations,
            "floor": floor,
            "precision": precision,
            "starts": starts,
            "nelder_mead_starts": nelder_mead_starts,
            "nelder_mead_coefficients": nelder_mead_coefficients,
            "seed": seed,
            "bootstrap": bootstrap,
            "confidence": confidence,
        }
    )
    has_prior = switch_of("bayesian", bayesian)
    check_missing(missing, "refuse", "drop")
    sample, notes = _observations(values, listed("ignore", ignore), backend)
    dropped = 0
    if missing == "drop":
        sample, weights, dropped = _without_missing(sample, weights)
    observations = numbers("values", sample, None)
    counts = optional_numbers("weights", weights, len(observations))
    if dropped > 0:
        notes.append(f"rows left out, for a value is missing: {dropped}")
    with Watched("fit", progress) as watch:
        return MixtureFit(
            json.loads(native(backend).fit(options, has_prior, observations, counts, notes, watch)), observations
        )
