# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import sporos

def points_of_command_line(tmp_path, *words):
    file = tmp_path / "points.npy"
    program = Path(os.environ["SPOROS_PROGRAM_FOLDER"]) / "sporos"
    subprocess.run([program, "sample", *words, "--format", "npy", "--output", file], check=True)
    return np.load(file)


@pytest.mark.parametrize("sampling", sporos.info()["samplings"])
def test_same_bits_as_the_command_line(sampling, tmp_path):
    expected = points_of_command_line(tmp_path, sampling, "--points=60", "--dimensions=3", "--set=2", "--seed=9")
    for backend in sporos.backends():
        points = sporos.sample(sampling, 60, 3, set=2, seed=9, backend=backend)
        np.testing.assert_array_equal(points, expected)
    assert points.flags["C_CONTIGUOUS"] and points.flags["WRITEABLE"]


def test_a_sample_continues():
    whole = sporos.sample("sobol", 100, 2)
    np.testing.assert_array_equal(sporos.sample("sobol", 40, 2, first=60), whole[60:])


def test_variates_are_quantiles():
    uniforms = sporos.sample("random", 1000, 2, engine="taus88")
    variates = sporos.sample(
        "random", 1000, 2, engine="taus88", distribution=["exponential(2)", "uniform-integer(1, 6)"]
    )
    np.testing.assert_allclose(variates[:, 0], -np.log(uniforms[:, 0]) / 2, rtol=1e-12)
    assert set(variates[:, 1]) == set(range(1, 7))


def test_one_distribution_for_all_dimensions():
    normals = sporos.sample("latin-hypercube", 4096, 3, distribution="normal(10, 2)")
    # The error of a stratified mean is below the largest stratum's width over n, about 1e-3.
    np.testing.assert_allclose(normals.mean(axis=0), 10, atol=0.01)
    np.testing.assert_allclose(normals.std(axis=0), 2, rtol=0.02)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(sampling="dice", points=1), "sampling.*'dice'"),
        (dict(sampling="random", points=0), "^points is '0', expected a whole number from 1"),
        (dict(sampling="random", points=1, dimensions=0), "^dimensions is '0'"),
        (dict(sampling="random", points=2**28, dimensions=2), "expected at most 268435456"),
        (dict(sampling="sobol", points=1, engine="philox"), "^engine is given for sampling sobol, expected it with rand"),
        (dict(sampling="random", points=1, first=-1), "first is '-1'"),
        (dict(sampling="descriptive", points=2, first=2), "first is '2', expected 0 for sampling descriptive"),
        (dict(sampling="random", points=1, distribution="dice(6)"), r"distribution is 'dice\(6\)': .*expected one of"),
        (dict(sampling="random", points=1, distribution="normal(0, -1)"), "deviation is -1"),
        (dict(sampling="random", points=1, dimensions=3, distribution=["poisson(1)"] * 2), "distribution has 2 entries"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message) as error:
        sporos.sample(**arguments)
    assert "\n" not in str(error.value) and "--" not in str(error.value)
