# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results as data: tables, facts and notes."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from ._plot import figure_of

@dataclass(frozen=True)
class Column:
    """What a column of a table holds."""

    name: str
    """By which the table is asked for it."""
    title: str
    """For people."""
    kind: str
    """text, number, count, percentage (a share of 1), duration (seconds) or boolean."""
    unit: str | None
    """None without one."""
    half_width: str | None
    """The name of the column with half-widths of its confidence intervals, or standard errors; None without one."""
    meaning: str | None
    """Explains a short title; None without an explanation."""


def _array(kind: str, values: list[Any]) -> npt.NDArray[Any]:
    if kind == "text":
        return np.array(values, dtype=object)
    if kind == "boolean" and None not in values:
        return np.array(values, dtype=np.bool_)
    if kind == "count" and None not in values:
        return np.array(values, dtype=np.uint64 if max(values, default=0) >= 2**63 else np.int64)
    return np.array([math.nan if value is None else value for value in values], dtype=np.float64)


def _shown(value: Any, kind: str) -> str:
    if value is None:
        return ""
    if kind == "percentage":
        return f"{100 * value:.3g} %"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _cells(tag: str, texts: list[str]) -> str:
    return "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in texts)


class ResultTable(Mapping[str, "npt.NDArray[Any]"]):
    """A table of a result: a mapping from names of columns to NumPy arrays of equal length.

    Texts are objects, counts whole numbers and booleans numpy.bool_, if no value is missing; all others are float64, in
    which nan is a missing or unknown value.
    """

    def __init__(self, name: str, told: dict[str, Any], confidence: float) -> None:
        self.name: str = name
        self.title: str = told["title"]
        self.columns: tuple[Column, ...] = tuple(
            Column(one["id"], one["title"], one["kind"], one.get("unit"), one.get("half_width"), one.get("meaning"))
            for one in told["columns"]
        )
        self.pictures: tuple[dict[str, Any], ...] = tuple(told["pictures"])
        """How columns are drawn, as in the JSON."""
        self._rows: list[dict[str, Any]] = told["rows"]
        self._confidence = confidence

    def __getitem__(self, column: str) -> npt.NDArray[Any]:
        for one in self.columns:
            if one.name == column:
                return _array(one.kind, [row[column] for row in self._rows])
        raise KeyError(f"{column!r} is no column: expected {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return (one.name for one in self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def rows(self) -> list[dict[str, Any]]:
        """The rows as dictionaries; None is a missing or unknown value."""
        return [dict(row) for row in self._rows]

    def where(self, **values: Any) -> ResultTable:
        """The rows that have these values in these columns, as a table: `where(problem="mm1", solver="adam")`."""
        for column in values:
            if column not in tuple(self):
                raise KeyError(f"{column!r} is no column: expected {', '.join(self)}")
        table = copy(self)
        table._rows = [row for row in self._rows if all(row[name] == value for name, value in values.items())]
        return table

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with these columns."""
        return import_module("pandas").DataFrame({name: self[name] for name in self})

    def plot(self) -> Any:
        """Draws the pictures of the table. Returns a matplotlib.figure.Figure with one axes for each picture.

        Raises ImportError without matplotlib, ValueError if the table has no picture.
        """
        return figure_of([self], self._confidence)

    def _texts(self) -> list[list[str]]:
        return [[_shown(row[one.name], one.kind) for one in self.columns] for row in self._rows]

    def __repr__(self) -> str:
        return f"ResultTable({self.name}: {len(self._rows)} rows of {', '.join(self)})"

    def _repr_html_(self) -> str:
        most = 60
        head = _cells("th", [one.title for one in self.columns])
        rows = "".join(f"<tr>{_cells('td', texts)}</tr>" for texts in self._texts()[:most])
        left = f"<p>and {len(self._rows) - most} more rows</p>" if len(self._rows) > most else ""
        return f"<h4>{html.escape(self.title)}</h4><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{left}"


class Result:
    """The answer to a question about a model, a problem or data."""

    def __init__(self, told: dict[str, Any]) -> None:
        self._told = told
        self.question: str = told["question"]
        self.subject: str = told["subject"]
        self.parameters: dict[str, Any] = dict(told["parameters"])
        self.lead: str = told["lead"]
        self.settings: dict[str, Any] = dict(told["settings"])
        self.findings: dict[str, Any] = dict(told["findings"])
        self.notes: tuple[str, ...] = tuple(told["notes"])
        self.stopped_by: str = told["stopped_by"]

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables; the first holds the estimates."""
        return tuple(self._told["tables"])

    def table(self, name: str | None = None) -> ResultTable:
        """The table of that name; the first without one."""
        name = self.tables[0] if name is None else name
        if name not in self._told["tables"]:
            raise KeyError(f"{name!r} is no table: expected {', '.join(self.tables)}")
        return ResultTable(name, self._told["tables"][name], self.settings.get("confidence", 0.95))

    def to_dict(self) -> dict[str, Any]:
        """What the command line writes with --format json; docs/result.schema.json describes it."""
        return self._told

    def to_pandas(self, name: str | None = None) -> Any:
        """A pandas.DataFrame of the table of that name, or of the first."""
        return self.table(name).to_pandas()

    def plot(self) -> Any:
        """Draws the pictures of all tables. Returns a matplotlib.figure.Figure with one axes for each picture.

        >>> figure = sporos.array_rqmc("mm1", 1, chains=64).plot()  # doctest: +SKIP
        >>> figure.savefig("randomizations.png")  # doctest: +SKIP

        Raises ImportError without matplotlib, ValueError if there is no picture.
        """
        tables = [self.table(name) for name in self.tables]
        return figure_of(tables, self.settings.get("confidence", 0.95))

    def __repr__(self) -> str:
        most = 80
        lead = self.lead if len(self.lead) <= most else self.lead[: most - 1] + "…"
        return f"{type(self).__name__}({self.subject}: {lead}; tables {', '.join(self.tables[:5])})"

    def __str__(self) -> str:
        table, most = self.table(), 5
        lines = [
            ", ".join(f"{one.title} {text}" for one, text in zip(table.columns, texts) if text)
            for texts in table._texts()[:most]
        ]
        if len(table.rows()) > most:
            lines.append(f"and {len(table.rows()) - most} more")
        return "\n".join([f"{self.subject}: {self.lead}", *(f"  {line}" for line in lines), *self.notes])

    def _repr_html_(self) -> str:
        heading = f"{self.subject}: {self._told['title']}".removesuffix(": ")
        title = f"<h3>{html.escape(heading)}</h3><p>{html.escape(self.lead)}</p>"
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes)
        return title + self.table()._repr_html_() + notes
