# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of numbers, texts and missing values: a pandas.DataFrame, or a dictionary of columns."""

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

from ._arguments import is_scalar, names_of, shown, text_of


def is_missing(value: Any) -> bool:
    """Whether there is no value: None, NaN, pandas.NA and NaT."""
    if value is None:
        return True
    try:
        return not bool(value == value)
    except TypeError:  # pandas.NA is neither true nor false
        return True


def _cell(value: Any) -> str:
    """As a CSV file has it: numbers to the last bit, nothing for what is missing."""
    if is_missing(value):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    return text_of("a value", value) if isinstance(value, Real) else str(value)


def _column(values: Any) -> npt.NDArray[Any]:
    array = np.asarray(values)
    if array.dtype.kind in "mM":  # whose numbers would be nanoseconds
        array = np.array([None if np.isnat(value) else str(value) for value in array.flat], dtype=object)
    return array


def _has_numbers_only(column: npt.NDArray[Any]) -> bool:
    if column.dtype.kind == "f":
        return not np.isnan(column).any()
    if column.dtype.kind == "O":
        return all(isinstance(value, Real) and not is_missing(value) for value in column)
    return column.dtype.kind in "biu"


def check_feature_names(names: Sequence[str], features: int) -> None:
    """Names, where there are any, are as many as the features."""
    if names and len(names) != features:
        raise ValueError(f"feature_names has {len(names)} entries, expected one for each of the {features} features")


class Table:
    """Named columns, equally long."""

    def __init__(self, name: str, values: Any, names: Sequence[str] = ()) -> None:
        """Of a table, or of an array of two dimensions whose columns get `names`, or the names x1, x2 and so on."""
        own = values if isinstance(values, Mapping) else getattr(values, "columns", None)
        if own is None:
            array = np.asarray(values)
            if array.ndim != 2:
                raise ValueError(f"{name} has the shape {array.shape}, expected 2 dimensions")
            self.columns = list(array.T)
            own = [f"x{i + 1}" for i in range(len(self.columns))]
        else:
            self.columns = [_column(values[column]) for column in own]
        check_feature_names(names, len(own))
        self.names = list(names) or [str(column) for column in own]
        shapes = sorted({column.shape for column in self.columns})
        if len(shapes) != 1 or len(shapes[0]) != 1:
            raise ValueError(f"{name} has columns of the shapes {shapes}, expected equally long ones of one dimension")

    @property
    def rows(self) -> int:
        """Their number."""
        return len(self.columns[0])

    def has_numbers_only(self) -> bool:
        """Whether nothing in it is missing or a text."""
        return all(_has_numbers_only(column) for column in self.columns)

    def numbers(self) -> npt.NDArray[Any]:
        """The columns side by side."""
        return np.column_stack(self.columns)

    def with_column(self, name: str, values: Sequence[Any]) -> tuple[Table, str]:
        """With a further column, and its name, which is that or a longer one."""
        while name in self.names:
            name += "_"
        table = object.__new__(Table)
        table.names, table.columns = [*self.names, name], [*self.columns, np.array(values, dtype=object)]
        return table, name

    def text(self) -> str:
        """As CSV."""
        file = io.StringIO()
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(self.names)
        writer.writerows(zip(*([_cell(value) for value in column.tolist()] for column in self.columns)))
        return file.getvalue()

    @contextmanager
    def named_in_messages(self) -> Iterator[None]:
        """Errors of readers of its text name rows, from 0, instead of lines."""
        try:
            yield
        except ValueError as error:
            texts = (column.tolist() for column in self.columns if column.dtype.kind in "OSU")
            if any("\n" in str(value) for column in (self.names, *texts) for value in column):
                raise  # which shift the lines
            place = re.sub(r", line 1: column", ": column", str(error))
            raise ValueError(re.sub(r"\bline (\d+)", lambda found: f"row {int(found[1]) - 2}", place)) from None


def is_table(values: Any) -> bool:
    """Whether it has named columns."""
    return isinstance(values, Mapping) or hasattr(values, "columns")


def listed(name: str, values: Any) -> list[str]:
    """Names of columns: one, or a list of them; none of None."""
    if values is None:
        return []
    return [str(values)] if is_scalar(values) else names_of(name, values)


def list_text(names: Sequence[str]) -> str | None:
    """A list of names as the command line takes it; None where there is none."""
    if not names:
        return None
    file = io.StringIO()
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="").writerow(names)
    return file.getvalue()


def check_missing(value: Any, *choices: str) -> None:
    """ValueError for what is none of the choices; None is one."""
    if value is not None and value not in choices:
        raise ValueError(f"missing is {shown(value)}, expected {', '.join(choices[:-1])} or {choices[-1]}")
