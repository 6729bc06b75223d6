# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SimOpt's solvers on its problem SAN-1, for bench_search: seconds a replication, and how good the ends are, exactly.

Needs simoptlib from PyPI. simopt_peer.py [--budget 5000] [--runs 3] [SOLVER...]
"""
import argparse
import contextlib
import io
import time

import numpy as np

ARCS = [(1, 2), (1, 3), (2, 3), (2, 4), (2, 6), (3, 6), (4, 5), (4, 7), (5, 6), (5, 8), (6, 9), (7, 8), (8, 9)]


def exact_objective(x):
    """E[longest path] + Σ 1 / x, by recursion over the activities that have ended."""
    count, rates = len(ARCS), 1 / np.asarray(x)
    into = {event: sum(1 << i for i, arc in enumerate(ARCS) if arc[1] == event) for event in range(1, 10)}
    left = np.zeros(1 << count)
    for ended in range((1 << count) - 2, -1, -1):
        if ended & into[9] == into[9]:
            continue
        active = [i for i, arc in enumerate(ARCS) if not ended >> i & 1 and ended & into[arc[0]] == into[arc[0]]]
        rate = sum(rates[i] for i in active)
        left[ended] = (1 + sum(rates[i] * left[ended | 1 << i] for i in active)) / rate
    return left[0] + float(np.sum(1 / np.asarray(x)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=int, default=5000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("solvers", nargs="*", default=["ADAM", "ASTRODF", "SPSA"])
    arguments = parser.parse_args()
    from simopt.experiment_base import ProblemSolver

    for name in arguments.solvers:
        experiment = ProblemSolver(solver_name=name, problem_name="SAN-1", problem_fixed_factors={"budget": arguments.budget},
                                   create_pickle=False)
        start = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            experiment.run(n_macroreps=arguments.runs, n_jobs=1)
        seconds = time.perf_counter() - start
        ends = [exact_objective(solutions[-1]) for solutions in experiment.all_recommended_xs]
        print(f"{name}: {seconds / arguments.runs / arguments.budget * 1e6:.1f} us a replication, objective {np.mean(ends):.4f},"
              f" worst {np.max(ends):.4f}, {seconds:.1f} s for {arguments.runs} runs of {arguments.budget}")


if __name__ == "__main__":
    main()
