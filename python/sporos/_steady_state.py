# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Means of models that run without end."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from ._arguments import Seed, plain_text_of, text_of, texts_of
from ._backends import native
from ._documentation import documented
from ._models import options_suggested
from ._progress import ProgressArgument, Watched


@dataclass(frozen=True, repr=False)
class SteadyStateMean:
    """The steady-state mean of a response. Counts are in observations of a run."""

    name: str
    """The response."""
    mean: float
    """Of the observations used; nan without an interval."""
    low: float
    """Lower end of its confidence interval; -inf without one."""
    high: float
    """Upper end; inf likewise."""
    warm_up: int
    """Observations cut at the beginning."""
    used: int
    """Observations behind the cut."""
    batch_size: int
    """Observations in a batch; 0 where there are none."""
    batches: int
    """Batches, runs or cycles."""
    degrees_of_freedom: float
    """Of the interval."""
    exact: float | None
    """The mean, where theory knows it."""
    lack: str | None
    """Why there is no interval; None where there is one."""

    @property
    def interval(self) -> tuple[float, float]:
        """The two ends of the confidence interval."""
        return self.low, self.high

    @property
    def half_width(self) -> float:
        """The longer side of the interval; inf without one."""
        return max(self.high - self.mean, self.mean - self.low) if self.lack is None else math.inf

    def __repr__(self) -> str:
        exact = "" if self.exact is None else f", exact {self.exact:.6g}"
        return f"SteadyStateMean({self.name}: {self.mean:.6g}, {self.low:.6g} to {self.high:.6g}{exact})"


@dataclass(frozen=True, repr=False)
class SteadyState:
    """Steady-state means of a model."""

    means: tuple[SteadyStateMean, ...]
    """One for each response that the model observes in runs without end."""
    observations: int
    """Made of each run."""
    runs: int
    """How many."""
    method: str
    """By which the means are estimated."""
    stopped_by: str
    """Why there are no more: precision, observations, budget (before the precision), time or interrupted."""
    _json: dict[str, Any]

    def __getitem__(self, response: str) -> SteadyStateMean:
        for mean in self.means:
            if mean.name == response:
                return mean
        raise KeyError(f"{response!r} is no response: expected {', '.join(mean.name for mean in self.means)}")

    def to_dict(self) -> dict[str, Any]:
        """What `sporos simulate --steady-state --format json` writes."""
        return self._json

    def __repr__(self) -> str:
        return f"SteadyState({', '.join(map(repr, self.means))}; stopped by {self.stopped_by})"


@documented("steady state")
def steady_state(
    model: str,
    *,
    method: str | None = None,
    precision: float | None = None,
    relative_precision: float | None = None,
    observations: int | None = None,
    runs: int | None = None,
    confidence: float | None = None,
    seed: Seed = None,
    time_limit: float | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
    **parameters: Any,
) -> SteadyState:
    """Estimates the means of a model in steady state, from runs without end.

    Parameters
    ----------
    model : str
        The model's name, one that observes series, such as mm1.
    {options}
    **parameters : number
        The model's parameters.

    Returns
    -------
    SteadyState
        With a `SteadyStateMean` for each response: mean, interval, warm-up cut.

    Raises
    ------
    ValueError, TypeError
        For what cannot be carried out, in one sentence.

    Notes
    -----
    The options are those of the command line, and None leaves to them what is usual there.

    Examples
    --------
    >>> import sporos
    >>> found = sporos.steady_state("mm1", relative_precision=0.05, seed=1)
    >>> found["time in queue"].low < 1 < found["time in queue"].high, found.stopped_by
    (True, 'precision')
    """
    options = texts_of(
        {
            "method": method,
            "precision": precision,
            "relative_precision": relative_precision,
            "observations": observations,
            "runs": runs,
            "confidence": confidence,
            "seed": seed,
            "time_limit": time_limit,
        }
    )
    for name in ("quantiles", "probabilities", "densities", "histogram"):
        if parameters.get(name) is not None:
            raise TypeError(
                f"{name} is given to steady_state, whose runs keep averages and no single observations: for the "
                "distribution of single waits, use sporos.simulate('network', case=...) and a case with warm_up, "
                "wait_quantiles and wait_limits"
            )
    plain_text_of("model", model)
    values = {name: text_of(name, value) for name, value in parameters.items() if value is not None}
    module = native(backend)
    with options_suggested(steady_state), Watched(f"steady_state {model}", progress) as watch:
        told = json.loads(module.steady_state(model, options, values, watch))
    means = tuple(
        SteadyStateMean(
            one["name"],
            math.nan if one["mean"] is None else one["mean"],
            -math.inf if one["low"] is None else one["low"],
            math.inf if one["high"] is None else one["high"],
            *(one[key] for key in ("warm_up", "used", "batch_size", "batches", "degrees_of_freedom", "exact", "lack")),
        )
        for one in told["responses"]
    )
    return SteadyState(means, told["observations"], told["runs"], told["method"], told["stopped_by"], told)
