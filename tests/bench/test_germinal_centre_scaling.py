# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests how bench/germinal_centre/germinal_centre_scaling.py evaluates times that follow the models exactly."""
import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.germinal_centre.germinal_centre_scaling import BANDWIDTH, LATENCY, Estimate, Scaling, speed_up, text_of  # noqa: E402

# STEP and WORK are in seconds. WORK is the computing time of an exchange for each rank.
STEP, EXCHANGES, KAPPA, OVERHEAD, WORK = 6e-3, [1, 2, 10], 0.004, 1e-3, 2e-7


def report(cores=8, loss=0.0, crowd_factor=1.0, share=1.0):
    """Returns a report of ranks that lose the fraction `loss` of their time.

    Ranks that share cores take `crowd_factor` times as long as the cores allow. The other ranks get the fraction `share` of
    their core.
    """
    def runs(seconds_of):
        return {"runs": [{"steps_per_exchange": n, "local_steps": 20, "seconds": 20 * seconds_of(n), "agents": 5,
                          "share_of_core": share, "exchange_seconds": 1e-5, "exchange_seconds_with_waiting": 1e-4} for n in EXCHANGES]}

    def of_ranks(ranks):
        turns = crowd_factor * ranks / cores if ranks > cores else 1
        return runs(lambda n: STEP * turns * (1 + (loss + KAPPA * ranks / n if ranks > 1 else 0)))

    def of_threads(threads):
        return runs(lambda n: STEP * (1 / threads + threads * OVERHEAD))

    one = {"ranks": {str(p): of_ranks(p) for p in (1, 2, 4, 8, 16)}, "threads": {str(p): of_threads(p) for p in (1, 2, 4, 8)},
           "one_of": {str(p): runs(lambda n, p=p: STEP + p * WORK / n) for p in (1000, 10_000)}}
    context = {"processor": "a processor", "cores": cores, "cpus": cores, "date": "a day", "load": 0.0, "cells": 1, "agents": 5,
               "elements": 2016, "bytes_of_centre": 448, "local_steps": 20, "steps_per_exchange": EXCHANGES, "thread_exchange": 10}
    return {"context": context, "rounds": [one, one]}


class Ranks(unittest.TestCase):
    def test_kappa_of_lees_model(self):
        scaling = Scaling(report())
        for kappa in scaling.kappas():
            self.assertAlmostEqual(kappa, KAPPA)
        self.assertAlmostEqual(scaling.efficiency(8, 2).median, 1 / (1 + 8 / 2 * KAPPA))

    def test_kappa_with_a_loss_between_exchanges(self):
        scaling = Scaling(report(loss=0.05))
        for kappa, loss in scaling.kappas_and_losses():
            self.assertAlmostEqual(kappa, KAPPA)
            self.assertAlmostEqual(loss, 0.05)
        self.assertGreater(min(scaling.kappas()), 2 * KAPPA)  # the model of Lee (2012) attributes the loss to messages

    def test_ranks_that_share_cores_are_not_fitted(self):
        scaling = Scaling(report(crowd_factor=3))
        self.assertEqual(scaling.dedicated_ranks(), [2, 4, 8])
        for kappa in scaling.kappas():
            self.assertAlmostEqual(kappa, KAPPA)
        self.assertIn("More than 8 ranks or threads share cores here", text_of(report(crowd_factor=3)))

    def test_efficiency_of_shared_cores_is_relative_to_the_cores(self):
        self.assertAlmostEqual(Scaling(report()).efficiency(16, 1).median, 1 / (1 + 16 * KAPPA))

    def test_busy_cores_are_reported(self):
        self.assertIn("A rank got 90 % of a dedicated core", text_of(report(share=0.9)))
        self.assertNotIn("Other processes were running", text_of(report()))

    def test_one_core(self):
        one_core = report(cores=1)
        self.assertEqual(Scaling(one_core).kappas(), [])
        self.assertIn("κ is not fitted", text_of(one_core))
        self.assertIn("T_s is not fitted", text_of(one_core))

    def test_ten_thousand_ranks(self):
        scaling, n = Scaling(report()), 10
        network = LATENCY * math.log2(10_000) + 10_000 * 448 / BANDWIDTH
        self.assertAlmostEqual(scaling.projected(10_000, n).median, STEP / (STEP + (10_000 * WORK + network) / n))
        self.assertIn(f"| 1 | {1 / (1 + 10_000 * KAPPA):.3f} [", text_of(report()))


class Threads(unittest.TestCase):
    def test_overhead(self):
        for overhead in Scaling(report()).overheads():
            self.assertAlmostEqual(overhead, OVERHEAD)
        # One thread has the overhead, too.
        self.assertAlmostEqual(Scaling(report()).speed_ups(4)[0] / (1 + OVERHEAD), speed_up(4, OVERHEAD))

    def test_threads_that_take_longer_than_one(self):
        slow = report()
        slow["rounds"][0]["threads"] = {"1": slow["rounds"][0]["threads"]["8"], "2": slow["rounds"][0]["threads"]["1"]}
        self.assertEqual(Scaling(slow).overheads(), [])
        self.assertIn("T_s is not fitted", text_of(slow))

    def test_maximum(self):
        best = 1 / math.sqrt(OVERHEAD)
        self.assertIn(f"maximum S = {best / 2:.3g} at p* = √(N T_W/T_s) = {best:.0f} [", text_of(report()))


class Estimates(unittest.TestCase):
    def test_interval_of_a_decreasing_function(self):
        falling = Estimate(2, 1, 4, 0.9).mapped(lambda value: 1 / value)
        self.assertEqual(falling, Estimate(0.5, 0.25, 1, 0.9))


if __name__ == "__main__":
    unittest.main()
