#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the customers per second of an M/M/1 queue with an event calendar: Sporos, SimPy, Ciw and Cimba.

  peers.py --program build/bin/bench_events [--cimba build/benchmark/MM1_single] [--rounds 3] [--customers 100000] [--core 1]

The sides run alternately on one core. The queue is that of Cimba's benchmark MM1_single: arrival rate 0.9, service rate 1,
from empty until --customers have been served (Cimba: 10^6). The response is their mean time in system. The script reports
the minimum processor time per customer, which other work on the machine hardly affects. It skips peers that are not
installed.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import time

CIMBA_CUSTOMERS = 1_000_000  # NUM_OBJECTS of Cimba's benchmark
ARRIVAL_RATE, SERVICE_RATE = 0.9, 1.0


def simpy_queue(customers, seed):
    """Returns the mean time in system; arrivals and server are processes with a store, as in Cimba's comparison."""
    import simpy

    generator = random.Random(seed)
    environment = simpy.Environment()
    store = simpy.Store(environment)
    stays = []

    def arrivals():
        for _ in range(customers):
            yield environment.timeout(generator.expovariate(ARRIVAL_RATE))
            yield store.put(environment.now)

    def server():
        while True:
            arrival = yield store.get()
            yield environment.timeout(generator.expovariate(SERVICE_RATE))
            stays.append(environment.now - arrival)

    environment.process(arrivals())
    environment.process(server())
    environment.run()
    return statistics.fmean(stays)


def ciw_queue(customers, seed):
    """Returns the mean time in system of a network with one node."""
    import ciw

    ciw.seed(seed)
    network = ciw.create_network(arrival_distributions=[ciw.dists.Exponential(ARRIVAL_RATE)],
                                 service_distributions=[ciw.dists.Exponential(SERVICE_RATE)], number_of_servers=[1])
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_customers(customers, method="Finish")
    return statistics.fmean(record.exit_date - record.arrival_date for record in simulation.get_all_records())


def timed(queue, customers, seed):
    """Returns the processor seconds per customer and the mean time in system."""
    before = time.process_time()
    mean = queue(customers, seed)
    return (time.process_time() - before) / customers, mean


def sporos(options, what):
    output = subprocess.run([options.program, "--customers", str(options.customers), "--benchmark_format=json",
                             f"--benchmark_filter=^serial/{what}/manual_time$"], check=True, capture_output=True, text=True).stdout
    found = json.loads(output)["benchmarks"][0]
    return 1 / found["customers_per_processor_second"], found["mean"] if what == "mm1/events" else None


def cimba(options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run([options.cimba], check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds / CIMBA_CUSTOMERS, float(output.split("time")[1].split()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="bench_events")
    parser.add_argument("--cimba", type=pathlib.Path, help="Cimba's benchmark MM1_single")
    parser.add_argument("--customers", type=int, default=100_000, help="customers served in a replication")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--core", type=int, default=0, help="core on which all sides run")
    options = parser.parse_args()
    os.sched_setaffinity(0, [options.core])
    os.environ["OMP_NUM_THREADS"] = "1"

    sides = {"Sporos, calendar": lambda seed: sporos(options, "mm1/events"),
             "Sporos, Lindley's recursion": lambda seed: sporos(options, "mm1/recurrence"),
             "floor: sum of the variates": lambda seed: sporos(options, "floor")}
    if options.cimba:
        sides["Cimba"] = lambda seed: cimba(options)
    for name, queue in {"SimPy": simpy_queue, "Ciw": ciw_queue}.items():
        try:
            queue(10, 0)
        except ImportError as missing:
            print(f"{name} is skipped: {missing}", file=sys.stderr)
            continue
        sides[name] = lambda seed, queue=queue: timed(queue, options.customers, seed)

    shortest, means = {}, {}
    for seed in range(options.rounds):
        for name, side in sides.items():
            seconds, mean = side(seed + 1)
            shortest[name] = min(seconds, shortest.get(name, seconds))
            means.setdefault(name, []).append(mean)
    ours = shortest["Sporos, calendar"]
    print(f"{'side':<28} {'ns/customer':>14} {'customers/s':>12} {'time / ours':>15} {'time in system':>15}")
    for name, seconds in shortest.items():
        mean = "" if None in means[name] else f"{statistics.fmean(means[name]):.4g}"
        print(f"{name:<28} {1e9 * seconds:>14.1f} {1 / seconds:>12.3g} {seconds / ours:>14.2f}x {mean:>15}")


if __name__ == "__main__":
    main()
