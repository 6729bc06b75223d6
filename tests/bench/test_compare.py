# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests how bench/compare compares measurements with goals and with a stored run."""
import argparse
import dataclasses
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest
from contextlib import redirect_stderr
from unittest import mock

sys.dont_write_bytecode = True
TREE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE))
from bench import compare_goals, compare_portability  # noqa: E402
from bench.germinal_centre import steps  # noqa: E402
from bench.harness.measurement import Measurement, cases, over_rounds, restored  # noqa: E402
from bench.harness.measuring import until_steady  # noqa: E402
from bench.mixtures import mixtures  # noqa: E402
from bench.radiation import radiation  # noqa: E402
from bench.replications import draw, gpu_random, two_cards  # noqa: E402
from bench.variates import scipy_peer  # noqa: E402


def measured(side, seconds, **others):
    values = {"task": "newsvendor", "size": 100, "sizes": "products", "unit": "iteration", **others}
    return Measurement(side=side, seconds=seconds, **values)


def stored(measurements):
    return {one.case: one.seconds for one in measurements}


def script():
    """Returns bench/compare as a module."""
    loader = importlib.machinery.SourceFileLoader("compare", str(TREE / "bench" / "compare"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare", loader))
    loader.exec_module(module)
    return module


class Rounds(unittest.TestCase):
    """Three synthetic rounds: one side is steady, a peer is cold in the first round."""

    SECONDS = {"serial": (1e-6, 1.05e-6, 1.09e-6), "JAX float64": (9e-6, 4e-6, 4.1e-6)}

    def rounds(self):
        return [[measured(side, seconds[number], floor=seconds[number] / 2) for side, seconds in self.SECONDS.items()]
                for number in range(3)]

    def test_the_fastest_round_counts(self):
        ours, peer = over_rounds(self.rounds())
        self.assertEqual((ours.seconds, ours.floor, ours.rounds), (1e-6, 0.5e-6, self.SECONDS["serial"]))
        self.assertAlmostEqual(ours.spread, 0.09)
        self.assertEqual((ours.is_unsteady, peer.is_unsteady), (False, True))
        self.assertEqual(peer.seconds, 4e-6)

    def test_cases_that_a_round_has_twice_count_once(self):
        twice = [measured("serial", 3e-6), measured("serial", 2e-6)]
        (one,) = over_rounds([twice, twice[1:]])
        self.assertEqual((one.seconds, one.rounds), (2e-6, (2e-6, 2e-6)))

    def test_the_table_has_spread_and_marks(self):
        compare = script()
        context = {"processor": "EPYC", "cores": "2", "gpu": "H100", "cuda": "13.0", "compiler": "g++ 12", "options": "Release",
                   "kokkos": "4.6.1", "sporos": "0.1.0", "date": "2026-11-29T00:00:00", "peers": {"jax": "0.11.2"}}
        text = compare.text_of(over_rounds(self.rounds()), context, [])
        self.assertIn("H100 with EPYC, 2 cores; g++ 12 and nvcc 13.0 (Release), Kokkos 4.6.1, Sporos 0.1.0, jax 0.11.2; 2026-", text)
        self.assertIn("slowest of 3 rounds", text)
        self.assertIn("1 figure of 2 whose rounds differ by more than 10%: †", text)
        self.assertIn("| 1 – 1.09 |", text)
        self.assertIn("| JAX float64 | 4 – 9 † | **4** † |", text)

    def test_a_stored_run_has_its_rounds(self):
        for one in over_rounds(self.rounds()):
            self.assertEqual(restored(json.loads(json.dumps(dataclasses.asdict(one)))), one)

    def test_topics_run_in_every_round(self):
        compare = script()
        options = compare.Options(topics=["frank_wolfe", "events"], backends=["serial"], rounds=3)
        with mock.patch.object(compare, "measure", side_effect=lambda *of: None if of[0] == "events" else of[:3]) as measure:
            reports = compare.measure_all(options)
        self.assertEqual([call.args[:3] for call in measure.call_args_list],
                         [("frank_wolfe", "host", 1), ("events", "host", 1), ("frank_wolfe", "host", 2), ("frank_wolfe", "host", 3)])
        self.assertEqual((len(reports["frank_wolfe", "host"]), reports["events", "host"]), (3, []))

    def test_fewer_rounds_are_refused(self):
        compare = script()
        for arguments, expected in (([], 3), (["--smoke"], 1), (["--rounds", "5"], 5)):
            with mock.patch("sys.argv", ["compare", "FOLDER", *arguments]):
                self.assertEqual(compare.parsed().rounds, expected)
        with mock.patch("sys.argv", ["compare", "FOLDER", "--rounds", "2"]), self.assertRaises(SystemExit) as refused:
            compare.parsed()
        self.assertIn("--rounds is 2; give 3 or more", str(refused.exception))


class Kernels(unittest.TestCase):
    """The reduced topics of --kernels."""

    @staticmethod
    def options(*arguments):
        compare = script()
        with mock.patch("sys.argv", ["compare", "FOLDER", "--kernels", *arguments]):
            return compare, compare.parsed()

    def command(self, topic, place):
        compare, options = self.options()
        return [str(part) for part in options.all_topics[topic].command(place, options, "report")]

    def test_every_kernel_belongs_to_a_topic(self):
        tasks = {"replications": ["uniform variates", "M/M/1, 100 customers", "M/M/3/5, 167 events", "random walk, 500 steps"],
                 "events": ["M/M/1 through a calendar"], "radiation": ["photons, lit/cube_60"],
                 "frank_wolfe": ["portfolio", "newsvendor"], "quasi_newton": ["stochastic quasi-Newton"],
                 "mixtures": ["log-likelihood, value, 64 at once, float64"]}
        self.assertEqual(self.options()[1].topics, list(tasks))
        self.assertEqual([task for found in tasks.values() for task in found],
                         [kernel.task for kernel in compare_portability.KERNELS])

    def test_programs_run_only_the_largest_size(self):
        for place, backends, many, fewer in (("host", ("serial", "openmp"), 10**5, 10**4), ("gpu", ("cuda",), 10**6, 10**5)):
            names = next(part for part in self.command("replications", place) if "filter" in part).partition("=")[2]
            for backend in backends:
                self.assertRegex(f"sweep/mmck/{backend}/{many}/iterations:1/manual_time", names)
                self.assertRegex(f"random/exponential/{backend}/kokkos_xorshift64/iterations:1/manual_time", names)
                self.assertNotRegex(f"sweep/mmck/{backend}/{fewer}/iterations:1/manual_time", names)
            self.assertNotRegex(f"sweep/pi/{backends[0]}/{many}/iterations:1/manual_time", names)

    def test_scripts_have_the_sizes_of_the_table(self):
        for place in ("host", "gpu"):
            for topic, flags in (("frank_wolfe", "--smallest 10000 --largest 10000"), ("quasi_newton", "--sizes 1000"),
                                 ("radiation", "--cases lit/cube_60"), ("mixtures", "--tasks value/batch gradient/batch"),
                                 ("events", "--without-network")):
                command = " ".join(self.command(topic, place))
                self.assertTrue(command.endswith(flags), command)

    def test_mixtures_run_only_their_tasks(self):
        options = argparse.Namespace(backends=["serial", "cuda"], precisions=["float64"], tasks=["value/batch", "value/queued"])
        names = mixtures.Bench(options, None).names()
        for name in ("value/cuda/float64/batch", "value/serial/float64/batch", "value/cuda/float64/recorded", "exp2/cuda/float64"):
            self.assertRegex(name + "/real_time", names)
        for name in ("value/openmp/float64/batch", "value/cuda/float32/batch", "value/cuda/float64/single",
                     "gradient/cuda/float64/batch", "exp2/openmp/float64"):
            self.assertNotRegex(name + "/real_time", names)

    def test_photons_fly_only_in_the_requested_case(self):
        options = argparse.Namespace(program="program", backends=["cuda"], repeats=2, cases=[radiation.LIT], smoke=False, cores={0})
        with mock.patch.object(radiation, "run_program", return_value={"context": {}, "benchmarks": []}) as ran:
            radiation.run_ours(options)
        names = dict(zip(*[iter(ran.call_args.args[1])] * 2))["--benchmark_filter"]
        self.assertRegex("lit/cube_60/cuda/real_time", names)
        self.assertRegex("double_operations/cuda/real_time", names)
        for name in ("plates/exact/cuda", "lit/cube_60/serial", "tally_additions/103/cuda"):
            self.assertNotRegex(name + "/real_time", names)

    def test_topics_without_a_kernel_are_refused(self):
        self.assertEqual(self.options("--topics", "events")[1].topics, ["events"])
        with self.assertRaises(SystemExit) as refused:
            self.options("--topics", "events", "variates")
        self.assertIn("--topics has variates; with --kernels, give some of replications, events, ", str(refused.exception))

    def test_reports_of_all_sizes_are_not_mistaken_for_those_of_kernels(self):
        compare, options = self.options()
        with tempfile.TemporaryDirectory() as folder:
            options.folder = pathlib.Path(folder)
            (options.folder / "events-host-1.json").write_text("1")
            (options.folder / "kernels-events-host-1.json").write_text("2")
            self.assertEqual(compare.measure("events", "host", 1, options), 2)
            options.kernels = False
            self.assertEqual(compare.measure("events", "host", 1, options), 1)


class Clocks(unittest.TestCase):
    """A device whose launches take less and less time until its clock has risen."""

    def launches(self, seconds, limit=3.0):
        """Returns whether the times became steady, and the number of launches."""
        now, count = [0.0], [0]

        def launch():
            now[0] += seconds(count[0])
            count[0] += 1

        return until_steady(launch, window=20, limit=limit, clock=lambda: now[0]), count[0]

    def test_launches_end_when_the_clock_has_risen(self):
        self.assertEqual(self.launches(lambda launch: 1e-3 * max(1, 5 - launch / 10)), (True, 60))
        self.assertEqual(self.launches(lambda launch: 1e-3), (True, 20))

    def test_launches_that_stay_unsteady_end_at_the_limit(self):
        is_steady, launches = self.launches(lambda launch: 1e-3 * (1 + launch % 2))
        self.assertFalse(is_steady)
        self.assertAlmostEqual(launches, 2000, delta=1)


class Portability(unittest.TestCase):
    """A machine with two cores and a GPU."""

    def platforms(self, *measurements, gpu="card"):
        rows = [dataclasses.asdict(one) for one in measurements]
        context = {"processor": "EPYC", "openmp_threads": "2"} | ({"gpu": gpu} if gpu else {})
        return compare_portability.platforms_of({"context": context, "measurements": rows})

    def queue(self, side, seconds, floor=None, size=100_000, **others):
        return measured(side, seconds, task="M/M/1, 100 customers", unit="replication", size=size, floor=floor, **others)

    def test_efficiencies(self):
        core, cores, card = self.platforms(
            self.queue("serial", 4e-9, 1e-9), self.queue("openmp", 2e-9, 1e-9), self.queue("loop by hand", 3e-9),
            self.queue("cuda", 9e-9, 1e-9), self.queue("cuda", 4e-12, 1e-12, size=10**6))
        kernel = next(one for one in compare_portability.KERNELS if one.task == "M/M/1, 100 customers")
        self.assertEqual([one.name for one in (core, cores, card)], ["EPYC, 1 core", "EPYC, 2 cores", "card"])
        self.assertEqual([one.of_limit(kernel) for one in (core, cores, card)], [0.25, 0.5, 0.25])
        self.assertAlmostEqual(core.of_best(kernel), 0.75)
        self.assertAlmostEqual(cores.of_best(kernel), 0.75)  # the loop by hand, if it ran on both cores
        self.assertIsNone(card.of_best(kernel))  # no other program was measured there
        text = compare_portability.text_of([core, cores, card])
        self.assertIn("| M/M/1, 100 customers | 25 % / 75 % | 50 % / 75 % | 25 % / – | 30 % / – |", text)
        self.assertIn("| portfolio, 10 000 assets | – / – | – / – | – / – | – / – |", text)

    def test_programs_on_all_cores_and_on_the_gpu(self):
        def portfolio(side, seconds, on_gpu=False, size=10_000):
            return measured(side, seconds, task="portfolio", size=size, on_gpu=on_gpu)

        platforms = self.platforms(portfolio("serial", 2.0), portfolio("openmp", 1.0), portfolio("JAX float64", 0.5),
                                   portfolio("cuda", 4.0), portfolio("JAX float32", 3.0, True), portfolio("cuda", 1.0, size=500))
        kernel = next(one for one in compare_portability.KERNELS if one.task == "portfolio")
        self.assertEqual([one.of_best(kernel) for one in platforms], [0.25, 0.5, 0.75])
        self.assertEqual({one.of_limit(kernel) for one in platforms}, {None})

    def test_names_of_processors(self):
        for name, expected in (("Intel(R) Xeon(R) Processor", "Intel Xeon"), ("AMD EPYC", "AMD EPYC")):
            self.assertEqual(compare_portability.short_name(name), expected)

    def test_efficiencies_are_at_most_one(self):
        (core,) = self.platforms(self.queue("serial", 2e-9, 3e-9), self.queue("loop by hand", 4e-9), gpu=None)
        kernel = compare_portability.KERNELS[1]
        self.assertEqual((core.of_limit(kernel), core.of_best(kernel)), (1, 1))

    def test_limits_by_draws(self):
        def draw(side, seconds):
            return measured(side, seconds, task="exponential variates", size=1, unit="draw")

        calendar = measured("serial", 8e-9, task="M/M/1 through a calendar", size=16, unit="customer")
        (core,) = self.platforms(calendar, draw("serial", 2e-9), draw("kokkos_xorshift64, Serial", 1e-9),
                                 draw("kokkos_xorshift64, OpenMP", 0.5e-9), gpu=None)
        kernel = next(one for one in compare_portability.KERNELS if one.draws)
        self.assertEqual(core.of_limit(kernel), 0.25)
        (without,) = self.platforms(calendar, gpu=None)
        self.assertIsNone(without.of_limit(kernel))

    def test_the_harmonic_mean(self):
        """The example of the definition: 0 for a platform without the kernel, not the mean of the others."""
        self.assertAlmostEqual(compare_portability.portability([0.5, 1.0]), 2 / 3)
        self.assertEqual(compare_portability.portability([0.5, 0]), 0)
        self.assertIsNone(compare_portability.portability([0.5, None]))
        self.assertIsNone(compare_portability.portability([]))

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "compare.json"
            path.write_text(json.dumps({"context": {"processor": "EPYC"}, "measurements": [
                dataclasses.asdict(self.queue("serial", 2e-9))]}))
            self.assertEqual([one.name for one in compare_portability.read_platforms([path])], ["EPYC, 1 core"])
            for paths, expected in (([path, path], "has the platform EPYC, 1 core, as an earlier file"),
                                    ([path.with_name("missing")], "cannot read"), ([TREE / "README.md"], "is not a comparison")):
                with self.assertRaises(SystemExit) as refused:
                    compare_portability.read_platforms(paths)
                self.assertIn(expected, str(refused.exception))


class Goals(unittest.TestCase):
    def cell(self, *measurements):
        ((task, _), sides), = cases(measurements).items()
        return compare_goals.goals_of(task, sides)

    def test_the_faster_backend_counts(self):
        jax = measured("JAX float64", 8e-6)
        self.assertEqual(self.cell(measured("serial", 2e-6), measured("openmp", 1e-6), jax), "8 × JAX float64: 8, yes")
        self.assertEqual(self.cell(measured("serial", 2e-6), jax), "8 × JAX float64: 4, **no**")

    def test_missing_sides_have_no_goal(self):
        self.assertEqual(self.cell(measured("serial", 2e-6)), "")
        self.assertEqual(self.cell(measured("cuda", 2e-6), measured("JAX float64", 8e-6)), "")

    def test_seconds(self):
        sobol = {"task": "uniforms, sobol, 8 draws a replication"}
        self.assertEqual(self.cell(measured("serial", 2.4e-9, **sobol)), "at most 0.0024 µs: yes")
        self.assertEqual(self.cell(measured("serial", 2.5e-9, **sobol)), "at most 0.0024 µs: **no**")


    def test_share_of_the_floor_at_one_size(self):
        queue = {"task": "M/M/1, 100 customers", "floor": 0.4e-9}
        self.assertEqual(self.cell(measured("cuda", 1e-9, size=10**6, **queue)), "30% of the floor: 40%, yes")
        self.assertEqual(self.cell(measured("cuda", 2e-9, size=10**6, **queue)), "30% of the floor: 20%, **no**")
        self.assertEqual(self.cell(measured("cuda", 2e-9, size=10**5, **queue)), "")


    def test_openmp_against_serial(self):
        steps_of_sqn = {"task": "stochastic quasi-Newton"}
        cell = self.cell(measured("serial", 7e-6, **steps_of_sqn), measured("openmp", 14e-6, **steps_of_sqn))
        self.assertEqual(cell, "0.95 × serial: 0.5, **no**")


class Programs(unittest.TestCase):
    def test_functions_against_their_peers(self):
        report = {"benchmarks": [
            {"name": "functions/pow, the C library's/iterations:1/manual_time", "sporos_ns": 45.0, "peer_ns": 15.0},
            {"name": "functions/normals in vectors, uniforms included/iterations:1/manual_time", "sporos_ns": 3.7},
            {"name": "variates/gamma(2.5, 2)/iterations:1/manual_time", "sporos_ns": 366.0, "peer_ns": 243.0}]}
        sides = cases(scipy_peer.measurements(report))
        self.assertEqual(compare_goals.goals_of("function pow", sides["function pow", 1]), "0.667 × the C library's: 0.333, **no**")
        self.assertEqual(list(sides["function normals in vectors", 1]), ["serial"])
        self.assertEqual(list(sides["variate gamma(2.5, 2)", 1]), ["serial", "Boost.Math"])

    def test_many_replications_against_a_loop_by_hand(self):
        report = {"context": {}, "benchmarks": [
            {"name": "hand_written/pert/serial/iterations:1/manual_time", "serial_projects_per_s": 1e7,
             "hand_written_projects_per_s": 2e7}]}
        ((task, _), sides), = cases(draw.measurements(report)).items()
        self.assertEqual(task, "PERT, 8 activities, a great many")
        self.assertEqual(compare_goals.goals_of(task, sides), "0.5 × loop by hand: 0.5, yes")

    def test_random_numbers_of_a_gpu(self):
        report = {"benchmarks": [
            {"name": "gpu_random/mmck_7168/xorwow/iterations:1/manual_time", "replications": 7168.0, "over_floor": 4.0,
             "sporos_events_per_s": 2.5e10, "peer_events_per_s": 5e9},
            {"name": "gpu_random/uniform_float/xorwow/iterations:1/manual_time", "over_floor": 2.0,
             "sporos_draws_per_s": 1e12, "peer_draws_per_s": 2e12}]}
        ours, peer, floats, _ = gpu_random.measurements(report)
        self.assertAlmostEqual(ours.seconds / ours.floor, 4)
        self.assertAlmostEqual(peer.seconds / ours.seconds, 5)
        self.assertEqual((ours.size, floats.unit), (7168, "draw"))
        self.assertEqual(gpu_random.task_of("uniform_float_philox4x32-7"), f"{floats.task}, philox4x32-7")
        self.assertEqual(compare_goals.goals_of(ours.task, {"cuda": ours}), "at most 4.18e-05 µs: yes")

    def test_steps_of_a_centre(self):
        report = {"benchmarks": [{"name": "global_step/cuda/real_time", "steps": 2e4, "centres": 1.0}]}
        (step,) = steps.measurements(report)
        self.assertEqual((step.side, step.size), ("cuda", 1))
        self.assertIn("**no**", compare_goals.goals_of(step.task, {"cuda": step}))


class TwoCards(unittest.TestCase):
    """The reports have 6 billion replications in 8.5 s on one card, and 2 billion photons in 13 s."""

    def report(self, backend, seconds_of_two):
        runs = [{"work": work, "unit": unit, "count": count, "processes": processes, "seconds": seconds,
                 "command_seconds": [one + 1 for one in seconds]}
                for work, unit, count, first in (("M/M/1 of 100 customers", "replication", 6 * 10**9, 8.5),
                                                 ("lit slab of 60 slices", "photon", 2 * 10**9, 13.0))
                for processes, seconds in ((1, [first + 1, first]), (2, [seconds_of_two, seconds_of_two + 1]))]
        return {"backend": backend, "runs": runs, "context": {}}

    def cells(self, seconds_of_two):
        sides = cases(two_cards.measurements(self.report("cuda", seconds_of_two)))
        return {task: compare_goals.goals_of(task, found) for (task, _), found in sides.items()}

    def test_one_card_is_the_peer(self):
        sides = cases(two_cards.measurements(self.report("cuda", 4.25)))
        found = sides["two cards: M/M/1 of 100 customers", 6 * 10**9]
        self.assertEqual(list(found), ["one card, GPU", "cuda"])
        self.assertAlmostEqual(found["cuda"].seconds * 6e9, 4.25)
        self.assertAlmostEqual(found["one card, GPU"].seconds * 6e9, 8.5)
        whole = sides["two cards, the whole command: lit slab of 60 slices", 2 * 10**9]
        self.assertAlmostEqual(whole["one card, GPU"].seconds * 2e9, 14)

    def test_replications_have_a_goal(self):
        cells = self.cells(4.25)
        self.assertEqual(cells.pop("two cards: M/M/1 of 100 customers"), "1.9 × one card, GPU: 2, yes")
        self.assertEqual(set(cells.values()), {""})
        self.assertEqual(self.cells(5)["two cards: M/M/1 of 100 customers"], "1.9 × one card, GPU: 1.7, **no**")

    def test_processes_of_a_host_are_not_cards(self):
        sides = cases(two_cards.measurements(self.report("serial", 4.25)))
        self.assertEqual(list(sides["two processes: M/M/1 of 100 customers", 6 * 10**9]), ["one process", "serial"])

    def test_other_results_are_refused(self):
        one = {"findings": {"digest": "a"}, "seconds": 1}
        two_cards.check_same(two_cards.WORKS[0], one, {"findings": {"digest": "a"}, "seconds": 2})
        with self.assertRaises(SystemExit) as refused:
            two_cards.check_same(two_cards.WORKS[0], one, {"findings": {"digest": "b"}, "seconds": 1})
        self.assertIn("with digests a and b have different results, expected the same bits", str(refused.exception))
        with self.assertRaises(SystemExit):
            two_cards.check_same(two_cards.WORKS[1], {"findings": {}, "notes": ["a"]}, {"findings": {}, "notes": []})

    def test_cards_that_a_program_can_see(self):
        listed = mock.Mock(stdout="GPU 0: NVIDIA H200 (UUID: GPU-1)\nGPU 1: NVIDIA H200 (UUID: GPU-2)\n")
        with mock.patch("subprocess.run", return_value=listed):
            for visible, count in (("0,1", 2), ("1", 1), ("", 0), ("0,-1,1", 1), ("GPU-1, GPU-2", 2)):
                with mock.patch.dict("os.environ", CUDA_VISIBLE_DEVICES=visible):
                    self.assertEqual(two_cards.cards(), count, visible)
        with mock.patch("subprocess.run", side_effect=FileNotFoundError):
            self.assertEqual(two_cards.cards(), 0)


class Against(unittest.TestCase):
    PEERS = [measured(f"peer {i}", 1e-6) for i in range(30)]
    OURS = [measured("serial", 1e-6), measured("openmp", 2e-6), measured("cuda", 3e-6)]

    def of(self, ours, peers=PEERS):
        return compare_goals.against([*ours, *peers], stored([*self.OURS, *self.PEERS]))

    def test_the_same_run_is_not_slower(self):
        text, is_slower = self.of(self.OURS)
        self.assertFalse(is_slower)
        self.assertIn("0 of 3 times are longer than stored by more than the noise: 5% on the host, 5% on the GPU", text)

    def test_slower_times_are_found(self):
        text, is_slower = self.of([measured("serial", 1.06e-6), measured("openmp", 2.09e-6), measured("cuda", 3.1e-6)])
        self.assertTrue(is_slower)
        self.assertIn("| newsvendor | 100 | Serial | 1 | 1.06 | **1.06** |", text)
        self.assertNotIn("OpenMP", text)
        self.assertIn("1 of 3", text)

    def test_noise_is_estimated_from_the_peers(self):
        """Two slower peers of thirty exceed the 95 % quantile and raise the noise; a single one is an outlier."""
        noisy = [dataclasses.replace(one, seconds=1.2e-6) for one in self.PEERS[:2]] + self.PEERS[2:]
        ours = [measured("serial", 1.15e-6)]
        self.assertFalse(self.of(ours, noisy)[1])
        self.assertTrue(self.of(ours, [noisy[0], *self.PEERS[1:]])[1])

    def test_our_code_among_the_peers_does_not_count_as_noise(self):
        ours_as_peers = [measured(side, 1e-6) for side in compare_goals.OUR_CODE]
        slow = [dataclasses.replace(one, seconds=1.2e-6) for one in ours_as_peers]
        text, is_slower = compare_goals.against([measured("serial", 1.15e-6), *slow], stored([*self.OURS, *ours_as_peers]))
        self.assertTrue(is_slower)
        self.assertIn("5% on the host", text)

    def test_files_that_are_not_comparisons(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "compare.json"
            self.assertIn("cannot read", self.refusal(compare_goals.read_stored, path))
            for text in ("", "[]", "{}", json.dumps({"context": {}, "measurements": [{"task": "newsvendor"}]})):
                path.write_text(text)
                self.assertIn("is not a comparison, expected a compare.json",
                              self.refusal(compare_goals.read_stored, path))

    def test_another_machine(self):
        now, then = {"processor": "a", "cores": 2}, {"processor": "b", "cores": 2}
        self.assertIn("was measured with processor b and this run with a, expected the same machine",
                      self.refusal(compare_goals.check_machine, now, then, "FILE"))
        compare_goals.check_machine(now, dict(now), "FILE")

    def refusal(self, call, *arguments):
        with self.assertRaises(SystemExit) as refused, redirect_stderr(io.StringIO()):
            call(*arguments)
        return str(refused.exception)


if __name__ == "__main__":
    unittest.main()
