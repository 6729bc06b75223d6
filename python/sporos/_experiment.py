# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What comes out of experiments."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ._arguments import Array
from ._backends import machine, version


@dataclass(frozen=True)
class Quantile:
    """A quantile of a response of single replications, with an interval from order statistics."""

    probability: float
    """At which it is."""
    value: float
    """The estimate, as numpy.quantile has it."""
    low: float
    """Lower end of its confidence interval; -inf where there are too few replications for one."""
    high: float
    """Upper end; inf likewise."""


@dataclass(frozen=True)
class Probability:
    """The probability of an event in a replication, with Clopper and Pearson's interval."""

    event: str
    """As it was asked for: "time in system > 3"."""
    value: float
    """The share of the replications that have it."""
    low: float
    """Lower end of its confidence interval."""
    high: float
    """Upper end."""
    replications: int
    """That have it."""


@dataclass(frozen=True)
class Histogram:
    """How many replications have a response in each bin, with intervals that hold for all bins at once."""

    response: str
    """Its name."""
    edges: Array
    """Of the bins that were asked for, ascending: one more than there are."""
    counts: Array
    """Two more than the bins: what lies below the edges first, what lies above them last."""
    shares: Array
    """The counts divided by the number of replications."""
    low: Array
    """Lower ends of the intervals of the shares."""
    high: Array
    """Upper ends."""

    @staticmethod
    def of(told: dict[str, Any]) -> Histogram:
        """From the command line's JSON."""
        bins = told["bins"]
        edges = np.array([one["to"] for one in bins[:-1]], dtype=np.float64)
        counts, shares, low, high = (_column(bins, name) for name in ("count", "share", "low", "high"))
        return Histogram(told["response"], edges, counts, shares, low, high)


@dataclass(frozen=True)
class Density:
    """The density of a response of single replications by kernels, with intervals that hold for all points at once."""

    response: str
    """Its name."""
    bandwidth: float
    """Of the kernels."""
    points: Array
    """Where it is estimated."""
    values: Array
    """The estimates there."""
    low: Array
    """Lower ends of their intervals."""
    high: Array
    """Upper ends."""
    lack: str | None
    """Why there is no estimate; None where there is one."""

    @staticmethod
    def of(told: dict[str, Any]) -> Density:
        """From the command line's JSON."""
        points, values, low, high = (_column(told["points"], name) for name in ("point", "value", "low", "high"))
        return Density(told["response"], told["bandwidth"], points, values, low, high, told["lack"])


def _column(rows: list[dict[str, Any]], name: str) -> Array:
    return np.array([row[name] for row in rows], dtype=np.float64)


@dataclass(frozen=True)
class Best:
    """Which design point has the best mean of a response."""

    response: str
    """Its name."""
    best: str
    """"largest" or "smallest"."""
    probabilities: tuple[float, ...]
    """Of each design point, that its mean is the best one."""


@dataclass(frozen=True)
class Verdict:
    """Whether a design point meets the requirements; no verdict of all points is wrong, with the plan's confidence."""

    point: int
    """Its number, from 0."""
    verdict: str
    """On all requirements together: "keeps", "undecided" or "breaks"."""
    of_requirements: tuple[str, ...]
    """On each of them."""
    cost: float | None
    """Of the point, where it was asked for."""


@dataclass(frozen=True)
class Controlled:
    """The mean of a response, corrected by control variates."""

    mean: float
    """The estimate."""
    half_width: float
    """Of its confidence interval; infinite where there are too few observations."""
    variance_ratio: float
    """Of the plain mean's estimated variance over this one's."""
    degrees_of_freedom: int
    """Of the interval."""


@dataclass(frozen=True)
class Difference:
    """Of the means of two design points, numbered from 0."""

    first: int
    """The point."""
    second: int
    """What is subtracted."""
    difference: float
    """The estimate."""
    half_width: float
    """Of its interval; infinite where nothing is known of it."""


@dataclass(frozen=True)
class Distance:
    """How a design point's mean differs from the best one of all others."""

    difference: float
    """The estimate."""
    low: float
    """Lower end of its interval: above 0, the mean is larger than all others."""
    high: float
    """Upper end: below 0, it is not the largest."""


@dataclass(frozen=True)
class Comparison:
    """How design points differ in the mean of a response, with intervals that all hold with the plan's confidence."""

    response: str
    """Its name."""
    by: str
    """What makes the intervals hold together, such as "paired, Bonferroni over 3"."""
    differences: tuple[Difference, ...]
    """Of all pairs of points, or of the first and each other one."""
    distances: tuple[Distance, ...]
    """Of each point from the best one of the others, where points are compared with the largest or smallest."""


@dataclass(frozen=True, repr=False)
class Estimate:
    """The estimate of one response's expectation."""

    name: str
    """The response."""
    mean: float
    """Average over the replications, or ratio of averages."""
    half_width: float
    """Of the mean's confidence interval; infinite where there is none, as for one observation only."""
    variance: float
    """Sample variance of an observation."""
    deviation: float
    """Standard deviation of a single replication."""
    observations: int
    """Independent ones: replications, or runs of dependent replications."""
    exact: float | None
    """The expectation, where theory knows it."""
    quantiles: tuple[Quantile, ...] = ()
    """Those that were asked for."""
    controlled: Controlled | None = None
    """With control variates, where asked for."""
    simultaneous_half_width: float | None = None
    """Where asked for, that of the interval which holds together with those of all other means."""

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return math.sqrt(self.variance / self.observations)

    @property
    def interval(self) -> tuple[float, float]:
        """The two ends of the confidence interval."""
        return self.mean - self.half_width, self.mean + self.half_width

    def __repr__(self) -> str:
        exact = "" if self.exact is None else f", exact {self.exact:.6g}"
        return f"Estimate({self.name}: {self.mean:.6g} ± {self.half_width:.2g}{exact})"


class _OfResponses:
    """Arrays of what there is of each response: an entry each, or, of several design points, a row for each point."""

    def _of_responses(self, name: str) -> Array:
        raise NotImplementedError

    @property
    def mean(self) -> Array:
        """The means of the responses."""
        return self._of_responses("mean")

    @property
    def half_width(self) -> Array:
        """The half-widths of the means' confidence intervals."""
        return self._of_responses("half_width")

    @property
    def interval(self) -> Array:
        """The confidence intervals; the last dimension is that of the two ends."""
        return self._of_responses("interval")

    @property
    def standard_error(self) -> Array:
        """The standard errors of the means."""
        return self._of_responses("standard_error")

    @property
    def variance(self) -> Array:
        """The sample variances of an observation."""
        return self._of_responses("variance")

    @property
    def deviation(self) -> Array:
        """The standard deviations of a single replication."""
        return self._of_responses("deviation")

    @property
    def exact(self) -> Array:
        """The expectations; NaN where theory does not know them."""
        return self._of_responses("exact")


@dataclass(frozen=True, repr=False)
class Point(_OfResponses):
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
    """Why there are no more: replications, precision, ceiling, time limit, interrupted or failed."""
    outputs: Array | None
    """What every replication gave, n × responses; None without `outputs=True`. Of samplings whose replications depend on
    each other a row is the average of a run, the observation behind the estimates."""
    covariances: Array | None = None
    """Between the responses, of one observation, with the estimates' variances on the diagonal; None without
    `covariances=True`."""
    probabilities: tuple[Probability, ...] = ()
    """Of the events that were asked for."""
    failure: tuple[int, str] | None = None
    """Where the point has failed, how many replications have no responses, and why the first of them has none; its means
    are NaN then. None otherwise."""
    histograms: tuple[Histogram, ...] = ()
    """Those that were asked for."""
    densities: tuple[Density, ...] = ()
    """Those that were asked for."""

    @property
    def correlations(self) -> Array | None:
        """Between the responses; NaN of one that does not vary. None without `covariances=True`."""
        if self.covariances is None:
            return None
        variances = np.diagonal(self.covariances)
        with np.errstate(divide="ignore", invalid="ignore"):
            correlations: Array = self.covariances / np.sqrt(np.outer(variances, variances))
        return correlations

    def __getitem__(self, response: str) -> Estimate:
        for estimate in self.estimates:
            if estimate.name == response:
                return estimate
        raise KeyError(f"{response!r} is no response: expected {', '.join(e.name for e in self.estimates)}")

    @property
    def responses(self) -> tuple[str, ...]:
        """The names of the responses."""
        return tuple(estimate.name for estimate in self.estimates)

    def _of_responses(self, name: str) -> Array:
        return np.array([getattr(estimate, name) for estimate in self.estimates], dtype=np.float64)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"Point({values}; {len(self.estimates)} responses, {self.replications} replications)"


@dataclass(frozen=True, repr=False)
class Experiment(_OfResponses):
    """What came out of an experiment. With one design point, it answers what the point does."""

    model: str
    """Its name."""
    points: tuple[Point, ...]
    """The design points that make a model, in the order of the design."""
    backend: str
    """On which it ran."""
    seconds: float
    """Wall time."""
    mapping_used: str
    """The mapping used by most replications."""
    native_seconds: float
    """Wall time of the experiment without the package around it."""
    notes: list[str]
    """How files were read, and which intervals come from too few observations for their skewness; in the command line's
    words, design points counted from 1."""
    skipped: tuple[tuple[dict[str, Any], str], ...]
    """The design points that make no model: their parameters, and why."""
    _plan: str
    comparison: Comparison | None = None
    """How the design points differ, where that was asked for."""
    _answers: str | None = None

    @cached_property
    def plan(self) -> dict[str, Any]:
        """Everything that was asked for beside the model, as the command line's JSON has it."""
        plan: dict[str, Any] = json.loads(self._plan)
        return plan

    @cached_property
    def _told(self) -> dict[str, Any]:
        told: dict[str, Any] = {} if self._answers is None else json.loads(self._answers)
        return told

    @property
    def best(self) -> Best | None:
        """Which design point has the best mean, where `largest` or `smallest` was given."""
        told = self._told.get("best")
        return told and Best(told["response"], told["best"], tuple(told["probabilities"]))

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Which design points meet the requirements: those that do first, then undecided ones, in each the cheapest."""
        points = self._told.get("requirements", {}).get("points", ())
        return tuple(Verdict(one["point"] - 1, one["verdict"], tuple(one["verdicts"]), one["cost"]) for one in points)

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
    def outputs(self) -> Array | None:
        """What every replication of the only design point gave."""
        return self.point.outputs

    @property
    def covariances(self) -> Array | None:
        """Between the responses of the only design point."""
        return self.point.covariances

    @property
    def correlations(self) -> Array | None:
        """Between the responses of the only design point."""
        return self.point.correlations

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

    def _of_responses(self, name: str) -> Array:
        if len(self.points) == 1:
            return self.points[0]._of_responses(name)
        return np.array([point._of_responses(name) for point in self.points])

    def __repr__(self) -> str:
        if len(self.points) > 1:
            skipped = f", {len(self.skipped)} skipped" if self.skipped else ""
            return f"Experiment({self.model}: {len(self.points)} design points{skipped}, {len(self.responses)} responses)"
        estimates = ", ".join(f"{one.name} {one.mean:.6g} ± {one.half_width:.2g}" for one in self.estimates)
        return f"Experiment({self.model}: {estimates}; {self.replications} replications)"

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
        run = {"seconds": self.seconds, "mapping_used": self.mapping_used, "machine": machine(self.backend)}
        if self._answers is not None:  # to more than what points hold
            return {**self._told, "run": run}
        points = [_json_of(point) for point in self.points]
        only = {name: points[0][name] for name in ("digest", "responses")} if len(points) == 1 else {}
        told = {"sporos": version, "model": self.model, "plan": self.plan, **only, "points": points}
        return {**told, "notes": self.notes, "run": run}


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
    told = {
        "parameters": point.parameters,
        "replications": point.replications,
        "stopped_by": point.stopped_by,
        "digest": point.digest,
        "responses": responses,
    }
    if point.failure is not None:
        told["failure"] = {"failures": point.failure[0], "reason": point.failure[1]}
    for name, table in (("covariances", point.covariances), ("correlations", point.correlations)):
        if table is not None:
            told[name] = [[_finite(float(one)) for one in row] for row in table]
    return told


