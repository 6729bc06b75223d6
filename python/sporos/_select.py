# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranking and selection: selects the best of many systems of a model with a guarantee."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import Array, Seed, constraint_texts, given_texts, is_scalar, shown, text_of, values_of
from ._backends import host_backend, native_of
from ._documentation import documented
from ._executor import checked_executor, number_of_parts, results_of
from ._models import ModelArgument, named_model, options_suggested, parameter_texts
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


_Indices = npt.NDArray[np.int64]


class _SystemWorkers:
    """Makes the replications of a launch on the workers of an executor."""

    _min_rows = 64

    def __init__(self, executor: Executor, backend: str | None, arguments: tuple[Any, ...]) -> None:
        self._executor = checked_executor(executor)
        self._most = number_of_parts(executor, None)
        self._backend, self._arguments = backend, arguments

    def __call__(self, systems: _Indices, ends: _Indices, made: _Indices, first: int, end: int) -> Array:
        count = max(1, min(self._most, (end - first) // self._min_rows))
        cuts = [first + (end - first) * i // count for i in range(count + 1)]
        tasks = []
        for begin, stop in zip(cuts[:-1], cuts[1:]):
            # Rows before those of the first system of the task are left out.
            low, high = int(np.searchsorted(ends, begin, "right")), int(np.searchsorted(ends, stop, "left")) + 1
            before = int(ends[low - 1]) if low > 0 else 0
            rows = (systems[low:high], ends[low:high] - before, made[low:high], begin - before, stop - before)
            tasks.append((self._backend, self._arguments, rows))
        return np.concatenate(results_of(self._executor, _system_rows, tasks, f"select {self._arguments[0]}"))


def _system_rows(backend: str | None, arguments: tuple[Any, ...], rows: tuple[Any, ...]) -> Array:
    """Makes replications of systems on a worker and returns their responses."""
    responses: Array = native_of(arguments[0], "select", backend).system_rows(*arguments, *rows)
    return responses


@documented("select")
def select(
    model: ModelArgument,
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
    max_replications: int | None = None,
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
    executor: Executor | None = None,
    progress: ProgressArgument = None,
    **parameters: Any,
) -> Result:
    """Selects the best of many systems of a model, with a guarantee on the probability of correct selection.

    Parameters
    ----------
    model : str, Network, dict, class or HostModel
        Name of the model, from `sporos.models()`, a network of stations, a model in Python, or one of a Python
        function.
    over : dict, optional
        The parameters that differ between systems, with their values: ``{'servers': range(1, 10)}``. The systems are
        all combinations of the values.
    sums : dict, optional
        Keeps only the systems in which whole-number parameters have a given sum. A key is a tuple of names, such as
        ``('buffer_2', 'buffer_3')``; its value is the sum.
    subject_to : str or sequence of str, optional
        Constraints on mean responses, or on their sums with constant weights: 'work in process <= 12'.
    tolerance : float or sequence of float, optional
        Tolerance of each constraint, or one for all; required with constraints. A system whose mean is within the
        tolerance of the limit may count as feasible or infeasible.
    {options}
    executor : concurrent.futures.Executor, optional
        Workers that make the replications, such as a `ProcessPoolExecutor`, or `client.get_executor()` of Dask, on a
        backend for hosts. The result is that without it. The replications of a lost worker are made again.
    **parameters : number, str or dict
        The model's other parameters, which are identical in all systems; default: the model's defaults. A `case` is a
        file name, a `Network` or a dictionary with the contents of a file. The members of a case are parameters with
        dotted names: ``over={'stations.triage.servers': range(1, 9)}``.

    Returns
    -------
    Result
        The selection, with these tables:

        - "survivors": the selected system in the first row, then the other survivors, with number, parameters, mean and
          half-width, and the left-hand side of each constraint ("constraint_1"). It is empty if a known standard is
          retained or no system is feasible.
        - "nearest_infeasible": the system nearest to feasibility, if no system is feasible
        - "failed": systems without a result
        - "stages": number of survivors after each stage

        `findings["guarantee"]` is the guaranteed probability statement. It is None if the selection ended early or has
        a budget.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.
    RuntimeError
        If all systems fail, or a response is constant over the replications of a system.

    Notes
    -----
    The options are those of `sporos select`. None selects the default.

    Examples
    --------
    >>> import sporos
    >>> found = sporos.select("mmck", over={'servers': [1, 2, 3]}, largest="utilization", delta=0.05, customers=200)
    >>> found.table("survivors")["servers"].tolist(), found.stopped_by
    ([1], 'guarantee')
    """
    model, parameters = named_model(model, parameters)
    constraints = constraint_texts(subject_to)
    options = given_texts(select, locals(), "over", "sums", "subject_to", "tolerance")
    if tolerance is not None:
        given = [tolerance] if is_scalar(tolerance) else values_of("tolerance", tolerance)
        options["tolerance"] = ",".join(text_of("tolerance", value) for value in given)
    values = parameter_texts(model, parameters)
    if executor is not None and backend is None:
        backend = host_backend()
    module = native_of(model, "select", backend)
    with options_suggested(select), Watched(f"select {model}", progress) as watch:
        arguments = (model, options, _over_texts(over), _sum_texts(sums), constraints, values)
        own = {name: text for name, text in options.items() if name not in ("checkpoint", "every", "time_limit")}
        workers = None if executor is None else _SystemWorkers(executor, backend, (model, own, *arguments[2:]))
        return Result(module.select_system(*arguments, workers, watch))
