#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stochastic quasi-Newton (paper 004, Algorithms 3 and 4) for logistic classification in JAX on the CPU, the peer of
ours.

  quasi_newton.py --size N [--rows R] [--batch B] [--hessian-batch H]    writes one report as JSON on standard output;
                                                                         exits 77 where JAX is not installed

min 1/R Σ log(1 + e^(x_iᵀw)) − z_i x_iᵀw over w, from 0: binary features, labels of a random linear rule, 10 % of them
turned round. Iteration k, from 1, takes the step β/k along H g; H is that of the last M pairs by the two-loop recursion, of which
there is one every L iterations. All iterations are one compiled program: the first 2 L of plain gradients, then a lax.scan
over spans of L iterations that end with a pair.
"""
import argparse
import json
import os
import pathlib
import platform
import resource
import sys
import time

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax, random
except ImportError as missing:
    print(f"quasi_newton.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)


def generated(size, rows, seed):
    """Features as bytes, labels 0 or 1."""
    draw = np.random.default_rng(seed)
    features = draw.integers(0, 2, (rows, size), dtype=np.uint8)
    rule = draw.uniform(-1, 1, size).astype(np.float32)
    scores = np.concatenate([part @ rule for part in np.array_split(features, max(1, rows * size // 10**8))])
    labels = (scores > np.median(scores)).astype(np.uint8)
    return features, labels ^ (draw.random(rows) < 0.1)


class Classification:
    """Gradients and products with the Hessian over rows that a key names."""

    def __init__(self, features, labels, options, real):
        self.features, self.labels, self.options, self.real = features, labels, options, real

    def rows(self, key, count):
        chosen = random.randint(key, (count,), 0, self.features.shape[0])
        return self.features[chosen].astype(self.real), self.labels[chosen]

    def gradient(self, w, key):
        x, z = self.rows(key, self.options.batch)
        return (jax.nn.sigmoid(x @ w) - z) @ x / self.options.batch

    def hessian_product(self, w, v, key):
        x, _ = self.rows(key, self.options.hessian_batch)
        c = jax.nn.sigmoid(x @ w)
        return (c * (1 - c) * (x @ v)) @ x / self.options.hessian_batch


def two_loop(g, steps, changes, scales, count):
    """H g for the pairs (s, y) in a ring of M, the newest at (count − 1) mod M; scales are 1 / sᵀy, 0 where none is."""
    memory = steps.shape[0]
    newest = (count - 1) % memory

    def back(i, q_and_a):
        q, a = q_and_a
        j = (newest - i) % memory
        alpha = scales[j] * (steps[j] @ q)
        return q - alpha * changes[j], a.at[j].set(alpha)

    q, a = lax.fori_loop(0, memory, back, (g, jnp.zeros(memory, g.dtype)))
    y = changes[newest]
    r = q / (scales[newest] * (y @ y))

    def forth(i, r):
        j = (newest - memory + 1 + i) % memory
        return r + steps[j] * (a[j] - scales[j] * (changes[j] @ r))

    return lax.fori_loop(0, memory, forth, r)


def program(options, real):
    """All iterations as one function of w, a key, and the data, which would otherwise be constants of the program."""
    span, memory, size = options.interval, options.memory, options.size

    def spans(problem, w, key, first, direction):
        """L iterations from `first`, counted from 1, and the mean of their points."""
        def iteration(w, k_and_key):
            k, key = k_and_key
            return w - (options.beta / k).astype(real) * direction(problem.gradient(w, key)), w

        ks = (first + jnp.arange(span)).astype(real)
        w, visited = lax.scan(iteration, w, (ks, random.split(key, span)))
        return w, visited.mean(0)

    def pair(problem, mean, before, key, steps, changes, scales, count):
        s = mean - before
        y = problem.hessian_product(mean, s, key)
        at = count % memory
        return steps.at[at].set(s), changes.at[at].set(y), scales.at[at].set(1 / (s @ y)), count + 1

    def run(w, key, features, labels):
        problem = Classification(features, labels, options, real)
        keys = random.split(key, options.iterations // span * 2).reshape(-1, 2)
        w, before = spans(problem, w, keys[0, 0], 1, lambda g: g)
        w, mean = spans(problem, w, keys[1, 0], 1 + span, lambda g: g)
        empty = jnp.zeros((memory, size), real)
        memories = pair(problem, mean, before, keys[1, 1], empty, empty, jnp.zeros(memory, real), 0)

        def body(carry, number_and_keys):
            w, before, *memories = carry
            number, keys = number_and_keys
            w, mean = spans(problem, w, keys[0], 1 + number * span, lambda g: two_loop(g, *memories))
            return (w, mean, *pair(problem, mean, before, keys[1], *memories)), None

        numbers = jnp.arange(2, options.iterations // span)
        (w, *_), _ = lax.scan(body, (w, mean, *memories), (numbers, keys[2:]))
        return w

    return jax.jit(run)


def objective(features, labels, w):
    """Over all rows, in parts."""
    total = 0.0
    for x, z in zip(*(np.array_split(of, max(1, features.size // 10**8)) for of in (features, labels))):
        margins = x @ w
        total += (np.logaddexp(0, margins) - z * margins).sum()
    return float(total / len(labels))


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines() if sys.platform == "linux" else []
    return next((line.split(": ")[1] for line in lines if line.startswith("model name")), platform.machine())


def report(options):
    real = {"float32": np.float32, "float64": np.float64}[options.precision]
    features, labels = generated(options.size, options.rows, options.seed)
    kept = {"byte": jnp.uint8, "real": real}[options.features]
    data = jnp.asarray(features, kept), jnp.asarray(labels, real)
    key, start = random.key(options.seed), jnp.zeros(options.size, real)
    before = time.perf_counter()
    compiled = program(options, real).lower(start, key, *data).compile()
    compile_seconds, seconds = time.perf_counter() - before, []
    for _ in range(options.repeats + 1):  # the first run touches the memory, and does not count
        before = time.perf_counter()
        w = jax.block_until_ready(compiled(start, key, *data))
        seconds.append(time.perf_counter() - before)
    w = np.asarray(w, float)
    return {
        "name": f"classification/jax/{options.size}", "rows": options.rows, "batch": options.batch,
        "hessian_batch": options.hessian_batch, "iterations": options.iterations, "precision": options.precision,
        "features": options.features, "compile_seconds": compile_seconds, "seconds": seconds[1:],
        "seconds_per_iteration": min(seconds[1:]) / options.iterations,
        "peak_MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "data_MiB": data[0].nbytes / 2**20,
        "objective": objective(features, labels, w) if np.isfinite(w).all() else None,
        "context": {"jax": jax.__version__, "python": platform.python_version(), "processor": processor(),
                    "cores": len(os.sched_getaffinity(0))},
    }


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=500, help="features")
    parser.add_argument("--rows", type=int, help="30 times the size where it is not given")
    parser.add_argument("--batch", type=int, default=50)
    parser.add_argument("--hessian-batch", type=int, default=300)
    parser.add_argument("--memory", type=int, default=25)
    parser.add_argument("--interval", type=int, default=10, help="iterations between two pairs")
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--beta", type=float, default=2.0)
    parser.add_argument("--precision", choices=["float32", "float64"], default="float32")
    parser.add_argument("--features", choices=["byte", "real"], default="real", help="how they are kept")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.rows = options.rows or 30 * options.size
    if options.iterations % options.interval or options.iterations < 3 * options.interval:
        parser.error(f"--iterations is {options.iterations}, expected a multiple of --interval, at least three of it")
    return options


def main():
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_enable_x64", True)  # every array has its type given
    print(json.dumps(report(arguments()), indent=2))


if __name__ == "__main__":
    main()
