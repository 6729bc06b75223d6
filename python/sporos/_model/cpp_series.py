# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes `observe` of a model as the members of a series in C++ (core/replication/series_model.hpp)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .cpp_body import BodyWriter
from .cpp_text import CPP_TYPES, cpp_string, shape_text
from .language import TOOLS, Array, Tool
from .series import calls_of
from .tree import FunctionTree, Stmt, statements_in

if TYPE_CHECKING:
    from .header import HeaderWriter


class SeriesWriter(BodyWriter):
    """Writes `observe`. Variables that live longer than a pass of its loop are members of the state of a run."""

    def __init__(self, model: HeaderWriter, tree: FunctionTree) -> None:
        super().__init__(model, tree, False, frozenset({"series", "state"}))
        self.loop = tree.body[-1]
        self.series = next(name for name, kind in tree.variables.items() if kind == Tool("Series"))
        self.kept = [name for (block, _), names in self.places.items() if block == () for name in names]
        self.kept.remove(self.series)
        self.members_of_state = {name: self.names[name] for name in self.kept}
        self.places = {place: names for place, names in self.places.items() if place[0] != ()}
        self.names |= {name: f"state.{member}" for name, member in self.members_of_state.items()}
        self.names[self.series] = "series"
        self.begins = True

    def members(self, names: Sequence[str], ignored: Sequence[str]) -> list[str]:
        """Returns the lines of the members. `ignored` are the parameters that `observe` does not use."""
        self._block(self.tree.body[:-1], ())
        begin, self.lines, self.begins = self.lines, [], False
        self._series_loop()
        checks = ["    sporos::LineChecks& checks = state.checks;"] if self.tree.checks else []
        tables = [f"    {line}" for line in self.table_lines()]
        calls = calls_of(self.series, [one for stmt in statements_in(self.loop.body) for one in stmt.exprs])
        regenerates = any(one.data[2] == "regenerate" for one in calls)
        lists = ", ".join(f"{{{', '.join(cpp_string(one) for one in some)}}}" for some in (names, ignored))
        inputs = self.model.inputs_argument([*begin, *self.lines])
        return [
            "  /// Observations of long runs.",
            f"  static constexpr sporos::ObservedSeries<{len(names)}, {len(ignored)}> observed_series{{{lists}, "
            f"{'true' if regenerates else 'false'}}};",
            "",
            "  /// State of a long run.",
            "  struct SeriesState {",
            *self._state(),
            "  };",
            "",
            "  /// Starts a long run.",
            "  template <class Inputs>",
            f"  KOKKOS_FUNCTION SeriesState begin_series({inputs}) const {{",
            "    SeriesState state{};",
            *checks,
            *tables,
            *begin,
            "    return state;",
            "  }",
            "",
            "  /// Observes a segment of a long run.",
            "  template <class Inputs, class Series>",
            f"  KOKKOS_FUNCTION void observe(SeriesState& state, {inputs}, Series& series) const {{",
            *checks,
            *tables,
            *self.lines,
            "  }",
            "",
        ]

    def _state(self) -> list[str]:
        lines = ["    sporos::LineChecks checks;"] if self.tree.checks else []
        for name, member in self.members_of_state.items():
            kind = self.tree.variables[name]
            if isinstance(kind, Tool):
                number = f"{self._line_number(name)}, {{}}" if kind.pool else "0" if kind.name == "Resource" else ""
                lines.append(f"    {self._tool_type(kind)} {member}{f'{{{number}}}' if number else ''};")
            elif isinstance(kind, Array):
                lines.append(f"    {CPP_TYPES[kind.element]} {member}{shape_text(kind)};")
            else:
                lines.append(f"    {CPP_TYPES[str(kind)]} {member};")
        return lines

    def _series_loop(self) -> None:
        condition = self.loop.exprs[0]
        rest = list(condition.args[1:]) if condition.op == "and" else []
        failing = [*(["checks"] if self.tree.checks else []), *self.containers]
        parts = ["series.goes_on()", *(f"!sporos::fails({name})" for name in failing)]
        self._add(f"while ({' && '.join([*parts, *(self._within(one, 3) for one in rest)])}) {{")
        self._inner(self.loop.body, ((len(self.tree.body) - 1, "body"),))
        self._add("}")
        if rest:
            self._add(f"checks.ended(series, {getattr(self.loop.node, 'lineno', 0)});")
        if failing:
            self._add(f"sporos::fail_series(series, {', '.join([*self.containers, *failing[: self.tree.checks]])});")

    def _tool(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        tool, name = stmt.data, self.names[stmt.names[0]]
        if stmt.exprs:
            self._add(f"{name} = {self._tool_type(tool)}({', '.join(self.expr(one) for one in stmt.exprs)});")
        if TOOLS[tool.name].can_fail:
            self.containers.append(name)

    def _failed(self, *containers: str) -> str:
        return "return state;" if self.begins else f"return sporos::fail_series(series, {', '.join(containers)});"
