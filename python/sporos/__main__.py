# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command of the command line for a model in Python: python3 -m sporos simulate bakery.py --ovens 3

FILE.py:CLASS chooses one of several models in a file. The model is compiled to a program, which runs the command.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

from ._backends import backends
from ._model import Definition, definition_of
from ._model.compiler import program_for


def definition_in(word: str) -> Definition:
    """Returns the model that FILE.py or FILE.py:CLASS names."""
    name, _, chosen = word.partition(".py:")
    path = Path(name if name.endswith(".py") else f"{name}.py")
    if not path.is_file():
        raise ValueError(f"there is no file {path}: expected a file with a model")
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: dict[str, Definition] = {}
    for key, value in vars(module).items():
        definition = definition_of(value) if isinstance(value, type) else None
        if definition is not None and definition.cls.__module__ == path.stem:
            found[key] = definition
    listed = ", ".join(f"{path}:{one}" for one in found) or "a class under @sporos.model"
    if chosen and chosen not in found:
        raise ValueError(f"{path} has no model {chosen}: expected {listed}")
    if not chosen and len(found) != 1:
        raise ValueError(f"{path} has {len(found)} models: expected {listed}")
    return found[chosen or next(iter(found))]


def main(words: list[str]) -> Any:
    """Replaces this process by the program of the model."""
    if len(words) < 2 or ".py" not in words[1]:
        raise ValueError("expected a command and a file, such as: python3 -m sporos simulate bakery.py --ovens 3")
    command, file, *rest = words
    definition = definition_in(file)
    program = program_for(definition, command, backends()[-1])
    subject = [definition.name]
    if command == "compare-solvers":
        subject = [] if "--problems" in rest else ["--problems", ",".join(one.name for one in definition.problems)]
    os.execv(program, ["sporos", command, *subject, *rest])


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (RuntimeError, TypeError, ValueError) as error:
        print(f"sporos: {error}", file=sys.stderr)
        sys.exit(1 if isinstance(error, RuntimeError) else 2)
