# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names and literals in C++."""

from __future__ import annotations

import math
from typing import Any

from .language import Array

CPP_TYPES = {"float": "double", "int": "std::int64_t", "bool": "bool", "ticket": "sporos::Ticket"}
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
    "Event", "Real", "Number", "sporos", "Kokkos", "std", "repeat", "series", "state", "exact_means", "input_draws",
    "runs_in_lanes", "problems", "SeriesState", "observed_series", "begin_series", "observe", "series_means",
    "check_series", "ChainState", "start_chain", "step_chain", "update_level", "chain", "chain_names", "exact_reach",
    "array_chain", "array_response", "array_step", "exact_after", "responses_at_level", "level_cost", "level_means",
    "level_model",
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
_LINE = 120


def is_reserved(name: str) -> bool:
    """Whether a name cannot be used in C++, or has a meaning in the header."""
    return name in _KEYWORDS or name in _TAKEN or name in _MACROS


def unique(name: str, taken: set[str], suffix: str) -> str:
    """Returns the name with suffixes until it is not taken, and takes it."""
    name = name.replace(".", "_")  # of a field of a record
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


def shape_text(kind: Array) -> str:
    """Returns the extents of an array, such as [2][3]."""
    return "".join(f"[{size}]" for size in kind.shape)


def initializer(values: Any, kind: Array) -> str:
    """Returns the initializer of an array of constants."""
    if len(kind.shape) > 1:
        return "{" + ", ".join(initializer(row, Array(kind.element, kind.shape[1:])) for row in values) + "}"
    return "{" + ", ".join(number(one, kind.element) for one in values) + "}"


def wrapped(line: str) -> list[str]:
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
