# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decisions: parameters of a model, by searches over what is simulated."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._arguments import Array, Seed, constraint_texts, is_scalar, plain_text_of, shown, text_of, texts_of, values_of
from ._backends import native
from ._documentation import documented
from ._models import options_suggested, parameter_texts
from ._progress import ProgressArgument, Watched


@dataclass(frozen=True)
class CertifiedConstraint:
    """A constraint on responses at the decisions, by replications that the search has not seen."""

    constraint: str
    """As it was given."""
    exceeded_by: float
    """How much the limit is exceeded: below 0, the constraint holds."""
    at_least: float
    """Lower bound of that."""
    at_most: float
    """Upper bound: at most 0, the constraint is certified to hold."""
    multiplier: float | None
    """How much better the optimum is if the limit is one larger; None where the model has no derivatives."""
    multiplier_half_width: float | None
    """Of its interval."""


@dataclass(frozen=True)
class Certificate:
    """Whether the decisions meet all constraints on responses."""

    feasibility: str
    """"feasible", "infeasible", or "undecided" by the replications."""
    confidence: float
    """With which all bounds hold together."""
    replications: int
    """That it took."""
    constraints: tuple[CertifiedConstraint, ...]
    """In the order of `subject_to`."""

    def __str__(self) -> str:
        return f"{self.feasibility} with {100 * self.confidence:.6g} % confidence"


@dataclass(frozen=True, repr=False)
class SearchResult:
    """What a search over parameters of a model found."""

    decisions: dict[str, float]
    """The values that it recommends, by the parameters' names; whole numbers are int."""
    mean: float
    """The objective there, estimated on replications that the search has not seen."""
    half_width: float
    """Half of that estimate's interval."""
    improvement: tuple[float, float] | None
    """How much better that is than where the search began, and the half-width of this difference; None where the search
    began at infeasible decisions, so that a better objective would say nothing."""
    solver: str
    """That ran."""
    reason: str
    """Why it was chosen; empty where it was asked for."""
    replications: int
    """That the search used."""
    stopped_by: str
    """Why it ended."""
    trace: list[dict[str, Any]]
    """How it got there: "replications", "decisions" and "objective" of some points, the first and the last among them."""
    starts: int
    """Number of starts that the solver searched from; a local search does not see what lies elsewhere."""
    ended_at_start: bool
    """Whether the search found no better decisions than those where it began."""
    at_bounds: dict[str, str]
    """Decisions that ended at a bound, each with "lower" or "upper"."""
    better_neighbours: list[dict[str, Any]]
    """Changes of one decision that improve the objective: "decision", "step", "improvement" and "half_width"; empty where
    none was found. With any, the decisions are not even locally optimal."""
    other_responses: dict[str, tuple[float, float]]
    """Mean responses at the decisions that are neither in the objective nor in constraints, with half-widths."""
    _json: dict[str, Any]

    @property
    def x(self) -> Array:
        """The decisions in the order of `over`."""
        return np.array(list(self.decisions.values()), dtype=np.float64)

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the objective."""
        return self.mean - self.half_width, self.mean + self.half_width

    @property
    def certificate(self) -> Certificate | None:
        """Whether the decisions meet the constraints on responses; None where there are none."""
        told = self._json.get("constraints_on_responses")
        if told is None:
            return None
        constraints = tuple(CertifiedConstraint(**one) for one in told["constraints"])
        return Certificate(told["feasibility"], told["confidence"], told["replications"], constraints)

    @property
    def optimality_gap(self) -> dict[str, Any] | None:
        """How much better other decisions can be: "bound" with `confidence`; None where it was not bounded."""
        gap: dict[str, Any] | None = self._json["optimality_gap"]
        return gap

    def to_dict(self) -> dict[str, Any]:
        """What `sporos optimize --format json` writes."""
        return self._json

    def __repr__(self) -> str:
        told = [", ".join(f"{name} {value:.6g}" for name, value in self.decisions.items())]
        told.append(f"objective {_number(self.mean)} ± {_number(self.half_width)} by {self.solver}")
        if self.certificate:
            told.append(str(self.certificate))
        if self.improvement is None:
            told.append("the start is infeasible")
        return f"SearchResult({'; '.join(told)})"


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.6g}"


def _improvement(told: dict[str, Any]) -> tuple[float, float] | None:
    excesses = told["points"][0].get("exceeded_by", ())
    is_start_infeasible = any(
        excess["mean"] is not None and excess["half_width"] is not None and excess["mean"] > excess["half_width"]
        for excess in excesses
    )
    if is_start_infeasible or told["improvement"]["mean"] is None:
        return None
    return _mean_of(told["improvement"])


def _mean_of(estimate: Mapping[str, Any]) -> tuple[float, float]:
    mean, half_width = estimate["mean"], estimate["half_width"]
    return (math.nan if mean is None else mean, math.nan if half_width is None else half_width)


def _over_texts(over: Any) -> list[str]:
    if not isinstance(over, Mapping):
        raise TypeError(f"over is {shown(over)}, expected a dictionary such as {{'service_rate': (0.6, 10)}}")
    texts = []
    for name, ends in over.items():
        what = f"over[{name!r}]"
        pair = _ends_of(what, ends)
        texts.append(f"{name}={text_of(what, pair[0])}:{text_of(what, pair[1])}")
    return texts


def _ends_of(what: str, given: Any) -> list[Any]:
    """The smallest and the largest value, of a pair or of a range of whole numbers."""
    if isinstance(given, range):
        if given.step != 1 or len(given) < 2:
            raise ValueError(f"{what} is {given}, expected a range of at least two values in steps of 1, as range(1, 9)")
        return [given[0], given[-1]]
    pair = [] if is_scalar(given) else list(given) if isinstance(given, tuple) else values_of(what, given)
    if len(pair) != 2:
        raise ValueError(f"{what} is {shown(given)}, expected a pair: the smallest and the largest value, as (1, 8)")
    return pair


def _draw_texts(draw: Mapping[str, str] | None) -> list[str]:
    if draw is None:
        return []
    if not isinstance(draw, Mapping):
        raise TypeError(f"draw is {shown(draw)}, expected a dictionary such as {{'service_rate': 'exponential(0.5)'}}")
    return [f"{name}={plain_text_of(f'draw[{name!r}]', text)}" for name, text in draw.items()]


@documented("optimize model")
def model(
    model: str,
    *,
    over: Mapping[str, Any],
    minimize: str | None = None,
    maximize: str | None = None,
    plus: str | None = None,
    draw: Mapping[str, str] | None = None,
    subject_to: str | Sequence[str] | None = None,
    feasible_with: float | None = None,
    solver: str | None = None,
    starts: int | None = None,
    gradient: str | None = None,
    replications: int | None = None,
    macro_replications: int | None = None,
    sample_size: int | None = None,
    step: float | None = None,
    final_replications: int | None = None,
    gap_batches: int | None = None,
    seed: Seed = None,
    confidence: float | None = None,
    time_limit: float | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
    **parameters: Any,
) -> SearchResult:
    """Decides parameters of a model, so that an expression of its mean responses is as small or large as possible.

    `sporos.optimize(...)` is the same.

    Parameters
    ----------
    model : str
        The model's name, as `sporos.models()` lists it.
    over : dict
        The parameters to be decided, each with its smallest and largest value, which may be infinite, or a range of whole
        numbers: ``{'service_rate': (0.6, 10), 'servers': range(1, 9)}``.
    {options}
    **parameters : number, str or dict
        The model's other parameters; of one that is decided, where the search begins. A case is a file, or what it would
        hold; its members are parameters, by their paths: ``over={'stations.triage.servers': (1, 8)}``.

    Returns
    -------
    SearchResult
        With the `decisions`, and the objective's `mean`, `half_width` and `interval` there.

    Raises
    ------
    ValueError, TypeError
        For what cannot be carried out, in one sentence.
    RuntimeError
        Where the budget is too small for the solver.

    Notes
    -----
    The options are those of the command line, and None leaves to them what is usual there.

    Examples
    --------
    >>> import sporos
    >>> found = sporos.optimize("mm1", customers=200, over={'service_rate': (0.6, 10)},
    ...                         minimize="time in system + 0.1 * service_rate^2", replications=2000)
    >>> 1.8 < found.decisions["service_rate"] < 2.3
    True
    """
    options = texts_of(
        {
            "minimize": minimize,
            "maximize": maximize,
            "plus": plus,
            "feasible_with": feasible_with,
            "solver": solver,
            "starts": starts,
            "gradient": gradient,
            "replications": replications,
            "macro_replications": macro_replications,
            "sample_size": sample_size,
            "step": step,
            "final_replications": final_replications,
            "gap_batches": gap_batches,
            "seed": seed,
            "confidence": confidence,
            "time_limit": time_limit,
        }
    )
    plain_text_of("model", model)
    decided = _over_texts(over)
    draws = _draw_texts(draw)
    constraints = constraint_texts(subject_to)
    values = parameter_texts(model, parameters)
    module = native(backend)
    with options_suggested(_of_module), Watched(f"optimize {model}", progress) as watch:
        told = json.loads(module.optimize_model(model, options, decided, draws, constraints, values, watch))
    return SearchResult(
        told["decisions"],
        told["estimate"]["mean"],
        told["estimate"]["half_width"],
        _improvement(told),
        told["solver"],
        told["reason"] or "",
        told["replications"],
        told["stopped_by"],
        told["points"],
        told["starts"],
        told["ended_at_start"],
        {name: side for side in ("lower", "upper") for name in told[f"at_{side}_bound"]},
        told["neighbours"]["better"],
        {name: _mean_of(estimate) for name, estimate in told["other_responses"].items()},
        told,
    )


_of_module = model  # in which that is the name of a parameter
