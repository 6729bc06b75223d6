# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Logistic classification, by quasi-Newton methods."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import Array, Seed, chosen_texts, column_names, names_of, numbers
from ._backends import native
from ._documentation import documented
from ._progress import ProgressArgument, Watched

_of_classification = (
    "test_share", "split_seed", "standardize", "storage", "penalty", "intercept", "optimizer", "iterations",
    "memory", "skip_up_to", "damp_below", "batch_size", "hessian_batch_size", "pair_source", "regularization",
    "pair_interval", "step_rule", "step", "limit_steps", "longest_move", "seed", "wolfe_decrease",
    "wolfe_curvature", "most_evaluations", "gradient_tolerance", "time_limit", "record_interval",
)


@dataclass(frozen=True, repr=False)
class Classification:
    """A logistic classification that was learned."""

    coefficients: Array
    """One for each feature as it was given."""
    intercept: float
    """0 where there is none."""
    classes: tuple[Any, Any]
    """The two labels, in ascending order."""
    objective: float
    """Mean loss and penalty, over the rows that it was learned from."""
    gradient_norm: float
    """Of the objective."""
    training: dict[str, Any]
    """Accuracy, area under the curve, log-loss and confusion, on the rows it was learned from."""
    test: dict[str, Any] | None
    """The same on those that were held back."""
    stopped_by: str
    """Why it ended."""
    iterations: int
    """Done."""
    trace: list[dict[str, Any]]
    """The trajectory, a dictionary for each point."""
    _json: dict[str, Any]

    def probabilities(self, features: npt.ArrayLike) -> Array:
        """How likely each row is of the second class."""
        margins = numbers("features", features, None, len(self.coefficients)) @ self.coefficients + self.intercept
        scaled = np.exp(-np.abs(margins))
        probabilities: Array = np.where(margins >= 0, 1.0, scaled) / (1.0 + scaled)
        return probabilities

    def predict(self, features: npt.ArrayLike) -> npt.NDArray[Any]:
        """The likelier class of each row."""
        classes: npt.NDArray[Any] = np.asarray(self.classes)[(self.probabilities(features) >= 0.5).astype(int)]
        return classes

    def to_dict(self) -> dict[str, Any]:
        """What `sporos optimize classification --format json` writes."""
        return self._json

    def __repr__(self) -> str:
        first, second = self.classes
        accuracy = (self.test or self.training)["accuracy"]
        return f"Classification({self.coefficients.size} features, {first!r} or {second!r}, accuracy {accuracy:.4f})"


@documented("classification")
def classification(
    features: npt.ArrayLike,
    labels: npt.ArrayLike,
    *,
    feature_names: Sequence[str] | None = None,
    test_share: float | None = None,
    split_seed: Seed = None,
    standardize: bool | None = None,
    storage: str | None = None,
    penalty: float | None = None,
    intercept: bool | None = None,
    optimizer: str | None = None,
    iterations: int | None = None,
    memory: int | None = None,
    skip_up_to: float | None = None,
    damp_below: float | None = None,
    batch_size: int | None = None,
    hessian_batch_size: int | None = None,
    pair_source: str | None = None,
    regularization: float | None = None,
    pair_interval: int | None = None,
    step_rule: str | None = None,
    step: float | None = None,
    limit_steps: bool | None = None,
    longest_move: float | None = None,
    seed: Seed = None,
    wolfe_decrease: float | None = None,
    wolfe_curvature: float | None = None,
    most_evaluations: int | None = None,
    gradient_tolerance: float | None = None,
    time_limit: float | None = None,
    record_interval: int | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
) -> Classification:
    """Logistic classification: minimizes the mean loss over rows of features, with a penalty.

    Parameters
    ----------
    features : array_like, shape (rows, features)
        A pandas.DataFrame names the features.
    labels : array_like, shape (rows,)
        Two values, of any type.
    feature_names : sequence of str, optional
        Of the columns.
    {options}

    Returns
    -------
    Classification
        With coefficients for features as they are given, whether they were standardized under way or not.

    Examples
    --------
    >>> import sporos
    >>> learned = sporos.optimize.classification([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"], optimizer="lbfgs")
    >>> learned.predict([[0.2], [2.7]]).tolist()
    ['a', 'b']
    """
    options = chosen_texts(locals(), _of_classification)
    called = names_of("feature_names", feature_names) or column_names(features)
    table = numbers("features", features, None, None)
    if called and len(called) != table.shape[1]:
        raise ValueError(f"feature_names has {len(called)} entries, expected one for each of the {table.shape[1]} features")
    classes, places = _two_classes(labels, len(table))
    with Watched("optimize classification", progress) as watch:
        texts = [str(name) for name in classes]
        told_text, coefficients, constant = native(backend).classify(options, table, places, texts, called, watch)
    told = json.loads(told_text)
    del told["data"]["file"], told["data"]["format"]
    return Classification(
        coefficients,
        constant,
        classes,
        told["objective"],
        told["gradient_norm"],
        told["training"],
        told["test"],
        told["stopped_by"],
        told["iterations"],
        told["trajectory"],
        told,
    )


def _two_classes(labels: npt.ArrayLike, rows: int) -> tuple[tuple[Any, Any], Array]:
    """The two labels in ascending order, and 0 or 1 for each row."""
    array = np.asarray(labels)
    if array.shape != (rows,):
        raise ValueError(f"labels has the shape {array.shape}, expected ({rows},), one for each row of features")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"labels[{int(np.argmin(np.isfinite(array)))}] is not finite, expected one of two classes")
    classes, places = np.unique(array, return_inverse=True)
    if len(classes) != 2:
        raise ValueError(f"labels has {len(classes)} different value{'s'[: len(classes) != 1]}, expected two classes")
    first, second = classes.tolist()
    return (first, second), places.astype(np.float64)
