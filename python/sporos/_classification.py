# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Logistic classification, by quasi-Newton methods."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import Array, Seed, chosen_texts, names_of, numbers
from ._table import Table, check_feature_names, check_missing, is_missing, is_table, list_text, listed
from ._backends import native
from ._documentation import documented
from ._progress import ProgressArgument, Watched
from ._result import Result

_of_classification = (
    "test_share", "split_seed", "standardize", "storage", "penalty", "intercept", "optimizer", "iterations",
    "memory", "skip_up_to", "damp_below", "batch_size", "hessian_batch_size", "pair_source", "regularization",
    "pair_interval", "step_rule", "step", "limit_steps", "longest_move", "seed", "wolfe_decrease",
    "wolfe_curvature", "most_evaluations", "gradient_tolerance", "time_limit", "record_interval",
)


class Classification(Result):
    """A logistic classification that was learned.

    The table "scores" tells how well it predicts the rows it was learned from and those held back: accuracy, area under the
    ROC curve, log-loss and how often which class was taken for which. "trajectory" has the objective over the iterations.
    Without a penalty `findings["separation"]` tells whether a linear function separates the classes ("none",
    "quasi-complete", "complete" or "unknown"), and the table "separation" has the coefficients that grow without bound then.
    """

    def __init__(
        self, told: dict[str, Any], model: dict[str, Any], classes: tuple[Any, Any], backend: str | None
    ) -> None:
        super().__init__(told)
        self._model = model
        self._backend = backend
        self.classes: tuple[Any, Any] = classes
        """The two labels, in ascending order."""
        self.coefficients: Array = np.array(model["coefficients"])
        """One for each feature as it was given; a column of categories makes one for each level."""
        self.intercept: float = model["intercept"]
        """0 without an intercept."""
        self.feature_names: list[str] = model["features"] or []
        """The name of each coefficient; empty if features had no names."""

    def probabilities(
        self, features: npt.ArrayLike, *, missing: str | None = None, ignore: str | Sequence[str] | None = None
    ) -> Array:
        """How likely each row is of the second class.

        Columns of a table are found by their names; those that the model does not know are not used. Those of an array
        are in the order of the features.

        Parameters
        ----------
        features : array_like, shape (rows, features)
            As it was learned from.
        missing : {'refuse', 'drop', 'mean'}, optional
            What becomes of rows without a value: an error, NaN, or the mean that the model keeps; default: as it was learned.
        ignore : str or sequence of str, optional
            Columns that are left out.
        """
        check_missing(missing, "refuse", "drop", "mean")
        ignored = listed("ignore", ignore)
        if self._model["columns"] is not None:
            margins = self._margins_of_table(features, missing, ignored)
        elif ignored or missing:
            raise ValueError("missing or ignore is given, expected them only for a model that was learned from a table")
        else:
            margins = self._features_of(features) @ self.coefficients + self.intercept
        scaled = np.exp(-np.abs(margins))
        probabilities: Array = np.where(margins >= 0, 1.0, scaled) / (1.0 + scaled)
        return probabilities

    def _features_of(self, features: npt.ArrayLike) -> Array:
        if is_table(features):
            names = self.feature_names
            if not names:
                raise ValueError("features have names, which the model does not know, for it was learned from an array: "
                                 "give an array with the columns in the same order, or learn from a table")
            features = Table("features", features).numbers(names)
        return numbers("features", features, None, len(self.coefficients))

    def _margins_of_table(self, features: npt.ArrayLike, missing: str | None, ignored: list[str]) -> Array:
        names = [column["name"] for column in self._model["columns"]]
        rows = Table("features", features, [] if is_table(features) else names)
        with rows.named_in_messages():
            margins: Array
            margins, _ = native(self._backend).margins_of_table(json.dumps(self._model), rows.text(), ignored, missing)
        return margins

    def predict(
        self, features: npt.ArrayLike, *, missing: str | None = None, ignore: str | Sequence[str] | None = None
    ) -> npt.NDArray[Any]:
        """The likelier class of each row, None where there is no probability; arguments as of `probabilities`."""
        probabilities = self.probabilities(features, missing=missing, ignore=ignore)
        classes: npt.NDArray[Any] = np.asarray(self.classes)[(probabilities >= 0.5).astype(int)]
        unknown = np.isnan(probabilities)
        if unknown.any():
            classes = classes.astype(object)
            classes[unknown] = None
        return classes

    def to_model(self) -> dict[str, Any]:
        """What `sporos optimize classification --model` writes and `sporos predict` reads, by json.dump."""
        return self._model

    def __repr__(self) -> str:
        first, second = self.classes
        accuracy = self.table("scores")["accuracy"][-1]
        return f"Classification({self.coefficients.size} features, {first!r} or {second!r}, accuracy {accuracy:.4f})"


@documented("classification")
def classification(
    features: npt.ArrayLike,
    labels: npt.ArrayLike,
    *,
    feature_names: Sequence[str] | None = None,
    missing: str | None = None,
    ignore: str | Sequence[str] | None = None,
    category: str | Sequence[str] | None = None,
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
        A table (a pandas.DataFrame, a dictionary of columns or a structured array) names the features, and may have
        columns of texts: categories, which make a feature of 0 and 1 for each level.
    labels : array_like, shape (rows,)
        Two values, of any type.
    feature_names : sequence of str, optional
        Of the columns.
    missing : {'refuse', 'drop', 'mean'}, optional
        What becomes of rows in which a value is missing (None, NaN, an empty text, NA): an error, they are left out, or
        the mean of the feature over the rows to learn from is put in; default: refuse.
    ignore : str or sequence of str, optional
        Columns that are left out, such as identifiers and dates.
    category : str or sequence of str, optional
        Columns of categories, though their values may be numbers.
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
    check_missing(missing, "refuse", "drop", "mean")
    called = names_of("feature_names", feature_names)
    of_columns = {"missing": missing, "ignore": listed("ignore", ignore), "category": listed("category", category)}
    asks_columns = any(of_columns.values())
    table = Table("features", features, called) if asks_columns or is_table(features) else None
    if table is None:
        learn = _of_numbers(features, labels, called, options)
    else:
        learn = _of_table(table, labels, of_columns, options)
    classes, told_text, model_text = learn(native(backend), progress)
    learned = Classification(json.loads(told_text), json.loads(model_text), classes, backend)
    if learned.findings["separation"] in ("quasi-complete", "complete"):
        warnings.warn(learned.notes[-1], stacklevel=2)
    return learned


_Learned = tuple[tuple[Any, Any], str, str]  # classes, result, model


def _of_numbers(
    features: npt.ArrayLike, labels: npt.ArrayLike, called: list[str], options: dict[str, str]
) -> Callable[[Any, ProgressArgument], _Learned]:
    table = numbers("features", features, None, None)
    check_feature_names(called, table.shape[1])
    classes, places = _two_classes(labels, len(table))

    def learn(module: Any, progress: ProgressArgument) -> _Learned:
        with Watched("optimize classification", progress) as watch:
            texts = [str(name) for name in classes]
            result, model = module.classify(options, table, places, texts, called, watch)
        return classes, result, model

    return learn


def _of_table(
    features: Table, labels: npt.ArrayLike, of_columns: dict[str, Any], options: dict[str, str]
) -> Callable[[Any, ProgressArgument], _Learned]:
    chosen = {"missing": of_columns["missing"]}
    chosen.update({name: list_text(of_columns[name]) for name in ("ignore", "category")})
    texts = {**options, **{name: text for name, text in chosen.items() if text is not None}}
    has_class: npt.NDArray[np.bool_] = np.ones(features.rows, dtype=bool)
    array = np.asarray(labels)
    if of_columns["missing"] in ("drop", "mean") and array.shape == (features.rows,):
        has_class = np.array([not is_missing(label) for label in array.tolist()])
    classes, places = _two_classes(labels, features.rows, has_class)
    cells = iter(places.astype(int).tolist())
    rows, label = features.with_column("class", [next(cells) if known else None for known in has_class])

    def learn(module: Any, progress: ProgressArgument) -> _Learned:
        with rows.named_in_messages(), Watched("optimize classification", progress) as watch:
            result, model = module.classify_table(texts, rows.text(), label, [str(name) for name in classes], watch)
        return classes, result, model

    return learn


def _check_label_objects(labels: Any) -> None:
    for row, label in enumerate(labels):
        if is_missing(label):
            raise ValueError(
                f"labels[{row}] is {label!r}, expected one of two classes: leave out the rows without a label"
            )
    kinds = sorted({type(label).__name__ for label in labels})
    if len(kinds) > 1:
        raise ValueError(f"labels holds values of several types, {', '.join(kinds)}: expected classes of one type")


def _two_classes(
    labels: npt.ArrayLike, rows: int, chosen: npt.NDArray[np.bool_] | None = None
) -> tuple[tuple[Any, Any], Array]:
    """The two labels in ascending order, and 0 or 1 for each row, or for each of those that are chosen."""
    array = np.asarray(labels)
    if array.shape == (rows,) and chosen is not None:
        array = np.array(array[chosen].tolist())
        rows = len(array)
    if array.shape != (rows,):
        raise ValueError(f"labels has the shape {array.shape}, expected ({rows},), one for each row of features")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"labels[{int(np.argmin(np.isfinite(array)))}] is not finite, expected one of two classes")
    if array.dtype.kind == "O":
        _check_label_objects(array.tolist())
    classes, places = np.unique(array, return_inverse=True)
    if len(classes) != 2:
        raise ValueError(f"labels has {len(classes)} different value{'s'[: len(classes) != 1]}, expected two classes")
    first, second = classes.tolist()
    return (first, second), places.astype(np.float64)
