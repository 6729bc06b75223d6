# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Columns of strings, dates and missing values are treated as those of a CSV file on the command line."""
import csv
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from command_line import json_of, without_times

import sporos
from sporos.optimize import classification

PEOPLE = {
    "name": [f"person {i}" for i in range(12)],
    "age": [31, 44, None, 52, 23, 61, 38, 47, 29, float("nan"), 55, 36],
    "city": ["Ulm", "Bern", "Ulm", "Graz", "Bern", "Graz", "Ulm", "Bern", "Graz", "Ulm", None, "Bern"],
    "visits": [1, 2, 3, 2, 1, 3, 2, 1, 3, 2, 1, 2],
}
BUYS = ["no", "yes", "no", "yes", "no", "yes", "no", "yes", "yes", "no", "yes", "no"]
OPTIONS = dict(optimizer="lbfgs", test_share=0)


def written(path, columns):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in zip(*columns.values()):
            writer.writerow("" if value is None or value != value else value for value in row)
    return path


def core_of(document):
    document = without_times(document)
    return {name: value for name, value in document.items() if name not in ("subject", "seconds", "machine")}


@pytest.mark.parametrize(
    "options, words",
    [
        (dict(missing="drop", ignore="name"), ["--missing=drop", "--ignore=name"]),
        (dict(missing="mean", ignore=["name"]), ["--missing=mean", "--ignore=name"]),
        (dict(missing="mean", ignore=["name", "age"], category="visits"),
         ["--missing=mean", "--ignore=name,age", "--category=visits"]),
    ],
)
def test_same_as_the_command_line(tmp_path, options, words):
    file = written(tmp_path / "people.csv", {**PEOPLE, "buys": BUYS})
    for backend in sporos.backends():
        program = f"sporos-{backend}"
        model = tmp_path / "model.json"
        words_of_all = ["--optimizer=lbfgs", "--test-share=0", "--model", model]
        expected = json_of("optimize", "classification", file, *words, *words_of_all, program=program)
        learned = classification(PEOPLE, BUYS, **options, **OPTIONS, backend=backend)
        assert core_of(learned.to_dict()) == core_of(expected)
        assert list(learned.notes) == expected["notes"] != []
        kept = json.loads(model.read_text())
        document = learned.to_model()
        assert {**document, "label": "buys", "learned": {**document["learned"], "subject": str(file)}} == kept

        rows = written(tmp_path / "rows.csv", PEOPLE)
        command = [Path(os.environ["SPOROS_PROGRAM_FOLDER"]) / program, "predict", model, rows]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        lines = [line.split(",") for line in run.stdout.splitlines()[1:]]
        probabilities = learned.probabilities(PEOPLE)
        np.testing.assert_allclose(probabilities, [float(line[0] or "nan") for line in lines], rtol=1e-13)
        assert learned.predict(PEOPLE).tolist() == [line[1] or None for line in lines]


def test_levels_are_features():
    learned = classification(PEOPLE, BUYS, missing="mean", ignore="name", **OPTIONS)
    assert learned.feature_names == ["age", "city = Bern", "city = Graz", "city = Ulm", "visits"]
    assert len(learned.coefficients) == 5
    one = {"visits": [2], "city": ["Bern"], "age": [44.0], "extra": ["x"]}  # another order, an additional column
    np.testing.assert_array_equal(learned.probabilities(one), learned.probabilities(PEOPLE)[[1]])
    unseen = learned.probabilities({**one, "city": ["Wien"]})
    margin = np.log(unseen / (1 - unseen))
    assert margin == pytest.approx(learned.intercept + 44 * learned.coefficients[0] + 2 * learned.coefficients[4])
    assert np.isnan(learned.probabilities({**one, "age": [None]}, missing="drop")).all()
    assert learned.predict({**one, "age": [None]}, missing="drop").tolist() == [None]
    with pytest.raises(ValueError, match="row 0: 'age' is empty"):
        learned.probabilities({**one, "age": [None]}, missing="refuse")


def _numbers_only(rows=60):
    generator = np.random.default_rng(7)
    x, z = generator.normal(size=rows), 3 * generator.normal(size=rows)
    return {"x": x, "z": z}, 2 * x - z + generator.normal(size=rows) > 0


class Frame(dict):
    """Stand-in for a pandas.DataFrame with these columns."""

    columns = property(lambda self: list(self))


def _structured(columns):
    return np.rec.fromarrays(list(columns.values()), names=list(columns))


@pytest.mark.parametrize("kind", [dict, Frame, _structured])
@pytest.mark.parametrize("is_named", [False, True])
def test_columns_are_found_by_name(kind, is_named):
    columns, labels = _numbers_only()
    array = np.column_stack(list(columns.values()))
    reference = classification(array, labels, feature_names=["x", "z"], **OPTIONS)
    learned = reference if is_named else classification(kind(columns), labels, **OPTIONS)
    np.testing.assert_array_equal(learned.coefficients, reference.coefficients)
    assert learned.feature_names == ["x", "z"]
    expected = learned.probabilities(array)
    for names in ("xz", "zx", "qzx"):  # another order, an additional column
        table = kind({name: columns.get(name, columns["x"] + 9) for name in names})
        np.testing.assert_allclose(learned.probabilities(table), expected, rtol=1e-13)
    for names in ("x", "wz"):
        table = kind({name: columns.get(name, columns["x"]) for name in names})
        with pytest.raises(ValueError, match=f"no column '{'x' if 'w' in names else 'z'}', expected one for each feature"):
            learned.predict(table)
    nameless = classification(array, labels, **OPTIONS)
    with pytest.raises(ValueError, match="^features have names, but the model was learned from an array"):
        nameless.predict(kind(columns))


@pytest.mark.parametrize("kind", [dict, Frame, _structured])
@pytest.mark.parametrize(
    "name, values, message",
    [
        ("id", range(60), "column 'id' has the name of a row identifier"),
        ("number", range(60), "column 'number' counts the rows, 0 to 59"),
        ("time", [1_700_000_000 + 3600 * i for i in range(60)], "column 'time' holds points in time"),
        ("x2", [*range(59), np.inf], "row 59: 'x2' is inf, expected a finite number"),
    ],
)
def test_tables_are_checked_like_files(kind, name, values, message):
    columns, labels = _numbers_only()
    table = {**columns, name: np.array(values)}
    with pytest.raises(ValueError, match=message):
        classification(kind(table), labels, **OPTIONS)
    assert classification(kind(table), labels, ignore=name, **OPTIONS).feature_names == ["x", "z"]


def test_arrays_with_missing_values():
    generator = np.random.default_rng(3)
    whole = generator.normal(size=(60, 2))
    labels = whole @ [2.0, -1.0] > 0
    rows = whole.copy()
    rows[[3, 17], [0, 1]] = np.nan
    kept = ~np.isnan(rows).any(axis=1)
    dropped = classification(rows, labels, missing="drop", **OPTIONS)
    reference = classification(rows[kept], labels[kept], **OPTIONS)
    np.testing.assert_array_equal(dropped.coefficients, reference.coefficients)
    assert dropped.classes == (False, True)
    assert dropped.notes == ("rows left out because a value is missing: 2",)
    np.testing.assert_array_equal(np.isnan(dropped.probabilities(rows)), ~kept)
    means = np.nanmean(rows, axis=0)
    filled = classification(np.where(np.isnan(rows), means, rows), labels, **OPTIONS)
    np.testing.assert_allclose(
        classification(rows, labels, missing="mean", **OPTIONS).coefficients, filled.coefficients, rtol=1e-9
    )


def test_rows_without_a_class():
    features, labels = np.arange(12.0)[:, np.newaxis], np.array([0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1], dtype=object)
    labels[4] = None
    learned = classification(features, labels, missing="drop", **OPTIONS)
    reference = classification(np.delete(features, 4, 0), np.delete(labels, 4).astype(int), **OPTIONS)
    np.testing.assert_array_equal(learned.coefficients, reference.coefficients)
    assert learned.classes == (0, 1)


def test_fits_of_tables():
    waits = [54.0, 80, 81, 55, 79, 53, None, 82, 56, 78]
    options = dict(components=2, starts=2, nelder_mead_starts=0)
    whole = sporos.fit([wait for wait in waits if wait is not None], **options)
    for values in (waits, np.array(waits, dtype=float), {"wait": waits, "day": list("abcdefghij")}):
        fit = sporos.fit(values, missing="drop", **options)
        np.testing.assert_array_equal(fit.means, whole.means)
        assert fit.notes == ("rows left out because a value is missing: 1",)
    table = {"wait": waits, "number": list(range(10))}
    np.testing.assert_array_equal(sporos.fit(table, missing="drop", ignore="number", **options).means, whole.means)
    counted = sporos.fit(waits[:3], weights=[1.0, None, 2.0], missing="drop", components=1, starts=1)
    assert counted.means[0] == pytest.approx((54 + 2 * 81) / 3)
    with pytest.raises(ValueError, match=r"values\[6\] is nan, expected a finite number"):
        sporos.fit({"wait": waits}, **options)


DATED = {"day": np.array(["2024-01-02", "2024-01-03", "NaT"] * 4, dtype="datetime64[D]"), **PEOPLE}


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: classification(PEOPLE, BUYS, missing="mean"), "'name' has 12 different values in as many rows.*use ignore to leave it out"),
        (lambda: classification(PEOPLE, BUYS, ignore="name"), "^the data, row 2: 'age' is empty, expected a value; use missing"),
        (lambda: classification(PEOPLE, BUYS, ignore="nam"), "there is no column 'nam'"),
        (lambda: classification(PEOPLE, BUYS, missing="zero"), "^missing is 'zero', expected refuse, drop or mean"),
        (lambda: classification(DATED, BUYS, missing="drop", ignore="name"), "'day' holds dates"),
        (lambda: classification(PEOPLE, BUYS[:3]), r"labels has the shape \(3,\), expected \(12,\)"),
        (lambda: classification({"a": [1, 2], "b": [1]}, [0, 1]), "features has columns of the shapes"),
        (lambda: classification([[0.0], [1.0]], [0, 1], **OPTIONS).predict([[1.0]], missing="drop"), "^missing or ignore"),
        (lambda: sporos.fit([1.0, 2.0], ignore="a"), "^ignore is given, expected it only with a table"),
        (lambda: sporos.fit({"a": [1, 2], "b": [3, 4]}), r"^values has 2 columns of numbers \(a, b\)"),
        (lambda: sporos.fit({"sales": ["1.628,5", 937.0, 12.5], "shop": list("aba")}), "row 0: 'sales' is '1.628,5', expected a number"),
        (lambda: sporos.fit({"id": [1, 2, 3], "shop": list("aba")}), "column 'id' has the name of a row identifier"),
        (lambda: sporos.optimize.portfolio([[100.0, 0.1], [101.0, -0.1]]), "'asset 1' holds numbers from 100 to 101, which look like prices"),
        (lambda: sporos.fit({"a": [1, 2]}, ignore="b"), "^values has no column 'b'"),
        (lambda: sporos.fit([1.0, 2.0], missing="mean"), "^missing is 'mean', expected refuse or drop"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value) and "--" not in str(error.value)
