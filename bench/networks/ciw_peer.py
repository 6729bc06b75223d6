#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the network of jackson.json, or of another case of the same form, in Ciw.

It prints means with 99.9 % intervals, the processor seconds and the events per second.

    python3 bench/networks/ciw_peer.py [REPLICATIONS [CASE]]
    sporos simulate network --case bench/networks/jackson.json --confidence 0.999 --replications N
"""
import json
import math
import pathlib
import statistics
import sys
import time

try:
    import ciw
    from scipy.stats import t as student
except ImportError as missing:
    print(f"ciw_peer.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

FILE = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).parent / "jackson.json"
CASE = json.loads(FILE.read_text())
STATIONS = list(CASE["stations"])


def rate(text):
    return float(text.removeprefix("exponential(").removesuffix(")"))


def network():
    routes = []
    for name in STATIONS:
        branches = {branch["to"]: branch["probability"] for branch in CASE["stations"][name].get("next", [])}
        routes.append([branches.get(to, 0.0) for to in STATIONS])
    job = CASE["classes"]["job"]
    return ciw.create_network(
        arrival_distributions=[
            ciw.dists.Exponential(rate(job["interarrival"])) if name == job["enters"] else None for name in STATIONS
        ],
        service_distributions=[ciw.dists.Exponential(rate(CASE["stations"][name]["service"])) for name in STATIONS],
        number_of_servers=[
            math.inf if CASE["stations"][name].get("servers", 1) == "unlimited" else CASE["stations"][name].get("servers", 1)
            for name in STATIONS
        ],
        routing=routes,
    )


def main():
    replications = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    horizon, warm_up = CASE["horizon"], CASE["warm_up"]
    waits, stays, records, seconds = {name: [] for name in STATIONS}, {name: [] for name in STATIONS}, 0, 0.0
    for replication in range(replications):
        ciw.seed(replication)
        start = time.process_time()
        simulation = ciw.Simulation(network())
        simulation.simulate_until_max_time(horizon)
        seconds += time.process_time() - start
        visits = simulation.get_all_records(only=["service"])
        records += len(visits)
        for node, name in enumerate(STATIONS, 1):
            begun = [v.waiting_time for v in visits if v.node == node and v.service_start_date >= warm_up]
            left = [v.waiting_time + v.service_time for v in visits if v.node == node and v.exit_date >= warm_up]
            waits[name].append(statistics.fmean(begun))
            stays[name].append(statistics.fmean(left))
    quantile = student.ppf(0.9995, replications - 1)
    for what, values in (("wait at", waits), ("time at", stays)):
        for name in STATIONS:
            half = quantile * statistics.stdev(values[name]) / math.sqrt(replications)
            print(f"{what} {name}: {statistics.fmean(values[name]):.5f} +- {half:.5f}")
    # Each visit counts as two events: an arrival and the end of a service.
    print(f"{replications} replications, {seconds:.3f} s, {2 * records / seconds:.3g} events a second")


if __name__ == "__main__":
    main()
