# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters of models in Python."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Optional, Union

Number = Union[int, float]


@dataclass(frozen=True)
class _Declared:
    """What `parameter` returns, until `model` has read the class."""

    default: Any
    unit: str
    help: str
    low: Optional[Number]
    high: Optional[Number]
    above: Optional[Number]
    below: Optional[Number]


def parameter(
    default: Any,
    *,
    unit: str = "",
    help: str = "",
    low: Optional[Number] = None,
    high: Optional[Number] = None,
    above: Optional[Number] = None,
    below: Optional[Number] = None,
) -> Any:
    """Declares a parameter of a model in Python, with its unit and range.

    Parameters
    ----------
    default : float, int or bool
        Default value.
    unit : str
        Unit, such as "1/min"; empty for a plain number.
    help : str
        Meaning in a phrase; default: the name of the parameter.
    low, high : float or int, optional
        Smallest and largest value.
    above, below : float or int, optional
        Limits that the value may not reach.

    Returns
    -------
    Any
        The declaration, for an annotated attribute of a class under `sporos.model`.

    Examples
    --------
    >>> import sporos
    >>> rate: float = sporos.parameter(0.5, unit="1/min", above=0)
    """
    return _Declared(default, unit, help, low, high, above, below)


def _plain(value: Number) -> str:
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


@dataclass(frozen=True)
class ParameterOfModel:
    """A parameter of a model in Python."""

    name: str
    kind: str
    default: Any
    unit: str
    meaning: str
    low: Optional[Number] = None
    high: Optional[Number] = None
    above: Optional[Number] = None
    below: Optional[Number] = None

    @staticmethod
    def of(name: str, kind: str, given: Any) -> ParameterOfModel:
        """Returns the parameter of an annotated attribute; raises TypeError or ValueError if it is wrong."""
        made = given if isinstance(given, _Declared) else _Declared(given, "", "", None, None, None, None)
        for text in (made.unit, made.help):
            if not isinstance(text, str):
                raise TypeError(f"unit and help of {name} must be strings, got {text!r}")
        is_bool = kind == "bool"
        one = ParameterOfModel(
            name, kind, made.default, made.unit, made.help or name.replace("_", " "),
            0 if is_bool else made.low, 1 if is_bool else made.high, made.above, made.below,
        )  # fmt: skip
        for limit in (one.low, one.high, one.above, one.below):
            if limit is not None and (type(limit) not in (int, float) or not math.isfinite(limit)):
                raise TypeError(f"a limit of {name} is {limit!r}: expected a finite number")
        return ParameterOfModel(**{**vars(one), "default": one.checked(made.default)})

    def checked(self, value: Any) -> Any:
        """Returns a value of the parameter, or raises TypeError or ValueError."""
        value = value.item() if hasattr(value, "item") else value
        fits = {"float": (int, float), "int": (int,), "bool": (bool,)}[self.kind]
        if type(value) not in fits:
            raise TypeError(f"{self.name} is {value!r}, expected a value of type {self.kind}")
        if self.kind == "int" and not -(2**63) <= value < 2**63:
            raise ValueError(f"{self.name} is {value}, expected an int of 64 bits")
        value = float(value) if self.kind == "float" else value
        condition, expected = self.condition()
        python = condition.replace("std::isfinite(value)", "isfinite(value)").replace("&&", "and")
        if condition and not eval(python, {"isfinite": math.isfinite, "value": value}):
            raise ValueError(f"{self.name} is {value!r}, expected {expected}")
        return value

    def bounds(self) -> tuple[float, float]:
        """Returns the smallest and the largest value of an int."""
        low = max(-math.inf if self.low is None else self.low, -math.inf if self.above is None else self.above + 1)
        high = min(math.inf if self.high is None else self.high, math.inf if self.below is None else self.below - 1)
        return (low, high)

    def condition(self) -> tuple[str, str]:
        """Returns the condition of a valid value in C++, empty if there is none, and what is expected."""
        limits = [
            (self.low, ">=", "at least"), (self.high, "<=", "at most"),
            (self.above, ">", "above"), (self.below, "<", "below"),
        ]  # fmt: skip
        given = [(limit, sign, words) for limit, sign, words in limits if limit is not None]
        parts = [f"value {sign} {limit!r}" for limit, sign, _ in given]
        if self.kind == "float" and parts:
            parts.insert(0, "std::isfinite(value)")
        noun = {"float": "a finite number", "int": "an int", "bool": "0 or 1"}[self.kind]
        if self.kind != "bool" and given:
            noun += " " + " and ".join(f"{words} {_plain(limit)}" for limit, _, words in given)
        return " && ".join(parts), noun
