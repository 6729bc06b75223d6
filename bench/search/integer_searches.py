#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares searches over whole numbers at equal budgets, for docs/benchmarks/searches.md.

    integer_searches.py [--problems dualsourcing-1,hotel-1] [--runs 20] [--budget 1000]

Each solver gets the same start, the same budget of replications and the same number of macro-replications. New replications,
the same for all solvers, evaluate the final points. The script prints the fraction of the initial gap to the optimum that is
left, as a mean with a 95 % interval, the mean objective, and the p-value of a one-sided signed-rank test that
coordinate-search leaves less. It requires SciPy for the intervals and tests.

Besides solvers of Sporos, it runs SciPy's differential evolution with whole numbers, and Optuna's TPE sampler if Optuna is
installed. These solvers estimate each point by 10 replications with common random numbers, as random-search does.
"""

import argparse
import math

import numpy as np
import sporos
from scipy.optimize import differential_evolution
from scipy.stats import t, wilcoxon

try:
    import optuna
except ImportError:
    optuna = None

OURS = "coordinate-search"
PROBLEMS = "dualsourcing-1,table-1,amusement-1,hotel-1"
AT_A_POINT = 10  # replications at a point in the searches of other packages


class Estimates:
    """Estimates of the objective at points of a run, with common random numbers, that remember the lowest point."""

    def __init__(self, run):
        self.run, self.best = run, math.inf

    def __call__(self, x):
        x = np.round(np.asarray(x, dtype=float))
        mean = self.run(np.array([x]), replications=AT_A_POINT)[0]
        if mean < self.best:
            self.best = mean
            self.run.recommend(x)
        return float(mean)


def scipy_evolution(run):
    """Differential evolution of SciPy with whole numbers."""
    estimate = Estimates(run)
    whole = [True] * len(run.start)
    differential_evolution(estimate, list(zip(run.low, run.high)), x0=run.start, integrality=whole, popsize=1, maxiter=10**6,
                           tol=0, polish=False, seed=run.seed % 2**32)


def optuna_tpe(run):
    """Tree-structured Parzen estimator of Optuna."""
    estimate = Estimates(run)
    ranges = {f"x{i}": (int(low), int(high)) for i, (low, high) in enumerate(zip(run.low, run.high))}

    def objective(trial):
        return estimate([trial.suggest_int(name, *ends) for name, ends in ranges.items()])

    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=run.seed % 2**32, multivariate=True))
    study.enqueue_trial({name: int(x) for name, x in zip(ranges, run.start)})
    study.optimize(objective, n_trials=run.budget // AT_A_POINT)


def half_width(values):
    """Returns the half-width of a 95 % interval of the mean."""
    return t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / math.sqrt(len(values))


def chance(ours, theirs):
    """Returns the p-value of a one-sided signed-rank test that ours are smaller; 1 if nothing differs."""
    return float(wilcoxon(ours - theirs, alternative="less").pvalue) if np.any(ours != theirs) else 1.0


def print_problem(problem, solvers, arguments):
    """Runs all solvers on a problem and prints a table."""
    result = sporos.compare_solvers(problems=problem["name"], solvers=solvers, macroreplications=arguments.runs,
                                    budget=arguments.budget, seed=arguments.seed, progress=False)
    gaps = {}
    for row in result.table("ends").rows():
        gaps.setdefault(row["solver"], []).append(row["gap_left"])
    print(f"\n**{problem['name']}**, {len(problem['decisions'])} decisions, {arguments.budget} replications, "
          f"{arguments.runs} runs, optimum {problem['optimum']['value']:.6g}\n")
    print("| solver | gap left | mean objective | p |\n|---|---:|---:|---:|")
    for row in result.table("comparison").rows():
        gap, name = np.array(gaps[row["solver"]]), row["solver"]
        p = "" if name == OURS else f"{chance(np.array(gaps[OURS]), gap):.1g}"
        print(f"| `{name}` | {gap.mean():.3f} ± {half_width(gap):.3f} | {row['objective']:.6g} | {p} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", default=PROBLEMS)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--budget", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    solvers = [OURS, "r-spline", "random-search", scipy_evolution]
    if optuna:
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        solvers.append(optuna_tpe)
    else:
        print("Optuna is not installed and is left out.")
    known = {problem["name"]: problem for problem in sporos.problems()}
    for name in arguments.problems.split(","):
        print_problem(known[name], solvers, arguments)


if __name__ == "__main__":
    main()
