#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes tables of a report that bench_variates wrote with --benchmark_out=FILE --benchmark_out_format=json.

  scipy_peer.py FILE [--points N]             prints the tables in Markdown
  scipy_peer.py FILE --into PAGE PLACE        writes them into a page, between its lines <!-- PLACE --> and <!-- end of PLACE -->

If SciPy is installed, the tables also have its `ppf` of the same distributions, for arrays of uniform numbers on one thread.
"""
import argparse
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import show, table  # noqa: E402
from bench.harness.measurement import Measurement  # noqa: E402

ROUNDS = 5


def frozen(stats):
    """Returns SciPy's distributions by the names of the benchmarks."""
    return {
        "gamma(2.5, 2)": stats.gamma(2.5, scale=2),
        "beta(2, 3.5)": stats.beta(2, 3.5),
        "beta(0.3, 0.6)": stats.beta(0.3, 0.6),
        "beta(40, 700)": stats.beta(40, 700),
        "student(3.5, 0, 1)": stats.t(3.5),
        "pareto(2.5, 3)": stats.pareto(2.5, scale=3),
        "log-logistic(2.5, 3)": stats.fisk(2.5, scale=3),
        "burr(2.5, 1.5, 3)": stats.burr12(2.5, 1.5, scale=3),
        "johnson-su(1, 2, 0, 1)": stats.johnsonsu(1, 2),
        "johnson-sb(1, 2, 0, 1)": stats.johnsonsb(1, 2),
        "truncated-normal(1, 2, 0, 5)": stats.truncnorm(-0.5, 2, loc=1, scale=2),
        "binomial(20, 0.3)": stats.binom(20, 0.3),
        "binomial(5000, 0.3)": stats.binom(5000, 0.3),
        "negative-binomial(2.5, 0.4)": stats.nbinom(2.5, 0.4),
        "negative-binomial(2.5, 0.001)": stats.nbinom(2.5, 0.001),
        "hypergeometric(50, 20, 10)": stats.hypergeom(50, 20, 10),
    }


def scipy_times(points):
    """Returns the nanoseconds per quantile, the minimum over the rounds; empty without SciPy."""
    try:
        import numpy
        from scipy import stats
    except ImportError:
        return {}
    u = (0.5 + 0.6180339887498949 * numpy.arange(points)) % 1
    times = {}
    for name, distribution in frozen(stats).items():
        best = float("inf")
        for _ in range(ROUNDS):
            start = time.perf_counter()
            distribution.ppf(u)
            best = min(best, time.perf_counter() - start)
        times[name] = best / points * 1e9
    return times


def measurements(report):
    """Returns the measurements for bench/compare: quantiles of distributions, mathematical functions, and their peers."""
    found = []
    for benchmark in report["benchmarks"]:
        topic, name = topic_and_name(benchmark)
        name, _, peer = name.partition(", ") if topic == "functions" else (name, "", "Boost.Math")
        of_case = {"task": f"{topic.removesuffix('s')} {name}", "size": 1, "sizes": "draws", "unit": "draw"}
        found.append(Measurement(**of_case, side="serial", seconds=benchmark["sporos_ns"] * 1e-9))
        if "peer_ns" in benchmark:
            found.append(Measurement(**of_case, side=peer, seconds=benchmark["peer_ns"] * 1e-9))
    return found


def topic_and_name(benchmark):
    return benchmark["name"].split("/iterations:")[0].split("/", 1)


def cell(nanoseconds, ours):
    return ["", ""] if nanoseconds is None else [f"{nanoseconds:.0f} ns", f"{nanoseconds / ours:.1f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"))
    arguments = parser.parse_args()
    report, scipy = json.loads(arguments.file.read_text()), scipy_times(arguments.points)
    rows, functions = [], []
    for benchmark in report["benchmarks"]:
        topic, name = topic_and_name(benchmark)
        ours = benchmark["sporos_ns"]
        if topic == "functions":
            name, peer = name.split(", ", 1)
            functions.append([name, f"{ours:.1f} ns", peer, f"{benchmark['peer_ns']:.1f} ns", f"{benchmark['peer_ns'] / ours:.2f}"]
                             if "peer_ns" in benchmark else [f"{name}, {peer}", f"{ours:.1f} ns", "", "", ""])
            continue
        rows.append([f"`{name}`", f"{ours:.0f} ns", *cell(benchmark.get("boost_ns"), ours), *cell(scipy.get(name), ours)])
    show(table("Variates by inversion, one core", ["distribution", "Sporos", "Boost.Math", "speed-up", "SciPy", "speed-up"], rows)
         + table("Functions of single numbers, one core", ["function", "Sporos", "peer", "time of the peer", "speed-up"], functions),
         arguments.into)


if __name__ == "__main__":
    main()
