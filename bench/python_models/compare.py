#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares models in Python with C++ models, SimPy, Numba and JAX on one core.

    PYTHONPATH=build/python python3 bench/python_models/compare.py [--rounds N] [--scale N]

The models are the M/M/1 queue with 10 000 customers, the call centre of examples/call_centre.cpp for 5000 minutes, and the
(s, S) inventory for 120 periods. The contenders run in turns, `--rounds` times, on one processor. The table has the median
processor time of a customer, caller or period, its range over the rounds, and the median of its ratios to the model in
Python in the same round. Times are those of whole calls.

C++ models are compiled with the command that compiles models in Python, and their digests must agree with those of the
models in Python. The mean of the first response of other programs must be within 5 standard errors of it, a check that a
correct program fails with probability 6e-7. Programs that are not installed are left out. PyKokkos runs loops over
independent elements, and its kernels have no draws, so that these models cannot be written in it.

The exit status is 1 if a check fails.
"""

import argparse
import math
import os
import statistics
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_PROC_BIND", "false")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "python"))

import models_in_cpp  # noqa: E402
import peers  # noqa: E402
import python_models  # noqa: E402
import sporos  # noqa: E402


class Sporos:
    """A model of Sporos."""

    def __init__(self, model, replications):
        self.model, self.replications = model, replications
        self.digest = ""

    def __call__(self, seed):
        result = sporos.simulate(self.model, replications=self.replications, seed=seed, outputs=True)
        self.digest = result.digest
        return result.outputs[:, 0]


class Peer:
    """A function of peers.py."""

    def __init__(self, function, replications, length):
        self.function, self.replications, self.length = function, replications, length
        self.digest = ""

    def __call__(self, seed):
        return self.function(self.replications, self.length, seed)


def contenders(name, scale):
    """Returns the contenders of a model, and its number of customers, callers or periods in a replication."""
    if name == "mm1":
        cpp = models_in_cpp.built_in(python_models.MM1, "queues/mm1", "MM1")
        return 10000, {
            "Sporos, Python": Sporos(python_models.MM1, 1000 * scale),
            "Sporos, C++": Sporos(cpp, 1000 * scale),
            "Numba": Peer(peers.numba_mm1, 100 * scale, 10000),
            "JAX": Peer(peers.jax_mm1, 100 * scale, 10000),
            "SimPy": Peer(peers.simpy_mm1, 2 * scale, 10000),
        }
    if name == "call centre":
        cpp = models_in_cpp.call_centre(python_models.CallCentre, SOURCE)
        return 10000, {
            "Sporos, Python": Sporos(python_models.CallCentre, 200 * scale),
            "Sporos, C++": Sporos(cpp, 200 * scale),
            "SimPy": Peer(peers.simpy_call_centre, 2 * scale, 5000.0),
        }
    cpp = models_in_cpp.built_in(python_models.SsInventory, "inventory/ss_inventory", "SsInventory")
    return 120, {
        "Sporos, Python": Sporos(python_models.SsInventory, 50000 * scale),
        "Sporos, C++": Sporos(cpp, 50000 * scale),
        "SimPy": Peer(peers.simpy_ss_inventory, 200 * scale, 100),
    }


def is_wrong(values, expected):
    """Whether the mean of `values` is more than 5 standard errors from that of `expected`."""
    values = [float(one) for one in values]
    allowed = 5 * statistics.stdev(expected) * math.sqrt(1 / len(values) + 1 / len(expected))
    return abs(statistics.fmean(values) - statistics.fmean(expected)) > allowed


def compare(name, rounds, scale):
    """Prints the table of a model and returns whether a check has failed."""
    customers, all_contenders = contenders(name, scale)
    seconds = {one: [] for one in all_contenders}
    fails = False
    expected = None
    for one, contender in list(all_contenders.items()):
        try:
            values = contender(1)  # compiles
        except ModuleNotFoundError as missing:
            print(f"{one} is left out: {missing}", file=sys.stderr)
            del all_contenders[one]
            continue
        expected = values.tolist() if expected is None else expected
        if is_wrong(values, expected):
            print(f"the mean of {one} is {statistics.fmean(values)}, expected {statistics.fmean(expected)}")
            fails = True
    for number in range(rounds):
        for one, contender in all_contenders.items():
            start = time.process_time()
            contender(2 + number)
            seconds[one].append(1e9 * (time.process_time() - start) / contender.replications / customers)
    base = seconds["Sporos, Python"]
    print(f"{name:<18}{'ns':>12}{'range':>22}{'ratio':>9}  digest")
    for one, contender in all_contenders.items():
        span = f"{min(seconds[one]):.2f} to {max(seconds[one]):.2f}"
        ratio = statistics.median(own / others for own, others in zip(seconds[one], base))
        print(f"{one:<18}{statistics.median(seconds[one]):>12.2f}{span:>22}{ratio:>9.2f}  {contender.digest}", flush=True)
    digests = {one.digest for one in all_contenders.values() if one.digest}
    return fails or len(digests) > 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15, help="rounds; default: 15")
    parser.add_argument("--scale", type=int, default=1, help="factor of the replications; default: 1")
    options = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, Sporos {sporos.__version__}, {sporos.info()['build']}")
    fails = [compare(name, options.rounds, options.scale) for name in ("mm1", "call centre", "(s, S) inventory")]
    sys.exit(1 if any(fails) else 0)


if __name__ == "__main__":
    main()
