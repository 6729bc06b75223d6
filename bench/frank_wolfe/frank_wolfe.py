#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares Frank–Wolfe with resampling in bench_frank_wolfe and in JAX (jax_peer.py).

  frank_wolfe.py [--program build/bin/bench_frank_wolfe] [--out FILE]     exit status 77 if JAX or the program is missing
  frank_wolfe.py --backends cuda --platform cuda --jax-precision float32 [--repetitions 64]     both on one GPU

The sides run alternately on the same instances and cores, with the same data type. The script prints a table and writes a
report.

bench_frank_wolfe takes `--problem --size --samples --iterations --epochs --repetitions --precision --seed --instance DIR`
and --benchmark_out=FILE. It reports the benchmark PROBLEM/BACKEND/SIZE with the counters seconds_per_iteration, peak_MiB,
objective and floor_seconds_per_iteration. The floor is the time to draw all random numbers of an epoch. Screening draws
only a part of them, so times may be below the floor. Times are the minimum over rounds and repeats, for Sporos also over
the backends.
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import add_arguments, aligned, fail, micro, plural, run, run_program, skip  # noqa: E402
from bench.harness.measurement import Measurement  # noqa: E402

PEER = pathlib.Path(__file__).with_name("jax_peer.py")
ITERATIONS = 25  # iterations per epoch
# Problem, size, samples per epoch, epochs. Sizes for which 1500 epochs would take hours have fewer epochs, which does not
# change the time of an iteration.
SIZES = [
    ("portfolio", 500, 25, 1500), ("portfolio", 5000, 25, 600), ("portfolio", 10**4, 25, 300),
    ("portfolio", 5 * 10**4, 25, 50), ("portfolio", 10**5, 50, 16), ("newsvendor", 100, 25, 1500),
    ("newsvendor", 1000, 25, 1500), ("newsvendor", 10**4, 25, 400), ("newsvendor", 10**5, 25, 40),
    ("newsvendor", 10**6, 50, 4),
]
SMOKE_SIZES = [("portfolio", 20, 5, 3), ("newsvendor", 30, 5, 3)]


class Case:
    """An instance with its solver settings and the best report of each side."""

    def __init__(self, problem, size, samples, epochs, options, folder):
        self.problem, self.size, self.samples = problem, size, samples
        self.epochs = options.epochs or epochs
        self.options, self.folder = options, folder / f"{problem}-{size}"
        self.ours, self.jax = {}, None  # `ours` holds the best report of each backend

    @property
    def fastest(self):
        return min(self.ours.values(), key=seconds_of, default=None)

    def effort(self, precision):
        return ["--size", self.size, "--samples", self.samples, "--iterations", ITERATIONS, "--epochs", self.epochs,
                "--repetitions", self.options.repetitions, "--precision", precision, "--seed", self.options.seed,
                "--instance", self.folder]

    def write_instance(self):
        command = [sys.executable, PEER, self.problem, "--size", self.size, "--seed", self.options.seed]
        if run([*command, "--write-instance", self.folder], self.options.cores) is None:
            sys.exit(77)

    def run_ours(self):
        flags = ["--problem", self.problem, *self.effort(self.options.precision), "--benchmark_repetitions",
                 self.options.repeats, "--benchmark_filter", f"/({'|'.join(self.options.backends)})/"]
        report = run_program(self.options.program, flags, self.folder / "ours.json", self.options.cores)
        for benchmark in report["benchmarks"]:
            if benchmark["run_type"] == "iteration":
                backend = benchmark["name"].split("/")[1]
                found = benchmark | {"backend": backend, "context": report["context"]}
                self.ours[backend] = faster(self.ours.get(backend), found)
        if not self.ours:
            backends = " or ".join(self.options.backends)
            fail(f"{self.options.program} reports no {self.problem}/{self.size} on {backends}")

    def run_jax(self):
        command = [sys.executable, PEER, self.problem, *self.effort(self.options.jax_precision), "--repeats",
                   self.options.repeats, "--platform", self.options.platform, *self.options.jax_option]
        self.jax = faster(self.jax, json.loads(run(command, self.options.cores)))

    def check_objectives(self):
        """Checks that the objectives agree up to the tolerance, because each side draws its own samples."""
        if self.ours:
            ours, other = self.fastest["objective"], self.jax["objective"]
            if abs(ours - other) > self.options.tolerance * abs(other):
                fail(f"objective of {self.problem} of {self.size} is {ours} in Sporos and {other} in JAX, expected a "
                     f"difference of at most {self.options.tolerance:.1%}")

    def report(self):
        return {"problem": self.problem, "size": self.size, "samples": self.samples, "epochs": self.epochs,
                "iterations_per_epoch": ITERATIONS, "precision": self.options.precision,
                "jax_precision": self.options.jax_precision, "platform": self.options.platform,
                "repetitions": self.options.repetitions, "ours": self.ours, "jax": self.jax}

    def row(self):
        other = self.jax["seconds_per_iteration"]
        sampling = self.jax["sampling_seconds_per_iteration"] / other
        cells = [self.problem, f"{self.size:,}", str(self.samples), str(self.epochs)]
        if not self.ours:
            return [*cells, "", "", micro(other), f"{sampling:.0%}", "", "", "", "", mebi(self.jax)]
        ours = self.fastest
        seconds, floor = seconds_of(ours), ours["floor_seconds_per_iteration"]
        return [*cells, ours["backend"], micro(seconds), micro(other), f"{sampling:.0%}", f"{other / seconds:.2f}",
                micro(floor), f"{floor / seconds:.0%}", mebi(ours), mebi(self.jax)]


HEADER = ["problem", "size", "samples", "epochs", "on", "ours µs", "JAX µs", "sampling", "ratio", "floor µs",
          "of floor", "ours MiB", "JAX MiB"]


def seconds_of(side):
    return side["seconds_per_iteration"]


def faster(one, other):
    return other if one is None or seconds_of(other) < seconds_of(one) else one


def mebi(side):
    return f"{side['peak_MiB']:.0f}" if "peak_MiB" in side else ""


def measurements(report):
    """Returns the measurements for bench/compare, without a floor, because screening does not draw all random numbers."""
    found = []
    for case in report["cases"]:
        many = case["repetitions"]
        about = {"task": case["problem"] + (f", {many} at once" if many > 1 else ""), "size": case["size"],
                 "sizes": {"portfolio": "assets", "newsvendor": "products"}[case["problem"]], "unit": "iteration"}
        found += [Measurement(**about, side=backend, seconds=seconds_of(one)) for backend, one in case["ours"].items()]
        found.append(Measurement(**about, side=f"JAX {case['jax_precision']}", seconds=seconds_of(case["jax"]),
                                 on_gpu=case["platform"] == "cuda"))
    return found


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, "bench_frank_wolfe")
    parser.add_argument("--only-jax", action="store_true", help="run only the peer")
    parser.add_argument("--problem", choices=["portfolio", "newsvendor"], help="run only this problem")
    parser.add_argument("--smallest", type=int, default=0, metavar="SIZE", help="smallest size to run")
    parser.add_argument("--largest", type=int, default=10**6, metavar="SIZE", help="largest size to run")
    parser.add_argument("--epochs", type=int, help="epochs; default: depends on the size")
    parser.add_argument("--precision", choices=["float32", "float64"], default="float64")
    parser.add_argument("--jax-precision", choices=["float32", "float64"], help="default: --precision")
    parser.add_argument("--repetitions", type=int, default=1, help="simultaneous repetitions; times are divided by their number")
    parser.add_argument("--jax-option", action="append", default=[], metavar="--NAME=VALUE", help="option of the peer")
    parser.add_argument("--tolerance", type=float, default=0.05, help="relative difference of the objectives")
    options = parser.parse_args()
    options.jax_precision = options.jax_precision or options.precision
    return options


def main():
    options = parsed()
    if not options.only_jax and not options.program.exists():
        skip(f"{options.program} does not exist")
    sizes = SMOKE_SIZES if options.smoke else SIZES
    if options.smoke:
        options.rounds, options.repeats, options.tolerance = 1, 1, float("inf")
        options.smallest, options.largest = 0, 10**6
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        cases = [Case(*size, options, pathlib.Path(folder)) for size in sizes
                 if size[0] == (options.problem or size[0]) and options.smallest <= size[1] <= options.largest]
        for case in cases:
            case.write_instance()
            for _ in range(options.rounds):
                if not options.only_jax:
                    case.run_ours()
                case.run_jax()
            case.check_objectives()
            print(f"{case.problem} of {case.size} measured", file=sys.stderr)
    ours = cases[0].fastest
    context = (ours["context"] if ours else {}) | cases[0].jax["context"]
    print(f"{context['processor']}, {plural(len(options.cores), 'core')}; JAX {context['jax']} on "
          f"{context['device']}, {options.jax_precision}, ours {options.precision}; "
          f"{plural(options.repetitions, 'repetition')} at once; load {load:.1f} at the start; minimum over "
          f"{plural(options.rounds, 'round')}; times are per iteration and include sampling\n")
    print(aligned([HEADER, *(case.row() for case in cases)]))
    options.out.write_text(json.dumps({"context": context | {"load": load}, "cases": [c.report() for c in cases]},
                                      indent=2) + "\n")


if __name__ == "__main__":
    main()
