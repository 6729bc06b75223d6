# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models that there are."""

from __future__ import annotations

import json
from dataclasses import dataclass

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


