# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared functions of the programs that simulate our benchmark networks in other libraries.

Every peer takes the same arguments, and prints the same table: means with 99.9 % intervals, processor seconds and events
per second.
"""
import argparse
import dataclasses
import json
import math
import pathlib
import statistics
import sys
import time

FOLDER = pathlib.Path(__file__).parent
UNLIMITED = "unlimited"
CONFIDENCE = 0.999


@dataclasses.dataclass(frozen=True)
class Station:
    """Station of an open network; `branches` holds the probability and the index of each next station."""

    name: str
    servers: float  # math.inf if they are unlimited
    rate: float
    branches: list


@dataclasses.dataclass(frozen=True)
class Network:
    """Open network with Poisson arrivals at one station, exponential services and random routes."""

    horizon: float
    warm_up: float
    arrival_rate: float
    entry: int
    stations: list

    @property
    def responses(self):
        """Names of the responses, which are those of Sporos. Peers omit the wait if servers are unlimited."""
        return [f"{what} at {station.name}" for station in self.stations for what in ("wait", "time", "throughput")
                if what != "wait" or station.servers < math.inf]

    def events(self, means):
        """Returns the mean number of events of a replication: arrivals from outside, and services that are completed.

        Both are the rate after the warm-up times the horizon, because not all programs count during the warm-up.
        """
        rate = self.arrival_rate + sum(means[f"throughput at {station.name}"] for station in self.stations)
        return rate * self.horizon


def refuse(message):
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {message}")


def rate_of(text, where):
    if not (text.startswith("exponential(") and text.endswith(")")):
        refuse(f"{where} is '{text}'; the peers simulate only 'exponential(RATE)'")
    return float(text.removeprefix("exponential(").removesuffix(")"))


def only(members, known, where):
    for name in members:
        if name not in known:
            refuse(f"{where} has the member '{name}', which the peers do not simulate; remove it")


def read_network(path):
    """Reads a case of the form of jackson.json, and refuses others."""
    case = json.loads(path.read_text())
    only(case, {"time_unit", "horizon", "warm_up", "classes", "stations"}, path.name)
    if list(case["classes"]) != ["job"]:
        refuse(f"{path.name} has the classes {', '.join(case['classes'])}; the peers simulate one, 'job'")
    job, names, stations = case["classes"]["job"], list(case["stations"]), []
    only(job, {"interarrival", "enters"}, "the class 'job'")
    for name, station in case["stations"].items():
        only(station, {"servers", "service", "next"}, f"the station '{name}'")
        servers = station.get("servers", 1)
        branches = [(branch["probability"], names.index(branch["to"])) for branch in station.get("next", [])]
        stations.append(Station(name, math.inf if servers == UNLIMITED else servers,
                                rate_of(station["service"], f"the service at '{name}'"), branches))
    return Network(case["horizon"], case.get("warm_up", 0), rate_of(job["interarrival"], "the time between arrivals"),
                   names.index(job["enters"]), stations)


def parser_of(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("replications", type=int, nargs="?", default=20, help="2 or more; default: 20")
    parser.add_argument("case", type=pathlib.Path, nargs="?", default=FOLDER / "jackson.json")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def parsed_by(parser):
    options = parser.parse_args()
    if options.replications < 2:
        refuse(f"REPLICATIONS is {options.replications}; give 2 or more")
    return options


class Tally:
    """Waits, times and completed services at each station, after the warm-up of one replication."""

    def __init__(self, network):
        self.network = network
        self.waits = [[] for _ in network.stations]
        self.times = [[] for _ in network.stations]

    def values(self):
        """Returns the responses of the replication by name."""
        found, observed = {}, self.network.horizon - self.network.warm_up
        for station, waits, times in zip(self.network.stations, self.waits, self.times):
            found[f"wait at {station.name}"] = statistics.fmean(waits) if waits else 0.0
            found[f"time at {station.name}"] = statistics.fmean(times) if times else 0.0
            found[f"throughput at {station.name}"] = len(times) / observed
        return found


def replicate(network, options, replication):
    """Runs `replication(seed)` for each replication, which returns its Tally.

    Returns the mean and variance of each response, and the processor seconds including those of the statistics.
    """
    before = time.process_time()
    found = [replication(options.seed * 1_000_003 + i).values() for i in range(options.replications)]
    moments = {}
    for name in network.responses:
        values = [one[name] for one in found]
        moments[name] = (statistics.fmean(values), statistics.variance(values))
    return moments, time.process_time() - before


def report(side, network, options, moments, seconds):
    """Prints the table that all peers print."""
    from scipy.stats import t as student

    quantile = student.ppf((1 + CONFIDENCE) / 2, options.replications - 1)
    print(f"{options.case.name}: {options.replications} replications, seed {options.seed}, {side}\n")
    print(f"{'response':<24}{'mean':>12}  {100 * CONFIDENCE:g} % half-width")
    for name, (mean, variance) in moments.items():
        print(f"{name:<24}{mean:>12.6g}  {quantile * math.sqrt(variance / options.replications):>17.3g}")
    events = options.replications * network.events({name: mean for name, (mean, _) in moments.items()})
    print(f"\n{'processor seconds':<24}{seconds:>12.4g}\n{'events per second':<24}{events / seconds:>12.4g}")


def table_of(text):
    """Returns the means and half-widths by response of a table that `report` printed, the seconds, and the side."""
    lines = text.splitlines()
    rows = [line[:24].rstrip() for line in lines]
    means = {name: tuple(float(part) for part in line[24:].split())
             for name, line in zip(rows, lines) if " at " in name}
    seconds = float(lines[rows.index("processor seconds")][24:])
    return means, seconds, lines[0].split(", ", 2)[2]
