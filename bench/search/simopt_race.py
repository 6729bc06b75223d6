#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the solvers of SimOpt with our implementations of them on SimOpt's problems: times and final points.

    taskset -c 1 simopt_race.py [--problems san-1,mm1] [--solvers ADAM,SPSA] [--runs 10] [--out race.json]
    simopt_race.py --merge FOLDER [--out race.json]      # combines the files of parts, without a run

Both sides have the same budget of replications, the same start, the same number of macro-replications, one core, and their
default settings. The script reports wall times and processor times, which other programs on the machine disturb less. The
time of SimOpt is the number of runs times the median time of a search. The time of Sporos is the median of five calls of
sporos.optimize with all runs, including the evaluation of the final points.

The same replications of our simulator evaluate the final points of both sides. A one-sided signed-rank test of the pairs
decides whether ours are worse (p), or better, by more than a margin, which is 0.1 % of the gap between the objectives at the
start and at the known optimum. With constraints on responses, a point that significantly violates a limit (one-sided, 0.1 %)
ranks after all others, and a sign test is used. The exit status is 77 if SimOpt (package simoptlib) or our package is not
installed.

Parts of the comparison, with some problems or solvers each, may run in parallel on different cores; --merge combines the files
that they wrote.
"""
import argparse
import functools
import json
import math
import os
import pathlib
import platform
import statistics
import sys
import time
from dataclasses import dataclass, field

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # before NumPy is imported: use one core

try:
    import numpy as np
    import sporos
    from scipy.stats import binomtest, norm, wilcoxon
    from simopt.experiment_base import ProblemSolver

    from simopt_definitions import PEERS, Problem, give_our_rows, simopt_problem
    from simopt_timing import timed_runs
except ImportError as missing:
    print(f"simopt_race.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

CALLS = 5  # number of our calls
MARGIN = 1e-3  # fraction of the gap between start and optimum
SHOWN = norm.isf(1e-3)  # standard errors by which a mean must exceed a limit to count as a violation
SMOOTH = {"ADAM": "adam", "ASTRODF": "astro", "SPSA": "spsa", "NELDMD": "nelder-mead", "RNDSRCH": "random-search"}
NOISY = SMOOTH | {"ASTRODF": "astro-df"}  # for problems without gradients
SEARCHED = {"RNDSRCH": "random-search"}
STOCHASTIC = {"FCSA": "csa"}  # for stochastic constraints


@dataclass(frozen=True)
class Race:
    """Solvers of both sides for a problem."""

    solvers: dict  # our solver for each solver of SimOpt
    post: int  # replications at each final point
    gradient: str | None = None  # gradient of our solver, if not the default


# The list omits problems with linear constraints, and amusement-1: its attractions share a limited number of places,
# which our random search does not support.
RACES = {
    "example-1": Race(SMOOTH, 2000),
    "cntnews-1": Race(SMOOTH, 20_000),
    "san-1": Race(SMOOTH, 20_000),
    "fixedsan-1": Race(SMOOTH, 20_000),
    "mm1": Race(SMOOTH, 5000),
    "erm-1": Race(SMOOTH, 20_000),
    "paramesti-1": Race(NOISY, 20_000, gradient="differences"),
    "sscont-1": Race(NOISY, 5000, gradient="differences"),
    "ironore-2": Race(NOISY, 20_000, gradient="differences"),
    "ambulance-1": Race(NOISY, 5000),
    "ironore-1": Race(SEARCHED, 20_000),
    "example-2": Race(SEARCHED, 2000),
    "dualsourcing-1": Race(SEARCHED, 2000),
    "dynamnews-1": Race(SEARCHED, 200),
    "hotel-1": Race(SEARCHED, 500),
    "table-1": Race(SEARCHED, 2000),
    "contam-1": Race(SEARCHED, 20_000),
    "san-2": Race(STOCHASTIC, 20_000),
    "facsize-1": Race(STOCHASTIC, 20_000),
    "contam-2": Race(STOCHASTIC, 20_000),
    "chess-1": Race(SEARCHED | STOCHASTIC, 500, gradient="differences"),
}


@dataclass
class Side:
    """Results of a solver."""

    seconds: float  # elapsed seconds of all runs
    processor: float  # processor seconds of all runs
    ends: list = field(repr=False)
    objectives: np.ndarray | None = field(default=None, repr=False)  # at the final points, to be minimized
    excess: float = 0  # largest mean excess over a constraint at a final point
    # Whether each final point significantly violates a limit.
    beyond: np.ndarray | None = field(default=None, repr=False)


def simopt_side(problem, solver, budget, runs):
    peer = simopt_problem(PEERS[problem.name], True)
    peer.factors["budget"] = budget
    experiment = ProblemSolver(solver_name=solver, problem=peer, create_pickle=False)
    processor = timed_runs(experiment, runs)
    ends = [[float(value) for value in solutions[-1]] for solutions in experiment.all_recommended_xs]
    return Side(runs * statistics.median(experiment.timings), runs * statistics.median(processor), ends)


def our_side(problem, race, solver, budget, runs, backend):
    far = 1e9
    over, start, draw = {}, {}, {}
    for decision in problem.decisions:
        low, high = decision["lower_bound"], decision["upper_bound"]
        over[decision["parameter"]] = (-far if low is None else low, math.inf if high is None else high)
        start[decision["parameter"]] = decision["start"]
        if "drawn" in decision:
            draw[decision["parameter"]] = decision["drawn"]
    objective = {"maximize" if problem.is_maximized else "minimize": problem.objective.text}
    seconds, processor = [], []
    for _ in range(CALLS):
        before = time.perf_counter(), time.process_time()
        found = sporos.optimize(problem.model, over=over, draw=draw, **objective, subject_to=problem.texts or None, solver=solver,
                                gradient=race.gradient, replications=budget, macro_replications=runs,
                                final_replications=100 if problem.texts else 2, gap_batches=0, backend=backend, progress=False,
                                **problem.parameters, **start)
        seconds.append(time.perf_counter() - before[0])
        processor.append(time.process_time() - before[1])
    ends = found.table("runs" if runs > 1 else "answer").rows()
    return Side(statistics.median(seconds), statistics.median(processor), [[end[name] for name in over] for end in ends])


def look_at_ends(problem, side, replications, backend):
    """Evaluates the final points by replications that no run has used, with common random numbers for both sides."""
    sign = -1 if problem.is_maximized else 1
    objectives, beyond = [], []
    for x in side.ends:
        objective, *constraints = problem.samples(x, replications, 10**6, {}, backend)
        objectives.append(sign * objective[2].mean())
        beyond.append(False)
        for _, limit, values in constraints:
            excess = values.mean() - (limit or 0)
            side.excess = max(side.excess, excess)
            beyond[-1] |= excess > SHOWN * values.std() / math.sqrt(len(values))
    side.objectives, side.beyond = np.array(objectives), np.array(beyond)


@functools.cache  # computed once for all solvers of a problem
def margin_of(problem, replications, backend):
    """Returns the difference of objectives that counts as equal; 0 if no optimum is known."""
    if not (problem.optimum and problem.optimum["decisions"]):
        return 0.0
    start = [decision["start"] for decision in problem.decisions]
    means = [next(problem.samples(x, replications, 10**6, {}, backend))[2].mean() for x in (start, problem.optimum["decisions"])]
    return MARGIN * abs(means[0] - means[1])


def chance(differences, alternative):
    """Returns the p-value of a signed-rank test; 1 if nothing differs."""
    differences = differences[np.abs(differences) > 1e-12]
    return float(wilcoxon(differences, alternative=alternative).pvalue) if len(differences) else 1.0


def comes_after(one, other, margin):
    """Returns for each pair of final points whether the first one is worse."""
    return (one.beyond & ~other.beyond) | ((one.beyond == other.beyond) & (one.objectives > other.objectives + margin))


def chance_under_limits(first, second, margin):
    """Returns the p-value of a sign test of the hypothesis that the first side is not worse than the second."""
    worse, better = int(comes_after(first, second, margin).sum()), int(comes_after(second, first, margin).sum())
    return float(binomtest(worse, worse + better, alternative="greater").pvalue) if worse + better else 1.0


def chances(problem, ours, theirs, margin):
    """Returns the p-values of the hypotheses that ours are not worse, and not better."""
    if problem.texts:
        return chance_under_limits(ours, theirs, margin), chance_under_limits(theirs, ours, margin)
    apart = ours.objectives - theirs.objectives
    return chance(apart - margin, "greater"), chance(apart + margin, "less")


HEAD = (f"{'problem':15} {'solver':8} {'ours':13} {'SimOpt, s':>10} {'ours, s':>9} {'ratio':>7} {'of cpu':>7} "
        f"{'SimOpt':>11} {'worst':>11} {'ours':>11} {'worst':>11} {'p worse':>8} {'p better':>8}")


def line_of(row):
    """Returns the line of a pair in the table."""
    text = (f"{row['problem']:15} {row['solver']:8} {row['ours']:13} {row['seconds'][0]:10.3f} {row['seconds'][1]:9.5f} "
            f"{row['ratio']:7.0f} {row['processor_ratio']:7.0f} ")
    for theirs in (0, 1):
        text += f"{row['means'][theirs]:11.5g} {row['worst'][theirs]:11.5g} "
    text += f"{row['p_worse']:8.4f} {row['p_better']:8.4f}"
    if not row["is_constrained"]:
        return text
    return text + (f"  violations {row['beyond'][0]}, {row['beyond'][1]}; "
                   f"excess {row['excess'][0]:.3g}, {row['excess'][1]:.3g}")


def pair(problem, race, their_solver, options):
    """Runs a solver of SimOpt and ours on a problem, and returns the row of the pair."""
    budget = options.budget or problem.budget
    theirs = simopt_side(problem, their_solver, budget, options.runs)
    ours = our_side(problem, race, race.solvers[their_solver], budget, options.runs, options.backend)
    for side in (theirs, ours):
        look_at_ends(problem, side, race.post, options.backend)
    p_worse, p_better = chances(problem, ours, theirs, margin_of(problem, race.post, options.backend))
    return {"problem": problem.name, "solver": their_solver, "ours": race.solvers[their_solver], "budget": budget,
            "runs": options.runs, "seconds": [theirs.seconds, ours.seconds], "ratio": theirs.seconds / ours.seconds,
            "processor_ratio": theirs.processor / ours.processor,
            "means": [theirs.objectives.mean(), ours.objectives.mean()],
            "worst": [theirs.objectives.max(), ours.objectives.max()],
            "excess": [theirs.excess, ours.excess], "is_constrained": bool(problem.texts),
            "beyond": [int(theirs.beyond.sum()), int(ours.beyond.sum())], "p_worse": p_worse, "p_better": p_better}


def run_pairs(options):
    """Yields the row of each requested pair as soon as it is complete."""
    responses = {model.name: list(model.responses) for model in sporos.models()}
    problems = {entry["name"]: Problem(entry, responses[entry["model"]]) for entry in sporos.problems()}
    names = options.problems.split(",")
    if "erm-1" in names:
        give_our_rows(options.backend)
    for name in names:
        for their_solver in filter(RACES[name].solvers.get, options.solvers.split(",")):
            yield pair(problems[name], RACES[name], their_solver, options)


def merged(folder):
    """Returns the rows in all JSON files of a folder, in the order of the problems."""
    rows = [row for part in sorted(pathlib.Path(folder).glob("*.json")) for row in json.loads(part.read_text())]
    if len({(row["problem"], row["solver"]) for row in rows}) < len(rows):
        sys.exit(f"simopt_race.py: {folder} has a pair of solvers on a problem twice, expected disjoint parts")
    if not rows:
        sys.exit(f"simopt_race.py: {folder} has no pairs, expected JSON files of --out")
    solvers = [*SMOOTH, *STOCHASTIC]
    return sorted(rows, key=lambda row: (list(RACES).index(row["problem"]), solvers.index(row["solver"])))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", default=",".join(RACES), help="names, separated by commas")
    parser.add_argument("--solvers", default=",".join([*SMOOTH, *STOCHASTIC]), help="solvers of SimOpt, separated by commas")
    parser.add_argument("--runs", type=int, default=10, help="number of macro-replications")
    parser.add_argument("--budget", type=int, help="replications of a run; default: the budget of the problem")
    parser.add_argument("--backend", default="serial")
    parser.add_argument("--out", help="JSON file for the rows of all pairs")
    parser.add_argument("--merge", metavar="FOLDER", help="combine the JSON files in FOLDER instead of running")
    options = parser.parse_args()
    print(f"{options.runs} runs each on one core, Python {platform.python_version()}; mean and worst objective of final points")
    print(HEAD)
    rows = []
    for row in merged(options.merge) if options.merge else run_pairs(options):
        rows.append(row)
        print(line_of(row), flush=True)
    level = 0.01
    worse, better = (sum(row[key] < level for row in rows) for key in ("p_worse", "p_better"))
    total = [sum(row["seconds"][i] for row in rows) for i in (0, 1)]
    for key, what in (("ratio", "ratio"), ("processor_ratio", "ratio of processor times")):
        ratios = [row[key] for row in rows]
        print(f"{what}: median {statistics.median(ratios):.0f}, from {min(ratios):.0f} to {max(ratios):.0f}")
    print(f"{len(rows)} pairs in {total[0]:.1f} s and {total[1]:.3f} s, ratio {total[0] / total[1]:.0f}; "
          f"ours are better in {better} and worse in {worse} (p below {level})")
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
