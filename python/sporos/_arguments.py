# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts keyword arguments to the options and arrays that the extension modules take."""

from __future__ import annotations

import functools
import inspect
import math
import operator
import os
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any, Union

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Seed = Union[
    int, Sequence[int], np.random.SeedSequence, np.random.BitGenerator, np.random.Generator, np.random.RandomState, None
]


def shown(value: Any) -> str:
    """Returns a value as messages show it: on one line, shortened to 60 characters."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:56] + " ..."


def is_scalar(value: Any) -> bool:
    """Returns whether a value is a single one rather than a list. Arrays without dimensions are single values."""
    if getattr(value, "ndim", None) == 0:
        return True
    return isinstance(value, (str, os.PathLike)) or not (hasattr(value, "__len__") or hasattr(value, "__dlpack__"))


_HOST_MEMORY = (1, 3, 11, 13)
"""Devices of DLPack whose memory the host reads: the host, pinned memory of CUDA and ROCm, managed memory of CUDA."""


def _copied_to_host(values: Any) -> npt.NDArray[Any] | None:
    """Copies an array on a device to the host by DLPack 1.0, or returns None if one of the two packages lacks it."""
    try:
        return np.from_dlpack(values, device="cpu", copy=True)  # type: ignore[call-arg]
    except (AttributeError, BufferError, NotImplementedError, RuntimeError, TypeError, ValueError):
        return None


def host_array(name: str, values: Any) -> npt.NDArray[Any]:
    """Returns the values as a NumPy array, without a copy if they are an array in host memory.

    Takes anything that numpy.asarray takes, and objects with `__dlpack__`. Copies arrays on a device to the host. Raises
    ValueError if NumPy or the array's package cannot do that.
    """
    if isinstance(values, np.ndarray):
        return values
    device = getattr(values, "__dlpack_device__", None)
    is_on_device = device is not None and device()[0] not in _HOST_MEMORY
    if is_on_device or (hasattr(values, "__cuda_array_interface__") and not hasattr(values, "__array__")):
        copied = _copied_to_host(values)
        if copied is not None:
            return copied
        raise ValueError(
            f"{name} is an array of {type(values).__module__} in the memory of a device, expected one in host memory: "
            "copy it, for example by .cpu() of PyTorch, .get() of CuPy or jax.device_get"
        )
    if device is None or hasattr(values, "__array__"):
        return np.asarray(values)
    if not hasattr(np, "from_dlpack"):
        raise TypeError(f"{name} is an array for DLPack, which requires NumPy 1.23, but NumPy is {np.__version__}")
    return np.from_dlpack(values)


def _number_text(number: Any) -> str:
    """Returns the digits of a number to the last bit, without a point if it is whole; empty if it is not a number."""
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
    """Returns the string that the command line takes for a value."""
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
        raise TypeError(f"{name} is {shown(value)}, expected a number or a string")
    return text


def seed_of(name: str, value: Any) -> Any:
    """Returns a seed for anything that numpy.random.default_rng takes; generators are advanced by one draw.

    Values of other types are returned unchanged.
    """
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
    """Returns the options that are not None as strings."""
    return {
        name: text_of(name, seed_of(name, value) if name.endswith("seed") else value)
        for name, value in options.items()
        if value is not None
    }


@functools.cache  # inspecting a function takes longer than a short search
def _keyword_names(function: Callable[..., Any]) -> tuple[str, ...]:
    """Returns the names of a function's keyword-only arguments."""
    return tuple(one.name for one in inspect.signature(function).parameters.values() if one.kind is one.KEYWORD_ONLY)


def given_texts(function: Callable[..., Any], given: Mapping[str, Any], *others: str) -> dict[str, str]:
    """Returns the options among the arguments `given` of a function as strings, without those that are None.

    The options are the keyword-only arguments, except `backend`, `executor`, `progress` and those named in `others`.
    """
    left_out = {"backend", "executor", "progress", *others}
    return texts_of({name: given[name] for name in _keyword_names(function) if name not in left_out})


def whole_of(name: str, value: Any, minimum: int = -(2**63), maximum: int = 2**63 - 1) -> int:
    """Returns a whole number, which may be given as a float."""
    expected = "a whole number" if minimum < 0 else f"at least {minimum}"
    if maximum < 2**63 - 1:
        expected = f"a number from {minimum} to {maximum}"
    if isinstance(value, (str, bool)) or not is_scalar(value):
        raise TypeError(f"{name} is {shown(value)}, expected {expected}")
    try:
        number = int(text_of(name, value))
    except ValueError:
        raise ValueError(f"{name} is {shown(value)}, expected a whole number") from None
    if not minimum <= number <= maximum:
        if number > maximum == 2**63 - 1:
            expected = f"at most {maximum}"
        raise ValueError(f"{name} is {number}, expected {expected}")
    return number


def real_of(name: str, value: Any, minimum: float = -math.inf) -> float:
    """Returns a real number, which may be infinite."""
    expected = "a number" if minimum == -math.inf else f"a number of at least {minimum}"
    if isinstance(value, (str, bool)) or not (is_scalar(value) and _number_text(value)):
        raise TypeError(f"{name} is {shown(value)}, expected {expected}")
    if not float(value) >= minimum:
        raise ValueError(f"{name} is {float(value)}, expected {expected}")
    return float(value)


def plain_text_of(name: str, value: Any) -> str:
    """Returns a string. Raises TypeError for values of other types."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is {shown(value)}, expected a string")
    return value


def constraint_texts(subject_to: Any) -> list[str]:
    """Returns a list of constraints from None, one constraint or a sequence of them."""
    constraints = [] if subject_to is None else [subject_to] if isinstance(subject_to, str) else list(subject_to)
    for constraint in constraints:
        plain_text_of("subject_to", constraint)
    return constraints


def switch_of(name: str, value: Any) -> bool:
    """Returns a boolean. Raises TypeError for values of other types."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is {shown(value)}, expected True or False")
    return bool(value)


def range_text(name: str, value: Any) -> str | None:
    """Returns FIRST:LAST for a pair, and the string for a single value."""
    if value is None:
        return None
    if is_scalar(value):
        return text_of(name, value)
    return ":".join(text_of(name, end) for end in values_of(name, value))


def values_of(name: str, values: Any) -> list[Any]:
    """Returns the elements of a one-dimensional list: a sequence, an array or a pandas.Series."""
    if hasattr(values, "__array__") or hasattr(values, "__dlpack__"):
        array = host_array(name, values)
        if array.ndim != 1:
            raise ValueError(f"{name} has the shape {array.shape}, expected 1 dimension")
        values = array.tolist()
    if not isinstance(values, Sequence) or isinstance(values, (str, bytes)):
        raise TypeError(f"{name} is {shown(values)}, expected a number, a string, or a list of them")
    if len(values) == 0:
        raise ValueError(f"{name} is empty, expected at least one value")
    return list(values)


def array_of(name: str, values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Returns the values as an array of real numbers. Raises ValueError for other values, such as ragged lists."""
    try:
        array = host_array(name, values)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        if str(error).startswith(f"{name} is "):
            raise
        raise ValueError(f"{name} is {shown(values)}, expected an array of numbers: {error}") from None
    if array.dtype.kind == "O" and all(isinstance(value, Real) for value in array.flat):
        array = array.astype(np.float64)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} is an array of {array.dtype}, expected real numbers")
    return array


def numbers(name: str, values: npt.ArrayLike, *shape: int | None) -> Array:
    """Returns the values as a contiguous float64 array, without a copy if they are one already.

    `shape` is the required length of each dimension; None accepts any length. Raises ValueError if the shape differs,
    or if a value is not a real number or not finite.
    """
    array = array_of(name, values)
    if array.ndim != len(shape):
        raise ValueError(f"{name} has the shape {array.shape}, expected {len(shape)} dimension{'s'[:len(shape) - 1]}")
    for found, required in zip(array.shape, shape):
        if required is not None and found != required:
            expected = ", ".join("any" if length is None else str(length) for length in shape)
            raise ValueError(f"{name} has the shape {array.shape}, expected ({expected})")
    contiguous = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(contiguous).all():
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(contiguous))[0])
        where = ", ".join(str(i) for i in place)
        raise ValueError(f"{name}[{where}] is {contiguous[place]}, expected a finite number")
    return contiguous


def optional_numbers(name: str, values: npt.ArrayLike | None, *shape: int | None) -> Array | None:
    """Returns the values as `numbers` does, or None for None."""
    return None if values is None else numbers(name, values, *shape)


def names_of(name: str, values: Any) -> list[str]:
    """Returns names as strings; an empty list for None."""
    return [] if values is None else [str(value) for value in values_of(name, values)]
