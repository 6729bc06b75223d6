# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts dictionaries, tables and arrays to design points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ._arguments import host_array, is_scalar, shown, text_of, values_of


def _columns_of(design: Any, parameters: Sequence[str]) -> Mapping[Any, Any] | None:
    """Returns the columns of a table, or None if the design is not a table."""
    if isinstance(design, Mapping):
        return design
    if hasattr(design, "columns"):  # such as a pandas.DataFrame
        return {name: design[name] for name in design.columns}
    if hasattr(design, "__dlpack__"):
        design = host_array("design", design)
    if not isinstance(design, np.ndarray):
        return None
    if design.dtype.names is not None:
        return {name: design[name] for name in design.dtype.names}
    if design.dtype.kind not in "biuf" or design.ndim != 2 or design.shape[1] != len(parameters):
        raise ValueError(f"design is an array of {design.dtype} with the shape {design.shape}, expected real numbers, "
                         f"{len(parameters)} columns: {', '.join(parameters)}; or a dictionary of columns")
    return dict(zip(parameters, design.T))


def _rows_of_columns(columns: Mapping[Any, Any]) -> list[dict[Any, Any]]:
    lists = {}
    for name, values in columns.items():
        if is_scalar(values):
            raise TypeError(f"design[{name!r}] is {shown(values)}, expected a column of values")
        lists[name] = values_of(f"design[{name!r}]", values)
    lengths = {name: len(values) for name, values in lists.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"design has columns of the lengths {lengths}, expected equal lengths")
    return [dict(zip(lists, row)) for row in zip(*lists.values())]


def _is_series(row: Any) -> bool:
    return hasattr(row, "index") and hasattr(row, "items")


def _row_of(name: str, row: Any) -> Mapping[Any, Any]:
    if hasattr(row, "_asdict"):  # a row of DataFrame.itertuples
        row = row._asdict()
    elif _is_series(row):  # a row of DataFrame.iterrows
        row = dict(row.items())
    if not isinstance(row, Mapping):
        raise TypeError(f"{name} is {shown(row)}, expected a dictionary of parameters")
    return row


def design_texts(
    design: Any, parameters: Sequence[str], text: Callable[[str, Any], str] = text_of
) -> list[dict[str, str]]:
    """Returns the parameters of each design point as strings.

    A design is a list of dictionaries, a dictionary of columns, a table, or an array with a column for each of the
    model's `parameters`. Each row is a design point.
    """
    columns = _columns_of(design, parameters)
    if columns is not None:
        rows: Iterable[Any] = _rows_of_columns(columns)
    elif _is_series(design):
        rows = [design]
    elif isinstance(design, Iterable) and not isinstance(design, (str, bytes)):
        rows = design
    elif hasattr(design, "to_dict"):
        rows = design.to_dict("records")
    else:
        raise TypeError(f"design is {shown(design)}, expected a list of dictionaries or a table")
    return [
        {str(name): text(f"design[{i}]: {name}", value) for name, value in _row_of(f"design[{i}]", row).items()}
        for i, row in enumerate(rows)
    ]
