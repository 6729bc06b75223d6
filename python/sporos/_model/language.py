# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions, distributions and event tools that a model in Python may use."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Optional, Union


@dataclass(frozen=True)
class Array:
    """Type of an array of fixed size, in one or two dimensions."""

    element: str
    shape: tuple[int, ...]

    def __str__(self) -> str:
        return f"array of {self.element}"


@dataclass(frozen=True)
class Record:
    """Type of a record, or of an array of `size` records.

    The fields of a record `owner` are variables, or arrays, called `owner.field`.
    """

    name: str
    fields: tuple[tuple[str, str, Any], ...]
    """Name, type and default of each field; no default is None."""
    size: int = 0

    def __str__(self) -> str:
        return f"array of {self.name}" if self.size else self.name

    def kind_of(self, field: str) -> Optional[str]:
        """Returns the type of a field, or None if the record does not have it."""
        return next((kind for name, kind, _ in self.fields if name == field), None)


@dataclass(frozen=True)
class Tool:
    """Type of an event tool. `slots` is its room, `record` the type of a pool's entities, and `pool` that of a line."""

    name: str
    slots: int = 0
    record: Optional[Record] = None
    pool: str = ""

    def __str__(self) -> str:
        return self.name


Type = Union[str, Array, Record, Tool]
"""A type: float, int, bool, ticket, an array, a record or an event tool."""


@dataclass(frozen=True)
class Function:
    """A function of math, with the name of its counterpart in C++ and in the module of the backend."""

    name: str
    arguments: int = 1
    result: str = "float"


MATH = {
    "exp": Function("exp"),
    "expm1": Function("expm1"),
    "log": Function("log"),
    "log1p": Function("log1p"),
    "sqrt": Function("sqrt"),
    "sin": Function("sin"),
    "cos": Function("cos"),
    "pow": Function("pow", 2),
    "lgamma": Function("log_gamma"),
    "fabs": Function("abs"),
    "floor": Function("floor", 1, "int"),
    "ceil": Function("ceil", 1, "int"),
    "trunc": Function("trunc", 1, "int"),
}
"""Functions of the module math."""

MATH_REMEDIES = {
    "log10": "write math.log(x) / math.log(10)",
    "log2": "write math.log(x) / math.log(2)",
    "tan": "write math.sin(x) / math.cos(x)",
    "hypot": "write math.sqrt(x * x + y * y)",
    "fsum": "add the numbers in a loop",
    "exp2": "write 2.0 ** x",
    "cbrt": "write x ** (1 / 3)",
}
"""What to write instead of some functions of math that have no counterpart."""

MATH_FUNCTIONS = {getattr(math, name): name for name in dir(math) if callable(getattr(math, name))}
"""Names of all functions of math, by function."""


@dataclass(frozen=True)
class Distribution:
    """A distribution: names and types of its parameters, the type of a variate, the header of the function, and the
    defaults of the last parameters."""

    parameters: dict[str, str]
    result: str
    header: str
    defaults: tuple[float, ...] = ()


def _distribution(
    parameters: str, header: str, result: str = "float", defaults: tuple[float, ...] = ()
) -> Distribution:
    names = [name.partition(":") for name in parameters.split()]
    return Distribution({name: kind or "float" for name, _, kind in names}, result, header, defaults)


DISTRIBUTIONS = {
    "random": _distribution("", ""),
    "uniform": _distribution("low high", "continuous"),
    "triangular": _distribution("low mode high", "continuous"),
    "exponential": _distribution("rate", "continuous", defaults=(1.0,)),
    "exponential_by_mean": _distribution("mean", "continuous"),
    "weibull": _distribution("shape scale", "continuous"),
    "normal": _distribution("mean deviation", "continuous", defaults=(0.0, 1.0)),
    "lognormal": _distribution("log_mean log_deviation", "continuous"),
    "gamma": _distribution("shape scale", "gamma"),
    "gamma_by_rate": _distribution("shape rate", "gamma"),
    "erlang": _distribution("shape:int rate", "gamma"),
    "beta": _distribution("alpha beta", "beta"),
    "student": _distribution("degrees location scale", "beta"),
    "pareto": _distribution("shape scale", "power_tails"),
    "log_logistic": _distribution("shape scale", "power_tails"),
    "burr": _distribution("shape tail scale", "power_tails"),
    "johnson_su": _distribution("gamma delta location scale", "johnson"),
    "johnson_sb": _distribution("gamma delta location scale", "johnson"),
    "truncated_normal": _distribution("mean deviation low high", "truncated"),
    "hyperexponential": _distribution("probability rate other_rate", "phase_type"),
    "uniform_integer": _distribution("low:int high:int", "counts", "int"),
    "geometric": _distribution("probability", "counts", "int"),
    "poisson": _distribution("mean", "counts", "int"),
    "binomial": _distribution("trials:int probability", "trials", "int"),
    "negative_binomial": _distribution("successes probability", "trials", "int"),
    "hypergeometric": _distribution("population:int marked:int drawn:int", "trials", "int"),
}
"""Distributions, by the name of the method of Draw."""


@dataclass(frozen=True)
class Method:
    """A method of an event tool: its parameters, the defaults of the last ones, its result, and whether it changes the
    tool."""

    parameters: dict[str, str]
    defaults: tuple[float, ...] = ()
    result: str = ""
    changes: bool = False


@dataclass(frozen=True)
class ToolClass:
    """A class of event tools. The room of a tool with `has_slots` is its first argument, a constant."""

    header: str
    has_slots: bool
    parameters: dict[str, str]
    defaults: tuple[float, ...]
    methods: dict[str, Method]
    can_fail: bool = False


def _changes(result: str = "", defaults: tuple[float, ...] = (), **parameters: str) -> Method:
    return Method(parameters, defaults, result, True)


def _reads(result: str = "float", **parameters: str) -> Method:
    return Method(parameters, (), result)


_LINE = {
    "push": _changes(entity="float"),
    "pop": _changes("float"),
    "size": _reads("int"),
    "is_empty": _reads("bool"),
}

TOOLS = {
    "Calendar": ToolClass(
        "calendar",
        True,
        {},
        (),
        {
            "schedule": _changes("ticket", (0,), time="float", event="int", entity="int"),
            "reschedule": _changes("ticket", (0,), ticket="ticket", time="float", event="int", entity="int"),
            "cancel": _changes("bool", ticket="ticket"),
            "is_scheduled": _reads("bool", ticket="ticket"),
            "next": _changes("bool"),
            "next_time": _changes("float"),
            "now": _reads(),
            "event": _reads("int"),
            "entity": _reads("int"),
            "size": _reads("int"),
        },
        True,
    ),
    "FifoQueue": ToolClass("fifo_queue", True, {}, (), {**_LINE, "front": _reads()}, True),
    "LifoQueue": ToolClass("lifo_queue", True, {}, (), _LINE, True),
    "PriorityQueue": ToolClass(
        "priority_queue",
        True,
        {},
        (),
        {**_LINE, "push": _changes(entity="float", rank="float"), "front": _reads(), "front_rank": _reads()},
        True,
    ),
    "EntityPool": ToolClass(
        "checked_pool", True, {}, (), {"remove": _changes(number="int"), "size": _reads("int")}, True
    ),
    "Line": ToolClass(
        "checked_pool",
        False,
        {},
        (),
        {
            "push_back": _changes(number="int"),
            "push_front": _changes(number="int"),
            "pop_front": _changes("int"),
            "take_out": _changes(number="int"),
            "first": _reads("int"),
            "next": _reads("int", number="int"),
            "size": _reads("int"),
            "is_empty": _reads("bool"),
        },
    ),
    "Series": ToolClass("", False, {}, (), {"goes_on": _reads("bool"), "regenerate": _changes(), "record": _changes()}),
    "Chain": ToolClass("", False, {}, (), {"goes_on": _reads("bool", level="float")}),
    "Resource": ToolClass(
        "resource",
        False,
        {"units": "float", "start": "float"},
        (0.0,),
        {
            "try_seize": _changes("bool", (1.0,), now="float", amount="float"),
            "release": _changes("", (1.0,), now="float", amount="float"),
            "set_units": _changes(now="float", units="float"),
            "restart": _changes(now="float"),
            "units": _reads(),
            "used": _reads(),
            "free": _reads(),
            "average_used": _reads(end="float"),
            "utilization": _reads(end="float"),
        },
    ),
    "Tally": ToolClass(
        "tally",
        False,
        {},
        (),
        {
            "add": _changes(x="float"),
            "count": _reads("int"),
            "sum": _reads(),
            "mean": _reads(),
            "minimum": _reads(),
            "maximum": _reads(),
        },
    ),
    "TimeAverage": ToolClass(
        "time_average",
        False,
        {"value": "float", "start": "float"},
        (0.0, 0.0),
        {
            "set": _changes(now="float", value="float"),
            "add": _changes(now="float", difference="float"),
            "restart": _changes(now="float"),
            "value": _reads(),
            "maximum": _reads(),
            "area": _reads(end="float"),
            "average": _reads(end="float"),
        },
    ),
}
"""Event tools, by the name of the class."""

LOOP_FUNCTIONS = {"series": "observe", "chain": "evolve"}
"""Functions whose last statement is their loop, by the attribute of the model that declares them."""
