# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a model as a C++ header."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Sequence
from typing import Any

from .kinds import RANDOM, REAL, Kinds
from .language import DISTRIBUTIONS, TOOLS, Array
from .intervals import UNKNOWN, interval_of
from .parameters import ParameterOfModel
from .stated_draws import stated_draws
from .tree import Expr, FunctionTree, ModelTree, Stmt, expressions_in, statements_in

_CPP_TYPES = {"float": "double", "int": "std::int64_t", "bool": "bool", "ticket": "sporos::Ticket"}
_KEYWORDS = set(
    """alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const consteval
    constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast
    else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not
    not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return short signed
    sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid
    typename union unsigned using virtual void volatile wchar_t xor xor_eq""".split()
)
_TAKEN = {
    "inputs", "checks", "name", "title", "parameters", "response_names", "check", "Input", "Inputs", "input_count",
    "Event", "Real", "Number", "sporos", "Kokkos", "std", "repeat",
}  # fmt: skip
_MACROS = {
    "assert",
    "errno",
    "linux",
    "major",
    "makedev",
    "minor",
    "stderr",
    "stdin",
    "stdout",
    "unix",
    "EOF",
    "FILE",
    "NAN",
    "NULL",
}
"""Macros, and names of the C library that a class could have."""
_PRECEDENCE = {"or": 1, "and": 2, "==": 3, "!=": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5, "*": 6, "/": 6}
_UNARY, _PRIMARY = 7, 9
_LINE = 120
_PYTHON_NUMBERS = (
    "floor_quotient", "floor_remainder", "floor_division", "modulo", "nearest_even", "floor", "ceil", "smaller",
    "larger", "magnitude",
)  # fmt: skip


def is_reserved(name: str) -> bool:
    """Whether a name cannot be used in C++, or has a meaning in the header."""
    return name in _KEYWORDS or name in _TAKEN or name in _MACROS


def _unique(name: str, taken: set[str], suffix: str) -> str:
    name = name.lower() if name.isupper() else name  # as macros are written
    while name in taken or is_reserved(name):
        name += suffix
    taken.add(name)
    return name


def cpp_string(text: str) -> str:
    """Returns a string literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def number(value: Any, kind: str) -> str:
    """Returns the literal of a number."""
    if kind == "ticket":
        return "sporos::Ticket{}"
    if kind == "bool":
        return "true" if value else "false"
    if kind == "int":
        return "INT64_MIN" if value == -(2**63) else str(int(value))
    value = float(value)
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}sporos::math::impl::infinity"
    if math.isnan(value):
        return "sporos::math::impl::from_bits(0x7ff8000000000000)"
    text = repr(value)
    return text if any(c in text for c in ".e") else text + ".0"


class _Writer:
    """Writes the body of a function."""

    def __init__(self, model: HeaderWriter, tree: FunctionTree, is_main: bool) -> None:
        self.model = model
        self.tree = tree
        self.is_main = is_main
        self.lines: list[str] = []
        self.level = 2
        self.names: dict[str, str] = {}
        self.taken = set(model.taken)
        for name in (*tree.parameters, *tree.variables):
            if name not in self.names and name != "_":
                self.names[name] = _unique(name, self.taken, "_")
        self.containers: list[str] = []
        self.tables: list[str] = []
        self.places = _declaration_places(tree.body, set(tree.parameters))
        self.assignments = _assignment_counts(tree.body)

    def write(self) -> list[str]:
        self._block(self.tree.body, ())
        used = [f"    using Number = {self.model.number_in};"] if self.is_main and self.model.is_generic else []
        for name in self.tables:
            values, kind = self.model.tree.tables[name]
            shape = "".join(f"[{size}]" for size in kind.shape)
            used.append(
                f"    constexpr {_CPP_TYPES[kind.element]} {self.names[name]}{shape} = {_initializer(values, kind)};"
            )
        if (self.is_main or self.tree.result == "means") and self.tree.checks:
            used.append("    sporos::LineChecks checks;")
        return used + self.lines

    def _kind(self, expr: Expr) -> int:
        return self.model.kinds.of(expr) if self.is_main and self.model.is_generic else 0

    def _type_of_kind(self, kind: int) -> str:
        return "Number" if kind == RANDOM else self.model.real if kind == REAL else "double"

    def _type(self, name: str) -> str:
        """Returns the C++ type of a variable, or of the elements of an array."""
        kind = self.tree.variables[name]
        element = kind.element if isinstance(kind, Array) else str(kind)
        if element != "float" or not self.is_main or not self.model.is_generic:
            return _CPP_TYPES[element]
        return self._type_of_kind(self.model.kinds.variables.get(name, 0))

    def _add(self, line: str) -> None:
        self.lines.append("  " * self.level + line)

    def _block(self, statements: Sequence[Stmt], path: tuple[Any, ...]) -> None:
        for i, stmt in enumerate(statements):
            for name in self.places.get((path, i), ()):
                if not (stmt.op in ("assign", "array", "tool") and stmt.names == (name,)):
                    self._declare(name)
            getattr(self, f"_{stmt.op}")(stmt, path, i)

    def _inner(self, statements: Sequence[Stmt], path: tuple[Any, ...]) -> None:
        self.level += 1
        self._block(statements, path)
        self.level -= 1

    def _declare(self, name: str) -> None:
        kind = self.tree.variables[name]
        if isinstance(kind, Array):
            self._add(f"{self._type(name)} {self.names[name]}{_shape(kind)};")
        else:
            self._add(f"{self._type(name)} {self.names[name]} = {number(0, str(kind))};")

    def _is_declared_at(self, name: str, path: tuple[Any, ...], i: int) -> bool:
        return name in self.places.get((path, i), ())

    # Statements

    def _assign(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        name, value = stmt.names[0], stmt.exprs[0]
        if self._is_declared_at(name, path, i):
            constant = "const " if self.assignments[name] == 1 else ""
            self._add(f"{constant}{self._type(name)} {self.names[name]} = {self.expr(value)};")
            return
        target = self.names[name]
        if (
            value.op == "binary"
            and value.data in "+-*/"
            and value.args[0].op == "variable"
            and value.args[0].data == name
        ):
            if isinstance(stmt.node, ast.AugAssign):
                self._add(f"{target} {value.data}= {self.expr(value.args[1])};")
                return
        self._add(f"{target} = {self.expr(value)};")

    def _parallel(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        temporaries = [_unique("next_" + self.names[name], self.taken, "_") for name in stmt.names]
        for name, temporary, value in zip(stmt.names, temporaries, stmt.exprs):
            self._add(f"const {self._type(name)} {temporary} = {self.expr(value)};")
        for name, temporary in zip(stmt.names, temporaries):
            self._add(f"{self.names[name]} = {temporary};")

    def _array(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        name, kind = stmt.names[0], stmt.data
        target = self.names[name]
        if self._is_declared_at(name, path, i):
            if len(stmt.exprs) > 1 or kind.shape == (1,):
                values = ", ".join(self.expr(one) for one in stmt.exprs)
                self._add(f"{self._type(name)} {target}{_shape(kind)} = {{{values}}};")
                return
            self._declare(name)
        if len(stmt.exprs) > 1:
            for place, one in enumerate(stmt.exprs):
                self._add(f"{target}[{place}] = {self.expr(one)};")
            return
        element = _unique("element", set(self.taken), "_")
        rows = _unique("row", set(self.taken), "_")
        if len(kind.shape) == 1:
            self._add(f"for ({self._type(name)}& {element} : {target}) {element} = {self.expr(stmt.exprs[0])};")
        else:
            self._add(f"for (auto& {rows} : {target})")
            self._add(f"  for ({self._type(name)}& {element} : {rows}) {element} = {self.expr(stmt.exprs[0])};")

    def _tool(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        tool, name = stmt.data, self.names[stmt.names[0]]
        kind = tool.name
        if tool.slots:
            kind += f"<{'Event' if tool.name == 'Calendar' else 'double'}, {tool.slots}>"
        values = ", ".join(self.expr(one) for one in stmt.exprs)
        self._add(f"sporos::{kind} {name}{f'({values})' if values else ''};")
        if TOOLS[tool.name].can_fail:
            self.containers.append(name)

    def _store(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        place, value = stmt.exprs
        is_augmented = isinstance(stmt.node, ast.AugAssign) and value.op == "binary" and value.data in "+-*/"
        if is_augmented and value.args[0].op == "index":
            self._add(f"{self.expr(place)} {value.data}= {self.expr(value.args[1])};")
        else:
            self._add(f"{self.expr(place)} = {self.expr(value)};")

    def _effect(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        made = stmt.exprs[0]
        if made.op == "method" and made.data[2] == "push":
            self._add(f"if (!{self.expr(made)}) {self._failed(self.names[made.data[0]])}")
        elif made.op == "method" and made.type in ("", "ticket"):
            self._add(f"{self.expr(made)};")
        else:
            self._add(f"static_cast<void>({self.expr(made)});")

    def _selects_by(self, condition: Expr) -> bool:
        return self.is_main and self.model.kinds.lanes and self._kind(condition) == RANDOM

    def _selects(self, stmt: Stmt) -> bool:
        return stmt.op == "if" and self._selects_by(stmt.exprs[0])

    def _failed(self, *containers: str) -> str:
        """Returns the statement that ends a failed replication."""
        if not self.is_main:
            return "return {};"
        return f"return sporos::responses_unless_failed<{self.model.response_count}>({{}}, {', '.join(containers)});"

    def _if(self, stmt: Stmt, path: tuple[Any, ...], i: int, prefix: str = "") -> None:
        if self.is_main and self.model.kinds.lanes and self._kind(stmt.exprs[0]) == RANDOM:
            self._select(stmt)
            return
        if not prefix:
            self._add(f"if ({self.expr(stmt.exprs[0])}) {{")
        self._inner(stmt.body, (*path, (i, "body")))
        orelse = stmt.orelse
        place: tuple[Any, ...] = (*path, (i, "else"))
        if not orelse:
            self._add("}")
        elif (
            len(orelse) == 1
            and orelse[0].op == "if"
            and not self.places.get((place, 0))
            and not self._selects(orelse[0])
        ):
            self._add(f"}} else if ({self.expr(orelse[0].exprs[0])}) {{")
            self._if(orelse[0], place, 0, "else")
        else:
            self._add("} else {")
            self._inner(orelse, place)
            self._add("}")

    def _select(self, stmt: Stmt) -> None:
        """Writes an if statement whose condition differs between the lanes."""
        condition = _unique("is_so", self.taken, "_")
        self._add(f"const auto {condition} = {self.expr(stmt.exprs[0])};")
        for one in stmt.body:
            target = self.names[one.names[0]]
            self._add(f"{target} = sporos::math::select({condition}, {self.expr(one.exprs[0])}, {target});")
        for one in stmt.orelse:
            target = self.names[one.names[0]]
            self._add(f"{target} = sporos::math::select({condition}, {target}, {self.expr(one.exprs[0])});")

    def _while(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        condition = self.expr(stmt.exprs[0])
        is_endless = condition == "true"
        if self.tree.checks:
            condition = "checks.good()" if is_endless else f"checks.good() && {self._within(stmt.exprs[0], 2)}"
        self._add(f"while ({condition}) {{")
        self._inner(stmt.body, (*path, (i, "body")))
        self._add("}")
        if self.tree.checks and is_endless and not _breaks(stmt.body):
            self._add(self._failed("checks"))

    def _range(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        name = "repeat" if stmt.names[0] == "_" else self.names[stmt.names[0]]
        first = self.expr(stmt.exprs[0]) if len(stmt.exprs) == 2 else "0"
        last = stmt.exprs[-1]
        end = self.expr(last)
        if not _is_fixed(last, _assigned_names(stmt.body)):
            variable = _unique(f"end_of_{name}", self.taken, "_")
            self._add(f"const std::int64_t {variable} = {end};")
            end = variable
        elif last.op not in ("constant", "variable", "parameter"):
            end = self._within(last, 5)
        step = {1: f"++{name}", -1: f"--{name}"}.get(stmt.data, f"{name} += {stmt.data}")
        self._add(f"for (std::int64_t {name} = {first}; {name} {'<' if stmt.data > 0 else '>'} {end}; {step}) {{")
        self._inner(stmt.body, (*path, (i, "body")))
        self._add("}")

    def _each(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        array = stmt.exprs[0]
        assert isinstance(array.type, Array)
        element = self.names[stmt.names[-1]] if stmt.names[-1] != "_" else "element"
        has_index = len(stmt.names) == 2 and stmt.names[0] != "_"
        index = self.names[stmt.names[0]] if has_index else _unique(f"place_of_{element}", self.taken, "_")
        self._add(f"for (std::int64_t {index} = 0; {index} < {array.type.shape[0]}; ++{index}) {{")
        if stmt.names[-1] != "_":
            self._add(f"  const {self._type(stmt.names[-1])} {element} = {self.expr(array)}[{index}];")
        self._inner(stmt.body, (*path, (i, "body")))
        self._add("}")

    def _break(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        self._add("break;")

    def _continue(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        self._add("continue;")

    def _return(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        if self.tree.result == "means":
            values = ", ".join("std::nullopt" if one.op == "nothing" else self.expr(one) for one in stmt.exprs)
            if self.tree.checks:
                self._add("if (!checks.good()) return {};")
            self._add(f"return {{{values}}};")
            return
        if not self.is_main:
            self._add(f"return {self.expr(stmt.exprs[0])};")
            return
        values = ", ".join(self.expr(one) for one in stmt.exprs)
        containers = [*(["checks"] if self.tree.checks else []), *self.containers]
        if containers:
            count = self.model.response_count
            self._add(f"return sporos::responses_unless_failed<{count}>({{{{{values}}}}}, {', '.join(containers)});")
        else:
            self._add(f"return {{{{{values}}}}};")

    # Expressions

    def expr(self, expr: Expr) -> str:
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
                self.names.setdefault(expr.data, _unique(expr.data, self.taken, "_"))
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

    def _call(self, expr: Expr, line: int) -> str:
        values = [self.expr(one) for one in expr.args]
        if expr.op == "convert":
            return f"static_cast<{_CPP_TYPES[str(expr.type)]}>({values[0]})"
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


def _shape(kind: Array) -> str:
    return "".join(f"[{size}]" for size in kind.shape)


def _initializer(values: Any, kind: Array) -> str:
    if len(kind.shape) > 1:
        return "{" + ", ".join(_initializer(row, Array(kind.element, kind.shape[1:])) for row in values) + "}"
    return "{" + ", ".join(number(one, kind.element) for one in values) + "}"


def _labelled(functions: Iterable[FunctionTree]) -> dict[str, Expr]:
    """Returns the constants with a name, by name; none for a name with several values."""
    found: dict[str, Expr] = {}
    several: set[str] = set()
    for function in functions:
        for stmt in statements_in(function.body):
            for expr in (one for outer in stmt.exprs for one in expressions_in(outer)):
                known = found.setdefault(expr.label, expr)
                if (known.type, known.data) != (expr.type, expr.data):
                    several.add(expr.label)
    return {label: one for label, one in found.items() if label and label not in several}


def _assigned_names(statements: Sequence[Stmt]) -> set[str]:
    return {name for stmt in statements_in(statements) for name in stmt.names}


def _assignment_counts(statements: Sequence[Stmt]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for stmt in statements_in(statements):
        for name in stmt.names:
            counts[name] = counts.get(name, 0) + 1
    return counts


def _is_fixed(expr: Expr, assigned: set[str]) -> bool:
    """Whether the value of an expression cannot change in a loop that assigns these variables."""
    for one in expressions_in(expr):
        if one.op == "variable" and one.data in assigned or one.op in ("index", "method", "draw", "call"):
            return False
    return True


def _breaks(statements: Sequence[Stmt]) -> bool:
    """Whether a loop with this body may end by break."""
    for stmt in statements:
        if stmt.op == "break":
            return True
        if stmt.op == "if" and (_breaks(stmt.body) or _breaks(stmt.orelse)):
            return True
    return False


def _declaration_places(body: Sequence[Stmt], parameters: set[str]) -> dict[tuple[Any, int], list[str]]:
    """Returns the names of the variables that are declared at a statement, by its block and place in it.

    A variable is declared in the innermost block that contains all its uses, at the first of them.
    """
    found: dict[str, list[tuple[Any, ...]]] = {}
    loops = set(parameters)

    def visit(statements: Sequence[Stmt], path: tuple[Any, ...]) -> None:
        for i, stmt in enumerate(statements):
            names = [one.data for expr in stmt.exprs for one in expressions_in(expr) if one.op == "variable"]
            names += [one.data[0] for expr in stmt.exprs for one in expressions_in(expr) if one.op == "method"]
            if stmt.op in ("range", "each"):
                loops.update(stmt.names)
            else:
                names += stmt.names
            for name in names:
                found.setdefault(name, []).append((*path, i))
            visit(stmt.body, (*path, (i, "body")))
            visit(stmt.orelse, (*path, (i, "else")))

    visit(body, ())
    places: dict[tuple[Any, int], list[str]] = {}
    for name, uses in found.items():
        if name in loops or all(not isinstance(use[-1], int) for use in uses):
            continue
        blocks = [use[:-1] for use in uses]
        common = blocks[0]
        for block in blocks[1:]:
            shared = 0
            while shared < min(len(common), len(block)) and common[shared] == block[shared]:
                shared += 1
            common = common[:shared]
        first = uses[0][len(common)]
        places.setdefault((common, first if isinstance(first, int) else first[0]), []).append(name)
    return places


def _wrapped(line: str) -> list[str]:
    """Breaks a line of code that is too long after a comma or an operator outside of strings."""
    begin = len(line) - len(line.lstrip())
    indent = begin + 4
    parts: list[str] = []
    while len(line) > _LINE and not line.lstrip().startswith("//"):
        places = []
        is_quoted = False
        for i, c in enumerate(line[:_LINE]):
            if c == '"' and line[i - 1] != "\\":
                is_quoted = not is_quoted
            if not is_quoted and i > indent + 20 and line[i : i + 1] == " " and line[i - 1] in ",+-*/&|?:;{":
                places.append(i)
        if not places:
            break
        parts.append(line[: places[-1]])
        line = " " * indent + line[places[-1] + 1 :]
    return [*parts, line]


class HeaderWriter:
    """Writes the header of a model."""

    def __init__(
        self,
        name: str,
        title: str,
        cls: type,
        tree: ModelTree,
        parameters: Sequence[ParameterOfModel],
        inputs: Sequence[str],
        responses: Sequence[str],
        version: str,
    ) -> None:
        self.name, self.title, self.cls, self.tree = name, title, cls, tree
        self.parameters, self.inputs, self.responses = parameters, inputs, responses
        self.version = version
        self.response_count = len(responses)
        self.kinds = Kinds(tree, any(one.kind == "float" for one in parameters))
        self.is_generic = self.kinds.lanes or self.kinds.gradients
        self.real = "Real" if self.kinds.gradients else "double"
        self.number_in = "sporos::NumberIn<Inputs, Real>" if self.kinds.gradients else "sporos::NumberIn<Inputs>"
        self.struct = f"Basic{cls.__name__}" if self.kinds.gradients else cls.__name__
        self.taken: set[str] = {cls.__name__, self.struct, "Real", "Number"}
        means = [] if tree.exact_means is None else [tree.exact_means]
        self.constants = _labelled((tree.replicate, *means, *tree.helpers.values()))
        self.members = {one.name: _unique(one.name, self.taken, "_") for one in parameters}
        self.functions = {one: _unique(one, self.taken, "_function") for one in tree.helpers}
        self.labels = {one: _unique(one, self.taken, "_") for one in self.constants}
        self.enumerators = [_unique(one, self.taken, "_input") for one in inputs]

    def write(self) -> str:
        """Returns the text of the header."""
        writer = _Writer(self, self.tree.replicate, True)
        main = writer.write()
        draws = self._stated_draws(writer)
        means = self._means()
        result = self.number_in if self.is_generic else "double"
        helpers = [line for one in self.tree.helpers.values() for line in self._helper(one)]
        lines = [
            f"// The model {self.name}, which Sporos {self.version} has translated from Python.",
            "#pragma once",
            "",
            *self._includes([*main, *helpers, *draws, *means]),
            "",
            f"/// {self.title}",
            *(["template <class Real = double>"] if self.kinds.gradients else []),
            f"struct {self.struct} {{",
            f"  static constexpr std::string_view name = {cpp_string(self.name)};",
            f"  static constexpr std::string_view title = {cpp_string(self.title)};",
            "",
            *self._members(),
            *self._constants(),
            f"  enum Input {{ {', '.join([*self.enumerators, 'input_count'])} }};",
            "",
            *self._responses(),
            "",
            *self._checks(),
            *self._parameters(),
            "",
            "  /// Throws std::invalid_argument if a parameter is invalid.",
            "  void check() const { sporos::check_parameters(*this); }",
            "",
            *means,
            *self._event(),
            *helpers,
            *draws,
            *self._lanes(),
            "  /// Simulates one replication.",
            "  template <class Inputs>",
            f"  KOKKOS_FUNCTION Kokkos::Array<{result}, {self.response_count}> "
            f"operator()({self._inputs(main)}) const {{",
            *main,
            "  }",
            "};",
            "",
            *(
                [f"/// {self.title}", f"using {self.cls.__name__} = {self.struct}<>;", ""]
                if self.kinds.gradients
                else []
            ),
        ]
        return "\n".join(part for line in "\n".join(lines).split("\n") for part in _wrapped(line))

    def _stated_draws(self, writer: _Writer) -> list[str]:
        bounds = {one.name: one.bounds() for one in self.parameters if one.kind == "int"}

        def is_natural(expr: Expr) -> bool:
            return interval_of(expr, lambda one: bounds.get(one.data, UNKNOWN), {})[0] >= 0

        counts = stated_draws(self.tree.replicate, len(self.inputs), writer.expr, is_natural)
        if all(one == "0" for one in counts):
            return []
        values = ", ".join(f"{{{one}}}" for one in counts)
        return [
            "  /// Numbers of draws of a replication; 0 if unknown.",
            f"  KOKKOS_FUNCTION Kokkos::Array<sporos::InputDraws, {len(counts)}> input_draws() const {{",
            f"    return {{{{{values}}}}};",
            "  }",
            "",
        ]

    def _lanes(self) -> list[str]:
        if not self.kinds.lanes:
            return []
        comment = "  /// Replications run in lanes, because all of them draw at the same points."
        return [comment, "  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }", ""]

    def _inputs(self, body: Sequence[str]) -> str:
        return "Inputs& inputs" if any("inputs" in line for line in body) else "Inputs&"

    def _includes(self, body: Sequence[str]) -> list[str]:
        names = {"core/derivatives/functions.hpp", "core/distributions/parameters.hpp",
                 "core/replication/described_model.hpp"}  # fmt: skip
        text = "\n".join(body)
        if any(f"math::{one}(" in text for one in _PYTHON_NUMBERS):
            names.add("core/math/python_numbers.hpp")
        if "LineChecks" in text:
            names.add("core/events/line_checks.hpp")
        headers = {DISTRIBUTIONS[one].header for one in self.tree.distributions}
        names |= {f"core/distributions/{one}.hpp" for one in headers if one}
        names |= {f"core/events/{TOOLS[one].header}.hpp" for one in self.tree.tools}
        if "responses_unless_failed" in text:
            names.add("core/events/failure.hpp")
        return [
            *(f"#include <sporos/{one}>" for one in sorted(names)),
            "",
            "#include <Kokkos_Core.hpp>",
            "",
            *(f"#include <{one}>" for one in ("array", "cmath", "cstdint", "optional", "string_view", "tuple")),
        ]

    def _members(self) -> list[str]:
        lines = []
        for one in self.parameters:
            kind = self.real if one.kind == "float" else "std::int64_t"
            lines.append(
                f"  {kind} {self.members[one.name]};  ///< {one.meaning}{f', in {one.unit}' if one.unit else ''}"
            )
        return [*lines, ""] if lines else []

    def _constants(self) -> list[str]:
        lines = [
            f"  static constexpr {_CPP_TYPES[str(one.type)]} {self.labels[label]} = {number(one.data, str(one.type))};"
            for label, one in self.constants.items()
        ]
        return [*lines, ""] if lines else []

    def _responses(self) -> list[str]:
        names = ", ".join(cpp_string(one) for one in self.responses)
        return [f"  static constexpr std::array<std::string_view, {self.response_count}> response_names{{{names}}};"]

    def _parameters(self) -> list[str]:
        described = ",\n".join("        " + self._parameter(one) for one in self.parameters)
        return [
            "  static constexpr auto parameters() {",
            f"    using Model = {self.struct};",
            *([] if not described else ["    using sporos::Parameter;"]),
            (
                f"    return std::tuple{{{chr(10) if described else ''}{described}}};"
                if described
                else "    return std::tuple<>();"
            ),
            "  }",
        ]

    def _parameter(self, one: ParameterOfModel) -> str:
        kind = "double" if one.kind == "float" else "std::int64_t"
        default = number(one.default, "float" if one.kind == "float" else "int")
        return (
            f"Parameter<Model, {self.real if kind == 'double' else kind}>{{"
            f"{cpp_string(one.name)}, &Model::{self.members[one.name]}, {default}, "
            f"{cpp_string(one.unit)}, {cpp_string(one.meaning)}, {self._check(one)}}}"
        )

    def _check(self, one: ParameterOfModel) -> str:
        """Returns the function that checks a parameter."""
        if not one.condition()[0]:
            return "sporos::check_finite" if one.kind == "float" else "nullptr"
        limits = (one.kind, one.low, one.high, one.above, one.below)
        known: dict[Any, str] = {
            ("float", 0, None, None, None): "check_non_negative",
            ("float", None, None, 0, None): "check_positive",
            ("int", 1, None, None, None): "check_positive_integer",
            ("float", 0, 1, None, None): "check_probability",
        }
        return f"sporos::{known[limits]}" if limits in known else f"check_{self.members[one.name]}"

    def _checks(self) -> list[str]:
        lines = []
        for one in self.parameters:
            name = self._check(one)
            if name.startswith("check_"):
                kind = "double" if one.kind == "float" else "std::int64_t"
                condition, expected = one.condition()
                lines += [
                    f"  static void {name}(std::string_view parameter, {kind} value) {{",
                    f"    sporos::impl::check_parameter({condition}, parameter, static_cast<double>(value),",
                    f"                                  {cpp_string(expected)});",
                    "  }",
                    "",
                ]
        return lines

    def _means(self) -> list[str]:
        if self.tree.exact_means is None:
            return []
        body = _Writer(self, self.tree.exact_means, False).write()
        return [
            "  /// Returns the exact expectations of the responses, where they are known.",
            f"  sporos::ExactMeans<{self.struct}> exact_means() const {{",
            *body,
            "  }",
            "",
        ]

    def _event(self) -> list[str]:
        if "Calendar" not in self.tree.tools:
            return []
        return ["  /// Event of the calendar.", "  struct Event {", "    std::int64_t kind, entity;", "  };", ""]

    def _helper(self, tree: FunctionTree) -> list[str]:
        writer = _Writer(self, tree, False)
        body = writer.write()
        parameters = [f"{_CPP_TYPES[kind]} {writer.names[name]}" for name, kind in tree.parameters.items()]
        extra = [*(["Inputs& inputs"] if tree.draw else []), *(["sporos::LineChecks& checks"] if tree.checks else [])]
        function = f"{_CPP_TYPES[tree.result]} {self.functions[tree.name]}({', '.join([*extra, *parameters])})"
        template = ["  template <class Inputs>"] if tree.draw else []
        is_member = tree.takes_self
        static = "" if is_member else "static "
        constant = " const" if is_member else ""
        return [*template, f"  {static}KOKKOS_FUNCTION {function}{constant} {{", *body, "  }", ""]
