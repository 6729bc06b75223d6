# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results as data: tables, settings, findings and notes."""

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
    """Description of a column of a `ResultTable`.

    Examples
    --------
    >>> import sporos
    >>> columns = sporos.simulate("pi", replications=100).table("means").columns
    >>> next(column.half_width for column in columns if column.name == "mean")
    'half_width'
    """

    name: str
    """Name of the column, by which the table finds it."""
    title: str
    """Heading of the column."""
    kind: str
    """Kind of the values: text, number, count, percentage (as a fraction of 1), duration (in seconds) or boolean."""
    unit: str | None
    """Unit; None for a dimensionless column."""
    half_width: str | None
    """Name of the column with the half-widths or standard errors of this column's values; None if there is none."""
    meaning: str | None
    """Explanation of the title; None if there is none."""


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

    Columns of strings have the dtype object. Counts and booleans without missing values are integers and numpy.bool_.
    All other columns are float64, with NaN for missing and unknown values.

    Examples
    --------
    >>> import sporos
    >>> table = sporos.simulate("mm1", customers=[100, 200], replications=100).table("means")
    >>> table.where(response="idle time")["customers"].tolist()
    [100, 200]
    """

    def __init__(self, name: str, document: dict[str, Any], confidence: float) -> None:
        self.name: str = name
        """Name of the table."""
        self.title: str = document["title"]
        """Heading of the table."""
        self.columns: tuple[Column, ...] = tuple(
            Column(one["id"], one["title"], one["kind"], one.get("unit"), one.get("half_width"), one.get("meaning"))
            for one in document["columns"]
        )
        """Descriptions of the columns."""
        self.pictures: tuple[dict[str, Any], ...] = tuple(document["pictures"])
        """Descriptions of the pictures that `plot` draws, as in the JSON."""
        self._rows: list[dict[str, Any]] = document["rows"]
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
        """Returns the rows as dictionaries, with None for missing and unknown values."""
        return [dict(row) for row in self._rows]

    def where(self, **values: Any) -> ResultTable:
        """Returns the table with only the rows that have the given values.

        Parameters
        ----------
        **values : str, number or bool
            Required value of each named column.

        Returns
        -------
        ResultTable
            A table with the same columns.

        Raises
        ------
        KeyError
            If there is no such column.

        Examples
        --------
        >>> import sporos
        >>> means = sporos.simulate("mm1", customers=100, replications=100).table("means")
        >>> len(means.where(response="idle time").rows())
        1
        """
        for column in values:
            if column not in tuple(self):
                raise KeyError(f"{column!r} is no column: expected {', '.join(self)}")
        table = copy(self)
        table._rows = [row for row in self._rows if all(row[name] == value for name, value in values.items())]
        return table

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame with the columns of this table; requires pandas."""
        return import_module("pandas").DataFrame({name: self[name] for name in self})

    def plot(self) -> Any:
        """Draws the pictures of the table.

        Returns
        -------
        matplotlib.figure.Figure
            A figure with one axes for each picture. A notebook shows it as the value of a cell.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the table has no picture.
        """
        return figure_of([self], self._confidence)

    def _texts(self) -> list[list[str]]:
        return [[_shown(row[one.name], one.kind) for one in self.columns] for row in self._rows]

    def _short_texts(self) -> tuple[list[str], list[list[str]], str]:
        """Returns the titles and the texts of the columns that differ between rows, and what all rows have in common.

        Columns without any value are left out. Estimates and the ends of intervals are never left out.
        """
        texts = self._texts()
        titles = [one.title or one.name for one in self.columns]
        of_estimates = {name for one in self.columns if one.half_width for name in (one.name, one.half_width)}
        columns = [place for place in range(len(titles)) if not texts or any(row[place] for row in texts)]
        common = [
            place for place in columns
            if len(texts) > 1 and len({row[place] for row in texts}) == 1
            and self.columns[place].name not in of_estimates and titles[place] not in ("from", "to")
        ]
        if len(common) == len(columns):
            common = []
        kept = [place for place in columns if place not in common]
        facts = ", ".join(f"{titles[place]} {texts[0][place]}" for place in common)
        return [titles[place] for place in kept], [[row[place] for place in kept] for row in texts], facts

    def __repr__(self) -> str:
        return f"ResultTable({self.name}: {len(self._rows)} rows of {', '.join(self)})"

    def _repr_html_(self) -> str:
        shown_rows = 60
        titles, texts, facts = self._short_texts()
        rows = "".join(f"<tr>{_cells('td', row)}</tr>" for row in texts[:shown_rows])
        hidden = len(texts) - shown_rows
        left = f"<p>and {hidden} more rows</p>" if hidden > 0 else ""
        common = f"<p>In all rows: {html.escape(facts)}</p>" if facts else ""
        table = f"<table><thead><tr>{_cells('th', titles)}</tr></thead><tbody>{rows}</tbody></table>"
        return f"<h4>{html.escape(self.title)}</h4>{table}{left}{common}"


class Result:
    """The result of a run, with tables, settings, findings and notes.

    Examples
    --------
    >>> import sporos
    >>> result = sporos.array_rqmc("mm1", 1, chains=64, seed=1)
    >>> result.subject, result.tables
    ('mm1', ('means', 'randomizations'))
    """

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        self.question: str = document["question"]
        """Name of the command, such as simulate."""
        self.subject: str = document["subject"]
        """Name of the model or problem, or of the data."""
        self.parameters: dict[str, Any] = dict(document["parameters"])
        """Parameters of the model by name."""
        self.lead: str = document["lead"]
        """Main result in one sentence."""
        self.settings: dict[str, Any] = dict(document["settings"])
        """Options of the run, with the defaults filled in."""
        self.findings: dict[str, Any] = dict(document["findings"])
        """Single values that the run has found."""
        self.notes: tuple[str, ...] = tuple(document["notes"])
        """Warnings and remarks."""
        self.stopped_by: str = document["stopped_by"]
        """Stopping criterion, such as "precision" or "interrupted"."""

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables; the first one has the estimates."""
        return tuple(self._document["tables"])

    def table(self, name: str | None = None) -> ResultTable:
        """Returns a table.

        Parameters
        ----------
        name : str, optional
            Name of the table; default: the first of `tables`.

        Returns
        -------
        ResultTable
            The table, with a NumPy array for each column.

        Raises
        ------
        KeyError
            If there is no such table.

        Examples
        --------
        >>> import sporos
        >>> result = sporos.array_rqmc("mm1", 1, chains=64, seed=1)
        >>> len(result.table("randomizations").rows())
        30
        """
        name = self.tables[0] if name is None else name
        if name not in self._document["tables"]:
            raise KeyError(f"{name!r} is no table: expected {', '.join(self.tables)}")
        return ResultTable(name, self._document["tables"][name], self.settings.get("confidence", 0.95))

    def to_dict(self) -> dict[str, Any]:
        """Returns the document that the command line writes with --format json; see docs/result.schema.json."""
        return self._document

    def to_pandas(self, name: str | None = None) -> Any:
        """Returns a table as a pandas.DataFrame; requires pandas.

        Parameters
        ----------
        name : str, optional
            Name of the table; default: the first of `tables`.

        Returns
        -------
        pandas.DataFrame
            The columns of the table.
        """
        return self.table(name).to_pandas()

    def plot(self) -> Any:
        """Draws the pictures of all tables.

        Returns
        -------
        matplotlib.figure.Figure
            A figure with one axes for each picture. A notebook shows it as the value of a cell.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If no table has a picture.

        Examples
        --------
        >>> figure = sporos.array_rqmc("mm1", 1, chains=64).plot()  # doctest: +SKIP
        >>> figure.savefig("randomizations.png")  # doctest: +SKIP
        """
        tables = [self.table(name) for name in self.tables]
        return figure_of(tables, self.settings.get("confidence", 0.95))

    def __repr__(self) -> str:
        width = 80
        lead = self.lead if len(self.lead) <= width else self.lead[: width - 1] + "…"
        return f"{type(self).__name__}({self.subject}: {lead}; tables {', '.join(self.tables[:5])})"

    def __str__(self) -> str:
        shown_rows = 5
        titles, texts, facts = self.table()._short_texts()
        lines = [
            ", ".join(f"{title} {text}" for title, text in zip(titles, row) if text) for row in texts[:shown_rows]
        ]
        if len(texts) > shown_rows:
            lines.append(f"and {len(texts) - shown_rows} more")
        if facts:
            lines.append(f"in all rows: {facts}")
        return "\n".join([f"{self.subject}: {self.lead}", *(f"  {line}" for line in lines), *self.notes])

    def _repr_html_(self) -> str:
        heading = f"{self.subject}: {self._document['title']}".removesuffix(": ")
        title = f"<h3>{html.escape(heading)}</h3><p>{html.escape(self.lead)}</p>"
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes)
        return title + self.table()._repr_html_() + notes
