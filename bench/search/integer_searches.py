#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares searches over whole numbers at equal budgets, for docs/benchmarks/searches.md.

    integer_searches.py [--problems dualsourcing-1,hotel-1] [--runs 20] [--budget 1000]

Each solver gets the same start, the same budget of replications and the same number of macro-replications. New replications,
the same for all solvers, evaluate the final points. The script prints the objective at the start, the mean objective at the ends
with a 95 % interval, and the p-value of a one-sided signed-rank test that coordinate-search ends better on the same seeds.

Besides solvers of Sporos, it runs Optuna's TPE sampler and SciPy's differential evolution with whole numbers, if these packages
are installed. These solvers estimate each point by 10 replications with common random numbers, as random-search does.
"""

import argparse
import math

import numpy as np
import sporos

OURS = "coordinate-search"
PROBLEMS = "dualsourcing-1,dynamnews-1,table-1,hotel-1"
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


def peers():
    """Returns the solvers of the installed packages."""
    found = []
    try:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)

        def optuna_tpe(run):
            estimate = Estimates(run)
            names = [f"x{i}" for i in range(len(run.start))]

            def objective(trial):
                return estimate([trial.suggest_int(name, int(low), int(high))
                                 for name, low, high in zip(names, run.low, run.high)])

            study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=run.seed % 2**32, multivariate=True))
            study.enqueue_trial({name: int(x) for name, x in zip(names, run.start)})
            study.optimize(objective, n_trials=run.budget // AT_A_POINT)

        found.append(optuna_tpe)
    except ImportError:
        print("Optuna is not installed and is left out.")
    try:
        from scipy.optimize import differential_evolution

        def scipy_evolution(run):
            estimate = Estimates(run)
            differential_evolution(estimate, list(zip(run.low, run.high)), x0=run.start, integrality=[True] * len(run.start),
                                   popsize=1, maxiter=10**6, tol=0, polish=False, rng=np.random.default_rng(run.seed))

        found.append(scipy_evolution)
    except ImportError:
        print("SciPy is not installed and is left out.")
    return found


def half_width(values):
    """Returns the half-width of a 95 % interval of the mean."""
    from scipy.stats import t

    return t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / math.sqrt(len(values))


def chance(ours, theirs, is_maximized):
    """Returns the p-value of a one-sided signed-rank test that ours are better; 1 if nothing differs."""
    from scipy.stats import wilcoxon

    gains = (ours - theirs) * (1 if is_maximized else -1)
    return float(wilcoxon(gains, alternative="greater").pvalue) if np.any(gains != 0) else 1.0


def print_problem(problem, solvers, arguments):
    """Runs all solvers on a problem and prints a table."""
    result = sporos.compare_solvers(problems=problem["name"], solvers=solvers, macroreplications=arguments.runs,
                                    budget=arguments.budget, seed=arguments.seed, progress=False)
    rows = result.table("ends").rows()
    names = list(dict.fromkeys(row["solver"] for row in rows))
    ends = {name: np.array([row["objective"] for row in rows if row["solver"] == name]) for name in names}
    is_maximized = problem["objective"].startswith("maximize ")
    print(f"\n**{problem['name']}**, {len(problem['decisions'])} decisions, {arguments.budget} replications, "
          f"optimum {problem['optimum']['value']:.6g}\n")
    print("| solver | mean of the ends | p |\n|---|---:|---:|")
    for name in names:
        p = "" if name == OURS else f"{chance(ends[OURS], ends[name], is_maximized):.2g}"
        print(f"| `{name}` | {ends[name].mean():.6g} ± {half_width(ends[name]):.2g} | {p} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", default=PROBLEMS)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--budget", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    solvers = [OURS, "r-spline", "random-search", *peers()]
    known = {problem["name"]: problem for problem in sporos.problems()}
    for name in arguments.problems.split(","):
        print_problem(known[name], solvers, arguments)


if __name__ == "__main__":
    main()
