# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the draws of a replication, for samplings that must know their number in advance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .tree import Expr, FunctionTree, Stmt, statements_in

_UNKNOWN = "0"


def stated_draws(
    function: FunctionTree, inputs: int, text_of: Callable[[Expr], str], is_natural: Callable[[Expr], bool]
) -> list[str]:
    """Returns the number of draws from each input as C++ text; "0" if it is unknown.

    The number is known if draws are made in each replication, outside of conditions, in loops over a range that only
    depends on parameters. `is_natural` returns whether an expression is never negative.
    """
    counts: list[list[str]] = [[] for _ in range(inputs)]
    unknown: set[int] = set()
    ends = [stmt for stmt in statements_in(function.body) if stmt.op == "return"]

    def give_up(statements: Sequence[Stmt]) -> None:
        for stmt in statements_in(statements):
            for expr in stmt.exprs:
                unknown.update(_places(expr, inputs))

    def visit(statements: Sequence[Stmt], factors: tuple[str, ...]) -> None:
        for stmt in statements:
            is_loop = stmt.op == "range" and stmt.data == 1 and all(_is_parameter(one) for one in stmt.exprs)
            jumps = any(one.op in ("break", "continue") for one in statements_in(stmt.body))
            if stmt.body and not (is_loop and not jumps):
                give_up([stmt])
                continue
            for expr in stmt.exprs:
                conditional = _conditional_places(expr, inputs)
                unknown.update(conditional)
                for place in _places(expr, inputs):
                    counts[place].append(" * ".join(factors) or "1")
            if stmt.body:
                visit(stmt.body, (*factors, _steps(stmt, text_of, is_natural)))

    if len(ends) > 1:
        give_up(function.body)
    else:
        visit(function.body, ())
    return [_UNKNOWN if i in unknown or not terms else " + ".join(terms) for i, terms in enumerate(counts)]


def _places(expr: Expr, inputs: int) -> list[int]:
    """Returns the inputs that an expression draws from, with repetitions; all of them if it calls a function."""
    places = [place for one in expr.args for place in _places(one, inputs)]
    if expr.op == "draw":
        places.append(expr.data[1])
    if expr.op == "call" and expr.draws:
        places += range(inputs)
    return places


def _conditional_places(expr: Expr, inputs: int) -> list[int]:
    if expr.op in ("and", "or", "choice") or (expr.op == "call" and expr.draws):
        return _places(expr, inputs)
    return [place for one in expr.args for place in _conditional_places(one, inputs)]


def _is_parameter(expr: Expr) -> bool:
    """Whether an expression consists of constants and parameters."""
    return expr.op in ("constant", "parameter", "binary", "negative") and all(_is_parameter(one) for one in expr.args)


def _steps(stmt: Stmt, text_of: Callable[[Expr], str], is_natural: Callable[[Expr], bool]) -> str:
    """Returns the number of steps of a loop over a range."""
    last = stmt.exprs[-1]
    if len(stmt.exprs) == 1 and is_natural(last):
        return text_of(last)
    length = text_of(last) if len(stmt.exprs) == 1 else f"({text_of(last)}) - ({text_of(stmt.exprs[0])})"
    return f"sporos::math::larger(0, {length})"
