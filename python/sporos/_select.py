# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranking and selection: the best of many systems of a model, with a guarantee."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._arguments import Seed, constraint_texts, is_scalar, plain_text_of, shown, text_of, texts_of, values_of
from ._backends import native
from ._documentation import documented
from ._models import options_suggested, parameter_texts
from ._progress import ProgressArgument, Watched


@dataclass(frozen=True, repr=False)
class Selection:
    """The system that was selected among many, and what is guaranteed of it."""

    parameters: dict[str, float]
    """Of the system that was selected, those that differ between systems; whole numbers are int. None, and no mean, where a
    known standard was retained, or no system is feasible."""
    mean: float
    """Of its response."""
    half_width: float
    """Half of that mean's interval, as if the system had not been selected."""
    guarantee: str | None
    """What is guaranteed, in a sentence; None where the selection ended early, or with its budget."""
    systems: int
    """How many there were."""
    survivors: list[dict[str, Any]]
    """The best survivors, each with "system", "parameters", "mean", "half_width" and "replications", and where there are
    constraints "constraints", each with "name", "mean" and "half_width" of what is compared with its limit."""
    replications: int
    """Of all systems."""
    steps: list[dict[str, Any]]
    """How many survived how many replications: "stage", "survivors", "replications" and "seconds" of each step."""
    stopped_by: str
    """Why it ended: guarantee, budget, time or interrupted."""
    estimated_correct_selection: float | None
    """The probability that the best system was selected, estimated; None where the procedure does not estimate it."""
    nearest_infeasible: dict[str, Any] | None
    """Where no system is feasible, that which is nearest: "system", "parameters", and of what is compared with the limit of
    "constraint" the "mean" and "half_width" after "replications"."""
    failed: list[dict[str, Any]]
    """Systems without a result, which count as worse than all others: "system", "parameters", how many "failures" there
    are among "replications" (none of which are made where it makes no model), and the "reason". Those with "replications" but
    no "failures" were not compared, since their numbers are all equal and their variance is unknown."""
    _json: dict[str, Any]

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the mean, as if the system had not been selected."""
        return self.mean - self.half_width, self.mean + self.half_width

    def to_dict(self) -> dict[str, Any]:
        """What `sporos select --format json` writes."""
        return self._json

    def __repr__(self) -> str:
        guarantee = " ".join((self.guarantee or f"no guarantee, stopped by {self.stopped_by}").split()).rstrip(".")
        if not self.parameters:
            return f"Selection(none of {self.systems} systems; {guarantee})"
        values = ", ".join(f"{name} {value:.6g}" for name, value in self.parameters.items())
        mean = f"mean {self.mean:.6g} ± {self.half_width:.2g}"
        return f"Selection({values}; {mean}, of {self.systems} systems; {guarantee})"


def _over_texts(over: Any) -> list[str]:
    if over is None:
        return []
    if not isinstance(over, Mapping):
        raise TypeError(f"over is {shown(over)}, expected a dictionary such as {{'servers': [1, 2, 3]}}")
    texts = []
    for name, given in over.items():
        what = f"over[{name!r}]"
        values = [given] if is_scalar(given) else values_of(what, given)
        texts.append(f"{name}=" + ",".join(text_of(what, value) for value in values))
    return texts


def _sum_texts(sums: Any) -> list[str]:
    if sums is None:
        return []
    if not isinstance(sums, Mapping) or not all(isinstance(names, tuple) for names in sums):
        raise TypeError(f"sums is {shown(sums)}, expected a dictionary such as {{('buffer_2', 'buffer_3'): 20}}")
    return ["+".join(names) + "=" + text_of(f"sums[{names!r}]", total) for names, total in sums.items()]


@documented("select")
def select(
    model: str,
    *,
    over: Mapping[str, Any] | None = None,
    sums: Mapping[tuple[str, ...], int] | None = None,
    design: str | os.PathLike[str] | None = None,
    largest: str | None = None,
    smallest: str | None = None,
    subject_to: str | Sequence[str] | None = None,
    tolerance: float | Sequence[float] | None = None,
    procedure: str | None = None,
    delta: float | None = None,
    confidence: float | None = None,
    first_stage: int | None = None,
    rounds: int | None = None,
    batch: float | None = None,
    growth: float | None = None,
    match_size: int | None = None,
    most_replications: int | None = None,
    standard: float | None = None,
    budget: int | None = None,
    allocations: int | None = None,
    phi: float | None = None,
    common_random_numbers: bool | None = None,
    seed: Seed = None,
    time_limit: float | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    every: float | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
    **parameters: Any,
) -> Selection:
    """Selects the best of many systems of a model, and says with what guarantee.

    Parameters
    ----------
    model : str
        The model's name, as `sporos.models()` lists it.
    over : dict, optional
        The parameters that differ between systems, each with its values: ``{'servers': range(1, 10)}``. Systems are all
        combinations.
    sums : dict, optional
        Only systems in which parameters, whole numbers, add up to a total: keys are tuples of names, values the totals.
    subject_to : str or sequence of str, optional
        Constraints on mean responses that systems are to meet, as in 'work in process <= 12': sums of them with constant
        weights.
    tolerance : float or sequence of float, optional
        By how much a constraint may be exceeded or have room without being told to be: one of all, or one of each.
    {options}
    **parameters : number, str or dict
        The model's other parameters, the same in all systems. A case is a file, or what it would hold; its members are
        parameters, by their paths: ``over={'stations.triage.servers': range(1, 9)}``.

    Returns
    -------
    Selection
        With the `parameters` of the selected system, its `mean` and the `guarantee`.

    Raises
    ------
    ValueError, TypeError
        For what cannot be carried out, in one sentence.
    RuntimeError
        Where all systems fail, or a response is the same in all replications of a system.

    Notes
    -----
    The options are those of the command line, and None leaves to them what is usual there.

    Examples
    --------
    >>> import sporos
    >>> found = sporos.select("mmck", over={'servers': [1, 2, 3]}, largest="utilization", delta=0.05, customers=200)
    >>> found.parameters, found.stopped_by
    ({'servers': 1}, 'guarantee')
    """
    constraints = constraint_texts(subject_to)
    options = texts_of(
        {
            "design": design,
            "largest": largest,
            "smallest": smallest,
            "procedure": procedure,
            "delta": delta,
            "confidence": confidence,
            "first_stage": first_stage,
            "rounds": rounds,
            "batch": batch,
            "growth": growth,
            "match_size": match_size,
            "most_replications": most_replications,
            "standard": standard,
            "budget": budget,
            "allocations": allocations,
            "phi": phi,
            "common_random_numbers": common_random_numbers,
            "seed": seed,
            "time_limit": time_limit,
            "checkpoint": checkpoint,
            "every": every,
        }
    )
    if tolerance is not None:
        given = [tolerance] if is_scalar(tolerance) else values_of("tolerance", tolerance)
        options["tolerance"] = ",".join(text_of("tolerance", value) for value in given)
    plain_text_of("model", model)
    values = parameter_texts(model, parameters)
    module = native(backend)
    with options_suggested(select), Watched(f"select {model}", progress) as watch:
        told = json.loads(
            module.select_system(model, options, _over_texts(over), _sum_texts(sums), constraints, values, watch)
        )
    selected = told["selected"] or {"parameters": {}, "mean": math.nan, "half_width": math.inf}
    return Selection(
        selected["parameters"],
        selected["mean"],
        selected["half_width"],
        told["guarantee"],
        told["systems"],
        told["survivors"],
        told["replications"],
        told["steps"],
        told["stopped_by"],
        told["estimated_correct_selection"],
        told["nearest_infeasible"],
        told["failed"],
        told,
    )
