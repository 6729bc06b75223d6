# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Markov chains of models in Python: the check of `evolve`, and the chain that it simulates in CPython."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

from .._draw import Draw
from .series import calls_of, leaves
from .tree import Expr, FunctionTree, Stmt, expressions_in, statements_in

if TYPE_CHECKING:
    from .checker import FunctionChecker


class Chain:
    """The Markov chain that `evolve(self, draw, chain)` of a model simulates.

    Examples
    --------
    >>> import sporos
    >>> def walk(draw: sporos.Draw, chain: sporos.Chain) -> None:
    ...     height = 1
    ...     while chain.goes_on(height) and height > 0:
    ...         height += 1 if draw("step") < 0.3 else -1
    """

    def __init__(self, draws: Draw, stages: Sequence[tuple[float, int]]) -> None:
        self._draws = draws
        self._stages = list(stages)
        """Levels with the replications whose random numbers the chain draws until it has reached them."""
        self.levels: list[float] = []
        """The level of each state."""

    def goes_on(self, level: float) -> bool:
        """Returns whether the level, which is that of the current state, is below the target."""
        self.levels.append(float(level))
        while self._stages and level >= self._stages[0][0]:
            del self._stages[0]
            if self._stages:
                self._draws._restart(self._stages[0][1])
        return bool(self._stages)


def is_endless(tree: FunctionTree) -> bool:
    """Whether the loop of evolve has no condition besides goes_on."""
    return tree.body[-1].exprs[0].op != "and"


def level_of(tree: FunctionTree) -> Expr:
    """Returns the level of the chain."""
    condition = tree.body[-1].exprs[0]
    first = condition if is_endless(tree) else condition.args[0]
    return first.args[0]


def check_chain(checker: FunctionChecker, tree: FunctionTree) -> None:
    """Refuses an `evolve` whose last statement is not the loop of the chain, or that uses the chain elsewhere."""
    chain = next(iter(checker.outer))
    loop = tree.body[-1] if tree.body else None
    node: ast.AST = loop.node if loop else tree.node
    condition = loop.exprs[0] if loop is not None and loop.op == "while" else None
    first = condition.args[0] if condition is not None and condition.op == "and" else condition
    if first is None or loop is None or first.op != "method" or first.data[0] != chain:
        checker.refuse(node, f"evolve ends without its loop: write while {chain}.goes_on(level): at its end")
    for one in calls_of(chain, [expr for stmt in statements_in(tree.body) for expr in stmt.exprs]):
        if one is not first:
            checker.refuse(one.node, f"{chain}.goes_on() is called outside of its place: use it only in the last loop")
    if condition is not None and condition.draws:
        checker.refuse(condition.node, "the condition of the loop of evolve draws: draw in the loop")
    left = leaves(loop.body)
    if left is not None:
        checker.refuse(left.node, f"break ends the loop of evolve: write its condition after {chain}.goes_on(...) and")


def array_obstacle(tree: FunctionTree, inputs: Sequence[str]) -> Optional[str]:
    """Returns why array-RQMC does not offer the chain of a model, or None if it does."""
    if not is_endless(tree):
        return "its chain ends: write while chain.goes_on(level): without another condition"
    if any(expr.draws for stmt in statements_in(tree.body[:-1]) for expr in stmt.exprs):
        return "evolve draws before its loop: start with constants"
    counts = _draws_of_pass(tree.body[-1].body)
    if "*" in counts:
        return "a helper of evolve draws: draw in the loop"
    several = next((one for place, one in enumerate(inputs) if counts.get(place, 0) > 1), None)
    return several and f"a step may draw twice from {several}: draw at most once from each input in a pass of the loop"


def _draws_of_pass(statements: Sequence[Stmt]) -> dict[Any, int]:
    """Returns the largest number of draws in these statements, by the place of the input, and by "*" for those of
    helpers. A draw in an inner loop counts twice."""
    counts: dict[Any, int] = {}
    for stmt in statements:
        for expr in (one for outer in stmt.exprs for one in expressions_in(outer)):
            place = expr.data[1] if expr.op == "draw" else "*" if expr.op == "call" and expr.draws else None
            if place is not None:
                counts[place] = counts.get(place, 0) + (2 if stmt.op == "while" else 1)
        body, orelse = _draws_of_pass(stmt.body), _draws_of_pass(stmt.orelse)
        for place in {*body, *orelse}:
            largest = max(body.get(place, 0), orelse.get(place, 0))
            counts[place] = counts.get(place, 0) + (largest if stmt.op == "if" else 2 * largest)
    return counts
