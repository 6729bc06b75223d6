# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
import pytest
from command_line import DATA, json_of, without_times

import sporos
from sporos.optimize import classification


def _rows():
    lines = [line.split(",") for line in (DATA / "breast_cancer.csv").read_text().splitlines()]
    return np.array([[float(x) for x in row[:-1]] for row in lines[1:]]), [row[-1] for row in lines[1:]], lines[0][:-1]


FEATURES, LABELS, NAMES = _rows()


def core_of(document):
    document = without_times(document)
    return {name: value for name, value in document.items() if name not in ("subject", "seconds", "machine")}


@pytest.mark.parametrize(
    "options",
    [
        dict(iterations=100, seed=4),
        dict(optimizer="lbfgs", test_share=0, penalty=0.01),
        dict(iterations=60, pair_source="gradient-differences", step=0.5, test_share=0.4, split_seed=3),
        dict(iterations=60, storage="float", standardize=True, intercept=False),
    ],
)
def test_same_as_the_command_line(options):
    def text(value):
        return ("on" if value else "off") if isinstance(value, bool) else value

    words = [f"--{name.replace('_', '-')}={text(value)}" for name, value in options.items()]
    for backend in sporos.backends():
        expected = json_of(
            "optimize", "classification", DATA / "breast_cancer.csv", *words, program=f"sporos-{backend}"
        )
        learned = classification(FEATURES, LABELS, feature_names=NAMES, **options, backend=backend)
        assert core_of(learned.to_dict()) == core_of(expected)


def test_predictions_agree_with_the_scores():
    learned = classification(FEATURES, LABELS, optimizer="lbfgs", test_share=0)
    assert learned.classes == tuple(sorted(set(LABELS)))
    right = learned.predict(FEATURES) == LABELS
    (scores,) = learned.table("scores").rows()
    assert right.mean() == scores["accuracy"] > 0.98
    probabilities = learned.probabilities(FEATURES)
    is_second = np.array(LABELS) == learned.classes[1]
    loss = -np.log(np.where(is_second, probabilities, 1 - probabilities)).mean()
    assert loss == pytest.approx(scores["log_loss"], rel=1e-9)
    assert scores["part"] == "learned from" and learned.table("trajectory")["iteration"][0] == 0


def test_labels_of_every_type():
    first = np.array(LABELS) == sorted(set(LABELS))[0]
    kinds = [np.where(first, 0, 1), np.where(first, -1.0, 1.0), ~first, np.where(first, "a", "b")]
    learned = [classification(FEATURES, labels, iterations=20) for labels in kinds]
    for other in learned[1:]:
        np.testing.assert_array_equal(other.coefficients, learned[0].coefficients)
    assert [one.classes for one in learned] == [(0, 1), (-1.0, 1.0), (False, True), ("a", "b")]


def test_divergence_raises():
    with pytest.raises(RuntimeError, match="no model is written: limit_steps on or a smaller step may help"):
        classification(FEATURES, LABELS, standardize=False, limit_steps=False, step=100, iterations=100)


@pytest.mark.parametrize(
    "changes, message",
    [
        (dict(features=FEATURES[0]), "features has the shape .*, expected 2 dimensions"),
        (dict(features=[["a"], ["b"]], labels=[0, 1]), "features is an array of <U1"),
        (dict(labels=LABELS[:-1]), r"labels has the shape \(568,\), expected \(569,\)"),
        (dict(labels=[1] * 569), "labels has 1 different value, expected two classes"),
        (dict(labels=np.arange(569)), "labels has 569 different values, expected two classes"),
        (dict(labels=np.where(np.arange(569) == 7, np.nan, np.arange(569) % 2)), r"labels\[7\] is not finite"),
        (dict(labels=[None] * 569), r"labels\[0\] is None, expected one of two classes: leave out the rows"),
        (dict(labels=[0, None] + [1] * 567), r"labels\[1\] is None"),
        (dict(labels=["a", None] + ["b"] * 567), r"labels\[1\] is None"),
        (dict(labels=["a", 1] + [None] * 567), r"labels\[2\] is None"),
        (dict(labels=np.array(["a", 1] + ["b"] * 567, dtype=object)), "labels holds values of several types, int, str"),
        (dict(feature_names=["a"]), "feature_names has 1 entries, expected one for each of the 30 features"),
        (dict(test_share=1.5), "share of test rows is 1.5"),
        (dict(storage="bits"), "^storage is bits, expected another one: not all features in the data are 0 or 1"),
        (dict(optimizer="luck"), "optimizer.*'luck'"),
        (dict(optimizer="lbfgs", step=1.0), "^step is given, expected it only with optimizer sqn"),
        (dict(iterations=-1), "^iterations is '-1'"),
        (dict(penalty=-1), "^penalty is '-1'"),
        (dict(batch_size=1000), "^batch_size is 1000, expected at most the number of training rows"),
    ],
)
def test_bad_input(changes, message):
    with pytest.raises(ValueError, match=message) as error:
        classification(**{"features": FEATURES, "labels": LABELS, **changes})
    assert "\n" not in str(error.value) and "--" not in str(error.value)


def test_separable_classes_are_reported():
    rows, labels = [[0.0, 1.0], [0.0, 1.0], [2.0, 1.0], [1.0, 1.0]], [1, 1, 0, 0]
    options = dict(test_share=0, optimizer="lbfgs")
    assert classification(rows, labels, **options).findings["separation"] is None
    with pytest.warns(UserWarning, match="complete separation"):
        learned = classification(rows, labels, **options, penalty=0)
    assert learned.findings["separation"] == "complete"
    rows, labels = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], [0, 1, 0, 1, 0, 1]
    overlapping = classification(rows, labels, **options, penalty=0)
    assert overlapping.findings["separation"] == "none"
    assert overlapping.findings["separation_checked_by"] == "linear program"
