# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizes parameters of a model by simulation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from ._arguments import Seed, constraint_texts, given_texts, is_scalar, plain_text_of, shown, text_of, values_of
from ._backends import host_backend, native_of
from ._documentation import documented
from ._executor import checked_executor, number_of_parts, results_of
from ._models import ModelArgument, named_model, options_suggested, parameter_texts
from ._progress import ProgressArgument, Watched
from ._result import Result


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
    """Returns the lower and the upper bound from a pair or a range of whole numbers."""
    if isinstance(given, range):
        if given.step != 1 or len(given) < 2:
            raise ValueError(f"{what} is {given}, expected a range of at least two values in steps of 1, such as range(1, 9)")
        return [given[0], given[-1]]
    pair = [] if is_scalar(given) else list(given) if isinstance(given, tuple) else values_of(what, given)
    if len(pair) != 2:
        raise ValueError(f"{what} is {shown(given)}, expected a pair of lower and upper bound, such as (1, 8)")
    return pair


def _draw_texts(draw: Mapping[str, str] | None) -> list[str]:
    if draw is None:
        return []
    if not isinstance(draw, Mapping):
        raise TypeError(f"draw is {shown(draw)}, expected a dictionary such as {{'service_rate': 'exponential(0.5)'}}")
    return [f"{name}={plain_text_of(f'draw[{name!r}]', text)}" for name, text in draw.items()]


class _Simulations:
    """Simulates the samples of a search on the workers of an executor."""

    def __init__(self, executor: Executor, backend: str | None, arguments: tuple[Any, ...]) -> None:
        self._executor = checked_executor(executor)
        self._most = number_of_parts(executor, None)
        self._backend, self._arguments = backend, arguments

    def __call__(self, samples: list[Any]) -> list[Any]:
        count = max(1, min(self._most, len(samples)))
        cuts = [len(samples) * i // count for i in range(count + 1)]
        tasks = [(self._backend, self._arguments, samples[begin:end]) for begin, end in zip(cuts[:-1], cuts[1:])]
        found = results_of(self._executor, _moments, tasks, f"optimize {self._arguments[0]}")
        return [moments for of_task in found for moments in of_task]


def _moments(backend: str | None, arguments: tuple[Any, ...], samples: list[Any]) -> list[Any]:
    """Simulates samples on a worker and returns their moments."""
    moments: list[Any] = native_of(arguments[0], "optimize", backend).sampled_moments(*arguments, samples)
    return moments


@documented("optimize model")
def model(
    model: ModelArgument,
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
    executor: Executor | None = None,
    progress: ProgressArgument = None,
    **parameters: Any,
) -> Result:
    """Minimizes or maximizes an expression of a model's mean responses over parameters of the model.

    `sporos.optimize(...)` calls this function.

    Parameters
    ----------
    model : str, Network, dict, class or HostModel
        Name of the model, from `sporos.models()`, a network of stations, a model in Python, or one of a Python
        function.
    over : dict
        The decision variables, which are parameters of the model. Each has a lower and an upper bound, which may be
        infinite, or a range of whole numbers: ``{'service_rate': (0.6, 10), 'servers': range(1, 9)}``.
    {options}
    executor : concurrent.futures.Executor, optional
        Workers that simulate the points of the search, such as a `ProcessPoolExecutor`, or `client.get_executor()` of
        Dask, on a backend for hosts. It pays if there are many points at a time, as with macro-replications. The result
        is that without it. The points of a lost worker are simulated again.
    **parameters : number, str or dict
        The model's other parameters, and the starting values of decision variables; default: the model's defaults. A
        `case` is a file name, a `Network` or a dictionary with the contents of a file. The members of a case are
        parameters with dotted names: ``over={'stations.triage.servers': (1, 8)}``.

    Returns
    -------
    Result
        The recommended decision, with these tables:

        - "answer": one row with the decision, its "objective" and the "half_width"
        - "decisions": start, bounds and active bound of each decision variable
        - "objective": objective at the end and at the start, and the improvement
        - "points": the path of the search
        - "responses": mean responses at the end
        - "constraints": constraints on responses with their estimates
        - "better_neighbours": neighbours with a better objective
        - "runs", "ends" and "progress": macro-replications, if there are several

        `findings` has the "solver" used, the "feasibility", the number of "starts" and the bound on the optimality gap
        ("gap_bound").

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.
    RuntimeError
        If the budget is too small for the solver.

    Notes
    -----
    The options are those of `sporos optimize`. None selects the default.

    Examples
    --------
    >>> import sporos
    >>> found = sporos.optimize("mm1", customers=200, over={'service_rate': (0.6, 10)},
    ...                         minimize="time in system + 0.1 * service_rate^2", replications=2000)
    >>> bool(1.8 < found.table()["service_rate"][0] < 2.3)
    True
    """
    model, parameters = named_model(model, parameters)
    options = given_texts(_of_module, locals(), "over", "draw", "subject_to")
    decisions = _over_texts(over)
    draws = _draw_texts(draw)
    constraints = constraint_texts(subject_to)
    values = parameter_texts(model, parameters)
    if executor is not None and backend is None:
        backend = host_backend()
    module = native_of(model, "optimize", backend)
    with options_suggested(_of_module), Watched(f"optimize {model}", progress) as watch:
        arguments = (model, options, decisions, draws, constraints, values)
        own = {name: text for name, text in options.items() if name != "time_limit"}
        workers = None if executor is None else _Simulations(executor, backend, (model, own, *arguments[2:]))
        return Result(module.optimize_model(*arguments, workers, watch))


_of_module = model  # alias for use inside `model`, where this name is a parameter
