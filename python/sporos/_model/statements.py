# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks statements of models in Python."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Sequence
from typing import Any, Optional

from .calls import Calls
from .intervals import Interval, union
from .language import LOOP_FUNCTIONS, TOOLS, Array, Tool, Type
from .tree import Expr, Stmt
from .values import NUMBERS
from .words import a_or_an, counted

_MOST_ELEMENTS = 65536
_STATEMENT_REMEDIES = {
    ast.Try: "try is not in the subset: check the values with if",
    ast.With: "with is not in the subset: remove it",
    ast.Raise: "raise is not in the subset: return responses, or give the parameter a range by sporos.parameter",
    ast.Assert: "assert is not in the subset: check the result of replicate in a test",
    ast.Import: "import is not in the subset here: import at the top of the file",
    ast.ImportFrom: "import is not in the subset here: import at the top of the file",
    ast.FunctionDef: "a function inside a function is not in the subset: define it at the top of the file",
    ast.ClassDef: "a class inside a function is not in the subset: use variables and arrays",
    ast.Global: "global is not in the subset: pass values as arguments",
    ast.Nonlocal: "nonlocal is not in the subset: pass values as arguments",
    ast.Delete: "del is not in the subset: remove it",
}


class Statements(Calls):
    """Checks the statements of a function, and turns them into typed ones."""

    def _block(self, statements: Sequence[ast.stmt]) -> list[Stmt]:
        block: list[Stmt] = []
        for node in statements:
            if self.assigned is None:
                self.refuse(node, "this line is never reached: remove it")
            made = self._statement(node)
            block += made if isinstance(made, list) else [made]
        return block

    def _statement(self, node: ast.stmt) -> Any:
        if isinstance(node, ast.Assign):
            return self._assign(node)
        if isinstance(node, ast.AnnAssign):
            return self._annotated(node)
        if isinstance(node, ast.AugAssign):
            return self._augmented(node)
        if isinstance(node, ast.Return):
            return self._return(node)
        if isinstance(node, ast.If):
            return self._if(node)
        if isinstance(node, ast.While):
            return self._while(node)
        if isinstance(node, ast.For):
            return self._for(node)
        if isinstance(node, ast.Pass):
            return []
        if isinstance(node, (ast.Break, ast.Continue)):
            return self._jump(node)
        if isinstance(node, ast.Expr):
            return self._effect(node)
        for kind, remedy in _STATEMENT_REMEDIES.items():
            if isinstance(node, kind):
                self.refuse(node, remedy)
        self.refuse(node, f"{type(node).__name__} is not in the subset: use assignments, if, for and while")

    def _assign(self, node: ast.Assign) -> Any:
        if len(node.targets) > 1:
            return self._chained(node)
        target = node.targets[0]
        if isinstance(target, ast.Tuple):
            return self._parallel(node, target)
        if isinstance(target, ast.Name):
            array = self._array_of(node.value)
            if array is not None:
                return self._new_array(node, target, *array)
            tool = self._tool_of(node.value)
            if tool is not None:
                return self._new_tool(node, target, *tool)
            return self._set(node, target, self._expression(node.value, True))
        return self._store(node, target, self._expression(node.value))

    def _chained(self, node: ast.Assign) -> list[Stmt]:
        value = self._expression(node.value)
        if not value.is_pure or not all(isinstance(target, ast.Name) for target in node.targets):
            self.refuse(node, "a = b = … is in the subset only for variables and plain values: write two assignments")
        return [self._set(node, target, value) for target in node.targets]  # type: ignore[arg-type]

    def _parallel(self, node: ast.Assign, target: ast.Tuple) -> Any:
        value = node.value
        names = [one for one in target.elts if isinstance(one, ast.Name)]
        if not isinstance(value, ast.Tuple) or len(value.elts) != len(target.elts) or len(names) != len(target.elts):
            self.refuse(
                node, "this assignment of several values is not in the subset: write a, b = x, y with variables"
            )
        values = [self._expression(one) for one in value.elts]
        self._ordered(node, values)
        made = [self._set(node, one, each) for one, each in zip(names, values)]
        if not any(uses(each, {one.id for one in names[:i]}) for i, each in enumerate(values)):
            return made
        return Stmt("parallel", node, tuple(one.exprs[0] for one in made), tuple(one.id for one in names))

    def _annotation(self, node: Optional[ast.AST]) -> str:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value.rpartition(".")[2]
        if isinstance(node, ast.Attribute):
            return node.attr
        return node.id if isinstance(node, ast.Name) else ""

    def _annotated(self, node: ast.AnnAssign) -> Stmt:
        kind = self._annotation(node.annotation)
        if not isinstance(node.target, ast.Name) or kind not in NUMBERS or node.value is None:
            self.refuse(node, "this annotation is not in the subset: write name: float = value, or int or bool")
        self.hints.setdefault(node.target.id, kind)
        return self._set(node, node.target, self._convert(self._expression(node.value), kind, node.value))

    def _augmented(self, node: ast.AugAssign) -> Any:
        load = ast.copy_location(_loaded(node.target), node.target)
        value = self._binary(ast.copy_location(ast.BinOp(load, node.op, node.value), node))
        if isinstance(node.target, ast.Name):
            return self._set(node, node.target, value)
        return self._store(node, node.target, value)

    def _set(self, node: ast.stmt, target: ast.Name, value: Expr) -> Stmt:
        name = target.id
        self._check_name(target, name)
        if not isinstance(value.type, str):
            self.refuse(node, f"{name} would be a second name of an array: copy its elements in a loop")
        known = self.types.get(name) or self.hints.get(name)
        if known is None:
            kind: Type = value.type
        elif known == value.type or {known, value.type} == {"int", "float"}:
            kind = known if known == value.type else "float"
        else:
            self.refuse(node, f"{name} is {a_or_an(known)} and becomes {a_or_an(value.type)}: use another variable")
        self.types[name] = kind
        self._now_assigned(name)
        interval = self._interval(value)
        self.ranges[name] = union(self.ranges[name], interval) if name in self.ranges else interval
        return Stmt("assign", node, (self._convert(value, str(kind), node),), (name,))

    def _check_name(self, node: ast.AST, name: str) -> None:
        if name in self.bound:
            self.refuse(node, f"{name} is the variable of a loop around this line: use another variable")
        if name in (self.self_name, self.tree.draw):
            self.refuse(node, f"{name} is an argument with another meaning: use another variable")
        if not name.isascii() or "__" in name or name.startswith("_"):
            self.refuse(node, f"the name {name} is not in the subset: use ASCII letters, digits and single underscores")

    def _now_assigned(self, name: str) -> None:
        assert self.assigned is not None
        self.assigned.add(name)
        self.ever.add(name)

    def _store(self, node: ast.stmt, target: ast.AST, value: Expr) -> Stmt:
        if isinstance(target, ast.Attribute):
            self.refuse(target, "an attribute is assigned: parameters are constant; use a variable")
        if not isinstance(target, ast.Subscript):
            self.refuse(
                target, "this assignment is not in the subset: assign to a variable or to an element of an array"
            )
        place = self._index(_loaded(target))
        if place.args[0].op == "table":
            self.refuse(target, "an array of constants is assigned: copy it to an array of the function")
        converted = self._convert(value, str(place.type), node)
        self._ordered(node, [place, converted])
        return Stmt("store", node, (place, converted))

    # Arrays: [0.0] * 8, [1.0, 2.0], [[0.0] * 3 for _ in range(2)]

    def _array_of(self, node: ast.AST) -> Optional[tuple[Array, list[Expr]]]:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            if isinstance(node.left, ast.List) and len(node.left.elts) == 1:
                fill = self._expression(node.left.elts[0])
                return self._array_type(node, fill, (self._size(node.right),)), [fill]
        if isinstance(node, ast.List):
            if not node.elts:
                self.refuse(node, "an empty list is not in the subset: arrays have a fixed size, such as [0.0] * 8")
            values = [self._expression(one) for one in node.elts]
            self._ordered(node, values)
            kinds = {str(one.type) for one in values}
            kind = "float" if kinds == {"int", "float"} else kinds.pop()
            values = [self._convert(one, kind, one.node) for one in values]
            return self._array_type(node, values[0], (len(values),)), values
        if isinstance(node, ast.ListComp) and len(node.generators) == 1:
            loop = node.generators[0]
            inner = self._array_of(node.elt)
            is_range = (
                isinstance(loop.iter, ast.Call)
                and isinstance(loop.iter.func, ast.Name)
                and loop.iter.func.id == "range"
            )
            if inner and is_range and len(inner[1]) == 1 and not loop.ifs and len(loop.iter.args) == 1:  # type: ignore
                rows = self._size(loop.iter.args[0])  # type: ignore[attr-defined]
                return self._array_type(node, inner[1][0], (rows, *inner[0].shape)), inner[1]
        return None

    def _array_type(self, node: ast.AST, element: Expr, shape: tuple[int, ...]) -> Array:
        if not isinstance(element.type, str):
            self.refuse(node, "the elements of an array are numbers: write [0.0] * 8, or [[0.0] * 3 for _ in range(2)]")
        if not element.is_pure:
            self.refuse(node, "the elements of a new array are drawn: fill the array in a loop")
        if math.prod(shape) > _MOST_ELEMENTS:
            self.refuse(node, f"the array has {math.prod(shape)} elements, expected at most {_MOST_ELEMENTS}")
        return Array(element.type, shape)

    def _new_array(self, node: ast.stmt, target: ast.Name, kind: Array, values: list[Expr]) -> Stmt:
        self._check_name(target, target.id)
        known = self.types.get(target.id)
        hint = self.hints.get(target.id)
        if isinstance(hint, Array) and hint.shape == kind.shape and hint.element == "float" and kind.element == "int":
            kind = hint
            values = [self._convert(one, "float", one.node) for one in values]
        if known is not None and known != kind:
            self.refuse(node, f"{target.id} is {a_or_an(known)} and becomes another array: use another variable")
        self.types[target.id] = kind
        self._now_assigned(target.id)
        return Stmt("array", node, tuple(values), (target.id,), data=kind)

    # Event tools

    def _tool_of(self, node: ast.AST) -> Optional[tuple[Tool, list[Expr]]]:
        if not isinstance(node, ast.Call):
            return None
        found = self._object(node.func)
        name = getattr(found, "__name__", "")
        if not (inspect.isclass(found) and name in TOOLS and found.__module__.startswith("sporos")):
            return None
        if name.lower() in LOOP_FUNCTIONS:
            self.refuse(node, f"{name} is made by Sporos: use the argument of {LOOP_FUNCTIONS[name.lower()]}")
        known = TOOLS[name]
        arguments = list(node.args)
        slots = 0
        if known.has_slots:
            if len(arguments) != 1 or node.keywords:
                self.refuse(node, f"{name} takes its room, a constant int: write sporos.{name}(64)")
            slots = self._size(arguments.pop(0), f"the room of {name}")
        values = self._arguments(node, name, arguments, known.parameters, known.defaults)
        return Tool(name, slots), values

    def _new_tool(self, node: ast.stmt, target: ast.Name, tool: Tool, values: list[Expr]) -> Stmt:
        name = target.id
        self._check_name(target, name)
        is_place = self.is_main or self.tree.result in (*LOOP_FUNCTIONS, "levels")
        if not is_place or self.depth > 0 or self.returns or name in self.ever:
            where = self.tree.name if is_place else "replicate"
            self.refuse(
                node, f"{tool} must be made once, at the start of {where}, outside of if and loops: move the line"
            )
        self.types[name] = tool
        self._now_assigned(name)
        self.model.tools.add(tool.name)
        return Stmt("tool", node, tuple(values), (name,), data=tool)

    # Control

    def _effect(self, node: ast.Expr) -> Any:
        value = node.value
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return []
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "print":
            self.refuse(node, "print is not in the subset: return the number as a response, or use a debugger")
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            owner = value.func.value
            if isinstance(owner, ast.Name) and isinstance(self.types.get(owner.id), Array):
                self.refuse(
                    node, f"an array has no {value.func.attr}: its size is fixed; keep the number of used elements"
                )
        made = self._expression(value, allows_none=True)
        if made.op not in ("method", "draw", "call") or made.is_pure:
            self.refuse(node, "this line has no effect: assign the value, or remove the line")
        return Stmt("effect", node, (made,))

    def _return(self, node: ast.Return) -> Stmt:
        self.returns += 1
        if self.tree.result in LOOP_FUNCTIONS:
            self.refuse(node, f"{self.tree.name} returns nothing and goes on until the end of its loop: remove return")
        if self.is_main or self.tree.result == "levels":
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value] if node.value else []
            responses = len(self.model.responses)
            expected = responses if self.is_main else 2 * responses
            array = self._array_in(values[0]) if len(values) == 1 else None
            if array and array.shape == (expected,):
                return self._return_array(node, values[0], array)
            if len(values) != expected:
                self.refuse(
                    node,
                    f"{self.tree.name} returns {counted(len(values), 'value')} for {counted(responses, 'response')}: "
                    f"return {'one for each' if self.is_main else 'the fine responses, and then the coarse ones'}",
                )
            exprs = [self._convert(self._number(one), "float", one, True) for one in values]
        elif self.tree.result == "means":
            exprs = self._means(node)
        else:
            if node.value is None:
                self.refuse(node, f"{self.tree.name} returns nothing: return a value of type {self.tree.result}")
            exprs = [self._convert(self._expression(node.value), self.tree.result, node)]
        self._ordered(node, exprs)
        self.assigned = None
        return Stmt("return", node, tuple(exprs))

    def _means(self, node: ast.Return) -> list[Expr]:
        values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value] if node.value else []
        is_series = self.tree.name == "series_means"
        expected = len(self.model.series if is_series else self.model.responses)
        only = {"exact_reach": "the probability", "level_cost": "the cost"}.get(self.tree.name)
        is_none = [isinstance(one, ast.Constant) and one.value is None for one in values]
        if only and (len(values) != 1 or (is_none[0] and self.tree.name == "level_cost")):
            self.refuse(node, f"{self.tree.name} returns {counted(len(values), 'value')} or None: return {only}")
        if not only and len(values) != expected:
            self.refuse(
                node,
                f"{self.tree.name} returns {counted(len(values), 'value')} for "
                f"{f'{expected} series' if is_series else counted(expected, 'response')}: return one for each, or None where it is "
                "unknown",
            )
        return [
            Expr("nothing", "float", one) if missing else self._convert(self._number(one), "float", one)
            for one, missing in zip(values, is_none)
        ]

    def _return_array(self, node: ast.Return, value: ast.AST, array: Array) -> Stmt:
        made = self._expression(value, True)
        places = [Expr("constant", "int", value, (), i) for i in range(array.shape[0])]
        elements = [self._make("index", array.element, value, [made, one], (array.shape[0], False)) for one in places]
        self.assigned = None
        return Stmt("return", node, tuple(self._convert(one, "float", value, True) for one in elements))

    def _if(self, node: ast.If) -> Stmt:
        condition = self._condition(node.test)
        before = self.assigned
        assert before is not None
        self.depth += 1
        self.assigned = set(before)
        body = self._block(node.body)
        after_body = self.assigned
        self.assigned = set(before)
        orelse = self._block(node.orelse)
        after_else = self.assigned
        self.depth -= 1
        if after_body is None or after_else is None:
            self.assigned = after_else if after_body is None else after_body
        else:
            self.assigned = after_body & after_else
        return Stmt("if", node, (condition,), (), body, orelse)

    def _loop(self, body: Sequence[ast.stmt], names: set[str], is_endless: bool) -> list[Stmt]:
        before = self.assigned
        assert before is not None
        self.assigned = before | names
        self.bound |= names
        self.depth += 1
        self.loops.append({"ends": []})
        made = self._block(body)
        ends = self.loops.pop()["ends"]
        self.depth -= 1
        self.bound -= names
        for name in names:
            self.ever.add(name)
        if not is_endless:
            self.assigned = before
        elif ends:
            self.assigned = set.intersection(*ends)
        else:
            self.assigned = None
        return made

    def _while(self, node: ast.While) -> Stmt:
        if node.orelse:
            self.refuse(node.orelse[0], "else after while is not in the subset: use a bool variable")
        is_endless = isinstance(node.test, ast.Constant) and node.test.value is True
        condition = self._condition(node.test)
        body = self._loop(node.body, set(), is_endless)
        return Stmt("while", node, (condition,), (), body)

    def _for(self, node: ast.For) -> Stmt:
        if node.orelse:
            self.refuse(node.orelse[0], "else after for is not in the subset: use a bool variable")
        called = node.iter.func.id if isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) else ""
        if called == "range":
            return self._for_range(node)
        names = node.target.elts if called == "enumerate" and isinstance(node.target, ast.Tuple) else [node.target]
        over = node.iter
        if called == "enumerate":
            if len(names) != 2 or len(node.iter.args) != 1:  # type: ignore[attr-defined]
                self.refuse(node, "this enumerate is not in the subset: write for i, x in enumerate(array)")
            over = node.iter.args[0]  # type: ignore[attr-defined]
        if isinstance(over, ast.Call):
            self.refuse(over, "this loop is not in the subset: loop over range(...), an array or enumerate(array)")
        array = self._expression(over, True)
        if not isinstance(array.type, Array) or len(array.type.shape) != 1:
            self.refuse(over, "this loop is not in the subset: loop over range(...), an array or enumerate(array)")
        made = [self._loop_variable(one, kind) for one, kind in zip(names, ("int", array.type.element)[-len(names) :])]
        if len(made) == 2:
            self.limits[made[0]] = (0, array.type.shape[0] - 1)
        body = self._loop(node.body, set(made), False)
        self.limits.pop(made[0], None)
        return Stmt("each", node, (array,), tuple(made), body)

    def _loop_variable(self, node: ast.AST, kind: str) -> str:
        if not isinstance(node, ast.Name):
            self.refuse(node, "the variable of a loop must be a name: write for i in ...")
        name = node.id
        if name == "_":
            return name
        self._check_name(node, name)
        known = self.types.get(name)
        if known is not None and (known != kind or (self.assigned is not None and name in self.assigned)):
            self.refuse(node, f"{name} has a value before the loop: use another variable for the loop")
        self.types[name] = kind
        return name

    def _for_range(self, node: ast.For) -> Stmt:
        call = node.iter
        assert isinstance(call, ast.Call)
        if not 1 <= len(call.args) <= 3 or call.keywords:
            self.refuse(
                call, "range takes one to three ints: write range(n), range(first, end) or range(first, end, step)"
            )
        bounds = [self._expression(one) for one in call.args]
        for one in bounds:
            if one.type != "int":
                self.refuse(one.node, f"range of {a_or_an(one.type)}: convert it by int(...)")
        self._ordered(call, bounds)
        step = self._step(call.args[2]) if len(bounds) == 3 else 1
        name = self._loop_variable(node.target, "int")
        ends = [self._interval(one) for one in bounds[:2]]
        first: Interval = (0, 0) if len(ends) == 1 else ends[0]
        self.limits[name] = (first[0], ends[-1][1] - 1) if step > 0 else (ends[-1][0] + 1, first[1])
        body = self._loop(node.body, {name}, False)
        self.limits.pop(name, None)
        return Stmt("range", node, tuple(bounds[:2]), (name,), body, data=step)

    def _step(self, node: ast.AST) -> int:
        is_negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
        value = self._constant(node.operand if is_negative else node)  # type: ignore[attr-defined]
        if type(value) is not int or value == 0:
            self.refuse(node, "the step of range must be a constant int other than 0: write the number")
        return -value if is_negative else value

    def _jump(self, node: ast.stmt) -> Stmt:
        if isinstance(node, ast.Break):
            self.loops[-1]["ends"].append(self.assigned)
        self.assigned = None
        return Stmt("break" if isinstance(node, ast.Break) else "continue", node)


def _loaded(node: ast.AST) -> Any:
    """Returns the node of a target as an expression."""
    if isinstance(node, ast.Name):
        return ast.copy_location(ast.Name(node.id, ast.Load()), node)
    if isinstance(node, ast.Subscript):
        return ast.copy_location(ast.Subscript(node.value, node.slice, ast.Load()), node)
    return node


def uses(expr: Expr, names: set[str]) -> bool:
    """Whether an expression uses one of these variables."""
    return expr.op == "variable" and expr.data in names or any(uses(one, names) for one in expr.args)
