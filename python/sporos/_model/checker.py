# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the Python source of a model and turns it into a typed tree.

Whatever the subset does not have is refused with its place and a remedy. docs/reference/python-models.md describes the
subset.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from typing import Any, Optional

from .intervals import UNKNOWN, Interval
from .language import LOOP_FUNCTIONS, Array, Tool
from .source import Source, source_of
from .record_statements import RecordStatements
from .chain import check_chain
from .series import check_series
from .tree import Expr, FunctionTree, ModelTree
from .values import NUMBERS, table_type

_PASSES = 8
"""Most passes until the types of all variables are known."""
_ARGUMENTS = {"replicate": ("draw",), "observe": ("draw", "series"), "evolve": ("draw", "chain"),
              "exact_reach": ("level",), "at_level": ("draw", "level"), "level_cost": ("level",)}  # fmt: skip
"""Arguments after self of functions that Sporos calls; the others have none."""


class ModelChecker:
    """Checks a class with replicate, its parameters, and the functions that it calls."""

    def __init__(
        self,
        cls: type,
        parameters: dict[str, str],
        bounds: dict[str, Interval],
        inputs: Sequence[str],
        responses: Sequence[str],
        series: Sequence[str],
        chain: Sequence[str],
    ) -> None:
        self.cls = cls
        self.series = series
        self.chain = chain
        self.known = self._known_functions()
        self.bounds = bounds
        """Bounds of the int parameters."""
        self.parameters = parameters
        self.inputs = inputs
        self.responses = responses
        self.helpers: dict[str, FunctionTree] = {}
        self.objects: dict[str, Any] = {}
        self.open: list[str] = []
        self.tables: dict[str, tuple[Any, Array]] = {}
        self.distributions: set[str] = set()
        self.tools: set[str] = set()

    def check(self) -> ModelTree:
        replicate = self._function(self.cls.__dict__["replicate"], "replicate")
        found = {one: self._function(vars(self.cls)[one], one) for one in self.known[1:]}
        means = found.pop("exact_means", None)
        return ModelTree(replicate, means, self.helpers, self.tables, self.distributions, self.tools, **found)

    def _known_functions(self) -> list[str]:
        """Returns the functions of the class that Sporos calls; replicate comes first."""
        names = ["replicate", "exact_means", *(["observe", "series_means"] if self.series else [])]
        names += ["evolve", "exact_reach"] if self.chain else []
        names += ["at_level", "level_cost", "level_means"] if "at_level" in vars(self.cls) else []
        return [one for one in names if one in vars(self.cls)]

    def helper(self, name: str, function: Any, source: Source, node: ast.AST) -> FunctionTree:
        """Returns the tree of a function that is called at `node`."""
        if name in self.open:
            source.refuse(node, f"{name} calls itself, directly or not: use a loop")
        if name in self.helpers:
            if self.objects[name] is not function:
                source.refuse(node, f"two functions have the name {name}: rename one of them")
            return self.helpers[name]
        if not hasattr(function, "__code__"):
            source.refuse(node, f"{name} has no Python source: call a function written in Python, or one of math")
        self.open.append(name)
        self.objects[name] = function
        try:
            tree = self._function(function, name)
        finally:
            self.open.pop()
        self.helpers[name] = tree
        return tree

    def table(self, name: str, value: Any, source: Source, node: ast.AST) -> Expr:
        kind = table_type(value)
        if kind is None:
            source.refuse(node, f"{name} is no array of numbers: write a tuple of float, of int, or of such tuples")
        known = self.tables.get(name)
        if known and known[0] != value:
            source.refuse(node, f"two arrays of constants have the name {name}: rename one of them")
        self.tables[name] = (value, kind)
        return Expr("table", kind, node, (), name)

    def _function(self, function: Any, name: str) -> FunctionTree:
        if not inspect.isfunction(function):
            raise TypeError(f"{name} is {function!r}, expected a function: remove its decorators")
        source = source_of(function)
        definition = source.function(function)
        checker = FunctionChecker(self, function, definition, source, name == "replicate")
        return checker.check(name)


class FunctionChecker(RecordStatements):
    """Checks a function, and turns it into a tree."""

    def check(self, name: str) -> FunctionTree:
        tree = self._signature(name)
        self.tree = tree
        for _ in range(_PASSES):  # an int variable may become a float
            self.types = {**tree.parameters, **self.outer}
            self.assigned = set(self.types)
            self.returns = 0
            self.ever = set(self.types)
            self.ranges = {name: UNKNOWN for name in tree.parameters}
            tree.checks = False
            tree.body = self._block(self.node.body)
            if self.types == self.hints and self.ranges == self.known:
                break
            self.hints = {**self.hints, **self.types}
            self.known = self.ranges
        if any(self.types[name] != self.hints.get(name) for name in self.types):
            self.refuse(
                self.node, f"the types of variables of {name} depend on each other: write x: float = ... for them"
            )
        if tree.result == "series":
            check_series(self, tree)
        elif tree.result == "chain":
            check_chain(self, tree)
        elif self.assigned is not None:
            whats = {"means": "the means", "levels": "the fine and the coarse responses"}
            what = "its responses" if self.is_main else whats.get(tree.result, f"its {tree.result}")
            self.refuse(self.node, f"{name} can end without return: return {what} at the end")
        tree.variables = dict(self.types)
        return tree

    def _known_signature(self, tree: FunctionTree, rest: Sequence[ast.arg]) -> None:
        """Completes the tree of a function that Sporos calls. `rest` are its arguments after self."""
        expected = _ARGUMENTS.get(tree.name, ())
        if len(rest) != len(expected):
            names = ", ".join(["self", *expected])
            listed = " and ".join(names.rsplit(", ", 1))
            self.refuse(tree.node, f"{tree.name} has other arguments than {listed}: write def {tree.name}({names})")
        tree.result = "" if self.is_main else "levels" if tree.name == "at_level" else "means"
        for given, name in zip(rest, expected):
            if name == "draw":
                tree.draw = given.arg
            elif name in LOOP_FUNCTIONS:
                self.outer = {given.arg: Tool(name.capitalize())}
                tree.result = name
            else:
                tree.parameters[given.arg] = "float" if tree.name == "exact_reach" else "int"

    def _signature(self, name: str) -> FunctionTree:
        node, arguments = self.node, self.node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs or arguments.defaults:
            self.refuse(node, f"{name} has *, / or default arguments: give it plain arguments")
        if any(not (isinstance(one, ast.Name) and one.id == "staticmethod") for one in node.decorator_list):
            self.refuse(node.decorator_list[0], f"{name} has a decorator: remove it")
        rest = list(arguments.args)
        is_method = any(value is self.function for value in vars(self.model.cls).values())
        tree = FunctionTree(name, node, self.source.filename, {}, is_method)
        if is_method:
            if not rest:
                self.refuse(node, f"{name} has no self: write def {name}(self, ...)")
            self.self_name = rest.pop(0).arg
        if is_method and name in self.model.known:
            self._known_signature(tree, rest)
            return tree
        for one in rest:
            kind = self._annotation(one.annotation)
            if kind in NUMBERS:
                tree.parameters[one.arg] = kind
            elif one.arg == "draw" or kind == "Draw":
                tree.draw = one.arg
            else:
                self.refuse(one, f"{one.arg} has no type: write {one.arg}: float, int or bool (or draw, for the draws)")
        tree.result = self._annotation(node.returns)
        if tree.result not in NUMBERS:
            self.refuse(node, f"{name} has no result type: write def {name}(...) -> float, int or bool")
        return tree
