# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results of experiments."""

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
    """The estimated expectation of one response, with the columns of the table "means" as attributes.

    The attributes are `response`, `mean`, `half_width`, `low`, `high`, `deviation` (the standard deviation of a
    replication), `variance` (the variance of an observation), `observations`, `exact`, `simultaneous_half_width` and
    others. Missing and unknown values are None.

    Examples
    --------
    >>> import sporos
    >>> estimate = sporos.simulate("pi", replications=100)["pi"]
    >>> low, high = estimate.interval
    >>> low < estimate.mean < high
    True
    """

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper limit of the confidence interval; NaN if it is unknown."""
        return (math.nan, math.nan) if self.low is None else (self.low, self.high)

    def __repr__(self) -> str:
        width = "" if self.half_width is None else f" ± {self.half_width:.2g}"
        exact = "" if self.exact is None else f", exact {self.exact:.6g}"
        return f"Estimate({self.response}: {self.mean:.6g}{width}{exact})"


class _Means:
    """Arrays with one entry for each response; several design points have a row each."""

    def _column(self, name: str) -> Array:
        raise NotImplementedError

    @property
    def mean(self) -> Array:
        """Estimated means of the responses."""
        return self._column("mean")

    @property
    def half_width(self) -> Array:
        """Half-widths of the confidence intervals of the means; NaN if unknown, as for a single observation."""
        return self._column("half_width")

    @property
    def interval(self) -> Array:
        """Confidence intervals of the means; the last dimension holds the lower and the upper limit."""
        return np.stack([self._column("low"), self._column("high")], axis=-1)

    @property
    def standard_error(self) -> Array:
        """Standard errors of the means."""
        errors: Array = np.sqrt(self._column("variance") / self._column("observations"))
        return errors

    @property
    def variance(self) -> Array:
        """Sample variances of an observation."""
        return self._column("variance")

    @property
    def deviation(self) -> Array:
        """Standard deviations of a replication."""
        return self._column("deviation")

    @property
    def exact(self) -> Array:
        """Exact expectations; NaN where they are unknown."""
        return self._column("exact")


class Point(_Means):
    """The results at one design point of an experiment.

    Examples
    --------
    >>> import sporos
    >>> experiment = sporos.simulate("mm1", arrival_rate=[0.3, 0.6], customers=100, replications=100)
    >>> [point.parameters["arrival_rate"] for point in experiment.points]
    [0.3, 0.6]
    """

    def __init__(self, result: Experiment, row: dict[str, Any], parameters: dict[str, Any], outputs: Any) -> None:
        self._result = result
        self.number: int = row["point"]
        """The number of the design point in the tables, from 1."""
        self.parameters: dict[str, Any] = parameters
        """The values of all parameters."""
        self.replications: int = row["replications"]
        """Number of replications that the estimates are computed from."""
        self.digest: str = row["digest"]
        """Digest of the bits of all replications, which is identical on every backend and on the command line."""
        self.stopped_by: str = row["stopped_by"]
        """Stopping criterion: replications, precision, ceiling, time limit, interrupted or failed."""
        self.failure: tuple[int, str] | None = None if row["failures"] is None else (row["failures"], row["reason"])
        """For a failed point, the number of failed replications and the reason of the first failure; otherwise None.
        The means of a failed point are NaN."""
        self.outputs: Any = outputs
        """Responses of all replications, n × responses: a NumPy array with `outputs=True`, an array in the memory of the
        device with `outputs="device"`, otherwise None. If replications of the sampling depend on each other, a row is the
        mean of a run, which is one observation."""

    def rows(self, table: str | None = None) -> list[dict[str, Any]]:
        """Returns the rows of this point in a table of the experiment.

        Parameters
        ----------
        table : str, optional
            Name of the table; default: "means".

        Returns
        -------
        list of dict
            The rows by the names of the columns.
        """
        return self._result.table(table).where(point=self.number).rows()

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """Estimates of the responses, in the model's order."""
        return self._result._estimates[self.number]

    def __getitem__(self, response: str) -> Estimate:
        for estimate in self.estimates:
            if estimate.response == response:
                return estimate
        raise KeyError(f"{response!r} is no response: expected {', '.join(self.responses)}")

    @property
    def responses(self) -> tuple[str, ...]:
        """Names of the responses."""
        return tuple(estimate.response for estimate in self.estimates)

    @property
    def covariances(self) -> Array | None:
        """Sample covariance matrix of the responses of an observation; None without `covariances=True`.

        The diagonal is the `variance` of the responses.
        """
        return self._pairs("covariances")

    @property
    def correlations(self) -> Array | None:
        """Correlation matrix of the responses; None without `covariances=True`.

        The correlations of a constant response are NaN.
        """
        return self._pairs("correlations")

    def _pairs(self, table: str) -> Array | None:
        if table not in self._result.tables:
            return None
        return np.array([[row[name] for name in self.responses] for row in self.rows(table)], dtype=np.float64)

    def _column(self, name: str) -> Array:
        return np.array([getattr(estimate, name) for estimate in self.estimates], dtype=np.float64)

    def _repr_html_(self) -> str:
        return self._result.table().where(point=self.number)._repr_html_()

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"Point({values}; {len(self.estimates)} responses, {self.replications} replications)"


class Experiment(_Means, Result):
    """The results of an experiment: a `Result` whose first table is "means", with its columns as arrays.

    An experiment with one design point also has the attributes of that `Point`.

    Examples
    --------
    >>> import sporos
    >>> experiment = sporos.simulate("mm1", customers=[100, 200, 300], replications=100)
    >>> experiment.mean.shape, experiment.responses[0]
    ((3, 4), 'time in queue')
    """

    def __init__(
        self, document: dict[str, Any], backend: str, outputs: list[Any] | None, native_seconds: float
    ) -> None:
        super().__init__(document)
        self._outputs = outputs
        self.model: Any = None
        """The model, if it is written in Python; otherwise None."""
        self.backend: str = backend
        """Name of the backend that computed the results."""
        self.seconds: float = document["seconds"]
        """Wall time in seconds."""
        self.native_seconds: float = native_seconds
        """Wall time in seconds without the time spent in Python."""

    @cached_property
    def _estimates(self) -> dict[int, tuple[Estimate, ...]]:
        """Estimates by the number of the design point, from one pass over the rows."""
        found: dict[int, list[Estimate]] = {}
        for row in self.table().rows():
            found.setdefault(row["point"], []).append(Estimate(**row))
        return {number: tuple(estimates) for number, estimates in found.items()}

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The valid design points, in the order of the design; the table "skipped" has the others."""
        rows = self.table("points").rows()
        parameters = [
            {name.removeprefix("parameter_"): value for name, value in row.items() if name != "point"}
            for row in self.table("design").rows()
        ]
        outputs: Sequence[Any] = [None] * len(rows)
        if self._outputs is not None:
            outputs = self._outputs
        return tuple(Point(self, *of_point) for of_point in zip(rows, parameters, outputs))

    @property
    def point(self) -> Point:
        """The only design point. Raises ValueError if there are several."""
        if len(self.points) == 1:
            return self.points[0]
        raise ValueError(f"there are {len(self.points)} design points, expected one of `points`")

    def __getitem__(self, response: str) -> Estimate:
        return self.point[response]

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """Estimates of the only design point."""
        return self.point.estimates

    @property
    def responses(self) -> tuple[str, ...]:
        """Names of the responses."""
        return self.points[0].responses

    @property
    def outputs(self) -> Any:
        """Responses of all replications of the only design point, n × responses; None if they were not requested."""
        return self.point.outputs

    @property
    def covariances(self) -> Array | None:
        """Covariance matrix of the responses of the only design point; None without `covariances=True`."""
        return self.point.covariances

    @property
    def correlations(self) -> Array | None:
        """Correlation matrix of the responses of the only design point; None without `covariances=True`."""
        return self.point.correlations

    @property
    def digest(self) -> str:
        """Digest of the bits of all replications of the only design point."""
        return self.point.digest

    @property
    def replications(self) -> int:
        """Number of replications of the only design point."""
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
