# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the tables of a result with matplotlib."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._result import ResultTable

Numbers = npt.NDArray[np.float64]

# Colors of Okabe and Ito (2008), which readers with any color vision can distinguish, and grey.
_COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#000000", "#808080")


def _student_t(confidence: float, degrees: int) -> float:
    """Returns the two-sided critical value. With t = √ν tan θ, the density of θ is proportional to cos(θ)^(ν − 1)."""
    angles = np.linspace(0, math.pi / 2, 20_001)
    areas = np.cumsum(np.cos(0.5 * (angles[1:] + angles[:-1])) ** (degrees - 1))
    return math.sqrt(degrees) * math.tan(float(np.interp(confidence, areas / areas[-1], angles[1:])))


class _Panel:
    """Axes with the picture of a table."""

    def __init__(self, axes: Any, table: ResultTable, picture: dict[str, Any], confidence: float) -> None:
        self.axes, self.table, self.picture, self.confidence = axes, table, picture, confidence
        self.rows = [row for row in table.rows() if "rows" not in picture or self._is_shown(row)]

    def _is_shown(self, row: dict[str, Any]) -> bool:
        return bool(row[self.picture["rows"]["column"]] == self.picture["rows"]["value"])

    def numbers(self, column: str, rows: list[dict[str, Any]] | None = None) -> Numbers:
        values = [row[column] for row in (self.rows if rows is None else rows)]
        return np.array([math.nan if value is None else value for value in values], dtype=np.float64)

    def places(self) -> Numbers:
        """Returns the positions of the rows on the x axis; rows with names are at 1, 2, …"""
        x = self.picture["x"]
        if not self.rows or not isinstance(self.rows[0][x], str):
            if any(one.name == x and one.kind == "count" for one in self.table.columns) and self.axes.get_xscale() == "linear":
                self.axes.locator_params(axis="x", integer=True)
            return self.numbers(x)
        places = np.arange(1.0, len(self.rows) + 1)
        self.axes.set_xticks(places, [row[x] for row in self.rows], rotation=30, ha="right")
        return places

    def label(self, column: str) -> str:
        """Returns the title of a column with its unit; other strings are returned unchanged."""
        for one in self.table.columns:
            if one.name == column:
                return f"{one.title} [{one.unit}]" if one.unit else one.title
        return column

    def errors(self, y: str, low: str | None, high: str | None) -> Numbers:
        """Returns the lengths of the intervals below and above y, from `low` and `high` or from y's half-widths."""
        if low is None or high is None:
            widths = next(one.half_width for one in self.table.columns if one.name == y)
            return np.array([self.numbers(widths)] * 2) if widths else np.full((2, len(self.rows)), math.nan)
        values = self.numbers(y)
        return np.array([values - self.numbers(low), self.numbers(high) - values])

    def curve(self) -> None:
        self.axes.plot(self.places(), self.numbers(self.picture["y"]), marker=".", color=_COLORS[0])

    def curves(self) -> None:
        series = self.picture["series"]
        drawn = 0
        for value in dict.fromkeys(row[series] for row in self.rows):
            rows = [row for row in self.rows if row[series] == value]
            y = self.numbers(self.picture["y"], rows)
            if self.picture.get("logarithmic"):
                y = np.where(y > 0, y, math.nan)
            if np.isfinite(y).any():
                color = _COLORS[drawn % len(_COLORS)]
                self.axes.plot(self.numbers(self.picture["x"], rows), y, color=color, label=str(value))
                drawn += 1
        self.axes.legend()

    def steps(self) -> None:
        series, y = self.picture["series"], self.picture["y"]
        for i, value in enumerate(dict.fromkeys(row[series] for row in self.rows)):
            rows = [row for row in self.rows if row[series] == value]
            self.axes.step(self.numbers(self.picture["x"], rows), self.numbers(y, rows), where="post",
                           color=_COLORS[i % len(_COLORS)], label=str(value))
        self.axes.legend()

    def intervals(self) -> None:
        y, low, high = self.picture["y"], self.picture.get("low"), self.picture.get("high")
        places = self.places()
        if self.picture.get("in_order"):
            max_rows = 20
            self.rows = self.rows[:max_rows]
            places = np.arange(1.0, len(self.rows) + 1)
            self.axes.set_xticks(places, [str(row[self.picture["x"]]) for row in self.rows])
        self.axes.errorbar(places, self.numbers(y), yerr=self.errors(y, low, high), fmt="o", markersize=4, color=_COLORS[0])

    def from_one(self) -> Numbers:
        """Makes the x axis logarithmic, and returns the positions of the rows, with the start at 1."""
        self.axes.set_xscale("log")
        return np.maximum(self.places(), 1)

    def progress(self) -> None:
        x, y = self.from_one(), self.numbers(self.picture["y"])
        last = max(self.picture.get("last_x", x[-1]), x[-1])
        self.axes.step([*x, last], [*y, y[-1]], where="post", color=_COLORS[0])
        if self.picture.get("low"):
            errors = self.errors(self.picture["y"], self.picture["low"], self.picture["high"])
            self.axes.errorbar(x, y, yerr=errors, fmt="o", markersize=4, color=_COLORS[0], label="estimate with interval")

    def quartiles(self) -> None:
        x = self.from_one()
        for low, high, color, label in (("second_low", "second_high", "#E3EEF6", "all"), ("low", "high", "#A6CBE3", "quartiles")):
            self.axes.fill_between(x, self.numbers(self.picture[low]), self.numbers(self.picture[high]), color=color, label=label)
        self.axes.plot(x, self.numbers(self.picture["y"]), color=_COLORS[0], label="median")

    def additions(self) -> None:
        """Draws the horizontal limit and the separate mark, if the picture has them."""
        if "limit" in self.picture:
            self.axes.axhline(self.picture["limit"], color="#707070", linestyle="--", label="limit")
        if "mark" in self.picture:
            mark = self.picture["mark"]
            x, y, low, high = (math.nan if mark[name] is None else mark[name] for name in ("x", "y", "low", "high"))
            errors = np.array([[y - low], [high - y]])
            self.axes.errorbar([x], [y], yerr=errors, fmt="s", markersize=4, color=_COLORS[4], label=mark["title"])
        if "limit" in self.picture or "mark" in self.picture:
            self.axes.legend()

    def estimate(self, x: Numbers, y: Numbers, low: Numbers, high: Numbers) -> None:
        """Draws an estimate with its interval against the number of observations."""
        self.axes.fill_between(x, low, high, color="#A6CBE3", label="interval")
        self.axes.plot(x, y, color=_COLORS[0], label="estimate")
        errors = np.array([(y - low)[-1:], (high - y)[-1:]])
        self.axes.errorbar(x[-1:], y[-1:], yerr=errors, fmt="o", markersize=4, color=_COLORS[4], label="at the end")
        self.axes.legend()

    def convergence(self) -> None:
        self.axes.set_xscale("log")
        self.estimate(self.places(), *(self.numbers(self.picture[name]) for name in ("y", "low", "high")))

    def runs(self) -> None:
        first = 5  # with fewer runs, the interval is much wider than the scatter of the runs
        values = self.numbers(self.picture["y"])
        values = values[np.isfinite(values)]
        self.axes.plot(np.arange(1, len(values) + 1), values, ".", color="#707070", label="single estimates")
        counts = np.arange(min(first, len(values)), len(values) + 1)
        means = np.array([values[:count].mean() for count in counts])
        widths = np.array([_student_t(self.confidence, count - 1) * values[:count].std(ddof=1) / math.sqrt(count)
                           if count > 1 else math.nan for count in counts])
        self.estimate(counts.astype(np.float64), means, means - widths, means + widths)

    def bars(self) -> None:
        places, width = self.places(), 0.36
        for aside, color, prefix in ((-0.5, "#A6CBE3", ""), (0.5, "#F0E6C8", "second_")):
            y, low, high = (self.picture[prefix + name] for name in ("y", "low", "high"))
            self.axes.bar(places + aside * width, self.numbers(y), width, yerr=self.errors(y, low, high), color=color,
                          edgecolor="#707070", label=self.label(y))
        self.axes.legend()

    def band(self) -> None:
        x, y, low, high = (self.numbers(self.picture[name]) for name in ("x", "y", "low", "high"))
        self.axes.fill_between(x, low, high, color="#A6CBE3", label="interval")
        self.axes.plot(x, y, color=_COLORS[0], label=self.label(self.picture["y"]))
        self.axes.legend()

    def histogram(self) -> None:
        lower, upper, y = (self.numbers(self.picture[name]) for name in ("x", "second_x", "y"))
        errors = self.errors(self.picture["y"], self.picture["low"], self.picture["high"])
        are_whole = np.isfinite(lower) & np.isfinite(upper)  # the other bars extend to infinity on one side
        self.axes.bar(lower[are_whole], y[are_whole], (upper - lower)[are_whole], align="edge", yerr=errors[:, are_whole],
                      color="#A6CBE3", edgecolor="#707070")

    def draw(self) -> None:
        draw: Callable[[], None] = getattr(self, self.picture["kind"])
        draw()
        self.additions()
        if self.picture.get("logarithmic"):
            self.axes.set_yscale("log")
        self.axes.set_title(self.picture["title"])
        is_histogram = self.picture["kind"] == "histogram"  # its x is the lower end of each bin
        self.axes.set_xlabel(self.picture["title"] if is_histogram else self.label(self.picture["x"]))
        if "second_y" not in self.picture or self.picture["kind"] == "quartiles":  # otherwise the legend names both
            self.axes.set_ylabel(self.label(self.picture["y"]))


def figure_of(tables: Sequence[ResultTable], confidence: float) -> Any:
    """Returns a matplotlib.figure.Figure with one axes for each picture of the tables.

    Raises ValueError if no table has a picture, and ImportError if matplotlib is not installed.
    """
    pictures = [(table, picture) for table in tables for picture in table.pictures if table.rows()]
    if not pictures:
        raise ValueError(f"there is no picture of {', '.join(table.name for table in tables)}")
    try:
        pyplot = import_module("matplotlib.pyplot")
    except ImportError as error:
        raise ImportError("plot() requires matplotlib, which is not installed: pip install matplotlib") from error
    columns = min(2, len(pictures))
    lines = -(-len(pictures) // columns)
    figure = pyplot.figure(figsize=(6.4 * columns, 4 * lines), layout="constrained")
    for i, (table, picture) in enumerate(pictures):
        _Panel(figure.add_subplot(lines, columns, i + 1), table, picture, confidence).draw()
    if "inline" in pyplot.get_backend():  # otherwise a notebook shows the figure again below its cell
        pyplot.close(figure)
    return figure
