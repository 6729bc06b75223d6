#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulates the network of jackson.json, or of another case of the same form, in SimPy.

Each customer is a process, and each station with limited servers is a resource. The script prints means with 99.9 %
intervals, the processor seconds and the events per second. The exit status is 77 if SimPy or SciPy is not installed.
"""
import math
import pathlib
import random
import sys

try:
    import scipy  # noqa: F401
    import simpy
except ImportError as missing:
    print(f"simpy_peer.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.networks import peer  # noqa: E402


def next_station(station, generator):
    """Returns the index of the next station, or None if the customer leaves the network."""
    if not station.branches:
        return None
    left = generator.random()
    for probability, to in station.branches:
        left -= probability
        if left < 0:
            return to
    return None


def customer(environment, network, resources, generator, tally):
    at = network.entry
    while at is not None:
        station, joined = network.stations[at], environment.now
        if resources[at] is None:
            yield environment.timeout(generator.expovariate(station.rate))
        else:
            with resources[at].request() as request:
                yield request
                if environment.now >= network.warm_up:
                    tally.waits[at].append(environment.now - joined)
                yield environment.timeout(generator.expovariate(station.rate))
        if environment.now >= network.warm_up:
            tally.times[at].append(environment.now - joined)
        at = next_station(station, generator)


def arrivals(environment, network, resources, generator, tally):
    while True:
        yield environment.timeout(generator.expovariate(network.arrival_rate))
        environment.process(customer(environment, network, resources, generator, tally))


def replication(network, seed):
    """Returns the tally of one replication."""
    environment, generator, tally = simpy.Environment(), random.Random(seed), peer.Tally(network)
    resources = [None if station.servers == math.inf else simpy.Resource(environment, station.servers)
                 for station in network.stations]
    environment.process(arrivals(environment, network, resources, generator, tally))
    environment.run(until=network.horizon)
    return tally


def main():
    options = peer.parsed_by(peer.parser_of(__doc__))
    network = peer.read_network(options.case)
    found = peer.replicate(network, options, lambda seed: replication(network, seed))
    peer.report(f"SimPy {simpy.__version__}", network, options, *found)


if __name__ == "__main__":
    main()
