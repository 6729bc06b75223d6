#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stochastic quasi-Newton for logistic classification in JAX, the peer of bench_quasi_newton (He et al. 2024).

  jax_peer.py --instance DIR [--precision float64] [--features byte] [--platform cuda]
                                  prints a report as JSON; the exit status is 77 if JAX is not installed

bench_quasi_newton writes the instance. The method is that of Algorithms 3 and 4: Iteration k = 1, 2, … takes the step β/k
along H g, starting at 0. The two-loop recursion computes H g from the last M pairs, of which there is one every L iterations.
All iterations are one compiled program: the first 2 L use plain gradients, then a lax.scan runs over spans of L iterations
that end with a pair.

These implementations were compared, in µs per iteration, for float32 and b_H = 300 (JAX 0.10.2, two cores of an EPYC, minimum
of eleven runs):

                                                                                     n = 50    500   1000
  rows of all iterations pre-generated, pairs in a ring buffer (default), features real 9.2     42     83
                                                                     features bytes    10.4     40     70
  rows pre-generated, pairs in order, the oldest shifted out,        features real      8.6     42     83
                                                                     features bytes     9.1     37     72
  loops over pairs unrolled by five, ring buffer or in order                    14.8, 12.9 57, 50 98, 92
  rows drawn in every iteration                                                          16     51     90
"""
import json
import pathlib
import sys

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax, random
except ImportError as missing:
    print(f"jax_peer.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from classification import Instance, stochastic_arguments, stochastic_report  # noqa: E402
from bench.harness.measuring import context, timed, warm_clocks  # noqa: E402


class Classification:
    """Gradients and Hessian-vector products over the chosen rows."""

    def __init__(self, features, labels, real):
        self.features, self.labels, self.real = features, labels, real

    def rows(self, chosen):
        return self.features[chosen].astype(self.real), self.labels[chosen]

    def gradient(self, w, chosen):
        x, z = self.rows(chosen)
        return (jax.nn.sigmoid(x @ w) - z) @ x / len(chosen)

    def hessian_product(self, w, v, chosen):
        x, _ = self.rows(chosen)
        c = jax.nn.sigmoid(x @ w)
        return (c * (1 - c) * (x @ v)) @ x / len(chosen)


def sum_of_losses(w, features, labels):
    margins = features.astype(w.dtype) @ w
    return jnp.sum(jnp.logaddexp(0, margins) - labels * margins)


def two_loop(g, steps, changes, scales, count):
    """Returns H g for the pairs (s, y) in a ring buffer of M pairs, the newest at (count − 1) mod M.

    The scales are 1 / sᵀy, and 0 for empty places.
    """
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


def program(options, instance, real):
    """Returns all iterations as one function of β, w, a key and the data.

    The data are arguments, because otherwise they would be constants of the program.
    """
    span, memory, rows = options.interval, options.memory, instance.rows
    count = options.iterations // span

    def run(beta, w, key, features, labels):
        problem = Classification(features, labels, real)

        def spans(w, first, chosen, direction):
            """Runs L iterations from number `first`, counted from 1. Returns the last point and the mean of the points."""
            def iteration(w, k_and_chosen):
                k, chosen = k_and_chosen
                return w - beta / k * direction(problem.gradient(w, chosen)), w

            w, visited = lax.scan(iteration, w, ((first + jnp.arange(span)).astype(real), chosen))
            return w, visited.mean(0)

        def pair(mean, before, chosen, steps, changes, scales, stored):
            s = mean - before
            y = problem.hessian_product(mean, s, chosen)
            at = stored % memory
            return steps.at[at].set(s), changes.at[at].set(y), scales.at[at].set(1 / (s @ y)), stored + 1

        gradient_key, hessian_key = random.split(key)
        batches = random.randint(gradient_key, (count, span, options.batch), 0, rows, jnp.int32)
        hessian_batches = random.randint(hessian_key, (count, options.hessian_batch), 0, rows, jnp.int32)
        w, before = spans(w, 1, batches[0], lambda g: g)
        w, mean = spans(w, 1 + span, batches[1], lambda g: g)
        empty = jnp.zeros((memory, instance.size), real)
        memories = pair(mean, before, hessian_batches[1], empty, empty, jnp.zeros(memory, real), 0)

        def body(carry, number_and_rows):
            w, before, *memories = carry
            number, batches, hessian_batch = number_and_rows
            w, mean = spans(w, 1 + number * span, batches, lambda g: two_loop(g, *memories))
            return (w, mean, *pair(mean, before, hessian_batch, *memories)), None

        (w, *_), _ = lax.scan(body, (w, mean, *memories), (jnp.arange(2, count), batches[2:], hessian_batches[2:]))
        return w

    return jax.jit(run)


def report(options):
    real = {"float32": np.float32, "float64": np.float64}[options.precision]
    instance = Instance(options.instance)
    kept = {"byte": instance.features, "real": None}[options.features]
    data = jnp.asarray(instance.features_as(real) if kept is None else kept), jnp.asarray(instance.labels, real)
    key, start = random.key(options.seed), jnp.zeros(instance.size, real)
    compile_seconds, compiled = timed(program(options, instance, real).lower(real(2), start, key, *data).compile)
    warm_clocks(jax)

    def run(beta):
        seconds, w = timed(lambda: jax.block_until_ready(compiled(real(beta), start, key, *data)))
        return seconds, np.asarray(w, float)

    found = stochastic_report(options, instance, run, features=options.features, compile_seconds=compile_seconds,
                              data_MiB=data[0].nbytes / 2**20,
                              context=context(jax=jax.__version__, device=jax.devices()[0].device_kind))
    rule, losses = jnp.asarray(instance.rule, real), jax.jit(sum_of_losses)
    at_rule = sum(float(losses(rule, data[0][part], data[1][part])) for part in instance.parts()) / instance.rows
    return found | {"objective_at_rule": at_rule}


def main():
    parser = stochastic_arguments(__doc__)
    parser.add_argument("--features", choices=["byte", "real"], default="real", help="data type of the stored features")
    parser.add_argument("--platform", choices=["cpu", "cuda"], default="cpu")
    options = parser.parse_args()
    jax.config.update("jax_platforms", options.platform)
    jax.config.update("jax_enable_x64", True)  # every array has an explicit type
    jax.config.update("jax_default_matmul_precision", "highest")  # full float32, where a GPU would use fewer bits
    if options.iterations % options.interval or options.iterations < 3 * options.interval:
        parser.error(f"--iterations is {options.iterations}, expected a multiple of --interval, at least three times --interval")
    print(json.dumps(report(options), indent=2))


if __name__ == "__main__":
    main()
