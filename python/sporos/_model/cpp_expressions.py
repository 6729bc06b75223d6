# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the expressions of a model in C++."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cpp_text import CPP_TYPES, number, unique
from .kinds import RANDOM, REAL
from .tree import Expr, FunctionTree

if TYPE_CHECKING:
    from .header import HeaderWriter

_PRECEDENCE = {"or": 1, "and": 2, "==": 3, "!=": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5, "*": 6, "/": 6}
_UNARY, _PRIMARY = 7, 9


class ExpressionWriter:
    """Writes the expressions of a function."""

    def __init__(self, model: HeaderWriter, tree: FunctionTree, is_main: bool, taken: frozenset[str]) -> None:
        self.model = model
        self.tree = tree
        self.is_main = is_main
        self.names: dict[str, str] = {}
        self.taken = model.taken | taken
        for name in (*tree.parameters, *tree.variables):
            if name not in self.names and name != "_":
                self.names[name] = unique(name, self.taken, "_")
        self.tables: list[str] = []

    def _kind(self, expr: Expr) -> int:
        return self.model.kinds.of(expr) if self.is_main and self.model.is_generic else 0

    def _type_of_kind(self, kind: int) -> str:
        return "Number" if kind == RANDOM else self.model.real if kind == REAL else "double"

    def _selects_by(self, condition: Expr) -> bool:
        return self.is_main and self.model.kinds.lanes and self._kind(condition) == RANDOM

    def expr(self, expr: Expr) -> str:
        """Returns the text of an expression."""
        return self._text(expr)[0]

    def _within(self, expr: Expr, least: int) -> str:
        text, precedence = self._text(expr)
        return text if precedence >= least else f"({text})"

    def _text(self, expr: Expr) -> tuple[str, int]:
        """Returns the text and the precedence of its outermost operator."""
        args, op, line = expr.args, expr.op, getattr(expr.node, "lineno", 0)
        if op == "constant" and expr.label in self.model.labels:
            return self.model.labels[expr.label], _PRIMARY
        if op == "constant":
            text = number(expr.data, str(expr.type))
            return text, _UNARY if text.startswith("-") else _PRIMARY
        if op == "variable":
            return self.names[expr.data], _PRIMARY
        if op == "parameter":
            member = self.model.members[expr.data]
            return (f"({member} != 0)" if expr.type == "bool" else member), _PRIMARY
        if op == "table":
            if expr.data not in self.tables:
                self.tables.append(expr.data)
                self.names.setdefault(expr.data, unique(expr.data, self.taken, "_"))
            return self.names[expr.data], _PRIMARY
        if op == "binary":
            return self._binary(expr, line)
        if op in ("and", "or"):
            least = _PRECEDENCE[op]
            sign = " && " if op == "and" else " || "
            if self._selects_by(expr):
                return sign.replace("&&", "&").replace("||", "|").join(f"({self.expr(one)})" for one in args), 0
            return sign.join(self._within(one, 3 if op == "or" else least + 1) for one in args), least
        if op in ("negative", "not"):
            return ("-" if op == "negative" else "!") + self._within(args[0], _PRIMARY), _UNARY
        if op == "choice" and self._selects_by(args[0]):
            return f"sporos::math::select({', '.join(self.expr(one) for one in args)})", _PRIMARY
        if op == "choice" and self._kind(expr) > 0 and expr.type == "float":
            kind = self._type_of_kind(self._kind(expr))
            yes, no = (f"{kind}({self.expr(one)})" for one in args[1:])
            return f"{self._within(args[0], 1)} ? {yes} : {no}", 0
        if op == "choice":
            return " ".join([self._within(args[0], 1), "?", self._within(args[1], 1), ":", self._within(args[2], 1)]), 0
        if op == "index":
            size, is_checked = expr.data
            index = self.expr(args[1])
            return (
                f"{self.expr(args[0])}[{f'checks.index({index}, {size}, {line})' if is_checked else index}]",
                _PRIMARY,
            )
        return self._call(expr, line), _PRIMARY

    def _binary(self, expr: Expr, line: int) -> tuple[str, int]:
        left, right = expr.args
        op = expr.data.rstrip("?")
        if op in ("//", "%"):
            names = {
                ("//", "int"): "floor_quotient",
                ("%", "int"): "floor_remainder",
                ("//", "float"): "floor_division",
                ("%", "float"): "modulo",
            }
            divisor = self.expr(right) if op == expr.data else f"checks.divisor({self.expr(right)}, {line})"
            return f"sporos::math::{names[op, str(expr.type)]}({self.expr(left)}, {divisor})", _PRIMARY
        least = _PRECEDENCE[op]
        return f"{self._within(left, least)} {op} {self._within(right, least + 1)}", least

    def _argument(self, expr: Expr) -> str:
        """Returns the text of an argument. A member that is a constant is copied: devices have no reference to it."""
        text = self.expr(expr)
        is_member = expr.op == "constant" and expr.label in self.model.labels
        return f"{CPP_TYPES[str(expr.type)]}({text})" if is_member and expr.type == "float" else text

    def _call(self, expr: Expr, line: int) -> str:
        values = [self._argument(one) for one in expr.args]
        if expr.op == "convert":
            return f"static_cast<{CPP_TYPES[str(expr.type)]}>({values[0]})"
        if expr.op == "whole":
            return f"checks.whole({values[0]}, {line})"
        if expr.op == "function":
            name = "magnitude" if expr.type == "int" else expr.data
            return f"sporos::math::{name}({', '.join(values)})"
        if expr.op in ("minimum", "maximum"):
            names = {"minimum": ("min", "smaller"), "maximum": ("max", "larger")}[expr.op]
            return f"sporos::math::{names[expr.type == 'int']}({', '.join(values)})"
        if expr.op == "draw":
            name, place = expr.data
            draw = f"inputs(Input::{self.model.enumerators[place]})"
            text = (
                f"static_cast<{'Number' if self.is_main and self.model.is_generic else 'double'}>({draw})"
                if name == "random"
                else f"sporos::{name}({', '.join([draw, *values])})"
            )
            return f"checks.whole({text}, {line})" if expr.type == "int" else text
        if expr.op == "call":
            helper = self.model.tree.helpers[expr.data]
            extra = [*(["inputs"] if helper.draw else []), *(["checks"] if helper.checks else [])]
            return f"{self.model.functions[expr.data]}({', '.join([*extra, *values])})"
        return self._method(expr, values, line)

    def _method(self, expr: Expr, values: list[str], line: int) -> str:
        owner, tool, method = expr.data
        name = self.names[owner]
        if method in ("_number", "remove"):
            return f"checks.{'entity' if method == '_number' else method}({name}, {values[0]}, {line})"
        if tool.pool and method in ("push_back", "push_front", "take_out", "pop_front", "next"):
            return f"checks.{method}({', '.join([self.names[tool.pool], name, *values, str(line)])})"
        if method in ("pop", "front", "front_rank"):
            return f"checks.{method}({name}, {line})"
        if tool.name == "PriorityQueue" and method == "push":
            return f"{name}.push({values[0]}, checks.number({values[1]}, {line}))"
        if tool.name == "Calendar" and method in ("schedule", "reschedule"):
            *first, kind, entity = values
            return f"{name}.{method}({', '.join(first)}, {{{kind}, {entity}}})"
        if tool.name == "Calendar" and method in ("event", "entity"):
            return f"{name}.event().{'kind' if method == 'event' else 'entity'}"
        text = f"{name}.{method}({', '.join(values)})"
        return f"static_cast<std::int64_t>({text})" if method == "size" else text
