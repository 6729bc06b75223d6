# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts tables with missing values: a pandas.DataFrame, a dictionary of columns, or a structured array."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import Array, host_array, is_scalar, names_of, numbers, shown, text_of


def is_missing(value: Any) -> bool:
    """Returns whether a value is missing: None, NaN, pandas.NA or NaT."""
    if value is None:
        return True
    try:
        return not bool(value == value)
    except TypeError:  # pandas.NA is neither true nor false
        return True


def _cell(value: Any) -> str:
    """Returns a value as the cell of a CSV file: numbers to the last bit, an empty string if it is missing."""
    if is_missing(value):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    return text_of("a value", value) if isinstance(value, Real) else str(value)


def _cells(column: npt.NDArray[Any]) -> list[str]:
    values = column.tolist()
    if column.dtype.kind != "f":
        return [_cell(value) for value in values]
    is_broken = np.isfinite(column) & (column != np.trunc(column))  # most floats; repr formats them fast
    return [repr(value) if broken else _cell(value) for value, broken in zip(values, is_broken.tolist())]


def _column(name: str, values: Any) -> npt.NDArray[Any]:
    array = host_array(name, values)
    if array.dtype.kind in "mM":  # as numbers they would be nanoseconds
        array = np.array([None if np.isnat(value) else str(value) for value in array.flat], dtype=object)
    return array


def check_feature_names(names: Sequence[str], features: int) -> None:
    """Raises ValueError if there are names, but not one for each feature."""
    if names and len(names) != features:
        raise ValueError(f"feature_names has {len(names)} entries, expected one for each of the {features} features")


def _names_of_columns(values: Any) -> Any:
    """Returns the names of a table's columns, or None if the values are not a table."""
    if isinstance(values, Mapping):
        return list(values)
    columns = getattr(values, "columns", None)
    return getattr(getattr(values, "dtype", None), "names", None) if columns is None else list(columns)


class Table:
    """Named columns of equal length."""

    def __init__(self, name: str, values: Any, names: Sequence[str] = ()) -> None:
        """Takes the columns of a table, or of a two-dimensional array, with `names` or the names x1, x2, …"""
        self.name = name
        column_names = _names_of_columns(values)
        if column_names is None:
            array = host_array(name, values)
            if array.ndim != 2:
                raise ValueError(f"{name} has the shape {array.shape}, expected 2 dimensions")
            self.columns = list(array.T)
            column_names = [f"x{i + 1}" for i in range(len(self.columns))]
        else:
            self.columns = [_column(f"{name}[{column!r}]", values[column]) for column in column_names]
        check_feature_names(names, len(column_names))
        self.names = list(names) or [str(column) for column in column_names]
        shapes = sorted({column.shape for column in self.columns})
        if len(shapes) != 1 or len(shapes[0]) != 1:
            raise ValueError(f"{name} has columns of the shapes {shapes}, expected columns of one dimension and equal length")

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0])

    def numbers(self, names: Sequence[str]) -> Array:
        """Returns the columns with these names as an array. Raises ValueError if a value is not a finite number."""
        for name in names:
            if name not in self.names:
                raise ValueError(f"{self.name} has no column {name!r}, expected one for each feature of the model")
        return np.column_stack([numbers(f"{self.name}[{name!r}]", self.columns[self.names.index(name)], None) for name in names])

    def with_column(self, name: str, values: Sequence[Any]) -> tuple[Table, str]:
        """Returns the table with a further column, and the column's name, extended until it is unique."""
        while name in self.names:
            name += "_"
        table = object.__new__(Table)
        table.name = self.name
        table.names, table.columns = [*self.names, name], [*self.columns, np.array(values, dtype=object)]
        return table, name

    def text(self) -> str:
        """Returns the table as CSV."""
        file = io.StringIO()
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(self.names)
        writer.writerows(zip(*(_cells(column) for column in self.columns)))
        return file.getvalue()

    @contextmanager
    def named_in_messages(self) -> Iterator[None]:
        """Replaces line numbers in errors about `text()` by row numbers, from 0."""
        try:
            yield
        except ValueError as error:
            texts = (column.tolist() for column in self.columns if column.dtype.kind in "OSU")
            if any("\n" in str(value) for column in (self.names, *texts) for value in column):
                raise  # line breaks in cells shift the line numbers
            place = re.sub(r", line 1:", ":", str(error))
            raise ValueError(re.sub(r"\bline (\d+)", lambda found: f"row {int(found[1]) - 2}", place)) from None


def is_table(values: Any) -> bool:
    """Returns whether values have named columns."""
    return _names_of_columns(values) is not None


def labels_of(values: Any, axis: int) -> list[str]:
    """Returns the labels along an axis of a pandas.Series or DataFrame; empty for arrays and for numbers from 0."""
    index = getattr(values, ("index", "columns")[axis], None)
    if index is None or callable(index):  # list.index is a method
        return []
    labels = list(index)
    return [] if labels == list(range(len(labels))) else [str(label) for label in labels]


def in_order_of(names: Sequence[str], name: str, values: Any, *axes: int) -> Any:
    """Returns the values reordered along the axes, so that their labels, if they have any, are in the order of `names`."""
    array = values
    for axis in axes:
        labels = labels_of(values, axis)
        if not (labels and names):
            continue
        if set(labels) != set(names) or len(set(labels)) < len(labels):
            odd = sorted(set(labels) ^ set(names)) or sorted(one for one in labels if labels.count(one) > 1)
            raise ValueError(f"{name} and the rest differ in the name {odd[0]!r}, expected the same names, each once")
        array = np.take(np.asarray(array), [labels.index(one) for one in names], axis)
    return array


def listed(name: str, values: Any) -> list[str]:
    """Returns a list of column names from one name, a list or None."""
    if values is None:
        return []
    return [str(values)] if is_scalar(values) else names_of(name, values)


def list_text(names: Sequence[str]) -> str | None:
    """Returns a list of names as the command line takes it; None for an empty list."""
    if not names:
        return None
    file = io.StringIO()
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="").writerow(names)
    return file.getvalue()


def check_missing(value: Any, *choices: str) -> None:
    """Raises ValueError unless the value is None or one of the choices."""
    if value is not None and value not in choices:
        raise ValueError(f"missing is {shown(value)}, expected {', '.join(choices[:-1])} or {choices[-1]}")
