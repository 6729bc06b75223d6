# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the bodies of functions of a model in C++."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .cpp_expressions import ExpressionWriter
from .cpp_text import CPP_TYPES, initializer, number, shape_text, unique
from .kinds import RANDOM
from .language import TOOLS, Array, Tool
from .tree import Expr, FunctionTree, Stmt, expressions_in, statements_in

if TYPE_CHECKING:
    from .header import HeaderWriter


class BodyWriter(ExpressionWriter):
    """Writes the body of a function."""

    def __init__(
        self, model: HeaderWriter, tree: FunctionTree, is_main: bool, taken: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(model, tree, is_main, taken)
        self.results = model.response_count * (1 if is_main else 2 if tree.result == "levels" else 0)
        """Number of responses that the function returns; 0 for another function."""
        self.lines: list[str] = []
        self.level = 2
        self.containers: list[str] = []
        self.places = _declaration_places(tree.body, set(tree.parameters))
        self.assignments = _assignment_counts(tree.body)

    def write(self) -> list[str]:
        """Returns the lines of the body."""
        self._block(self.tree.body, ())
        used = [f"    using Number = {self.model.number_in};"] if self.is_main and self.model.is_generic else []
        used += [f"    {line}" for line in self.table_lines()]
        if (self.results or self.tree.result == "means") and self.tree.checks:
            used.append("    sporos::LineChecks checks;")
        return used + self.lines

    def table_lines(self) -> list[str]:
        """Returns the declarations of the arrays of constants that the body uses."""
        lines = []
        for name in self.tables:
            values, kind = self.model.tree.tables[name]
            text = f"{self.names[name]}{shape_text(kind)} = {initializer(values, kind)}"
            lines.append(f"constexpr {CPP_TYPES[kind.element]} {text};")
        return lines

    def _type(self, name: str) -> str:
        """Returns the C++ type of a variable, or of the elements of an array."""
        kind = self.tree.variables[name]
        element = kind.element if isinstance(kind, Array) else str(kind)
        if element != "float" or not self.is_main or not self.model.is_generic:
            return CPP_TYPES[element]
        return self._type_of_kind(self.model.kinds.variables.get(name, 0))

    def _add(self, line: str) -> None:
        self.lines.append("  " * self.level + line)

    def _block(self, statements: Sequence[Stmt], path: tuple[Any, ...]) -> None:
        for i, stmt in enumerate(statements):
            for name in self.places.get((path, i), ()):
                if not (stmt.op in ("assign", "array", "room", "tool", "add") and stmt.names == (name,)):
                    self._declare(name)
            getattr(self, "_add_entity" if stmt.op == "add" else f"_{stmt.op}")(stmt, path, i)

    def _inner(self, statements: Sequence[Stmt], path: tuple[Any, ...]) -> None:
        self.level += 1
        self._block(statements, path)
        self.level -= 1

    def _loop(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        """Writes the body and the end of a loop."""
        self._inner(stmt.body, (*path, (i, "body")))
        self._add("}")

    def _declare(self, name: str) -> None:
        kind = self.tree.variables[name]
        if isinstance(kind, Array):
            self._add(f"{self._type(name)} {self.names[name]}{shape_text(kind)};")
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
        temporaries = [
            unique("next_" + self.names[name].rpartition(".")[2], self.taken, "_") for name in stmt.names
        ]
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
                self._add(f"{self._type(name)} {target}{shape_text(kind)} = {{{values}}};")
                return
            self._declare(name)
        if len(stmt.exprs) > 1:
            for place, one in enumerate(stmt.exprs):
                self._add(f"{target}[{place}] = {self.expr(one)};")
            return
        element = unique("element", set(self.taken), "_")
        rows = unique("row", set(self.taken), "_")
        if len(kind.shape) == 1:
            self._add(f"for ({self._type(name)}& {element} : {target}) {element} = {self.expr(stmt.exprs[0])};")
        else:
            self._add(f"for (auto& {rows} : {target})")
            self._add(f"  for ({self._type(name)}& {element} : {rows}) {element} = {self.expr(stmt.exprs[0])};")

    def _room(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        """Writes the array of a field of the entities of a pool. Wrong numbers of entities lead to its element 0."""
        name = stmt.names[0]
        if self._is_declared_at(name, path, i):
            self._declare(name)
        self._add(f"{self.names[name]}[0] = {number(0, stmt.data.element)};")

    def _tool_type(self, tool: Tool) -> str:
        if tool.record:
            return f"sporos::CheckedPool<{tool.slots}>"
        if tool.pool:
            return "sporos::CheckedLine"
        room = f"<{'Event' if tool.name == 'Calendar' else 'double'}, {tool.slots}>" if tool.slots else ""
        return f"sporos::{tool.name}{room}"

    def _tool(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        tool, name = stmt.data, self.names[stmt.names[0]]
        values = ", ".join(self.expr(one) for one in stmt.exprs)
        made = f"{{{self._line_number(stmt.names[0])}, {{}}}}" if tool.pool else f"({values})" if values else ""
        self._add(f"{self._tool_type(tool)} {name}{made};")
        if TOOLS[tool.name].can_fail:
            self.containers.append(name)

    def _line_number(self, line: str) -> int:
        lines = [name for name, kind in self.tree.variables.items() if isinstance(kind, Tool) and kind.pool]
        return lines.index(line) + 1

    def _add_entity(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        """Writes that an entity is added to a pool. Its fields are computed first."""
        pool, fields = stmt.data
        target = self.names[stmt.names[0]]
        values = []
        for field, value in zip(fields, stmt.exprs):
            if value.op == "constant" or (value.op in ("variable", "parameter") and value.data != stmt.names[0]):
                values.append(self.expr(value))
                continue
            values.append(unique(f"next_{self.names[field].rpartition('.')[2]}", set(self.taken), "_"))
            self._add(f"const {self._type(field)} {values[-1]} = {self.expr(value)};")
        constant = "const " if self.assignments[stmt.names[0]] == 1 else ""
        begin = f"{constant}std::int64_t " if self._is_declared_at(stmt.names[0], path, i) else ""
        self._add(f"{begin}{target} = checks.add({self.names[pool]});")
        for field, text in zip(fields, values):
            self._add(f"{self.names[field]}[{target}] = {text};")

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

    def _selects(self, stmt: Stmt) -> bool:
        return stmt.op == "if" and self._selects_by(stmt.exprs[0])

    def _failed(self, *containers: str) -> str:
        """Returns the statement that ends a failed replication."""
        if not self.results:
            return "return {};"
        return f"return sporos::responses_unless_failed<{self.results}>({{}}, {', '.join(containers)});"

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
        condition = unique("is_so", self.taken, "_")
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
        self._loop(stmt, path, i)
        if self.tree.checks and is_endless and not _breaks(stmt.body):
            self._add(self._failed("checks"))

    def _range(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        name = "repeat" if stmt.names[0] == "_" else self.names[stmt.names[0]]
        first = self.expr(stmt.exprs[0]) if len(stmt.exprs) == 2 else "0"
        last = stmt.exprs[-1]
        end = self.expr(last)
        if not _is_fixed(last, _assigned_names(stmt.body)):
            variable = unique(f"end_of_{name}", self.taken, "_")
            self._add(f"const std::int64_t {variable} = {end};")
            end = variable
        elif last.op not in ("constant", "variable", "parameter"):
            end = self._within(last, 5)
        step = {1: f"++{name}", -1: f"--{name}"}.get(stmt.data, f"{name} += {stmt.data}")
        self._add(f"for (std::int64_t {name} = {first}; {name} {'<' if stmt.data > 0 else '>'} {end}; {step}) {{")
        self._loop(stmt, path, i)

    def _each(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        array = stmt.exprs[0]
        assert isinstance(array.type, Array)
        element = self.names[stmt.names[-1]] if stmt.names[-1] != "_" else "element"
        has_index = len(stmt.names) == 2 and stmt.names[0] != "_"
        index = self.names[stmt.names[0]] if has_index else unique(f"place_of_{element}", self.taken, "_")
        self._add(f"for (std::int64_t {index} = 0; {index} < {array.type.shape[0]}; ++{index}) {{")
        if stmt.names[-1] != "_":
            self._add(f"  const {self._type(stmt.names[-1])} {element} = {self.expr(array)}[{index}];")
        self._loop(stmt, path, i)

    def _break(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        self._add("break;")

    def _continue(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        self._add("continue;")

    def _return(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        if self.tree.result == "means":
            self._return_means(stmt)
            return
        if not self.results:
            self._add(f"return {self.expr(stmt.exprs[0])};")
            return
        values = ", ".join(self.expr(one) for one in stmt.exprs)
        containers = [*(["checks"] if self.tree.checks else []), *self.containers]
        if containers:
            self._add(f"return sporos::responses_unless_failed<{self.results}>({{{{{values}}}}}, {', '.join(containers)});")
        else:
            self._add(f"return {{{{{values}}}}};")

    def _return_means(self, stmt: Stmt) -> None:
        values = ["std::nullopt" if one.op == "nothing" else self.expr(one) for one in stmt.exprs]
        if self.tree.checks:  # the values are computed before the result of their checks is known
            for i, text in enumerate(values):
                if text != "std::nullopt":
                    values[i] = unique("value", self.taken, "_")
                    self._add(f"const double {values[i]} = {text};")
            self._add("if (!checks.good()) return {};")
        self._add(f"return {{{', '.join(values)}}};")


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
