#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares searches over whole numbers at equal budgets, for docs/benchmarks/searches.md.

    integer_searches.py [--problems lattice,order-plan,call-centre,dualsourcing-1,hotel-1] [--runs 20] [--budget 1000]

Each solver gets the same start, the same budget of replications and the same number of macro-replications. New replications,
the same for all solvers, evaluate the final points. For each solver, the script prints the median of the objective at the final
points with a 95 % interval, and the p-value of a one-sided signed-rank test that coordinate-search ends lower. It requires SciPy.

Besides solvers of Sporos, it runs SciPy's differential evolution with whole numbers, and Optuna's TPE sampler if Optuna is
installed. These solvers estimate each point by 10 replications, the same for all points of a run, as random-search does.
"""

import argparse
import dataclasses
import json
import math
import pathlib
import sys

import numpy as np
import sporos
from scipy.optimize import differential_evolution
from scipy.stats import binom, wilcoxon

try:
    import optuna
except ImportError:
    optuna = None

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import TREE  # noqa: E402

OURS = "coordinate-search"
SOLVERS = (OURS, "r-spline", "random-search")
PROBLEMS = "lattice,order-plan,call-centre,dualsourcing-1,hotel-1"
AT_A_POINT = 10  # replications at a point in the searches of other packages
FINAL_SEED = 777


@sporos.model
class LatticeQuadratic:
    """Quadratic function of 20 whole numbers with coupled neighbours, and noise of which differences keep a part."""

    x1: int = sporos.parameter(10, low=0, high=20)
    x2: int = sporos.parameter(10, low=0, high=20)
    x3: int = sporos.parameter(10, low=0, high=20)
    x4: int = sporos.parameter(10, low=0, high=20)
    x5: int = sporos.parameter(10, low=0, high=20)
    x6: int = sporos.parameter(10, low=0, high=20)
    x7: int = sporos.parameter(10, low=0, high=20)
    x8: int = sporos.parameter(10, low=0, high=20)
    x9: int = sporos.parameter(10, low=0, high=20)
    x10: int = sporos.parameter(10, low=0, high=20)
    x11: int = sporos.parameter(10, low=0, high=20)
    x12: int = sporos.parameter(10, low=0, high=20)
    x13: int = sporos.parameter(10, low=0, high=20)
    x14: int = sporos.parameter(10, low=0, high=20)
    x15: int = sporos.parameter(10, low=0, high=20)
    x16: int = sporos.parameter(10, low=0, high=20)
    x17: int = sporos.parameter(10, low=0, high=20)
    x18: int = sporos.parameter(10, low=0, high=20)
    x19: int = sporos.parameter(10, low=0, high=20)
    x20: int = sporos.parameter(10, low=0, high=20)
    inputs = ("noise", "slopes")
    responses = ("value",)

    def replicate(self, draw):
        x = [self.x1, self.x2, self.x3, self.x4, self.x5, self.x6, self.x7, self.x8, self.x9, self.x10,
             self.x11, self.x12, self.x13, self.x14, self.x15, self.x16, self.x17, self.x18, self.x19, self.x20]
        value = draw.normal("noise", 0.0, 4.0)
        before = 0.0
        for i in range(20):
            distance = float(x[i] - (7 * i) % 11 - 2)
            value += distance * distance + 0.5 * distance * before
            value += distance * draw.normal("slopes", 0.0, 1.0)
            before = distance
        return value


@sporos.model
class OrderPlan:
    """Orders of 12 months, planned at the beginning of a year, for a seasonal demand whose level is uncertain."""

    order_1: int = sporos.parameter(30, low=0, high=100)
    order_2: int = sporos.parameter(30, low=0, high=100)
    order_3: int = sporos.parameter(30, low=0, high=100)
    order_4: int = sporos.parameter(30, low=0, high=100)
    order_5: int = sporos.parameter(30, low=0, high=100)
    order_6: int = sporos.parameter(30, low=0, high=100)
    order_7: int = sporos.parameter(30, low=0, high=100)
    order_8: int = sporos.parameter(30, low=0, high=100)
    order_9: int = sporos.parameter(30, low=0, high=100)
    order_10: int = sporos.parameter(30, low=0, high=100)
    order_11: int = sporos.parameter(30, low=0, high=100)
    order_12: int = sporos.parameter(30, low=0, high=100)
    means = (10.0, 15.0, 30.0, 45.0, 60.0, 50.0, 40.0, 30.0, 25.0, 20.0, 35.0, 70.0)
    price = 10.0
    cost = 6.0
    holding = 0.5
    salvage = 2.0
    inputs = ("level", "demand")
    responses = ("profit", "lost sales")

    def replicate(self, draw):
        orders = [self.order_1, self.order_2, self.order_3, self.order_4, self.order_5, self.order_6,
                  self.order_7, self.order_8, self.order_9, self.order_10, self.order_11, self.order_12]
        level = draw.gamma("level", 25.0, 0.04)
        stock = 0
        profit = 0.0
        lost = 0
        for month in range(12):
            stock += orders[month]
            demand = draw.poisson("demand", level * self.means[month])
            sold = min(stock, demand)
            stock -= sold
            lost += demand - sold
            profit += self.price * sold - self.cost * orders[month] - self.holding * stock
        return profit + self.salvage * stock, float(lost)


def ends_of(found, names):
    """Returns the final point of each macro-replication of sporos.optimize. A single one has no table of runs."""
    table = found.table("runs" if "runs" in found.tables else "answer")
    return [[int(row[name]) for name in names] for row in table.rows()]


@dataclasses.dataclass
class Problem:
    """An objective that is minimized: a weighted sum of responses of a model."""

    name: str
    model: object
    weights: dict  # of responses
    over: dict  # bounds of each decision
    start: dict
    fixed: dict = dataclasses.field(default_factory=dict)
    optimum: float | None = None
    constant: float = 0

    def values(self, x, replications, seed):
        """Returns the objective in each replication at the point x, a list of whole numbers."""
        point = {name: int(value) for name, value in zip(self.over, x)}
        found = sporos.simulate(self.model, replications=replications, seed=seed, outputs=True, progress=False, **self.fixed,
                                **point)
        of = dict(zip(found.responses, found.outputs.T))
        return self.constant + sum(weight * of[name] for name, weight in self.weights.items())

    def ends(self, solver, options):
        """Returns the final point of each run of a solver of Sporos."""
        expression = " + ".join(f"{weight!r}*{name}" for name, weight in self.weights.items())
        found = sporos.optimize(self.model, over=self.over, minimize=expression, solver=solver, replications=options.budget,
                                macro_replications=options.runs, final_replications=10, seed=options.seed, progress=False,
                                **self.fixed, **self.start)
        return ends_of(found, self.over)


def call_centre():
    """The calls of call_centre.json, served by people whose shifts of four hours start every second hour."""
    case = json.loads((TREE / "examples" / "data" / "networks" / "call_centre.json").read_text())
    stations = case["stations"]
    everyone, services = stations["all-round"], {}
    for name in ("sales", "support"):
        services[name] = stations[f"{name}-agents"]["service"][name]
        case["classes"][name]["enters"] = "agents"
    case["stations"] = {"agents": {"service": services, "patience": everyone["patience"],
                                   "roles": {name: [name, "all-round"] for name in services}}}
    costs = {"sales": 20, "support": 22, "all-round": 26}
    case["staff"] = {role: {"cycle": "12 h", "starts": [3] * 6, "shift": "4 h", "cost": f"{cost} / h"}
                     for role, cost in costs.items()}
    names = [f"staff.{role}.starts.{slot}" for role in costs for slot in range(1, 6)]
    for role in case["staff"].values():
        role["starts"][5] = 0  # it would end after the day
    return Problem("call-centre", "network", {"staff cost per day": 1, "reneging at agents": 20000},
                   dict.fromkeys(names, (0, 15)), dict.fromkeys(names, 3), {"case": case})


def built_in(name):
    """A problem of sporos.problems()."""
    known = next(problem for problem in sporos.problems() if problem["name"] == name)
    goal, response = known["objective"].split(" ", 1)
    sign = -1 if goal == "maximize" else 1
    decisions = {one["parameter"]: one for one in known["decisions"]}
    over = {name: (int(one["lower_bound"]), int(one["upper_bound"])) for name, one in decisions.items()}
    start = {name: int(one["start"]) for name, one in decisions.items()}
    return Problem(name, known["model"], {response: sign}, over, start, known["parameters"], sign * known["optimum"]["value"])


def problem_named(name):
    if name == "lattice":
        names = [f"x{i}" for i in range(1, 21)]
        return Problem(name, LatticeQuadratic, {"value": 1}, dict.fromkeys(names, (0, 20)), dict.fromkeys(names, 10), optimum=0)
    if name == "order-plan":
        names = [f"order_{month}" for month in range(1, 13)]
        return Problem(name, OrderPlan, {"profit": -1}, dict.fromkeys(names, (0, 100)), dict.fromkeys(names, 30))
    return call_centre() if name == "call-centre" else built_in(name)


class BudgetSpent(Exception):
    """Too few replications are left in a run."""


class Estimates:
    """Estimates of an objective in a run of another package, on the same replications, that remember the lowest point."""

    def __init__(self, values, budget):
        self.values, self.left, self.mean, self.best = values, budget, math.inf, None

    def __call__(self, x):
        x = [round(float(value)) for value in x]
        if self.left < AT_A_POINT:
            raise BudgetSpent
        self.left -= AT_A_POINT
        mean = float(np.mean(self.values(x, AT_A_POINT)))
        if mean < self.mean:
            self.mean, self.best = mean, x
        return mean


def scipy_evolution(estimate, start, bounds, seed):
    """Differential evolution of SciPy with whole numbers."""
    differential_evolution(estimate, bounds, x0=start, integrality=[True] * len(start), popsize=1, maxiter=10**6, tol=0,
                           polish=False, rng=seed)


def optuna_tpe(estimate, start, bounds, seed):
    """Tree-structured Parzen estimator of Optuna."""
    ranges = {f"x{i}": (int(low), int(high)) for i, (low, high) in enumerate(bounds)}

    def objective(trial):
        return estimate([trial.suggest_int(name, *ends) for name, ends in ranges.items()])

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed, multivariate=True))
    study.enqueue_trial({name: int(x) for name, x in zip(ranges, start)})
    study.optimize(objective, n_trials=estimate.left // AT_A_POINT)


def other_searches():
    """Returns the searches of other packages that are installed."""
    if optuna is None:
        print("Optuna is not installed and is left out.")
    return {"SciPy, differential evolution": scipy_evolution, **({"Optuna, TPE": optuna_tpe} if optuna else {})}


def end_of(search, values, start, bounds, budget, seed):
    """Returns the final point of one run of another package's search, whose `values` has the arguments x, replications and seed."""
    estimate = Estimates(lambda x, replications: values(x, replications, seed), budget)
    try:
        search(estimate, start, bounds, seed)
    except BudgetSpent:
        pass
    return estimate.best


def interval_of_median(numbers):
    """Returns the interval between order statistics that contains the median with confidence 95 %, as text.

    The interval is empty for fewer than six numbers: not even the smallest and the largest one have this confidence then.
    """
    ordered, n = np.sort(numbers), len(numbers)
    below = int(binom.ppf(0.025, n, 0.5))  # P(fewer than `below` numbers are below the median) is at most 0.025
    return f"{ordered[below - 1]:.6g} to {ordered[n - below]:.6g}" if below > 0 else ""


def chance(ours, theirs, alternative):
    """Returns the p-value of a one-sided signed-rank test of ours against theirs, as text; empty for a single run."""
    if len(ours) < 2:
        return ""
    return f"{wilcoxon(ours - theirs, alternative=alternative).pvalue if np.any(ours != theirs) else 1.0:.1g}"


def print_problem(problem, solvers, options):
    """Runs all solvers on a problem and prints a table. Returns the mean objective at each final point."""
    start = [problem.start[name] for name in problem.over]
    bounds = list(problem.over.values())
    ends = {name: problem.ends(name, options) for name in solvers}
    if not options.ours_only:
        for name, search in other_searches().items():
            ends[name] = [end_of(search, problem.values, start, bounds, options.budget, options.seed + run)
                          for run in range(options.runs)]
    known = {}
    for point in [tuple(point) for points in ends.values() for point in points] + [tuple(start)]:
        if point not in known:
            known[point] = float(np.mean(problem.values(point, options.final, FINAL_SEED)))
    first = known[tuple(start)]
    gap = f", optimum {problem.optimum:.6g}" if problem.optimum is not None else ""
    print(f"\n**{problem.name}**, {len(start)} decisions, {options.budget} replications, {options.runs} runs, "
          f"start {first:.6g}{gap}\n")
    print("| solver | median | 95 % interval | mean | p |\n|---|---:|---:|---:|---:|")
    means = {name: np.array([known[tuple(point)] for point in points]) for name, points in ends.items()}
    for name, values in means.items():
        p = "" if name == OURS else chance(means[OURS], values, "less")
        print(f"| {name} | {np.median(values):.6g} | {interval_of_median(values)} | {values.mean():.6g} | {p} |", flush=True)
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", default=PROBLEMS)
    parser.add_argument("--solvers", default=",".join(SOLVERS))
    parser.add_argument("--ours-only", action="store_true", help="leave out searches of other packages")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--budget", type=int, default=1000)
    parser.add_argument("--final", type=int, default=1000, help="replications of a final point; default: 1000")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in options.problems.split(","):
        print_problem(problem_named(name), options.solvers.split(","), options)


if __name__ == "__main__":
    main()
