# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call through Python costs over the same call in C++: pi with 10 draws a replication, on each backend.

    PYTHONPATH=build/python python3 bench/python/python_call.py [CALLS]

The time in C++ is taken in the module, around the experiment alone. Medians and least values, in microseconds.
"""

import statistics
import sys
import time

import sporos


def measure(calls, **plan):
    """Times of whole calls, and what of each is the package's, in microseconds."""
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
    print(f"{'pi on':<10}{'replications':>14}{'outputs':>9}{'call':>10}{'over C++':>10}{'least':>10}")
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
