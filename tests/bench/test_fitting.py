# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that bench/harness/fitting.py recovers the parameters of generated values."""
import math
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.fitting import common_slope, median_interval, slope_through_origin, standard_error, two_terms  # noqa: E402


class Fits(unittest.TestCase):
    def test_line_through_the_origin(self):
        self.assertAlmostEqual(slope_through_origin([(1, 3), (2, 6), (5, 15)]), 3)
        self.assertAlmostEqual(slope_through_origin([(1, 1), (2, 1)]), 3 / 5)

    def test_lines_with_a_common_slope(self):
        groups = [[(x, height + 0.25 * x) for x in (1, 2, 7)] for height in (-1, 0, 40)]
        self.assertAlmostEqual(common_slope(groups), 0.25)
        self.assertNotAlmostEqual(slope_through_origin(sum(groups, [])), 0.25, 1)

    def test_two_terms(self):
        u, v = two_terms([(x, y, 2 * x + 0.01 * y) for x, y in ((8, 1), (4, 2), (2, 4), (1, 8))])
        self.assertAlmostEqual(u, 2)
        self.assertAlmostEqual(v, 0.01)

    def test_two_terms_without_the_second(self):
        self.assertEqual(two_terms([(2, 0, 6), (4, 0, 12)]), (3, 0))

    def test_two_collinear_terms(self):
        self.assertEqual(two_terms([(2, 1, 6), (4, 2, 12)])[1], 0)

    def test_standard_error(self):
        self.assertAlmostEqual(standard_error([1, 2, 3, 4]), math.sqrt(5 / 3 / 4))


class MedianInterval(unittest.TestCase):
    # Expected values follow Conover, Practical Nonparametric Statistics, section 3.2.
    def test_few_values_give_their_range(self):
        self.assertEqual(median_interval([3, 1]), (1, 3, 0.5))
        self.assertEqual(median_interval([5, 4, 3, 2, 1, 0]), (0, 5, 1 - 2 / 64))

    def test_many_values_give_inner_values(self):
        self.assertEqual(median_interval(range(9)), (1, 7, 1 - 2 * 10 / 512))

    def test_coverage_equals_the_confidence(self):
        """Uses 4000 samples of 9 exponential variates; fails by chance once in two million runs (5 standard errors)."""
        numbers, samples = random.Random(1), 4000
        def is_held(low, high):
            return low <= math.log(2) <= high

        held = narrow = 0
        for _ in range(samples):
            values = sorted(numbers.expovariate(1) for _ in range(9))
            low, high, confidence = median_interval(values)
            held += is_held(low, high)
            narrow += is_held(values[2], values[6])
        error = math.sqrt(confidence * (1 - confidence) / samples)
        self.assertLess(abs(held / samples - confidence), 5 * error)
        self.assertGreater(abs(narrow / samples - confidence), 5 * error)


if __name__ == "__main__":
    unittest.main()
