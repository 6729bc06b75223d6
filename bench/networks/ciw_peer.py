#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulates the network of jackson.json, or of another case of the same form, in Ciw.

The script prints means with 99.9 % intervals, the processor seconds and the events per second. The exit status is 77 if
Ciw or SciPy is not installed.
"""
import pathlib
import sys

try:
    import ciw
    import scipy  # noqa: F401
except ImportError as missing:
    print(f"ciw_peer.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.networks import peer  # noqa: E402


def ciw_network(network):
    """Returns the network as Ciw describes it."""
    stations = network.stations
    routes = [[0.0] * len(stations) for _ in stations]
    for row, station in zip(routes, stations):
        for probability, to in station.branches:
            row[to] += probability
    return ciw.create_network(
        arrival_distributions=[ciw.dists.Exponential(network.arrival_rate) if s == network.entry else None
                               for s in range(len(stations))],
        service_distributions=[ciw.dists.Exponential(station.rate) for station in stations],
        number_of_servers=[station.servers for station in stations],
        routing=routes,
    )


def replication(network, seed):
    """Returns the tally of one replication."""
    ciw.seed(seed)
    simulation, tally = ciw.Simulation(ciw_network(network)), peer.Tally(network)
    simulation.simulate_until_max_time(network.horizon)
    for visit in simulation.get_all_records(only=["service"]):
        if visit.service_start_date >= network.warm_up:
            tally.waits[visit.node - 1].append(visit.waiting_time)
        if visit.exit_date >= network.warm_up:
            tally.times[visit.node - 1].append(visit.waiting_time + visit.service_time)
    return tally


def main():
    options = peer.parsed_by(peer.parser_of(__doc__))
    network = peer.read_network(options.case)
    found = peer.replicate(network, options, lambda seed: replication(network, seed))
    peer.report(f"Ciw {ciw.__version__}", network, options, *found)


if __name__ == "__main__":
    main()
