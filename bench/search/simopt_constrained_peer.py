#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Searches of bench_constrained and SimOpt's solvers on SimOpt's SAN-2, in one run: a table of both.

  simopt_constrained_peer.py --program build/bin/bench_constrained [--runs 30] [--budget 10000] [METHOD...]
                                  exits 77 where SimOpt (simoptlib on PyPI) is not installed

Both sides have the same budget of replications and the same start, and their ends are judged by the same program, exactly:
the mean objective, its mean distance from the optimum, the mean and the greatest excess over a constraint. Times are those of
a replication with the solver's own work, on one core, in processor time: the least of SimOpt's runs, and the least of five
times all runs of ours, which are made side by side. Solvers have their own usual options on both sides.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # before NumPy is imported: use one core

try:
    from simopt.experiment_base import ProblemSolver
    from simopt_timing import timed_runs
except ImportError as missing:
    print(f"simopt_constrained_peer.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

OPTIMUM = 18.5428993
METHODS = ["FCSA", "CSA", "CSA-N"]


def ours(options):
    """Of each of our solvers, microseconds a replication, the objective and its distance, the mean and the worst excess."""
    command = [options.program, "--benchmark_filter=^serial/", "--benchmark_format=json", "--benchmark_repetitions=5",
               f"--budget={options.budget}", f"--runs={options.runs}"]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false"}
    text = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    found = {}
    for run in json.loads(text)["benchmarks"]:
        if run["run_type"] != "iteration":
            continue
        name = run["name"].split("/")[2]
        seconds = run["processor_seconds_per_replication"] * 1e6
        least = min(seconds, found[name][0]) if name in found else seconds
        found[name] = least, run["objective"], run["distance"], run["excess"], run["worst_excess"]
    return found


def simopt(method, options):
    """The same of a method of SimOpt's FCSA."""
    experiment = ProblemSolver(solver_name="FCSA", problem_name="SAN-2", create_pickle=False,
                               solver_fixed_factors={"search_direction": method},
                               problem_fixed_factors={"budget": options.budget})
    seconds = timed_runs(experiment, options.runs)
    points = "".join(" ".join(map(repr, map(float, solutions[-1]))) + "\n" for solutions in experiment.all_recommended_xs)
    text = subprocess.run([options.program, "--points"], input=points, check=True, capture_output=True, text=True).stdout
    ends = [tuple(map(float, line.split())) for line in text.splitlines()]
    if len(ends) != options.runs:
        sys.exit(f"simopt_constrained_peer.py: {len(ends)} values of {options.runs} ends of {method}, expected one of each")
    objectives, excesses = zip(*ends)
    distance = sum(abs(objective - OPTIMUM) for objective in objectives) / len(ends)
    return (min(seconds) / options.budget * 1e6, sum(objectives) / len(ends), distance, sum(excesses) / len(ends),
            max(excesses))


def row(name, found):
    return f"{name:22} {found[0]:10.3f} us" + "".join(f" {number:10.4f}" for number in found[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="bench_constrained")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--budget", type=int, default=10000)
    parser.add_argument("methods", nargs="*", default=METHODS, metavar="METHOD", help=f"of {', '.join(METHODS)}")
    options = parser.parse_args()
    print(f"{options.runs} runs of {options.budget} replications; a replication, then of the ends the objective, its distance "
          f"from {OPTIMUM}, the mean and the greatest excess; SimOpt, then ours")
    least = float("inf")
    for method in options.methods:
        theirs = simopt(method, options)
        least = min(least, theirs[0])
        print(row(method, theirs), flush=True)
    for name, found in ours(options).items():
        print(row(name, found), f"{least / found[0]:7.0f} times as fast as the fastest", flush=True)


if __name__ == "__main__":
    main()
