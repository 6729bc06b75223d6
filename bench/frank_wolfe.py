#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Frank–Wolfe with resampling, bench_frank_wolfe against JAX (peers/frank_wolfe.py), by turns on the same instances, in
the same data type, on the same cores; prints a table and writes a report.

  frank_wolfe.py [--program build/bin/bench_frank_wolfe] [--out FILE]     exits 77 where JAX or the program is missing

Of bench_frank_wolfe it takes, for `--problem --size --samples --iterations --epochs --precision --seed --instance DIR` and
--benchmark_out=FILE, the benchmark PROBLEM/BACKEND/SIZE with the counters seconds_per_iteration, peak_MiB and objective,
bytes_per_iteration that it must move, and floor_seconds_per_iteration for its random numbers. The floor is these bytes at
the bandwidth that a triad a = b + s c of NumPy, a thread a core, reaches here on a working set as large as the sample, and
the random numbers. Of the rounds the least time counts, and of ours that of the faster backend; the ratio is that of the
least times.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PEER = HERE / "peers" / "frank_wolfe.py"
ITERATIONS = 25  # an epoch
# Problem, size, samples an epoch, epochs: fewer of them where 1500 would take hours; the time of an iteration is the same.
SIZES = [
    ("portfolio", 500, 25, 1500), ("portfolio", 5000, 25, 600), ("portfolio", 10**4, 25, 300),
    ("portfolio", 10**5, 50, 16), ("newsvendor", 100, 25, 1500), ("newsvendor", 1000, 25, 1500),
    ("newsvendor", 10**4, 25, 400), ("newsvendor", 10**5, 25, 40), ("newsvendor", 10**6, 50, 4),
]
SMOKE_SIZES = [("portfolio", 20, 5, 3), ("newsvendor", 30, 5, 3)]


def plural(count, noun):
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def run(command, cores):
    """On these cores only. What is not installed gives None."""
    environment = os.environ | {"OMP_NUM_THREADS": str(len(cores)), "OMP_PROC_BIND": "false"}
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, env=environment,
                          preexec_fn=lambda: os.sched_setaffinity(0, cores))
    if done.returncode == 77:
        return None
    if done.returncode:
        sys.exit(f"frank_wolfe.py: {command[0]} exits with {done.returncode}, expected 0")
    return done.stdout


class Case:
    """An instance and how it is solved, with the best report of either side."""

    def __init__(self, problem, size, samples, epochs, options, folder):
        self.problem, self.size, self.samples = problem, size, samples
        self.epochs = options.epochs or epochs
        self.options, self.folder = options, folder / f"{problem}-{size}"
        self.ours, self.jax, self.floor = None, None, None

    def effort(self):
        return ["--size", self.size, "--samples", self.samples, "--iterations", ITERATIONS, "--epochs", self.epochs,
                "--precision", self.options.precision, "--seed", self.options.seed, "--instance", self.folder]

    def write_instance(self):
        command = [sys.executable, PEER, self.problem, "--size", self.size, "--seed", self.options.seed]
        if run([*command, "--write-instance", self.folder], self.options.cores) is None:
            sys.exit(77)

    def run_ours(self):
        path = self.folder / "ours.json"
        flags = [f"{name}={value}" for name, value in zip(*[iter(self.effort())] * 2)]
        run([self.options.program, f"--problem={self.problem}", *flags, f"--benchmark_out={path}",
             "--benchmark_out_format=json"], self.options.cores)
        report = json.loads(path.read_text())
        for benchmark in report["benchmarks"]:
            problem, backend, size = benchmark["name"].split("/")[:3]
            if (problem, int(size)) == (self.problem, self.size) and backend in self.options.backends:
                self.ours = faster(self.ours, benchmark | {"backend": backend, "context": report["context"]})
        if not self.ours:
            backends = " or ".join(self.options.backends)
            sys.exit(f"frank_wolfe.py: {self.options.program} reports no {self.problem}/{self.size} on {backends}")

    def run_jax(self):
        command = [sys.executable, PEER, self.problem, *self.effort(), "--repeats", self.options.repeats,
                   *self.options.jax_option]
        self.jax = faster(self.jax, json.loads(run(command, self.options.cores)))

    def find_floor(self):
        if self.ours and "floor_seconds_per_iteration" in self.ours:
            width = 4 if self.options.precision == "float32" else 8
            triad = bandwidth(self.samples * self.size * width, self.options.cores)
            moving = self.ours.get("bytes_per_iteration", 0) / triad
            self.floor = {"bytes_per_second": triad, "seconds": self.ours["floor_seconds_per_iteration"] + moving}

    def check_objectives(self):
        """Both sides draw their own samples, so that the objectives agree as well as the method converges."""
        if self.ours and "objective" in self.ours:
            ours, other = self.ours["objective"], self.jax["objective"]
            if abs(ours - other) > self.options.tolerance * abs(other):
                sys.exit(f"frank_wolfe.py: {self.problem} of {self.size} ends at {ours} here and {other} in JAX, expected "
                         f"them within {self.options.tolerance:.1%} of each other")

    def report(self):
        return {"problem": self.problem, "size": self.size, "samples": self.samples, "epochs": self.epochs,
                "iterations_per_epoch": ITERATIONS, "precision": self.options.precision, "ours": self.ours,
                "jax": self.jax, "floor": self.floor}

    def row(self):
        other = self.jax["seconds_per_iteration"]
        sampling = self.jax["sampling_seconds_per_iteration"] / other
        cells = [self.problem, f"{self.size:,}", str(self.samples), str(self.epochs)]
        if not self.ours:
            return [*cells, "", "", micro(other), f"{sampling:.0%}", "", "", "", "", mebi(self.jax)]
        own = self.ours["seconds_per_iteration"]
        floor = [micro(self.floor["seconds"]), f"{self.floor['seconds'] / own:.0%}"] if self.floor else ["", ""]
        return [*cells, self.ours["backend"], micro(own), micro(other), f"{sampling:.0%}", f"{other / own:.2f}", *floor,
                mebi(self.ours), mebi(self.jax)]


HEADER = ["problem", "size", "samples", "epochs", "on", "ours µs", "JAX µs", "sampling", "ratio", "floor µs",
          "of floor", "ours MiB", "JAX MiB"]


def faster(one, other):
    return other if one is None or other["seconds_per_iteration"] < one["seconds_per_iteration"] else one


def micro(seconds):
    microseconds = seconds * 1e6
    return f"{microseconds:.0f}" if microseconds >= 100 else f"{microseconds:.3g}"


def mebi(side):
    return f"{side['peak_MiB']:.0f}" if "peak_MiB" in side else ""


def bandwidth(working_set, cores):
    """Bytes a second of the triad over `working_set` bytes or 4 MiB a core, whatever is more: below it calls would be
    timed. In pieces, so that the product s c stays in the cache."""
    import numpy

    length = max(working_set // len(cores), 2**22) // 24

    def triad(core):
        os.sched_setaffinity(0, {core})
        a, b, c = (numpy.full(length, value) for value in (0.0, 1.0, 2.0))
        product, best = numpy.empty(2**14), float("inf")
        for _ in range(10):
            start = time.perf_counter()
            for begin in range(0, length, product.size):
                part = slice(begin, min(begin + product.size, length))
                numpy.add(b[part], numpy.multiply(c[part], 3.0, out=product[: part.stop - begin]), out=a[part])
            best = min(best, time.perf_counter() - start)
        return 24 * length / best

    with concurrent.futures.ThreadPoolExecutor(len(cores)) as threads:
        return sum(threads.map(triad, sorted(cores)))


def aligned(rows):
    """Words to the left, numbers to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) if column == 0 else cell.rjust(width)
                               for column, (cell, width) in enumerate(zip(row, widths))) for row in rows)


def cores_of(text):
    return {int(core) for core in text.split(",")}


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=HERE.parent / "build" / "bin" / "bench_frank_wolfe")
    parser.add_argument("--backends", type=lambda text: text.split(","), default=["serial", "openmp"],
                        metavar="serial,openmp", help="of ours, of which the faster one counts")
    parser.add_argument("--only-jax", action="store_true", help="the program does not run")
    parser.add_argument("--problem", choices=["portfolio", "newsvendor"], help="only this one")
    parser.add_argument("--largest", type=int, default=10**6, metavar="SIZE", help="no size above it")
    parser.add_argument("--epochs", type=int, help="instead of those for each size")
    parser.add_argument("--precision", choices=["float32", "float64"], default="float64")
    parser.add_argument("--rounds", type=int, default=3, help="of either side, by turns")
    parser.add_argument("--repeats", type=int, default=3, help="of JAX in a round, in one process")
    parser.add_argument("--jax-option", action="append", default=[], metavar="--NAME=VALUE", help="for the peer")
    parser.add_argument("--tolerance", type=float, default=0.05, help="between the two objectives, relative")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cores", type=cores_of, default=os.sched_getaffinity(0), metavar="0,1")
    parser.add_argument("--smoke", action="store_true", help="small sizes, one round")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("frank_wolfe.json"))
    return parser.parse_args()


def main():
    options = parsed()
    if not options.only_jax and not options.program.exists():
        print(f"frank_wolfe.py: skipped, there is no {options.program}", file=sys.stderr)
        sys.exit(77)
    sizes = SMOKE_SIZES if options.smoke else SIZES
    if options.smoke:
        options.rounds, options.repeats, options.tolerance = 1, 1, float("inf")
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        cases = [Case(*size, options, pathlib.Path(folder)) for size in sizes
                 if size[0] == (options.problem or size[0]) and size[1] <= options.largest]
        for case in cases:
            case.write_instance()
            for _ in range(options.rounds):
                if not options.only_jax:
                    case.run_ours()
                case.run_jax()
            case.find_floor()
            case.check_objectives()
            print(f"{case.problem} of {case.size} measured", file=sys.stderr)
    context = cases[0].jax["context"]
    print(f"{context['processor']}, {plural(len(options.cores), 'core')}; JAX {context['jax']}, {options.precision}; load "
          f"{load:.1f} at the start; least of {plural(options.rounds, 'round')}; times of an iteration, sampling within\n")
    print(aligned([HEADER, *(case.row() for case in cases)]))
    options.out.write_text(json.dumps({"context": context | {"load": load}, "cases": [c.report() for c in cases]},
                                      indent=2) + "\n")


if __name__ == "__main__":
    main()
