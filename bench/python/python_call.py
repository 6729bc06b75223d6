# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the overhead of a call in Python over the same call in C++, for pi with 10 draws per replication.

    PYTHONPATH=build/python python3 bench/python/python_call.py [CALLS]

The extension module measures the time of the experiment in C++. The script prints medians and minima in microseconds for
each backend.
"""

import statistics
import sys
import time

import sporos


def measure(calls, **plan):
    """Returns the times of whole calls and the overhead of the package in each, in microseconds."""
    whole, over = [], []
    for _ in range(calls):
        start = time.perf_counter()
        result = sporos.simulate("pi", draws=10, **plan)
        took = time.perf_counter() - start
        whole.append(1e6 * took)
        over.append(1e6 * (took - result.native_seconds))
    return whole, over


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print(f"{'pi on':<10}{'replications':>14}{'outputs':>9}{'call':>10}{'over C++':>10}{'minimum':>10}")
    for backend in sporos.backends():
        for replications, outputs in ((100, False), (100, True), (100_000, False)):
            plan = dict(replications=replications, outputs=outputs, backend=backend)
            measure(20, **plan)
            whole, over = measure(calls if replications < 1000 else max(calls // 20, 1), **plan)
            print(
                f"{backend:<10}{replications:>14}{'yes' if outputs else 'no':>9}"
                f"{statistics.median(whole):>10.1f}{statistics.median(over):>10.1f}{min(over):>10.1f}"
            )


if __name__ == "__main__":
    main()
