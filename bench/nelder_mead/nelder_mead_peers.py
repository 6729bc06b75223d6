#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the simplex methods of SciPy and NLopt on the problems in the library of bench_nelder_mead.

  nelder_mead_peers.py --library FILE --one P/N... --many P/N...   prints a report as JSON; the exit status is 77 if SciPy or
                                                             NLopt is missing

The tolerances xatol and fatol of SciPy equal ours. NLopt uses the same number for xtol_abs, its measure of size, and has no
tolerance for the values. The functions are compiled code, called through ctypes.
"""
import argparse
import ctypes
import json
import pathlib
import sys

try:
    import nlopt
    import numpy as np
    import scipy.optimize
except ImportError as missing:
    print(f"nelder_mead_peers.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.measuring import context, timed  # noqa: E402

DOUBLES = ctypes.POINTER(ctypes.c_double)


class Problem:
    """An objective, as a function of NumPy vectors, and its starts."""

    def __init__(self, library, number, size):
        self.value, self.write_start = library.problem_value, library.problem_start
        self.value.restype, self.write_start.restype = ctypes.c_double, None
        self.number, self.size = number, size

    def __call__(self, x):
        return self.value(self.number, x.ctypes.data_as(DOUBLES), self.size)

    def start(self, number=0):
        x = np.empty(self.size)
        self.write_start(self.number, self.size, ctypes.c_int64(number), x.ctypes.data_as(DOUBLES))
        return x


def by_scipy(problem, start, options, adaptive):
    found = scipy.optimize.minimize(problem, start, method="Nelder-Mead", options={
        "xatol": options.tolerance, "fatol": options.tolerance, "maxiter": options.evaluations,
        "maxfev": options.evaluations, "adaptive": adaptive})
    return found.nfev, float(found.fun)


def by_nlopt(problem, start, options):
    solver = nlopt.opt(nlopt.LN_NELDERMEAD, problem.size)
    solver.set_min_objective(lambda x, _: problem(x))
    solver.set_xtol_abs(options.tolerance)
    solver.set_maxeval(options.evaluations)
    solver.optimize(start)
    return solver.get_numevals(), solver.last_optimum_value()


SOLVERS = {"SciPy original": lambda *task: by_scipy(*task, adaptive=False),
           "SciPy adaptive": lambda *task: by_scipy(*task, adaptive=True), "NLopt": by_nlopt}


def report(options):
    library, one, many = ctypes.CDLL(options.library), [], []
    for task in options.one:
        problem = Problem(library, *map(int, task.split("/")))
        for name, solve in SOLVERS.items():
            evaluations, value = solve(problem, problem.start(), options)
            one.append({"task": task, "solver": name, "evaluations": evaluations, "value": value})
    for task in options.many:
        problem = Problem(library, *map(int, task.split("/")))
        starts = [problem.start(number) for number in range(options.simplices)]
        for name in ("SciPy original", "NLopt"):
            seconds, found = timed(lambda: [SOLVERS[name](problem, start, options) for start in starts])
            many.append({"task": task, "solver": name, "seconds": seconds,
                         "evaluations": sum(evaluations for evaluations, _ in found)})
    return {"one": one, "many": many, "context": context(
        scipy=scipy.__version__, numpy=np.__version__,
        nlopt=f"{nlopt.version_major()}.{nlopt.version_minor()}.{nlopt.version_bugfix()}")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--one", nargs="*", default=[], metavar="P/N", help="problems to run from one start")
    parser.add_argument("--many", nargs="*", default=[], metavar="P/N", help="problems to run from many starts")
    parser.add_argument("--tolerance", type=float, default=1e-10)
    parser.add_argument("--evaluations", type=int, default=100_000)
    parser.add_argument("--simplices", type=int, default=1000)
    print(json.dumps(report(parser.parse_args()), indent=2))


if __name__ == "__main__":
    main()
