# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Distributes work over the workers of a `concurrent.futures.Executor`."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any

from ._arguments import shown, whole_of

_Report = Callable[[dict[str, Any]], bool]


def checked_executor(executor: Any) -> Executor:
    """Returns the executor. Raises TypeError if it is none."""
    if not isinstance(executor, Executor):
        raise TypeError(
            f"executor is {shown(executor)}, expected a concurrent.futures.Executor, such as a ProcessPoolExecutor or "
            "client.get_executor() of Dask"
        )
    return executor


def number_of_parts(executor: Executor, parts: int | None) -> int:
    """Returns the number of parts of the work; default: two for each worker of a pool, or for each processor here."""
    if parts is not None:
        return whole_of("parts", parts, 1)
    workers = getattr(executor, "_max_workers", None)
    return 2 * (workers if isinstance(workers, int) and workers > 0 else os.cpu_count() or 1)


def _outcome(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, BaseException | None]:
    """Returns (value, None) or (None, exception). A worker thus returns errors of the work and raises only its own."""
    try:
        return function(*arguments), None
    except Exception as error:
        return None, error


class _Work:
    """Tasks that an executor computes, some of which may get lost with their workers."""

    _attempts = 2

    def __init__(
        self, executor: Executor, function: Callable[..., Any], tasks: Sequence[Sequence[Any]], what: str,
        on_result: Callable[[int, Any], None] | None
    ) -> None:
        self._executor, self._function, self._tasks, self._what = executor, function, tasks, what
        self._values: dict[int, Any] = {}
        self._open: dict[Future[Any], int] = {}
        self._lost = [0] * len(tasks)
        self._on_result = on_result

    def results(self, report: _Report | None) -> list[Any]:
        start = time.monotonic()
        try:
            for place in range(len(self._tasks)):
                self._submit(place)
            while self._open:
                done, _ = wait(self._open, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(future)
                state = {"done": len(self._values), "at_most": len(self._tasks), "seconds": time.monotonic() - start}
                if report is not None and not report(state):
                    raise RuntimeError(f"{self._what} was stopped by its progress function: there is no result")
        finally:
            for future in self._open:
                future.cancel()
        return [self._values[place] for place in range(len(self._tasks))]

    def _submit(self, place: int) -> None:
        try:
            future = self._executor.submit(_outcome, self._function, self._tasks[place])
        except Exception as error:  # the pool is broken or shut down
            self._compute_here(place, error)
        else:
            self._open[future] = place

    def _take(self, future: Future[Any]) -> None:
        place = self._open.pop(future)
        try:
            value, error = future.result()
        except Exception as loss:  # the worker is lost, or cannot load the work
            self._lost[place] += 1
            if self._lost[place] < self._attempts:
                self._submit(place)
            else:
                self._compute_here(place, loss)
            return
        except BaseException as loss:  # a cancelled future
            self._compute_here(place, loss)
            return
        self._keep(place, value, error)

    def _keep(self, place: int, value: Any, error: BaseException | None) -> None:
        if error is not None:
            raise error
        self._values[place] = value
        if self._on_result is not None:
            self._on_result(place, value)

    def _compute_here(self, place: int, why: BaseException) -> None:
        warnings.warn(
            f"{self._what}: part {place + 1} of {len(self._tasks)} is computed in this process, because no worker did: "
            f"{type(why).__name__}: {why}",
            RuntimeWarning,
            stacklevel=2,
        )
        self._keep(place, *_outcome(self._function, self._tasks[place]))


def results_of(
    executor: Executor, function: Callable[..., Any], tasks: Sequence[Sequence[Any]], what: str,
    report: _Report | None = None, on_result: Callable[[int, Any], None] | None = None
) -> list[Any]:
    """Returns function(*task) for each task, in order, computed by the workers of the executor.

    A task whose worker is lost is computed again by another worker, or in this process if there is none. The function
    and the tasks must be picklable if the workers are processes. `on_result` receives the place and the value of each
    task when it is complete.
    """
    return _Work(executor, function, tasks, what, on_result).results(report)
