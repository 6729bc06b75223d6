#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares Sporos with OpenTURNS, QMCPy, SimPy with NumPy, and SALib on rare events, levels, series and indices.

  output_analysis.py PROGRAM [--seeds K] [--core C] [--smoke] [--control]

PROGRAM is sporos-serial; bench_indices must be in the same folder. All sides do the same amount of work on one core and run
alternately with K seeds. A table in Markdown has, for each side, the median processor seconds (for Sporos including the
start of the program), the root mean square error against the exact value, the median half-width, the number of intervals
that cover the exact value, and the mean work. Peers that are not installed are skipped; with --smoke the exit status is then
77.
"""
import argparse
import functools
import json
import math
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time
import typing

# Activities of the network as (start event, end event). All durations have mean 1.
ARCS = [(1, 2), (1, 3), (2, 3), (2, 4), (2, 6), (3, 6), (4, 5), (4, 7), (5, 6), (5, 8), (6, 9), (7, 8), (8, 9)]


class Sizes(typing.NamedTuple):
    calls: int = 30000  # model evaluations for the rare event
    rmse: float = 0.02  # target root mean square error of the option's price
    customers: int = 262144
    base_points: int = 1024  # base points for the indices
    replications: int = 32  # replications at each point, for the queue


SMOKE = Sizes(calls=3000, rmse=0.1, customers=32768, base_points=128, replications=8)


class Answer(typing.NamedTuple):
    seconds: float
    values: list  # estimates
    half_widths: list  # half-width of each response; an entry is None if the program reports none
    work: float


class Side(typing.NamedTuple):
    quantity: str
    exact: list
    name: str
    answer: typing.Callable  # function of (programs, sizes, seed)


def timed(call):
    """Returns the processor seconds of a call, and its result."""
    before = time.process_time()
    result = call()
    return time.process_time() - before, result


def output_of(*command):
    """Returns the processor seconds of a command, and its JSON output."""

    def seconds():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = seconds()
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"output_analysis.py: {' '.join(str(word) for word in command)} exits with {done.returncode}, expected 0")
    return seconds() - before, json.loads(done.stdout)


def sporos(programs, seed, *words):
    return output_of(programs / "sporos-serial", *words, "--seed", seed, "--format", "json")


# Probability that a project lasts long.

LATE = 20


@functools.cache
def exact_late():
    """Returns P(project lasts longer than LATE) by uniformization of the chain of sets of finished activities."""
    count, full = len(ARCS), 2 ** len(ARCS) - 1
    moves, found = {}, [0]  # successors of each reachable set of finished activities
    for ended in found:
        running = [i for i, (begin, _) in enumerate(ARCS) if not ended >> i & 1 and all(
            ended >> j & 1 for j, (_, end) in enumerate(ARCS) if end == begin)]
        moves[ended] = [ended | 1 << i for i in running]
        found += [after for after in moves[ended] if after not in moves and after not in found]
    chance = dict.fromkeys(moves, 0.0)
    chance[0] = 1.0
    weight, tail = math.exp(-count * LATE), 0.0
    for jump in range(900):
        tail += weight * (1 - chance[full])
        weight *= count * LATE / (jump + 1)
        after = {ended: share * (1 - len(moves[ended]) / count) for ended, share in chance.items()}
        for ended, targets in moves.items():
            for target in targets:
                after[target] += chance[ended] / count
        chance = after
    return tail


def durations(numpy, times):
    """Returns the durations of projects, whose activities have the durations in each row of `times`."""
    at = {1: numpy.zeros(len(times))}
    for event in range(2, 10):
        ways = [at[begin] + times[:, i] for i, (begin, end) in enumerate(ARCS) if end == event]
        at[event] = numpy.maximum.reduce(ways)
    return at[9]


def late_by_sporos(programs, sizes, seed):
    pilot = sizes.calls // 15  # pilot replications in each of five steps, a third of all evaluations in total
    seconds, result = sporos(programs, seed, "rare-event", "activity-network", "--event", f"duration >= {LATE}",
                             "--replications", 10 * pilot, "--pilot-replications", pilot)
    found = result["tables"]["probabilities"]["rows"][0]
    return Answer(seconds, [found["probability"]], [found["half_width"]], result["findings"]["replications_of_all_steps"])


def late_by_openturns(make, steps):
    """Returns a side that uses the algorithm `make(openturns, event)` with the same number of evaluations in each step."""

    def answer(_, sizes, seed):
        import numpy
        import openturns

        openturns.Log.Show(openturns.Log.NONE)
        openturns.RandomGenerator.SetSeed(seed)
        calls = 0

        def model(times):
            nonlocal calls
            times = numpy.array(times)
            calls += len(times)
            return durations(numpy, times).reshape(-1, 1)

        function = openturns.PythonFunction(len(ARCS), 1, func_sample=model)
        vector = openturns.RandomVector(openturns.JointDistribution([openturns.Exponential(1)] * len(ARCS)))
        event = openturns.ThresholdEvent(openturns.CompositeRandomVector(function, vector), openturns.GreaterOrEqual(), LATE)
        algorithm = make(openturns, event)
        algorithm.setBlockSize(100)
        algorithm.setMaximumOuterSampling(sizes.calls // (100 * steps))
        seconds, _ = timed(algorithm.run)
        result = algorithm.getResult()
        half_width = 1.959964 * result.getStandardDeviation()
        return Answer(seconds, [result.getProbabilityEstimate()], [half_width], calls)

    return answer


def subset_sampling(openturns, event):
    return openturns.SubsetSampling(event)


def cross_entropy_of_rates(openturns, event):
    """Returns cross-entropy importance sampling with exponential activities of other rates, as in Sporos."""
    count = len(ARCS)
    others = openturns.JointDistribution([openturns.Exponential(1)] * count)
    rates = [i for i, name in enumerate(others.getParameterDescription()) if name.startswith("lambda")]
    return openturns.PhysicalSpaceCrossEntropyImportanceSampling(
        event, others, rates, [1.0] * count, openturns.Interval([0.02] * count, [2.0] * count), 0.1)


def cross_entropy_of_normals(openturns, event):
    return openturns.StandardSpaceCrossEntropyImportanceSampling(event, 0.1)


# Price of an Asian option.


def exact_asian():
    spread, drift = 0.2 / math.sqrt(3), (0.05 - 0.02) / 2
    d = drift / spread
    cdf = lambda x: math.erfc(-x / math.sqrt(2)) / 2
    return math.exp(-0.05) * 100 * (math.exp(drift + spread**2 / 2) * cdf(d + spread) - cdf(d))


def asian_by_sporos(sampling, *more):
    def answer(programs, sizes, seed):
        seconds, result = sporos(programs, seed, "multilevel", "call-options", "--response", "geometric Asian call",
                                 "--rmse", sizes.rmse, "--scheme", 0, "--sampling", sampling, *more)
        found = result["tables"]["means"]["rows"][0]
        return Answer(seconds, [found["mean"]], [found["half_width"] + found["bias"]], result["findings"]["cost"])

    return answer


def asian_by_qmcpy(is_quasi, first_steps):
    """Returns a side with levels of first_steps, 2 first_steps, ... steps. By default, QMCPy starts with 2, Sporos with 1."""

    def answer(_, sizes, seed):
        import numpy
        import qmcpy

        randomizations = 32 if is_quasi else 1
        points = (qmcpy.DigitalNetB2(first_steps, seed=seed, replications=randomizations)
                  if is_quasi else qmcpy.IIDStdUniform(first_steps, seed=seed))
        option = qmcpy.FinancialOption(points, option="ASIAN", asian_mean="GEOMETRIC",
                                       asian_mean_quadrature_rule="TRAPEZOIDAL", volatility=0.2, start_price=100,
                                       strike_price=100, interest_rate=0.05, t_final=1, d_coarsest=first_steps)
        algorithm = (qmcpy.CubMLQMC if is_quasi else qmcpy.CubMLMC)(option, rmse_tol=sizes.rmse, levels_max=12)
        seconds, (solution, data) = timed(algorithm.integrate)
        # The cost of a path on two neighbouring levels is the sum of their steps, as Sporos counts it.
        paths = [randomizations * count for count in numpy.ravel(data.n_level)]
        steps = [first_steps * 2**level * (1 if level == 0 else 1.5) for level in range(len(paths))]
        return Answer(seconds, [float(solution)], [None], sum(n * cost for n, cost in zip(paths, steps)))

    return answer


# Mean wait in an M/M/1 queue in steady state at load 0.8, by N-Skart and by batch means after MSER-5 truncation.


def waits_by_sporos(method):
    def answer(programs, sizes, seed):
        seconds, result = sporos(programs, seed, "steady-state", "mm1", "--arrival-rate", 0.8, "--observations",
                                 sizes.customers, "--method", method)
        wait = result["tables"]["means"]["rows"][0]
        return Answer(seconds, [wait["mean"]], [wait["half_width"]], sizes.customers)

    return answer


def waits_by_simpy(_, sizes, seed):
    import numpy
    import simpy
    from scipy import stats

    generator = numpy.random.default_rng(seed)
    waits = []

    def customer(world, server):
        arrival = world.now
        with server.request() as request:
            yield request
            waits.append(world.now - arrival)
            yield world.timeout(generator.exponential(1.0))

    def arrivals(world, server):
        for _ in range(sizes.customers):
            yield world.timeout(generator.exponential(1 / 0.8))
            world.process(customer(world, server))

    def analysed():
        world = simpy.Environment()
        world.process(arrivals(world, simpy.Resource(world)))
        world.run()
        fives = numpy.array(waits)[: len(waits) // 5 * 5].reshape(-1, 5).mean(axis=1)
        left = numpy.arange(len(fives), 0, -1)
        sums, squares = fives[::-1].cumsum()[::-1], (fives**2)[::-1].cumsum()[::-1]
        scores = ((squares - sums**2 / left) / left.astype(float) ** 2)[: len(fives) // 2]
        kept = fives[int(scores.argmin()):]
        batches = kept[: len(kept) // 30 * 30].reshape(30, -1).mean(axis=1)
        return batches.mean(), stats.t.ppf(0.975, 29) * batches.std(ddof=1) / math.sqrt(30)

    seconds, (mean, half_width) = timed(analysed)
    return Answer(seconds, [float(mean)], [float(half_width)], sizes.customers)


# Sobol' indices of two models. One is the stay of the only customer in a queue: it is exponential with rate μ, so its mean
# depends on only one of the two rates. The other is the Ishigami function, plain or with noise of standard deviation 2. For
# noisy models, peers receive averages of the same number of replications that Sporos runs at each point.


class Sensitivity(typing.NamedTuple):
    bounds: list
    observe: typing.Callable  # function of (generator, points, replications) that returns averages


def observed_stays(generator, points, replications):
    return generator.exponential(1 / points[:, 1], size=(replications, len(points))).mean(axis=0)


def observed_ishigami(deviation):
    def observe(generator, points, replications):
        import numpy

        x, y, z = points.T
        noise = generator.normal(0, deviation, size=(replications, len(points))).mean(axis=0) if deviation > 0 else 0
        return numpy.sin(x) + 7 * numpy.sin(y) ** 2 + 0.1 * z**4 * numpy.sin(x) + noise

    return observe


def indices_by_salib(model, order, points_and_replications):
    def answer(_, sizes, seed):
        import numpy
        from SALib.analyze import sobol
        from SALib.sample import sobol as sampler

        rows, replications = points_and_replications(sizes)
        problem = {"num_vars": len(model.bounds), "names": [str(i) for i in range(len(model.bounds))], "bounds": model.bounds}
        generator = numpy.random.default_rng(seed)

        def analysed():
            points = sampler.sample(problem, rows, calc_second_order=False, seed=seed)
            observed = model.observe(generator, points, replications)
            return sobol.analyze(problem, observed, calc_second_order=False, seed=seed), len(points)

        seconds, (found, points) = timed(analysed)
        name = "S1" if order == "first" else "ST"
        return Answer(seconds, list(found[name]), list(found[name + "_conf"]), points * replications)

    return answer


def indices_by_openturns(model, order, points_and_replications, estimator):
    """Returns a side that uses SaltelliSensitivityAlgorithm or a similar estimator with randomly shifted Sobol points."""

    def answer(_, sizes, seed):
        import numpy
        import openturns

        openturns.Log.Show(openturns.Log.NONE)
        openturns.RandomGenerator.SetSeed(seed)
        rows, replications = points_and_replications(sizes)
        count = len(model.bounds)
        generator = numpy.random.default_rng(seed)

        def analysed():
            both = openturns.JointDistribution([openturns.Uniform(*ends) for ends in model.bounds] * 2)
            spread = openturns.LowDiscrepancyExperiment(openturns.SobolSequence(2 * count), both, rows)
            spread.setRandomize(True)
            first, second = numpy.split(numpy.array(spread.generate()), 2, axis=1)
            mixed = [numpy.where(numpy.arange(count) == i, second, first) for i in range(count)]
            points = numpy.vstack([first, second, *mixed])  # the order of SobolIndicesExperiment
            observed = model.observe(generator, points, replications).reshape(-1, 1)
            of = getattr(openturns, estimator + "SensitivityAlgorithm")
            algorithm = of(openturns.Sample(points), openturns.Sample(observed), rows)
            if order == "first":
                found, ends = algorithm.getFirstOrderIndices(), algorithm.getFirstOrderIndicesInterval()
            else:
                found, ends = algorithm.getTotalOrderIndices(), algorithm.getTotalOrderIndicesInterval()
            widths = [(high - low) / 2 for low, high in zip(ends.getLowerBound(), ends.getUpperBound())]
            return list(found), widths, len(observed)

        seconds, (found, widths, points) = timed(analysed)
        return Answer(seconds, found, widths, points * replications)

    return answer


def stay_by_sporos(order):
    def answer(programs, sizes, seed):
        seconds, result = sporos(programs, seed, "sensitivity", "mm1", "--customers", 1, "--uncertain", "arrival_rate=0.3:0.7",
                                 "--uncertain", "service_rate=0.5:1.5", "--base-points", sizes.base_points,
                                 "--replications", sizes.replications)
        indices = [row for row in result["tables"]["indices"]["rows"] if row["response"] == "time in system"]
        return Answer(seconds, [index[order] for index in indices], [index[order + "_half_width"] for index in indices],
                      result["settings"]["design_points"] * sizes.replications)

    return answer


def ishigami_by_sporos(order, deviation, points_and_replications):
    def answer(programs, sizes, seed):
        rows, replications = points_and_replications(sizes)
        seconds, result = output_of(programs / "bench_indices", "--base-points", rows, "--replications", replications,
                                    "--deviation", deviation, "--seed", seed)
        return Answer(seconds, [index["value"] for index in result[order]], [index["half_width"] for index in result[order]],
                      result["evaluations"])

    return answer


def sides_of_indices():
    p4 = math.pi**4
    parts = {"1": (1 + p4 / 50) ** 2 / 2, "2": 49 / 8, "13": 8 * 0.01 * p4**2 / 225}
    variance = sum(parts.values())
    ishigami = {"first": [parts["1"] / variance, parts["2"] / variance, 0.0],
                "total": [(parts["1"] + parts["13"]) / variance, parts["2"] / variance, parts["13"] / variance]}
    angles = [[-math.pi, math.pi]] * 3
    plain = Sensitivity(angles, observed_ishigami(0))
    noisy = Sensitivity(angles, observed_ishigami(2))
    stay = Sensitivity([[0.3, 0.7], [0.5, 1.5]], observed_stays)
    stay_points = lambda sizes: (sizes.base_points, sizes.replications)
    four_each = lambda sizes: (sizes.base_points, 4)
    one_each, two_each = lambda sizes: (sizes.base_points, 1), lambda sizes: (sizes.base_points // 2, 2)
    sides = []
    for title, model, exact_of, ours, points in [
            ("a stay", stay, {"first": [0.0, 1.0], "total": [0.0, 1.0]}, stay_by_sporos, stay_points),
            ("Ishigami with noise", noisy, ishigami, lambda order: ishigami_by_sporos(order, 2, four_each), four_each),
            ("Ishigami", plain, ishigami, lambda order: ishigami_by_sporos(order, 0, two_each), one_each)]:
        for order in ("first", "total"):
            quantity = f"indices of {title}, {'first order' if order == 'first' else 'total'}"
            sides.append(Side(quantity, exact_of[order], "Sporos", ours(order)))
            sides.append(Side(quantity, exact_of[order], "SALib", indices_by_salib(model, order, points)))
            for estimator in ("Saltelli", "Jansen", "Martinez"):
                sides.append(Side(quantity, exact_of[order], f"OpenTURNS, {estimator}",
                                  indices_by_openturns(model, order, points, estimator)))
    return sides


def all_sides(sizes):
    late, asian = [exact_late()], [exact_asian()]
    project, option, wait = f"P(project lasts {LATE})", f"geometric Asian call, rmse {sizes.rmse:g}", "wait, load 0.8"
    return [
        Side(project, late, "Sporos, importance sampling", late_by_sporos),
        Side(project, late, "OpenTURNS, subset sampling", late_by_openturns(subset_sampling, 5)),
        Side(project, late, "OpenTURNS, cross-entropy, rates", late_by_openturns(cross_entropy_of_rates, 4)),
        Side(project, late, "OpenTURNS, cross-entropy, normals", late_by_openturns(cross_entropy_of_normals, 3)),
        Side(option, asian, "Sporos, multilevel", asian_by_sporos("random")),
        Side(option, asian, "QMCPy, CubMLMC, from 1 step", asian_by_qmcpy(False, 1)),
        Side(option, asian, "QMCPy, CubMLMC, from 2 steps", asian_by_qmcpy(False, 2)),
        Side(option, asian, "Sporos, multilevel, Sobol's points", asian_by_sporos("sobol")),
        Side(option, asian, "Sporos, the same, `--level-rate 1`", asian_by_sporos("sobol", "--level-rate", 1)),
        Side(option, asian, "QMCPy, CubMLQMC, from 1 step", asian_by_qmcpy(True, 1)),
        Side(option, asian, "QMCPy, CubMLQMC, from 2 steps", asian_by_qmcpy(True, 2)),
        Side(wait, [4.0], "Sporos, N-Skart", waits_by_sporos("skart")),
        Side(wait, [4.0], "Sporos, batch means", waits_by_sporos("batch-means")),
        Side(wait, [4.0], "SimPy and NumPy, batch means", waits_by_simpy),
        *sides_of_indices(),
    ]


def floors(sizes):
    """Returns the theoretical errors of plain methods.

    They are the errors of plain replications and, for waits, of the mean of the same number of waits, computed from the sum
    of their correlations (Daley 1968).
    """
    late, load = exact_late(), 0.8
    variance_of_waits = load * (2 + 5 * load - 4 * load**2 + load**3) / (1 - load) ** 4
    return {f"P(project lasts {LATE})": ("plain replications, in theory", math.sqrt(late * (1 - late) / sizes.calls),
                                         sizes.calls),
            "wait, load 0.8": ("mean of this many waits, in theory", math.sqrt(variance_of_waits / sizes.customers),
                               sizes.customers)}


def check(side, answer):
    """Stops the script if an estimate of Sporos is wrong by many half-widths, because its times are then meaningless."""
    for value, exact, half_width in zip(answer.values, side.exact, answer.half_widths):
        if half_width is not None and not abs(value - exact) <= 6 * half_width + 1e-12:
            sys.exit(f"output_analysis.py: {side.quantity} by {side.name} is {value}, expected {exact} with a half-width of "
                     f"{half_width}")


def cells(side, answers):
    """Returns the cells of a row: side, seconds, error, half-width, coverage and work."""
    errors = [value - exact for answer in answers for value, exact in zip(answer.values, side.exact)]
    widths = [width for answer in answers for width in answer.half_widths if width is not None]
    covered = [abs(value - exact) <= width for answer in answers
               for value, exact, width in zip(answer.values, side.exact, answer.half_widths) if width is not None]
    return [side.name, f"{statistics.median(answer.seconds for answer in answers):.2g}",
            f"{math.sqrt(statistics.fmean(error**2 for error in errors)):.2g}",
            f"{statistics.median(widths):.2g}" if widths else "", f"{sum(covered)} of {len(covered)}" if covered else "",
            work_text(statistics.fmean(answer.work for answer in answers))]


def work_text(work):
    return f"{float(f'{work:.3g}'):,.0f}".replace(",", " ")


def table(sides, answers, lowest):
    lines = ["| quantity | exact | side | seconds | error | half-width | covered | work |", "|---" * 8 + "|"]
    before = None
    for i, side in enumerate(sides):
        if i not in answers:
            continue
        rows = [cells(side, answers[i])]
        if side.quantity != before and side.quantity in lowest:
            name, error, work = lowest[side.quantity]
            rows.insert(0, [name, "", f"{error:.2g}", "", "", work_text(work)])
        for row in rows:
            names = ["", ""]
            if side.quantity != before:
                names = [side.quantity, ", ".join(f"{value:.4g}" for value in side.exact)]
            lines.append("".join(f"| {cell} " if cell else "| " for cell in names + row) + "|")
            before = side.quantity
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--core", type=int)
    parser.add_argument("--smoke", action="store_true", help="small sizes, two seeds")
    parser.add_argument("--control", action="store_true", help="multiply the exact values by ten, which must be detected")
    options = parser.parse_args()
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    sizes, seeds = (SMOKE, 2) if options.smoke else (Sizes(), options.seeds)
    programs = options.program.resolve().parent
    sides, answers, skipped = all_sides(sizes), {}, set()
    if options.control:
        sides = [side._replace(exact=[10 * value for value in side.exact]) for side in sides]
    for seed in range(1, seeds + 1):
        for i, side in enumerate(sides):
            try:
                answer = side.answer(programs, sizes, seed)
            except ImportError as error:
                skipped.add(f"{side.name}: {error}")
                continue
            if side.name.startswith("Sporos"):
                check(side, answer)
            answers.setdefault(i, []).append(answer)
    start = min(sporos(programs, 1, "simulate", "pi", "--draws", 1, "--replications", 2)[0] for _ in range(5))
    print(table(sides, answers, floors(sizes)))
    print(f"\nWith {seeds} seeds, the relative standard error of an error is {1 / math.sqrt(2 * seeds):.0%}. The start of the "
          f"program takes {start:.2g} s.")
    for line in sorted(skipped):
        print(f"skipped: {line}", file=sys.stderr)
    if options.smoke and skipped:
        sys.exit(77)


if __name__ == "__main__":
    main()
