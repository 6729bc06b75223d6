# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranking and selection: the best of many systems of a model, with a guarantee."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ._arguments import Seed, constraint_texts, is_scalar, plain_text_of, shown, text_of, texts_of, values_of
from ._backends import native
from ._documentation import documented
from ._models import options_suggested, parameter_texts
from ._progress import ProgressArgument, Watched
from ._result import Result


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
) -> Result:
    """Selects the best of many systems of a model with a guarantee.

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
    Result
        Its table "survivors" has the selected system first: its number, the parameters that differ between systems, its
        mean and half-width; of constraints also what is compared with each limit ("constraint_1"). It is empty if a
        known standard is retained or no system is feasible; then "nearest_infeasible" has the nearest one. "failed" has
        the systems without a result, and "stages" the survivors after each stage. `findings` has the "guarantee", which
        is None after an early end or a budget.

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
    >>> found.table("survivors")["servers"].tolist(), found.stopped_by
    ([1], 'guarantee')
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
        return Result(
            json.loads(
                module.select_system(model, options, _over_texts(over), _sum_texts(sums), constraints, values, watch)
            )
        )
