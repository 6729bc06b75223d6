#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that our definitions of SimOpt's problems agree with the code of SimOpt.

    simopt_definitions.py [--problems san-1,mm1] [--scale 1] [--control] [--backend serial]

At the start of each problem and at five random points within its bounds, the script compares the means of the objective and
of each stochastic constraint (left-hand side minus limit). It prints the difference and the half-width of its interval. All
intervals hold simultaneously with confidence 99.9 % (Bonferroni). For probabilities, the exact intervals of both sides must
overlap. If SimOpt deviates from our definition, the script prints the deviation, and compares the means both without and with
it. Starts, budgets and the sense of optimization must be identical. The exit status is 0 if all problems agree, 1 if a
problem differs, and 77 if SimOpt (package simoptlib) or our package is not installed.

--control changes one parameter of each of our models, so that every problem must differ.
"""
import argparse
import inspect
import math
import os
import re
import sys
import textwrap
import types
from dataclasses import dataclass, field

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # before NumPy is imported: use one core

try:
    import numpy as np
    from mrg32k3a.mrg32k3a import MRG32k3a
    from scipy.stats import beta, norm
    from simopt.base import Solution, VariableType
    from simopt.directory import problem_directory
    from simopt.models import amusementpark, ermexample, paramesti

    import sporos
except ImportError as missing:
    print(f"simopt_definitions.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

MISS = 1e-3  # probability that any interval misses if all means are equal
POINTS = 5
OURS = 20  # number of our replications per replication of SimOpt


def without_warm_up(problem):
    problem.model.factors["warmup"] = 0


def with_all_periods(problem):
    problem.vector_to_factor_dict = lambda x: {"initial_inventory": x[0], "reservation_qtys": list(x[1:])}


def change_replications(problem, change):
    """Applies `change` to the replications of the model, and also to copies of it, which SimOpt makes for each run."""

    class Changed(type(problem.model)):
        def replicate(self):
            return change(*super().replicate())

    problem.model.__class__ = Changed


def with_nodes_by_number(problem):
    def change(responses, gradients):
        order = responses["topo_order"]
        rows = np.empty_like(gradients["longest_path_to_all_nodes"]["arc_means"])
        rows[np.array(order) - 1] = gradients["longest_path_to_all_nodes"]["arc_means"]
        gradients["longest_path_to_all_nodes"]["arc_means"] = rows
        return responses | {"topo_order": sorted(order)}, gradients

    change_replications(problem, change)


def with_all_efforts(problem):
    problem.factors["error_prob"] = [0.05] * 5
    problem.vector_to_factor_dict = lambda x: {"prev_decision": (0, *x), "stages": 6}
    change_replications(problem, lambda responses, gradients: ({"level": responses["level"][1:]}, gradients))


def with_the_last_effort_first(problem):
    """Moves the first effort, which has no effect in SimOpt, to the end, and removes the first constraint.

    That constraint is for the level before all stages and has no effect either. Our model has the effort as the last one.
    """
    problem.vector_to_factor_dict = lambda x: {"prev_decision": (x[-1], *x[:-1])}
    problem.factors["upper_thres"] = problem.factors["upper_thres"][1:]
    problem.n_stochastic_constraints = 4
    change_replications(problem, lambda responses, gradients: ({"level": responses["level"][1:]}, gradients))


def with_service_at_once(problem):
    """Starts the service of a visitor at an idle attraction when the previous service ends, not at the next end of a service."""
    text = textwrap.dedent(inspect.getsource(amusementpark.AmusementPark.replicate))
    finished = "finished_attraction = completion_times.index(min_completion_time)"
    going_on = "completion_time = min_completion_time + self.service_models[\n{}next_destination"
    indent = " " * 24
    assert text.count(finished) == 1 and text.count(going_on.format(indent)) == 1
    text = text.replace(finished, finished + "; now = min_completion_time")
    text = text.replace(going_on.format(indent), going_on.format(indent).replace("min_completion_time", "now"))
    names = dict(vars(amusementpark))
    exec(text, names)
    problem.model.__class__ = type("AmusementPark", (type(problem.model),), {"replicate": names["replicate"]})


def give_our_rows(backend):
    """Gives SimOpt the rows of `empirical-risk`, because its package does not contain the file.

    The sample is so large that it contains all rows.
    """
    seen = sporos.simulate("empirical-risk", replications=300_000, outputs=True, backend=backend, progress=False).outputs
    rows = np.unique(seen[:, 1:], axis=0)
    assert len(rows) == 10_000
    ermexample.FileInputModel.__init__ = lambda self, _: setattr(self, "data", rows)


def with_large_gammas(_):
    paramesti.math = types.SimpleNamespace(gamma=lambda z: np.exp(np.longdouble(math.lgamma(z))))


@dataclass
class Peer:
    """The problem of SimOpt that corresponds to one of ours."""

    name: str
    replications: int  # number of SimOpt's replications at each point
    control: dict = field(default_factory=dict)  # one of our parameters, with a different value
    deviation: str = ""  # description of the difference in SimOpt
    as_ours: object = None  # function that makes SimOpt behave like our model, or use our order of decisions


PEERS = {
    "example-1": Peer("EXAMPLE-1", 4000, {"x_1": 2.5}),
    "example-2": Peer("EXAMPLE-2", 4000, {"n_1": -3}),
    "paramesti-1": Peer("PARAMESTI-1", 4000, {"true_2": 5.5},
                        "fails if the gamma function exceeds 10^308", with_large_gammas),
    "cntnews-1": Peer("CNTNEWS-1", 4000, {"beta": 15}),
    "sscont-1": Peer("SSCONT-1", 2000, {"lead_mean": 5}),
    "facsize-1": Peer("FACSIZE-1", 4000, {"mean_1": 120}),
    "facsize-2": Peer("FACSIZE-2", 4000, {"mean_1": 120}),
    "dualsourcing-1": Peer("DUALSOURCING-1", 300, {"demand_mean": 31}),
    "dynamnews-1": Peer("DYNAMNEWS-1", 300, {"customers": 31}),
    "contam-2": Peer("CONTAM-2", 4000, {"contamination_shape": 4},
                     "the first effort has no effect, and levels may be too high with probability 0.2", with_all_efforts),
    "san-1": Peer("SAN-1", 4000, {"mean_1_2": 12}),
    "san-2": Peer("SAN-2", 4000, {"mean_1_2": 12},
                  "in the package 1.2.4, times of events are looked up by their place in topological order: that of event 7 for event 6",
                  with_nodes_by_number),
    "fixedsan-1": Peer("FIXEDSAN-1", 4000, {"mean_1_2": 12}),
    "rmitd-1": Peer("RMITD-1", 40_000, {"mean_2": 24}, "nothing is sold in period 1, and reserve_3 is never sold",
                    with_all_periods),
    "table-1": Peer("TABLEALLOCATION-1", 400, {"groups": 95}),
    "network-1": Peer("NETWORK-1", 200, {"arrival_rate": 1.1}),
    "chess-1": Peer("CHESS-1", 60, {"rating_deviation": 400}),
    "contam-1": Peer("CONTAM-1", 4000, {"contamination_shape": 4}, as_ours=with_the_last_effort_first),
    "ironore-1": Peer("IRONORE-1", 1000, {"mean_price": 105}),
    "ironore-2": Peer("IRONORECONT-1", 1000, {"mean_price": 105}),
    "hotel-1": Peer("HOTEL-1", 60, {"demand": 1.5}),
    "amusement-1": Peer("AMUSEMENTPARK-1", 40, {"phase_mean": 0.13},
                        "service of visitors at an idle attraction starts at the next end of a service elsewhere",
                        with_service_at_once),
    "ambulance-1": Peer("AMBULANCE-1", 500, {"gap_mean": 7}),
    "erm-1": Peer("ERM-EXAMPLE-1", 10_000, {"rows": 40}),
    "mm1": Peer("MM1-1", 400, {"arrival_rate": 1.8}, "the first 50 of 250 customers are omitted", without_warm_up),
}


class Expression:
    """An expression over responses and parameters, in the syntax of the registry."""

    def __init__(self, text, names):
        self.text = text
        self.names = {name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)}
        self._python = text.replace("^", "**")
        self._keys = {name: f"_{i}" for i, name in enumerate(sorted(self.names, key=len, reverse=True))}
        for name, key in self._keys.items():
            self._python = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", key, self._python)

    def __call__(self, values):
        return eval(self._python, {"__builtins__": {}}, {key: values[name] for name, key in self._keys.items()})


def sides(constraint):
    left, relation, right = re.fullmatch(r"(.*?) (<=|>=|=) (.*)", constraint).groups()
    return left, relation, right


class Problem:
    """One of our problems, from an entry of `sporos.problems()`."""

    def __init__(self, entry, responses):
        self.name, self.model, self.parameters = entry["name"], entry["model"], entry["parameters"]
        self.decisions, self.budget, self.optimum = entry["decisions"], entry["budget"], entry["optimum"]
        self.is_maximized = entry["objective"].startswith("maximize ")
        self.responses = responses
        names = [*responses, *(decision["parameter"] for decision in self.decisions)]
        self.objective = Expression(entry["objective"].split(" ", 1)[1], names)
        self.on_decisions, self.on_means, self.tails = [], [], []
        self.texts = entry["subject_to"]
        for text in self.texts:
            left, relation, right = sides(text)
            if tail := re.fullmatch(r"P\((.*) > (.*)\)", left):
                self.tails.append((text, tail[1], float(tail[2]), float(right)))
                continue
            parts = Expression(left, names), relation, Expression(right, names)
            is_on_means = (parts[0].names | parts[2].names) & set(responses)
            (self.on_means if is_on_means else self.on_decisions).append((text, *parts))

    def start(self):
        return [decision["start"] for decision in self.decisions]

    def values(self, x):
        return {decision["parameter"]: int(value) if decision["is_whole"] else float(value)
                for decision, value in zip(self.decisions, x)}

    def random_point(self, generator, theirs):
        """Returns a point that is uniform within the bounds of both sides.

        An infinite bound of SimOpt is replaced by twice the start, or by 1 if the start is 0. Points that violate a
        constraint on decision variables are drawn again. If a sum of decision variables is fixed, the point is scaled.
        """
        while True:
            x = []
            for decision, low, high in zip(self.decisions, theirs.lower_bounds, theirs.upper_bounds, strict=True):
                far = 2 * abs(decision["start"]) or 1
                own_low, own_high = decision["lower_bound"], decision["upper_bound"]
                low = max(low, -far if own_low is None else own_low)
                high = min(far if math.isinf(high) else high, math.inf if own_high is None else own_high)
                x.append(int(generator.integers(low, high + 1)) if decision["is_whole"] else generator.uniform(low, high))
            values, holds = self.values(x), True
            for _, left, relation, right in self.on_decisions:
                l, r = left(values), right(values)
                if relation == "=":
                    x = [value * r / l for value in x]
                else:
                    holds = holds and (l <= r if relation == "<=" else l >= r)
            if holds and theirs.check_deterministic_constraints(tuple(x)):
                return x

    def samples(self, x, replications, seed, changed, backend):
        """Yields name, limit and one value per replication for the objective and each constraint.

        The limit is None except for constraints on probabilities. The value of a constraint is its left-hand side minus its
        limit, or whether the event happens for a constraint on a probability.
        """
        parameters = self.parameters | self.values(x) | changed
        outputs = sporos.simulate(self.model, replications=replications, seed=seed, outputs=True, backend=backend,
                                  progress=False, **parameters).outputs
        values = self.values(x) | {name: outputs[:, i] for i, name in enumerate(self.responses)} | changed
        ones = np.ones(len(outputs))
        yield "objective", None, self.objective(values) * ones
        for text, left, _, right in self.on_means:
            yield text, None, (left(values) - right(values)) * ones
        for text, response, threshold, limit in self.tails:
            yield text, limit, (values[response] > threshold).astype(float)


def simopt_problem(peer, is_as_ours):
    paramesti.math = math
    problem = problem_directory[peer.name]()
    if is_as_ours and peer.as_ours:
        peer.as_ours(problem)
    return problem


def simopt_samples(problem, x, replications, stream):
    """Returns an array with a column for the objective, and for each constraint."""
    solution = Solution(tuple(x), problem)
    np.random.seed(stream)  # ERM-EXAMPLE-1 draws rows from NumPy's global generator
    solution.attach_rngs([MRG32k3a(s_ss_sss_index=[stream, i, 0]) for i in range(problem.model.n_rngs)])
    problem.simulate(solution, replications)
    columns = [solution.objectives] + ([solution.stoch_constraints] if problem.n_stochastic_constraints else [])
    return np.hstack(columns).astype(float)


def exact_interval(events, miss):
    """Returns the interval of Clopper and Pearson for a probability."""
    count, all = np.count_nonzero(events), len(events)
    low = 0 if count == 0 else beta.ppf(miss / 2, count, all - count + 1)
    return low, 1 if count == all else beta.isf(miss / 2, count + 1, all - count)


@dataclass
class Comparison:
    """Replications of SimOpt and of Sporos whose means are compared."""

    what: str
    point: str
    theirs: np.ndarray  # one value per replication
    ours: np.ndarray

    def judged(self, miss):
        """Returns both means, their difference, and the bound that it exceeds by chance with probability `miss`."""
        sides = self.theirs, self.ours
        difference = sides[0].mean() - sides[1].mean()
        if all(np.isin(side, (0, 1)).all() for side in sides):
            (their_low, their_high), (low, high) = (exact_interval(side, miss / 2) for side in sides)
            room = (sides[0].mean() - their_low) + (high - sides[1].mean()) if difference > 0 else \
                   (their_high - sides[0].mean()) + (sides[1].mean() - low)
        else:
            error = math.hypot(*(side.std(ddof=1) / math.sqrt(len(side)) for side in sides))
            room = norm.isf(miss / 2) * error + 1e-9 * (1 + abs(sides[1].mean()))
        return sides[0].mean(), sides[1].mean(), difference, room


def comparisons(problem, peer, is_as_ours, options):
    """Yields the comparisons of objective and constraints at the start and at random points."""
    generator = np.random.default_rng([options.seed, *problem.name.encode()])
    theirs = simopt_problem(peer, is_as_ours)
    points = [problem.start()] + [problem.random_point(generator, theirs) for _ in range(POINTS)]
    replications = max(20, round(peer.replications * options.scale))
    for number, x in enumerate(points):
        changed = peer.control if options.control else {}
        ours = problem.samples(x, OURS * replications, options.seed, changed, options.backend)
        columns = simopt_samples(theirs, x, replications, options.seed + number).T
        for (what, limit, values), column in zip(ours, columns, strict=True):
            column = column if limit is None else column + limit
            if limit is not None and np.isclose(column, np.rint(column)).all():
                column = np.rint(column)
            yield Comparison(what, f"random {number}" if number else "start", column, values)


def differences(problem, peer):
    """Returns the differences in deterministic properties: those that are errors, and those that are only printed."""
    theirs = simopt_problem(peer, True)
    pairs = {"start": (theirs.factors["initial_solution"], tuple(problem.start())),
             "budget": (theirs.factors["budget"], problem.budget),
             "maximized": (theirs.minmax[0] == 1, problem.is_maximized)}
    wrong = [f"{what} {our}, SimOpt's {their}" for what, (their, our) in pairs.items() if their != our]
    notes = {}
    for decision, low, high in zip(problem.decisions, theirs.lower_bounds, theirs.upper_bounds, strict=True):
        ours = [-math.inf if decision["lower_bound"] is None else decision["lower_bound"],
                math.inf if decision["upper_bound"] is None else decision["upper_bound"]]
        kinds = decision["is_whole"], theirs.variable_type == VariableType.DISCRETE
        texts = [f"from {ours[0]:g} to {ours[1]:g}, SimOpt's from {low:g} to {high:g}"] if ours != [low, high] else []
        texts += [f"{'whole' if kinds[0] else 'real'} numbers, SimOpt's are not"] if kinds[0] != kinds[1] else []
        for text in texts:
            notes.setdefault(text, []).append(decision["parameter"])
    return wrong, [f"{', '.join(names)}: {text}" for text, names in notes.items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", default=",".join(PEERS), help="names, separated by commas")
    parser.add_argument("--scale", type=float, default=1, help="factor for the numbers of replications")
    parser.add_argument("--seed", type=int, default=1, help="seed of points and replications")
    parser.add_argument("--control", action="store_true", help="change a parameter of each of our models")
    parser.add_argument("--backend", default="serial")
    options = parser.parse_args()
    responses = {model.name: list(model.responses) for model in sporos.models()}
    ours = {entry["name"]: Problem(entry, responses[entry["model"]]) for entry in sporos.problems()}
    names = options.problems.split(",")
    if "erm-1" in names:
        give_our_rows(options.backend)
    found = {name: list(comparisons(ours[name], PEERS[name], True, options)) for name in names}
    miss = MISS / sum(map(len, found.values()))

    def print_rows(name, rows):
        differing = 0
        for row in rows:
            their, our, difference, room = row.judged(miss)
            differs = not abs(difference) <= room
            differing += differs
            print(f"{name:15} {row.what:33} {row.point:9} {their:13.6g} {our:13.6g} {difference:11.3g} {room:10.3g}  "
                  f"{'differs' if differs else 'agrees'}", flush=True)
        return differing

    print(f"{'problem':15} {'mean of':33} {'at':9} {'SimOpt':>13} {'Sporos':>13} {'difference':>11} {'allowed':>10}")
    wrong = {}
    for name, rows in found.items():
        differing = print_rows(name, rows)
        errors, notes = differences(ours[name], PEERS[name])
        for text in errors + notes:
            print(f"{name:15} {text}")
        if differing or errors:
            wrong[name] = differing
    for name in names:
        if not PEERS[name].deviation or options.control:
            continue
        print(f"\n{name} of SimOpt without changes: {PEERS[name].deviation}")
        try:
            print_rows(name, list(comparisons(ours[name], PEERS[name], False, options)))
        except (ArithmeticError, ValueError) as error:
            print(f"{name:15} fails: {error}")
    print(f"\n{len(wrong)} of {len(names)} problems differ{': ' if wrong else ''}{', '.join(wrong)}; "
          f"{sum(map(len, found.values()))} comparisons hold simultaneously with confidence {100 * (1 - MISS):g} %")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
