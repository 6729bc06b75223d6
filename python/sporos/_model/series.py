# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Long runs of models in Python: the check of `observe`, and the series that it writes in CPython."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .._draw import Draw
from .events import ReplicationFailed
from .tree import Expr, FunctionTree, Stmt, expressions_in, statements_in

if TYPE_CHECKING:
    from .checker import FunctionChecker

SEGMENT = 4096
"""Observations of a segment, which draws the random numbers of one replication."""


class Series:
    """The observations of a long run, which `observe(self, draw, series)` of a model records.

    Examples
    --------
    >>> import sporos
    >>> def waits(draw: sporos.Draw, series: sporos.Series) -> None:
    ...     while series.goes_on():
    ...         series.record(draw.exponential("wait", 1.0))
    """

    def __init__(self, draws: Draw, observations: int, run: int = 0, runs: int = 1) -> None:
        self._draws = draws
        self._observations, self._run, self._runs = observations, run, runs
        self._segment = 0
        self.rows: list[tuple[float, ...]] = []
        """The observations, a row for each of them."""

    def goes_on(self) -> bool:
        """Returns whether the run requires another observation."""
        if len(self.rows) // SEGMENT > self._segment:
            self._segment += 1
            self._draws._restart(self._segment * self._runs + self._run)
        return len(self.rows) < self._observations

    def record(self, *numbers: float) -> None:
        """Records an observation, a number for each name in `series` of the model."""
        self.rows.append(tuple(float(one) for one in numbers))

    def regenerate(self) -> None:
        """Marks a regeneration point: the observations after it do not depend on those before it."""

    def check_end(self) -> None:
        """Raises ReplicationFailed if the run has ended early."""
        if len(self.rows) < self._observations:
            raise ReplicationFailed(
                "the loop of observe ends before its observations are recorded: keep its other conditions true, such as "
                "by events in the calendar"
            )


def calls_of(series: str, parts: Iterable[Expr]) -> list[Expr]:
    """Returns the calls of methods of the series in expressions."""
    found = [one for part in parts for one in expressions_in(part)]
    return [one for one in found if one.op == "method" and one.data[0] == series]


def _goes_on(series: str, condition: Expr) -> bool:
    """Whether the condition of a loop is series.goes_on(), alone or first in `and`."""
    first = condition.args[0] if condition.op == "and" else condition
    rest = condition.args[1:] if condition.op == "and" else ()
    return bool(calls_of(series, [first])) and first.op == "method" and not calls_of(series, rest)


def _records(checker: FunctionChecker, series: str, statements: Sequence[Stmt]) -> int:
    """Returns the largest number of observations in these statements; refuses more than one, or one in a loop."""
    count = 0
    for stmt in statements:
        of_blocks = [_records(checker, series, block) for block in (stmt.body, stmt.orelse)]
        own = [one for one in calls_of(series, stmt.exprs) if one.data[2] == "record"]
        count += len(own) + max(of_blocks)
        if count > 1 or (stmt.op in ("while", "range", "each") and max(of_blocks) > 0):
            node: Any = own[0].node if own else stmt.node
            checker.refuse(
                node, f"{series}.record may be called twice in a pass of the loop of observe: call it once in a pass"
            )
    return count


def leaves(statements: Sequence[Stmt]) -> Stmt | None:
    """Returns the break that ends the loop with this body."""
    for stmt in statements:
        found = stmt if stmt.op == "break" else leaves([*stmt.body, *stmt.orelse]) if stmt.op == "if" else None
        if found is not None:
            return found
    return None


def check_series(checker: FunctionChecker, tree: FunctionTree) -> None:
    """Refuses an `observe` whose last statement is not the loop of the series, or that uses the series elsewhere."""
    series = next(iter(checker.outer))
    loop = tree.body[-1] if tree.body else None
    node: ast.AST = loop.node if loop else tree.node
    if loop is None or loop.op != "while" or not _goes_on(series, loop.exprs[0]):
        checker.refuse(node, f"observe ends without its loop: write while {series}.goes_on(): at its end")
    inside = [one for stmt in statements_in(loop.body) for one in calls_of(series, stmt.exprs)]
    outside = [one for stmt in statements_in(tree.body[:-1]) for one in calls_of(series, stmt.exprs)]
    for one in (*outside, *(one for one in inside if one.data[2] == "goes_on")):
        checker.refuse(one.node, f"{series}.{one.data[2]}() is called outside of its place: use it only in the last loop")
    if not _records(checker, series, loop.body):
        checker.refuse(node, f"the loop of observe has no observation: call {series}.record(...) in it")
    tree.checks = tree.checks or loop.exprs[0].op == "and"
    left = leaves(loop.body)
    if left is not None:
        checker.refuse(left.node, f"break ends the loop of observe, which goes on until {series}.goes_on() is false: remove it")
