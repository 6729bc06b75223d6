# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Least-squares fits of time models, and confidence intervals for medians."""
import math
import statistics


def slope_through_origin(points):
    """Returns the least-squares slope x of y = x a for points (a, y)."""
    return sum(a * y for a, y in points) / sum(a * a for a, _ in points)


def common_slope(groups):
    """Returns the common slope of lines through groups of points (a, y), each with a separate intercept."""
    centred = []
    for points in groups:
        mean_a, mean_y = (statistics.fmean(values) for values in zip(*points))
        centred += [(a - mean_a, y - mean_y) for a, y in points]
    return slope_through_origin(centred)


def two_terms(rows):
    """Fits value = u x + v y to rows (x, y, value) by least squares of relative errors, and returns u and v.

    If x and y are collinear, v is 0.
    """
    relative = [(x / value, y / value) for x, y, value in rows]
    aa, ab, bb = (sum(r[i] * r[j] for r in relative) for i, j in ((0, 0), (0, 1), (1, 1)))
    a, b = sum(r[0] for r in relative), sum(r[1] for r in relative)
    determinant = aa * bb - ab * ab
    if determinant <= 1e-12 * aa * bb:
        return a / aa, 0.0
    return (a * bb - b * ab) / determinant, (b * aa - a * ab) / determinant


def standard_error(values):
    """Returns the standard error of the mean."""
    return statistics.stdev(values) / math.sqrt(len(values))


def median_interval(values, confidence=0.95):
    """Returns the ends of a distribution-free confidence interval for the median, and its confidence.

    The interval extends from the k-th smallest to the k-th largest value, where k is as large as `confidence` allows, but
    at least 1.
    """
    ordered, count = sorted(values), len(values)
    def covered(k):  # probability that both sides of the median have at least k values
        return 1 - 2 * sum(math.comb(count, i) for i in range(k)) / 2**count

    k = max((k for k in range(1, count // 2 + 1) if covered(k) >= confidence), default=1)
    return ordered[k - 1], ordered[count - k], covered(k)
