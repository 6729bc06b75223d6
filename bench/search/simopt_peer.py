#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Searches of bench_search and SimOpt's solvers on SimOpt's problems, in one run: a table of both.

  simopt_peer.py --program build/bin/bench_search [--runs 30] [--problems san-1,mm1-1] [SOLVER...]
                                  exits 77 where SimOpt (simoptlib on PyPI) is not installed

Both sides have the same budget of replications and the same starts, and their ends are judged by the same program: by exact
means, for sscont-1 by 10^5 replications. Times are those of a replication with the solver's own work, on one core, in
processor time, which other programs on the machine disturb less than the time that passes: the least of SimOpt's runs, and
the least of five times all runs of ours, which are made side by side. Solvers have their own usual options on both sides.
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
    """Of each of our solvers, microseconds a replication and the mean and worst objective of the ends."""
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
        least = min(seconds * 1e6, found[name][0]) if name in found else seconds * 1e6
        found[name] = least, run["objective"], run["worst_objective"]
    return found


def simopt(problem, solver, options):
    """The same of a solver of SimOpt."""
    experiment = ProblemSolver(solver_name=solver, problem_name=problem.upper(), create_pickle=False,
                               problem_fixed_factors={"budget": BUDGETS[problem]})
    seconds = timed_runs(experiment, options.runs)
    points = "".join(" ".join(map(repr, map(float, solutions[-1]))) + "\n" for solutions in experiment.all_recommended_xs)
    text = subprocess.run([options.program, f"--points={problem}"], input=points, check=True, capture_output=True,
                          text=True).stdout
    ends = [float(line) for line in text.split()]
    if len(ends) != options.runs:
        sys.exit(f"simopt_peer.py: {len(ends)} objectives of {options.runs} ends of {solver}, expected one of each")
    return min(seconds) / BUDGETS[problem] * 1e6, sum(ends) / len(ends), max(ends)


def row(name, found):
    return f"{name:12} {found[0]:11.4f} us {found[1]:11.4f} {found[2]:11.4f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="bench_search")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--problems", default=",".join(BUDGETS))
    parser.add_argument("solvers", nargs="*", default=list(PEERS), metavar="SOLVER", help=f"of {', '.join(PEERS)}")
    options = parser.parse_args()
    print(f"{options.runs} runs each; a replication, then the mean and the worst objective of the ends; SimOpt, then ours")
    for problem in options.problems.split(","):
        for solver in options.solvers:
            theirs = simopt(problem, solver, options)
            print(f"{problem:10}", row(solver, theirs), flush=True)
            for name, found in ours(problem, PEERS[solver], options).items():
                print(f"{problem:10}", row(name, found), f"{theirs[0] / found[0]:7.0f} times as fast", flush=True)


if __name__ == "__main__":
    main()
