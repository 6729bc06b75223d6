#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Frank–Wolfe with resampling in JAX, the peer of bench_frank_wolfe (He et al. 2024, Algorithms 1 and 2).

  jax_peer.py portfolio|newsvendor --size D [--instance DIR]    prints a report as JSON; the exit status is 77 if JAX is
                                                                   not installed

Portfolio: min ½ Var[w·R] − E[w·R] over {w ≥ 0, Σw ≤ 1}, R ~ N(μ, diag σ²); from w = 0.
Newsvendor: min Σ k_j x_j + h_j E[(x_j − D_j)⁺] + v_j E[(D_j − x_j)⁺] over {x ≥ 0, a·x ≤ C}, D_j ~ N(μ_j, σ_j²); from x = 0.
The step size is 2/(t+2), where t counts the iterations of all epochs. Every epoch draws a new sample. --platform selects
the device. --repetitions runs several repetitions at once with jax.vmap and independent samples; times are divided by
their number.

An instance is a folder with NAME.npy (one column) or NAME.csv (one value per line, after a line with the name). The names
are mu and sigma, for the newsvendor also k, h, v, a and C. --write-instance generates one: portfolio μ ~ U(−1, 1),
σ ~ U(0, 0.025); newsvendor μ ~ U(20, 50), σ ~ U(10, 20), k ~ U(1, 5), v = k + U(1, 10), h ~ U(0.1, 1), a ~ U(1, 3),
C = ½ a·μ.

These implementations were compared, in µs per iteration including sampling, at d = 10⁴ with 25 samples and 25 iterations
per epoch, in float32 and float64 (JAX 0.10.2, two cores of an EPYC with other load, minimum of several runs):

  portfolio                                                                             float32   float64
    update Xw in O(n) from the changed column, w at the end of the epoch, on Z (default)      70       134
    as the default, on X = μ + σZ                                                            131       129
    with X, and jnp.argmin for the minimum and then its index                                170       172
    with X, and top_k, or minima of blocks of 100                                      191, 182  2093, 142
    with X, stored as d × n                                                                  238       171
    with X, as sums of products instead of dot products: n × d, d × n                  315, 350  755, 225
    both products X(w) and Xᵀ(Xw) in every iteration, X centred, or centred implicitly  130, 203  261, 236
  newsvendor
    signed 32-bit words compared with thresholds, with a barrier (--count sum, default)       30       213
    without the barrier, in one sum or row by row                                        71, 32  232, 281
    with the barrier, row by row (--count rows)                                               33       459
    unsigned words compared with thresholds                                               39, 88  241, 255
    unsigned words, indicators added as floats                                               258       892
    uniform numbers compared with Φ, sum or mean                                        213, 226 1434, 1171
    demands stored as normals, sum of indicators, or row by row                         343, 289 1120, 287
    words stored as d × n                                                                    168       295
    jnp.argmin (unsigned words; compare with 88 above)                                       105       294
    x scaled by a separate scalar, or in place                                            31, 30  228, 213
  a draw, in ns (25 × 10⁴ draws): random.bits 1.8 and 4.5 (32, 64 bits), with unrolled rounds 1.7 and 2.9;
    random.normal 3.8 and 16.3, with unrolled rounds 2.6 and 15.7 (at d = 500: 6.6 and 12.2 compared with 2.7 and 7.8);
    JAX's setting jax_threefry_partitionable is 1.4 to 2.5 times slower at 32 bits; Box–Muller is 1.3 to 12 times slower
    than erf_inv; rbg 9.5 for 32 bits and 3.4 for 64, its normals 23.6 and 31.2. Two CPU devices with shard_map take 4.5
    for random.normal instead of 4.7, because XLA uses all cores for sampling anyway.
"""
import argparse
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
from bench.harness.measuring import context, peak_mib, timed, warm_clocks  # noqa: E402

NAMES = {"portfolio": ["mu", "sigma"], "newsvendor": ["mu", "sigma", "k", "h", "v", "a", "C"]}


# Instances of the problems.


def generated(problem, size, seed):
    uniform = np.random.default_rng(seed).uniform
    if problem == "portfolio":
        return {"mu": uniform(-1, 1, size), "sigma": uniform(0, 0.025, size)}
    made = {"mu": uniform(20, 50, size), "sigma": uniform(10, 20, size), "k": uniform(1, 5, size),
            "h": uniform(0.1, 1, size), "a": uniform(1, 3, size)}
    return made | {"v": made["k"] + uniform(1, 10, size), "C": np.array([made["a"] @ made["mu"] / 2])}


def write_instance(instance, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, values in instance.items():
        np.save(folder / f"{name}.npy", values.reshape(-1, 1))


def read_instance(problem, size, folder):
    instance = {}
    for name in NAMES[problem]:
        path = folder / f"{name}.npy"
        if path.exists():
            instance[name] = np.load(path).astype(float).reshape(-1)
        else:
            instance[name] = np.loadtxt(folder / f"{name}.csv", skiprows=1, ndmin=1)
        expected = 1 if name == "C" else size
        if instance[name].size != expected:
            sys.exit(f"jax_peer.py: {folder}/{name} has {instance[name].size} values, expected {expected}")
    return instance


# Random number generation.


def threefry(key, x0, x1):
    """Returns the words of Threefry-2x32-20, JAX's default generator, with unrolled rounds.

    XLA fuses counters, rounds and the transformation to variates into one loop. The implementation of JAX is a loop over
    the rounds on the CPU, with a pass over memory in each.
    """
    word = jnp.uint32
    key0, key1 = random.key_data(key)
    keys = (key0, key1, key0 ^ key1 ^ word(0x1BD11BDA))
    x0, x1 = x0 + key0, x1 + key1
    for group in range(5):
        for rotation in ((13, 15, 26, 6), (17, 29, 16, 24))[group % 2]:
            x0 = x0 + x1
            x1 = ((x1 << word(rotation)) | (x1 >> word(32 - rotation))) ^ x0
        x0, x1 = x0 + keys[(group + 1) % 3], x1 + keys[(group + 2) % 3] + word(group + 1)
    return x0, x1


def split_words(low, high, shape):
    return jnp.concatenate([low, high])[: shape[0] * shape[1]].reshape(shape)


def words32(generator, key, shape):
    """Returns 32-bit words: those of random.bits with jax_threefry_partitionable off, or halves of 64-bit words of rbg."""
    half = (shape[0] * shape[1] + 1) // 2
    if generator == "threefry":
        counter = lax.iota("uint32", half)
        odd_end = jnp.where(counter + jnp.uint32(half) < shape[0] * shape[1], counter + jnp.uint32(half), 0)
        return split_words(*threefry(key, counter, odd_end), shape)
    if generator == "jax":
        return random.bits(key, shape, "uint32")
    both = random.bits(key, (half,), "uint64")
    return split_words(both.astype("uint32"), (both >> np.uint64(32)).astype("uint32"), shape)


def words64(generator, key, shape):
    """Returns 64-bit words: those of random.bits with jax_threefry_partitionable on."""
    if generator != "threefry":
        return random.bits(key, shape, "uint64")
    counter = lax.iota("uint32", shape[0] * shape[1]).reshape(shape)
    high, low = threefry(key, jnp.zeros_like(counter), counter)
    return (high.astype("uint64") << np.uint64(32)) | low.astype("uint64")


def normals(generator, key, shape, real):
    """Returns normal variates, computed from the words as random.normal does."""
    if generator == "jax":
        return random.normal(key, shape, real)
    if real == np.float32:
        mantissa = (words32(generator, key, shape) >> np.uint32(9)) | np.uint32(0x3F800000)
    else:
        mantissa = (words64(generator, key, shape) >> np.uint64(12)) | np.uint64(0x3FF0000000000000)
    lowest = np.nextafter(real(-1), real(0))
    uniform = (lax.bitcast_convert_type(mantissa, real) - 1) * (1 - lowest) + lowest
    return np.sqrt(real(2)) * lax.erf_inv(jnp.maximum(uniform, lowest))


# Frank–Wolfe method.


def min_entry(values):
    """Returns the lowest index of the minimum, and the minimum. Its two passes vectorize, unlike jnp.argmin."""
    minimum = values.min()
    return jnp.min(jnp.where(values == minimum, lax.iota("int32", values.size), values.size)), minimum


COUNTS = {
    "sum": lambda sample, bound: (sample <= bound).sum(0, dtype="int32"),
    "rows": lambda sample, bound: sum((row <= bound).astype("int32") for row in sample),
    "loop": lambda sample, bound: lax.fori_loop(0, sample.shape[0], lambda i, below: below + (sample[i] <= bound),
                                                jnp.zeros(sample.shape[1], "int32")),
}  # functions that count the values in each column that are at most the column's `bound`


class Portfolio:
    def __init__(self, instance, options, real):
        self.mu, self.sigma = (jnp.asarray(instance[name], real) for name in NAMES["portfolio"])
        self.generator, self.real, self.iterations = options.generator, real, options.iterations
        self.shape = options.samples, options.size

    def draw(self, key):
        return normals(self.generator, key, self.shape, self.real)

    def epoch(self, w, sample, first):
        """Returns the weights after an epoch.

        With R_i = μ + σ Z_i and y = R w, the gradient is ∇f̂(w) = Rᵀu, where u_i = (y_i − ȳ)/(n−1) − 1/n. Because Σu = −1,
        it equals σ Zᵀu − μ. When weight j changes, y is updated in O(n). The weights are computed at the end of the epoch.
        """
        n = self.shape[0]

        def iteration(y, t):
            u = (y - y.mean()) / (n - 1) - 1 / n
            vertex, slope = min_entry(self.sigma * (u @ sample) - self.mu)
            step = (2 / (t + 2)).astype(self.real)
            towards = jnp.where(slope < 0, step, 0)
            column = self.sigma[vertex] * sample[:, vertex] + self.mu[vertex]
            return (1 - step) * y + towards * column, (vertex, step, towards)

        y = sample @ (self.sigma * w) + self.mu @ w
        _, (vertices, steps, towards) = lax.scan(iteration, y, first + jnp.arange(self.iterations))
        kept = jnp.cumprod((1 - steps)[::-1])[::-1]
        return (kept[0] * w).at[vertices].add(towards * jnp.append(kept[1:], jnp.ones(1, self.real)))

    @staticmethod
    def objective(instance, w):
        return float(((w * instance["sigma"]) ** 2).sum() / 2 - w @ instance["mu"])


class Newsvendor:
    def __init__(self, instance, options, real):
        mu, sigma, k, h, v, a, capacity = (jnp.asarray(instance[name], real) for name in NAMES["newsvendor"])
        self.mu, self.inverse_sigma = mu, np.sqrt(real(0.5)) / sigma
        self.constant, self.slope = (k - v) / a, (h + v) / a / options.samples
        self.amount = capacity / a
        self.generator, self.real, self.iterations = options.generator, real, options.iterations
        self.shape, self.count = (options.samples, options.size), options.count

    def draw(self, key):
        return lax.bitcast_convert_type(words32(self.generator, key, self.shape), "int32")

    def epoch(self, x, sample, first):
        """Returns the quantities after an epoch.

        D ≤ x if U ≤ Φ((x − μ)/σ) = ½ (1 + erf), so uniform signed words are compared with the threshold as a signed word.
        The words have 32 bits for float64, too.
        """
        largest = np.nextafter(self.real(2**31), self.real(0)) if self.real == np.float32 else self.real(2**31 - 1)

        def iteration(x, t):
            thresholds = (lax.erf((x - self.mu) * self.inverse_sigma) * largest).astype("int32")
            # Without the barrier, XLA recomputes erf for every sample.
            below = COUNTS[self.count](sample, lax.optimization_barrier(thresholds))
            vertex, slope = min_entry(self.constant + self.slope * below.astype(self.real))
            step = (2 / (t + 2)).astype(self.real)
            return (x * (1 - step)).at[vertex].add(jnp.where(slope < 0, step, 0) * self.amount[vertex]), None

        return lax.scan(iteration, x, first + jnp.arange(self.iterations))[0]

    @staticmethod
    def objective(instance, x):
        mu, sigma, k, h, v, _, _ = (instance[name] for name in NAMES["newsvendor"])
        z = (x - mu) / sigma
        density = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
        surplus = sigma * (z * np.asarray(jax.scipy.special.ndtr(z)) + density)
        return float((k * x + h * surplus + v * (surplus + mu - x)).sum())


def program(problem, options):
    """Returns one compiled program for all epochs, which reuses the memory of the start for the result."""

    def run(x, key):
        def epoch(x, key_and_first):
            key, first = key_and_first
            return problem.epoch(x, problem.draw(key), first), None

        firsts = options.iterations * jnp.arange(options.epochs)
        return lax.scan(epoch, x, (random.split(key, options.epochs), firsts))[0]

    return jax.jit(with_repetitions(run, options), donate_argnums=0)


def with_repetitions(run, options):
    """Returns a function that runs all repetitions; for a single repetition, `run` itself."""
    if options.repetitions == 1:
        return run
    return lambda x, key: jax.vmap(run)(x, random.split(key, options.repetitions))


def sampling(problem, options):
    """Returns a program that only draws the samples of all epochs.

    It returns the complete last sample, so that XLA cannot skip unused elements.
    """

    def run(x, key):
        keys = random.split(key, options.epochs)
        last, _ = lax.scan(lambda _, key: (problem.draw(key), None), problem.draw(keys[0]), keys[1:])
        return x + last[0, 0].astype(x.dtype)

    return jax.jit(with_repetitions(run, options), donate_argnums=0)


# Measurement.


def measured(make, options, real):
    """Returns the compile time, the time of every repeat in seconds, and the result of the last repeat."""
    key = random.key(options.seed, impl=options.generator if "rbg" in options.generator else "threefry2x32")

    shape = (options.size,) if options.repetitions == 1 else (options.repetitions, options.size)

    def start():
        return jax.block_until_ready(jnp.zeros(shape, real))

    compile_seconds, compiled = timed(make.lower(start(), key).compile)
    seconds = []
    warm_clocks(jax)
    for _ in range(options.repeats + 1):  # the first run touches the memory and is not counted
        x = start()
        took, x = timed(lambda: jax.block_until_ready(compiled(x, key)))
        seconds.append(took)
    return compile_seconds, seconds[1:], np.asarray(x, float).reshape(-1, options.size)[0]


def check_words():
    """Checks that the words equal those of random.bits."""
    key, shape = random.key(7), (5, 7)
    for partitionable, words, bits in (False, words32, "uint32"), (True, words64, "uint64"):
        with jax.threefry_partitionable(partitionable):
            if not (words("threefry", key, shape) == random.bits(key, shape, bits)).all():
                sys.exit(f"jax_peer.py: {words.__name__} differs from random.bits, expected the same words")


def report(options):
    real = {"float32": np.float32, "float64": np.float64}[options.precision]
    check_words()
    bare_mib = peak_mib()
    instance = (read_instance(options.problem, options.size, options.instance) if options.instance
                else generated(options.problem, options.size, options.seed))
    kind = {"portfolio": Portfolio, "newsvendor": Newsvendor}[options.problem]
    problem = kind(instance, options, real)
    compile_seconds, seconds, x = measured(program(problem, options), options, real)
    peak = peak_mib()
    _, sampling_seconds, _ = measured(sampling(problem, options), options, real)
    used = x.sum() if options.problem == "portfolio" else instance["a"] @ x / instance["C"][0]
    if not (x.min() >= 0 and used <= 1 + 1e-4):
        sys.exit(f"jax_peer.py: the smallest entry of the result is {x.min()} and its use of the budget is {used}, expected "
                 "at least 0 and at most 1")
    iterations = options.epochs * options.iterations * options.repetitions
    return {
        "name": f"{options.problem}/jax/{options.size}", "precision": options.precision, "samples": options.samples,
        "iterations_per_epoch": options.iterations, "epochs": options.epochs, "repetitions": options.repetitions,
        "generator": options.generator,
        "compile_seconds": compile_seconds, "seconds": seconds, "iterations_per_second": iterations / min(seconds),
        "seconds_per_iteration": min(seconds) / iterations,
        "sampling_seconds_per_iteration": min(sampling_seconds) / iterations, "peak_MiB": peak, "bare_MiB": bare_mib,
        "objective": kind.objective(instance, x),
        "context": context(jax=jax.__version__, device=jax.devices()[0].device_kind),
    }


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problem", choices=NAMES)
    parser.add_argument("--size", type=int, default=500)
    parser.add_argument("--samples", type=int, default=25, help="samples per epoch")
    parser.add_argument("--iterations", type=int, default=25, help="iterations per epoch")
    parser.add_argument("--epochs", type=int, default=1500)
    parser.add_argument("--repetitions", type=int, default=1, help="simultaneous repetitions")
    parser.add_argument("--platform", default="cpu", help="platform of JAX: cpu or cuda")
    parser.add_argument("--precision", choices=["float32", "float64"], default="float64")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--generator", choices=["threefry", "jax", "rbg", "unsafe_rbg"], default="threefry",
                        help="threefry with unrolled rounds, jax.random's threefry, or the generators of XLA")
    parser.add_argument("--count", choices=COUNTS, default="sum", help="implementation of the newsvendor's counts")
    parser.add_argument("--instance", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--write-instance", type=pathlib.Path, metavar="DIR", help="only write an instance")
    return parser.parse_args()


def main():
    options = arguments()
    jax.config.update("jax_platforms", options.platform)
    jax.config.update("jax_enable_x64", True)  # for 64-bit words; every array has an explicit type
    jax.config.update("jax_threefry_partitionable", False)
    if options.write_instance:
        write_instance(generated(options.problem, options.size, options.seed), options.write_instance)
    else:
        print(json.dumps(report(options), indent=2))


if __name__ == "__main__":
    main()
