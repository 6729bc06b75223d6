# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits of normal mixtures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import Array, Seed, numbers, optional_numbers, range_text, shown, switch_of, texts_of
from ._backends import native
from ._documentation import documented
from ._progress import ProgressArgument, Watched
from ._table import Table, check_missing, is_missing, is_table, listed


@dataclass(frozen=True)
class Component:
    """A component of a mixture, or the standard errors of one, where NaN is what has none."""

    weight: float
    """Its share."""
    mean: float
    """Its mean."""
    deviation: float
    """Its standard deviation."""


@dataclass(frozen=True, repr=False)
class SizeFit:
    """The best fit of some number of components."""

    components: tuple[Component, ...]
    """By increasing mean."""
    standard_errors: tuple[Component, ...]
    """Of each component's numbers, from the observed information."""
    log_likelihood: float
    """Of the sample."""
    log_posterior: float
    """The same and the prior's, where there is one."""
    bic: float
    """Schwarz' criterion; less is better."""
    aic: float
    """Akaike's."""
    icl: float
    """That of Biernacki, Celeux and Govaert."""
    reached: int
    """Starts that ended here."""
    starts_at_floor: int
    """Starts that ended with a deviation at the floor, which are left out if others ended above it."""
    is_at_floor: bool
    """Whether a deviation of this fit is the floor, since all starts ended there."""

    def __repr__(self) -> str:
        figures = f"log-likelihood {self.log_likelihood:.6g}, BIC {self.bic:.6g}"
        return f"SizeFit({len(self.components)} components, {figures})"

    @property
    def weights(self) -> Array:
        """Of the components."""
        return np.array([component.weight for component in self.components])

    @property
    def means(self) -> Array:
        """Of the components."""
        return np.array([component.mean for component in self.components])

    @property
    def deviations(self) -> Array:
        """Of the components."""
        return np.array([component.deviation for component in self.components])

    def log_densities(self, values: npt.ArrayLike) -> Array:
        """ln of weight times density of each component at each value, n × k."""
        points = numbers("values", values, None)[:, np.newaxis]
        standardized = (points - self.means) / self.deviations
        with np.errstate(divide="ignore"):  # a component without weight
            constants = np.log(self.weights / self.deviations) - 0.5 * np.log(2 * np.pi)
        densities: Array = constants - 0.5 * standardized * standardized
        return densities

    def probabilities(self, values: npt.ArrayLike) -> Array:
        """How likely each value comes from each component, n × k."""
        logs = self.log_densities(values)
        shares = np.exp(logs - logs.max(axis=1, keepdims=True))
        probabilities: Array = shares / shares.sum(axis=1, keepdims=True)
        return probabilities

    def labels(self, values: npt.ArrayLike) -> npt.NDArray[np.intp]:
        """The component, from 0, that each value most likely comes from."""
        labels: npt.NDArray[np.intp] = self.log_densities(values).argmax(axis=1)
        return labels


@dataclass(frozen=True, repr=False)
class MixtureFit:
    """Fits of mixtures to a sample, and which of them is chosen."""

    sizes: tuple[SizeFit, ...]
    """By increasing number of components."""
    chosen: SizeFit
    """The one with the least criterion."""
    is_whole: bool
    """Or it was stopped before all had converged."""
    notes: list[str]
    """Which numbers of components have fits at the floor of the deviations, and what helps."""
    bootstrap: dict[str, Any] | None
    """Tests and intervals, as the command line's JSON has them."""
    _json: dict[str, Any]
    _values: Array

    def __repr__(self) -> str:
        return f"MixtureFit({self.k} components, chosen from {len(self.sizes)} numbers of them, BIC {self.bic:.6g})"

    @property
    def k(self) -> int:
        """The number of components that is chosen."""
        return len(self.chosen.components)

    @property
    def weights(self) -> Array:
        """Of the chosen mixture."""
        return self.chosen.weights

    @property
    def means(self) -> Array:
        """Of the chosen mixture, increasing."""
        return self.chosen.means

    @property
    def deviations(self) -> Array:
        """Of the chosen mixture."""
        return self.chosen.deviations

    @property
    def bic(self) -> float:
        """Of the chosen mixture."""
        return self.chosen.bic

    @property
    def labels(self) -> npt.NDArray[np.intp]:
        """The component, from 0, that each observation most likely comes from."""
        return self.chosen.labels(self._values)

    def to_records(self) -> list[dict[str, Any]]:
        """A dictionary for each number of components: `pandas.DataFrame(fit.to_records())`."""
        return [
            {
                "components": len(size.components),
                "log_likelihood": size.log_likelihood,
                "bic": size.bic,
                "aic": size.aic,
                "icl": size.icl,
                "reached": size.reached,
                "starts_at_floor": size.starts_at_floor,
                "chosen": size is self.chosen,
            }
            for size in self.sizes
        ]

    def to_dict(self) -> dict[str, Any]:
        """What `sporos fit --format json` writes."""
        return self._json


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _component(json_: dict[str, Any]) -> Component:
    return Component(*(_number(json_[name]) for name in ("weight", "mean", "deviation")))


def _size(json_: dict[str, Any]) -> SizeFit:
    return SizeFit(
        tuple(_component(component) for component in json_["mixture"]),
        tuple(_component(component["standard_errors"]) for component in json_["mixture"]),
        reached=json_["reached"],
        starts_at_floor=json_["starts_at_floor"],
        is_at_floor=any(component["is_at_floor"] for component in json_["mixture"]),
        **{name: _number(json_[name]) for name in ("log_likelihood", "log_posterior", "bic", "aic", "icl")},
    )


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
        return values, weights, 0  # refused as it is
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
        Where Ctrl-C or `progress` have stopped it, the best fits so far, with `is_whole` False.

    Examples
    --------
    >>> import sporos
    >>> fit = sporos.fit([1.0, 1.1, 1.3, 0.8, 5.0, 5.2, 5.3, 4.9, 1.2], components=2)
    >>> fit.labels.tolist()
    [0, 0, 0, 0, 1, 1, 1, 1, 0]
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
    with Watched("fit", progress) as watch:
        told = json.loads(native(backend).fit(options, has_prior, observations, counts, watch))
    del told["data"]["file"], told["data"]["column"], told["data"]["weights"]
    told["data"]["notes"].extend(notes)
    if dropped > 0:
        told["data"]["notes"].append(f"rows left out, for a value is missing: {dropped}")
    sizes = tuple(_size(size) for size in told["fit"]["sizes"])
    chosen = next(size for size in sizes if len(size.components) == told["fit"]["chosen"])
    return MixtureFit(sizes, chosen, told["fit"]["is_whole"], told["notes"], told["bootstrap"], told, observations)
