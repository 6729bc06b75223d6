#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Log-likelihood of normal mixtures and its gradient by ln w, μ and ln σ in JAX, NumPy and scikit-learn.

They are peers of bench_mixtures, which writes the instance. JAX runs on the CPU or a GPU.

  mixture_peers.py jax --instance DIR [--precision float32] [--forms TASK=FORM...]     prints a report as JSON; the exit
  mixture_peers.py numpy | sklearn …                                                   status is 77 if it is not installed

The report has the seconds per evaluation for each task and each of its forms, one number per repeat, and the error. Tasks are
value and gradient, each in three variants: single waits for every evaluation, queued (on a GPU) waits only for the last of
many, and batch evaluates many mixtures at once. Forms of JAX are those of MixtureForms, for a batch with the method of
batching.
"""
import argparse
import json
import os
import pathlib
import sys

try:
    import numpy as np
except ImportError as missing:
    print(f"mixture_peers.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.measuring import context, peak_mib, timed, warm_clocks  # noqa: E402

HALF_LN_2PI = 0.5 * np.log(2 * np.pi)
BLOCK = 2048  # observations in a block that fits into the cache
QUEUE = 256  # number of evaluations dispatched before waiting for one
ROWS = 4  # rows of observations: JAX adds the numbers of a row sequentially, but processes rows in parallel


class Instance:
    """The instance that bench_mixtures --write-instance DIR has written."""

    def __init__(self, folder, real):
        numbers = {name: np.load(folder / f"{name}.npy") for name in ("observations", "mixtures", "values", "gradients")}
        self.observations = numbers["observations"].reshape(-1).astype(real)
        self.weights, self.means, self.deviations = np.split(numbers["mixtures"], 3, axis=1)
        self.values, self.gradients = numbers["values"].reshape(-1), numbers["gradients"]
        self.size, self.real = len(self.observations), real

    def parameters(self):
        """Returns ln w, μ and ln σ, with a row for each mixture."""
        return [part.astype(self.real) for part in (np.log(self.weights), self.means, np.log(self.deviations))]


def largest_error(found, expected):
    """Returns the largest error, relative to the largest expected number."""
    found = np.asarray(found, float).reshape(-1)
    expected = expected.reshape(-1)[: len(found)]
    return float(np.abs(found - expected).max() / np.abs(expected).max())


# Forms in JAX.


class MixtureForms:
    """Implementations of L as functions of (ln w, μ, ln σ) and the observations."""

    def __init__(self, jax):
        self.jax, self.jnp = jax, jax.numpy

    def all(self):
        return {"logsumexp": self.logsumexp, "sum of exp": self.plain, "loop": self.loop(self.jnp.sum),
                "loop, summed in rows": self.loop(lambda logs: self.jnp.sum(self.jnp.sum(logs.reshape(ROWS, -1), axis=0))),
                "loop, summed by a product": self.loop(lambda logs: self.jnp.dot(logs, self.jnp.ones_like(logs)))}

    def logsumexp(self, parameters, y):
        """Returns L in the most common implementation."""
        weights, means, deviations = parameters
        z = (y[:, None] - means) * self.jnp.exp(-deviations)
        logs = self.jax.scipy.special.logsumexp(weights - deviations - 0.5 * z * z, axis=1)
        return self.jnp.sum(logs) - y.size * y.dtype.type(HALF_LN_2PI)

    def plain(self, parameters, y):
        weights, means, deviations = parameters
        z = (y[:, None] - means) * self.jnp.exp(-deviations)
        logs = self.jnp.log(self.jnp.sum(self.jnp.exp(weights - deviations - 0.5 * z * z), axis=1))
        return self.jnp.sum(logs) - y.size * y.dtype.type(HALF_LN_2PI)

    def loop(self, total):
        """Returns a function that computes L by a loop over components, without an array over observations × components.

        `total` computes the sum over the observations.
        """
        def value(parameters, y):
            weights, means, deviations = parameters
            scales = self.jnp.exp(-deviations) * y.dtype.type(np.sqrt(0.5))
            density = 0
            for c in range(len(means)):
                z = (y - means[c]) * scales[c]
                density = density + self.jnp.exp(weights[c] - deviations[c] - z * z)
            return total(self.jnp.log(density)) - y.size * y.dtype.type(HALF_LN_2PI)

        return value


def jax_forms(instance, platform):
    """Returns functions without arguments that compute L or gradients, by task and form."""
    cores = len(os.sched_getaffinity(0)) if platform == "cpu" else 1
    if platform == "cpu":
        os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={cores}"
    import jax
    from jax.sharding import PartitionSpec

    jax.config.update("jax_platforms", platform)
    jax.config.update("jax_enable_x64", True)  # every array has an explicit type
    jax.config.update("jax_default_matmul_precision", "highest")  # otherwise a GPU rounds to 10 bits
    if len(instance.values) % cores:
        sys.exit(f"mixture_peers.py: the number of mixtures is {len(instance.values)}, expected a multiple of the {cores} cores")
    warm_clocks(jax)
    mesh = jax.make_mesh((cores,), ("cores",))
    y, batch = jax.numpy.asarray(instance.observations), [jax.numpy.asarray(part) for part in instance.parameters()]
    first = [part[0] for part in batch]
    on_cores = [jax.device_put(of, jax.sharding.NamedSharding(mesh, spec))
                for of, spec in ((batch, PartitionSpec("cores")), (y, PartitionSpec()))]

    def compiled(function, *arguments):
        function = jax.jit(function)
        return lambda: jax.block_until_ready(function(*arguments))

    def queued(function, *arguments):
        function = jax.jit(function)
        return Queue(lambda: [function(*arguments) for _ in range(QUEUE)][-1], jax.block_until_ready)

    def scanned(function, parameters, y):
        """Returns a loop on the device, in which each evaluation depends on the previous one."""
        def step(parameters, _):
            found = function(parameters, y)
            value = found[0] if isinstance(found, tuple) else found
            return [part + y.dtype.type(1e-30) * value for part in parameters], found

        loop = jax.jit(lambda parameters, y: jax.tree.map(
            lambda all_found: all_found[0], jax.lax.scan(step, parameters, None, length=QUEUE)[1]))
        return Queue(lambda: loop(parameters, y), jax.block_until_ready)

    forms = {}
    for name, value in MixtureForms(jax).all().items():
        for task, function in (("value", value), ("gradient", jax.value_and_grad(value))):
            forms[f"{task}/single", name] = compiled(function, first, y)
            if platform == "cuda":
                forms[f"{task}/queued", name] = queued(function, first, y)
                forms[f"{task}/queued", f"{name}, scan"] = scanned(function, first, y)
            batched = {"vmap": jax.vmap(function, (0, None)),
                       "map": lambda mixtures, y, of=function: jax.lax.map(lambda mixture: of(mixture, y), mixtures)}
            for way, over_batch in batched.items():
                forms[f"{task}/batch", f"{name}, {way}"] = compiled(over_batch, batch, y)
                if platform == "cuda":
                    continue
                on_each_core = jax.shard_map(over_batch, mesh=mesh, in_specs=(PartitionSpec("cores"), PartitionSpec()),
                                             out_specs=PartitionSpec("cores"), check_vma=False)
                forms[f"{task}/batch", f"{name}, {way} on each core"] = compiled(on_each_core, *on_cores)
    return forms, {"jax": jax.__version__, "device": jax.devices()[0].device_kind}


class Queue:
    """A function that dispatches many evaluations and waits for the last one."""

    def __init__(self, dispatch, wait):
        self.dispatch, self.wait = dispatch, wait

    def __call__(self):
        return self.wait(self.dispatch())


# Forms in NumPy and scikit-learn.


def numpy_value(parameters, y, has_gradient):
    """Returns L and its gradient, or None, for all of y at once.

    The densities do not underflow, because no observation of the instance is far from all components.
    """
    weights, means, deviations = (part[:, None] for part in parameters)
    z = (y - means) * np.exp(-deviations)
    terms = np.exp(weights - deviations - 0.5 * z * z)
    densities = terms.sum(axis=0)
    value = np.log(densities).sum() - y.size * y.dtype.type(HALF_LN_2PI)
    if not has_gradient:
        return value, None
    shares = terms / densities
    parts = [shares.sum(axis=1), (shares * z).sum(axis=1) * np.exp(-deviations[:, 0]),
             (shares * z * z).sum(axis=1) - shares.sum(axis=1)]
    return value, np.array(parts)


def numpy_forms(instance, _):
    y, parameters = instance.observations, [part[0] for part in instance.parameters()]
    blocks = [y[first : first + BLOCK] for first in range(0, len(y), BLOCK)]

    def by_blocks(has_gradient):
        found = [numpy_value(parameters, block, has_gradient) for block in blocks]
        return (sum(value.astype(float) for value, _ in found),
                sum(gradient.astype(float) for _, gradient in found) if has_gradient else None)

    forms = {}
    for task, has_gradient in (("value/single", False), ("gradient/single", True)):
        forms[task, "whole"] = lambda has=has_gradient: numpy_value(parameters, y, has)
        forms[task, "blocks"] = lambda has=has_gradient: by_blocks(has)
    return forms, {"numpy": np.__version__}


def sklearn_forms(instance, _):
    import sklearn
    from sklearn.mixture import GaussianMixture

    mixture = GaussianMixture(instance.means.shape[1], covariance_type="spherical")
    deviations = instance.deviations[0].astype(instance.real)
    mixture.weights_ = instance.weights[0].astype(instance.real)
    mixture.means_ = instance.means[0].astype(instance.real)[:, None]
    mixture.covariances_, mixture.precisions_cholesky_ = deviations**2, 1 / deviations
    y = instance.observations[:, None]
    return {("value/single", "score_samples"): lambda: (mixture.score_samples(y).sum(), None)}, {
        "sklearn": sklearn.__version__}


# Measurement.


def values_and_gradients(task, found):
    """Returns the values and the gradients, or None, in the result of a form."""
    if task.startswith("value"):
        return (found[0] if isinstance(found, tuple) else found), None
    value, gradient = found
    return value, np.concatenate([np.atleast_2d(part) for part in gradient], axis=-1)


def measured(task, form, run, instance, options):
    value, gradient = values_and_gradients(task, run())
    errors = {"value_error": largest_error(value, instance.values)}
    if gradient is not None:
        errors["gradient_error"] = largest_error(gradient, instance.gradients)
    evaluations = np.size(value) * (QUEUE if isinstance(run, Queue) else 1)
    calls = max(1, round(options.seconds / timed(run)[0]))
    seconds = [timed(lambda: [run() for _ in range(calls)])[0] / calls / evaluations for _ in range(options.repeats)]
    return {"task": task, "form": form, "seconds": seconds} | errors


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=["jax", "numpy", "sklearn"])
    parser.add_argument("--instance", type=pathlib.Path, metavar="DIR", required=True)
    parser.add_argument("--precision", choices=["float32", "float64"], default="float64")
    parser.add_argument("--seconds", type=float, default=0.1, help="duration of a repeat")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--platform", choices=["cpu", "cuda"], default="cpu", help="platform of JAX")
    parser.add_argument("--tasks", nargs="*", metavar="TASK", help="tasks to run; default: all")
    parser.add_argument("--forms", nargs="*", metavar="TASK=FORM", help="forms to run; default: all")
    return parser.parse_args()


def main():
    options = parsed()
    instance = Instance(options.instance, np.dtype(options.precision).type)
    try:
        forms, versions = {"jax": jax_forms, "numpy": numpy_forms, "sklearn": sklearn_forms}[options.library](
            instance, options.platform)
    except ImportError as missing:
        print(f"mixture_peers.py: skipped, {missing}", file=sys.stderr)
        sys.exit(77)
    found = [measured(task, form, run, instance, options) for (task, form), run in forms.items()
             if (not options.tasks or task in options.tasks) and (options.forms is None or f"{task}={form}" in options.forms)]
    print(json.dumps({"forms": found, "peak_MiB": peak_mib(), "context": context(**versions)}, indent=2))


if __name__ == "__main__":
    main()
