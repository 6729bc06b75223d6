#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the uniform numbers of NumPy's Philox and of SciPy's stats.qmc on one thread.

  qmc_peers.py REPORT [--sizes smoke|short]

The script appends the times to a report of bench_replications, and draw.py compares them with those of Sporos. If NumPy or
SciPy is not installed, the exit status is 77, and the report is unchanged.
"""
import argparse
import json
import pathlib
import sys
import time

SEED, DIMENSIONS = 20240229, 8


def peers(numpy, qmc):
    """Returns tuples: engine or sampling with its name in the report, peer, and a function that generates n points."""
    philox = numpy.random.Generator(numpy.random.Philox(SEED))
    return [
        ("philox", "numpy Philox", lambda n: philox.random((n, DIMENSIONS))),
        ("points-sobol", "scipy Sobol, scrambled", lambda n: qmc.Sobol(DIMENSIONS, scramble=True, rng=SEED).random(n)),
        ("points-sobol", "scipy Sobol, plain", lambda n: qmc.Sobol(DIMENSIONS, scramble=False).random(n)),
        ("points-halton", "scipy Halton, scrambled",
         lambda n: qmc.Halton(DIMENSIONS, scramble=True, rng=SEED).random(n)),
        ("points-latin-hypercube", "scipy LatinHypercube", lambda n: qmc.LatinHypercube(DIMENSIONS, rng=SEED).random(n)),
        ("points-latin-hypercube-centred", "scipy LatinHypercube, centred",
         lambda n: qmc.LatinHypercube(DIMENSIONS, scramble=False, rng=SEED).random(n)),
    ]


def best_time(draw, points, rounds, seconds):
    """Returns the shortest time in seconds, without the first call, which may read tables."""
    draw(points)
    best, start = float("inf"), time.perf_counter()
    while rounds > 0 or time.perf_counter() - start < seconds:
        before = time.perf_counter()
        draw(points)
        best = min(best, time.perf_counter() - before)
        rounds -= 1
    return best


def benchmark(case, peer, draw, points, rounds, seconds):
    values = draw(points)
    # The tolerance is five standard errors of independent uniforms; none of the peers exceeds it.
    if not abs(values.mean() - 0.5) <= 5 * (12 * values.size) ** -0.5:
        sys.exit(f"qmc_peers.py: the mean of {peer} is {values.mean()}, expected 0.5")
    nanoseconds = best_time(draw, points, rounds, seconds) / values.size * 1e9
    return {"name": f"python/{case}/{peer}", "run_type": "iteration", "iterations": 1, "real_time": nanoseconds,
            "cpu_time": nanoseconds, "time_unit": "ns", "peer_ns": nanoseconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", metavar="REPORT", type=pathlib.Path)
    parser.add_argument("--sizes", choices=["smoke", "short"], default="short")
    arguments = parser.parse_args()
    try:
        import numpy
        import scipy
        from scipy.stats import qmc
    except ImportError as error:
        print(f"qmc_peers.py: skipped, {error}")
        sys.exit(77)
    points, rounds, seconds = (2**8, 1, 0.0) if arguments.sizes == "smoke" else (2**14, 20, 1.0)
    report = json.loads(arguments.report.read_text())
    report["context"]["numpy"], report["context"]["scipy"] = numpy.__version__, scipy.__version__
    kept = [b for b in report["benchmarks"] if not b["name"].startswith("python/")]
    report["benchmarks"] = kept + [benchmark(*peer, points, rounds, seconds) for peer in peers(numpy, qmc)]
    arguments.report.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
