# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bench/germinal_centre/germinal_centre_scaling.py finds in times that follow the models exactly."""
import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.germinal_centre.germinal_centre_scaling import BANDWIDTH, LATENCY, Estimate, Scaling, speed_up, text_of  # noqa: E402

# STEP and OWN are in seconds. OWN is the time that an exchange takes for each rank.
STEP, EXCHANGES, KAPPA, OVERHEAD, OWN = 6e-3, [1, 2, 10], 0.004, 1e-3, 2e-7


def report(cores=8, loss=0.0, of_crowd=1.0, share=1.0):
    """Of ranks that lose the share `loss`, of which those who share cores take `of_crowd` times as long as they should, and
    the others get `share` of theirs."""
    def runs(seconds_of):
        return {"runs": [{"steps_per_exchange": n, "local_steps": 20, "seconds": 20 * seconds_of(n), "agents": 5,
                          "share_of_core": share, "exchange_seconds": 1e-5, "exchange_seconds_with_waiting": 1e-4} for n in EXCHANGES]}

    def of_ranks(ranks):
        turns = of_crowd * ranks / cores if ranks > cores else 1
        return runs(lambda n: STEP * turns * (1 + (loss + KAPPA * ranks / n if ranks > 1 else 0)))

    def of_threads(threads):
        return runs(lambda n: STEP * (1 / threads + threads * OVERHEAD))

    one = {"ranks": {str(p): of_ranks(p) for p in (1, 2, 4, 8, 16)}, "threads": {str(p): of_threads(p) for p in (1, 2, 4, 8)},
           "one_of": {str(p): runs(lambda n, p=p: STEP + p * OWN / n) for p in (1000, 10_000)}}
    context = {"processor": "a processor", "cores": cores, "cpus": cores, "date": "a day", "load": 0.0, "cells": 1, "agents": 5,
               "elements": 2016, "bytes_of_centre": 448, "local_steps": 20, "steps_per_exchange": EXCHANGES, "thread_exchange": 10}
    return {"context": context, "rounds": [one, one]}


class Ranks(unittest.TestCase):
    def test_kappa_of_the_papers_model(self):
        scaling = Scaling(report())
        for kappa in scaling.kappas():
            self.assertAlmostEqual(kappa, KAPPA)
        self.assertAlmostEqual(scaling.efficiency(8, 2).median, 1 / (1 + 8 / 2 * KAPPA))

    def test_kappa_beside_what_ranks_take_from_each_other(self):
        scaling = Scaling(report(loss=0.05))
        for kappa, loss in scaling.kappas_and_losses():
            self.assertAlmostEqual(kappa, KAPPA)
            self.assertAlmostEqual(loss, 0.05)
        self.assertGreater(min(scaling.kappas()), 2 * KAPPA)  # the model of Lee (2012) attributes the loss to messages

    def test_ranks_that_share_cores_are_not_fitted(self):
        scaling = Scaling(report(of_crowd=3))
        self.assertEqual(scaling.of_own_cores(), [2, 4, 8])
        for kappa in scaling.kappas():
            self.assertAlmostEqual(kappa, KAPPA)
        self.assertIn("More than 8 ranks or threads share cores here", text_of(report(of_crowd=3)))

    def test_ranks_that_share_cores_are_set_against_what_these_allow(self):
        self.assertAlmostEqual(Scaling(report()).efficiency(16, 1).median, 1 / (1 + 16 * KAPPA))

    def test_cores_on_which_others_are_at_work(self):
        self.assertIn("of a core of its own a rank got 90 %", text_of(report(share=0.9)))
        self.assertNotIn("Others were at work", text_of(report()))

    def test_without_ranks_that_have_cores_of_their_own(self):
        alone = report(cores=1)
        self.assertEqual(Scaling(alone).kappas(), [])
        self.assertIn("κ is not fitted", text_of(alone))
        self.assertIn("T_s is not fitted", text_of(alone))

    def test_ten_thousand_ranks(self):
        scaling, n = Scaling(report()), 10
        network = LATENCY * math.log2(10_000) + 10_000 * 448 / BANDWIDTH
        self.assertAlmostEqual(scaling.reckoned(10_000, n).median, STEP / (STEP + (10_000 * OWN + network) / n))
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
    def test_fall_with_what_falls(self):
        falling = Estimate(2, 1, 4, 0.9).mapped(lambda value: 1 / value)
        self.assertEqual(falling, Estimate(0.5, 0.25, 1, 0.9))


if __name__ == "__main__":
    unittest.main()
