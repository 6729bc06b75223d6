#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares event calendars, in bench_events and in a network of stations, with SimPy, Ciw and Cimba (see peers.py).

  events.py [--program build/bin/bench_events] [--out REPORT]     the exit status is 77 if the program is missing
  events.py --cimba build/benchmark/MM1_single                    includes Cimba

The sides run alternately. M/M/1 is the queue of peers.py. M/M/3/5 is compared with its recurrence. The network is
bench/networks/ten_stations.json, which the program `sporos` of each backend in the folder of bench_events runs; an event is an
arrival from outside or the end of a service, as in bench/networks/networks.py. Times are the minimum over the rounds: wall time
for Sporos, processor time of the only thread for peers. The script prints a table in Markdown and writes a report.
"""
import argparse
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.events import peers  # noqa: E402
from bench.harness.common import (TREE, add_arguments, digits, make_report, parsed_by, run, run_program,  # noqa: E402
                                  skip, table)
from bench.harness.measurement import Measurement, cases  # noqa: E402
from bench.networks import peer  # noqa: E402

NETWORK = TREE / "bench" / "networks" / "ten_stations.json"
MM1, MMCK, TEN = "M/M/1 through a calendar", "M/M/3/5 through a calendar", "network of ten stations"
RECURRENCE = "its recurrence"
NAMES = {"mm1/events": (MM1, None), "mmck/events": (MMCK, None), "mmck/recurrence": (MMCK, RECURRENCE)}


def our_queues(options):
    """Returns the seconds per customer by (task, side, backend)."""
    customers = 1000 if options.smoke else 100_000
    pattern = f"^({'|'.join(options.backends)})/({'|'.join(NAMES)})/manual_time$"
    flags = ["--customers", customers, "--replications", options.replications, "--benchmark_filter", pattern]
    with tempfile.TemporaryDirectory() as folder:
        report = run_program(options.program, flags, pathlib.Path(folder) / "ours.json", options.cores)
    seconds = {}
    for one in report["benchmarks"]:
        backend, _, name = one["name"].removesuffix("/manual_time").partition("/")
        task, side = NAMES[name]
        seconds[task, side or backend, backend] = 1 / one["customers_per_second"]
    return report["context"], seconds


def our_network(options):
    """Returns the seconds per event by (task, backend, backend), for backends with a program."""
    seconds, network = {}, peer.read_network(NETWORK)
    for backend in () if options.without_network else options.backends:
        program = options.program.with_name(f"sporos-{backend}")
        if not program.exists():
            continue
        result = json.loads(run([program, "simulate", "network", "--case", NETWORK, "--replications", options.replications,
                                 "--format", "json", "--no-progress"], options.cores))
        means = {row["response"]: row["mean"] for row in result["tables"]["means"]["rows"]}
        seconds[TEN, backend, backend] = result["seconds"] / (network.events(means) * options.replications)
    return seconds


def their_queues(options, seed):
    """Returns the seconds per customer by (task, side, None)."""
    customers = 1000 if options.smoke else 100_000
    sides = {"SimPy": lambda: peers.timed(peers.simpy_queue, customers, seed),
             "Ciw": lambda: peers.timed(peers.ciw_queue, customers, seed)}
    if options.cimba:
        sides["Cimba"] = lambda: peers.cimba(options)
    seconds = {}
    for name, side in sides.items():
        try:
            seconds[MM1, name, None] = side()[0]
        except ImportError as missing:
            print(f"{name} is skipped: {missing}", file=sys.stderr)
    return seconds


def their_network(options):
    """Returns the seconds per event by (task, side, None), from the table of ciw_peer.py."""
    replications, network = 2 if options.smoke else 20, peer.read_network(NETWORK)
    output = run([sys.executable, NETWORK.with_name("ciw_peer.py"), replications, NETWORK], options.cores)
    if output is None:
        return {}
    means, seconds, _ = peer.table_of(output)
    events = network.events({response: mean for response, (mean, _) in means.items()})
    return {(TEN, "Ciw", None): seconds / (events * replications)}


def measured(options):
    shortest = {}
    for seed in range(options.rounds):
        context, seconds = our_queues(options)
        seconds |= our_network(options)
        if options.platform == "cpu":
            queues = their_queues(options, seed + 1)
            has_network = (MM1, "Ciw", None) in queues and not options.without_network
            seconds |= queues | (their_network(options) if has_network else {})
        for key, one in seconds.items():
            shortest[key] = min(one, shortest.get(key, one))
    return {"context": context, "replications": options.replications,
            "seconds": [[*key, one] for key, one in shortest.items()]}


def measurements(report):
    """Returns the measurements for bench/compare, with the recurrence of the fastest backend as a peer of its queue."""
    best = {}
    for task, side, backend, seconds in report["seconds"]:
        on_gpu = side == RECURRENCE and backend in ("cuda", "hip")
        best[task, side, on_gpu] = min(seconds, best.get((task, side, on_gpu), seconds))
    return [Measurement(task=task, size=report["replications"], sizes="replications", side=side,
                        unit="event" if task == TEN else "customer", seconds=seconds, on_gpu=on_gpu)
            for (task, side, on_gpu), seconds in best.items()]


def text_of(report):
    rows = [[task, one.name, one.unit, digits(one.seconds * 1e9), f"{1 / one.seconds:.3g}"]
            for (task, _), sides in cases(measurements(report)).items() for one in sides.values()]
    return table("Events through calendars", ["work", "side", "unit", "ns per unit", "units per second"], rows)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, "bench_events")
    parser.add_argument("--replications", type=int, help="replications per launch; default: 16, on a GPU 65536")
    parser.add_argument("--without-network", action="store_true", help="measures only the queues")
    parser.add_argument("--cimba", type=pathlib.Path, help="Cimba's benchmark MM1_single")
    options = parsed_by(parser)
    if options.replications is None:
        options.replications = 65536 if options.platform == "cuda" and not options.smoke else 16
    return options


def main():
    options = parsed()
    if not options.program.exists():
        skip(f"{options.program} does not exist")
    make_report(options, measured, text_of)


if __name__ == "__main__":
    main()
