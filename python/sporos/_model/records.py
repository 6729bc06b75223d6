# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records, as models in Python use them."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any, Optional, TypeVar

from .events import Ticket
from .language import Record
from .values import constant_type

Class = TypeVar("Class", bound=type)
_KINDS = {"float": "float", "int": "int", "bool": "bool", "Ticket": "ticket"}


def record(cls: Class) -> Class:
    """Makes a record of a class with annotated fields, such as the properties of a customer.

    Models in Python use records in variables, in arrays and in an `EntityPool`. A field without a default must be given.

    Parameters
    ----------
    cls : type
        The class. Its annotated attributes, of type float, int, bool or Ticket, are the fields.

    Returns
    -------
    type
        A dataclass.

    Raises
    ------
    TypeError
        If the class has something else than such fields.

    Examples
    --------
    >>> import sporos
    >>> @sporos.record
    ... class Customer:
    ...     arrival: float
    ...     priority: int = 0
    >>> Customer(1.5)
    Customer(arrival=1.5, priority=0)
    """
    if not inspect.isclass(cls) or cls.__bases__ != (object,):
        raise TypeError(f"sporos.record is applied to {cls!r}, expected a class without a base")
    fields = []
    annotations = getattr(cls, "__annotations__", {})
    for name, annotation in annotations.items():
        text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
        kind = _KINDS.get(text.rpartition(".")[2])
        if kind is None:
            raise TypeError(f"the field {name} of {cls.__name__} has the type {text}: expected float, int, bool or Ticket")
        if not name.isascii() or name.startswith("_") or "__" in name:
            raise TypeError(f"a field of {cls.__name__} is called {name}: expected ASCII letters and digits")
        fields.append((name, kind, _default(cls, name, kind)))
    others = [one for one in vars(cls) if one not in annotations and not one.startswith("__")]
    if not fields or others:
        what = f"{others[0]}, which is no field" if others else "no field"
        raise TypeError(f"the record {cls.__name__} has {what}: expected only annotated fields, such as arrival: float")
    dataclasses.dataclass(cls)
    setattr(cls, "_record", Record(cls.__name__, tuple(fields)))
    return cls  # type: ignore[return-value]


def _default(cls: type, name: str, kind: str) -> Any:
    if name not in vars(cls):
        return None
    given = vars(cls)[name]
    if kind == "ticket" and isinstance(given, Ticket) and given == 0:
        return given
    if constant_type(given) == kind or (kind, constant_type(given)) == ("float", "int"):
        return float(given) if kind == "float" else given
    raise TypeError(f"the field {name} of {cls.__name__} has the default {given!r}, expected a value of type {kind}")


def record_of(found: Any) -> Optional[Record]:
    """Returns the type of a class under `record`, or None for something else."""
    return getattr(found, "_record", None) if inspect.isclass(found) else None
