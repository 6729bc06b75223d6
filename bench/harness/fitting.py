# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of time fitted to what was measured, by least squares, and how far to trust a median."""
import math
import statistics


def slope_through_origin(points):
    """The x of y = x a that lies closest to points (a, y)."""
    return sum(a * y for a, y in points) / sum(a * a for a, _ in points)


def common_slope(groups):
    """The slope that lines through groups of points (a, y) have in common, each line with a height of its own."""
    centred = []
    for points in groups:
        mean_a, mean_y = (statistics.fmean(values) for values in zip(*points))
        centred += [(a - mean_a, y - mean_y) for a, y in points]
    return slope_through_origin(centred)


def two_terms(rows):
    """The u and v of value = u x + v y, by least squares of relative errors, from rows (x, y, value). Where the rows
    cannot tell one from the other, v is 0."""
    relative = [(x / value, y / value) for x, y, value in rows]
    aa, ab, bb = (sum(r[i] * r[j] for r in relative) for i, j in ((0, 0), (0, 1), (1, 1)))
    a, b = sum(r[0] for r in relative), sum(r[1] for r in relative)
    determinant = aa * bb - ab * ab
    if determinant <= 1e-12 * aa * bb:
        return a / aa, 0.0
    return (a * bb - b * ab) / determinant, (b * aa - a * ab) / determinant


def standard_error(values):
    """Of their mean."""
    return statistics.stdev(values) / math.sqrt(len(values))


def median_interval(values, confidence=0.95):
    """An interval for the median of what the values were drawn from, whatever its distribution, and its confidence: from
    the k-th least to the k-th greatest of them, k as large as `confidence` allows; all of them where there are too few."""
    ordered, count = sorted(values), len(values)
    def covered(k):  # probability that both sides of the median have at least k values
        return 1 - 2 * sum(math.comb(count, i) for i in range(k)) / 2**count

    k = max((k for k in range(1, count // 2 + 1) if covered(k) >= confidence), default=1)
    return ordered[k - 1], ordered[count - k], covered(k)
