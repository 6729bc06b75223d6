#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares networks of stations on one core: Sporos, Cimba, SimPy and Ciw.

  networks.py [--programs build/bin] [--cases jackson,ten_stations] [--out REPORT]
  networks.py --control             slows down one service of Sporos by 20 %, which the comparison must report

The sides run alternately, with new seeds in every round. An event is an arrival from outside or the end of a service.
Every side counts events in the same way: (arrival rate + sum of the throughputs after the warm-up) x horizon. Times are
processor seconds, of the whole command for Sporos and of the replications with their statistics for the peers. The table
shows the median and the spread (largest minus smallest) of the events per second.

The means of every side must agree with those of Sporos on Serial: all intervals of their differences hold simultaneously
with confidence 99.9 % (Bonferroni). OpenMP must give the digest of Serial. The exit status is 1 if means differ, and 77
if SciPy, sporos-serial or all peers are missing. To compare with Cimba, install it with meson, and build Sporos with
-DSPOROS_CIMBA=FOLDER.
"""
import argparse
import dataclasses
import json
import math
import pathlib
import resource
import statistics
import sys
import tempfile

try:
    from scipy.stats import t as student
except ImportError as missing:
    print(f"networks.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import BACKENDS, TREE, aligned, fail, plural, run, skip, write_json  # noqa: E402
from bench.harness.measuring import context  # noqa: E402
from bench.networks import peer  # noqa: E402

OURS = "Sporos, Serial"


@dataclasses.dataclass
class Side:
    """Results of one program by round: mean and half-width of each response, seconds, and events per second."""

    version: str
    replications: int
    means: list = dataclasses.field(default_factory=list)
    seconds: list = dataclasses.field(default_factory=list)
    events_per_second: list = dataclasses.field(default_factory=list)

    def pooled(self, name):
        """Returns the mean of a response over all rounds, its standard error, and the error's degrees of freedom."""
        count, quantile = len(self.means), student.ppf((1 + peer.CONFIDENCE) / 2, self.replications - 1)
        mean = statistics.fmean(means[name][0] for means in self.means)
        error = math.sqrt(sum((means[name][1] / quantile) ** 2 for means in self.means)) / count
        return mean, error, count * (self.replications - 1)


def sporos(options, backend, case, seed):
    """Returns the means, seconds, version and digest of our program, or None if it is missing."""
    program = options.programs / f"sporos-{backend}"
    if not program.exists():
        return None
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = run([program, "simulate", "network", "--case", case, "--replications", options.compiled_replications,
                  "--seed", seed, "--confidence", peer.CONFIDENCE, "--format", "json", "--no-progress"], options.core)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = json.loads(output)
    means = {row["response"]: (row["mean"], row["half_width"]) for row in result["tables"]["means"]["rows"]}
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return means, seconds, f"Sporos {result['sporos']}", result["findings"]["digest"]


def of_peer(options, script, replications, case, seed, *more):
    """Returns the means, seconds and version of a peer, or None if it is missing."""
    output = run([sys.executable, pathlib.Path(__file__).with_name(script), replications, case, "--seed", seed, *more],
                 options.core)
    return output and (*peer.table_of(output), None)


def sides(options):
    """Returns a function of a case and a seed by the name of each side, and its replications."""
    found = {f"Sporos, {BACKENDS[backend]}": (lambda case, seed, backend=backend: sporos(options, backend, case, seed),
                                              options.compiled_replications) for backend in ("serial", "openmp")}
    for form in ("events", "processes"):
        more = ["--program", options.programs / "cimba_peer", "--form", form]
        found[f"Cimba, {form}"] = (lambda case, seed, more=more: of_peer(
            options, "cimba_peer.py", options.compiled_replications, case, seed, *more), options.compiled_replications)
    for name, script in {"SimPy": "simpy_peer.py", "Ciw": "ciw_peer.py"}.items():
        found[name] = (lambda case, seed, script=script: of_peer(options, script, options.replications, case, seed),
                       options.replications)
    return found


def slowed(case, folder):
    """Writes a case whose first service is 20 % slower, and returns its path."""
    text = json.loads(case.read_text())
    station = next(iter(text["stations"].values()))
    station["service"] = f"exponential({0.8 * peer.rate_of(station['service'], 'the first service')})"
    path = pathlib.Path(folder) / case.name
    path.write_text(json.dumps(text))
    return path


def measured(options, case, our_case):
    """Returns the results of the available sides by name."""
    network, found, digests = peer.read_network(case), {}, {}
    for round_number in range(options.rounds):
        for index, (name, (simulate, replications)) in enumerate(sides(options).items()):
            if round_number > 0 and name not in found:
                continue
            is_ours = name.startswith("Sporos")
            # Backends have the same seeds and must give the same digest. Every other side has separate seeds.
            seed = options.seed + 1000 * round_number + (0 if is_ours else index)
            result = simulate(our_case if is_ours else case, seed)
            if result is None:
                continue
            means, seconds, version, digest = result
            side = found.setdefault(name, Side(version, replications))
            side.means.append({response: means[response] for response in network.responses})
            side.seconds.append(seconds)
            events = replications * network.events({response: mean for response, (mean, _) in means.items()})
            side.events_per_second.append(events / seconds)
            if is_ours and digests.setdefault(seed, digest) != digest:
                fail(f"{case.name}, seed {seed}: the digest of {name} is {digest}, expected {digests[seed]} as of {OURS}")
    return found


def differences(found):
    """Returns the difference from Sporos and its limit by side and response; all limits hold simultaneously."""
    peers = [name for name in found if not name.startswith("Sporos")]
    pairs = [(name, response) for name in peers for response in found[OURS].means[0]]
    gaps = {}
    for name, response in pairs:
        ours, theirs = found[OURS].pooled(response), found[name].pooled(response)
        variance = ours[1] ** 2 + theirs[1] ** 2
        freedom = variance**2 / (ours[1] ** 4 / ours[2] + theirs[1] ** 4 / theirs[2])  # of Welch and Satterthwaite
        limit = student.ppf(1 - (1 - peer.CONFIDENCE) / 2 / len(pairs), freedom) * math.sqrt(variance)
        gaps[name, response] = (theirs[0] - ours[0], limit)
    return gaps


def speeds(found):
    """Returns the rows of the table of events per second."""
    ours = statistics.median(found[OURS].events_per_second)
    rows = [["side", "version", "replications", "events/s, median", "spread", "time / Sporos, Serial"]]
    for name, side in found.items():
        rates = side.events_per_second
        median = statistics.median(rates)
        spread = f"{100 * (max(rates) - min(rates)) / median:.1f} %"
        rows.append([name, side.version.split(", ")[0], str(side.replications), f"{median:.3g}", spread,
                     f"{ours / median:.2f}"])
    return rows


def means_table(found):
    """Returns the rows of the table of means over all rounds, with 99.9 % half-widths."""
    rows = [["response", *found]]
    for response in found[OURS].means[0]:
        row = [response]
        for side in found.values():
            mean, error, freedom = side.pooled(response)
            row.append(f"{mean:.4f} ± {student.ppf((1 + peer.CONFIDENCE) / 2, freedom) * error:.4f}")
        rows.append(row)
    return rows


def compare(options, case, our_case):
    """Runs and prints a comparison. Returns its report and the messages about means that differ."""
    found = measured(options, case, our_case)
    if OURS not in found:
        skip(f"{options.programs / 'sporos-serial'} does not exist")
    missing = [name for name in sides(options) if name not in found]
    gaps = differences(found)
    print(f"\n{case.name}, {plural(options.rounds, 'round')}, core {min(options.core)}\n\n{aligned(speeds(found))}\n")
    print(f"Means of all rounds with 99.9 % half-widths\n\n{aligned(means_table(found))}\n")
    if missing:
        print(f"skipped, because they are missing: {'; '.join(missing)}\n")
    faults = [f"{case.name}: {response} differs by {gap:+.4f} between {name} and {OURS}, expected at most {limit:.4f}"
              for (name, response), (gap, limit) in gaps.items() if not abs(gap) <= limit]
    if gaps and not faults:
        (name, response), (gap, limit) = max(gaps.items(), key=lambda one: abs(one[1][0]) / one[1][1])
        print(f"All {len(gaps)} differences from {OURS} are within their limits; the largest, {response} in {name}, is "
              f"{abs(gap) / limit:.2f} of its limit.")
    report = {name: dataclasses.asdict(side) for name, side in found.items()}
    return report, faults


def cases_of(text):
    return [peer.FOLDER / f"{name}.json" for name in text.split(",")]


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=TREE / "build" / "bin", metavar="FOLDER")
    parser.add_argument("--cases", type=cases_of, default="jackson,ten_stations", metavar="NAME,...")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--replications", type=int, default=50, help="of SimPy and Ciw in a round; default: 50")
    parser.add_argument("--compiled-replications", type=int, default=5000, help="of Sporos and Cimba; default: 5000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", type=lambda text: {int(text)}, default={0}, metavar="0")
    parser.add_argument("--smoke", action="store_true", help="few replications of the first case, one round")
    parser.add_argument("--control", action="store_true",
                        help="as --smoke, with a service of Sporos that is 20 %% slower")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("networks.json"), metavar="FILE")
    options = parser.parse_args()
    if options.smoke or options.control:
        options.rounds, options.replications, options.compiled_replications = 1, 20, 200
        options.cases = options.cases[:1]
    return options


def main():
    options = parsed()
    report, faults = {"context": context(), "seed": options.seed, "cases": {}}, []
    with tempfile.TemporaryDirectory() as folder:
        for case in options.cases:
            our_case = slowed(case, folder) if options.control else case
            report["cases"][case.name], found = compare(options, case, our_case)
            faults += found
    write_json(report, options.out)
    if faults:
        sys.exit("\n".join(faults))
    if all(name.startswith("Sporos") for found in report["cases"].values() for name in found):
        skip("all peers are missing; install ciw or simpy, or build with -DSPOROS_CIMBA=FOLDER")


if __name__ == "__main__":
    main()
