# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares solvers on problems, including your own solvers."""

from __future__ import annotations

import json
import queue
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import numpy as np

from ._arguments import Array, Seed, given_texts, shown
from ._backends import native, native_of
from ._documentation import documented
from ._executor import checked_executor, results_of
from ._progress import ProgressArgument, Watched
from ._result import Result


class BudgetSpent(Exception):
    """Raised by a `Run` that has too few replications left. The run ends with its last recommendation."""


class Run:
    """A macro-replication of your own solver on a problem. A call of it estimates the objective.

    Examples
    --------
    >>> import numpy, sporos
    >>> def random_search(run):
    ...     random, best = numpy.random.default_rng(run.seed), numpy.inf
    ...     while True:
    ...         x = run.start * random.uniform(0.2, 2, len(run.start))
    ...         mean = run(x, replications=20)
    ...         if mean < best:
    ...             best = mean
    ...             run.recommend(x)
    >>> result = sporos.compare_solvers(problems="mm1", solvers=[random_search], macroreplications=2, budget=400)
    >>> result.table("comparison")["solver"].tolist()
    ['random_search']
    """

    start: Array
    """Initial values of the decision variables."""
    low: Array
    """Lower bounds of the decision variables."""
    high: Array
    """Upper bounds of the decision variables; may be infinite."""
    whole: list[bool]
    """Whether each decision variable takes only whole numbers."""
    budget: int
    """Total number of replications."""
    left: int
    """Number of replications left."""
    seed: int
    """Seed of the run, for random choices of the solver."""

    def __init__(self, start: Array, low: Array, high: Array, whole: list[bool], budget: int, seed: int) -> None:
        self.start, self.low, self.high, self.whole = start, low, high, whole
        self.budget = self.left = budget
        self.seed = seed
        self._requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._recommended: list[float] | None = None

    def __call__(self, points: Any, replications: int = 1) -> Any:
        """Estimates the objective, which is minimized, at one point or at each row of an array.

        All points of a call use common random numbers; different calls are independent. A point that violates bounds
        or linear constraints is projected onto them.

        Parameters
        ----------
        points : array_like, shape (n,) or (m, n)
            One point, or a point in each row.
        replications : int
            Number of replications at each point; default: 1.

        Returns
        -------
        float or array, shape (m,)
            Mean of the objective at each point.

        Raises
        ------
        BudgetSpent
            If fewer replications are left.
        """
        rows = np.atleast_2d(np.asarray(points, dtype=np.float64))
        if rows.ndim != 2 or rows.shape[1] != len(self.start) or not np.isfinite(rows).all():
            raise ValueError(f"points are {shown(points)}, expected rows of {len(self.start)} finite numbers")
        count = int(replications)
        if count < 1:
            raise ValueError(f"replications is {shown(replications)}, expected at least 1")
        if count * len(rows) > self.left:
            raise BudgetSpent
        self.left -= count * len(rows)
        self._requests.put((rows.tolist(), count, self._taken()))
        means = self._answers.get()
        if means is None:
            raise BudgetSpent
        return means if np.ndim(points) == 2 else float(means[0])

    def recommend(self, x: Any) -> None:
        """Recommends a point as the solution at the current number of replications.

        Parameters
        ----------
        x : array_like, shape (n,)
            The point, which replaces earlier recommendations.
        """
        self._recommended = [float(one) for one in np.asarray(x, dtype=np.float64).ravel()]

    def _taken(self) -> list[float] | None:
        recommended, self._recommended = self._recommended, None
        return recommended


class _Runs:
    """Runs of a function, each on a separate thread, so that they advance together."""

    def __init__(self, solver: Callable[[Run], Any]) -> None:
        self._solver = solver
        self._runs: list[Run] = []

    def begin(self, *arguments: Any) -> int:
        self._runs.append(Run(*arguments))
        return len(self._runs) - 1

    def advance(self, number: int, means: Array | None) -> tuple[Any, int, Any]:
        run = self._runs[number]
        if means is None:
            threading.Thread(target=self._serve, args=(run,), daemon=True).start()
        else:
            run._answers.put(means)
        request = run._requests.get()
        if isinstance(request, BaseException):
            raise request
        valid: tuple[Any, int, Any] = request
        return valid

    def close(self) -> None:
        """Ends the threads of unfinished runs."""
        for run in self._runs:
            run._answers.put(None)

    def _serve(self, run: Run) -> None:
        try:
            self._solver(run)
        except BudgetSpent:
            pass
        except BaseException as error:  # `advance` raises it again in the caller's thread
            run._requests.put(error)
            return
        run._requests.put((None, 0, run._taken()))


def _names(what: str, names: str | Sequence[str]) -> str:
    if isinstance(names, str):
        return names
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f"{what} is {shown(names)}, expected names")
    return ",".join(names)


def _problems(given: Any) -> tuple[str, str | None]:
    """Returns the model in Python whose problems are given, or an empty text, and the names of the problems."""
    models = [one for one in ([given] if isinstance(given, (str, type)) else given) if not isinstance(one, str)]
    if not models:
        return "", _names("problems", given)
    from ._model import ModelName, definition_of  # packages of your own models have none in Python

    definition = definition_of(models[0])
    if definition is None or isinstance(given, (list, tuple)) and len(given) > 1:
        raise TypeError(
            f"problems is {shown(given)}, expected names of problems, or one model in Python, all of whose problems are meant"
        )
    return ModelName(definition), ",".join(one.name for one in definition.problems) or None


def _cell(model: str, backend: str | None, options: dict[str, str]) -> dict[str, bytes]:
    """Runs a solver on a problem on a worker and returns the files of its runs."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            native_of(model, "compare_solvers", backend).compare_solvers({**options, "keep": folder}, {}, None)
        except ValueError:  # the solver does not support the problem; the comparison of all reports it
            pass
        return {file.name: file.read_bytes() for file in Path(folder).iterdir()}


def _run_cells(executor: Executor, model: str, backend: str | None, options: dict[str, str], folder: Path, watch: Any) -> None:
    """Runs the named solvers on all problems on the workers of the executor, and stores the runs in the folder."""
    if "time_limit" in options:
        raise ValueError("time_limit is given with executor, which runs all solvers: expected one of them")
    names = options["problems"].split(",")
    if names == ["all"]:
        names = [problem["name"] for problem in problems()]
    cells = [
        {**options, "problems": problem, "solvers": solver}
        for problem in names
        for solver in options.get("solvers", "").split(",")
        if solver
    ]
    for cell in cells:
        cell.pop("reference", None)
    tasks = [(model, backend, cell) for cell in cells]
    for files in results_of(checked_executor(executor), _cell, tasks, "compare_solvers", watch):
        for name, contents in files.items():
            if not (folder / name).exists():
                (folder / name).write_bytes(contents)


@documented("compare-solvers")
def compare_solvers(
    *,
    problems: str | Sequence[str] | type,
    solvers: str | Sequence[str | Callable[[Run], Any]],
    macroreplications: int | None = None,
    budget: int | None = None,
    post_replications: int | None = None,
    seed: Seed = None,
    keep: str | None = None,
    time_limit: float | None = None,
    solved_below: float | None = None,
    quantile: float | None = None,
    reference: str | None = None,
    bootstraps: int | None = None,
    confidence: float | None = None,
    backend: str | None = None,
    executor: Executor | None = None,
    progress: ProgressArgument = None,
) -> Result:
    """Runs macro-replications of solvers on problems, and compares their progress towards the known optima.

    Parameters
    ----------
    problems : str, sequence of str, or class
        Names of problems, from `sporos.problems()`, or 'all'; or a model in Python with `problems`.
    solvers : str or sequence of str or callable
        Names of solvers, or your own functions. A function is called with a `Run` for each macro-replication. It calls
        the `Run` to estimate the objective, and recommends points. The runs of a function advance together, each on a
        separate thread. Its `__name__` is the name of the solver.
    {options}
    executor : concurrent.futures.Executor, optional
        Workers that run the named solvers, each with all macro-replications on one problem. The result is that without
        it. The runs of a lost worker are repeated. Your own functions run in this process.

    Returns
    -------
    Result
        The comparison, with these tables:

        - "comparison": area under the progress curve, final optimality gap, solve time and fraction of solved runs of
          each solver on each problem, with intervals
        - "curves": progress over the fraction of the budget
        - "solvers" and "profiles": each solver over all problems
        - "ends": the end of each run
        - "left_out": solvers that do not support a problem

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid. Exceptions of your own functions are passed on.

    Examples
    --------
    >>> import sporos
    >>> def halving(run):
    ...     x, step = run.start.copy(), 1.0
    ...     while True:
    ...         means = run([x, x - step, x + step], replications=10)
    ...         x = x + (0, -step, step)[int(means.argmin())]
    ...         step = step / 2 if means.argmin() == 0 else step
    ...         run.recommend(x)
    >>> result = sporos.compare_solvers(problems="mm1", solvers=["astro-df", halving], macroreplications=2, budget=600)
    >>> mine = result.table("comparison").where(solver="halving")
    >>> bool(mine["gap_left"][0] < 0.5)
    True
    """
    if isinstance(solvers, str):
        solvers = solvers.split(",")
    named = [one for one in solvers if isinstance(one, str)]
    functions = {}
    for one in solvers:
        if isinstance(one, str):
            continue
        if not callable(one):
            raise TypeError(f"solvers holds {shown(one)}, expected names and functions")
        functions[getattr(one, "__name__", type(one).__name__)] = _Runs(one)
    model, names = _problems(problems)
    options = given_texts(compare_solvers, locals(), "problems", "solvers")
    if names:
        options["problems"] = names
    if named:
        options["solvers"] = ",".join(named)
    module = native_of(model, "compare_solvers", backend)
    try:
        with tempfile.TemporaryDirectory() as folder, Watched("compare_solvers", progress) as watch:
            if executor is not None:
                options.setdefault("keep", folder)
                Path(options["keep"]).mkdir(parents=True, exist_ok=True)
                own = {name: text for name, text in options.items() if name != "keep"}
                _run_cells(executor, model, backend, own, Path(options["keep"]), watch)
            result = Result(module.compare_solvers(options, functions, watch))
    finally:
        for runs in functions.values():
            runs.close()
    return result


def problems() -> list[dict[str, Any]]:
    """Returns the problems that solvers can be compared on.

    Returns
    -------
    list of dict
        Name, model, decision variables, objective, constraints, budget, optimum and other properties of each problem.

    Examples
    --------
    >>> import sporos
    >>> "san-1" in [problem["name"] for problem in sporos.problems()]
    True
    """
    known: list[dict[str, Any]] = json.loads(native().problems())
    return known
