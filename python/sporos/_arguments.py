# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From keyword arguments to the options and numbers that the modules of the backends take."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, Union

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Seed = Union[
    int, Sequence[int], np.random.SeedSequence, np.random.BitGenerator, np.random.Generator, np.random.RandomState, None
]


def shown(value: Any) -> str:
    """A value as a message shows it: in one line, not too long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:56] + " ..."


def is_scalar(value: Any) -> bool:
    """Whether it is no list of anything; arrays without dimensions are none."""
    if getattr(value, "ndim", None) == 0:
        return True
    return isinstance(value, (str, os.PathLike)) or not hasattr(value, "__len__")


def _number_text(number: Any) -> str:
    """Digits of a number to the last bit, those of a whole one without a point; empty for what is no number."""
    try:
        return str(operator.index(number))
    except TypeError:
        pass
    if not hasattr(number, "__float__"):
        return ""
    value = float(number)
    is_whole = value.is_integer() and abs(value) <= 2**64 and (value != 0 or math.copysign(1, value) > 0)  # keeps -0.0
    return str(int(value)) if is_whole else repr(value)


def text_of(name: str, value: Any) -> str:
    """The text that the command line would be given for a value."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    text = _number_text(value) if is_scalar(value) else ""
    if not text:
        raise TypeError(f"{name} is {shown(value)}, expected a number or a text")
    return text


def seed_of(name: str, value: Any) -> Any:
    """A seed from what numpy.random.default_rng takes, which are drawn from where they can be; itself otherwise."""
    if isinstance(value, np.random.BitGenerator):
        value = np.random.Generator(value)
    if isinstance(value, np.random.Generator):
        return int(value.integers(2**64, dtype=np.uint64))
    if isinstance(value, np.random.RandomState):
        return int(value.randint(2**64, dtype=np.uint64))
    if not (is_scalar(value) or isinstance(value, (Mapping, bytes, np.random.SeedSequence))):
        try:
            value = np.random.SeedSequence([operator.index(one) for one in value])
        except (TypeError, ValueError):
            raise TypeError(f"{name} is {shown(value)}, expected whole numbers of at least 0") from None
    if isinstance(value, np.random.SeedSequence):
        return int(value.generate_state(1, np.uint64)[0])
    return value


def texts_of(options: Mapping[str, Any]) -> dict[str, str]:
    """The texts of the options that are not None."""
    return {
        name: text_of(name, seed_of(name, value) if name.endswith("seed") else value)
        for name, value in options.items()
        if value is not None
    }


def chosen_texts(options: Mapping[str, Any], names: Sequence[str]) -> dict[str, str]:
    """The same of the options with these names only."""
    return texts_of({name: options[name] for name in names})


def whole_of(name: str, value: Any, least: int = -(2**63), most: int = 2**63 - 1) -> int:
    """A whole number, which may be a float."""
    expected = "a whole number" if least < 0 else f"at least {least}"
    if most < 2**63 - 1:
        expected = f"a number from {least} to {most}"
    if isinstance(value, (str, bool)) or not is_scalar(value):
        raise TypeError(f"{name} is {shown(value)}, expected {expected}")
    try:
        number = int(text_of(name, value))
    except ValueError:
        raise ValueError(f"{name} is {shown(value)}, expected a whole number") from None
    if not least <= number <= most:
        if number > most == 2**63 - 1:
            expected = f"at most {most}"
        raise ValueError(f"{name} is {number}, expected {expected}")
    return number


def real_of(name: str, value: Any, least: float = -math.inf) -> float:
    """A real number, which may be infinite."""
    expected = "a number" if least == -math.inf else f"a number of at least {least}"
    if isinstance(value, (str, bool)) or not (is_scalar(value) and _number_text(value)):
        raise TypeError(f"{name} is {shown(value)}, expected {expected}")
    if not float(value) >= least:
        raise ValueError(f"{name} is {float(value)}, expected {expected}")
    return float(value)


def plain_text_of(name: str, value: Any) -> str:
    """A text, which has to be one."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is {shown(value)}, expected a text")
    return value


def constraint_texts(subject_to: Any) -> list[str]:
    """The constraints, of which there may be one, several or none."""
    constraints = [] if subject_to is None else [subject_to] if isinstance(subject_to, str) else list(subject_to)
    for constraint in constraints:
        plain_text_of("subject_to", constraint)
    return constraints


def switch_of(name: str, value: Any) -> bool:
    """True or False, which has to be one of them."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is {shown(value)}, expected True or False")
    return bool(value)


def range_text(name: str, value: Any) -> str | None:
    """FIRST:LAST of a pair; the text of anything else."""
    if value is None:
        return None
    if is_scalar(value):
        return text_of(name, value)
    return ":".join(text_of(name, end) for end in values_of(name, value))


def values_of(name: str, values: Any) -> list[Any]:
    """What is in a list of one dimension: a sequence, an array, a pandas.Series."""
    if hasattr(values, "__array__"):
        array = np.asarray(values)
        if array.ndim != 1:
            raise ValueError(f"{name} has the shape {array.shape}, expected 1 dimension")
        values = array.tolist()
    if not isinstance(values, Sequence) or isinstance(values, (str, bytes)):
        raise TypeError(f"{name} is {shown(values)}, expected a number, a text, or a list of them")
    if len(values) == 0:
        raise ValueError(f"{name} is empty, expected at least one value")
    return list(values)


def array_of(name: str, values: npt.ArrayLike) -> npt.NDArray[Any]:
    """The values as an array of real numbers; ValueError for what is none, such as ragged lists."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} is {shown(values)}, expected an array of numbers: {error}") from None
    if array.dtype.kind == "O" and all(isinstance(value, Real) for value in array.flat):
        array = array.astype(np.float64)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} is an array of {array.dtype}, expected real numbers")
    return array


def numbers(name: str, values: npt.ArrayLike, *shape: int | None) -> Array:
    """The values as contiguous float64 numbers: themselves where they are that already, else converted.

    `shape` says how long each dimension has to be, None any length. ValueError for other shapes, for what is no real
    number and for what is not finite.
    """
    array = array_of(name, values)
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


def names_of(name: str, values: Any) -> list[str]:
    """Names as texts; none of None."""
    return [] if values is None else [str(value) for value in values_of(name, values)]
