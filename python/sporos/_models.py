# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models that there are."""

from __future__ import annotations

import difflib
import hashlib
import inspect
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ._arguments import shown, text_of
from ._backends import native


@dataclass(frozen=True, repr=False)
class Parameter:
    """A parameter of a model."""

    name: str
    """The keyword that `simulate` takes it by."""
    usual: float | int | str
    """Its value where none is given; a text names a file, and an empty one built-in data."""
    unit: str
    """Empty for a plain number."""
    meaning: str
    """One phrase."""

    def __repr__(self) -> str:
        return f"Parameter({self.name}={self.usual!r}{self.unit and ' ' + self.unit}: {self.meaning})"


@dataclass(frozen=True, repr=False)
class Model:
    """A model that `simulate` knows."""

    name: str
    """By which it is called."""
    title: str
    """One phrase."""
    parameters: tuple[Parameter, ...]
    """In the model's order."""
    responses: tuple[str, ...]
    """Names of what it estimates, at the usual parameters."""

    def __repr__(self) -> str:
        most = 10
        names = [parameter.name for parameter in self.parameters[:most]]
        if len(self.parameters) > most:
            names.append(f"{len(self.parameters) - most} more")
        return f"Model({self.name}: {self.title}; {', '.join(names)})"


def models() -> list[Model]:
    """The models there are.

    >>> import sporos
    >>> [model.name for model in sporos.models()][:3]
    ['pi', 'mm1', 'mmck']
    """
    return [
        Model(
            described["name"],
            described["title"],
            tuple(Parameter(**parameter) for parameter in described["parameters"]),
            tuple(described["responses"]),
        )
        for described in json.loads(native().models())
    ]


@cache
def _folder_of_cases() -> tempfile.TemporaryDirectory[str]:
    """Removed when Python ends, since results name the files in it."""
    return tempfile.TemporaryDirectory(prefix="sporos-")


def _plain(value: Any) -> Any:
    """What JSON has for a number or an array of NumPy."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{shown(value)} is no value of JSON")


def _file_of_case(name: str, case: Mapping[str, Any]) -> str:
    """A file with this case: the same one for the same case."""
    try:
        text = json.dumps(case, allow_nan=False, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"{name} is {shown(case)}, expected what JSON can hold: {error}") from None
    path = Path(_folder_of_cases().name, f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.json")
    if not path.exists():
        path.write_text(text)
    return str(path)


def parameter_texts(
    model: str, parameters: Mapping[str, Any], text: Callable[[str, Any], str] = text_of
) -> dict[str, str]:
    """The texts of the parameters that are not None; for a file, a dictionary may stand, which is what it would hold."""
    given = {name: value for name, value in parameters.items() if value is not None}
    if any(isinstance(value, Mapping) for value in given.values()):
        usual = {one.name: one.usual for known in models() if known.name == model for one in known.parameters}
        for name, value in given.items():
            if isinstance(value, Mapping) and isinstance(usual.get(name), str):
                given[name] = _file_of_case(name, value)
    return {name: text(name, value) for name, value in given.items()}


@contextmanager
def options_suggested(function: Callable[..., Any]) -> Iterator[None]:
    """Errors over what is no parameter of the model suggest the function's keyword that is nearest, where one is near."""
    try:
        yield
    except ValueError as error:
        found = re.match(r"('(\w+)' is no parameter of \w+): expected one of", str(error))
        near = found and difflib.get_close_matches(found[2], inspect.signature(function).parameters, 1, 0.75)
        if not (found and near):
            raise
        raise ValueError(f"{found[1]}: did you mean the option '{near[0]}'?") from None
