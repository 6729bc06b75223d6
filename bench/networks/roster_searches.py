#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares searches for a roster in the case teleops.json, for docs/how-to/choose-a-roster.md.

    roster_searches.py [--runs 20] [--budget 1000] [--picture FILE.svg]
    roster_searches.py --bound 4000
    roster_searches.py --best 1000 [--runs 20] [--budget 20000]
    roster_searches.py --shifts [--picture FILE.svg]

The problem is TELEOPS-1 of SimOpt's competition of 2026: 72 whole numbers, 1000 replications, the fraction served at once minus
0.00005 times the daily staff cost. Each solver has the same start. New replications, the same for all solvers, evaluate the final
rosters. The script prints the mean objective with a 95 % interval, and the p-value of a one-sided signed-rank test that
coordinate-search ends higher. It requires SciPy, whose differential evolution takes part, as does Optuna if it is installed;
--picture, which draws demand and staff for the best roster, requires gnuplot.

--best takes the best of the ends of coordinate-search, and compares it with all rosters that have one person more, one less, or
one in another slot or role. Few replications leave out those that are clearly worse, and as many new ones as --best says compare
the others, all with common random numbers. If one is clearly better, the comparison begins again there. The printed statements on
the neighbours of a roster hold together with confidence 95 % (Bonferroni, normal means); a negative gain is a loss.

--shifts compares solvers of Sporos in the case call_centre_shifts.json instead: 68 whole numbers, of people who start at one of
17 times with one of four times of lunch. The objective, which is minimized, is the daily pay plus 10 for each call that is not
served within 0.0056 hours.

    SPOROS_TELEOPS=FOLDER roster_searches.py

also runs the two example solvers of the organizers, from their own files demo.py and dastrodf.py in the parent of FOLDER:
src/simopt_competition_26/teleops in the repository simopt-admin/simopt-competition-26. They get stand-ins of SimOpt's classes,
whose replications Sporos simulates. Without FOLDER they are left out.
"""
import argparse
import importlib
import itertools
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import types
import typing

import numpy as np
import sporos
from scipy.stats import t

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import TREE  # noqa: E402
from bench.networks import call_centre_shifts  # noqa: E402
from bench.search import integer_searches  # noqa: E402
from bench.search.integer_searches import chance, end_of, ends_of, other_searches  # noqa: E402

CASE = TREE / "examples" / "data" / "networks" / "teleops.json"
ROLES = ("car_only", "car_truck", "truck_only")  # in the order of the competition
NAMES = [f"staff.{role}.starts.{slot}" for role in ROLES for slot in range(1, 25)]
MAXIMIZE = "served at once at center - 0.00005*staff cost per day"
OURS = "coordinate-search"
MOST = 20  # people who start in a slot, as the upper bound of decisions
MOST_OF_SHIFT = 60  # with --shifts
FINAL_SEED = 777
AT_A_NEIGHBOUR = 50  # replications of a neighbour of the best roster, to leave out those that are clearly worse


def default_roster():
    staff = json.loads(CASE.read_text())["staff"]
    return [people for role in ROLES for people in staff[role]["starts"]]


def values(roster, replications, seed):
    """Returns the objective in each replication."""
    found = sporos.simulate("network", case=str(CASE), replications=replications, seed=seed, outputs=True, progress=False,
                            **{name: int(people) for name, people in zip(NAMES, roster)})
    of = dict(zip(found.responses, found.outputs.T))
    return of["served at once at center"] - 0.00005 * of["staff cost per day"]


def of_sporos(solver, options):
    """Returns the final roster of each run of a solver of Sporos."""
    found = sporos.optimize("network", case=str(CASE), over={"staff.*.starts.*": (0, MOST)}, maximize=MAXIMIZE, solver=solver,
                            replications=options.budget, macro_replications=options.runs, final_replications=10,
                            seed=options.seed, progress=False)
    return ends_of(found, NAMES)


# Stand-ins of the parts of SimOpt and Pydantic that the organizers' solvers use.


class Default:
    """A field of a solver's options."""

    def __init__(self, default, **_):
        self.default = default


class Solution:
    """A roster and the objective in its replications, to be minimized."""

    def __init__(self, x):
        self.x, self.values = x, np.zeros(0)

    n_reps = property(lambda self: len(self.values))
    objectives_mean = property(lambda self: np.array([self.values.mean()]))
    objectives_var = property(lambda self: np.array([self.values.var(ddof=1) if self.n_reps > 1 else 0.0]))


class Context:
    """Simulates for a solver, and remembers the roster that it recommends."""

    def __init__(self, seed, budget):
        self.seed, self.budget, self.recommended = seed, types.SimpleNamespace(remaining=budget, used=0), None

    def evaluate(self, x, replications):
        solution = x if isinstance(x, Solution) else Solution(tuple(int(people) for people in x))
        if replications > 0:
            self.budget.remaining -= replications
            self.budget.used += replications
            solution.values = -values(solution.x, solution.n_reps + replications, self.seed)
        return solution

    def log(self, solution):
        self.recommended = solution.x


class Problem:
    """TELEOPS-1."""

    dim, lower_bounds, upper_bounds = 72, (0.0,) * 72, (math.inf,) * 72

    def __init__(self):
        self.factors = {"initial_solution": tuple(default_roster())}

    def check_deterministic_constraints(self, x):
        return min(x) >= 0

    def get_random_solution(self, generator):
        x = [0] * 72
        for _ in range(int(generator.expovariate(math.log1p(1 / sum(self.factors["initial_solution"]))))):
            x[generator.randint(0, 71)] += 1
        return tuple(x)


def solver_of(module, name):
    """Returns the class of an organizers' solver and its default options; None without their files."""
    folder = os.environ.get("SPOROS_TELEOPS")
    if not folder:
        return None
    typing.Self = getattr(typing, "Self", typing.Any)
    base, pydantic = types.ModuleType("simopt.base"), types.ModuleType("pydantic")
    for used in ("ConstraintType", "Context", "ObjectiveType", "Problem", "Solution", "Solver", "SolverConfig", "VariableType"):
        setattr(base, used, type(used, (), dict.fromkeys(("SINGLE", "BOX", "DISCRETE"))))
    pydantic.Field = Default
    pydantic.model_validator = lambda **_: lambda function: function
    sys.modules |= {"simopt": types.ModuleType("simopt"), "simopt.base": base, "pydantic": pydantic}
    sys.path.insert(0, str(pathlib.Path(folder).parent))
    found = getattr(importlib.import_module(module), name)
    fields = typing.get_type_hints(found.config_class, include_extras=True)
    return found, {field: kind.__metadata__[0].default for field, kind in fields.items() if hasattr(kind, "__metadata__")}


def of_organizers(module, name, options):
    """Returns the final roster of each run of an organizers' solver; None without their files."""
    known = solver_of(module, name)
    if known is None:
        print(f"SPOROS_TELEOPS is not set: {name} is left out.")
        return None
    rosters = []
    for run in range(options.runs):
        solver = known[0].__new__(known[0])
        solver.factors, solver.rng_list = known[1], [random.Random(f"{options.seed} {run} {i}") for i in range(4)]
        context = Context(options.seed + run, options.budget)
        solver.solve(Problem(), context)
        rosters.append(list(context.recommended))
    return rosters


def of_other(search, options):
    """Returns the final roster of each run of another package's search."""
    def negative(roster, replications, seed):
        return -values(roster, replications, seed)

    return [end_of(search, negative, default_roster(), [(0, MOST)] * len(NAMES), options.budget, options.seed + run)
            for run in range(options.runs)]


def shifts():
    """Returns the problem of choosing people by start and lunch in call_centre_shifts.json, whose calls are of one class here."""
    late_call, paid_lunch = 10, 8.5 / 8
    case, names = json.loads(call_centre_shifts.CASE.read_text()), call_centre_shifts.decisions()
    rates = [step for of in case["classes"].values() for step in of["rates"] if step["rate"] > 0]
    station = case["stations"]["calls_0"]
    case["classes"] = {"call": {"rates": [*rates, {"from": call_centre_shifts.DAY, "rate": 0}], "enters": "calls"}}
    case["stations"] = {"calls": {**station, "service": station["service"]["hour_0"]}}
    calls = call_centre_shifts.calls(0, call_centre_shifts.DAY)
    return integer_searches.Problem(
        "call-centre-shifts", "network",
        {"staff cost per day": paid_lunch, "served within 0.0056 h at calls": -late_call * calls},
        dict.fromkeys(names, (0, MOST_OF_SHIFT)), dict(zip(names, call_centre_shifts.first_roster())), {"case": case},
        constant=late_call * calls)


def print_shifts(options):
    """Compares solvers for shifts, and prints the best roster."""
    problem = shifts()
    known = integer_searches.print_problem(problem, (OURS, "r-spline", "random-search"), options)
    best = min(known, key=known.get)
    found = sporos.simulate(problem.model, replications=options.final, seed=FINAL_SEED, progress=False, **problem.fixed,
                            **dict(zip(problem.over, best)))
    for row in found.table("means").rows():
        if row["response"] in problem.weights:
            print(f"\n{row['response']}: {row['mean']:.6g} ± {row['half_width']:.2g}")
    starts = np.reshape(best, (-1, len(call_centre_shifts.LUNCHES))).tolist()
    print(f"best roster, {sum(best)} people, by start and lunch: " +
          ", ".join(f"{hour / 2:g} h: {of}" for hour, of in enumerate(starts)))
    if options.picture:
        draw_shifts(starts, options.picture)


def served(calls, people):
    """Returns the largest number of calls, as (begin, end), that so many people can serve from their begin on."""
    busy, count = [], 0
    for begin, end in calls:
        busy = [other for other in busy if other > begin] + [end]
        count += 1
        if len(busy) > people:
            busy.remove(max(busy))  # the call that ends last is left out
            count -= 1
    return count


def service(generator, is_truck):
    """Draws a service time in hours."""
    mode, deviation = (2, 0.15) if generator.random() < 0.5 else (10 if is_truck else 5, 0.12)
    return generator.lognormvariate(math.log(mode) + deviation**2, deviation) / 60


def mean_share(calls, mean_of_others):
    """Returns the mean of 1 / (calls + M), for M others with a Poisson distribution: the share of a call of the day."""
    others = np.arange(int(mean_of_others + 12 * math.sqrt(mean_of_others)))
    logarithms = others * math.log(mean_of_others) - mean_of_others - np.array([math.lgamma(m + 1) for m in others])
    return float(np.sum(np.exp(logarithms) / np.maximum(calls + others, 1)))


def upper_bound(replications, most=16):
    """Returns an upper bound of the objective of all rosters, and its standard error.

    In each half hour, the same people are at work. Those who begin to serve a customer at once do not serve another one at the
    same time. So the number served at once is at most the largest number of calls of this half hour that fit, even if the calls
    were known in advance, and cars are served by all people and trucks by those who cost 30 an hour. The bound chooses the best
    staff for each half hour, without regard to shifts, and neglects overtime and calls that began before. The calls of the rest
    of the day are independent, so their number enters by the mean of its reciprocal.
    """
    case, generator, total, variance = json.loads(CASE.read_text()), random.Random(1), 0.0, 0.0
    rates = {name: [step["rate"] for step in case["classes"][name]["rates"]] for name in ("car", "truck")}
    day = sum(rates["car"]) + sum(rates["truck"])
    for hour in range(24):
        counts, shares = [], []
        others = day - sum(rates[name][hour] for name in rates) / 2
        share_of = [mean_share(calls, others) for calls in range(121)]
        for _ in range(replications):
            calls = {}
            for name in rates:
                begins = np.cumsum([generator.expovariate(rates[name][hour]) for _ in range(60)])
                calls[name] = [(begin, begin + service(generator, name == "truck")) for begin in begins if begin < 0.5]
            calls["all"] = sorted(calls["car"] + calls["truck"])
            shares.append(share_of[len(calls["all"])])
            counts.append({name: [served(of, people) for people in range(most + 1)] for name, of in calls.items()})
        best = None
        for people in range(most + 1):
            for trucks in range(people + 1):
                of = [2 * share * min(one["all"][people], one["car"][people] + one["truck"][trucks])
                      for share, one in zip(shares, counts)]
                cost = (20 * people + 10 * trucks) * (1.2 if hour < 6 or hour >= 22 else 1)
                value = np.mean(of) - 0.00005 * cost
                if best is None or value > best[0]:
                    best = value, np.var(of, ddof=1) / replications
        total, variance = total + best[0], variance + best[1]
    return total, math.sqrt(variance)


def interval(numbers):
    """Returns the mean with the half-width of its 95 % interval, which a single number does not have, as text."""
    if len(numbers) < 2:
        return f"{numbers[0]:.4f}"
    half_width = t.ppf(0.975, len(numbers) - 1) * np.std(numbers, ddof=1) / math.sqrt(len(numbers))
    return f"{np.mean(numbers):.4f} ± {half_width:.4f}"


def draw(rows, staff, lines, end, path):
    """Draws steps over the hours of a day. A row has the hour, the heights of the staff, the highest first, and those of lines."""
    colours = ("#009E73", "#56B4E9", "#E69F00")
    plots = [f"$day using 1:{column} with fillsteps lc rgb '{colour}' title '{title}'"
             for column, (colour, title) in enumerate(zip(colours, staff), 2)]
    plots += [f"$day using 1:{2 + len(staff) + i} with steps lw 2 dt {i + 1} lc rgb '#000000' title '{title}'"
              for i, title in enumerate(lines)]
    data = "\n".join(" ".join(f"{number:g}" for number in row) for row in rows)
    script = f"""set terminal svg size 720,500 font 'sans,13' background 'white'
set output '{path}'
$day << EOD
{data}
EOD
set xrange [0:{end}]; set xtics 3; set yrange [0:*]; set xlabel 'hour'; set ylabel 'people'
set key outside below vertical Left reverse maxcols 1 samplen 2
set style fill solid noborder
plot {", ".join(plots)}
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def draw_roster(roster, path):
    """Draws the customers in service if nobody waited, and the people at work, for each half hour of the day."""
    case = json.loads(CASE.read_text())
    people = np.zeros((3, 48))
    for place, number in enumerate(roster):
        for half in range(16):
            if half != 8:  # the break
                people[place // 24, (2 * (place % 24) + half) % 48] += number
    rates = {name: [step["rate"] for step in case["classes"][name]["rates"]] for name in ("car", "truck")}
    means = {"car": 3.58, "truck": 6.19}  # minutes of a service
    rows = []
    for half in range(49):
        of, hour = half % 48, half % 48 // 2
        load = [rates[name][hour] * means[name] / 60 for name in ("car", "truck")]
        rows.append([half / 2, people[:, of].sum(), people[:2, of].sum(), people[0, of], sum(load), load[0]])
    draw(rows, ("staff: truck only", "staff: car and truck", "staff: car only"),
         ("calls in service if nobody waited", "of these, cars"), 24, path)


def draw_shifts(starts, path):
    """Draws the same for people by start and lunch in call_centre_shifts.json."""
    halves, service = round(2 * call_centre_shifts.DAY), 0.1
    at_work, at_lunch = np.zeros(halves + 1), np.zeros(halves + 1)
    for start, of in enumerate(starts):
        for lunch, people in zip(call_centre_shifts.LUNCHES, of):
            pause = start + round(2 * lunch)
            at_work[start:start + 17] += people
            at_work[pause] -= people
            at_lunch[pause] += people
    rows = []
    for half in range(halves + 1):
        begin = min(half, halves - 1) / 2  # the last row ends the steps
        rows.append([half / 2, at_work[half] + at_lunch[half], at_work[half],
                     2 * service * call_centre_shifts.calls(begin, begin + 0.5)])
    draw(rows, ("staff: at lunch", "staff: at work"), ("calls in service if nobody waited",), call_centre_shifts.DAY, path)


def print_roster(roster):
    for place, role in enumerate(ROLES):
        starts = {f"{slot}:00": roster[24 * place + slot] for slot in range(24) if roster[24 * place + slot]}
        print(f"{role}: " + (", ".join(f"{people} at {hour}" for hour, people in starts.items()) or "nobody"))


def neighbours(roster):
    """Returns the rosters with one person more, one less, or one in another slot or role."""
    people = np.eye(len(roster), dtype=int)
    changes = [*people, *-people, *(one - other for one, other in itertools.permutations(people, 2))]
    others = np.array(roster) + np.array(changes)
    return others[(others.min(axis=1) >= 0) & (others.max(axis=1) <= MOST)].tolist()


def limits_of_gains(roster, others, replications, seed):
    """Returns limits below and above the gain of each other roster. All hold simultaneously with confidence 97.5 %."""
    before = values(roster, replications, seed)
    quantile = t.ppf(1 - 0.025 / (2 * len(others)), replications - 1)
    limits = []
    for other in others:
        gains = values(other, replications, seed) - before
        limits.append(np.mean(gains) + quantile * np.std(gains, ddof=1) / math.sqrt(replications) * np.array([-1, 1]))
    return np.array(limits).T


def better_neighbour(roster, replications, seed):
    """Prints how much better the neighbours of a roster can be. Returns one that is clearly better, or None."""
    others = neighbours(roster)
    above = limits_of_gains(roster, others, AT_A_NEIGHBOUR, seed)[1]
    left = [other for other, limit in zip(others, above) if limit > 0]
    print(f"{len(others)} neighbours: {len(others) - len(left)} are worse by {AT_A_NEIGHBOUR} replications", end="", flush=True)
    if not left:
        print(", none is left", flush=True)
        return None
    below, above = limits_of_gains(roster, left, replications, seed + 1)
    print(f", {np.sum(above <= 0)} more by {replications}; the largest gain is at most {above.max():.5f}", flush=True)
    return left[int(np.argmax(below))] if below.max() > 0 else None


def print_best(options):
    """Prints the best of the ends of coordinate-search, and follows better neighbours from there."""
    ends = {tuple(roster): values(roster, options.final, FINAL_SEED) for roster in of_sporos(OURS, options)}
    print("ends: " + ", ".join(interval(end) for end in ends.values()), flush=True)
    print(f"start: {interval(values(default_roster(), 10 * options.final, FINAL_SEED + 1))}")
    best = list(max(ends, key=lambda roster: ends[roster].mean()))
    for seed in itertools.count(FINAL_SEED + 2, 2):
        if best is None:
            break
        print(f"\nroster: {interval(values(best, 10 * options.final, FINAL_SEED + 1))}")
        print_roster(best)
        best = better_neighbour(best, options.best, seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--budget", type=int, default=1000)
    parser.add_argument("--final", type=int, default=1000, help="replications of a final roster; default: 1000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--picture", metavar="FILE.svg")
    parser.add_argument("--bound", type=int, metavar="N", help="only compute the upper bound, from N replications")
    parser.add_argument("--best", type=int, metavar="N", help="only compare the best roster with its neighbours")
    parser.add_argument("--shifts", action="store_true", help="compare searches in call_centre_shifts.json")
    options = parser.parse_args()
    if options.shifts:
        options.ours_only = True
        print_shifts(options)
        return
    if options.best:
        print_best(options)
        return
    if options.bound:
        bound, error = upper_bound(options.bound)
        print(f"No roster has an objective above {bound:.4f}, with standard error {error:.4f}.")
        return
    found = {name: of_sporos(name, options) for name in (OURS, "r-spline", "random-search")}
    found |= {name: of_organizers(module, name, options) for module, name in (("demo", "DemoSolver"), ("dastrodf", "DASTRODF"))}
    found |= {name: of_other(search, options) for name, search in other_searches().items()}
    known = {}
    for roster in (roster for rosters in found.values() for roster in rosters or []):
        if tuple(roster) not in known:
            known[tuple(roster)] = values(roster, options.final, FINAL_SEED)
    print(f"\nstart: {interval(values(default_roster(), options.final, FINAL_SEED))}\n")
    print("| solver | mean objective of the ends | worst | best | p |\n|---|---:|---:|---:|---:|")
    ends = {name: np.array([known[tuple(roster)].mean() for roster in rosters]) for name, rosters in found.items() if rosters}
    for name, end in sorted(ends.items(), key=lambda item: -item[1].mean()):
        p = "" if name == OURS else chance(ends[OURS], end, "greater")
        print(f"| `{name}` | {interval(end)} | {end.min():.4f} | {end.max():.4f} | {p} |", flush=True)
    best = max(known, key=lambda roster: known[roster].mean())
    print(f"\nbest roster: {interval(known[best])}")
    print_roster(best)
    if options.picture:
        draw_roster(best, options.picture)


if __name__ == "__main__":
    main()
