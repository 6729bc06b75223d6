# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The typed tree of a model, from which its C++ header and its interpreted functions are written."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional

from .language import Array, Type


@dataclass
class Expr:
    """An expression.

    `op` is constant, variable, parameter, table, binary, negative, not, compare, and, or, choice, convert, function,
    minimum, maximum, index, draw, call or method; `data` depends on it.
    """

    op: str
    type: Type
    node: ast.AST
    args: tuple[Expr, ...] = ()
    data: Any = None
    label: str = ""
    """Name of a constant."""
    draws: frozenset[str] = frozenset()
    """Inputs that it draws from; "*" if it calls a function that draws."""
    changes: frozenset[str] = frozenset()
    """Event tools that it changes."""
    reads: frozenset[str] = frozenset()
    """Event tools that it reads."""

    @property
    def is_pure(self) -> bool:
        """Whether it neither draws nor changes an event tool."""
        return not self.draws and not self.changes

    def conflicts_with(self, other: Expr) -> bool:
        """Whether the order matters in which the two are computed."""
        draws = self.draws & other.draws or (self.draws and other.draws and "*" in self.draws | other.draws)
        return bool(draws or self.changes & (other.changes | other.reads) or other.changes & self.reads)

    def absorb(self, parts: Sequence[Expr]) -> Expr:
        """Adds the effects of its parts, and returns it."""
        for one in parts:
            self.draws |= one.draws
            self.changes |= one.changes
            self.reads |= one.reads
        return self


@dataclass
class Stmt:
    """A statement.

    `op` is assign, parallel, array, room, tool, store, add, effect, if, while, range, each, break, continue or return.
    """

    op: str
    node: ast.AST
    exprs: tuple[Expr, ...] = ()
    names: tuple[str, ...] = ()
    body: list[Stmt] = field(default_factory=list)
    orelse: list[Stmt] = field(default_factory=list)
    data: Any = None


@dataclass
class FunctionTree:
    """A function: replicate, or a helper."""

    name: str
    node: ast.FunctionDef
    filename: str
    parameters: dict[str, str]
    """Names and types of the parameters, without self and draw."""
    takes_self: bool = False
    draw: Optional[str] = None
    """Name of the parameter with the draws."""
    result: str = ""
    """Type of a helper's result; "means" for functions of the host, such as exact_means, "series" for observe, "chain" for
    evolve, "levels" for at_level."""
    body: list[Stmt] = field(default_factory=list)
    variables: dict[str, Type] = field(default_factory=dict)
    checks: bool = False
    """Whether it, or a function that it calls, may fail at a line."""
    calls: set[str] = field(default_factory=set)


@dataclass
class ModelTree:
    """A model: its functions and the constants that they use."""

    replicate: FunctionTree
    exact_means: Optional[FunctionTree]
    helpers: dict[str, FunctionTree]
    tables: dict[str, tuple[Any, Array]]
    """Constant arrays by name: values and type."""
    distributions: set[str]
    tools: set[str]
    observe: Optional[FunctionTree] = None
    series_means: Optional[FunctionTree] = None
    evolve: Optional[FunctionTree] = None
    exact_reach: Optional[FunctionTree] = None
    at_level: Optional[FunctionTree] = None
    level_cost: Optional[FunctionTree] = None
    level_means: Optional[FunctionTree] = None

    def functions(self) -> list[FunctionTree]:
        """Returns all functions; those that are called come first."""
        others = (self.exact_means, self.observe, self.series_means, self.evolve, self.exact_reach, self.at_level,
                  self.level_cost, self.level_means)  # fmt: skip
        return [*self.helpers.values(), self.replicate, *(one for one in others if one is not None)]


def expressions_in(expr: Expr) -> Iterator[Expr]:
    """Yields an expression and its parts."""
    yield expr
    for one in expr.args:
        yield from expressions_in(one)


def statements_in(statements: Sequence[Stmt]) -> Iterator[Stmt]:
    """Yields statements and those in their blocks."""
    for stmt in statements:
        yield stmt
        yield from statements_in(stmt.body)
        yield from statements_in(stmt.orelse)
