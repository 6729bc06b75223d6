# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Logistic classification by quasi-Newton methods."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arguments import Array, Seed, given_texts, host_array, names_of, numbers
from ._table import Table, check_feature_names, check_missing, is_missing, is_table, list_text, listed
from ._backends import native
from ._documentation import documented
from ._progress import ProgressArgument, Watched
from ._result import Result


class Classification(Result):
    """A fitted logistic classifier.

    The table "scores" evaluates the predictions on the training rows and on the test rows: accuracy, area under the ROC
    curve, log-loss and the confusion matrix. The table "trajectory" has the objective over the iterations. Without a
    penalty, `findings["separation"]` reports whether a linear function separates the classes: "none",
    "quasi-complete", "complete" or "unknown". If one does, the table "separation" has the coefficients that grow
    without bound.

    Examples
    --------
    >>> import sporos
    >>> learned = sporos.optimize.classification([[0.0], [1.0], [2.0], [3.0]], [5, 5, 8, 8], penalty=0.1)
    >>> learned.classes, learned.coefficients.shape
    ((5, 8), (1,))
    """

    def __init__(
        self, document: dict[str, Any], model: dict[str, Any], classes: tuple[Any, Any], backend: str | None
    ) -> None:
        super().__init__(document)
        self._model = model
        self._backend = backend
        self.classes: tuple[Any, Any] = classes
        """The two classes, in ascending order."""
        self.coefficients: Array = np.array(model["coefficients"])
        """Coefficient of each feature in its original unit; a column of categories has one for each level."""
        self.intercept: float = model["intercept"]
        """Intercept; 0 for a model without one."""
        self.feature_names: list[str] = model["features"] or []
        """Name of each coefficient; empty if the features have no names."""

    def probabilities(
        self, features: npt.ArrayLike, *, missing: str | None = None, ignore: str | Sequence[str] | None = None
    ) -> Array:
        """Returns the probability that each row belongs to the second class.

        Columns of a table are found by name, and columns that are not in the model are ignored. Columns of an array
        must be in the order of the features.

        Parameters
        ----------
        features : array_like or table, shape (rows, features)
            Features as in the training data.
        missing : {'refuse', 'drop', 'mean'}, optional
            Treatment of rows with missing values: raise an error, return NaN, or insert the mean of the training data;
            default: as in training. Requires a model that was learned from a table.
        ignore : str or sequence of str, optional
            Columns to ignore. Requires a model that was learned from a table.

        Returns
        -------
        array, shape (rows,)
            Probabilities; NaN for dropped rows.

        Raises
        ------
        ValueError
            If a feature is missing or not a finite number, or an argument does not fit the model.

        Examples
        --------
        >>> import sporos
        >>> rows, labels = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
        >>> learned = sporos.optimize.classification(rows, labels, penalty=0.1)
        >>> (learned.probabilities([[0.2], [2.7]]) > 0.5).tolist()
        [False, True]
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
                raise ValueError("features have names, but the model was learned from an array and has none: "
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
        """Returns the more probable class of each row.

        Parameters
        ----------
        features, missing, ignore
            As for `probabilities`.

        Returns
        -------
        array, shape (rows,)
            Classes; None for dropped rows.

        Examples
        --------
        >>> import sporos
        >>> rows, labels = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
        >>> sporos.optimize.classification(rows, labels, penalty=0.1).predict([[0.2], [2.7]]).tolist()
        ['a', 'b']
        """
        probabilities = self.probabilities(features, missing=missing, ignore=ignore)
        classes: npt.NDArray[Any] = np.asarray(self.classes)[(probabilities >= 0.5).astype(int)]
        unknown = np.isnan(probabilities)
        if unknown.any():
            classes = classes.astype(object)
            classes[unknown] = None
        return classes

    def to_model(self) -> dict[str, Any]:
        """Returns the model as a dictionary.

        `json.dump` writes it to a file that `sporos predict` reads, as `sporos optimize classification --model` does.
        """
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
    max_evaluations: int | None = None,
    gradient_tolerance: float | None = None,
    time_limit: float | None = None,
    record_interval: int | None = None,
    backend: str | None = None,
    progress: ProgressArgument = None,
) -> Classification:
    """Fits a logistic classifier by minimizing the mean loss over the rows plus a penalty.

    Parameters
    ----------
    features : array_like or table, shape (rows, features)
        A table is a pandas.DataFrame, a dictionary of columns or a structured array. It names the features. Its string
        columns are categories, with an indicator feature for each level.
    labels : array_like, shape (rows,)
        The class of each row, one of two values of any type.
    feature_names : sequence of str, optional
        Names of the features; default: the names of a table's columns.
    missing : {'refuse', 'drop', 'mean'}, optional
        Treatment of rows with missing values (None, NaN, an empty string, NA): raise an error, drop the rows, or insert
        the feature's mean over the training rows; default: refuse.
    ignore : str or sequence of str, optional
        Columns to ignore, such as identifiers and dates.
    category : str or sequence of str, optional
        Columns to treat as categories although their values are numbers.
    {options}

    Returns
    -------
    Classification
        The classifier. Its coefficients refer to the features as given, even if the optimizer standardizes them.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.

    Warns
    -----
    UserWarning
        If a linear function separates the classes and there is no penalty, so that coefficients are infinite.

    Examples
    --------
    >>> import sporos
    >>> learned = sporos.optimize.classification([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"], optimizer="lbfgs")
    >>> learned.predict([[0.2], [2.7]]).tolist()
    ['a', 'b']
    """
    options = given_texts(classification, locals(), "feature_names", "missing", "ignore", "category")
    check_missing(missing, "refuse", "drop", "mean")
    called = names_of("feature_names", feature_names)
    of_columns = {"missing": missing, "ignore": listed("ignore", ignore), "category": listed("category", category)}
    needs_table = any(of_columns.values())
    table = Table("features", features, called) if needs_table or is_table(features) else None
    if table is None:
        learn = _of_numbers(features, labels, called, options)
    else:
        learn = _of_table(table, labels, of_columns, options)
    classes, document, saved_model = learn(native(backend), progress)
    learned = Classification(document, saved_model, classes, backend)
    if learned.findings["separation"] in ("quasi-complete", "complete"):
        warnings.warn(learned.notes[-1], stacklevel=2)
    return learned


_Learned = tuple[tuple[Any, Any], dict[str, Any], dict[str, Any]]  # classes, result, model


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
    array = host_array("labels", labels)
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
    """Returns the two labels in ascending order, and 0 or 1 for each row, or for each chosen row."""
    array = host_array("labels", labels)
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
