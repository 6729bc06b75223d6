#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares quasi-Newton methods in bench_quasi_newton with peers, on the classification of He et al. (2024).

  quasi_newton.py [--program build/bin/bench_quasi_newton] [--sizes 50 500] [--out REPORT] [--into PAGE PLACE]
                  [--stochqn-python PYTHON]        exit status 77 if JAX, NumPy, SciPy or the program is missing
  quasi_newton.py --tables REPORT... [--into PAGE PLACE]    combines reports of earlier runs, such as one for each size,
                                                            without measuring

The sides run alternately on the same instance and cores. The program writes each instance: N = 30 n rows of n binary
features. These quantities are compared:

- stochastic method: time per iteration; JAX (jax_peer.py) in float32 and float64, with the faster of features stored as
  numbers and as bytes; stochQN if PYTHON has it (stochqn_peer.py)
- L-BFGS: time until the gradient is small; SciPy and scikit-learn (lbfgs_peers.py)
- pass over all rows: bytes per second; a pass that only reads the same number of bytes

The minimum time over all runs counts, for Sporos also over the backends. The noise is the relative difference between the
median and the minimum. The script prints tables in Markdown and writes a report.
"""
import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import (BACKENDS, add_arguments, digits, fail, micro, plural, run, run_program, show, skip, table)  # noqa: E402
from bench.harness.measurement import Measurement  # noqa: E402

PEERS = pathlib.Path(__file__).resolve().parent
BEYOND_CACHES = 5000  # number of features from which the 30 rows per feature exceed all caches
SIZES = [50, 500, 1000, 5000]
HESSIAN_BATCHES = [300, 600]
MEMORY, INTERVAL, BATCH, ITERATIONS = 25, 10, 50, 2000
FORMS = ["real", "byte"]  # data types in which JAX stores the features
BETAS = [2, 0.5, 0.1, 0.05]  # step size of He et al. (2024), and smaller ones for a peer that diverges
TOLERANCES = {"float32": 1e-6, "float64": 1e-12}  # relative difference of the objectives at one point
# Above these sizes the peers need 6 GB and more, too much for a shared machine.
LARGEST = {("float64", "real"): 2000, "sklearn": 2000}
RATES = ["read_rows", "read_pairs", "additions", "launch", "chain"]


class Runs:
    """All runs of one program or peer on one task, with the last report and the seconds of every run."""

    def __init__(self):
        self.seconds, self.last, self.peak = [], {}, 0

    def add(self, report, seconds):
        self.last, self.seconds = report, self.seconds + seconds
        self.peak = max(self.peak, report.get("peak_MiB", 0))
        return self

    @property
    def shortest(self):
        return min(self.seconds, default=float("inf"))

    @property
    def noise(self):
        return statistics.median(self.seconds) / self.shortest - 1

    def report(self):
        return {**self.last, "seconds": self.seconds, "peak_MiB": self.peak}


def seconds_of(benchmark):
    return benchmark["real_time"] * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[benchmark["time_unit"]]


def key_of(task):
    """Returns a task that was read from JSON as a key."""
    return tuple(task) if isinstance(task, list) else task


def fastest(runs):
    """Returns name and runs of the side with the shortest time, or None if there is none."""
    return min(((name, one) for name, one in runs.items() if one.seconds), key=lambda found: found[1].shortest, default=None)


class Bench:
    """The instance of one size, with all runs on it."""

    def __init__(self, size, options, folder):
        self.size, self.options, self.folder = size, options, folder
        self.ours, self.peers, self.values, self.context = {}, {}, {}, {}

    def run_ours(self, names, hessian_batch=HESSIAN_BATCHES[0], repetitions=1, flags=()):
        """Runs the benchmarks with these names, and adds the results."""
        options = self.options
        effort = ["--size", self.size, "--seed", options.seed, "--memory", MEMORY, "--interval", INTERVAL, "--batch", BATCH,
                  "--hessian-batch", hessian_batch, "--iterations", options.iterations, "--beta", BETAS[0],
                  "--tolerance", options.tolerance, "--benchmark_filter",
                  f"^({'|'.join(names)})/({'|'.join(options.backends)})",
                  "--benchmark_repetitions", repetitions, "--benchmark_min_time", 0.01 if options.smoke else 0.5]
        report = run_program(options.program, [*effort, *flags], self.folder / "ours.json", options.cores)
        self.context = report["context"]
        for benchmark in report["benchmarks"]:
            name, backend = benchmark["name"].split("/")[:2]
            if benchmark["run_type"] == "iteration" and backend in options.backends:
                key = (name, hessian_batch) if name == "sqn" else name
                runs = self.ours.setdefault(key, {}).setdefault(backend, Runs())
                runs.add(benchmark, [seconds_of(benchmark)])

    def run_peer(self, key, script, *flags, python=sys.executable):
        """Runs a peer and adds the results. Returns False if the peer is not installed."""
        found = run([python, PEERS / script, *flags, "--instance", self.folder, "--memory", MEMORY], self.options.cores)
        if found is None:
            return False
        report = json.loads(found)
        self.peers.setdefault(key, Runs()).add(report, report["seconds"])
        return True

    def run_stochastic(self, hessian_batch):
        self.run_ours(["sqn"], hessian_batch, self.options.repeats)
        flags = ["--batch", BATCH, "--hessian-batch", hessian_batch, "--interval", INTERVAL, "--iterations",
                 self.options.iterations, "--seed", self.options.seed, "--repeats", self.options.repeats, "--beta", *BETAS]
        for precision in self.options.precisions:
            for kept in self.forms(precision, hessian_batch):
                key = ("jax", precision, hessian_batch, kept)
                if not self.run_peer(key, "jax_peer.py", "--platform", self.options.platform, "--precision", precision,
                                     "--features", kept, *flags):
                    skip("JAX is not installed")
                self.check(precision, self.peers[key].last["objective_at_rule"])
        if self.options.stochqn_python:
            found = self.run_peer(("stochqn", hessian_batch), "stochqn_peer.py", *flags,
                                  python=self.options.stochqn_python)
            if not found:
                fail(f"stochQN is not installed in {self.options.stochqn_python}")

    def jax(self, precision, hessian_batch):
        """Returns the faster form of the features and its runs, or None if there is none yet."""
        return fastest({kept: self.peers.get(("jax", precision, hessian_batch, kept), Runs()) for kept in FORMS})

    def forms(self, precision, hessian_batch):
        """Returns all forms for the first run, then the fastest one."""
        found = self.jax(precision, hessian_batch)
        if found:
            return [found[0]]
        return [form for form in self.options.forms[: 1 if self.options.smoke else None]
                if self.size <= LARGEST.get((precision, form), self.size)]

    def check(self, precision, value):
        """Checks that both sides have the same objective at the rule that generated the labels."""
        ours = next(iter(self.ours["objective"].values())).last["value"]
        error = abs(value - ours) / abs(ours)
        self.values[precision] = max(error, self.values.get(precision, 0))
        if not error <= TOLERANCES[precision]:
            fail(f"the objective of n = {self.size} is {ours} in Sporos and {value} in JAX, {precision}, expected a relative "
                 f"difference of at most {TOLERANCES[precision]}")

    def run_lbfgs(self):
        self.run_ours(["lbfgs"], repetitions=self.options.repeats)
        for solver in ("scipy", "sklearn"):
            if self.size <= LARGEST.get(solver, self.size):
                repeats = 1 if self.size > 1000 else self.options.repeats
                self.run_peer(solver, "lbfgs_peers.py", solver, "--tolerance", self.options.tolerance, "--repeats", repeats)

    def run_all(self):
        self.run_ours(["objective", "gradient", *RATES], flags=["--write-instance", self.folder])
        for _ in range(self.options.rounds):
            if "sqn" in self.options.parts:
                for hessian_batch in self.options.hessian_batches:
                    self.run_stochastic(hessian_batch)
        if "lbfgs" in self.options.parts:
            self.run_lbfgs()
        for _ in range(self.options.rounds - 1):  # repeated, so that the measurements are spread over time
            self.run_ours(["objective", "gradient", *RATES])

    def rate(self, name, backend, counter):
        """Returns the highest rate of `counter` per second over the runs."""
        runs = self.ours[name][backend]
        return runs.last[counter] * seconds_of(runs.last) / runs.shortest

    def floor(self, backend, hessian_batch):
        """Returns a lower bound for the seconds of an iteration, from the measured rates of the machine.

        It is the longer time of reading and adding, plus the steps that depend on each other. For backends with threads, it
        is the smaller bound of all threads and one thread. Returns None on a device, where all iterations are one kernel and
        the rates within a kernel are not measured.
        """
        measured = self.ours.get("chain", {})
        if backend not in measured:
            return None
        return min(self.floor_of(one, hessian_batch) for one in {backend, "serial"} & measured.keys())

    def floor_of(self, backend, hessian_batch):
        n, pairs = self.size, 8 * 2 * MEMORY * self.size
        rows = (BATCH + hessian_batch / INTERVAL) * self.bytes_of_row()
        reading = (rows / self.rate("read_rows", backend, "bytes_per_second")
                   + 2 * pairs / self.rate("read_pairs", backend, "bytes_per_second"))
        additions = (2 * BATCH + 3 * hessian_batch / INTERVAL) * n / 4 + 4 * 2 * MEMORY * n
        launches = 0 if backend == "serial" else 4 * self.ours["launch"][backend].shortest
        steps = 2 * MEMORY / self.rate("chain", backend, "steps")
        return max(reading, additions / self.rate("additions", backend, "additions")) + launches + steps

    def bytes_of_row(self):
        return (self.size + 63) // 64 * 8

    def optimum(self):
        found = [one.last["objective"] for one in self.ours.get("lbfgs", {}).values()]
        return min(found + [self.peers[name].last["objective"] for name in ("scipy", "sklearn") if name in self.peers],
                   default=None)

    def restore(self, report):
        """Adds the report of an earlier run."""
        self.values |= report["objective_errors_at_rule"]
        self.context = self.context or report["context"]
        for one in report["ours"]:
            self.ours.setdefault(key_of(one["task"]), {}).setdefault(one["backend"], Runs()).add(one, one["seconds"])
        for one in report["peers"]:
            self.peers.setdefault(key_of(one["task"]), Runs()).add(one, one["seconds"])

    def report(self):
        return {"size": self.size, "context": self.context, "objective_errors_at_rule": self.values,
                "ours": [{"task": name, "backend": backend, **one.report()}
                         for name, runs in self.ours.items() for backend, one in runs.items()],
                "peers": [{"task": name, **one.report()} for name, one in self.peers.items()]}


def percent(share):
    return f"{share:.0%}"


def mebi(value):
    return digits(value) if value else ""


class StochasticRow:
    """Results for one size and one Hessian batch."""

    def __init__(self, bench, hessian_batch):
        self.bench, self.hessian_batch, self.iterations = bench, hessian_batch, bench.options.iterations
        self.backend, self.ours = fastest(bench.ours["sqn", hessian_batch])
        self.jax = {precision: bench.jax(precision, hessian_batch) for precision in bench.options.precisions}
        self.stochqn = bench.peers.get(("stochqn", hessian_batch))

    def case(self):
        return [f"{self.bench.size:,}", str(self.hessian_batch)]

    def cells(self, runs):
        """Returns the minimum time of an iteration, the noise, and the time divided by ours."""
        if runs is None:
            return ["", "", ""]
        return [micro(runs.shortest / self.iterations), percent(runs.noise), f"**{runs.shortest / self.ours.shortest:.2f}**"]

    def speed(self):
        ours = self.ours.shortest / self.iterations
        floor = self.bench.floor(self.backend, self.hessian_batch)
        row = [*self.case(), BACKENDS[self.backend], micro(ours), percent(self.ours.noise),
               *(["", ""] if floor is None else [micro(floor), percent(floor / ours)])]
        for found in self.jax.values():
            kept, runs = found or ("", None)
            row += [kept, *self.cells(runs)]
        return row + self.cells(self.stochqn)

    def memory(self):
        first = next((found[1] for found in self.jax.values() if found), Runs())
        as_numbers = 4 * 30 * self.bench.size**2 / 2**20
        ours = self.ours.last["data_MiB"]
        return [*self.case(), mebi(ours), mebi(as_numbers), f"{as_numbers / ours:.1f}", mebi(self.ours.peak),
                mebi(first.peak), mebi(self.stochqn.peak) if self.stochqn else ""]

    def gap(self, report):
        """Returns the relative optimality gap, and the step size if it differs from the paper's."""
        optimum, value = self.bench.optimum(), report["objective"]
        if value is None or optimum is None:
            return "diverged" if value is None else f"{value:.6f}"
        beta = report.get("beta", BETAS[0])
        return f"{(value - optimum) / optimum:.2%}" + (f", β = {beta:g}" if beta != BETAS[0] else "")

    def objectives(self):
        optimum = self.bench.optimum()
        sides = [self.ours, *(found and found[1] for found in self.jax.values()), self.stochqn]
        return [*self.case(), f"{optimum:.9f}" if optimum else "",
                *(self.gap(side.last) if side else "" for side in sides),
                ", ".join(f"{error:.0e}" for error in self.bench.values.values())]


def stochastic_tables(benches, options):
    rows = [StochasticRow(bench, hessian_batch) for bench in benches for hessian_batch in options.hessian_batches]
    speed = ["n", "b_H", "backend", "µs", "noise", "floor µs", "of floor"]
    for precision in options.precisions:
        speed += [f"JAX {precision}, features", "µs", "noise", "time / ours"]
    names = [f"JAX {precision}" for precision in options.precisions]
    return (table("An iteration of the stochastic method", [*speed, "stochQN µs", "noise", "time / ours"],
                  [row.speed() for row in rows])
            + table("Memory, MiB", ["n", "b_H", "our features", "as float32", "ratio", "our peak", "JAX's peak",
                                    "stochQN's peak"], [row.memory() for row in rows])
            + table(f"Optimality gap after {options.iterations} iterations",
                    ["n", "b_H", "optimum", "ours", *names, "stochQN", "difference of JAX's objective at one point"],
                    [row.objectives() for row in rows]))


def lbfgs_table(benches):
    rows = []
    for bench in benches:
        backend, ours = fastest(bench.ours["lbfgs"])
        sides = {f"ours, {BACKENDS[backend]}": ours, "SciPy": bench.peers.get("scipy"),
                 "scikit-learn": bench.peers.get("sklearn")}
        for name, side in sides.items():
            if side:
                last = side.last
                rows.append([f"{bench.size:,}", name, digits(1e3 * side.shortest), percent(side.noise),
                             f"{side.shortest / ours.shortest:.1f}", str(int(last["steps"])),
                             str(int(last["evaluations"] or 0) or "?"), f"{last['gradient_norm']:.1e}",
                             f"{last['objective'] / bench.optimum() - 1:.1e}", mebi(side.peak)])
    return table("L-BFGS", ["n", "side", "ms", "noise", "time / ours", "iterations", "evaluations", "norm of the gradient",
                            "above the smallest objective", "peak MiB"], rows)


def pass_table(benches):
    rows = []
    for bench in benches:
        for backend in bench.ours["objective"]:
            reading = bench.rate("read_rows", backend, "bytes_per_second")
            cells = []
            for name in ("objective", "gradient"):
                speed = bench.rate(name, backend, "bytes_per_second")
                cells += [f"{1e3 * bench.ours[name][backend].shortest:.3g}", f"{speed / 1e9:.3g}", percent(speed / reading)]
            mib = 30 * bench.size * bench.bytes_of_row() / 2**20
            rows.append([f"{30 * bench.size:,} × {bench.size:,}", mebi(mib), BACKENDS[backend], f"{reading / 1e9:.3g}",
                         *cells])
    return table("A pass over all rows", ["rows × features", "MiB", "backend", "only reading, GB/s", "objective, ms", "GB/s",
                                          "of reading", "gradient, ms", "GB/s", "of reading"], rows)


def text_of(benches, options):
    context, peer = benches[0].context, next((one.last["context"] for one in benches[0].peers.values()), {})
    jax = f"JAX {peer['jax']} on {peer.get('device', 'cpu')}; " if "jax" in peer else ""
    cores, rounds, repeats = (plural(int(context[name]), noun) for name, noun in
                              (("cores", "core"), ("rounds", "round"), ("repeats", "run")))
    head = (f"{context['processor']}, {cores}; {context['compiler']} ({context['options']}), Kokkos {context['kokkos']}, "
            f"Sporos {context['sporos']}; {jax}{context['date'][:10]}, load {context['load']:.1f} at the start; "
            f"{rounds} of {repeats}.\n")
    parts = {"sqn": lambda: stochastic_tables(benches, options), "lbfgs": lambda: lbfgs_table(benches),
             "pass": lambda: pass_table(benches)}
    return head + "".join(parts[part]() for part in options.parts)


def measured(options):
    """Measures all sizes, writes the report and returns the results."""
    load, benches = os.getloadavg()[0], []
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as folder:
            benches.append(Bench(size, options, pathlib.Path(folder)))
            benches[-1].run_all()
            benches[-1].context |= {"load": load, "rounds": options.rounds, "repeats": options.repeats,
                                  "iterations": options.iterations, "platform": options.platform}
        print(f"n = {size} measured", file=sys.stderr)
    options.out.write_text(json.dumps([bench.report() for bench in benches], indent=2) + "\n")
    return benches


def restored(options):
    """Returns the results of the reports, combined by size."""
    benches = {}
    for report in (report for path in options.tables for report in json.loads(path.read_text())):
        size = report["size"]
        benches.setdefault(size, Bench(size, options, None)).restore(report)
    return [benches[size] for size in sorted(benches)]


def measurements(reports):
    """Returns the measurements for bench/compare.

    They are those of the stochastic method with the smallest Hessian batch, and of passes over rows that exceed all caches,
    whose floor is reading them.
    """
    found = []
    for report in reports:
        bench = Bench(report["size"], None, None)
        bench.restore(report)
        if bench.size >= BEYOND_CACHES:
            found += [Measurement(task=f"pass over all rows, {name}", size=bench.size, sizes="features", side=backend, unit="pass",
                                  seconds=runs.shortest, floor=runs.shortest * bench.rate(name, backend, "bytes_per_second")
                                  / bench.rate("read_rows", backend, "bytes_per_second"))
                      for name in ("objective", "gradient") for backend, runs in bench.ours[name].items()
                      if backend in bench.ours.get("read_rows", {})]
        context = bench.context
        hessian_batch = min((key[1] for key in bench.ours if key[0] == "sqn"), default=None)
        if hessian_batch is None:
            continue
        of_case = {"task": "stochastic quasi-Newton", "size": bench.size, "sizes": "features", "unit": "iteration"}
        found += [Measurement(**of_case, side=backend, seconds=runs.shortest / context["iterations"],
                              floor=bench.floor(backend, hessian_batch))
                  for backend, runs in bench.ours["sqn", hessian_batch].items()]
        for precision in TOLERANCES:
            kept = bench.jax(precision, hessian_batch)
            if kept:
                found.append(Measurement(**of_case, side=f"JAX {precision}", seconds=kept[1].shortest / context["iterations"],
                                         on_gpu=context["platform"] == "cuda"))
    return found


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, "bench_quasi_newton")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N")
    parser.add_argument("--parts", nargs="+", choices=["sqn", "lbfgs", "pass"], default=["sqn", "lbfgs", "pass"])
    parser.add_argument("--hessian-batches", type=int, nargs="+", default=HESSIAN_BATCHES, metavar="B")
    parser.add_argument("--precisions", nargs="*", choices=list(TOLERANCES), default=list(TOLERANCES), help="precisions of JAX")
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=FORMS, help="data types in which JAX stores the features")
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--tolerance", type=float, default=1e-6, help="tolerance of L-BFGS for the norm of the gradient")
    parser.add_argument("--stochqn-python", metavar="PYTHON", help="interpreter in which stochQN is installed")
    parser.add_argument("--tables", type=pathlib.Path, nargs="+", metavar="REPORT", help="reports of earlier runs to combine instead of measuring")
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"), help="page and place into which the tables are written")
    return parser.parse_args()


def main():
    options = parsed()
    if not options.tables and not options.program.exists():
        skip(f"{options.program} does not exist")
    if options.smoke:
        options.sizes, options.precisions, options.rounds, options.repeats, options.iterations = [20], ["float32"], 1, 1, 30
        options.hessian_batches = HESSIAN_BATCHES[:1]
    benches = restored(options) if options.tables else measured(options)
    text = text_of(benches, options)
    show(text, options.into)


if __name__ == "__main__":
    main()
