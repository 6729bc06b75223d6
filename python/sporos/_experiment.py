# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What comes out of experiments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np

from ._arguments import Array
from ._result import Result


class Estimate(SimpleNamespace):
    """The estimate of one response's expectation: the columns of its row of the table "means" as attributes.

    They are `response`, `mean`, `half_width`, `low`, `high`, `deviation` (of a single replication), `variance` (of an
    observation), `observations`, `exact`, `simultaneous_half_width` and others. What is missing or unknown is None.
    """

    @property
    def interval(self) -> tuple[float, float]:
        """The two ends of the confidence interval; NaN if it is unknown."""
        return (math.nan, math.nan) if self.low is None else (self.low, self.high)

    def __repr__(self) -> str:
        width = "" if self.half_width is None else f" ± {self.half_width:.2g}"
        exact = "" if self.exact is None else f", exact {self.exact:.6g}"
        return f"Estimate({self.response}: {self.mean:.6g}{width}{exact})"


class _Means:
    """Arrays of what is known of each response: an entry each, or, of several design points, a row for each point."""

    def _column(self, name: str) -> Array:
        raise NotImplementedError

    @property
    def mean(self) -> Array:
        """The means of the responses."""
        return self._column("mean")

    @property
    def half_width(self) -> Array:
        """The half-widths of the means' confidence intervals; NaN where they are unknown, as for one observation."""
        return self._column("half_width")

    @property
    def interval(self) -> Array:
        """The confidence intervals; the last dimension is that of the two ends."""
        return np.stack([self._column("low"), self._column("high")], axis=-1)

    @property
    def standard_error(self) -> Array:
        """The standard errors of the means."""
        errors: Array = np.sqrt(self._column("variance") / self._column("observations"))
        return errors

    @property
    def variance(self) -> Array:
        """The sample variances of an observation."""
        return self._column("variance")

    @property
    def deviation(self) -> Array:
        """The standard deviations of a single replication."""
        return self._column("deviation")

    @property
    def exact(self) -> Array:
        """The expectations; NaN where theory does not know them."""
        return self._column("exact")


class Point(_Means):
    """What came out at one design point of an experiment."""

    def __init__(
        self, result: Experiment, row: dict[str, Any], parameters: dict[str, Any], outputs: Array | None
    ) -> None:
        self._result = result
        self.number: int = row["point"]
        """Its number in the tables, from 1."""
        self.parameters: dict[str, Any] = parameters
        """The values of all parameters."""
        self.replications: int = row["replications"]
        """Behind the estimates."""
        self.digest: str = row["digest"]
        """Of the bits of every replication; the same on every backend and in the command line."""
        self.stopped_by: str = row["stopped_by"]
        """Why there are no more: replications, precision, ceiling, time limit, interrupted or failed."""
        self.failure: tuple[int, str] | None = None if row["failures"] is None else (row["failures"], row["reason"])
        """Of a point that has failed, how many replications have no responses, and why the first of them has none; its
        means are NaN then. None otherwise."""
        self.outputs: Array | None = outputs
        """What every replication gave, n × responses; None without `outputs=True`. Of samplings whose replications depend
        on each other a row is the average of a run, the observation behind the estimates."""

    def rows(self, table: str | None = None) -> list[dict[str, Any]]:
        """The rows of this point in that table of the experiment; in the first one, "means", without a name."""
        return self._result.table(table).where(point=self.number).rows()

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """One for each response, in the model's order."""
        return self._result._estimates[self.number]

    def __getitem__(self, response: str) -> Estimate:
        for estimate in self.estimates:
            if estimate.response == response:
                return estimate
        raise KeyError(f"{response!r} is no response: expected {', '.join(self.responses)}")

    @property
    def responses(self) -> tuple[str, ...]:
        """The names of the responses."""
        return tuple(estimate.response for estimate in self.estimates)

    @property
    def covariances(self) -> Array | None:
        """Between the responses, of one observation, with the estimates' variances on the diagonal; None without
        `covariances=True`."""
        return self._pairs("covariances")

    @property
    def correlations(self) -> Array | None:
        """Between the responses; NaN of one that does not vary. None without `covariances=True`."""
        return self._pairs("correlations")

    def _pairs(self, table: str) -> Array | None:
        if table not in self._result.tables:
            return None
        return np.array([[row[name] for name in self.responses] for row in self.rows(table)], dtype=np.float64)

    def _column(self, name: str) -> Array:
        return np.array([getattr(estimate, name) for estimate in self.estimates], dtype=np.float64)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"Point({values}; {len(self.estimates)} responses, {self.replications} replications)"


class Experiment(_Means, Result):
    """What came out of an experiment: a `Result`, whose first table is "means", with arrays of its columns.

    With one design point, it answers what the point does.
    """

    def __init__(self, told: dict[str, Any], backend: str, outputs: list[Array] | None, native_seconds: float) -> None:
        super().__init__(told)
        self._outputs = outputs
        self.backend: str = backend
        """On which it ran."""
        self.seconds: float = told["seconds"]
        """Wall time."""
        self.native_seconds: float = native_seconds
        """Wall time without the package around it."""

    @cached_property
    def _estimates(self) -> dict[int, tuple[Estimate, ...]]:
        """The estimates by the number of their design point, from one pass over the rows."""
        found: dict[int, list[Estimate]] = {}
        for row in self.table().rows():
            found.setdefault(row["point"], []).append(Estimate(**row))
        return {number: tuple(estimates) for number, estimates in found.items()}

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The design points that make a model, in the order of the design."""
        rows = self.table("points").rows()
        parameters = [
            {name.removeprefix("parameter_"): value for name, value in row.items() if name != "point"}
            for row in self.table("design").rows()
        ]
        outputs: Sequence[Array | None] = [None] * len(rows)
        if self._outputs is not None:
            outputs = self._outputs
        return tuple(Point(self, *of_point) for of_point in zip(rows, parameters, outputs, strict=True))

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

    def _column(self, name: str) -> Array:
        columns = [point._column(name) for point in self.points]
        return columns[0] if len(columns) == 1 else np.array(columns)

    def __repr__(self) -> str:
        if len(self.points) > 1:
            return f"Experiment({self.subject}: {len(self.points)} design points, {len(self.responses)} responses)"
        estimates = ", ".join(
            f"{one.response} {one.mean:.6g}" + ("" if one.half_width is None else f" ± {one.half_width:.2g}")
            for one in self.estimates
        )
        return f"Experiment({self.subject}: {estimates}; {self.replications} replications)"
