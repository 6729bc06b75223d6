# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks calls in models in Python: of functions, distributions and event tools."""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Sequence
from typing import Any, Optional

from .expressions import Expressions
from .language import DISTRIBUTIONS, MATH, MATH_FUNCTIONS, MATH_REMEDIES, TOOLS, Method, Tool
from .records import record_of
from .tree import Expr
from .words import builtin_remedy, counted, listed


class Calls(Expressions):
    """Checks the calls of a function, and turns them into typed expressions."""

    def _call(self, node: ast.Call) -> Expr:
        function = node.func
        if any(isinstance(one, ast.Starred) for one in node.args) or any(one.arg is None for one in node.keywords):
            self.refuse(node, "* in front of an argument is not in the subset: write the arguments")
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            owner = function.value.id
            if owner == self.tree.draw and owner not in self.types:
                return self._draw(node, function.attr)
            tool = self.types.get(owner)
            if isinstance(tool, Tool):
                return self._method(node, function, owner, tool)
            if self._is_self(function):
                return self._helper_of_self(node, function.attr)
        if isinstance(function, ast.Name) and function.id == self.tree.draw and function.id not in self.types:
            return self._draw(node, "random")
        if isinstance(function, ast.Name) and function.id in self.types:
            self.refuse(node, f"{function.id} is a variable and is called: call a function")
        found = self._object(function)
        if found is None and isinstance(function, ast.Attribute):
            if isinstance(function.value, ast.Name):
                self._name(function.value)  # refuses a name that is not defined
            self.refuse(
                node, f".{function.attr} is not in the subset here: assign the object in front of it to a variable"
            )
        if found is None:
            name = function.id if isinstance(function, ast.Name) else "this function"
            self.refuse(node, f"{name} is not defined: define the function at the top of the file")
        return self._call_of(node, found)

    def _call_of(self, node: ast.Call, found: Any) -> Expr:
        if found in MATH_FUNCTIONS:
            return self._math(node, MATH_FUNCTIONS[found])
        name = getattr(found, "__name__", "this object")
        if getattr(builtins, name, None) is found:
            return self._builtin(node, name)
        if inspect.isclass(found):
            if name == "Ticket" and found.__module__.startswith("sporos") and not node.args and not node.keywords:
                self.model.tools.add("Calendar")
                return Expr("constant", "ticket", node)
            if record_of(found):
                self.refuse(node, f"a new {name} is used as a value: assign it to a variable, or add it to an EntityPool")
            if name in TOOLS:
                self.refuse(node, f"{name} must be assigned to a variable: write tool = sporos.{name}(...)")
            self.refuse(node, f"an object of the class {name} is not in the subset: use variables, arrays and classes under @sporos.record")
        if inspect.isfunction(found):
            return self._helper(node, name, found)
        text = ast.unparse(node.func)
        self.refuse(node, f"{text} is not in the subset: use functions of math, or write it in Python")

    def _arguments(
        self,
        node: ast.Call,
        name: str,
        given: Sequence[ast.AST],
        parameters: dict[str, str],
        defaults: Sequence[float] = (),
    ) -> list[Expr]:
        """Returns the arguments of a call in the order of the parameters."""
        places: dict[str, ast.AST] = {}
        for parameter, one in zip(parameters, given):
            places[parameter] = one
        for keyword in node.keywords:
            if keyword.arg not in parameters or keyword.arg in places:
                self.refuse(node, f"{name} has no such argument {keyword.arg}: it takes {listed(parameters)}")
            places[str(keyword.arg)] = keyword.value
        optional = list(parameters)[len(parameters) - len(defaults) :]
        missing = [one for one in parameters if one not in places and one not in optional]
        if len(given) > len(parameters) or missing:
            self.refuse(node, f"{name} takes {listed(parameters)}: give these arguments")
        made = []
        for parameter, kind in parameters.items():
            if parameter in places:
                made.append(self._convert(self._number(places[parameter]), kind, places[parameter]))
            else:
                value = defaults[optional.index(parameter)]
                made.append(Expr("constant", kind, node, (), float(value) if kind == "float" else int(value)))
        self._ordered(node, made)
        return made

    def _math(self, node: ast.Call, name: str) -> Expr:
        function = MATH.get(name)
        if function is None:
            remedy = MATH_REMEDIES.get(name, f"use one of {', '.join(MATH)}")
            self.refuse(node, f"math.{name} has no counterpart with the same bits on every machine: {remedy}")
        if len(node.args) != function.arguments or node.keywords:
            is_log = name == "log" and len(node.args) == 2
            remedy = "write math.log(x) / math.log(base)" if is_log else "correct the call"
            self.refuse(node, f"math.{name} takes {counted(function.arguments, 'argument')}: {remedy}")
        values = [self._convert(self._operand(one), "float", one) for one in node.args]
        if function.result == "int":
            if values[0].op == "convert":  # of an int
                return values[0].args[0]
            inner = values if name == "trunc" else [self._make("function", "float", node, values, function.name)]
            return self._whole(node, inner[0])
        return self._make("function", "float", node, values, function.name)

    def _whole(self, node: ast.AST, value: Expr) -> Expr:
        self.tree.checks = True
        return self._make("whole", "int", node, [value])

    def _builtin(self, node: ast.Call, name: str) -> Expr:
        if node.keywords:
            self.refuse(node, f"a keyword of {name} is not in the subset: write plain arguments")
        if name in ("min", "max"):
            return self._extreme(node, name)
        if name == "len":
            kind = self._array_in(node.args[0]) if len(node.args) == 1 else None
            if kind is None:
                self.refuse(node, "len is in the subset only for arrays: use the size of the array")
            return Expr("constant", "int", node, (), kind.shape[0])
        if name == "pow" and len(node.args) == 2:
            return self._power(
                ast.copy_location(ast.BinOp(*node.args, ast.Pow()), node), *map(self._operand, node.args)
            )
        if name not in ("abs", "round", "int", "float", "bool") or len(node.args) != 1:
            self.refuse(node, f"this call of {name} is not in the subset: {builtin_remedy(name)}")
        value = self._number(node.args[0])
        if name in ("float", "int") and value.type == "bool":
            return self._make("convert", name, node, [value])
        if name == "bool":
            if value.type != "bool":
                self.refuse(node, "bool of a number is not in the subset: compare it, such as x != 0")
            return value
        if value.type == "bool":
            self.refuse(node, f"{name} of a bool is not in the subset: convert it by int(...)")
        if name == "float":
            return self._convert(value, "float", node)
        if name == "abs":
            return self._make("function", value.type, node, [value], "abs")
        if value.type == "int":
            return value
        if name == "round":
            value = self._make("function", "float", node, [value], "nearest_even")
        return self._whole(node, value)

    def _extreme(self, node: ast.Call, name: str) -> Expr:
        if len(node.args) < 2:
            self.refuse(
                node, f"{name} of one argument is not in the subset: write {name}(a, b), or a loop over the array"
            )
        values = [self._operand(one) for one in node.args]
        kind = "int" if all(one.type == "int" for one in values) else "float"
        values = [self._convert(one, kind, node) for one in values]
        made = values[0]
        for one in values[1:]:
            made = self._make("minimum" if name == "min" else "maximum", kind, node, [made, one])
        return made

    def _draw(self, node: ast.Call, name: str) -> Expr:
        draw = self.tree.draw
        known = DISTRIBUTIONS.get(name)
        if known is None:
            self.refuse(node, f"{draw} has no distribution {name}: use one of {', '.join(DISTRIBUTIONS)}")
        first = node.args[0] if node.args else None
        value = self._constant(first) if first is not None else None
        if not isinstance(value, str):
            self.refuse(
                node, f"the first argument of {draw}.{name} is the name of an input variable: write it as a string"
            )
        if value not in self.model.inputs:
            self.refuse(
                node, f"'{value}' is no input of the model: add it to inputs, or use {listed(self.model.inputs)}"
            )
        values = self._arguments(node, f"{draw}.{name}", node.args[1:], known.parameters, known.defaults)
        self.model.distributions.add(name)
        made = self._make("draw", known.result, node, values, (name, list(self.model.inputs).index(value)))
        made.draws |= {value}
        if known.result == "int":
            self.tree.checks = True
        return made

    def _method(self, node: ast.Call, function: ast.Attribute, owner: str, tool: Tool) -> Expr:
        method: Optional[Method] = TOOLS[tool.name].methods.get(function.attr)
        if method is None:
            self.refuse(node, f"{tool} has no {function.attr}: it has {', '.join(TOOLS[tool.name].methods)}")
        parameters = method.parameters
        if tool.name == "Series" and function.attr == "record":
            parameters = dict.fromkeys(self.model.series, "float")
        values = self._arguments(node, f"{owner}.{function.attr}", node.args, parameters, method.defaults)
        made = self._make("method", method.result, node, values, (owner, tool, function.attr))
        if method.changes:
            made.changes |= {owner}
        else:
            made.reads |= {owner}
        if function.attr in ("pop", "front", "front_rank") or tool.name == "PriorityQueue":
            self.tree.checks = True
        return made

    def _helper_of_self(self, node: ast.Call, name: str) -> Expr:
        found = vars(self.model.cls).get(name)
        if isinstance(found, staticmethod):
            found = found.__func__
        if not inspect.isfunction(found):
            self.refuse(node, f"the model has no function {name}: define it in the class")
        if name == "replicate":
            self.refuse(node, "replicate calls itself: use a loop")
        if name in self.model.known:
            self.refuse(node, f"Sporos calls {name}, with its own arguments: move the lines to another function")
        return self._helper(node, name, found)

    def _helper(self, node: ast.Call, name: str, found: Any) -> Expr:
        tree = self.model.helper(name, found, self.source, node)
        given = list(node.args)
        if tree.draw is not None:
            place = [
                one.arg for one in tree.node.args.args if not (tree.takes_self and one is tree.node.args.args[0])
            ].index(tree.draw)
            passed = given[place] if place < len(given) else None
            if not isinstance(passed, ast.Name) or passed.id != self.tree.draw:
                self.refuse(node, f"{name} takes the draws: pass {self.tree.draw or 'draw'} in their place")
            del given[place]
        values = self._arguments(node, name, given, tree.parameters)
        made = self._make("call", tree.result, node, values, name)
        made.draws |= {"*"} if tree.draw else set()
        self.tree.checks = self.tree.checks or tree.checks
        self.tree.calls.add(name)
        return made
