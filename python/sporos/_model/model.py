# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models written in Python."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Optional, TypeVar

from .._arguments import Array, Seed, real_of, shown, text_of, whole_of
from .._backends import backend_name, native, version
from .._draw import MOST_INPUTS
from .chain import array_obstacle, is_endless
from .checker import ModelChecker
from .compiler import module_for
from .cpp_text import is_reserved
from .header import HeaderWriter
from .interpreter import Interpreter
from .parameters import ParameterOfModel, parameter
from .problems import checked_problems
from .tree import ModelTree
from .words import counted

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform  # type checkers know it without an installed package
elif sys.version_info >= (3, 11):
    from typing import dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Any:
        return lambda function: function


Class = TypeVar("Class", bound=type)

_MOST_RESPONSES = 256


def _without_bools(value: Any) -> Any:
    """Returns a value of a parameter with 0 and 1 for False and True, as the compiled model takes it."""
    if isinstance(value, (list, tuple)):
        return [_without_bools(one) for one in value]
    if getattr(value, "dtype", None) == bool:  # of NumPy and pandas
        return value.astype(int)
    return int(value) if isinstance(value, bool) else value


def _names_of(cls: type, attribute: str) -> tuple[str, ...]:
    given = vars(cls).get(attribute)
    names = (given,) if isinstance(given, str) else given
    if not isinstance(names, (tuple, list)) or not names or not all(isinstance(one, str) and one for one in names):
        raise TypeError(
            f"{attribute} of {cls.__name__} is {shown(given)}, expected a tuple of names, such as ('service',)"
        )
    if len(set(names)) < len(names):
        raise ValueError(f"{attribute} of {cls.__name__} has a name twice: {', '.join(names)}")
    return tuple(names)


class Definition:
    """What `model` has read from a class: the model's parameters, inputs, responses and functions."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower().replace("_", "-")
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", cls.__name__) or is_reserved(cls.__name__):
            raise ValueError(
                f"the class is called {cls.__name__}: expected another name of ASCII letters and digits, such as Bakery"
            )
        title = (inspect.cleandoc(cls.__doc__ or "").splitlines() or [""])[0].rstrip(".")
        self.title = title or cls.__name__
        self.parameters = self._parameters()
        self.inputs = _names_of(cls, "inputs")
        for one in self.inputs:
            if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", one) or "__" in one:
                raise ValueError(
                    f"an input of {cls.__name__} is {shown(one)}: expected letters, digits and single underscores"
                )
        self.responses = _names_of(cls, "responses")
        for what, names, most in (
            ("inputs", self.inputs, MOST_INPUTS),
            ("responses", self.responses, _MOST_RESPONSES),
        ):
            if len(names) > most:
                raise ValueError(f"{cls.__name__} has {len(names)} {what}, expected at most {most}")
        if not inspect.isfunction(vars(cls).get("replicate")):
            raise TypeError(f"{cls.__name__} has no replicate: write def replicate(self, draw)")
        self.series = self._names_of_loop("series", "observe", "a model with a steady state has series = ('name',)")
        self.chain = self._names_of_loop("chain", "evolve", "a model with a chain has chain = ('level', 'period')")
        if self.chain and len(self.chain) != 2:
            raise ValueError(
                f"chain of {cls.__name__} has {counted(len(self.chain), 'name')}, expected 2: that of the level, and that of the "
                "period from the start of a chain to its end, or of a step"
            )
        given = () if "problems" in self._annotations() else vars(cls).get("problems", ())
        self.problems = checked_problems(given, cls.__name__, self.parameters)
        kinds = {one.name: one.kind for one in self.parameters}
        self.made: Any = None
        """The class of the model."""
        bounds = {one.name: one.bounds() for one in self.parameters if one.kind == "int"}
        self.tree: ModelTree = ModelChecker(
            cls, kinds, bounds, self.inputs, self.responses, self.series, self.chain
        ).check()
        if self.tree.evolve and not is_endless(self.tree.evolve) and self.chain[0] in self.responses:
            raise ValueError(
                f"the level of the chain of {cls.__name__} is called {self.chain[0]}, as a response is: use another name"
            )

    def _annotations(self) -> dict[str, Any]:
        return getattr(self.cls, "__annotations__", {})

    def _names_of_loop(self, attribute: str, function: str, remedy: str) -> tuple[str, ...]:
        """Returns the names in an attribute that belongs to a function with a loop; none if the class has neither."""
        has_names = attribute in vars(self.cls) and attribute not in self._annotations()
        if not has_names and function not in vars(self.cls):
            return ()
        if not has_names or not inspect.isfunction(vars(self.cls).get(function)):
            found = f"{attribute} without {function}" if has_names else f"{function} without {attribute}"
            raise TypeError(f"{self.cls.__name__} has {found}: {remedy} and def {function}(self, draw, {attribute})")
        return _names_of(self.cls, attribute)

    def array_obstacle(self) -> Optional[str]:
        """Returns why array-RQMC does not offer the model, or None if it does."""
        if self.tree.evolve is None:
            return "it has no chain: write chain = ('level', 'step') and def evolve(self, draw, chain) in it"
        return array_obstacle(self.tree.evolve, self.inputs)

    def _parameters(self) -> list[ParameterOfModel]:
        made = []
        for name, annotation in self._annotations().items():
            kind = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
            if kind not in ("float", "int", "bool"):
                raise TypeError(f"the parameter {name} has the type {kind}: expected float, int or bool")
            if name not in vars(self.cls):
                raise TypeError(f"the parameter {name} has no default: write {name}: {kind} = value")
            if not name.isascii() or name.startswith("_") or "__" in name or hasattr(Model, name):
                raise ValueError(f"a parameter is called {name}, which is not possible: use another name")
            made.append(ParameterOfModel.of(name, kind, vars(self.cls)[name]))
        return made

    @cached_property
    def header(self) -> str:
        """The C++ header."""
        writer = HeaderWriter(
            self.name, self.title, self.cls, self.tree, self.parameters, self.inputs, self.responses, self.series,
            self.chain, self.problems, version,
        )  # fmt: skip
        return writer.write()

    @cached_property
    def interpreter(self) -> Interpreter:
        """The functions for CPython."""
        return Interpreter(self.tree, self.inputs, native())

    def replayed(
        self, parameters: dict[str, Any], seed: int, point: int, common: bool, replication: int
    ) -> list[float]:
        """Returns the responses of a replication of a design point, from CPython."""
        kinds = {one.name: one.kind for one in self.parameters}
        values = {name: bool(value) if kinds[name] == "bool" else value for name, value in parameters.items()}
        return self.interpreter.run(
            self.made(**values), native().functions.seed_of_point(seed, point, common), replication
        )


class ModelName(str):
    """The name of a model in Python, with its definition."""

    definition: Definition

    def __new__(cls, definition: Definition) -> ModelName:
        made = super().__new__(cls, definition.name)
        made.definition = definition
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Workers of an executor find the class by its name."""
        return (_named, (self.definition.cls.__module__, self.definition.cls.__qualname__))

    @staticmethod
    def of(model: Any, parameters: dict[str, Any]) -> tuple[ModelName, dict[str, Any]]:
        """Returns the name of a model, and its parameters: those of an object, unless others are given."""
        definition = definition_of(model)
        assert definition is not None
        values = model.values() if isinstance(model, Model) else {}
        values |= {name: one for name, one in parameters.items() if one is not None}
        return ModelName(definition), {name: _without_bools(one) for name, one in values.items()}

    def value_text(self, name: str, value: Any) -> str:
        """Returns the string of a parameter in a design."""
        return text_of(name, _without_bools(value))

    def module(self, question: str, backend: str | None) -> Any:
        """Returns the extension module that answers a question about the model; compiles it first if necessary."""
        return module_for(self.definition, question, backend_name(backend))


class Model:
    """Base of the classes that `model` makes. An object has the values of the parameters.

    Classes under `model` need no base. If they name this one, type checkers also check the calls of its methods.

    Parameters
    ----------
    **values : float, int or bool
        Values of parameters; default: their defaults.

    Examples
    --------
    >>> import sporos
    >>> issubclass(sporos.PythonModel, object)
    True
    """

    if TYPE_CHECKING:
        _definition: Definition

    def __init__(self, **values: Any) -> None:
        known = {one.name: one for one in self._definition.parameters}
        for name in values:
            if name not in known:
                raise TypeError(
                    f"{name} is no parameter of {type(self).__name__}: expected some of {', '.join(known) or 'none'}"
                )
        for name, one in known.items():
            object.__setattr__(self, name, one.checked(values[name]) if name in values else one.default)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(
            f"{name} is assigned, but a model is constant: make another, such as {type(self).__name__}(...)"
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.values().items())})"

    def values(self) -> dict[str, Any]:
        """Returns the values of the parameters by name."""
        return {one.name: getattr(self, one.name) for one in self._definition.parameters}

    @classmethod
    def header(cls, file: Optional[str | os.PathLike[str]] = None) -> str:
        """Returns the model as a C++ header, and writes it to a file if one is given.

        The header has a model as `sporos new` writes one, and can be compiled with it.
        """
        text = cls._definition.header
        if file is not None:
            with open(file, "w", encoding="utf-8") as opened:
                opened.write(text)
        return text

    def interpret(self, replications: int = 1, *, first: int = 0, seed: Seed = None) -> Array:
        """Runs replications in CPython, with the draws and to the bits of the compiled model.

        Use it with a debugger, or to try a model without a compiler.

        Parameters
        ----------
        replications : int
            Number of replications.
        first : int
            Number of the first replication, from 0.
        seed : int, optional
            Seed of the random numbers; default: that of `simulate`.

        Returns
        -------
        Array
            The responses, a row for each replication.
        """
        import numpy as np

        count = whole_of("replications", replications, 1)
        start = whole_of("first", first, 0)
        key = _key(seed)
        run = self._definition.interpreter.run
        return np.array([run(self, key, start + i) for i in range(count)])

    def interpret_series(self, observations: int = 1000, *, run: int = 0, runs: int = 1, seed: Seed = None) -> Array:
        """Runs `observe` in CPython, with the draws and to the bits of the compiled model.

        Parameters
        ----------
        observations : int
            Number of observations.
        run : int
            Number of the run, from 0.
        runs : int
            Number of runs of `steady_state`, on which the draws of a run depend.
        seed : int, optional
            Seed of the random numbers; default: that of `steady_state`.

        Returns
        -------
        Array
            The observations, a row for each.
        """
        import numpy as np

        if not self._definition.series:
            raise ValueError(
                f"{type(self).__name__} has no long runs: write series = ('name',) and def observe(self, draw, series)"
            )
        count, all_runs = whole_of("observations", observations, 1), whole_of("runs", runs, 1)
        number = whole_of("run", run, 0, all_runs - 1)
        return np.array(self._definition.interpreter.observe(self, count, _key(seed), number, all_runs))

    def interpret_level(self, level: int, replications: int = 1, *, first: int = 0, seed: Seed = None) -> Array:
        """Runs `at_level` in CPython, with the draws and to the bits of the compiled model.

        Parameters
        ----------
        level : int
            Number of the level, from 0.
        replications : int
            Number of replications.
        first : int
            Number of the first replication, from 0.
        seed : int, optional
            Seed of the random numbers; default: that of `multilevel`.

        Returns
        -------
        Array
            The fine and then the coarse responses, a row for each replication.
        """
        import numpy as np

        if not self._definition.tree.at_level:
            raise ValueError(f"{type(self).__name__} has no levels: write def at_level(self, draw, level) in it")
        number, count = whole_of("level", level, 0), whole_of("replications", replications, 1)
        start, key = whole_of("first", first, 0), _key(seed, number, False)
        run = self._definition.interpreter.at_level
        return np.array([run(self, number, key, start + i) for i in range(count)])

    def interpret_chain(self, level: float, *, chain: int = 0, run: int = 0, seed: Seed = None) -> Array:
        """Runs `evolve` in CPython, with the draws and to the bits of the compiled model, until a level or the end.

        Parameters
        ----------
        level : float
            Level at which the chain ends.
        chain : int
            Number of the chain, from 0.
        run : int
            Number of the run of `rare_event`, from 0.
        seed : int, optional
            Seed of the random numbers; default: that of `rare_event`.

        Returns
        -------
        Array
            The level of each state of the chain.
        """
        import numpy as np

        if not self._definition.chain:
            raise ValueError(
                f"{type(self).__name__} has no chain: write chain = ('level', 'period') and def evolve(self, draw, chain)"
            )
        target = float(real_of("level", level))
        number, runs = whole_of("chain", chain, 0), whole_of("run", run, 0)
        return np.array(self._definition.interpreter.evolve(self, [(target, number)], _key(seed, runs + 1, False)))


def _key(seed: Seed, point: int = 0, common: bool = True) -> int:
    """Returns the seed of the draws of a design point, with common random numbers or separate ones."""
    given = 1 if seed is None else whole_of("seed", seed, 0)
    return int(native().functions.seed_of_point(given, point, common))


def _named(module: str, name: str) -> ModelName:
    """Returns the name of the model that a class in a module makes."""
    found = definition_of(getattr(importlib.import_module(module), name, None))
    if found is None:
        raise ValueError(f"the model {name} is not in the module {module}: workers need it at the top of a file")
    return ModelName(found)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(parameter,))
def model(cls: Class) -> Class:
    """Makes a model of a class with parameters, inputs, responses and a function `replicate(self, draw)`.

    Parameters
    ----------
    cls : type
        The class. Its annotated attributes are parameters. `inputs` and `responses` are tuples of names.
        `replicate(self, draw)` returns one value for each response.

    Returns
    -------
    type
        The model, which `simulate` and `optimize` take. `Model(parameter=value)` makes an object with other values.

    Raises
    ------
    ModelError
        If the text of the model is outside of the subset of Python that Sporos translates.
    TypeError, ValueError
        If a parameter, an input or a response is wrong.
    """
    if not inspect.isclass(cls):
        raise TypeError(f"sporos.model is applied to {shown(cls)}, expected a class")
    if cls.__bases__ not in ((object,), (Model,)):
        raise TypeError(f"{cls.__name__} has the base {cls.__bases__[0].__name__}: expected a class without a base")
    definition = Definition(cls)
    members = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
    for one in definition.parameters:
        members[one.name] = one.default
    members["_definition"] = definition
    definition.made = made = type(cls.__name__, (Model,), members)
    return made  # type: ignore[return-value]


def definition_of(model: Any) -> Optional[Definition]:
    """Returns the definition of a model in Python, or None for something else."""
    if isinstance(model, Model) or (inspect.isclass(model) and issubclass(model, Model) and model is not Model):
        return model._definition
    return None
