#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the case call_centre_shifts.json with the simulation of SimOpt's pull request 234, on one core.

    SPOROS_CALL_CENTRE=FILE call_centre_shifts.py [--programs build/bin] [--days 40] [--rosters 3]
    SPOROS_CALL_CENTRE=FILE call_centre_shifts.py --unchanged     simulates the reference as it is, which differs
    SPOROS_CALL_CENTRE=FILE call_centre_shifts.py --control       does not pay lunches in Sporos, which the comparison must report
    call_centre_shifts.py --write     writes the case

FILE is the Python file of the pull request, with the function ccbaby. A day of 16.5 hours has 17 times at which shifts can
start, each with four times of lunch. The cost, and the fraction of calls in each hour that are served within 0.0056 hours, are
compared at the roster of the file's make_demand_based_x, and at random ones near it. The limits of all differences hold
simultaneously with confidence 99.9 % (Bonferroni). Times are processor seconds at the first roster: of the whole command for
Sporos, and of the days for the reference.

The reference is changed in two places. There, an idle agent whose lunch is due goes to lunch only when a call finds him, so that
agents are missing when they are needed; here, lunch begins when it is due. And agents whose shift ends with the day serve the
calls that wait then; here, nobody begins a service after a shift.

The exit status is 1 if means differ, and 77 if the reference, NumPy, SciPy or sporos-serial is missing.
"""
import argparse
import contextlib
import csv
import io
import json
import math
import os
import pathlib
import random
import re
import resource
import sys
import tempfile
import time
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import TREE, Differences, aligned, run, skip  # noqa: E402

CONFIDENCE = 0.999
CASE = TREE / "examples" / "data" / "networks" / "call_centre_shifts.json"
LUNCHES = (3, 3.5, 4, 4.5)  # hours after the start of a shift
STARTS = 17  # every half hour
DAY = 16.5
HOURS = 17
STARTS_OF_REFERENCE = (2, 4, 6, 8, 10, 12, 14, 16, 18, 18, 16, 14, 12, 10, 8, 6, 4)  # by time, of make_demand_based_x
PAID_LUNCH = 9  # of a person: the reference pays lunches, and breaks are unpaid in Sporos
CHANGES = {"Agents[i, 2] = nextCall + 0.5": "Agents[i, 2] = max(Agents[i, 1], Agents[i, 2]) + 0.5", "+ 8.5 < 16.5": "+ 8.5 <= 16.5"}


def roles():
    """Returns the name, the start in half hours, and the lunch of each role, in the order of the reference."""
    return [(f"from_{start / 2:04.1f}_lunch_{lunch:.1f}".replace(".", "h"), start, lunch)
            for start in range(STARTS) for lunch in LUNCHES]


def decisions():
    """Returns the names of the numbers of people, in the order of the roles."""
    return [f"staff.{name}.starts.{start + 1}" for name, start, _ in roles()]


def first_roster():
    return [count // 4 + (k < count % 4) for count in STARTS_OF_REFERENCE for k in range(4)]


def random_roster(generator):
    """Draws a roster near the first one."""
    return [max(0, count + generator.choice((-1, 0, 0, 1, 2))) for count in first_roster()]


def calls(begin, end):
    """Returns the mean number of calls between two times."""
    integral = [500 * t - 500 * 32 / (3 * math.pi) * math.cos((3 * t - 16) * math.pi / 32) for t in (begin, end)]
    return integral[1] - integral[0]


def case():
    """Returns the case. Each hour has a class and a station, because its calls have a response."""
    names, step = [name for name, _, _ in roles()], 0.25
    classes, stations = {}, {}
    for hour in range(HOURS):
        end = min(hour + 1, DAY)
        times = [hour + step * i for i in range(round((end - hour) / step))]
        rates = [{"from": t, "rate": round(calls(t, t + step) / step, 3)} for t in times]
        classes[f"hour_{hour}"] = {"rates": [{"from": 0, "rate": 0}] * (hour > 0) + rates + [{"from": end, "rate": 0}],
                                   "enters": f"calls_{hour}"}
        stations[f"calls_{hour}"] = {"service": {f"hour_{hour}": "gamma(18, 0.3333333333333333) min"},
                                     "patience": "gamma(4, 0.5) min", "roles": names}
    staff = {}
    for (name, start, lunch), count in zip(roles(), first_roster()):
        staff[name] = {"starts": [0] * start + [count] + [0] * (47 - start), "shift": 8.5,
                       "breaks": [{"after": lunch, "length": 0.5}], "cost": 18}
    return {"time_unit": "h", "horizon": 24, "most_people": 4096, "wait_limits": [0.0056], "classes": classes,
            "stations": stations, "areas": {"trunks": {"room": 150}}, "staff": staff}


def text_of(described):
    """Returns a case as text, with a line for each class, station and role."""
    lines = []
    for name, member in described.items():
        if name in ("classes", "stations", "staff"):
            rows = ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in member.items())
            lines.append(f"  {json.dumps(name)}: {{\n{rows}\n  }}")
        else:
            lines.append(f"  {json.dumps(name)}: {json.dumps(member)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def reference(is_changed):
    """Returns the function ccbaby, loaded without the packages that it does not use."""
    path = os.environ.get("SPOROS_CALL_CENTRE")
    if not path:
        skip("SPOROS_CALL_CENTRE is not set, expected the file of SimOpt's pull request 234")
    try:
        text = pathlib.Path(path).read_text()
    except OSError as error:
        skip(f"SPOROS_CALL_CENTRE is {path}: {error.strerror}")
    for old, new in CHANGES.items() if is_changed else ():
        if old not in text:
            skip(f"SPOROS_CALL_CENTRE is {path}, which does not contain {old!r}")
        text = text.replace(old, new)
    base = types.ModuleType("simopt.base")
    for used in ("ConstraintType", "Model", "Objective", "Problem", "RepResult", "VariableType"):
        setattr(base, used, type(used, (), dict.fromkeys(("STOCHASTIC", "DISCRETE"))))
    sys.modules |= {"simopt": types.ModuleType("simopt"), "simopt.base": base, "matplotlib": types.ModuleType("matplotlib"),
                    "matplotlib.pyplot": types.ModuleType("matplotlib.pyplot")}
    names = {"__name__": "reference"}
    try:
        exec(compile(text, path, "exec"), names)
    except ImportError as missing:
        skip(str(missing))
    if "ccbaby" not in names:
        skip(f"SPOROS_CALL_CENTRE is {path}, which has no function ccbaby")
    return names["ccbaby"]


def of_reference(ccbaby, roster, days, seed):
    """Returns the responses of each day, and processor seconds."""
    rows, before = [], time.process_time()
    staffing = [roster[4 * start:4 * start + 4] for start in range(STARTS)]
    for day in range(days):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            cost = ccbaby(staffing, 1, 1000 * seed + day + 1)[0]
        counts = {name: [int(number) for number in re.search(name + r":\s*\[([^]]*)\]", printed.getvalue())[1].split()]
                  for name in ("callsPerHour", "under20sPerHour")}
        fractions = [under / number if number > 0 else 1
                     for under, number in zip(counts["under20sPerHour"], counts["callsPerHour"])]
        rows.append([float(cost), *fractions])
    return rows, time.process_time() - before


def of_sporos(options, roster, replications, seed, folder, has_values=True):
    """Returns the responses of each replication, and processor seconds of the command."""
    described = case()
    for (name, start, _), count in zip(roles(), roster):
        described["staff"][name]["starts"][start] = count
    path, values = pathlib.Path(folder) / "case.json", pathlib.Path(folder) / "values.csv"
    path.write_text(json.dumps(described))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run([options.programs / "sporos-serial", "simulate", "network", "--case", path, "--replications", replications,
         "--seed", seed, "--no-progress", *(["--responses", values] if has_values else [])], options.core)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not has_values:
        return [], seconds
    with values.open(newline="") as file:
        rows = [[float(row["staff cost per day"]) + options.paid_lunch * sum(roster),
                 *(float(row[f"served within 0.0056 h at calls_{hour}"]) for hour in range(HOURS))]
                for row in csv.DictReader(file)]
    return rows, seconds


def differences(names, found, student):
    """Returns the differences of all responses at all rosters."""
    import numpy as np

    compared = Differences()
    limit_of = (1 - CONFIDENCE) / 2 / (len(found) * (HOURS + 1))
    for name, (ours, theirs) in zip(names, found):
        ours, theirs = np.array(ours), np.array(theirs)
        n, m = len(ours), len(theirs)
        gaps = ours.mean(axis=0) - theirs.mean(axis=0)
        pooled = ((n - 1) * ours.var(axis=0, ddof=1) + (m - 1) * theirs.var(axis=0, ddof=1)) / (n + m - 2)
        errors = np.sqrt(pooled * (1 / n + 1 / m))
        limit = float(student.ppf(1 - limit_of, n + m - 2))
        for label, mean, other, gap, error in zip(["cost", *(f"served in time in hour {hour}" for hour in range(HOURS))],
                                                  ours.mean(axis=0), theirs.mean(axis=0), gaps, errors):
            z = gap / error if error > 0 else 0.0 if gap == 0 else math.inf
            compared.add(name, label, mean, other, error, z, limit)
    return compared


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=TREE / "build" / "bin", metavar="FOLDER")
    parser.add_argument("--rosters", type=int, default=3, help="random rosters; default: 3")
    parser.add_argument("--days", type=int, default=40, help="of the reference at a roster; default: 40")
    parser.add_argument("--our-days", type=int, default=400, help="of Sporos at a roster; default: 400")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", type=lambda text: {int(text)}, default={0}, metavar="0")
    parser.add_argument("--unchanged", action="store_true", help="leave the reference as it is")
    parser.add_argument("--smoke", action="store_true", help="few days at the first roster")
    parser.add_argument("--control", action="store_true", help="as --smoke, and Sporos does not pay lunches")
    parser.add_argument("--write", action="store_true", help="write the case")
    options = parser.parse_args()
    options.paid_lunch = 0 if options.control else PAID_LUNCH
    if options.smoke or options.control:
        options.rosters, options.days, options.our_days = 0, 2, 100
    return options


def main():
    options = parsed()
    if options.write:
        CASE.write_text(text_of(case()))
        return
    ccbaby = reference(not options.unchanged)
    try:
        from scipy.stats import t as student
    except ImportError as missing:
        skip(str(missing))
    if not (options.programs / "sporos-serial").exists():
        skip(f"{options.programs / 'sporos-serial'} does not exist")
    generator = random.Random(options.seed)
    rosters = [first_roster(), *(random_roster(generator) for _ in range(options.rosters))]
    names = ["first roster", *(f"roster {i + 1}, {sum(roster)} shifts" for i, roster in enumerate(rosters[1:]))]
    os.sched_setaffinity(0, options.core)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for index, roster in enumerate(rosters):
            theirs, their_seconds = of_reference(ccbaby, roster, options.days, options.seed + index)
            ours, our_seconds = of_sporos(options, roster, options.our_days, options.seed + index, folder)
            found.append((ours, theirs))
            if index == 0:
                rates = options.our_days / our_seconds, options.days / their_seconds
    compared = differences(names, found, student)
    print(f"\n{aligned(compared.table)}\n\nDays per second on one core: Sporos, Serial, {rates[0]:.4g}; reference "
          f"{rates[1]:.4g}; ratio {rates[0] / rates[1]:.4g}\n")
    compared.end()


if __name__ == "__main__":
    main()
