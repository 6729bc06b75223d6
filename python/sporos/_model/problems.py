# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimization problems over models in Python, on which solvers are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional, Union

from .cpp_text import cpp_string, number
from .parameters import ParameterOfModel

Number = Union[int, float]


@dataclass(frozen=True)
class Problem:
    """What `problem` returns."""

    name: str
    over: Mapping[str, tuple[Number, Number]]
    objective: str
    is_maximized: bool
    constraints: tuple[str, ...]
    start: Mapping[str, Number]
    parameters: Mapping[str, Number]
    budget: int
    optimum: Optional[float]
    solution: Mapping[str, Number]


def problem(
    name: str,
    *,
    over: Mapping[str, tuple[Number, Number]],
    minimize: Optional[str] = None,
    maximize: Optional[str] = None,
    subject_to: Union[str, Sequence[str]] = (),
    start: Optional[Mapping[str, Number]] = None,
    parameters: Optional[Mapping[str, Number]] = None,
    budget: int = 10000,
    optimum: Optional[float] = None,
    solution: Optional[Mapping[str, Number]] = None,
) -> Problem:
    """Describes an optimization problem over a model in Python, for `compare_solvers`.

    Parameters
    ----------
    name : str
        Name of the problem.
    over : dict
        Lower and upper bound of each decision variable, which is a parameter of the model.
    minimize, maximize : str, optional
        The objective, as in `optimize`; give one of them.
    subject_to : str or sequence of str
        Constraints, as in `optimize`.
    start : dict, optional
        Starting values of decision variables; default: their defaults.
    parameters : dict, optional
        Values of other parameters; default: their defaults.
    budget : int
        Replications of a search; default: 10000.
    optimum : float, optional
        The optimal value of the objective, if it is known exactly.
    solution : dict, optional
        Optimal values of the decision variables.

    Returns
    -------
    Problem
        The description, for the attribute `problems` of a class under `model`.

    Examples
    --------
    >>> import sporos
    >>> few = sporos.problem("few ovens", over=dict(ovens=(1, 6)), minimize="mean wait + 2*ovens")
    >>> few.name
    'few ovens'
    """
    if (minimize is None) == (maximize is None):
        count = "no objective" if minimize is None else "two objectives"
        raise ValueError(f"problem {name!r} has {count}: give minimize or maximize")
    if not isinstance(name, str) or not name or "," in name or ":" in name:
        raise ValueError(f"the name of a problem is {name!r}, expected a text without commas and colons")
    if not isinstance(over, Mapping) or not over:
        raise TypeError(f"over of problem {name!r} is {over!r}, expected bounds such as {{'ovens': (1, 6)}}")
    if solution is not None and (optimum is None or set(solution) != set(over)):
        raise ValueError(
            f"solution of problem {name!r} is {solution!r}, expected it with optimum, and a value for each of over"
        )
    if type(budget) is not int or budget < 1:
        raise ValueError(f"budget of problem {name!r} is {budget!r}, expected an int above 0")
    constraints = (subject_to,) if isinstance(subject_to, str) else tuple(subject_to)
    objective = minimize if minimize is not None else str(maximize)
    return Problem(
        name, dict(over), objective, minimize is None, constraints, dict(start or {}), dict(parameters or {}), budget,
        optimum, dict(solution or {}),
    )  # fmt: skip


def checked_problems(given: Any, model: str, parameters: Sequence[ParameterOfModel]) -> tuple[Problem, ...]:
    """Returns the problems of a model; raises TypeError or ValueError if one does not fit the model."""
    problems = (given,) if isinstance(given, Problem) else given
    if not isinstance(problems, (tuple, list)) or not all(isinstance(one, Problem) for one in problems):
        raise TypeError(f"problems of {model} is {given!r}, expected results of sporos.problem")
    names = [one.name for one in problems]
    if len(set(names)) < len(names):
        raise ValueError(f"problems of {model} have a name twice: {', '.join(names)}")
    known = {one.name: one for one in parameters}
    made = []
    for one in problems:
        for name in (*one.over, *one.start, *one.parameters):
            if name not in known or known[name].kind == "bool":
                numbers = ", ".join(name for name, other in known.items() if other.kind != "bool")
                raise ValueError(f"problem {one.name!r} names {name}, expected some of {numbers or 'no parameter'}")
        made.append(_with_starts(one, known))
    return tuple(made)


def _with_starts(problem: Problem, known: Mapping[str, ParameterOfModel]) -> Problem:
    starts = {}
    for name, bounds in problem.over.items():
        if not isinstance(bounds, (tuple, list)) or len(bounds) != 2 or not bounds[0] < bounds[1]:
            raise ValueError(
                f"over[{name!r}] of problem {problem.name!r} is {bounds!r}, expected a lower and an upper bound"
            )
        starts[name] = known[name].checked(problem.start.get(name, known[name].default))
        if not bounds[0] <= starts[name] <= bounds[1]:
            limits = f"{bounds[0]} to {bounds[1]}"
            raise ValueError(f"{name} of problem {problem.name!r} starts at {starts[name]}, expected {limits}: give start")
    for name, value in problem.parameters.items():
        known[name].checked(value)
    return replace(problem, start=starts)


def _text(value: Number) -> str:
    return number(value, "float")


def problem_lines(problems: Sequence[Problem]) -> list[str]:
    """Returns the member that describes the problems in C++."""
    if not problems:
        return []
    lines = [
        "  /// Optimization problems over this model.",
        "  static std::vector<sporos::DescribedProblem> problems() {",
        "    std::vector<sporos::DescribedProblem> all;",
    ]
    for one in problems:
        decisions = [
            f"{{{cpp_string(name)}, {_text(low)}, {_text(high)}, {_text(one.start[name])}}}"
            for name, (low, high) in one.over.items()
        ]
        fixed = [f"{{{cpp_string(name)}, {_text(value)}}}" for name, value in one.parameters.items()]
        constraints = [cpp_string(text) for text in one.constraints]
        lines += [
            f"    all.push_back({{.name = {cpp_string(one.name)}, .title = {cpp_string(one.name)},",
            f'        .source = "Python", .decisions = {{{", ".join(decisions)}}},',
            f"        .objective = {cpp_string(one.objective)},",
            f"        .is_maximized = {'true' if one.is_maximized else 'false'},",
            f"        .constraints = {{{', '.join(constraints)}}}, .parameters = {{{', '.join(fixed)}}},",
            f"        .budget = {one.budget}}});",
        ]
        if one.optimum is not None:
            x = ", ".join(_text(one.solution[name]) for name in one.over) if one.solution else ""
            lines.append(
                f"    all.back().optimum = sporos::KnownOptimum{{.kind = sporos::OptimumKind::exact, "
                f".value = {_text(one.optimum)}, .x = {{{x}}}, .source = \"the model\"}};"
            )
    return [*lines, "    return all;", "  }", ""]
