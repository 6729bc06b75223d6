# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instances of bench_quasi_newton for its peers, with the objective 1/N Σ ln(1 + e^(x_iᵀw)) − z_i x_iᵀw."""
import argparse
import pathlib

import numpy as np

from bench.harness.measuring import peak_mib

MAX_ENTRIES = 10**8  # maximum number of entries in a part of the rows


class Instance:
    """The instance that bench_quasi_newton --write-instance DIR has written.

    It has features as bytes, labels 0 or 1, and the rule that generated the labels.
    """

    def __init__(self, folder):
        self.labels = np.load(folder / "labels.npy").reshape(-1)
        self.rule = np.load(folder / "rule.npy").reshape(-1)
        words = np.load(folder / "features.npy").view("<u8")  # 64 features in each word, the first in the lowest bit
        self.rows, self.size = len(self.labels), len(self.rule)
        self.features = np.unpackbits(words.view(np.uint8), axis=1, count=self.size, bitorder="little")

    def parts(self):
        """Returns slices of the rows, each with at most MAX_ENTRIES entries."""
        step = max(1, MAX_ENTRIES // self.size)
        return [slice(first, first + step) for first in range(0, self.rows, step)]

    def features_as(self, real):
        """Returns all features as numbers of type `real`."""
        features = np.empty(self.features.shape, real)
        for part in self.parts():
            features[part] = self.features[part]
        return features

    def objective(self, w):
        """Returns the objective over all rows."""
        total = 0.0
        for part in self.parts():
            margins = self.features[part].astype(float) @ w
            total += (np.logaddexp(0, margins) - self.labels[part] * margins).sum()
        return float(total / self.rows)


def stochastic_arguments(description):
    """Returns a parser with the arguments of all peers of the stochastic method."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instance", type=pathlib.Path, metavar="DIR", required=True)
    parser.add_argument("--batch", type=int, default=50)
    parser.add_argument("--hessian-batch", type=int, default=300)
    parser.add_argument("--memory", type=int, default=25)
    parser.add_argument("--interval", type=int, default=10, help="iterations between two pairs")
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--beta", type=float, nargs="+", default=[2.0], help="step sizes β, of which the first that does not diverge counts")
    parser.add_argument("--precision", choices=["float32", "float64"], default="float32")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def stochastic_report(options, instance, run, **more):
    """Runs `run(β)` --repeats times and returns the report.

    `run(β)` returns seconds and w. β is the first one for which the objective at w is less than at the start.
    """
    start = instance.objective(np.zeros(instance.size))
    for beta in options.beta:
        _, w = run(beta)  # a warm-up that touches the memory
        value = instance.objective(w)
        if value < start:
            break
    runs = [run(beta) for _ in range(options.repeats)]
    return {
        "size": instance.size, "rows": instance.rows, "precision": options.precision, "beta": beta,
        "diverged_with": options.beta[: options.beta.index(beta)],
        "seconds": [seconds for seconds, _ in runs], "peak_MiB": peak_mib(),
        "seconds_per_iteration": min(seconds for seconds, _ in runs) / options.iterations,
        "objective": value if value < start else None, **more,
    }
