# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a model as a C++ header."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .cpp_body import BodyWriter
from .chain import is_endless
from .cpp_series import ChainWriter, SeriesWriter
from .cpp_text import CPP_TYPES, cpp_string, number, unique, wrapped
from .intervals import UNKNOWN, interval_of
from .kinds import Kinds
from .language import DISTRIBUTIONS, TOOLS
from .parameters import ParameterOfModel
from .problems import Problem, problem_lines
from .stated_draws import stated_draws
from .tree import Expr, FunctionTree, ModelTree, expressions_in, statements_in

_PYTHON_NUMBERS = (
    "floor_quotient", "floor_remainder", "floor_division", "modulo", "nearest_even", "floor", "ceil", "smaller",
    "larger", "magnitude",
)  # fmt: skip


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
        series: Sequence[str],
        chain: Sequence[str],
        problems: Sequence[Problem],
        version: str,
    ) -> None:
        self.name, self.title, self.cls, self.tree = name, title, cls, tree
        self.parameters, self.inputs, self.responses = parameters, inputs, responses
        self.series, self.chain, self.problems = series, chain, problems
        self.version = version
        self.response_count = len(responses)
        self.kinds = Kinds(tree, any(one.kind == "float" for one in parameters))
        self.is_generic = self.kinds.lanes or self.kinds.gradients
        self.real = "Real" if self.kinds.gradients else "double"
        self.number_in = "sporos::NumberIn<Inputs, Real>" if self.kinds.gradients else "sporos::NumberIn<Inputs>"
        self.struct = f"Basic{cls.__name__}" if self.kinds.gradients else cls.__name__
        self.taken: set[str] = {cls.__name__, self.struct, "Real", "Number"}
        self.constants = _labelled(tree.functions())
        self.members = {one.name: unique(one.name, self.taken, "_") for one in parameters}
        self.functions = {one: unique(one, self.taken, "_function") for one in tree.helpers}
        self.labels = {one: unique(one, self.taken, "_") for one in self.constants}
        self.enumerators = [unique(one, self.taken, "_input") for one in inputs]

    def write(self) -> str:
        """Returns the text of the header."""
        writer = BodyWriter(self, self.tree.replicate, True)
        main = writer.write()
        draws = self._stated_draws(writer)
        means = self._means()
        loops = [*self._series(), *self._chain(), *self._levels()]
        problems = problem_lines(self.problems)
        result = self.number_in if self.is_generic else "double"
        helpers = [line for one in self.tree.helpers.values() for line in self._helper(one)]
        lines = [
            f"// The model {self.name}, which Sporos {self.version} has translated from Python.",
            "#pragma once",
            "",
            *self._includes([*main, *helpers, *draws, *means, *loops, *problems]),
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
            *problems,
            "  /// Throws std::invalid_argument if a parameter is invalid.",
            "  void check() const { sporos::check_parameters(*this); }",
            "",
            *means,
            *self._event(),
            *helpers,
            *loops,
            *draws,
            *self._lanes(),
            "  /// Simulates one replication.",
            "  template <class Inputs>",
            f"  KOKKOS_FUNCTION Kokkos::Array<{result}, {self.response_count}> "
            f"operator()({self.inputs_argument(main)}) const {{",
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
        return "\n".join(part for line in "\n".join(lines).split("\n") for part in wrapped(line))

    def _stated_draws(self, writer: BodyWriter) -> list[str]:
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

    def inputs_argument(self, body: Sequence[str]) -> str:
        """Returns the argument for the inputs, without a name if the body does not draw."""
        return "Inputs& inputs" if any("inputs" in line for line in body) else "Inputs&"

    def _includes(self, body: Sequence[str]) -> list[str]:
        names = {"core/derivatives/functions.hpp", "core/distributions/parameters.hpp",
                 "core/replication/described_model.hpp"}  # fmt: skip
        text = "\n".join(body)
        if any(f"math::{one}(" in text for one in _PYTHON_NUMBERS):
            names.add("core/math/python_numbers.hpp")
        if any(one in text for one in ("LineChecks", "sporos::fails(", "sporos::fail_series(")):
            names.add("core/events/line_checks.hpp")
        headers = {DISTRIBUTIONS[one].header for one in self.tree.distributions}
        names |= {f"core/distributions/{one}.hpp" for one in headers if one}
        names |= {f"core/events/{TOOLS[one].header}.hpp" for one in self.tree.tools}
        if "responses_unless_failed" in text:
            names.add("core/events/failure.hpp")
        if "ObservedSeries" in text:
            names.add("core/replication/series_model.hpp")
        if "MemberLevels" in text:
            names.add("core/replication/member_levels.hpp")
        if "MemberChain" in text:
            names.add("core/replication/member_chain.hpp")
        if "ChainNames" in text:
            names.add("core/replication/markov_chain.hpp")
        if "DescribedProblem" in text:
            names.add("core/replication/described_problem.hpp")
        return [
            *(f"#include <sporos/{one}>" for one in sorted(names)),
            "",
            "#include <Kokkos_Core.hpp>",
            "",
            *(
                f"#include <{one}>"
                for one in ("array", "cmath", "cstdint", "optional", "string_view", "tuple", "vector")
                if one != "vector" or "std::vector" in text
            ),
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
            f"  static constexpr {CPP_TYPES[str(one.type)]} {self.labels[label]} = {number(one.data, str(one.type))};"
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
        body = BodyWriter(self, self.tree.exact_means, False).write()
        return [
            "  /// Returns the exact expectations of the responses, where they are known.",
            f"  sporos::ExactMeans<{self.struct}> exact_means() const {{",
            *body,
            "  }",
            "",
        ]

    def _series(self) -> list[str]:
        """Returns the members of long runs."""
        observe, means = self.tree.observe, self.tree.series_means
        if observe is None:
            return []
        unused = [one.name for one in self.parameters if not self._is_used(observe, one.name)]
        made = SeriesWriter(self, observe).members(self.series, unused)
        values = f"std::array<std::optional<double>, {len(self.series)}>"
        lines = ["    return {};"] if means is None else BodyWriter(self, means, False).write()
        return [
            *made,
            "  /// Returns the means in steady state, where they are known.",
            f"  {values} series_means() const {{",
            *lines,
            "  }",
            "",
            "  /// Accepts all parameters that pass check().",
            "  void check_series() const {}",
            "",
        ]

    def _chain(self) -> list[str]:
        """Returns the members of the Markov chain."""
        evolve, reach = self.tree.evolve, self.tree.exact_reach
        if evolve is None:
            return []
        made = ChainWriter(self, evolve).members(self.chain)
        if is_endless(evolve):
            return made
        level, lines = "", ["    return std::nullopt;"]
        if reach is not None:
            writer = BodyWriter(self, reach, False)
            level, lines = f" {writer.names[next(iter(reach.parameters))]}", writer.write()
        return [
            *made,
            "  /// Returns the probability that the chain reaches a level, where it is known.",
            f"  std::optional<double> exact_reach(double{level}) const {{",
            *lines,
            "  }",
            "",
        ]

    def _levels(self) -> list[str]:
        """Returns the members of levels for multilevel Monte Carlo."""
        if self.tree.at_level is None:
            return []
        writer, cost = BodyWriter(self, self.tree.at_level, False), ["    return std::exp2(level);"]
        body, level = writer.write(), "level"
        if self.tree.level_cost is not None:
            of_cost = BodyWriter(self, self.tree.level_cost, False)
            cost, level = of_cost.write(), of_cost.names[next(iter(self.tree.level_cost.parameters))]
        means = self.tree.level_means
        return [
            "  /// Simulates the responses on a level, and then those on the previous level.",
            "  template <class Inputs>",
            f"  KOKKOS_FUNCTION Kokkos::Array<double, {2 * self.response_count}> responses_at_level("
            f"{self.inputs_argument(body)}, std::int64_t {writer.names[next(iter(self.tree.at_level.parameters))]}) const {{",
            *body,
            "  }",
            "",
            "  /// Returns the cost of a replication on a level.",
            f"  double level_cost(std::int64_t {level}) const {{",
            *cost,
            "  }",
            "",
            "  /// Returns the limits of the means for fine levels, where they are known.",
            f"  sporos::ExactMeans<{self.struct}> level_means() const {{",
            *(["    return {};"] if means is None else BodyWriter(self, means, False).write()),
            "  }",
            "",
            "  /// Returns the levels of a response.",
            f"  sporos::MemberLevels<{self.struct}> level_model(int response) const {{ return {{*this, response}}; }}",
            "",
        ]

    def _is_used(self, tree: FunctionTree, parameter: str) -> bool:
        """Whether a function, or one that it calls, reads a parameter."""
        parts = [
            one for stmt in statements_in(tree.body) for outer in stmt.exprs for one in expressions_in(outer)
        ]
        return any(
            (one.op == "parameter" and one.data == parameter)
            or (one.op == "call" and self._is_used(self.tree.helpers[one.data], parameter))
            for one in parts
        )

    def _event(self) -> list[str]:
        if "Calendar" not in self.tree.tools:
            return []
        return ["  /// Event of the calendar.", "  struct Event {", "    std::int64_t kind, entity;", "  };", ""]

    def _helper(self, tree: FunctionTree) -> list[str]:
        writer = BodyWriter(self, tree, False)
        body = writer.write()
        parameters = [f"{CPP_TYPES[kind]} {writer.names[name]}" for name, kind in tree.parameters.items()]
        extra = [*(["Inputs& inputs"] if tree.draw else []), *(["sporos::LineChecks& checks"] if tree.checks else [])]
        function = f"{CPP_TYPES[tree.result]} {self.functions[tree.name]}({', '.join([*extra, *parameters])})"
        template = ["  template <class Inputs>"] if tree.draw else []
        is_member = tree.takes_self
        static = "" if is_member else "static "
        constant = " const" if is_member else ""
        return [*template, f"  {static}KOKKOS_FUNCTION {function}{constant} {{", *body, "  }", ""]
