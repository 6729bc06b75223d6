#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the solvers of bench_constrained with SimOpt's solvers on SimOpt's SAN-2.

  simopt_constrained_peer.py --program build/bin/bench_constrained [--runs 30] [--budget 10000] [METHOD...]
                                  exit status 77 if SimOpt (package simoptlib) is not installed

Both sides have the same budget of replications and the same start, and use the defaults of their solvers. The same program
computes the exact results of their final points: the mean objective, its mean distance from the optimum, and the mean and the
largest violation of a constraint. Times are processor times per replication on one core, including the solver: the minimum
over SimOpt's runs, and for Sporos, which makes all runs at once, the minimum over five repetitions.
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
    """Returns by solver: microseconds per replication, objective, its distance, mean and largest violation."""
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
        shortest = min(seconds, found[name][0]) if name in found else seconds
        found[name] = shortest, run["objective"], run["distance"], run["excess"], run["worst_excess"]
    return found


def simopt(method, options):
    """Returns the same results for a method of SimOpt's FCSA."""
    experiment = ProblemSolver(solver_name="FCSA", problem_name="SAN-2", create_pickle=False,
                               solver_fixed_factors={"search_direction": method},
                               problem_fixed_factors={"budget": options.budget})
    seconds = timed_runs(experiment, options.runs)
    points = "".join(" ".join(map(repr, map(float, solutions[-1]))) + "\n" for solutions in experiment.all_recommended_xs)
    text = subprocess.run([options.program, "--points"], input=points, check=True, capture_output=True, text=True).stdout
    ends = [tuple(map(float, line.split())) for line in text.splitlines()]
    if len(ends) != options.runs:
        sys.exit(f"simopt_constrained_peer.py: {method} has {len(ends)} results for {options.runs} final points, expected one "
                 "for each")
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
    parser.add_argument("methods", nargs="*", default=METHODS, metavar="METHOD", help=f"one of {', '.join(METHODS)}")
    options = parser.parse_args()
    print(f"{options.runs} runs of {options.budget} replications. Columns: time per replication; for the final points, the "
          f"objective, its distance from {OPTIMUM}, the mean and the largest violation. SimOpt, then Sporos.")
    shortest = float("inf")
    for method in options.methods:
        theirs = simopt(method, options)
        shortest = min(shortest, theirs[0])
        print(row(method, theirs), flush=True)
    for name, found in ours(options).items():
        print(row(name, found), f"{shortest / found[0]:7.0f} times as fast as SimOpt's fastest", flush=True)


if __name__ == "__main__":
    main()
