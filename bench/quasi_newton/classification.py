# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The instances of bench_quasi_newton and their objective, 1/N Σ ln(1 + e^(x_iᵀw)) − z_i x_iᵀw, for its peers."""
import argparse
import pathlib

import numpy as np

from bench.harness.measuring import peak_mib

MOST_NUMBERS = 10**8  # largest number of entries in a part of the rows


class Instance:
    """What bench_quasi_newton --write-instance DIR has written: features as bytes, labels 0 or 1, and the rule behind
    the labels."""

    def __init__(self, folder):
        self.labels = np.load(folder / "labels.npy").reshape(-1)
        self.rule = np.load(folder / "rule.npy").reshape(-1)
        words = np.load(folder / "features.npy").view("<u8")  # 64 features in each word, the first in the lowest bit
        self.rows, self.size = len(self.labels), len(self.rule)
        self.features = np.unpackbits(words.view(np.uint8), axis=1, count=self.size, bitorder="little")

    def parts(self):
        """Slices of the rows."""
        step = max(1, MOST_NUMBERS // self.size)
        return [slice(first, first + step) for first in range(0, self.rows, step)]

    def features_as(self, real):
        """All features as numbers of this type."""
        features = np.empty(self.features.shape, real)
        for part in self.parts():
            features[part] = self.features[part]
        return features

    def objective(self, w):
        """Over all rows."""
        total = 0.0
        for part in self.parts():
            margins = self.features[part].astype(float) @ w
            total += (np.logaddexp(0, margins) - self.labels[part] * margins).sum()
        return float(total / self.rows)


def stochastic_arguments(description):
    """Of a peer of the stochastic method."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instance", type=pathlib.Path, metavar="DIR", required=True)
    parser.add_argument("--batch", type=int, default=50)
    parser.add_argument("--hessian-batch", type=int, default=300)
    parser.add_argument("--memory", type=int, default=25)
    parser.add_argument("--interval", type=int, default=10, help="iterations between two pairs")
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--beta", type=float, nargs="+", default=[2.0], help="the first that does not diverge counts")
    parser.add_argument("--precision", choices=["float32", "float64"], default="float32")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def stochastic_report(options, instance, run, **more):
    """Runs `run`(β), which gives seconds and w, with the first β at which w ends below the start, and then again and
    again."""
    start = instance.objective(np.zeros(instance.size))
    for beta in options.beta:
        _, w = run(beta)  # touches the memory, and does not count
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
