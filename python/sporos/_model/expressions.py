# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks expressions of models in Python."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, Optional

from .intervals import UNKNOWN, Interval, interval_of
from .language import Array, Record, Tool, Type
from .source import Source
from .tree import Expr, FunctionTree
from .values import Names, constant_type
from .words import a_or_an, remedy_for

if TYPE_CHECKING:
    from .checker import ModelChecker

_ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"}
_COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_INT_LIMIT = 2**63
_EXPRESSION_REMEDIES = {
    ast.ListComp: "a comprehension is not in the subset: fill an array, such as [0.0] * 8, in a loop",
    ast.GeneratorExp: "a generator is not in the subset: use a loop",
    ast.SetComp: "a set is not in the subset: use an array",
    ast.DictComp: "a dictionary is not in the subset: use an array",
    ast.Dict: "a dictionary is not in the subset: use an array with int indices",
    ast.Set: "a set is not in the subset: use an array",
    ast.Lambda: "lambda is not in the subset: define a function at the top of the file",
    ast.JoinedStr: "a string is not in the subset: models compute with numbers",
    ast.NamedExpr: ":= is not in the subset: assign in a statement before",
    ast.Await: "await is not in the subset: events belong in a sporos.Calendar",
    ast.Yield: "yield is not in the subset: events belong in a sporos.Calendar",
    ast.YieldFrom: "yield is not in the subset: events belong in a sporos.Calendar",
    ast.Starred: "* in front of an argument is not in the subset: write the arguments",
    ast.Slice: "a slice is not in the subset: use a loop over the indices",
    ast.List: "a list is an array, which must be assigned to a variable first: values = [0.0] * 8",
    ast.Tuple: "a tuple is not in the subset here: assign its elements to variables",
}


class Expressions:
    """Checks the expressions of a function, and turns them into typed ones. `Calls` adds calls."""

    def __init__(
        self, model: ModelChecker, function: Any, node: ast.FunctionDef, source: Source, is_main: bool
    ) -> None:
        self.model = model
        self.function = function
        self.node = node
        self.source = source
        self.is_main = is_main
        self.names = Names(function)
        self.hints: dict[str, Type] = {}
        """Types of the variables, from the last pass."""
        self.types: dict[str, Type] = {}
        self.assigned: Optional[set[str]] = set()
        """Variables that have a value here; None after break, continue or return."""
        self.loops: list[dict[str, Any]] = []
        self.bound: set[str] = set()
        """Variables of the loops around this place, which may not be assigned."""
        self.limits: dict[str, Interval] = {}
        """Bounds of the variables of loops around this place."""
        self.known: dict[str, Interval] = {}
        """Bounds of the int variables, from the last pass."""
        self.ranges: dict[str, Interval] = {}
        self.depth = 0
        self.returns = 0
        self.ever: set[str] = set()
        self.self_name = ""
        self.outer: dict[str, Type] = {}
        """Types of arguments that are event tools."""
        self.tree: FunctionTree

    def refuse(self, node: ast.AST, message: str) -> NoReturn:
        """Raises a ModelError at the place of `node`."""
        self.source.refuse(node, message)

    def _size(self, node: ast.AST, what: str = "the size of an array") -> int:
        value = self._constant(node)
        if type(value) is not int or value < 1:
            self.refuse(node, f"{what} must be a constant int above 0: write the number, or a name of one")
        return value

    def _constant(self, node: ast.AST) -> Any:
        """Returns the value of a constant expression, or None."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.BinOp) and type(node.op) in (ast.Add, ast.Sub, ast.Mult):
            left, right = self._constant(node.left), self._constant(node.right)
            if type(left) is int and type(right) is int:
                return {ast.Add: left + right, ast.Sub: left - right, ast.Mult: left * right}[type(node.op)]
        if isinstance(node, ast.Name) and node.id not in self.types:
            return self.names.find(node.id)[1]
        if self._is_self(node) and node.attr not in self.model.parameters:  # type: ignore[attr-defined]
            return vars(self.model.cls).get(node.attr)  # type: ignore[attr-defined]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and node.args:
            kind = self._array_in(node.args[0])
            return kind.shape[0] if kind else None
        return None

    def _array_in(self, node: ast.AST) -> Optional[Array]:
        records = self.types.get(node.id) if isinstance(node, ast.Name) else None
        if isinstance(records, Record) and records.size:
            return Array("record", (records.size,))
        try:
            kind = self._expression(node, True).type
        except SyntaxError:
            return None
        return kind if isinstance(kind, Array) else None

    def _interval(self, value: Expr) -> Interval:
        return interval_of(value, self._known_interval, self.model.tables)

    def _known_interval(self, value: Expr) -> Interval:
        if value.op == "parameter":
            return self.model.bounds.get(value.data, UNKNOWN)
        if value.data in self.limits:
            return self.limits[value.data]
        return self.known.get(value.data, UNKNOWN)

    def _condition(self, node: ast.AST) -> Expr:
        made = self._expression(node)
        if made.type != "bool":
            self.refuse(node, f"the condition is {a_or_an(made.type)}, expected a bool: compare it, such as x != 0")
        return made

    def _ordered(self, node: ast.AST, parts: Sequence[Expr]) -> None:
        """Refuses an expression whose result would depend on the order in which its parts are computed."""
        if any(one.conflicts_with(other) for i, one in enumerate(parts) for other in parts[:i]):
            self.refuse(
                node,
                "this line draws twice from an input, or changes an event tool that it also uses: assign one of the "
                "two to a variable first",
            )

    def _make(self, op: str, kind: Type, node: ast.AST, args: Sequence[Expr] = (), data: Any = None) -> Expr:
        self._ordered(node, args)
        return Expr(op, kind, node, tuple(args), data).absorb(args)

    def _convert(self, value: Expr, kind: str, node: ast.AST, allows_bool: bool = False) -> Expr:
        if value.type == kind:
            return value
        if kind == "float" and (value.type == "int" or (allows_bool and value.type == "bool")):
            if value.op == "constant":
                return Expr("constant", "float", value.node, (), float(value.data))
            return self._make("convert", "float", value.node, [value])
        if kind == "int" and value.type == "float":
            self.refuse(node, "a float is used where an int is expected: convert it by int(...)")
        self.refuse(
            node, f"{a_or_an(value.type)} is used where {a_or_an(kind)} is expected: {remedy_for(value.type, kind)}"
        )

    def _number(self, node: ast.AST) -> Expr:
        made = self._expression(node)
        if not isinstance(made.type, str):
            self.refuse(node, f"{a_or_an(made.type)} is used as a number: use one of its elements or methods")
        return made

    def _expression(self, node: ast.AST, allows_arrays: bool = False, allows_none: bool = False) -> Expr:
        made = self._any_expression(node)
        if isinstance(made.type, Array) and not allows_arrays:
            self.refuse(node, "an array is used as a number: use one of its elements, such as a[0]")
        if isinstance(made.type, Record):
            self.refuse(node, "a record is used as a value: use one of its fields")
        if isinstance(made.type, Tool):
            self.refuse(node, f"{made.type} is used as a number: call one of its methods")
        if made.type == "" and not allows_none:
            self.refuse(node, f"{'.'.join(made.data[::2])} has no result: write it on a line of its own")
        return made

    def _any_expression(self, node: ast.AST) -> Expr:
        if isinstance(node, ast.Constant):
            return self._literal(node)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.UnaryOp):
            return self._unary(node)
        if isinstance(node, ast.BoolOp):
            return self._bool(node)
        if isinstance(node, ast.Compare):
            return self._compare(node)
        if isinstance(node, ast.IfExp):
            return self._choice(node)
        if isinstance(node, ast.Subscript):
            return self._index(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        for kind, remedy in _EXPRESSION_REMEDIES.items():
            if isinstance(node, kind):
                self.refuse(node, remedy)
        self.refuse(node, f"{type(node).__name__} is not in the subset: use numbers, arrays and functions")

    def _literal(self, node: ast.AST, value: Any = None) -> Expr:
        value = node.value if isinstance(node, ast.Constant) else value
        kind = constant_type(value)
        if kind is None:
            what = {str: "a string", complex: "a complex number", type(None): "None"}.get(type(value), "this value")
            self.refuse(node, f"{what} is not in the subset: models compute with float, int and bool")
        if kind == "int" and not -_INT_LIMIT <= value < _INT_LIMIT:
            self.refuse(node, f"{value} has more than 64 bits: write a float, such as {float(value)!r}")
        return Expr("constant", kind, node, (), value)

    def _name(self, node: ast.Name) -> Expr:
        name = node.id
        if name == "_":
            self.refuse(node, "_ is used as a value: give the variable of the loop a name")
        kind = self.types.get(name)
        if kind is not None and name in (self.assigned or ()):
            return Expr("variable", kind, node, (), name)
        if kind is not None or name in self.hints:
            if name in self.ever:
                self.refuse(node, f"{name} may have no value here: assign it before the if or the loop")
            self.refuse(node, f"{name} has no value here: assign it before this line")
        if name == self.tree.draw:
            self.refuse(node, f"{name} is used as a value: draw a number, such as {name}.exponential('input', 1.0)")
        if name == self.self_name:
            self.refuse(node, "self is used as a value: use its parameters, such as self.rate")
        found, value = self.names.find(name)
        if not found:
            self.refuse(node, f"the name {name} is not defined: assign it first")
        return self._global(node, name, value)

    def _global(self, node: ast.AST, name: str, value: Any) -> Expr:
        if constant_type(value):
            made = self._literal(node, value)
            made.label = name
            return made
        if isinstance(value, (tuple, list)):
            return self.model.table(name, value, self.source, node)
        if callable(value):
            self.refuse(node, f"the function {name} is used as a value: call it")
        self.refuse(
            node, f"{name} is a {type(value).__name__}, which is not in the subset: use numbers and tuples of numbers"
        )

    def _is_self(self, node: ast.AST) -> bool:
        is_attribute = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        return bool(is_attribute and self.self_name and node.value.id == self.self_name)  # type: ignore[attr-defined]

    def _attribute(self, node: ast.Attribute) -> Expr:
        if self._is_self(node):
            kind = self.model.parameters.get(node.attr)
            if kind:
                return Expr("parameter", kind, node, (), node.attr)
            if node.attr in vars(self.model.cls):
                value = vars(self.model.cls)[node.attr]
                if inspect.isfunction(value):
                    self.refuse(node, f"the function {node.attr} is used as a value: call it")
                return self._global(node, node.attr, value)
            self.refuse(
                node,
                f"the model has no parameter {node.attr}: declare it in the class, such as {node.attr}: float = 1.0",
            )
        found = self._object(node)
        if found is not None:
            return self._global(node, node.attr, found)
        if isinstance(node.value, ast.Name) and isinstance(self.types.get(node.value.id), Tool):
            self.refuse(node, f"{node.attr} is used as a value: call it, {node.value.id}.{node.attr}()")
        self.refuse(node, f".{node.attr} is not in the subset: use self, draw, math and event tools")

    def _object(self, node: ast.AST) -> Any:
        """Returns the Python object of a name or of an attribute of a module, or None."""
        if isinstance(node, ast.Name) and node.id not in self.types:
            return self.names.find(node.id)[1]
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = self._object(node.value)
            if isinstance(owner, ModuleType):
                found = getattr(owner, node.attr, None)
                if found is None:
                    self.refuse(node, f"{owner.__name__} has no {node.attr}: check the name")
                return found
        return None

    def _binary(self, node: ast.BinOp) -> Expr:
        op = _ARITHMETIC.get(type(node.op))
        if op is None:
            self.refuse(node, "operators of bits and matrices are not in the subset: use arithmetic, and, or, not")
        left, right = self._operand(node.left), self._operand(node.right)
        if op == "**":
            return self._power(node, left, right)
        if op in ("//", "%", "/") and right.op == "constant" and right.data == 0:
            self.refuse(node, "the divisor is 0: divide by another number")
        kind = "int" if left.type == right.type == "int" and op != "/" else "float"
        made = self._make(
            op="binary",
            kind=kind,
            node=node,
            data=op,
            args=[self._convert(left, kind, node), self._convert(right, kind, node)],
        )
        if op in ("//", "%"):
            low, high = self._interval(right)
            is_checked = right.op != "constant" and low <= 0 <= high
            made.data = op + "?" if is_checked else op
            self.tree.checks = self.tree.checks or is_checked
        return made

    def _operand(self, node: ast.AST) -> Expr:
        made = self._number(node)
        if made.type == "bool":
            self.refuse(node, "a bool is used in arithmetic: convert it by int(...)")
        return made

    def _power(self, node: ast.BinOp, base: Expr, exponent: Expr) -> Expr:
        if base.type == exponent.type == "int":
            self.refuse(node, "int ** int is not in the subset: write x * x, or float(x) ** n")
        if exponent.op == "constant" and exponent.data == 2 and base.op in ("variable", "parameter"):
            return self._make("binary", "float", node, [base, base], "*")
        return self._make(
            "function",
            "float",
            node,
            [self._convert(base, "float", node), self._convert(exponent, "float", node)],
            "pow",
        )

    def _unary(self, node: ast.UnaryOp) -> Expr:
        if isinstance(node.op, ast.Not):
            return self._make("not", "bool", node, [self._condition(node.operand)])
        if isinstance(node.op, ast.Invert):
            self.refuse(node, "~ is not in the subset: use not, or arithmetic")
        operand = self._operand(node.operand)
        if isinstance(node.op, ast.UAdd):
            return operand
        if operand.op == "constant":
            return Expr("constant", operand.type, node, (), -operand.data)
        return self._make("negative", operand.type, node, [operand])

    def _bool(self, node: ast.BoolOp) -> Expr:
        parts = []
        for one in node.values:
            made = self._expression(one)
            if made.type != "bool":
                self.refuse(one, f"{a_or_an(made.type)} in and/or, expected a bool: compare it, such as x != 0")
            parts.append(made)
        return Expr("and" if isinstance(node.op, ast.And) else "or", "bool", node, tuple(parts)).absorb(parts)

    def _compare(self, node: ast.Compare) -> Expr:
        if any(type(one) not in _COMPARISONS for one in node.ops):
            self.refuse(node, "is and in are not in the subset: use == or a loop")
        operands = [self._number(one) for one in (node.left, *node.comparators)]
        if not all(one.is_pure for one in operands[1:-1]):
            self.refuse(node, "a draw in the middle of a chained comparison: assign it to a variable first")
        if any(one.type == "ticket" for one in operands):
            self.refuse(node, "a ticket is compared: call is_scheduled(ticket) of the calendar")
        parts = []
        for operator, left, right in zip(node.ops, operands, operands[1:]):
            op = _COMPARISONS[type(operator)]
            if "bool" in (left.type, right.type):
                if left.type != right.type or op not in ("==", "!="):
                    self.refuse(node, "a bool is compared with a number: convert it by int(...)")
            elif left.type != right.type:
                left, right = self._convert(left, "float", node), self._convert(right, "float", node)
            parts.append(self._make("binary", "bool", node, [left, right], op))
        if len(parts) == 1:
            return parts[0]
        return Expr("and", "bool", node, tuple(parts)).absorb(parts)

    def _choice(self, node: ast.IfExp) -> Expr:
        condition = self._condition(node.test)
        yes, no = self._number(node.body), self._number(node.orelse)
        kind = "float" if {yes.type, no.type} == {"int", "float"} else str(yes.type)
        parts = (condition, self._convert(yes, kind, node), self._convert(no, kind, node))
        return Expr("choice", kind, node, parts).absorb(parts)

    def _index(self, node: ast.AST) -> Expr:
        assert isinstance(node, ast.Subscript)
        inner = node.value
        place = node.slice
        if isinstance(place, (ast.Slice, ast.Tuple)):
            self.refuse(node, "a slice or a tuple as index is not in the subset: write a[i], or a[i][j]")
        array = self._any_expression(inner)
        if not isinstance(array.type, Array):
            self.refuse(node, f"{a_or_an(array.type)} has no elements: index an array")
        index = self._expression(place)
        if index.type != "int":
            self.refuse(place, f"the index is {a_or_an(index.type)}, expected an int: convert it by int(...)")
        size, rest = array.type.shape[0], array.type.shape[1:]
        kind: Type = Array(array.type.element, rest) if rest else array.type.element
        is_checked = not (index.op == "constant" and -size <= index.data < size)
        if index.op == "constant":
            if is_checked:
                self.refuse(
                    node,
                    f"the index {index.data} is outside of the array of {size} elements: use -{size} to {size - 1}",
                )
            index = Expr("constant", "int", index.node, (), index.data % size)
        else:
            low, high = self._interval(index)
            is_checked = low < 0 or high >= size
        self.tree.checks = self.tree.checks or is_checked
        return self._make("index", kind, node, [array, index], (size, is_checked))

    def _call(self, node: ast.Call) -> Expr:
        raise NotImplementedError
