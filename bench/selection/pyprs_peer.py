#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares replications of the line of three stations in bench_select and in PyPRS, compiled by Numba, on one core.

  pyprs_peer.py --program build/bin/bench_select --simulation TPMax_57624_simulation_function.py [--replications 20000]

The simulation is in PyPRS's repository (simulation-optimization/PyPRS, scripts), but not in its wheel. It requires numba and
mrg32k3a_numba, and observes the last 50 of 2050 jobs. Its line has the rates 16, 17, 17 and the buffers 25, 25. Sporos runs
bi-PASS over all 3249 lines, and its time includes the procedure. The sides run alternately; times are processor times. The
script prints a report as JSON. The exit status is 77 if a package is not installed.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

try:
    import mrg32k3a_numba
    import numba
    import numpy as np
except ImportError as missing:
    print(f"pyprs_peer.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.measuring import context  # noqa: E402

LINE = [0.0, 16.0, 17.0, 17.0, 25.0, 25.0]  # index, rates, buffers


def loaded(path):
    spec = importlib.util.spec_from_file_location("pyprs_simulation", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.simulation_function


def of_pyprs(simulation, replications):
    """Returns the replications per second, and their mean throughput."""
    line = np.array(LINE)
    simulation(line, [12345, 1, 1])  # compiles the function
    before = time.process_time()
    values = [simulation(line, [12345, 4 * i + 1, i + 1]) for i in range(replications)]
    return replications / (time.process_time() - before), statistics.fmean(values)


def of_ours(program):
    def user_time():
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime

    before = user_time()
    done = subprocess.run(
        [program, "--totals", "20", "--procedures", "bi-pass", "--benchmark_filter=serial", "--benchmark_format=json"],
        check=True, capture_output=True, text=True, env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    replications = json.loads(done.stdout)["benchmarks"][0]["replications"]
    return replications / (user_time() - before)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="bench_select")
    parser.add_argument("--simulation", required=True, help="file with the simulation of PyPRS")
    parser.add_argument("--replications", type=int, default=20000, help="replications of PyPRS in a turn")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    simulation = loaded(options.simulation)
    ours, theirs, mean = [], [], 0
    for _ in range(options.turns):
        ours.append(of_ours(options.program))
        rate, mean = of_pyprs(simulation, options.replications)
        theirs.append(rate)
    json.dump({"ours_per_second": ours, "pyprs_per_second": theirs, "pyprs_mean_throughput": mean,
               "times_as_fast": statistics.median(ours) / statistics.median(theirs),
               "context": context(numba=numba.__version__, numpy=np.__version__)}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
