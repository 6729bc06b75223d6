# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a model in CPython, with the draws and the bits of the compiled model.

The functions are compiled from the typed tree, with the lines of their text, so that debuggers show and stop at them.
"""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Sequence
from typing import Any

from .._draw import Draw
from . import events
from .chain import Chain
from .language import Array, Tool
from .series import Series
from .tree import Expr, FunctionTree, ModelTree, Stmt

_OPERATIONS = "_sporos_"
_BINARY = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "//": ast.FloorDiv, "%": ast.Mod}
_COMPARE = {"==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE}


class _Operations:
    """Operations with the results of C++."""

    def __init__(self, native: Any) -> None:
        for name in dir(native.functions):
            if not name.startswith("_"):
                setattr(self, name, getattr(native.functions, name))
        for name in (
            "Calendar",
            "Ticket",
            "EntityPool",
            "FifoQueue",
            "Line",
            "LifoQueue",
            "PriorityQueue",
            "Resource",
            "Tally",
            "TimeAverage",
        ):
            setattr(self, name, getattr(events, name))

    abs = staticmethod(builtins.abs)
    min = staticmethod(builtins.min)
    max = staticmethod(builtins.max)

    @staticmethod
    def floor(x: float) -> float:
        return float(math.floor(x))

    @staticmethod
    def ceil(x: float) -> float:
        return float(math.ceil(x))

    @staticmethod
    def nearest_even(x: float) -> float:
        return float(round(x))

    @staticmethod
    def whole(x: float) -> int:
        if not -9.2e18 < x < 9.2e18:
            raise OverflowError(f"{x} is no int of 64 bits")
        return int(x)

    @staticmethod
    def int64(value: int) -> int:
        if not -(2**63) <= value < 2**63:
            raise OverflowError(f"{value} is no int of 64 bits")
        return value

    @staticmethod
    def array(shape: Sequence[int], value: Any) -> list[Any]:
        if len(shape) == 1:
            return [value] * shape[0]
        return [_Operations.array(shape[1:], value) for _ in range(shape[0])]


def _name(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _call(name: str, args: Sequence[ast.expr]) -> ast.expr:
    return ast.Call(ast.Attribute(_name(_OPERATIONS), name, ast.Load()), list(args), [])


class _Writer:
    """Turns the tree of a function into one of Python."""

    def __init__(self, tree: ModelTree, function: FunctionTree, inputs: Sequence[str]) -> None:
        self.tree = tree
        self.function = function
        self.inputs = inputs
        self.self_name = function.node.args.args[0].arg if function.takes_self else ""

    def write(self) -> ast.FunctionDef:
        node = self.function.node
        arguments = ast.arguments([], [ast.arg(one.arg) for one in node.args.args], None, [], [], None, [])
        made = ast.FunctionDef(node.name, arguments, self._block(self.function.body), [])
        if hasattr(node, "type_params"):
            setattr(made, "type_params", [])
        return ast.fix_missing_locations(ast.copy_location(made, node))

    def _block(self, statements: Sequence[Stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for stmt in statements:
            new = self._added(stmt) if stmt.op == "add" else [self._statement(stmt)]
            made += [ast.copy_location(one, stmt.node) for one in new]
        return made or [ast.Pass()]

    def _added(self, stmt: Stmt) -> list[ast.stmt]:
        """Returns the statements that add an entity to a pool: its fields are computed first."""
        pool, fields = stmt.data
        values = ast.Name(f"new in {pool}", ast.Store())  # no name of a model
        number = ast.Name(stmt.names[0], ast.Store())
        made: list[ast.stmt] = [
            ast.Assign([values], ast.Tuple([self.expr(one) for one in stmt.exprs], ast.Load())),
            ast.Assign([number], ast.Call(ast.Attribute(_name(pool), "add", ast.Load()), [], [])),
        ]
        for i, field in enumerate(fields):
            value = ast.Subscript(_name(f"new in {pool}"), ast.Constant(i), ast.Load())
            made.append(ast.Assign([ast.Subscript(_name(field), _name(stmt.names[0]), ast.Store())], value))
        return made

    def _tool(self, tool: Tool, values: list[ast.expr]) -> ast.expr:
        if tool.record:
            return _call(tool.name, [ast.Constant(None), ast.Constant(tool.slots)])
        first = [_name(tool.pool)] if tool.pool else [ast.Constant(tool.slots)] if tool.slots else []
        return _call(tool.name, [*first, *values])

    def _statement(self, stmt: Stmt) -> ast.stmt:
        values = [self.expr(one) for one in stmt.exprs]
        targets = [ast.Name(name, ast.Store()) for name in stmt.names]
        op = stmt.op
        if op == "assign":
            return ast.Assign([targets[0]], values[0])
        if op == "parallel":
            return ast.Assign([ast.Tuple(targets, ast.Store())], ast.Tuple(values, ast.Load()))
        if op == "array":
            shape = ast.Tuple([ast.Constant(size) for size in stmt.data.shape], ast.Load())
            value = ast.List(values, ast.Load()) if len(values) > 1 else _call("array", [shape, values[0]])
            return ast.Assign([targets[0]], value)
        if op == "room":
            shape = ast.Tuple([ast.Constant(size) for size in stmt.data.shape], ast.Load())
            return ast.Assign([targets[0]], _call("array", [shape, ast.Constant(None)]))
        if op == "tool":
            return ast.Assign([targets[0]], self._tool(stmt.data, values))
        if op == "store":
            place = values[0]
            assert isinstance(place, ast.Subscript)
            return ast.Assign(
                [ast.copy_location(ast.Subscript(place.value, place.slice, ast.Store()), place)], values[1]
            )
        if op == "effect":
            return ast.Expr(values[0])
        if op == "if":
            return ast.If(values[0], self._block(stmt.body), self._block(stmt.orelse) if stmt.orelse else [])
        if op == "while":
            return ast.While(values[0], self._block(stmt.body), [])
        if op == "range":
            step = [] if stmt.data == 1 else [ast.Constant(stmt.data)]
            first = [] if len(values) == 2 or not step else [ast.Constant(0)]
            return ast.For(
                targets[0], ast.Call(_name("range"), [*first, *values, *step], []), self._block(stmt.body), []
            )
        if op == "each":
            if len(targets) == 2:
                pair = ast.Tuple(targets, ast.Store())
                return ast.For(pair, ast.Call(_name("enumerate"), values, []), self._block(stmt.body), [])
            return ast.For(targets[0], values[0], self._block(stmt.body), [])
        if op == "return":
            is_tuple = self.function in (self.tree.replicate, self.tree.at_level)
            return ast.Return(ast.Tuple(values, ast.Load()) if is_tuple else values[0])
        return ast.Break() if op == "break" else ast.Continue()

    def expr(self, expr: Expr) -> ast.expr:
        made = self._expr(expr)
        return ast.copy_location(made, expr.node)

    def _expr(self, expr: Expr) -> ast.expr:
        args = [self.expr(one) for one in expr.args]
        op = expr.op
        if op == "constant":
            return _call("Ticket", []) if expr.type == "ticket" else ast.Constant(expr.data)
        if op in ("variable", "table"):
            return _name(expr.data)
        if op == "parameter":
            return ast.Attribute(_name(self.self_name), expr.data, ast.Load())
        if op == "binary":
            return self._binary(expr, args)
        if op in ("and", "or"):
            return ast.BoolOp(ast.And() if op == "and" else ast.Or(), args)
        if op == "negative":
            return ast.UnaryOp(ast.USub(), args[0])
        if op == "not":
            return ast.UnaryOp(ast.Not(), args[0])
        if op == "choice":
            return ast.IfExp(*args)
        if op == "convert":
            return ast.Call(_name(str(expr.type)), args, [])
        if op == "index":
            return ast.Subscript(args[0], args[1], ast.Load())
        if op == "draw":
            name, place = expr.data
            method = ast.Attribute(_name(str(self.function.draw)), name, ast.Load())
            return ast.Call(method, [ast.Constant(self.inputs[place]), *args], [])
        if op == "method":
            return ast.Call(ast.Attribute(_name(expr.data[0]), expr.data[2], ast.Load()), args, [])
        if op == "call":
            return self._helper(self.tree.helpers[expr.data], args)
        names = {"function": str(expr.data), "minimum": "min", "maximum": "max", "whole": "whole"}
        return _call(names[op], args)

    def _binary(self, expr: Expr, args: list[ast.expr]) -> ast.expr:
        op = expr.data.rstrip("?")
        if op in _COMPARE:
            return ast.Compare(args[0], [_COMPARE[op]()], [args[1]])
        if op == "/" and expr.args[1].op != "constant":
            return _call("divide", args)
        made = ast.BinOp(args[0], _BINARY[op](), args[1])
        return _call("int64", [made]) if expr.type == "int" and op in "+-*" else made

    def _helper(self, helper: FunctionTree, args: list[ast.expr]) -> ast.expr:
        given = iter(args)
        values: list[ast.expr] = []
        for place, one in enumerate(helper.node.args.args):
            if place == 0 and helper.takes_self:
                values.append(_name(self.self_name))
            elif one.arg == helper.draw:
                values.append(_name(str(self.function.draw)))
            else:
                values.append(next(given))
        return ast.Call(_name(helper.name), values, [])


def _typed(values: Any, kind: Array) -> Any:
    if len(kind.shape) > 1:
        return [_typed(row, Array(kind.element, kind.shape[1:])) for row in values]
    return [float(one) if kind.element == "float" else one for one in values]


class Interpreter:
    """The functions of a model, for CPython."""

    def __init__(self, tree: ModelTree, inputs: Sequence[str], native: Any) -> None:
        self._inputs = inputs
        space: dict[str, Any] = {_OPERATIONS: _Operations(native)}
        for name, (values, kind) in tree.tables.items():
            space[name] = _typed(values, kind)
        for function in tree.functions():
            if function.result == "means":
                continue
            module = ast.Module([_Writer(tree, function, inputs).write()], [])
            exec(compile(module, function.filename, "exec"), space)
        self._replicate = space["replicate"]
        self._observe, self._evolve, self._at_level = (space.get(one) for one in ("observe", "evolve", "at_level"))

    def run(self, model: Any, seed: int, replication: int) -> list[float]:
        """Returns the responses of a replication."""
        return [float(one) for one in self._replicate(model, Draw(self._inputs, seed, replication))]

    def observe(self, model: Any, observations: int, seed: int, run: int, runs: int) -> list[tuple[float, ...]]:
        """Returns the observations of a long run."""
        assert self._observe is not None
        draws = Draw(self._inputs, seed, run)
        series = Series(draws, observations, run, runs)
        self._observe(model, draws, series)
        series.check_end()
        return series.rows

    def at_level(self, model: Any, level: int, seed: int, replication: int) -> list[float]:
        """Returns the fine and the coarse responses of a replication on a level."""
        assert self._at_level is not None
        return [float(one) for one in self._at_level(model, Draw(self._inputs, seed, replication), level)]

    def evolve(self, model: Any, stages: Sequence[tuple[float, int]], seed: int) -> list[float]:
        """Returns the level of each state of a chain. `stages` are levels, and the replications whose random numbers the
        chain draws until it has reached them."""
        assert self._evolve is not None
        draws = Draw(self._inputs, seed, stages[0][1])
        chain = Chain(draws, stages)
        self._evolve(model, draws, chain)
        return chain.levels
