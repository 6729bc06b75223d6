#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs L-BFGS of SciPy or of scikit-learn's LogisticRegression on an instance of bench_quasi_newton, in double precision.

  lbfgs_peers.py scipy|sklearn --instance DIR    prints a report as JSON; the exit status is 77 if it is not installed

NumPy computes the products with the features. Like Sporos, SciPy stops when the Euclidean norm of the gradient is at most the
tolerance. scikit-learn stops earlier, when no entry exceeds the tolerance. It stores ten pairs, and does not report the number
of evaluations.
"""
import argparse
import json
import pathlib
import sys

try:
    import numpy as np
    import scipy.optimize
    import scipy.special
except ImportError as missing:
    print(f"lbfgs_peers.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from classification import Instance  # noqa: E402
from bench.harness.measuring import context, peak_mib, timed  # noqa: E402

MAX_ITERATIONS = 100_000


class Logistic:
    """Objective and gradient over all rows, with the number of evaluations."""

    def __init__(self, features, labels):
        self.features, self.labels, self.evaluations = features, labels, 0
        self.gradient_norm = np.inf  # at the last evaluation

    def __call__(self, w):
        self.evaluations += 1
        margins = self.features @ w
        value = (np.logaddexp(0, margins) - self.labels * margins).mean()
        gradient = (scipy.special.expit(margins) - self.labels) @ self.features / len(self.labels)
        self.gradient_norm = np.linalg.norm(gradient)
        return value, gradient


def by_scipy(features, labels, options):
    problem = Logistic(features, labels)

    def stop_at_tolerance(intermediate_result):
        if problem.gradient_norm <= options.tolerance:
            raise StopIteration

    found = scipy.optimize.minimize(
        problem, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B", callback=stop_at_tolerance,
        options={"maxcor": options.memory, "ftol": 0, "gtol": 0, "maxiter": MAX_ITERATIONS, "maxfun": MAX_ITERATIONS})
    return found.x, {"steps": int(found.nit), "evaluations": problem.evaluations}


def by_sklearn(features, labels, options):
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=np.inf, solver="lbfgs", fit_intercept=False, tol=options.tolerance,
                               max_iter=MAX_ITERATIONS)
    model.fit(features, labels)
    return model.coef_[0], {"steps": int(model.n_iter_[0]), "evaluations": None}


def report(options):
    instance = Instance(options.instance)
    features = instance.features_as(float)
    solve, seconds = {"scipy": by_scipy, "sklearn": by_sklearn}[options.solver], []
    for _ in range(options.repeats):
        took, (w, counts) = timed(lambda: solve(features, instance.labels, options))
        seconds.append(took)
    peak = peak_mib()
    at_end = Logistic(features, instance.labels)
    at_end(w)
    return counts | {"size": instance.size, "seconds": seconds, "objective": instance.objective(w), "peak_MiB": peak,
                     "gradient_norm": at_end.gradient_norm,
                     "context": context(numpy=np.__version__, scipy=scipy.__version__)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("solver", choices=["scipy", "sklearn"])
    parser.add_argument("--instance", type=pathlib.Path, metavar="DIR", required=True)
    parser.add_argument("--memory", type=int, default=25)
    parser.add_argument("--tolerance", type=float, default=1e-6, help="tolerance of the gradient")
    parser.add_argument("--repeats", type=int, default=1)
    options = parser.parse_args()
    try:
        print(json.dumps(report(options), indent=2))
    except ImportError as missing:
        print(f"lbfgs_peers.py: skipped, {missing}", file=sys.stderr)
        sys.exit(77)


if __name__ == "__main__":
    main()
