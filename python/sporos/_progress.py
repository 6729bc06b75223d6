# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports the progress of a run to a callback, or as a line on a terminal or below a notebook's cell."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Union

from ._arguments import shown


@dataclass(frozen=True)
class Progress:
    """Progress of a run, as passed to callbacks.

    Examples
    --------
    >>> import sporos
    >>> def enough(progress):
    ...     return progress.done < 1000
    >>> sporos.simulate("pi", replications=10**9, progress=enough).stopped_by
    'interrupted'
    """

    what: str
    """Name of the run, such as simulate mm1, optimize portfolio or fit."""
    seconds: float
    """Seconds since the start."""
    done: int
    """Number of replications or iterations so far."""
    at_most: int | None
    """Maximum number of replications or iterations; None if it is unknown."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """Further quantities of the run, such as the objective and the gap of an optimizer."""

    def __str__(self) -> str:
        share = "" if not self.at_most else f" of at most {self.at_most}, {100 * self.done / self.at_most:.0f} %"
        figures = "".join(
            f", {name.replace('_', ' ')} {value:.6g}" if isinstance(value, float) else f", {name} {value}"
            for name, value in self.figures.items()
        )
        return f"{self.what}: {self.done}{share}{figures}, {self.seconds:.1f} s"


ProgressCallback = Callable[[Progress], Any]
ProgressArgument = Union[bool, ProgressCallback, None]
"""None or False for no output, True for a line, or a function of a `Progress`, which stops the run by returning False."""


class Watched:
    """Converts a `progress` argument to the function that extension modules call, and clears the line at the end."""

    _seconds_between = 0.2

    def __init__(self, what: str, progress: ProgressArgument) -> None:
        self._what = what
        self._shown_at = 0.0
        self._callback: ProgressCallback | None = None
        if progress is True:
            self._callback = self._show
        elif callable(progress):
            self._callback = progress
        elif progress is not None and progress is not False:
            raise TypeError(f"progress is {shown(progress)}, expected True, False or a function")

    def __enter__(self) -> Callable[[dict[str, Any]], bool] | None:
        return None if self._callback is None else self._report

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown_at > 0:
            sys.stderr.write("\r" + 79 * " " + "\r")
            sys.stderr.flush()

    def _report(self, state: dict[str, Any]) -> bool:
        assert self._callback is not None
        figures = {name: state[name] for name in state if name not in ("seconds", "done", "at_most")}
        progress = Progress(self._what, state["seconds"], state["done"], state.get("at_most"), figures)
        return self._callback(progress) is not False

    def _show(self, progress: Progress) -> None:
        if progress.seconds < self._shown_at + self._seconds_between:
            return
        self._shown_at = progress.seconds
        sys.stderr.write(f"\r{progress!s:<79.79}")
        sys.stderr.flush()
