# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bounds of ints, from which it is known that an index or a divisor needs no check."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .tree import Expr

Interval = tuple[float, float]

UNKNOWN: Interval = (-math.inf, math.inf)
_EXACT = 2.0**53
"""Beyond this number nothing is known, because bounds are computed as floats, and sums of ints may overflow."""


def union(a: Interval, b: Interval) -> Interval:
    """Returns the smallest interval that contains both."""
    return (min(a[0], b[0]), max(a[1], b[1]))


def _bounded(low: float, high: float) -> Interval:
    return (low, high) if low > -_EXACT and high < _EXACT else UNKNOWN


def interval_of(expr: Expr, known: Callable[[Expr], Interval], tables: dict[str, Any]) -> Interval:
    """Returns bounds of an int expression. `known` returns those of variables and parameters."""
    if expr.type != "int":
        return (0, 1) if expr.type == "bool" else UNKNOWN
    if expr.op == "constant":
        return _bounded(expr.data, expr.data)
    if expr.op in ("variable", "parameter"):
        return known(expr)
    inner = [interval_of(one, known, tables) for one in expr.args]
    if expr.op == "convert":
        return (0, 1)
    if expr.op == "choice":
        return union(inner[1], inner[2])
    if expr.op in ("minimum", "maximum"):
        pick = min if expr.op == "minimum" else max
        return (pick(inner[0][0], inner[1][0]), pick(inner[0][1], inner[1][1]))
    if expr.op == "index":
        return _of_table(expr, tables)
    if expr.op == "binary":
        return _of_binary(expr.data, inner)
    return UNKNOWN


def _of_binary(op: str, inner: list[Interval]) -> Interval:
    (a, b), (c, d) = inner
    op = op.rstrip("?")
    if op == "+":
        return _bounded(a + c, b + d)
    if op == "-":
        return _bounded(a - d, b - c)
    if op == "*" and a >= 0 and c >= 0:
        return _bounded(a * c, b * d)
    if op == "%" and c == d > 0:
        return (0, d - 1)
    if op == "//" and c == d > 0:
        return _bounded(a // d, b // d)
    return UNKNOWN


def _of_table(expr: Expr, tables: dict[str, Any]) -> Interval:
    while expr.op == "index":
        expr = expr.args[0]
    if expr.op != "table":
        return UNKNOWN
    values = tables[expr.data][0]
    flat = [one for row in values for one in row] if isinstance(values[0], (tuple, list)) else list(values)
    return _bounded(min(flat), max(flat))
