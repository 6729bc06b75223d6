#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the stochastic quasi-Newton method of stochQN, a peer of bench_quasi_newton, on an instance that it has written.

  stochqn_peer.py --instance DIR [--precision float64]    prints a report as JSON; the exit status is 77 if stochQN is not
                                                            installed

stochQN runs its C code; NumPy computes gradients and Hessian-vector products. Pre-generated rows and features stored as
numbers are fastest. The shorter time of one thread and all threads counts.
"""
import json
import os
import pathlib
import sys
import types

# The __init__ of the package also loads a classifier, which requires functions that scikit-learn no longer has.
sys.modules["stochqn._logistic"] = types.ModuleType("stochqn._logistic")
sys.modules["stochqn._logistic"].StochasticLogisticRegression = None
try:
    import numpy as np
    import scipy.special
    import stochqn
except ImportError as missing:
    print(f"stochqn_peer.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from classification import Instance, stochastic_arguments, stochastic_report  # noqa: E402
from bench.harness.measuring import context, timed  # noqa: E402


class Classification:
    """Gradients and Hessian-vector products over the chosen rows."""

    def __init__(self, features, labels):
        self.features, self.labels = features, labels

    def gradient(self, w, chosen):
        x = self.features[chosen]
        return (scipy.special.expit(x @ w) - self.labels[chosen]) @ x / x.dtype.type(len(chosen))

    def hessian_product(self, w, v, chosen):
        x = self.features[chosen]
        c = scipy.special.expit(x @ w)
        return (c * (1 - c) * (x @ v)) @ x / x.dtype.type(len(chosen))


def minimize(problem, options, rows, beta, threads, size, real):
    """Runs all iterations and returns w."""
    draw = np.random.default_rng(options.seed)
    batches = draw.integers(0, rows, (options.iterations, options.batch))
    hessian_batches = draw.integers(0, rows, (options.iterations // options.interval, options.hessian_batch))
    optimizer = stochqn.SQN_free(mem_size=options.memory, bfgs_upd_freq=options.interval, min_curvature=None,
                                 nthreads=threads, use_float=real == np.float32)
    w, iteration, pair = np.zeros(size, real), 0, 0
    request = optimizer.run_optimizer(w, beta)
    while True:
        if request["task"] == "calc_hess_vec":
            optimizer.update_hess_vec(problem.hessian_product(*request["requested_on"], hessian_batches[pair]))
            pair += 1
        else:
            if iteration == options.iterations:
                return w.astype(float)
            optimizer.update_gradient(problem.gradient(request["requested_on"], batches[iteration]))
            iteration += 1
        request = optimizer.run_optimizer(w, beta / iteration)


def report(options):
    real = {"float32": np.float32, "float64": np.float64}[options.precision]
    instance = Instance(options.instance)
    problem = Classification(instance.features_as(real), instance.labels.astype(real))

    def run(beta):
        return min((timed(lambda: minimize(problem, options, instance.rows, beta, threads, instance.size, real))
                    for threads in {1, len(os.sched_getaffinity(0))}), key=lambda found: found[0])

    return stochastic_report(options, instance, run, data_MiB=problem.features.nbytes / 2**20,
                             context=context(stochqn="0.2.8.2", numpy=np.__version__))


def main():
    print(json.dumps(report(stochastic_arguments(__doc__).parse_args()), indent=2))


if __name__ == "__main__":
    main()
