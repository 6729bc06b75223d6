#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replications of the line of three stations on one core: PyPRS's own simulation, compiled by Numba, and bench_select's.

  pyprs_peer.py --program build/bin/bench_select --simulation TPMax_57624_simulation_function.py [--replications 20000]

The simulation is that of PyPRS's repository (simulation-optimization/PyPRS, scripts), which its wheel does not hold; it needs
numba and mrg32k3a_numba, and of 2050 jobs it observes the last 50. Its line has the rates 16, 17, 17 and buffers 25, 25. Ours are
replications of all 3249 lines, as bi-PASS takes them, all that is around them included. Times are those of the processor, of
turns one after the other. Writes a report as JSON on standard output; exits 77 where something is not installed.
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
    """Replications a second, and their mean throughput."""
    line = np.array(LINE)
    simulation(line, [12345, 1, 1])  # compiles the function
    before = time.process_time()
    values = [simulation(line, [12345, 4 * i + 1, i + 1]) for i in range(replications)]
    return replications / (time.process_time() - before), statistics.fmean(values)


def of_ours(program):
    def user_time():
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime

    before = user_time()
    told = subprocess.run(
        [program, "--totals", "20", "--procedures", "bi-pass", "--benchmark_filter=serial", "--benchmark_format=json"],
        check=True, capture_output=True, text=True, env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    replications = json.loads(told.stdout)["benchmarks"][0]["replications"]
    return replications / (user_time() - before)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="bench_select")
    parser.add_argument("--simulation", required=True, help="PyPRS's file")
    parser.add_argument("--replications", type=int, default=20000, help="of PyPRS, in a turn")
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
