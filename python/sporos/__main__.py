# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line: `sporos`, or python3 -m sporos simulate mm1

In place of a model's name, FILE.py names a file with a model in Python, and FILE.py:CLASS one of several models in it.
Such a model is compiled to a program, which runs the command.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
from pathlib import Path
from typing import NoReturn, Optional

from ._backends import backends, native
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


def run_model(words: list[str], backend: str) -> NoReturn:
    """Replaces this process by the program of a model in Python."""
    command, file, *rest = words
    definition = definition_in(file)
    program = program_for(definition, command, backend)
    subject = [definition.name]
    if command == "compare-solvers":
        subject = [] if "--problems" in rest else ["--problems", ",".join(one.name for one in definition.problems)]
    os.execv(program, ["sporos", command, *subject, *rest])


def main(backend: Optional[str] = None) -> NoReturn:
    """Runs the command line with the words after the program's name, on a backend; default: the fastest."""
    words = sys.argv[1:]
    chosen = backend or backends()[-1]
    try:
        if len(words) > 1 and (words[1].endswith(".py") or ".py:" in words[1]):
            run_model(words, chosen)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # the command line ends by Ctrl-C, without an exception of Python
        sys.exit(native(chosen).run_command_line([os.fsencode(word) for word in words]))
    except (RuntimeError, TypeError, ValueError) as error:
        print(f"sporos: {error}", file=sys.stderr)
        sys.exit(1 if isinstance(error, RuntimeError) else 2)


def main_serial() -> NoReturn:
    """Runs the command line on the backend serial."""
    main("serial")


def main_openmp() -> NoReturn:
    """Runs the command line on the backend openmp."""
    main("openmp")


if __name__ == "__main__":
    main()
