# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Describes the models, and converts their parameters to strings of the command line."""

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

from ._arguments import is_scalar, plain_text_of, shown, text_of
from ._backends import native


ModelArgument = Any
"""The name of a model, a network of stations (a `Network` or a dictionary), or a model in Python or of a function."""


@dataclass(frozen=True, repr=False)
class Parameter:
    """A parameter of a model.

    Examples
    --------
    >>> import sporos
    >>> parameter = sporos.models()[0].parameters[0]
    >>> parameter.name, parameter.default
    ('draws', 10000)
    """

    name: str
    """Keyword of the parameter in `simulate`."""
    default: float | int | str
    """Default value. A string is the name of a file; an empty string stands for built-in data."""
    unit: str
    """Unit; empty for a dimensionless number."""
    meaning: str
    """Short description."""

    def __repr__(self) -> str:
        return f"Parameter({self.name}={self.default!r}{self.unit and ' ' + self.unit}: {self.meaning})"


@dataclass(frozen=True, repr=False)
class Model:
    """A model that `simulate` can run.

    Examples
    --------
    >>> import sporos
    >>> sporos.models()[0].responses
    ('pi',)
    """

    name: str
    """Name of the model, which `simulate` takes."""
    title: str
    """Short description."""
    parameters: tuple[Parameter, ...]
    """Parameters, in the model's order."""
    responses: tuple[str, ...]
    """Names of the responses with default parameters."""

    def __repr__(self) -> str:
        shown_parameters = 10
        names = [parameter.name for parameter in self.parameters[:shown_parameters]]
        if len(self.parameters) > shown_parameters:
            names.append(f"{len(self.parameters) - shown_parameters} more")
        return f"Model({self.name}: {self.title}; {', '.join(names)})"


def models() -> list[Model]:
    """Returns all models.

    Returns
    -------
    list of Model
        The models with their parameters and responses.

    Examples
    --------
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
    """Returns a temporary folder, which is removed only when Python exits, because results name the files in it."""
    return tempfile.TemporaryDirectory(prefix="sporos-")


def _plain(value: Any) -> Any:
    """Returns the JSON value for a number or an array of NumPy, or for a mapping."""
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"JSON cannot represent {shown(value)}")


def _with_absolute_files(text: str) -> str:
    """Returns a case whose lists of arrivals in files have absolute paths, because it is written to another folder."""
    case = json.loads(text)
    classes = case.get("classes")
    for one in classes.values() if isinstance(classes, dict) else []:
        arrivals = one.get("arrivals") if isinstance(one, dict) else None
        if isinstance(arrivals, dict) and isinstance(arrivals.get("file"), str):
            arrivals["file"] = str(Path(arrivals["file"]).absolute())
            text = json.dumps(case)
    return text


def _file_of_case(name: str, case: Mapping[str, Any]) -> str:
    """Returns the name of a file with this case, which is the same for equal cases."""
    try:
        text = _with_absolute_files(json.dumps(case, allow_nan=False, default=_plain))
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"{name} is {shown(case)}, expected a value that JSON can represent: {error}") from None
    path = Path(_folder_of_cases().name, f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.json")
    if not path.exists():
        path.write_text(text)
    return str(path)


def named_model(model: ModelArgument, parameters: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns the name and the parameters of a model.

    Instead of a name, a model in Python or of a Python function may be given, or a case of the model network.
    """
    if hasattr(model, "_definition"):
        from ._model import ModelName  # packages of your own models have none in Python

        return ModelName.of(model, parameters)
    if hasattr(model, "_replicate_in_kernel"):
        return model._named(), parameters
    if not isinstance(model, Mapping):
        return plain_text_of("model", model), parameters
    if parameters.get("case") is not None:
        raise ValueError(f"case is {shown(parameters['case'])}, but the model is a network, expected only one of them")
    return "network", {**parameters, "case": model}


def names_of_parameters(model: str) -> list[str]:
    """Returns the names of the parameters of a model."""
    if hasattr(model, "host"):
        return list(model.host.parameters)
    described = getattr(model, "definition", None)
    if described is not None:
        return [one.name for one in described.parameters]
    return [parameter.name for one in models() if one.name == model for parameter in one.parameters]


def value_text(name: str, value: Any) -> str:
    """Returns the string of a parameter. A mapping stands for a file with its contents."""
    return _file_of_case(name.rpartition(" ")[2], value) if isinstance(value, Mapping) else text_of(name, value)


def parameter_texts(
    model: str, parameters: Mapping[str, Any], text: Callable[[str, Any], str] = text_of
) -> dict[str, str]:
    """Returns the parameters that are not None as strings. A dictionary stands for a file with its contents."""
    given = {name: value for name, value in parameters.items() if value is not None}
    if any(isinstance(value, Mapping) or not is_scalar(value) for value in given.values()):
        defaults = {one.name: one.default for known in models() if known.name == model for one in known.parameters}
        for name, value in given.items():
            if not isinstance(defaults.get(name), str):
                continue
            if isinstance(value, Mapping):
                given[name] = _file_of_case(name, value)
            elif not is_scalar(value):
                raise TypeError(f"{name} is {shown(value)}, expected one value; design=[{{{name!r}: ...}}, ...] of "
                                "sporos.simulate takes several")
    return {name: text(name, value) for name, value in given.items()}


@contextmanager
def options_suggested(function: Callable[..., Any]) -> Iterator[None]:
    """Completes errors: unknown model parameters by the most similar keyword of the function, if one is similar.

    Errors about a case from Python name the member of the case, without the file that it was written to.
    """
    try:
        yield
    except ValueError as error:
        message = re.sub(r"\S*/sporos-\w+/\w+-[0-9a-f]{16}\.json(, line \d+)?: ", "", str(error))
        if message != str(error):
            raise ValueError(message) from None
        found = re.match(r"('(\w+)' is no parameter of \w+): expected one of", str(error))
        near = found and difflib.get_close_matches(found[2], inspect.signature(function).parameters, 1, 0.75)
        if not (found and near):
            raise
        raise ValueError(f"{found[1]}: did you mean the option '{near[0]}'?") from None
