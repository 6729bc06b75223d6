#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the solvers of bench_search with SimOpt's solvers on SimOpt's problems.

  simopt_peer.py --program build/bin/bench_search [--runs 30] [--problems san-1,mm1-1] [SOLVER...]
                                  exit status 77 if SimOpt (package simoptlib) is not installed

Both sides have the same budget of replications and the same starts, and use the defaults of their solvers. The same program
evaluates their final points: by exact means, for sscont-1 by 10^5 replications. Times are processor times per replication on
one core, including the solver, because other programs disturb wall times more: the minimum over SimOpt's runs, and for
Sporos, which makes all runs at once, the minimum over five repetitions.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

try:
    from simopt.experiment_base import ProblemSolver
    from simopt_timing import timed_runs
except ImportError as missing:
    print(f"simopt_peer.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

BUDGETS = {"san-1": 5000, "mm1-1": 1000, "cntnews-1": 1000, "sscont-1": 1000}
PEERS = {"ADAM": ["adam"], "ASTRODF": ["astro", "astro-df"], "SPSA": ["spsa"], "RNDSRCH": ["random"], "NELDMD": ["nelder-mead"]}


def ours(problem, names, options):
    """Returns by solver: microseconds per replication, mean and worst objective of the final points."""
    command = [options.program, f"--benchmark_filter=^serial/{problem}/({'|'.join(names)})/", "--benchmark_format=json",
               "--benchmark_repetitions=5", f"--budget={BUDGETS[problem]}", f"--runs={options.runs}"]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false"}
    text = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    found = {}
    for run in json.loads(text)["benchmarks"] if text else []:  # empty if the model has no gradients
        if run["run_type"] != "iteration":
            continue
        name = run["name"].split("/")[2]
        seconds = run["processor_seconds_per_replication"]
        shortest = min(seconds * 1e6, found[name][0]) if name in found else seconds * 1e6
        found[name] = shortest, run["objective"], run["worst_objective"]
    return found


def simopt(problem, solver, options):
    """Returns the same results for a solver of SimOpt."""
    experiment = ProblemSolver(solver_name=solver, problem_name=problem.upper(), create_pickle=False,
                               problem_fixed_factors={"budget": BUDGETS[problem]})
    seconds = timed_runs(experiment, options.runs)
    points = "".join(" ".join(map(repr, map(float, solutions[-1]))) + "\n" for solutions in experiment.all_recommended_xs)
    text = subprocess.run([options.program, f"--points={problem}"], input=points, check=True, capture_output=True,
                          text=True).stdout
    ends = [float(line) for line in text.split()]
    if len(ends) != options.runs:
        sys.exit(f"simopt_peer.py: {solver} has {len(ends)} objectives for {options.runs} final points, expected one for each")
    return min(seconds) / BUDGETS[problem] * 1e6, sum(ends) / len(ends), max(ends)


def row(name, found):
    return f"{name:12} {found[0]:11.4f} us {found[1]:11.4f} {found[2]:11.4f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="bench_search")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--problems", default=",".join(BUDGETS))
    parser.add_argument("solvers", nargs="*", default=list(PEERS), metavar="SOLVER", help=f"one of {', '.join(PEERS)}")
    options = parser.parse_args()
    print(f"{options.runs} runs each. Columns: time per replication, mean and worst objective of the final points. SimOpt, "
          "then Sporos.")
    for problem in options.problems.split(","):
        for solver in options.solvers:
            theirs = simopt(problem, solver, options)
            print(f"{problem:10}", row(solver, theirs), flush=True)
            for name, found in ours(problem, PEERS[solver], options).items():
                print(f"{problem:10}", row(name, found), f"{theirs[0] / found[0]:7.0f} times as fast", flush=True)


if __name__ == "__main__":
    main()
