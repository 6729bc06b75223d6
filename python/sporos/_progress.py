# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows the progress of a run by tqdm or as a line, on a terminal or below a notebook's cell, or calls a function."""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
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

    def _figures(self) -> list[str]:
        return [
            f"{name.replace('_', ' ')} {value:.6g}" if isinstance(value, float) else f"{name.replace('_', ' ')} {value}"
            for name, value in self.figures.items()
        ]

    def __str__(self) -> str:
        share = "" if not self.at_most else f" of at most {self.at_most}, {100 * self.done / self.at_most:.0f} %"
        return ", ".join([f"{self.what}: {self.done}{share}", *self._figures(), f"{self.seconds:.1f} s"])


ProgressCallback = Callable[[Progress], Any]
ProgressArgument = Union[bool, ProgressCallback, None]
"""True to show the progress, False to show nothing, None to show the progress of long runs where somebody sees it, or a
function of a `Progress`, which stops the run by returning False."""


def is_watched() -> bool:
    """Returns whether standard error is a terminal or appears below the cell of a notebook."""
    is_terminal = getattr(sys.stderr, "isatty", lambda: False)
    return sys.stderr is not None and (is_terminal() or "ipykernel" in sys.modules)


def _write(text: str) -> None:
    sys.stderr.write(f"\r{text:<79.79}")
    sys.stderr.flush()


def _clear() -> None:
    _write("")
    sys.stderr.write("\r")
    sys.stderr.flush()


def _tqdm() -> Any:
    """Returns the class tqdm for this session, or None if tqdm is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets has bars of text
        try:
            return import_module("tqdm.auto").tqdm
        except ImportError:
            return None


class _Display:
    """Shows progress by tqdm, or as a line without it."""

    def __init__(self) -> None:
        self._tqdm = _tqdm()
        self._bar: Any = None

    def show(self, progress: Progress) -> None:
        if self._tqdm is None:
            _write(str(progress))
            return
        if self._bar is None:
            at_most = progress.at_most
            self._bar = self._tqdm(desc=progress.what, total=at_most, leave=False, unit_scale=True, file=sys.stderr)
            self._bar.start_t -= progress.seconds
        if self._bar.total != progress.at_most:
            start = self._bar.start_t
            self._bar.reset(progress.at_most)
            self._bar.start_t = start
        self._bar.set_postfix_str(", ".join(progress._figures()), refresh=False)
        self._bar.n = progress.done
        self._bar.refresh()

    def close(self) -> None:
        if self._tqdm is None:
            _clear()
        elif self._bar is not None:
            self._bar.close()


class Watched:
    """Converts a `progress` argument to the function that extension modules call, and clears the display at the end."""

    _seconds_between = 0.2
    _seconds_of_long_runs = 1.0

    def __init__(self, what: str, progress: ProgressArgument) -> None:
        self._what = what
        self._display: _Display | None = None
        self._shows_at = self._seconds_between if progress is True else self._seconds_of_long_runs
        self._callback: ProgressCallback | None = None
        if progress is True or (progress is None and is_watched()):
            self._callback = self._show
        elif callable(progress):
            self._callback = progress
        elif progress is not None and progress is not False:
            raise TypeError(f"progress is {shown(progress)}, expected True, False or a function")

    def __enter__(self) -> Callable[[dict[str, Any]], bool] | None:
        return None if self._callback is None else self._report

    def __exit__(self, *_: object) -> None:
        if self._display is not None:
            self._display.close()

    def _report(self, state: dict[str, Any]) -> bool:
        assert self._callback is not None
        figures = {name: state[name] for name in state if name not in ("seconds", "done", "at_most")}
        progress = Progress(self._what, state["seconds"], state["done"], state.get("at_most"), figures)
        return self._callback(progress) is not False

    def _show(self, progress: Progress) -> None:
        if progress.seconds < self._shows_at:
            return
        self._shows_at = progress.seconds + self._seconds_between
        self._display = self._display or _Display()
        self._display.show(progress)


class Elapsed:
    """Shows a line with the elapsed seconds of work that reports no progress, where somebody sees it."""

    _seconds_between = 0.5

    def __init__(self, what: str, seconds_before: float = 1.0) -> None:
        self._what = what
        self._seconds_before = seconds_before
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True) if is_watched() else None

    def __enter__(self) -> None:
        if self._thread is not None:
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        if self._thread is not None:
            self._ends.set()
            self._thread.join()

    def _show(self) -> None:
        start = time.monotonic()
        if self._ends.wait(self._seconds_before):
            return
        while True:
            _write(f"sporos: {self._what}, {time.monotonic() - start:.0f} s")
            if self._ends.wait(self._seconds_between):
                break
        _clear()
