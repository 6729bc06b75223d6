# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds cases of the model `network`: stations, classes of customers, and routes between the stations."""

from __future__ import annotations

import copy
import difflib
import inspect
import json
import math
import os
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ._arguments import shown
from ._distributions import distribution_text

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Schema = Mapping[str, Any]

# The schema is the only list of members: a member that is added to it is a keyword here.
_schema: _Schema = json.loads(Path(__file__).with_name("network.schema.json").read_text(encoding="utf-8"))
_collections = ("classes", "stations")


def _kinds(schema: _Schema) -> list[_Schema]:
    """Returns the alternatives that the schema of a value allows."""
    if "$ref" in schema:
        return _kinds(_schema["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    alternatives = schema.get("oneOf", schema.get("anyOf"))
    return [schema] if alternatives is None else [kind for one in alternatives for kind in _kinds(one)]


def _kind_of(schema: _Schema, name: str) -> _Schema | None:
    """Returns the alternative for objects or lists, or None if the value must be something else."""
    return next((kind for kind in _kinds(schema) if kind.get("type") == name), None)


def members_of(owner: str) -> Mapping[str, _Schema]:
    """Returns the members of a case, or of a class, a station or a branch in it, with their schemas."""
    members: Mapping[str, _Schema] = _schema["properties"] if owner == "case" else _schema["$defs"][owner]["properties"]
    return members


def suggestion(name: str, known: Sequence[str]) -> str:
    """Returns the end of a message about an unknown name: the most similar known name, and all of them."""
    near = difflib.get_close_matches(name, known, 1)
    return (f": did you mean {near[0]!r}? Expected" if near else ", expected") + f" one of {', '.join(known)}"


def _check_names(path: str, names: Sequence[Any], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"{path}{name} is unknown{suggestion(str(name), known)}")


def _check_word(path: str, value: str, kinds: Sequence[_Schema]) -> None:
    """Refuses a word that is not on the list, if the schema allows only words of a list."""
    words = [word for kind in kinds for word in kind.get("enum", [kind["const"]] if "const" in kind else [])]
    if value not in words and all("enum" in kind or "const" in kind for kind in kinds):
        raise ValueError(f"{path} is {value!r}{suggestion(value, words)}")


def _leaf(path: str, value: Any, schema: _Schema) -> Any:
    """Returns a number or a string for a value that is neither a list nor an object."""
    kinds = _kinds(schema)
    if isinstance(value, str):
        _check_word(path, value, kinds)
        return value
    if isinstance(value, (bool, int)):
        return value
    if all(hasattr(value, attribute) for attribute in ("dist", "args", "kwds")):
        return distribution_text(path, value)
    if not hasattr(value, "__float__"):
        raise TypeError(
            f"{path} is {shown(value)}, expected a number, a string, a list, a dictionary or a frozen "
            "distribution of scipy.stats"
        )
    if float(value) == math.inf and any(kind.get("const") == "unlimited" for kind in kinds):
        return "unlimited"
    if not math.isfinite(value):
        raise ValueError(f"{path} is {float(value)}, expected a finite number")
    return float(value)


def _object(path: str, value: Mapping[Any, Any], schema: _Schema) -> dict[str, Any]:
    known: Mapping[str, _Schema] = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    start = f"{path}." if path else ""
    if others is False:
        _check_names(start, list(value), list(known))
    made = {}
    for name, member in value.items():
        if not isinstance(name, str):
            raise TypeError(f"{path or 'the case'} has the member {shown(name)}, expected names that are strings")
        if member is not None:
            made[name] = checked(start + name, member, known.get(name, others or {}))
    return made


def _element(path: str, value: Any, schema: _Schema) -> Any:
    """Returns an element of a list. A pair stands for an object with two required members, such as a step."""
    step = _kind_of(schema, "object")
    if step is not None and isinstance(value, (tuple, list)):
        names = step.get("required", [])
        if len(value) != len(names) or len(names) < 2:
            expected = (
                "a pair of " + " and ".join(names) if len(names) == 2 else f"a dictionary with {', '.join(names)}"
            )
            raise ValueError(f"{path} is {shown(value)}, expected {expected}")
        value = dict(zip(names, value))
    return checked(path, value, schema)


def checked(path: str, value: Any, schema: _Schema) -> Any:
    """Returns a value as JSON has it.

    The names of all members inside the value are checked. The program checks numbers and distributions when it reads
    the case, because their limits depend on other members.
    """
    if hasattr(value, "tolist"):  # numbers and arrays of NumPy
        value = value.tolist()
    if isinstance(value, _Branch) and _kind_of(schema, "array") is not None:
        value = [value]
    if isinstance(value, Mapping):
        return _object(path, value, _kind_of(schema, "object") or {})
    if isinstance(value, (list, tuple)):
        items = (_kind_of(schema, "array") or {}).get("items", {})
        return [_element(f"{path}[{i}]", one, items) for i, one in enumerate(value)]
    return _leaf(path, value, schema)


def _text(value: Any, indent: int, column: int) -> str:
    """Returns a value as JSON with short lists and objects on one line. `column` is the column where it begins."""
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if column + len(line) < 110 or not isinstance(value, (dict, list)):
        return line
    names = (
        [json.dumps(name, ensure_ascii=False) + ": " for name in value]
        if isinstance(value, dict)
        else [""] * len(value)
    )
    members = value.values() if isinstance(value, dict) else value
    inner = indent + 2
    lines = [" " * inner + name + _text(member, inner, inner + len(name)) for name, member in zip(names, members)]
    return line[0] + "\n" + ",\n".join(lines) + "\n" + " " * indent + line[-1]


def _meaning(schema: _Schema) -> str:
    """Returns the description of a member, which may be that of its type."""
    return str(
        schema.get("description", next((kind["description"] for kind in _kinds(schema) if "description" in kind), ""))
    )


def _entries(members: Mapping[str, _Schema], indent: str, bullet: str | None) -> str:
    """Returns the meanings of members: as a list, or without a bullet as descriptions of parameters."""
    lines = []
    for name, schema in members.items():
        meaning = _meaning(schema)
        text = f"{indent}- {name}: {meaning}" if bullet else f"{indent}    {meaning[:1].upper()}{meaning[1:]}."
        lines += [] if bullet else [f"{indent}{name} : str or number, optional"]
        lines.append(textwrap.fill(text, 120, subsequent_indent=indent + (2 if bullet else 4) * " "))
    return "\n".join(lines)


def _with_members(owner: str, *but: str) -> Callable[[_Function], _Function]:
    """Returns a decorator that completes the signature and the docstring with the members of the schema."""

    def completed(function: _Function) -> _Function:
        members = {name: schema for name, schema in members_of(owner).items() if name not in but}
        signature = inspect.signature(function)
        *others, rest = signature.parameters.values()
        keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in members]
        setattr(function, "__signature__", signature.replace(parameters=[*others, *keywords]))
        if function.__doc__ is not None:  # python -OO removes docstrings
            function.__doc__ = re.sub(
                "^( *)(- )?MEMBERS$",
                lambda found: _entries(members, found[1], found[2]),
                function.__doc__,
                flags=re.MULTILINE,
            )
        return function

    return completed


class _Branch(dict[str, Any]):
    """A branch of a route. A route may be a single branch instead of a list of them."""


@_with_members("branch", "to", "probability")
def branch(to: Any, probability: float | None = None, **members: Any) -> dict[str, Any]:
    """Returns a branch of a route, for `next` of a station and `enters` of a class.

    Parameters
    ----------
    to : str or list of str
        Name of the station, "leave", or names of stations to choose from.
    probability : float, optional
        Probability of the branch; default: 1. If the probabilities of a route add up to less than 1, the other
        customers leave the network.
    MEMBERS

    Returns
    -------
    dict
        The branch as it is in the JSON case.

    Raises
    ------
    ValueError, TypeError
        If a keyword is unknown, or a value cannot be JSON.

    Examples
    --------
    >>> import sporos
    >>> sporos.branch("doctor", 0.7)
    {'to': 'doctor', 'probability': 0.7}
    """
    members = {"to": to, "probability": probability, **members}
    return _Branch(_object("branch", members, _schema["$defs"]["branch"]))


class Network(Mapping[str, Any]):
    """A network of stations, which is a case of the model `network`.

    `simulate`, `optimize`, `select` and the other functions take it instead of the name of a model, or as `case`.
    `print(network)` shows the JSON case. A network is a mapping with the members of the case.

    Methods check the names of members. The functions that use the network check the values, and their messages name the
    member by its path, such as stations.triage.servers.

    Parameters
    ----------
    **members : number, str or list
        Members of the case, which docs/reference/network-cases.md describes:

        - MEMBERS

    Raises
    ------
    ValueError, TypeError
        If a keyword is unknown, or a value cannot be JSON.

    Examples
    --------
    >>> import sporos
    >>> network = sporos.Network(time_unit="min", horizon="8 h")
    >>> network.add_class("patient", interarrival="exponential(0.2)", enters="triage")
    >>> network.add_station("triage", servers=2, service="uniform(4, 10)", next=[sporos.branch("doctor", 0.7)])
    >>> network.add_station("doctor", servers=3, service="lognormal(2.5, 0.5)")
    >>> result = sporos.simulate(network, replications=100)
    >>> round(result["wait at triage"].mean)
    3
    """

    def __init__(self, **members: Any) -> None:
        self._members: dict[str, Any] = {name: {} for name in _collections}
        self._members |= _object("", members, _schema)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Network:
        """Returns the network in a JSON file.

        Parameters
        ----------
        path : path
            Name of the file.

        Returns
        -------
        Network
            The network.

        Raises
        ------
        OSError
            If the file cannot be read.
        ValueError, TypeError
            If the file is not JSON, or a member is unknown.
        """
        try:
            members = json.loads(Path(path).read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)} is not JSON: {error}") from None
        if not isinstance(members, dict):
            raise ValueError(f"{os.fspath(path)} is {shown(members)}, expected an object")
        return cls(**members)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the JSON case, which `sporos simulate network --case` takes, to a file.

        Parameters
        ----------
        path : path
            Name of the file.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        Path(path).write_text(f"{self}\n", encoding="utf-8")

    def to_dict(self) -> dict[str, Any]:
        """Returns a copy of the case as a dictionary.

        Returns
        -------
        dict
            The members of the case.
        """
        return copy.deepcopy(self._members)

    def copy(self) -> Network:
        """Returns a copy, whose changes leave this network as it is.

        Returns
        -------
        Network
            The copy.
        """
        return Network(**self._members)

    @_with_members("class")
    def add_class(self, name: str, **members: Any) -> None:
        """Adds a class of customers.

        Parameters
        ----------
        name : str
            Name of the class: up to 40 letters, digits, "_" and "-".
        **members : number, str, list or frozen distribution
            Members of the class. Steps may be pairs: ``rates=[(0, 0.2), ("8 h", 0.1)]``. Distributions may be strings,
            or frozen distributions of scipy.stats:

            - MEMBERS

        Raises
        ------
        ValueError, TypeError
            If a keyword is unknown, a value cannot be JSON, or there is such a class already.
        """
        self._add("classes", name, members)

    @_with_members("station")
    def add_station(self, name: str, **members: Any) -> None:
        """Adds a station.

        Parameters
        ----------
        name : str
            Name of the station: up to 40 letters, digits, "_" and "-", but not "leave".
        **members : number, str, list, dict or frozen distribution
            Members of the station. Steps may be pairs: ``shifts=[(0, 2), ("4 h", 3)]``. Distributions may be strings,
            or frozen distributions of scipy.stats. `service`, `patience` and `next` may be dictionaries with a value
            for each class:

            - MEMBERS

        Raises
        ------
        ValueError, TypeError
            If a keyword is unknown, a value cannot be JSON, or there is such a station already.
        """
        self._add("stations", name, members)

    def change(self, **members: Any) -> None:
        """Changes members of the case.

        Parameters
        ----------
        **members : number, str, list, dict or None
            New values of members by their paths: ``change(horizon="10 h", **{"stations.triage.servers": 3})``. None
            removes a member. Elements of lists are numbered from 1: "stations.triage.next.1.probability".

        Raises
        ------
        ValueError, TypeError
            If there is no such member, or a value cannot be JSON. The network is unchanged then.
        """
        changed = self.to_dict()
        for path, value in members.items():
            *owners, last = path.split(".")
            _set(_owner(changed, owners, path), last, value, path)
        self._members = Network(**changed)._members

    def _add(self, collection: str, name: str, members: Mapping[str, Any]) -> None:
        rule = _schema["$defs"]["name"]
        if not isinstance(name, str) or not re.fullmatch(rule["pattern"], name) or name == rule["not"]["const"]:
            raise ValueError(
                f"{collection} has the name {shown(name)}, expected up to 40 letters, digits, '_' and '-', "
                f"but not {rule['not']['const']!r}"
            )
        if name in self._members[collection]:
            raise ValueError(f"{collection}.{name} exists already, expected another name; `change` changes its members")
        named = members_of("case")[collection]["additionalProperties"]
        self._members[collection][name] = checked(f"{collection}.{name}", members, named)

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __str__(self) -> str:
        last = {name: self._members[name] for name in _collections}  # after the members that are numbers
        first = {name: value for name, value in self._members.items() if name not in last}
        return _text({**first, **last}, 0, 80)

    def __repr__(self) -> str:
        stations, classes = (len(self._members[name]) for name in ("stations", "classes"))
        return f"Network({stations} station{'s'[:stations != 1]}, {classes} class{'es'[:2 * (classes != 1)]})"


if Network.__doc__ is not None:
    _with_members("case")(Network)


def _owner(case: dict[str, Any], names: Sequence[str], path: str) -> Any:
    """Returns the object or the list in a case that the names lead to."""
    place: Any = case
    for name in names:
        place = _value(place, name, path)
        if not isinstance(place, (dict, list)):
            raise ValueError(f"{path} is unknown: {name} is {shown(place)}, which has no members")
    return place


def _value(place: Any, name: str, path: str) -> Any:
    if isinstance(place, dict):
        if name in place:
            return place[name]
        raise ValueError(f"{path} is unknown: {name} does not exist{suggestion(name, list(place))}")
    return place[_index(place, name, path)]


def _index(place: list[Any], name: str, path: str) -> int:
    if name.isdecimal() and 1 <= int(name) <= len(place):
        return int(name) - 1
    raise ValueError(f"{path} is unknown: {name} is no element of a list, expected a number from 1 to {len(place)}")


def _set(owner: Any, name: str, value: Any, path: str) -> None:
    """Sets a member of an object, or an element of a list. The value None removes a member."""
    if isinstance(owner, list):
        owner[_index(owner, name, path)] = value
    elif value is None:
        _value(owner, name, path)
        del owner[name]
    else:
        owner[name] = value
