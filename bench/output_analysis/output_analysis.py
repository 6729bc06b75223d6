#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts what `sporos simulate` says of rare events, levels, series and indices beside OpenTURNS, QMCPy, SimPy with NumPy
and SALib, at equal work, on one core: processor time (of Sporos with the program's start), estimate, and its error against
what is known exactly. Prints a table in Markdown. Sides run by turns; the time is the least of the rounds. A peer that
is not installed is left out.

  output_analysis.py PROGRAM [--rounds N] [--core C]      PROGRAM is sporos-serial
"""
import argparse
import json
import math
import os
import resource
import subprocess
import sys
import time

SEED = 1
# The activity network's activities, by the events where they begin and end; all means are 1.
ARCS = [(1, 2), (1, 3), (2, 3), (2, 4), (2, 6), (3, 6), (4, 5), (4, 7), (5, 6), (5, 8), (6, 9), (7, 8), (8, 9)]


def timed(call):
    """Seconds of the processor, and what it returns."""
    before = time.process_time()
    result = call()
    return time.process_time() - before, result


def sporos(program, *words):
    """Seconds of the processor, and the JSON of a command."""

    def seconds():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = seconds()
    done = subprocess.run([program, "simulate", *words, "--format", "json"], stdout=subprocess.PIPE, text=True, check=False)
    return seconds() - before, json.loads(done.stdout)


# A project that lasts long.

LATE = 20.0


def exact_late(numpy):
    """P(the project lasts longer than LATE), by uniformization of the sets of activities that have ended."""
    count, full = len(ARCS), 2 ** len(ARCS) - 1
    moves = []  # from, to
    for ended in range(full):
        for i, (begin, _) in enumerate(ARCS):
            waits = any(end == begin and not ended >> j & 1 for j, (_, end) in enumerate(ARCS))
            if not ended >> i & 1 and not waits:
                moves.append((ended, ended | 1 << i))
    source, target = numpy.array(moves).T
    leaving = numpy.bincount(source, minlength=full + 1) / count
    chance = numpy.zeros(full + 1)
    chance[0] = 1
    weight, tail = math.exp(-count * LATE), 0.0
    for jump in range(900):
        tail += weight * (1 - chance[full])
        weight *= count * LATE / (jump + 1)
        chance = chance * (1 - leaving) + numpy.bincount(target, chance[source] / count, minlength=full + 1)
    return tail


def durations(numpy, times):
    """Of projects whose activities last so long, a row each."""
    at = {1: numpy.zeros(len(times))}
    for event in range(2, 10):
        ways = [at[begin] + times[:, i] for i, (begin, end) in enumerate(ARCS) if end == event]
        at[event] = numpy.maximum.reduce(ways)
    return at[9]


def late_by_sporos(program, _):
    seconds, result = sporos(program, "activity-network", "--rare-event", f"duration >= {LATE}", "--replications", "20000",
                             "--pilot-replications", "2000")
    return seconds, result["probability"], result["half_width"], result["replications_of_all_steps"]


def late_by_openturns(simulation):
    """By `simulation(event)`, an algorithm of OpenTURNS that has been told its sizes."""
    import numpy
    import openturns

    openturns.RandomGenerator.SetSeed(SEED)
    calls = 0

    def model(times):
        nonlocal calls
        times = numpy.array(times)
        calls += len(times)
        return durations(numpy, times).reshape(-1, 1)

    function = openturns.PythonFunction(len(ARCS), 1, func_sample=model)
    vector = openturns.RandomVector(openturns.JointDistribution([openturns.Exponential(1)] * len(ARCS)))
    event = openturns.ThresholdEvent(openturns.CompositeRandomVector(function, vector), openturns.GreaterOrEqual(), LATE)
    algorithm = simulation(openturns, event)
    seconds, _ = timed(algorithm.run)
    result = algorithm.getResult()
    return seconds, result.getProbabilityEstimate(), result.getConfidenceLength(0.95) / 2, calls


def subset_sampling(openturns, event):
    algorithm = openturns.SubsetSampling(event)
    algorithm.setMaximumOuterSampling(40)
    algorithm.setBlockSize(100)
    return algorithm


# An Asian option.

RMSE = 0.02


def asian_by_sporos(program, sampling):
    seconds, result = sporos(program, "call-options", "--multilevel", "geometric Asian call", "--rmse", str(RMSE), "--scheme",
                             "0", "--sampling", sampling)
    return seconds, result["mean"], result["half_width"] + result["bias"], round(result["cost"])


def asian_by_qmcpy(_, is_quasi):
    import numpy
    import qmcpy

    points = qmcpy.DigitalNetB2(1, seed=SEED, replications=32) if is_quasi else qmcpy.IIDStdUniform(1, seed=SEED)
    option = qmcpy.FinancialOption(points, option="ASIAN", asian_mean="GEOMETRIC",
                                   asian_mean_quadrature_rule="TRAPEZOIDAL", volatility=0.2, start_price=100, strike_price=100,
                                   interest_rate=0.05, t_final=1)
    algorithm = (qmcpy.CubMLQMC if is_quasi else qmcpy.CubMLMC)(option, rmse_tol=RMSE, levels_max=12)
    seconds, (solution, data) = timed(algorithm.integrate)
    points_of_levels = numpy.ravel(data.n_level) * (32 if is_quasi else 1)
    return seconds, float(solution), None, int(sum(n * 2**level for level, n in enumerate(points_of_levels)))


def exact_asian(_):
    spread, drift = 0.2 / math.sqrt(3), (0.05 - 0.02) / 2
    d = drift / spread
    cdf = lambda x: math.erfc(-x / math.sqrt(2)) / 2
    return math.exp(-0.05) * 100 * (math.exp(drift + spread**2 / 2) * cdf(d + spread) - cdf(d))


# Waits of an M/M/1 queue without end, at load 0.8: by N-Skart, and by batch means behind the cut of MSER-5.

CUSTOMERS = 262144


def waits_by_sporos(program, method):
    seconds, result = sporos(program, "mm1", "--steady-state", "--arrival-rate", "0.8", "--observations", str(CUSTOMERS),
                             "--method", method)
    wait = result["responses"][0]
    return seconds, wait["mean"], wait["half_width"], CUSTOMERS


def waits_by_simpy(_, __):
    import numpy
    import simpy
    from scipy import stats

    generator = numpy.random.default_rng(SEED)
    waits = []

    def customer(world, server):
        arrival = world.now
        with server.request() as request:
            yield request
            waits.append(world.now - arrival)
            yield world.timeout(generator.exponential(1.0))

    def arrivals(world, server):
        for _ in range(CUSTOMERS):
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
    return seconds, float(mean), float(half_width), CUSTOMERS


# What the stay of a customer alone, exponential with rate μ, depends on: all of its mean's variance is μ's.


def index_by_sporos(program, _):
    seconds, result = sporos(program, "mm1", "--customers", "1", "--sensitivity", "arrival_rate=0.3:0.7", "--sensitivity",
                             "service_rate=0.5:1.5", "--base-points", "1024", "--replications", "32")
    index = result["responses"][1]["indices"][1]
    return seconds, index["first"], index["first_half_width"], result["design_points"] * 32


def index_by_salib(_, __):
    import numpy
    from SALib.analyze import sobol
    from SALib.sample import sobol as sampler

    problem = {"num_vars": 2, "names": ["arrival rate", "service rate"], "bounds": [[0.3, 0.7], [0.5, 1.5]]}
    generator = numpy.random.default_rng(SEED)

    def analysed():
        points = sampler.sample(problem, 1024, calc_second_order=False, seed=SEED)
        stays = generator.exponential(1 / points[:, 1], size=(32, len(points))).mean(axis=0)
        found = sobol.analyze(problem, stays, calc_second_order=False, seed=SEED)
        return found["S1"][1], found["S1_conf"][1], 32 * len(points)

    seconds, (first, half_width, replications) = timed(analysed)
    return seconds, float(first), float(half_width), replications


def sides(numpy):
    late, asian = exact_late(numpy), exact_asian(numpy)
    return [
        (f"P(project lasts {LATE:g})", late, "Sporos, importance sampling", late_by_sporos, None),
        (f"P(project lasts {LATE:g})", late, "OpenTURNS, subset sampling", lambda *_: late_by_openturns(subset_sampling), None),
        ("geometric Asian call", asian, "Sporos, multilevel", asian_by_sporos, "random"),
        ("geometric Asian call", asian, "Sporos, multilevel, Sobol's points", asian_by_sporos, "sobol"),
        ("geometric Asian call", asian, "QMCPy, CubMLMC", asian_by_qmcpy, False),
        ("geometric Asian call", asian, "QMCPy, CubMLQMC", asian_by_qmcpy, True),
        ("wait, load 0.8", 4.0, "Sporos, N-Skart", waits_by_sporos, "skart"),
        ("wait, load 0.8", 4.0, "Sporos, batch means", waits_by_sporos, "batch-means"),
        ("wait, load 0.8", 4.0, "SimPy and NumPy, batch means", waits_by_simpy, None),
        ("first-order index of μ", 1.0, "Sporos", index_by_sporos, None),
        ("first-order index of μ", 1.0, "SALib", index_by_salib, None),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--core", type=int)
    options = parser.parse_args()
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    try:
        import numpy
    except ImportError:
        sys.exit(77)
    best, left_out = {}, set()
    for _ in range(options.rounds):
        for case, exact, side, run, argument in sides(numpy):
            try:
                result = run(options.program, argument)
            except ImportError as error:
                left_out.add(f"{side}: {error}")
                continue
            if (case, side) not in best or result[0] < best[case, side][1][0]:
                best[case, side] = exact, result
    print("| quantity | exact | by | seconds | estimate | half-width | relative error | replications or steps |\n" + "|---" * 8 + "|")
    for (case, side), (exact, (seconds, value, half_width, work)) in best.items():
        width = "" if half_width is None else f"{half_width:.3g}"
        print(f"| {case} | {exact:.5g} | {side} | {seconds:.3g} | {value:.5g} | {width} | {value / exact - 1:+.2%} | {work} |")
    for line in sorted(left_out):
        print(f"left out: {line}", file=sys.stderr)


if __name__ == "__main__":
    main()
