# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
import pytest
from command_line import DATA, json_of, table

import sporos

GALAXIES = table("galaxies.csv")[0][:, 0]
WAITING = table("old_faithful.csv")[0][:, 0]


def without_file(document):
    document = {name: value for name, value in document.items() if name not in ("subject", "title", "seconds", "machine")}
    document["settings"] = {**document["settings"], "column": None}
    return document


def row_of(fit, components):
    """Returns the row of the table "sizes" for a number of components."""
    return next(row for row in fit.table("sizes").rows() if row["components"] == components)


@pytest.mark.parametrize(
    "options",
    [
        dict(components=(1, 3), starts=4, seed=3),
        dict(components=2, criterion="icl", bayesian=True, starts=3),
        dict(components=2, starts=2, bootstrap=19, confidence=0.9, nelder_mead_starts=0),
        dict(components=2, starts=2, precision="single", floor=0.2),
    ],
)
def test_same_as_the_command_line(options):
    words = [
        f"--{name.replace('_', '-')}={':'.join(map(str, value)) if isinstance(value, tuple) else value}"
        for name, value in options.items()
        if name != "bayesian"
    ] + ["--bayesian"] * ("bayesian" in options)
    for backend in sporos.backends():
        expected = json_of("fit", DATA / "galaxies.csv", *words, program=f"sporos-{backend}")
        document = without_file(sporos.fit(GALAXIES, **options, backend=backend).to_dict())
        assert document == without_file(expected)


def test_two_kinds_of_eruptions():
    fit = sporos.fit(WAITING, (1, 3), starts=4, nelder_mead_starts=0)
    assert len(fit.means) == fit.findings["components"] == 2 and fit.stopped_by == "convergence"
    # mclust fits this sample with unequal variances: means 54.6 and 80.1, deviations 5.87, weights 0.36 and 0.64.
    np.testing.assert_allclose(fit.means, [54.6, 80.1], atol=0.1)
    np.testing.assert_allclose(fit.deviations, [5.87, 5.87], atol=0.05)
    np.testing.assert_allclose(fit.weights, [0.361, 0.639], atol=0.003)
    assert set(fit.labels[WAITING < 60]) == {0} and set(fit.labels[WAITING > 75]) == {1}
    np.testing.assert_allclose(fit.probabilities(WAITING).sum(axis=1), 1, rtol=1e-12)
    likelihood = np.log(np.exp(fit.log_densities(WAITING)).sum(axis=1)).sum()
    np.testing.assert_allclose(likelihood, row_of(fit, 2)["log_likelihood"], rtol=1e-9)
    np.testing.assert_allclose(row_of(fit, 2)["bic"], -2 * likelihood + 5 * np.log(len(WAITING)), rtol=1e-9)
    assert fit.table("sizes")["is_chosen"].tolist() == [False, True, False]
    assert fit.predict([50.0, 90.0]).tolist() == [0, 1]


def test_weights_count():
    values, counts = np.unique(WAITING, return_counts=True)
    options = dict(components=2, starts=2, nelder_mead_starts=0)
    whole, counted = sporos.fit(WAITING, **options), sporos.fit(values, weights=counts, **options)
    np.testing.assert_allclose(counted.means, whole.means, rtol=1e-6)


def test_one_method():
    em = sporos.fit(WAITING, 2, starts=3, method="em").table("starts")
    assert em["method"].tolist() == ["em"] * 3
    simplex = sporos.fit(WAITING, 2, method="nelder-mead").table("starts")
    assert simplex["method"].tolist() == ["nelder-mead"] * 2


def test_coefficients_of_nelder_mead():
    fit = sporos.fit(WAITING, 2, method="nelder-mead", nelder_mead_coefficients="original")
    assert fit.settings["nelder_mead_coefficients"] == "original"
    with pytest.raises(ValueError, match="expected one of original, adaptive"):
        sporos.fit(WAITING, 2, nelder_mead_coefficients="cheng")


def test_callback_stops():
    seen = []

    def watch(progress):
        seen.append(progress)
        return False

    fit = sporos.fit(WAITING, (1, 8), progress=watch)
    assert fit.stopped_by == "interrupted" and len(fit.table("sizes").rows()) == 8
    assert seen[0].figures["stage"] == "EM" and "open" in seen[0].figures


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(values=[]), "number of observations is 0, expected at least 1"),
        (dict(values=[1, 2, 3]), "number of observations is 3, expected at least 29.* set components to at most 1$"),
        (dict(values=[1.0] * 50), "deviation of the observations is 0"),
        (dict(values=[1.0, float("nan"), 2.0]), r"values\[1\] is nan, expected a finite number"),
        (dict(values=[1.0, 2.0, -float("inf")]), r"values\[2\] is -inf"),
        (dict(values=["a", "b"]), "values is an array of <U1, expected real numbers"),
        (dict(values=[1j, 2]), "values is an array of complex128"),
        (dict(values=np.ones((3, 3))), r"values has the shape \(3, 3\), expected 1 dimension$"),
        (dict(values=WAITING, weights=[1.0]), r"weights has the shape \(1,\), expected \(272\)"),
        (dict(values=WAITING, weights=np.zeros(272)), "sum of all weights is 0, expected a positive number"),
        (dict(values=WAITING, components=0), "^components is '0', expected a whole number from 1"),
        (dict(values=WAITING, components=(5, 2)), "^components is '5:2'"),
        (dict(values=WAITING, components="many"), "^components is 'many'"),
        (dict(values=WAITING, starts=0, nelder_mead_starts=0), "numbers of starts of EM and of Nelder-Mead are 0"),
        (dict(values=WAITING, criterion="luck"), "criterion.*'luck'"),
        (dict(values=WAITING, method="luck"), "method is 'luck', expected em or nelder-mead"),
        (dict(values=WAITING, floor=-1), "^floor is '-1"),
        (dict(values=WAITING, bootstrap=3), "number of bootstrap samples is 3"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message) as error:
        sporos.fit(**arguments)
    assert "\n" not in str(error.value) and "--" not in str(error.value)


def test_a_fit_above_the_floor_is_kept():
    # The sample is copper in flour (Venables and Ripley), with ties and an outlier.
    chem = [2.9, 3.1, 3.4, 3.4, 3.7, 3.7, 2.8, 2.5, 2.4, 2.4, 2.7, 2.2, 5.28, 3.37, 3.03, 3.03, 28.95, 3.77]
    chem += [3.4, 2.2, 3.5, 3.6, 3.7, 3.7]
    fit = sporos.fit(chem, (1, 2))
    assert len(fit.means) == 2 and row_of(fit, 2)["bic"] == pytest.approx(78.355, abs=1e-3)
    assert row_of(fit, 2)["starts_at_floor"] == 21 and not fit.table("mixture")["is_at_floor"].any()
    assert len(fit.notes) == 1 and fit.notes[0].startswith("2 components: starts that ended at the floor")
    equal = sporos.fit(chem, (1, 2), deviations="equal")
    assert row_of(equal, 2)["starts_at_floor"] == 0 and len(set(equal.deviations)) == 1 and equal.notes == ()
    with pytest.raises(ValueError, match="floor of the deviations is 1e[+]300, expected less than"):
        sporos.fit(chem, (1, 2), floor=1e300)
