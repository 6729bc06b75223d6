# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values outside of a function that a model can use: constant numbers, arrays of them, and names."""

from __future__ import annotations

import builtins
from typing import Any, Optional

from .language import Array

NUMBERS = {"float": float, "int": int, "bool": bool}
"""Types of numbers by name."""


def constant_type(value: Any) -> Optional[str]:
    """Returns the type of a number, or None for another value."""
    for name, kind in NUMBERS.items():
        if type(value) is kind:
            return name
    return None


def table_type(value: Any) -> Optional[Array]:
    """Returns the type of nested tuples or lists of numbers."""
    if not isinstance(value, (tuple, list)) or not value:
        return None
    if all(isinstance(row, (tuple, list)) for row in value):
        rows = [table_type(row) for row in value]
        first = rows[0]
        if first is None or len(first.shape) != 1 or any(row is None or row.shape != first.shape for row in rows):
            return None
        elements = {row.element for row in rows if row}
        return Array("float" if len(elements) > 1 else elements.pop(), (len(value), *first.shape))
    kinds = {constant_type(one) for one in value}
    if kinds == {"int", "float"}:
        kinds = {"float"}
    kind = kinds.pop()
    return Array(kind, (len(value),)) if not kinds and kind else None


class Names:
    """The names that a function can use besides its own: of its module, and of the functions around it."""

    def __init__(self, function: Any) -> None:
        cells = {}
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            try:
                cells[name] = cell.cell_contents
            except ValueError:  # a name that is assigned later
                pass
        self._spaces = (cells, function.__globals__, vars(builtins))

    def find(self, name: str) -> tuple[bool, Any]:
        """Returns whether a name is defined, and its value."""
        for space in self._spaces:
            if name in space:
                return True, space[name]
        return False, None
