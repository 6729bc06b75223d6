# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From keyword arguments to the options and numbers that the modules of the backends take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def text_of(name: str, value: Any) -> str:
    """The text that the command line would be given for a value: numbers to the last bit."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    raise TypeError(f"{name} is {value!r}, expected a number or a text")


def texts_of(options: Mapping[str, Any]) -> dict[str, str]:
    """The texts of the options that are not None."""
    return {name: text_of(name, value) for name, value in options.items() if value is not None}


def range_text(name: str, value: Any) -> str | None:
    """FIRST:LAST of a pair; the text of anything else."""
    if value is None:
        return None
    if isinstance(value, (tuple, list)):
        return ":".join(text_of(name, end) for end in value)
    return text_of(name, value)


def numbers(name: str, values: npt.ArrayLike, *shape: int | None) -> Array:
    """The values as contiguous float64 numbers: themselves where they are that already, else converted.

    `shape` says how long each dimension has to be, None any length. ValueError for other shapes, for what is no real
    number and for what is not finite.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} is an array of {array.dtype}, expected real numbers")
    if array.ndim != len(shape):
        raise ValueError(f"{name} has the shape {array.shape}, expected {len(shape)} dimension{'s'[:len(shape) - 1]}")
    for found, wanted in zip(array.shape, shape):
        if wanted is not None and found != wanted:
            expected = ", ".join("any" if length is None else str(length) for length in shape)
            raise ValueError(f"{name} has the shape {array.shape}, expected ({expected})")
    contiguous = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(contiguous).all():
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(contiguous))[0])
        where = ", ".join(str(i) for i in place)
        raise ValueError(f"{name}[{where}] is {contiguous[place]}, expected a finite number")
    return contiguous


def optional_numbers(name: str, values: npt.ArrayLike | None, *shape: int | None) -> Array | None:
    """The same, or None of None."""
    return None if values is None else numbers(name, values, *shape)


def names_of(values: Iterable[Any] | None) -> list[str]:
    """Names as texts; none of None."""
    return [] if values is None else [str(value) for value in values]


def column_names(values: Any) -> list[str]:
    """The names of the columns of a table such as a pandas.DataFrame; none of an array."""
    columns = getattr(values, "columns", None)
    return [] if columns is None else [str(name) for name in columns]
