# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes `observe` and `evolve` of a model as the members of a series (core/replication/series_model.hpp) and of a chain
(core/replication/member_chain.hpp) in C++."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .cpp_body import BodyWriter
from .chain import array_obstacle, is_endless, level_of
from .cpp_text import CPP_TYPES, cpp_string, shape_text, unique
from .language import TOOLS, Array, Tool
from .series import calls_of
from .tree import FunctionTree, Stmt, statements_in

if TYPE_CHECKING:
    from .header import HeaderWriter


class LoopWriter(BodyWriter):
    """Writes a function that ends with its loop. Variables that live longer than a pass of the loop are members of a
    state. `argument` is the type of the function's last argument."""

    def __init__(self, model: HeaderWriter, tree: FunctionTree, argument: str) -> None:
        super().__init__(model, tree, False, frozenset({"level", "is_over"}))
        self.loop = tree.body[-1]
        self.argument = next(name for name, kind in tree.variables.items() if kind == Tool(argument))
        self.kept = [name for (block, _), names in self.places.items() if block == () for name in names]
        self.kept.remove(self.argument)
        self.members_of_state = {name: self.names[name] for name in self.kept}
        self.places = {place: names for place, names in self.places.items() if place[0] != ()}
        self.names |= {name: f"state.{member}" for name, member in self.members_of_state.items()}
        self.begins = True
        """Whether the lines before the loop are written."""
        self.checks = ["    sporos::LineChecks& checks = state.checks;"] if tree.checks else []

    def begin(self) -> list[str]:
        """Returns the lines before the loop."""
        self._block(self.tree.body[:-1], ())
        begin, self.lines, self.begins = self.lines, [], False
        return begin

    def state(self) -> list[str]:
        """Returns the members of the state."""
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

    def _tool(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        tool, name = stmt.data, self.names[stmt.names[0]]
        if stmt.exprs:
            self._add(f"{name} = {self._tool_type(tool)}({', '.join(self.expr(one) for one in stmt.exprs)});")
        if TOOLS[tool.name].can_fail:
            self.containers.append(name)

    def _inside(self) -> tuple[Any, ...]:
        """Returns the path of the loop's body."""
        return ((len(self.tree.body) - 1, "body"),)


class SeriesWriter(LoopWriter):
    """Writes `observe`."""

    def __init__(self, model: HeaderWriter, tree: FunctionTree) -> None:
        super().__init__(model, tree, "Series")
        self.names[self.argument] = "series"

    def members(self, names: Sequence[str], ignored: Sequence[str]) -> list[str]:
        """Returns the lines of the members. `ignored` are the parameters that `observe` does not use."""
        begin = self.begin()
        self._series_loop()
        checks, tables = self.checks, [f"    {line}" for line in self.table_lines()]
        calls = calls_of(self.argument, [one for stmt in statements_in(self.loop.body) for one in stmt.exprs])
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
            *self.state(),
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

    def _series_loop(self) -> None:
        condition = self.loop.exprs[0]
        rest = list(condition.args[1:]) if condition.op == "and" else []
        failing = [*(["checks"] if self.tree.checks else []), *self.containers]
        parts = ["series.goes_on()", *(f"!sporos::fails({name})" for name in failing)]
        self._add(f"while ({' && '.join([*parts, *(self._within(one, 3) for one in rest)])}) {{")
        self._inner(self.loop.body, self._inside())
        self._add("}")
        if rest:
            self._add(f"checks.ended(series, {getattr(self.loop.node, 'lineno', 0)});")
        if failing:
            self._add(f"sporos::fail_series(series, {', '.join([*self.containers, *failing[: self.tree.checks]])});")

    def _failed(self, *containers: str) -> str:
        return "return state;" if self.begins else f"return sporos::fail_series(series, {', '.join(containers)});"


class ChainWriter(LoopWriter):
    """Writes `evolve`. A pass of its loop is a step."""

    def __init__(self, model: HeaderWriter, tree: FunctionTree) -> None:
        super().__init__(model, tree, "Chain")
        self.loops = 0
        """Number of loops around a line, besides that of the chain."""

    def members(self, names: Sequence[str]) -> list[str]:
        """Returns the lines of the members."""
        start = self.begin()
        self._block(self.loop.body, self._inside())
        step, self.lines = self.lines, []
        self._level()
        update, chain = self.lines, f"sporos::MemberChain<{self.model.struct}>"
        head = [*self.checks, *(f"    {line}" for line in self.table_lines())]
        return [
            "  /// State of the chain.",
            "  struct ChainState {",
            *self.state(),
            "    double level;",
            "    bool is_over;",
            "  };",
            "",
            "  /// Returns the first state of the chain.",
            "  template <class Inputs>",
            f"  KOKKOS_FUNCTION ChainState start_chain({self.model.inputs_argument(start)}) const {{",
            "    ChainState state{};",
            *head,
            *start,
            "    return state;",
            "  }",
            "",
            "  /// Simulates a step of the chain.",
            "  template <class Inputs>",
            f"  KOKKOS_FUNCTION void step_chain(ChainState& state, {self.model.inputs_argument(step)}) const {{",
            *head,
            *step,
            "  }",
            "",
            "  /// Computes the level of a state, and whether the chain is over.",
            "  KOKKOS_FUNCTION void update_level(ChainState& state) const {",
            *head,
            *update,
            "  }",
            "",
            *self._offers(names, chain),
        ]

    def _offers(self, names: Sequence[str], chain: str) -> list[str]:
        """Returns the members that offer the chain for rare events or for array-RQMC."""
        if not is_endless(self.tree):
            return [
                "  /// Names of the chain.",
                f"  static constexpr sporos::ChainNames chain_names{{{', '.join(cpp_string(one) for one in names)}}};",
                "  /// Returns the chain for rare events.",
                f"  {chain} chain() const {{ return {{*this}}; }}",
            ]
        if array_obstacle(self.tree, self.model.inputs) is not None:
            return []
        return [
            "  /// Names of the response of the chain and of a step.",
            f"  static constexpr std::string_view array_response = {cpp_string(names[0])}, array_step = "
            f"{cpp_string(names[1])};",
            "  /// Returns the chain for array-RQMC.",
            f"  {chain} array_chain(std::int64_t) const {{ return {{*this}}; }}",
            "  /// The mean of the response after a number of steps is unknown.",
            "  std::optional<double> exact_after(std::int64_t) const { return std::nullopt; }",
            "",
        ]

    def _level(self) -> None:
        condition = self.loop.exprs[0]
        rest = [] if is_endless(self.tree) else list(condition.args[1:])
        failing = [*(["checks"] if self.tree.checks else []), *self.containers]
        level = unique("level", self.taken, "_")
        self._add(f"{f'const double {level}' if failing else 'state.level'} = {self.expr(level_of(self.tree))};")
        over = f"!({' && '.join(self._within(one, 3) for one in rest)})" if rest else "false"
        self._add(f"state.is_over = {over};")
        if failing:
            self._add(f"state.level = sporos::responses_unless_failed<1>({{{{{level}}}}}, {', '.join(failing)})[0];")

    def _failed(self, *containers: str) -> str:
        return "return state;" if self.begins else "return;"

    def _continue(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        self._add("continue;" if self.loops else "return;")

    def _loop(self, stmt: Stmt, path: tuple[Any, ...], i: int) -> None:
        self.loops += 1
        super()._loop(stmt, path, i)
        self.loops -= 1
