# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests how bench/papers/paper_003_figures_5_8.py evaluates given times and a given profile."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "papers"))
import paper_003_figures_5_8 as figures  # noqa: E402

HEAD = '"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"'
LAUNCH = "void cuda_parallel_launch_local_memory<ParallelFor"
TAUS88, PHILOX = "EngineSource<Taus88>", "EngineSource<Philox4x32OfRounds<10>>"
KERNELS = {"printed threads": f"{LAUNCH}<Replicator<{TAUS88}, 1, bench::InRegisters<bench::RandomWalk>, Cuda>>>(T1)",
           "printed warps": f"{LAUNCH}<OneLaneReplicator<{TAUS88}, bench::InRegisters<bench::RandomWalk>, Cuda>>>(T1)",
           "rereading threads": f"{LAUNCH}<Replicator<{TAUS88}, 1, bench::RandomWalk, Cuda>>>(T1)",
           "rereading warps": f"{LAUNCH}<OneLaneReplicator<{TAUS88}, bench::RandomWalk, Cuda>>>(T1)",
           "cuda threads": f"{LAUNCH}<Replicator<{PHILOX}, 1, models::RandomWalk, Cuda>>>(T1)",
           "cuda warps": f"{LAUNCH}<WarpReplicator<{PHILOX}, models::RandomWalk, Cuda>>>(T1)"}


def profile(launches):
    """Returns the output of ncu for launches: kernel names and the value of each metric."""
    lines = ["==PROF== Connected to process 1", HEAD]
    for number, (kernel, value) in enumerate(launches):
        for metric in {*figures.METRICS.values(), *figures.OPTIONAL_METRICS.values()}:
            lines.append(f'"{number}","1","{kernel}","{metric}","","{value}"')
    return "\n".join([*lines, "==PROF== Disconnected"]) + "\n"


def times(model, seconds):
    """Returns the runs of a model for {way: {replications: seconds}}."""
    counts = sorted({n for line in seconds.values() for n in line})
    return [{"model": model, "work": 1000.0, "replications": n,
             "seconds": {way: [2 * line[n], line[n]] for way, line in seconds.items() if n in line}} for n in counts]


class Profile(unittest.TestCase):
    def test_kernels_are_distinguished_and_in_order(self):
        found = figures.profile_of(profile([(kernel, f"{n},000.5") for n in (1, 2) for kernel in KERNELS.values()] +
                                           [("void sporos::impl::BlockSummarizer<X>(T1)", "7")]))
        self.assertEqual({(one["way"], one["replications"]): one["instructions"] for one in found},
                         {(way, n): value for way in KERNELS for n, value in zip(figures.PROFILED, (1000.5, 2000.5))})

    def test_namespaces_of_kernels(self):
        names = {way: name.replace("<Replicator", "<sporos::impl::Replicator").replace("EngineSource", "sporos::EngineSource")
                 .replace("Taus88", "sporos::Taus88").replace("bench::In", "sporos::bench::printed::In")
                 for way, name in KERNELS.items()}
        found = figures.profile_of(profile([(name, number) for number, name in enumerate(names.values())] * 2))
        self.assertEqual({one["way"]: one["instructions"] for one in found},
                         {way: number for number, way in enumerate(KERNELS)})

    def test_missing_launches_are_reported(self):
        with self.assertRaisesRegex(SystemExit, "the profile has 1 kernel for warps as printed, expected 2"):
            figures.profile_of(profile([(KERNELS["printed warps"], "1")]))

    def test_other_files_are_refused(self):
        with self.assertRaisesRegex(SystemExit, "expected the output of ncu --csv"):
            figures.profile_of("==ERROR== no permission\n")

    def test_missing_metrics(self):
        found = figures.profile_of(profile([(KERNELS["cuda warps"], "n/a")] * 2))
        self.assertIsNone(found[0]["time"])
        self.assertIn("| 64 | our warps |  |", figures.profile_table(found))

    def test_waiting(self):
        self.assertAlmostEqual(figures.waiting_ratio({"waiting": 3, "throttled": 1, "latency": 6}), 2)

    def test_waits_of_a_warp(self):
        of = {"replications": 64, "instructions": 128.0, "waiting": 0.5, "throttled": 0.0, "latency": 4.0, "read requests": 8.0,
              "read hits": 6.0, "read sectors": 8.0}
        self.assertEqual(figures.waits_of_a_warp({**of, "way": "printed threads"}), [4, 75, 32, 224])  # of 2 warps
        self.assertEqual(figures.waits_of_a_warp({**of, "way": "printed warps"}), [0.125, 75, 1, 7])  # of 64 warps


class Times(unittest.TestCase):
    LINES = {"by hand": {1: 1.0, 10: 10.0, 20: 20.0, 30: 30.0}, "printed threads": {1: 60.0, 10: 60.0, 20: 60.0, 30: 20.0},
             "printed warps": {1: 15.0, 10: 15.0, 20: 15.0, 30: 25.0}}

    def test_crossing_is_the_number_from_which_one_side_is_not_slower(self):
        self.assertEqual(figures.crossing(self.LINES["by hand"], self.LINES["printed warps"]), 20)
        self.assertEqual(figures.crossing(self.LINES["printed warps"], self.LINES["printed threads"]), 30)
        self.assertIsNone(figures.crossing(self.LINES["printed threads"], {30: 21.0}))

    def test_claims_and_table(self):
        report = {"context": {"processor": "a processor", "cores": 2, "date": "a day", "threads": {"openmp": 2}},
                  "runs": times("random-walk", self.LINES), "profile": []}
        text = figures.text_of(report)
        self.assertIn("| 20 | 20 s | 60 s | 15 s | 4.00 |", text)
        self.assertRegex(text, r"warps as printed faster than the CPU from +20 +20\n")
        self.assertRegex(text, r"largest speed-up of warps, as printed +6 +4.00 at 1\n")
        self.assertRegex(text, r"threads not slower from, as printed +about 700 +30\n")


if __name__ == "__main__":
    unittest.main()
