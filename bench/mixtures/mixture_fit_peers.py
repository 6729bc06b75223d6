#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits normal mixtures of k components by scikit-learn's EM or SciPy's Nelder–Mead, as peers of paper_000_table_1.

  mixture_fit_peers.py sklearn --data CSV [--copies 4] --components K [--starts 20] [--tolerance 1e-3] [--iterations 100]
  mixture_fit_peers.py scipy   --data CSV [--copies 4] --components K --report JSON [--evaluations 20000]

The sample is the only column of the file, with --copies of each number. The script prints a report as JSON, with seconds,
final L and number of evaluations of the likelihood. The exit status is 77 if the library is not installed.

Each start of scikit-learn is a separate GaussianMixture, which shows its result; n_init would do the same in one call. No
start begins after --limit seconds. SciPy uses start, coordinates and first simplex of the run in the program's report.
"""
import argparse
import csv
import json
import pathlib
import sys
import warnings

try:
    import numpy as np
except ImportError as missing:
    print(f"mixture_fit_peers.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.measuring import context, timed  # noqa: E402
from mixture_peers import BLOCK, numpy_value  # noqa: E402

EDGE = 0.25  # edge length of the first simplex, as in procedures/mixture_fit.hpp
SIZE_TOLERANCE, VALUE_TOLERANCE = 1e-4, 1e-9  # convergence tolerances of that file


def sample_of(options):
    with options.data.open() as file:
        values = [float(row[0]) for row in list(csv.reader(file))[1:]]
    return np.tile(np.array(values), options.copies)


class Likelihood:
    """Log-likelihood L of mixtures, computed for blocks of the sample that fit into the cache."""

    def __init__(self, sample):
        self.blocks = [sample[first : first + BLOCK] for first in range(0, len(sample), BLOCK)]

    def __call__(self, weights, means, deviations):
        with np.errstate(divide="ignore"):  # for components with zero weight, and observations with zero density
            parameters = np.log(weights), means, np.log(deviations)
            return float(sum(numpy_value(parameters, block, False)[0] for block in self.blocks))


# Fits by scikit-learn.


def fitted_by_sklearn(sample, options):
    import sklearn
    from sklearn.mixture import GaussianMixture

    warnings.simplefilter("ignore")  # no warnings about starts that have not converged; the report contains this
    rows, likelihood, starts, total = sample[:, None], Likelihood(sample), [], 0
    for start in range(options.starts):
        if total > options.limit:
            break
        mixture = GaussianMixture(options.components, init_params="k-means++", tol=options.tolerance,
                                  max_iter=options.iterations, random_state=1000 * options.seed + start)
        seconds, _ = timed(lambda: mixture.fit(rows))
        total += seconds
        value = likelihood(mixture.weights_, mixture.means_[:, 0], np.sqrt(mixture.covariances_[:, 0, 0]))
        starts.append({"seconds": seconds, "log_likelihood": value, "evaluations": mixture.n_iter_,
                       "has_converged": bool(mixture.converged_)})
    return {"starts": starts, "context": context(sklearn=sklearn.__version__, numpy=np.__version__)}


# Fits by SciPy.


class Coordinates:
    """Maps mixtures to points of an unbounded space, as the C++ class MixtureCoordinates does."""

    def __init__(self, fit, components):
        self.k, self.center, self.scale, self.floor = components, fit["sample"]["mean"], fit["sample"]["deviation"], fit["floor"]

    def mixture(self, x):
        logs = np.append(x[: self.k - 1], 0.0)
        weights = np.exp(logs - logs.max())
        return (weights / weights.sum(), self.center + self.scale * x[self.k - 1 : 2 * self.k - 1],
                self.floor + self.scale * np.exp(x[2 * self.k - 1 :]))

    def of(self, weights, means, deviations):
        return np.concatenate([np.log(weights[:-1] / weights[-1]), (means - self.center) / self.scale,
                               np.log((deviations - self.floor) / self.scale)])


def numbers_of(mixture):
    """Returns the weights, means and deviations of a mixture."""
    return [np.array([component[name] for component in mixture]) for name in ("weight", "mean", "deviation")]


def fitted_by_scipy(sample, options):
    import scipy
    from scipy.optimize import minimize

    run = next(run for run in json.loads(options.report.read_text())["runs"] if run["method"].startswith("Nelder"))
    sizes = run["fit"]["sizes"]
    place = next(i for i, size in enumerate(sizes) if size["components"] == options.components)
    likelihood, coordinates = Likelihood(sample), Coordinates(run["fit"], options.components)
    start = coordinates.of(*numbers_of(run["first_starts"][place]))
    simplex = np.vstack([start, start + EDGE * np.eye(len(start))])
    seconds, found = timed(lambda: minimize(
        lambda x: -likelihood(*coordinates.mixture(x)) / len(sample), start, method="Nelder-Mead",
        options={"adaptive": len(start) > 1, "initial_simplex": simplex, "xatol": SIZE_TOLERANCE,
                 "fatol": VALUE_TOLERANCE, "maxfev": options.evaluations, "maxiter": options.evaluations}))
    return {"seconds": seconds, "log_likelihood": -found.fun * len(sample), "evaluations": found.nfev,
            "has_converged": bool(found.success),
            "error": abs(likelihood(*numbers_of(sizes[place]["mixture"])) / sizes[place]["log_likelihood"] - 1),
            "context": context(scipy=scipy.__version__, numpy=np.__version__)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=["sklearn", "scipy"])
    parser.add_argument("--data", type=pathlib.Path, required=True, metavar="CSV")
    parser.add_argument("--copies", type=int, default=4)
    parser.add_argument("--components", type=int, required=True, metavar="K")
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--limit", type=float, default=float("inf"), help="time limit for starts in seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=pathlib.Path, metavar="JSON")
    parser.add_argument("--evaluations", type=int, default=20000)
    options = parser.parse_args()
    try:
        fitted = {"sklearn": fitted_by_sklearn, "scipy": fitted_by_scipy}[options.library]
        print(json.dumps(fitted(sample_of(options), options)))
    except ImportError as missing:
        print(f"mixture_fit_peers.py: skipped, {missing}", file=sys.stderr)
        sys.exit(77)


if __name__ == "__main__":
    main()
