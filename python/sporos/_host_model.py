# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models whose replications are calls of a Python function."""

from __future__ import annotations

import fcntl
import inspect
import itertools
import json
import os
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import IO, Any

import numpy as np

from ._arguments import Array, names_of, plain_text_of, shown, whole_of
from ._backends import host_backend, native
from ._draw import MOST_INPUTS, Draw
from ._executor import checked_executor, number_of_parts, results_of
from ._models import models


_MOST_PARAMETERS = 64  # as in python/function_model.hpp


class HostModel:
    """A model whose replications are calls of a Python function; see `host_model`.

    Examples
    --------
    >>> import sporos
    >>> model = sporos.host_model(lambda draw: draw("x"), ["uniform"], ["x"], name="one_uniform")
    >>> model
    HostModel(one_uniform; responses uniform)
    """

    def __init__(
        self, function: Callable[..., Any], name: str, responses: list[str], inputs: list[str], parameters: dict[str, Any]
    ) -> None:
        self._function = function
        self.name: str = name
        """Name of the model in results."""
        self.responses: list[str] = responses
        """Names of the responses."""
        self.inputs: list[str] = inputs
        """Names of the input variables."""
        self.parameters: dict[str, float | int] = parameters
        """Default values of the parameters."""
        self._key = uuid.uuid4().hex

    def __call__(self, replication: int, seed: int = 1, **parameters: Any) -> dict[str, float]:
        """Runs one replication in this process, for example to debug it.

        Parameters
        ----------
        replication : int
            Number of the replication, from 0.
        seed : int
            Seed of the random numbers; default: 1.
        **parameters : number
            Parameters of the function.

        Returns
        -------
        dict
            The responses by name. They are those of the replication in `simulate` with common random numbers.
        """
        numbers = _replicate(self._task(), {**self.parameters, **parameters}, seed, whole_of("replication", replication, 0))
        return dict(zip(self.responses, numbers))

    def _named(self) -> FunctionName:
        """Returns the name of the model in extension modules."""
        if len(self.parameters) > _MOST_PARAMETERS:
            raise ValueError(f"{self.name} has {len(self.parameters)} parameters, expected at most {_MOST_PARAMETERS}")
        if "function" in self.parameters:
            raise ValueError(f"function is a parameter of {self.name}, expected another name")
        return FunctionName(self, self._key)

    def _replicate_in_kernel(self, values: list[float], draws: Any) -> list[float]:
        """Runs the function for a replication in a kernel, with the values of all parameters."""
        parameters = {
            name: int(value) if isinstance(default, int) else value
            for (name, default), value in zip(self.parameters.items(), values)
        }
        return _called(self._task(), Draw._of_kernel(self.inputs, draws), parameters, "a replication", parameters)

    def _task(self) -> tuple[Any, ...]:
        return self._function, self.name, self.responses, self.inputs

    def __repr__(self) -> str:
        return f"HostModel({self.name}; responses {', '.join(self.responses)})"


class FunctionName(str):
    """The name of a model of a function in modules of host backends, which differs from those of other models."""

    host: HostModel
    _key: str
    _made: dict[str, FunctionName] = {}
    _added: set[tuple[str, str]] = set()  # backends and keys

    def __new__(cls, host: HostModel, key: str) -> FunctionName:
        """Returns the name of `host`. `key` is the same in all processes; an executor's worker adds a model once."""
        if key not in cls._made:
            taken = {str(one) for one in cls._made.values()} | {one.name for one in models()}
            places = itertools.count(2)
            name = host.name
            while name in taken:
                name = f"{host.name} ({next(places)})"
            made = cls._made[key] = super().__new__(cls, name)
            made.host, made._key = host, key
        return cls._made[key]

    def __reduce__(self) -> tuple[Any, ...]:
        return FunctionName, (self.host, self._key)

    def module(self, question: str, backend: str | None) -> Any:
        """Returns the extension module that answers a question about the model, after adding the model to it.

        Only backends for hosts can call a Python function, and None selects the fastest of them.
        """
        backend = host_backend() if backend is None else backend
        module = native(backend)
        if not hasattr(module, "add_function"):
            raise ValueError(f"backend is {backend!r}, but {self} is a Python function, expected backend='openmp' or 'serial'")
        if (backend, self._key) not in self._added:
            host = self.host
            module.add_function(
                str(self), host.responses, len(host.inputs), host.parameters, host._replicate_in_kernel
            )
            self._added.add((backend, self._key))
        return module


def _numbers_of(result: Any, name: str, responses: list[str]) -> list[float]:
    """Converts what a function has returned to a number for each response."""
    if isinstance(result, Mapping):
        if set(result) != set(responses):
            raise ValueError(f"{name} has returned {shown(result)}, expected the responses {', '.join(responses)}")
        result = [result[response] for response in responses]
    numbers = [float(number) for number in np.atleast_1d(np.asarray(result, dtype=np.float64))]
    if len(numbers) != len(responses):
        raise ValueError(f"{name} has returned {len(numbers)} numbers, expected {len(responses)}: {', '.join(responses)}")
    return numbers


def _replicate(task: tuple[Any, ...], parameters: dict[str, Any], seed: int, replication: int) -> list[float]:
    draw = Draw(task[3], seed, replication)
    return _called(task, draw, parameters, f"replication {replication}", {"seed": seed, **parameters})


def _called(
    task: tuple[Any, ...], draw: Draw, parameters: dict[str, Any], what: str, known: dict[str, Any]
) -> list[float]:
    """Calls the function for one replication. Errors name it by `what` and by what is known of it."""
    function, name, responses, _ = task
    try:
        return _numbers_of(function(draw, **parameters), name, responses)
    except Exception as error:
        given = ", ".join(f"{key}={value!r}" for key, value in known.items())
        raise RuntimeError(
            f"{what} of {name}{given and ' with '}{given} failed: {type(error).__name__}: {error}"
        ) from error


def _run_rows(task: tuple[Any, ...], rows: list[tuple[dict[str, Any], int, int]]) -> tuple[list[list[float]], float]:
    """Runs replications, each with its parameters, seed and number. Returns the responses and the seconds."""
    start = time.monotonic()
    return [_replicate(task, *row) for row in rows], time.monotonic() - start


class _Journal:
    """A file with the responses of finished replications, a JSON list in each line."""

    def __init__(self, path: str | os.PathLike[str], model: HostModel) -> None:
        self.known: dict[str, list[float]] = {}
        header = json.dumps({"journal": 1, "model": model.name, "responses": model.responses, "inputs": model.inputs})
        self._file: IO[str] = open(path, "a+", encoding="utf-8")  # noqa: SIM115
        try:
            self._read(shown(str(path)), header)
        except Exception:
            self._file.close()
            raise

    def _read(self, name: str, header: str) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(f"{name} is in use by another run: wait until that run ends, or use another file") from None
        self._file.seek(0)
        lines = self._file.read().split("\n")
        if lines == [""]:
            self._write([header])
            return
        if lines[0] != header:
            raise ValueError(f"{name} is not a journal of this model, expected another file")
        for number, line in enumerate(lines[1:-1], 2):  # a crash may have left an unfinished last line
            try:
                key, responses = json.loads(line)
                self.known[key] = [float(response) for response in responses]
            except (TypeError, ValueError):
                raise ValueError(f"{name}, line {number} is damaged: delete that line") from None
        if lines[-1]:
            self._file.truncate(len("\n".join(lines[:-1]).encode()) + 1)

    @staticmethod
    def key(row: tuple[dict[str, Any], int, int]) -> str:
        """Returns the text that identifies a replication."""
        return json.dumps(row)

    def add(self, rows: list[tuple[dict[str, Any], int, int]], responses: list[list[float]]) -> None:
        """Writes the responses of replications to the disk."""
        self._write([json.dumps([self.key(row), values]) for row, values in zip(rows, responses)])

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _write(self, lines: list[str]) -> None:
        self._file.write("".join(line + "\n" for line in lines))
        self._file.flush()
        os.fsync(self._file.fileno())


class HostRun:
    """A run of a model, as the extension module calls it."""

    _seconds_of_task = 0.5

    def __init__(
        self, model: HostModel, executor: Executor | None, parts: int | None, journal: str | os.PathLike[str] | None
    ) -> None:
        if parts is not None:
            raise ValueError(f"parts is {shown(parts)} with a model of a Python function, expected executor alone")
        self._model = model
        self._executor = None if executor is None else checked_executor(executor)
        self._journal = None if journal is None else _Journal(Path(journal), model)
        self._rate = 0.0  # seconds of a replication
        self.responses, self.inputs, self.parameters = model.responses, model.inputs, model.parameters
        self.workers = 1 if executor is None else max(1, number_of_parts(executor, None) // 2)

    def run(self, points: list[dict[str, Any]], seeds: list[int], first: int, count: int) -> Array:
        """Runs replications of design points. Returns the responses by response, design point and replication."""
        rows = [(point, seed, first + i) for point, seed in zip(points, seeds) for i in range(count)]
        known = {} if self._journal is None else self._journal.known
        numbers = [known.get(_Journal.key(row)) if known else None for row in rows]
        missing = [place for place, values in enumerate(numbers) if values is None]
        at_once = 1 if self._rate == 0 else int(self._seconds_of_task / self._rate)
        at_once = max(1, min(at_once, len(missing) // (2 * self.workers), 10000))
        tasks = [missing[at:at + at_once] for at in range(0, len(missing), at_once)]

        def keep(place: int, result: tuple[list[list[float]], float]) -> None:
            responses, seconds = result
            for row, values in zip(tasks[place], responses):
                numbers[row] = values
            self._rate = max(seconds / len(responses), 1e-9)
            if self._journal is not None:
                self._journal.add([rows[row] for row in tasks[place]], responses)

        arguments = [(self._model._task(), [rows[row] for row in task]) for task in tasks]
        if self._executor is None:
            for place, of_task in enumerate(arguments):
                keep(place, _run_rows(*of_task))
        else:
            results_of(self._executor, _run_rows, arguments, f"simulate {self._model.name}", None, keep)
        return np.ascontiguousarray(np.array(numbers, dtype=np.float64).T)

    def __enter__(self) -> HostRun:
        return self

    def __exit__(self, *error: object) -> None:
        if self._journal is not None:
            self._journal.close()


def host_model(
    function: Callable[..., Any],
    responses: str | Sequence[str],
    inputs: str | Sequence[str] = (),
    *,
    name: str | None = None,
) -> HostModel:
    """Makes a model whose replications are calls of a Python function, which may call an application.

    Parameters
    ----------
    function : callable
        Called as ``function(draw, **parameters)`` for each replication. It returns a number for each response: a
        dictionary, a sequence or one number. All of its parameters need default values, which are numbers.
    responses : str or sequence of str
        Names of the responses.
    inputs : str or sequence of str
        Names of the input variables that ``draw`` takes, at most 64; default: none.
    name : str, optional
        Name of the model in results; default: the name of the function.

    Returns
    -------
    HostModel
        The model, for `simulate`, `select`, `optimize`, `sensitivity`, `input_uncertainty` and `rare_event`.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.

    Examples
    --------
    >>> import sporos
    >>> def wait(draw, service_rate=1.25):
    ...     waiting = total = 0.0
    ...     for customer in range(100):
    ...         total += waiting
    ...         service = draw.exponential("service", service_rate)
    ...         waiting = max(0.0, waiting + service - draw.exponential("interarrival"))
    ...     return total / 100
    >>> model = sporos.host_model(wait, ["mean wait"], ["interarrival", "service"])
    >>> sporos.simulate(model, service_rate=[1.5, 2.0], replications=100).mean.shape
    (2, 1)
    """
    if not callable(function):
        raise TypeError(f"function is {shown(function)}, expected a function")
    named = [responses] if isinstance(responses, str) else names_of("responses", responses)
    of_inputs = [inputs] if isinstance(inputs, str) else names_of("inputs", inputs) if len(inputs) else []
    if not named:
        raise ValueError("responses is empty, expected the name of a response")
    for what, names in (("responses", named), ("inputs", of_inputs)):
        if len(set(names)) < len(names):
            raise ValueError(f"{what} is {shown(names)}, expected each name once")
    if len(of_inputs) > MOST_INPUTS:
        raise ValueError(f"inputs has {len(of_inputs)} names, expected at most {MOST_INPUTS}")
    known = getattr(function, "__name__", type(function).__name__) if name is None else plain_text_of("name", name)
    parameters: dict[str, Any] = {}
    for place, parameter in enumerate(inspect.signature(function).parameters.values()):
        if place == 0:
            continue  # draw
        default = parameter.default
        if isinstance(default, bool) or not isinstance(default, (int, float)):
            raise TypeError(
                f"parameter {parameter.name} of {known} has the default {shown(default)}, expected a number"
                if default is not parameter.empty
                else f"parameter {parameter.name} of {known} has no default, expected a number"
            )
        parameters[parameter.name] = default
    return HostModel(function, known, named, of_inputs, parameters)
