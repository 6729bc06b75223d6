# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experiments: models in replications."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ._arguments import Array, range_text, text_of, texts_of
from ._backends import machine, native, version
from ._progress import ProgressArgument, Watched


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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


def models() -> list[Model]:
    """The models there are.

    >>> import sporos
    >>> [model.name for model in sporos.models()]
    ['pi', 'mm1', 'mmck', 'random-walk', 'newsboy', 'pert', 'lit-slab']
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


@dataclass(frozen=True)
class Estimate:
    """The estimate of one response's expectation."""

    name: str
    """The response."""
    mean: float
    """Average over the replications."""
    half_width: float
    """Of the mean's confidence interval; infinite where there is one observation only."""
    variance: float
    """Sample variance of an observation."""
    deviation: float
    """Standard deviation of a single replication."""
    observations: int
    """Independent ones: replications, or runs of dependent replications."""
    exact: float | None
    """The expectation, where theory knows it."""

    @property
    def interval(self) -> tuple[float, float]:
        """The two ends of the confidence interval."""
        return self.mean - self.half_width, self.mean + self.half_width


@dataclass(frozen=True)
class Point:
    """What came out at one design point."""

    parameters: dict[str, Any]
    """The values of all parameters."""
    estimates: tuple[Estimate, ...]
    """One for each response, in the model's order."""
    replications: int
    """Behind the estimates."""
    digest: str
    """Of the bits of every replication; the same on every backend and in the command line."""
    stopped_by: str
    """Why there are no more: replications, precision, ceiling, time limit or interrupted."""
    outputs: Array | None
    """What every replication gave, n × responses; None without `outputs=True`. Of samplings whose replications depend on
    each other a row is the average of a run, the observation behind the estimates."""

    def __getitem__(self, response: str) -> Estimate:
        for estimate in self.estimates:
            if estimate.name == response:
                return estimate
        raise KeyError(f"{response!r} is no response: expected {', '.join(e.name for e in self.estimates)}")

    @property
    def responses(self) -> tuple[str, ...]:
        """The names of the responses."""
        return tuple(estimate.name for estimate in self.estimates)

    @property
    def mean(self) -> Array:
        """The means of all responses."""
        return np.array([estimate.mean for estimate in self.estimates])

    @property
    def half_width(self) -> Array:
        """The half-widths of all responses."""
        return np.array([estimate.half_width for estimate in self.estimates])


@dataclass(frozen=True)
class Experiment:
    """What came out of an experiment. With one design point, it answers what the point does."""

    model: str
    """Its name."""
    points: tuple[Point, ...]
    """In the order of the design."""
    backend: str
    """On which it ran."""
    seconds: float
    """Wall time."""
    mapping_used: str
    """The mapping used by most replications."""
    native_seconds: float
    """Wall time of the experiment without the package around it."""
    _plan: str

    @cached_property
    def plan(self) -> dict[str, Any]:
        """Everything that was asked for beside the model, as the command line's JSON has it."""
        plan: dict[str, Any] = json.loads(self._plan)
        return plan

    @property
    def point(self) -> Point:
        """The only design point; ValueError where there are several."""
        if len(self.points) == 1:
            return self.points[0]
        raise ValueError(f"there are {len(self.points)} design points, expected one of `points`")

    def __getitem__(self, response: str) -> Estimate:
        return self.point[response]

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """Those of the only design point."""
        return self.point.estimates

    @property
    def responses(self) -> tuple[str, ...]:
        """The names of the responses."""
        return self.points[0].responses

    @property
    def mean(self) -> Array:
        """The means of the responses at the only design point."""
        return self.point.mean

    @property
    def half_width(self) -> Array:
        """The half-widths of the responses at the only design point."""
        return self.point.half_width

    @property
    def outputs(self) -> Array | None:
        """What every replication of the only design point gave."""
        return self.point.outputs

    @property
    def digest(self) -> str:
        """That of the only design point."""
        return self.point.digest

    @property
    def replications(self) -> int:
        """Those of the only design point."""
        return self.point.replications

    @property
    def stopped_by(self) -> str:
        """That of the only design point."""
        return self.point.stopped_by

    def to_records(self) -> list[dict[str, Any]]:
        """A dictionary for each design point and response: `pandas.DataFrame(result.to_records())`."""
        return [
            {
                "point": number,
                **point.parameters,
                "response": estimate.name,
                "mean": estimate.mean,
                "half_width": estimate.half_width,
                "low": estimate.interval[0],
                "high": estimate.interval[1],
                "variance": estimate.variance,
                "deviation": estimate.deviation,
                "exact": estimate.exact,
                "observations": estimate.observations,
                "replications": point.replications,
                "stopped_by": point.stopped_by,
            }
            for number, point in enumerate(self.points)
            for estimate in point.estimates
        ]

    def to_dict(self) -> dict[str, Any]:
        """What `sporos simulate --format json` writes: `sporos simulate --plan` repeats the experiment from it."""
        points = [_json_of(point) for point in self.points]
        only = {name: points[0][name] for name in ("digest", "responses")} if len(points) == 1 else {}
        run = {"seconds": self.seconds, "mapping_used": self.mapping_used, "machine": machine(self.backend)}
        return {"sporos": version, "model": self.model, "plan": self.plan, **only, "points": points, "run": run}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _json_of(point: Point) -> dict[str, Any]:
    responses = [
        {
            "name": estimate.name,
            "mean": _finite(estimate.mean),
            "variance": _finite(estimate.variance),
            "half_width": _finite(estimate.half_width),
            "replications": point.replications,
            "observations": estimate.observations,
            "deviation": _finite(estimate.deviation),
            "exact": _finite(estimate.exact),
        }
        for estimate in point.estimates
    ]
    return {
        "parameters": point.parameters,
        "replications": point.replications,
        "stopped_by": point.stopped_by,
        "digest": point.digest,
        "responses": responses,
    }


def _list_text(name: str, value: Any) -> str:
    if isinstance(value, (list, tuple, np.ndarray, range)):
        return ",".join(text_of(name, one) for one in value)
    return text_of(name, value)


def _design_texts(design: Any) -> list[dict[str, str]] | None:
    if design is None:
        return None
    if hasattr(design, "to_dict"):  # a pandas.DataFrame
        design = design.to_dict("records")
    if isinstance(design, Mapping):
        lengths = {name: len(values) for name, values in design.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"design has columns of the lengths {lengths}, expected equal ones")
        design = [dict(zip(design, row)) for row in zip(*design.values())]
    return [{name: text_of(name, value) for name, value in point.items()} for point in design]


def simulate(
    model: str,
    *,
    design: Any = None,
    replications: int | None = None,
    precision: float | None = None,
    relative_precision: float | None = None,
    max_replications: int | None = None,
    batch: int | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    engine: str | None = None,
    sampling: str | None = None,
    run_length: int | None = None,
    sample_size: int | None = None,
    primes: tuple[int, int] | str | None = None,
    sub_runs: str | None = None,
    mapping: str | None = None,
    confidence: float | None = None,
    common_random_numbers: bool | None = None,
    backend: str | None = None,
    outputs: bool = False,
    progress: ProgressArgument = None,
    **parameters: Any,
) -> Experiment:
    """Runs replications of a model and estimates the expectations of its responses.

    The model is called as by the command line (`sporos.models()` lists them), and so are its parameters: a number, or
    several of them, which are then crossed with those of other parameters, the last changing fastest; or a text as the
    command line takes it, such as "0.1:0.9:0.2". `design` is a list of dictionaries, a dictionary of columns or a
    pandas.DataFrame: a design point for each row.

    Everything else is the plan, and None leaves to it what the command line would do. `replications`, or until every
    half-width is at most `precision` or `relative_precision` of its mean, looked at every `batch` replications, and
    given up after `max_replications` or `time_limit` seconds; `seed`, `engine`, `sampling` with `run_length`,
    `sample_size`, `primes` and `sub_runs` say which random numbers; `confidence` is that of the intervals. `mapping` and
    `backend` change no bit of the result. `outputs=True` keeps what every replication gave.

    `progress` is True for a line on standard error, or a function that is shown a `Progress` after each launch and stops
    the experiment by returning False, which keeps the replications so far. Ctrl-C raises KeyboardInterrupt after the
    launch under way. ValueError, with one sentence, for what cannot be carried out; MemoryError for what does not fit.

    >>> import sporos
    >>> result = sporos.simulate("pi", replications=100)
    >>> result["pi"].exact
    3.141592653589793
    """
    plan = texts_of(
        {
            "replications": replications,
            "precision": precision,
            "relative_precision": relative_precision,
            "max_replications": max_replications,
            "batch": batch,
            "time_limit": time_limit,
            "seed": seed,
            "engine": engine,
            "sampling": sampling,
            "run_length": run_length,
            "sample_size": sample_size,
            "primes": range_text("primes", primes),
            "sub_runs": sub_runs,
            "mapping": mapping,
            "confidence": confidence,
            "common_random_numbers": common_random_numbers,
        }
    )
    values = {name: _list_text(name, value) for name, value in parameters.items() if value is not None}
    module = native(backend)
    with Watched(f"simulate {model}", progress) as watch:
        result = module.simulate(model, values, _design_texts(design), plan, outputs, watch)
    points = tuple(
        Point(
            point["parameters"],
            tuple(Estimate(*response) for response in point["responses"]),
            point["replications"],
            point["digest"],
            point["stopped_by"],
            point.get("outputs"),
        )
        for point in result["points"]
    )
    name = module.__name__.rpartition("._")[2]
    return Experiment(
        model, points, name, result["seconds"], result["mapping"], result["native_seconds"], result["plan"]
    )


def replay(experiment: Experiment, replication: int, point: int = 0) -> dict[str, float]:
    """Runs one replication of an experiment again, alone: its responses, to the last bit.

    >>> import sporos
    >>> result = sporos.simulate("mm1", customers=100, replications=64, outputs=True)
    >>> sporos.replay(result, 47)["time in queue"] == result.outputs[47, 0]
    True
    """
    if not 0 <= point < len(experiment.points):
        raise ValueError(f"point is {point}, expected a number from 0 to {len(experiment.points) - 1}")
    if replication < 0:
        raise ValueError(f"replication is {replication}, expected at least 0")
    design = [{name: text_of(name, value) for name, value in other.parameters.items()} for other in experiment.points]
    plan = {
        name: range_text(name, value)
        for name, value in experiment.plan.items()
        if value is not None and name != "replications"
    }
    responses = native(experiment.backend).replay(experiment.model, {}, design, plan, point, replication)
    return dict(zip(experiment.responses, responses))
