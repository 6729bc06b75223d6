# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Solvers compared on problems, your own among them."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ._arguments import Array, Seed, shown, texts_of
from ._backends import native
from ._documentation import documented
from ._progress import ProgressArgument, Watched
from ._result import Result


class BudgetSpent(Exception):
    """Raised by a run where more replications are asked for than are left: the run ends with what it recommended."""


class Run:
    """What one run of a solver of one's own is told, and how it asks for replications."""

    start: Array
    """Where it begins."""
    low: Array
    """The least value of each decision."""
    high: Array
    """The greatest; may be infinite."""
    whole: list[bool]
    """Whether the decision takes whole numbers alone."""
    budget: int
    """Replications in all."""
    left: int
    """Replications that are left."""
    seed: int
    """Of the run, for random choices of the solver."""

    def __init__(self, start: Array, low: Array, high: Array, whole: list[bool], budget: int, seed: int) -> None:
        self.start, self.low, self.high, self.whole = start, low, high, whole
        self.budget = self.left = budget
        self.seed = seed
        self._asked: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._told: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._recommended: list[float] | None = None

    def __call__(self, points: Any, replications: int = 1) -> Any:
        """Means of the objective, which is to be minimized, at one point or at each row of points.

        All points of a call have the same random numbers, and those of two calls differ. A point outside the bounds or
        beside linear constraints is moved to the nearest one within them.
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
        self._asked.put((rows.tolist(), count, self._taken()))
        means = self._told.get()
        if means is None:
            raise BudgetSpent
        return means if np.ndim(points) == 2 else float(means[0])

    def recommend(self, x: Any) -> None:
        """The point that the run would end with, if it ended here."""
        self._recommended = [float(one) for one in np.asarray(x, dtype=np.float64).ravel()]

    def _taken(self) -> list[float] | None:
        recommended, self._recommended = self._recommended, None
        return recommended


class _Runs:
    """The runs of a function, each on a thread of its own, so that they advance side by side."""

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
            run._told.put(means)
        asked = run._asked.get()
        if isinstance(asked, BaseException):
            raise asked
        wanted: tuple[Any, int, Any] = asked
        return wanted

    def close(self) -> None:
        """Ends the threads of runs that were not carried to their end."""
        for run in self._runs:
            run._told.put(None)

    def _serve(self, run: Run) -> None:
        try:
            self._solver(run)
        except BudgetSpent:
            pass
        except BaseException as error:  # `advance` raises it again in the caller's thread
            run._asked.put(error)
            return
        run._asked.put((None, 0, run._taken()))


def _names(what: str, names: str | Sequence[str]) -> str:
    if isinstance(names, str):
        return names
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f"{what} is {shown(names)}, expected names")
    return ",".join(names)


@documented("compare-solvers")
def compare_solvers(
    *,
    problems: str | Sequence[str],
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
    progress: ProgressArgument = None,
) -> Result:
    """Runs solvers on problems again and again, and compares their progress towards the known optima.

    Parameters
    ----------
    problems : str or sequence of str
        Names of problems, as `sporos.problems()` lists them, or 'all'.
    solvers : sequence of str or callable
        Names of solvers, and functions of one's own, which are known by their names: each is called with a `Run` for
        each macro-replication, calls it for means at points, and recommends points. All runs of a function advance side
        by side, each on a thread of its own.
    {options}

    Returns
    -------
    Result
        Its table "comparison" has a row for each solver on each problem: the area under progress, the gap that is left
        at the end, solve time and share of runs that solved the problem, with intervals. "curves" has progress over the
        part of the budget, "solvers" and "profiles" have each solver over all problems, "ends" has the end of each run,
        and "left_out" the solvers that do not fit a problem.

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
    own = {}
    for one in solvers:
        if isinstance(one, str):
            continue
        if not callable(one):
            raise TypeError(f"solvers holds {shown(one)}, expected names and functions")
        own[getattr(one, "__name__", type(one).__name__)] = _Runs(one)
    options = texts_of(
        {
            "solvers": ",".join(named) or None,
            "problems": _names("problems", problems),
            "macroreplications": macroreplications,
            "budget": budget,
            "post_replications": post_replications,
            "seed": seed,
            "keep": keep,
            "time_limit": time_limit,
            "solved_below": solved_below,
            "quantile": quantile,
            "reference": reference,
            "bootstraps": bootstraps,
            "confidence": confidence,
        }
    )
    module = native(backend)
    try:
        with Watched("compare_solvers", progress) as watch:
            told = json.loads(module.compare_solvers(options, own, watch))
    finally:
        for runs in own.values():
            runs.close()
    return Result(told)


def problems() -> list[dict[str, Any]]:
    """The problems that solvers can be compared on, with all that is known of them.

    >>> import sporos
    >>> "san-1" in [problem["name"] for problem in sporos.problems()]
    True
    """
    known: list[dict[str, Any]] = json.loads(native().problems())
    return known
