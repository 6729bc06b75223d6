# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds which numbers of a model depend on its parameters and its draws.

A model whose control flow does not depend on its draws runs in lanes: several replications at a time. A model without
event tools and conversions to int has derivatives. The writer of the header then uses number types for both.
"""

from __future__ import annotations

from collections.abc import Sequence

from .language import Array
from .tree import Expr, ModelTree, Stmt, expressions_in, statements_in

PLAIN, REAL, RANDOM = 0, 1, 2
"""Kinds of numbers: constants and ints; numbers that depend on parameters; numbers that depend on draws."""

_IN_LANES = {"random": REAL, "uniform": REAL, "exponential": REAL, "exponential_by_mean": REAL, "normal": REAL,
             "lognormal": REAL, "weibull": PLAIN, "pareto": PLAIN, "log_logistic": PLAIN}  # fmt: skip
"""Distributions that can be drawn in lanes, with the highest kind of their parameters."""


class Kinds:
    """The kinds of the variables of replicate, and whether the model runs in lanes and has derivatives."""

    def __init__(self, tree: ModelTree, has_float_parameters: bool) -> None:
        self._tree = tree
        self.variables: dict[str, int] = {}
        body = tree.replicate.body
        while self._spread(body):
            pass
        is_plain = not tree.tools and not tree.replicate.checks
        self.lanes = is_plain and bool(tree.replicate.draw) and self._all(body, True)
        self.gradients = is_plain and has_float_parameters and self._all(body, False)

    def of(self, expr: Expr) -> int:
        """Returns the kind of an expression. A condition has the kind of the numbers that it compares."""
        if expr.op == "variable":
            return self.variables.get(expr.data, PLAIN)
        if expr.op == "parameter":
            return REAL if expr.type == "float" else PLAIN
        inner = max((self.of(one) for one in expr.args), default=PLAIN)
        if expr.op == "draw" or (expr.op == "call" and expr.draws):
            return RANDOM
        if expr.op == "call" and self._reads_parameters(expr.data):
            return max(inner, REAL)
        return inner

    def _reads_parameters(self, helper: str) -> bool:
        """Whether a function, or one that it calls, reads a float parameter."""
        tree = self._tree.helpers[helper]
        return any(
            (one.op == "parameter" and one.type == "float") or (one.op == "call" and self._reads_parameters(one.data))
            for stmt in statements_in(tree.body)
            for outer in stmt.exprs
            for one in expressions_in(outer)
        )

    def _spread(self, statements: Sequence[Stmt]) -> bool:
        """Raises the kinds of assigned variables; returns whether one has changed."""
        changed = False

        def raise_to(name: str, kind: int) -> None:
            nonlocal changed
            if kind > self.variables.get(name, PLAIN):
                self.variables[name] = kind
                changed = True

        for stmt in statements:
            if stmt.op == "store":
                place = stmt.exprs[0]
                while place.op == "index":
                    place = place.args[0]
                raise_to(place.data, self.of(stmt.exprs[1]))
            elif stmt.op == "array":
                raise_to(stmt.names[0], max(self.of(one) for one in stmt.exprs))
            elif stmt.op in ("assign", "parallel"):
                for name, value in zip(stmt.names, stmt.exprs):
                    raise_to(name, self.of(value))
            elif stmt.op == "each":
                raise_to(stmt.names[-1], self.of(stmt.exprs[0]))
            elif stmt.op == "if" and self.of(stmt.exprs[0]) == RANDOM:
                for one in (*stmt.body, *stmt.orelse):
                    for name in one.names:
                        raise_to(name, RANDOM)
            changed = self._spread(stmt.body) or changed
            changed = self._spread(stmt.orelse) or changed
        return changed

    def is_selection(self, stmt: Stmt) -> bool:
        """Whether an if statement only assigns numbers, so that it can become selections in lanes."""
        return all(
            one.op == "assign" and self._tree.replicate.variables[one.names[0]] == "float" and _is_simple(one.exprs[0])
            for one in (*stmt.body, *stmt.orelse)
        )

    def _all(self, statements: Sequence[Stmt], in_lanes: bool) -> bool:
        return all(self._fits(one, in_lanes) for one in statements)

    def _fits(self, stmt: Stmt, in_lanes: bool) -> bool:
        if not all(self._expression_fits(one, in_lanes) for one in stmt.exprs):
            return False
        if in_lanes:
            if stmt.op in ("if", "while") and self.of(stmt.exprs[0]) == RANDOM:
                if stmt.op == "while" or not self.is_selection(stmt):
                    return False
            for name in stmt.names:
                kind = self._tree.replicate.variables.get(name)
                element = kind.element if isinstance(kind, Array) else kind
                if element != "float" and self.variables.get(name, PLAIN) == RANDOM:
                    return False
        return self._all(stmt.body, in_lanes) and self._all(stmt.orelse, in_lanes)

    def _expression_fits(self, expr: Expr, in_lanes: bool) -> bool:
        if not all(self._expression_fits(one, in_lanes) for one in expr.args):
            return False
        kind, most = self.of(expr), RANDOM if in_lanes else REAL
        if kind < most:
            return True
        inner = [self.of(one) for one in expr.args]
        highest = max(inner, default=PLAIN)
        if expr.op == "draw":
            return not in_lanes or highest <= _IN_LANES.get(expr.data[0], -1)
        if expr.op in ("call", "convert") or (
            expr.op == "binary" and expr.data[0] in "/%" and expr.data != "/" and highest >= most
        ):
            return False
        if expr.op == "function" and highest >= most:
            return expr.data != "log_gamma" and not (in_lanes and expr.data == "pow")
        if in_lanes and expr.op in ("and", "or"):
            return min(inner) == RANDOM
        if in_lanes and expr.op == "index":
            return inner[-1] < RANDOM
        if in_lanes and expr.op == "choice" and inner[0] == RANDOM:
            return _is_simple(expr) and expr.type == "float"
        return True


def _is_simple(expr: Expr) -> bool:
    """Whether an expression may be computed although its value is not used."""
    return expr.is_pure and expr.op != "call" and all(_is_simple(one) for one in expr.args)
