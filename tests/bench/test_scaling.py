# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests how bench/scaling evaluates times that follow Gustafson's law exactly."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

PATH = pathlib.Path(__file__).resolve().parents[2] / "bench" / "scaling"
LOADER = importlib.machinery.SourceFileLoader("scaling", str(PATH))
scaling = importlib.util.module_from_spec(importlib.util.spec_from_loader("scaling", LOADER))
sys.dont_write_bytecode = True
LOADER.exec_module(scaling)

SHARE, SECONDS = 0.04, 30.0


def scaled(share):
    """Returns times of p processes on p times the work, with the sequential fraction `share`: T(p) = p T(1) / S."""
    return [{"processes": p, "seconds": p * SECONDS / (p - (p - 1) * share)} for p in (1, 2, 3, 4, 5, 6)]


class Gustafson(unittest.TestCase):
    def test_sequential_share(self):
        self.assertAlmostEqual(scaling.sequential_share(scaling.scaled_speed_ups(scaled(SHARE))), SHARE)
        self.assertNotAlmostEqual(scaling.sequential_share(scaling.scaled_speed_ups(scaled(2 * SHARE))), SHARE, 2)

    def test_law_for_five_workers(self):
        workers, gain = scaling.scaled_speed_ups(scaled(SHARE))[-1]
        self.assertEqual(workers, 5)
        self.assertAlmostEqual(gain, 6 - 5 * SHARE)

    def test_table(self):
        self.assertIn("| 5 | 5.800 | 5.800 |", scaling.gustafson_text(scaled(SHARE)))
        self.assertEqual(scaling.gustafson_text(scaled(SHARE)[:1]), "")


if __name__ == "__main__":
    unittest.main()
