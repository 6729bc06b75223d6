# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Test functions of Moré, Garbow and Hillstrom (ACM TOMS 7, 1981): sums of squares with starts and minima."""

import numpy as np


def _rosenbrock(x):
    return [10 * (x[1] - x[0] ** 2), 1 - x[0]], [[-20 * x[0], 10], [-1, 0]]


def _freudenstein_roth(x):
    y = x[1]
    residuals = [-13 + x[0] + ((5 - y) * y - 2) * y, -29 + x[0] + ((y + 1) * y - 14) * y]
    return residuals, [[1, (10 - 3 * y) * y - 2], [1, (3 * y + 2) * y - 14]]


def _beale(x):
    powers = np.array([x[1], x[1] ** 2, x[1] ** 3])
    slopes = np.array([1, 2 * x[1], 3 * x[1] ** 2])
    return np.array([1.5, 2.25, 2.625]) - x[0] * (1 - powers), np.column_stack([powers - 1, x[0] * slopes])


def _powell_singular(x):
    a, b, c, d = x
    near, far = b - 2 * c, a - d
    root = np.sqrt([5, 10])
    return (
        [a + 10 * b, root[0] * (c - d), near**2, root[1] * far**2],
        [
            [1, 10, 0, 0],
            [0, 0, root[0], -root[0]],
            [0, 2 * near, -4 * near, 0],
            [2 * root[1] * far, 0, 0, -2 * root[1] * far],
        ],
    )


def _wood(x):
    a, b, c, d = x
    r90, r10 = np.sqrt([90, 10])
    return (
        [10 * (b - a**2), 1 - a, r90 * (d - c**2), 1 - c, r10 * (b + d - 2), (b - d) / r10],
        [
            [-20 * a, 10, 0, 0],
            [-1, 0, 0, 0],
            [0, 0, -2 * r90 * c, r90],
            [0, 0, -1, 0],
            [0, r10, 0, r10],
            [0, 1 / r10, 0, -1 / r10],
        ],
    )


def objective(residuals):
    """Returns the sum of squares as a function of x."""
    return lambda x: float(np.square(residuals(x)[0]).sum())


def gradient(residuals):
    """Returns the gradient of the sum of squares as a function of x."""
    return lambda x: 2 * np.asarray(residuals(x)[1]).T @ np.asarray(residuals(x)[0])


# Name: residuals with their Jacobian, standard start, minima of the sum of squares.
PROBLEMS = {
    "rosenbrock": (_rosenbrock, [-1.2, 1.0], (0.0,)),
    "freudenstein-roth": (_freudenstein_roth, [0.5, -2.0], (0.0, 48.984253679)),
    "beale": (_beale, [1.0, 1.0], (0.0,)),
    "powell-singular": (_powell_singular, [3.0, -1.0, 0.0, 1.0], (0.0,)),
    "wood": (_wood, [-3.0, -1.0, -3.0, -1.0], (0.0,)),
}
