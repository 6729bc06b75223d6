#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the case teleops.json with the reference program of SimOpt's TELEOPS, a simulation in SimPy, on one core.

  SPOROS_TELEOPS=FOLDER teleops.py [--programs build/bin] [--out REPORT]
  SPOROS_TELEOPS=FOLDER teleops.py --control    pays overtime in Sporos as other time, which the comparison must report

FOLDER holds simulation.py and distributions.py: src/simopt_competition_26/teleops in the repository
simopt-admin/simopt-competition-26. All eight responses are compared at the default roster and at random ones, which are
drawn as in the problem: a geometric number of shifts with mean 23, each in one of the 72 slots. The limits of all
differences hold simultaneously with confidence 99.9 % (Bonferroni). Times are processor seconds at the default roster:
of the whole command for Sporos, and of the replications for the reference.

The exit status is 1 if means differ, and 77 if the reference, SimPy, SciPy or sporos-serial is missing.
"""
import argparse
import csv
import importlib
import json
import math
import os
import pathlib
import random
import resource
import statistics
import sys
import tempfile
import time
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import TREE, Differences, aligned, run, skip, write_json  # noqa: E402
from bench.harness.measuring import context  # noqa: E402

CONFIDENCE = 0.999
CASE = TREE / "examples" / "data" / "networks" / "teleops.json"
ROLES = ("car_only", "car_truck", "truck_only")  # in the order of the reference
OBJECTIVE_WEIGHT = 0.00005
MEAN_SHIFTS = 23
RESPONSES = {  # of the reference, with the name in Sporos
    "immediate_service_fraction": "served at once at center",
    "staff_cost": "staff cost per day",
    "daily_sum_car_wait_times": "waits of car per day at center",
    "daily_sum_truck_wait_times": "waits of truck per day at center",
    "daily_car_driver_overtime": "overtime of car_only per day",
    "daily_truck_driver_overtime": "overtime of truck_only per day",
    "daily_car_truck_driver_overtime": "overtime of car_truck per day",
}


def reference():
    """Returns the modules of the reference. They are loaded without their package, which needs SimOpt."""
    folder = os.environ.get("SPOROS_TELEOPS")
    if not folder:
        skip("SPOROS_TELEOPS is not set, expected the folder of the reference's simulation.py")
    package = types.ModuleType("teleops_reference")
    package.__path__ = [folder]
    sys.modules[package.__name__] = package
    try:
        return importlib.import_module("teleops_reference.simulation"), importlib.import_module(
            "teleops_reference.distributions")
    except ImportError as missing:
        skip(f"SPOROS_TELEOPS is {folder}: {missing}")


def default_roster(case):
    return [case["staff"][role]["starts"] for role in ROLES]


def random_roster(generator):
    """Draws a roster as the problem's random solutions."""
    roster = [[0] * 24 for _ in ROLES]
    for _ in range(int(generator.expovariate(math.log1p(1 / MEAN_SHIFTS)))):
        place = generator.randrange(72)
        roster[place // 24][place % 24] += 1
    return roster


def with_objective(values):
    return [*values, values[0] - OBJECTIVE_WEIGHT * values[1]]


def of_reference(modules, roster, replications, seed):
    """Returns the eight responses of each replication, and processor seconds."""
    simulation, distributions = modules
    case = json.loads(CASE.read_text())
    rates = {name: [step["rate"] for step in case["classes"][name]["rates"]] for name in ("car", "truck")}
    means = {name: statistics.fmean(rates[name]) for name in rates}
    shape = tuple(rate / means["car"] for rate in rates["car"])
    demand = simulation.Demand(means["car"], means["truck"], shape)
    bimodal = distributions.BimodalLognormal
    service = simulation.Service(bimodal(2.0, 5.0, 0.15, 0.12, 0.5), bimodal(2.0, 10.0, 0.15, 0.12, 0.5))
    payment = simulation.Payment(20.0, 30.0, 22, 6, 1.2, 1.5)
    plan = simulation.StaffingPlan(*(tuple(starts) for starts in roster))
    rows, before = [], time.process_time()
    for index in range(replications):
        generators = [random.Random(f"{seed} {index} {stream}") for stream in range(4)]
        rows.append(with_objective(simulation.run_simulation(plan, demand, service, generators, payment)))
    return rows, time.process_time() - before


def of_sporos(options, case, roster, replications, seed, folder, has_values=True):
    """Returns the eight responses of each replication, and processor seconds of the command."""
    for role, starts in zip(ROLES, roster):
        case["staff"][role]["starts"] = starts
    path, values = pathlib.Path(folder) / "teleops.json", pathlib.Path(folder) / "values.csv"
    path.write_text(json.dumps(case))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run([options.programs / "sporos-serial", "simulate", "network", "--case", path, "--replications", replications,
         "--seed", seed, "--no-progress", *(["--responses", values] if has_values else [])], options.core)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not has_values:
        return [], seconds
    with values.open(newline="") as file:
        rows = [with_objective([float(row[name]) for name in RESPONSES.values()]) for row in csv.DictReader(file)]
    return rows, seconds


def moments(rows, response):
    values = [row[response] for row in rows]
    return statistics.fmean(values), statistics.variance(values) / len(values)


def differences(names, found, student):
    """Returns the differences of all responses at all rosters."""
    compared = Differences()
    pairs = len(found) * (len(RESPONSES) + 1)
    for name, (ours, theirs) in zip(names, found):
        for response, label in enumerate([*RESPONSES, "objective"]):
            (mean, variance), (other, other_variance) = moments(ours, response), moments(theirs, response)
            error = math.sqrt(variance + other_variance)
            gap = mean - other
            # Sums of the same numbers in another order differ by rounding.
            if error == 0 or abs(gap) <= 1e-9 * abs(other):
                z, limit = (0.0 if abs(gap) <= 1e-9 * max(1, abs(other)) else math.inf), 0.0
            else:
                freedom = error**4 / (variance**2 / (len(ours) - 1) + other_variance**2 / (len(theirs) - 1))
                z, limit = gap / error, float(student.ppf(1 - (1 - CONFIDENCE) / 2 / pairs, freedom))
            compared.add(name, label, mean, other, error, z, limit)
    return compared


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=TREE / "build" / "bin", metavar="FOLDER")
    parser.add_argument("--rosters", type=int, default=10, help="random rosters; default: 10")
    parser.add_argument("--replications", type=int, default=100, help="of the reference at a roster; default: 100")
    parser.add_argument("--our-replications", type=int, default=2000, help="of Sporos at a roster; default: 2000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", type=lambda text: {int(text)}, default={0}, metavar="0")
    parser.add_argument("--smoke", action="store_true", help="few replications at one random roster")
    parser.add_argument("--control", action="store_true", help="as --smoke, and Sporos pays overtime as other time")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("teleops.json"), metavar="FILE")
    options = parser.parse_args()
    if options.smoke or options.control:
        options.rosters, options.replications, options.our_replications = 1, 20, 400
    return options


def main():
    options, modules = parsed(), reference()
    try:
        from scipy.stats import t as student
    except ImportError as missing:
        skip(str(missing))
    if not (options.programs / "sporos-serial").exists():
        skip(f"{options.programs / 'sporos-serial'} does not exist")
    case, generator = json.loads(CASE.read_text()), random.Random(options.seed)
    rosters = [default_roster(case), *(random_roster(generator) for _ in range(options.rosters))]
    names = ["default roster", *(f"roster {i + 1}, {sum(map(sum, roster))} shifts" for i, roster in enumerate(rosters[1:]))]
    for role in case["staff"].values():
        role["overtime_factor"] = 1 if options.control else role["overtime_factor"]
    os.sched_setaffinity(0, options.core)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for index, roster in enumerate(rosters):
            theirs, their_seconds = of_reference(modules, roster, options.replications, options.seed + index)
            ours, _ = of_sporos(options, case, roster, options.our_replications, options.seed + index, folder)
            found.append((ours, theirs))
            if index > 0:
                continue
            their_rate = options.replications / their_seconds
            count = 5 * options.our_replications
            our_rate = count / of_sporos(options, case, roster, count, options.seed, folder, False)[1]
    compared = differences(names, found, student)
    print(f"\n{aligned(compared.table)}\n\nReplications per second on one core: Sporos, Serial, {our_rate:.4g}; reference "
          f"{their_rate:.4g}; ratio {our_rate / their_rate:.4g}\n")
    write_json({"context": context(), "seed": options.seed, "rosters": rosters, "differences": compared.table,
                "replications_per_second": {"Sporos": our_rate, "reference": their_rate}}, options.out)
    compared.end()


if __name__ == "__main__":
    main()
