# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the Python source of functions, and reports what is wrong in it."""

from __future__ import annotations

import ast
import linecache
from typing import Any, NoReturn


class ModelError(SyntaxError):
    """A model's Python source is outside the subset of Python that Sporos translates.

    `filename`, `lineno`, `offset` and `text` are the place; `msg` has the reason and the remedy.

    Examples
    --------
    >>> import sporos
    >>> issubclass(sporos.ModelError, SyntaxError)
    True
    """


class Source:
    """The text of a file, or of a cell of a notebook, that contains functions of a model."""

    def __init__(self, filename: str) -> None:
        self.filename = filename
        linecache.checkcache(filename)
        self.lines = linecache.getlines(filename)
        self.tree = ast.parse("".join(self.lines), filename) if self.lines else None

    def refuse(self, node: ast.AST, message: str) -> NoReturn:
        """Raises a ModelError at the place of `node`."""
        line = getattr(node, "lineno", 1)
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        column = len(text.encode()[: getattr(node, "col_offset", 0)].decode(errors="replace")) + 1
        raise ModelError(message, (self.filename, line, column, text))

    def function(self, function: Any) -> ast.FunctionDef:
        """Returns the definition of a Python function."""
        code = function.__code__
        for node in ast.walk(self.tree) if self.tree else ():
            if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                if code.co_firstlineno in (first, node.lineno):
                    return node
        raise ModelError(
            f"the Python source of {function.__qualname__} is not available: write the model in a file or a notebook",
            (self.filename, code.co_firstlineno, 1, ""),
        )


_sources: dict[str, tuple[list[str], Source]] = {}


def source_of(function: Any) -> Source:
    """Returns the source with a function's definition."""
    filename = function.__code__.co_filename
    source = Source(filename)
    known = _sources.get(filename)
    if known and known[0] == source.lines:
        return known[1]
    _sources[filename] = (source.lines, source)
    return source
