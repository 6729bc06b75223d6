#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares models in Python with C++ models, SimPy, Numba and JAX on one core.

    PYTHONPATH=build/python python3 bench/python_models/compare.py [--rounds N]

The models are the M/M/1 queue with 10 000 customers, and the call centre of examples/call_centre.cpp for 5000 minutes. The
contenders run in turns, `--rounds` times, on the first processor of this process. The table has the median processor time
of a customer or caller, its range over the rounds, and its ratio to the model in Python. Times are those of whole calls.

C++ models are compiled with the command that compiles models in Python. The digests of both must agree, and the mean of
the first response must be within 5 standard errors of the exact one, a check that a correct program fails with probability
6e-7. Programs that are not installed are left out. PyKokkos runs loops over independent elements, and its kernels have no
draws, so that these models cannot be written in it.

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

import models  # noqa: E402
import peers  # noqa: E402
import sporos  # noqa: E402

EXAMPLE = Path(__file__).parents[2] / "examples" / "call_centre.cpp"
EXACT = {"mm1": 0.99985, "call centre": 0.0684}
"""Mean of the first response. That of mm1 is for 10 000 customers, that of the call centre for an endless run."""


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
    """Returns the contenders of a model, and its number of customers in a replication."""
    if name == "mm1":
        return 10000, {
            "Sporos, Python": Sporos(models.MM1, 1000 * scale),
            "Sporos, C++": Sporos(models.mm1_in_cpp(), 1000 * scale),
            "Numba": Peer(peers.numba_mm1, 100 * scale, 10000),
            "JAX": Peer(peers.jax_mm1, 100 * scale, 10000),
            "SimPy": Peer(peers.simpy_mm1, 2 * scale, 10000),
        }
    return 10000, {
        "Sporos, Python": Sporos(models.CallCentre, 50 * scale),
        "Sporos, C++": Sporos(models.call_centre_in_cpp(EXAMPLE.read_text()), 50 * scale),
        "SimPy": Peer(peers.simpy_call_centre, 2 * scale, 5000.0),
    }


def is_wrong(name, values):
    """Whether the mean of the first response is more than 5 standard errors from the exact one."""
    values = [float(one) for one in values]
    deviation = statistics.stdev(values) if len(values) > 5 else 0.3 * EXACT[name]  # a bound for short runs
    allowed = 5 * deviation / math.sqrt(len(values)) + 0.002 * EXACT[name]  # the start of a call centre is empty
    return abs(statistics.fmean(values) - EXACT[name]) > allowed


def compare(name, rounds, scale):
    """Prints the table of a model and returns whether a check has failed."""
    customers, all_contenders = contenders(name, scale)
    seconds = {one: [] for one in all_contenders}
    fails = False
    for one, contender in list(all_contenders.items()):
        try:
            values = contender(1)  # compiles
        except ImportError as missing:
            print(f"{one} is left out: {missing}", file=sys.stderr)
            del all_contenders[one]
            continue
        if is_wrong(name, values):
            print(f"the mean of {one} is {statistics.fmean(values)}, expected {EXACT[name]}")
            fails = True
    for number in range(rounds):
        for one, contender in all_contenders.items():
            start = time.process_time()
            contender(2 + number)
            seconds[one].append(1e9 * (time.process_time() - start) / contender.replications / customers)
    base = statistics.median(seconds["Sporos, Python"])
    print(f"{name:<18}{'ns/customer':>12}{'range':>20}{'ratio':>9}  digest")
    for one, contender in all_contenders.items():
        median = statistics.median(seconds[one])
        span = f"{min(seconds[one]):.2f} to {max(seconds[one]):.2f}"
        print(f"{one:<18}{median:>12.2f}{span:>20}{median / base:>9.2f}  {contender.digest}")
    digests = {one.digest for one in all_contenders.values() if one.digest}
    return fails or len(digests) > 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="rounds; default: 7")
    parser.add_argument("--scale", type=int, default=1, help="factor of the replications; default: 1")
    options = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, Sporos {sporos.__version__}, {sporos.info()['build']}")
    fails = [compare(name, options.rounds, options.scale) for name in EXACT]
    sys.exit(1 if any(fails) else 0)


if __name__ == "__main__":
    main()
