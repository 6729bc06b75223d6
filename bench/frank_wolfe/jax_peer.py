#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Frank–Wolfe with resampling (paper 004, Algorithms 1 and 2) in JAX, the peer of bench_frank_wolfe.

  jax_peer.py portfolio|newsvendor --size D [--instance DIR]    writes one report as JSON on standard output;
                                                                   exits 77 where JAX is not installed

Portfolio: min ½ Var[w·R] − E[w·R] over {w ≥ 0, Σw ≤ 1}, R ~ N(μ, diag σ²); from w = 0.
Newsvendor: min Σ k_j x_j + h_j E[(x_j − D_j)⁺] + v_j E[(D_j − x_j)⁺] over {x ≥ 0, a·x ≤ C}, D_j ~ N(μ_j, σ_j²); from x = 0.
The step is 2/(t+2), t over all epochs. Every epoch draws its sample anew. --platform says on what; --repetitions runs so many
side by side by jax.vmap, each with samples of its own, and gives times as a repetition's share.

An instance is a folder with NAME.npy (one column), or NAME.csv (one value a line, under a line with the name), for the names mu and
sigma, for the newsvendor also k, h, v, a and C. --write-instance makes one: portfolio μ ~ U(−1, 1), σ ~ U(0, 0.025);
newsvendor μ ~ U(20, 50), σ ~ U(10, 20), k ~ U(1, 5), v = k + U(1, 10), h ~ U(0.1, 1), a ~ U(1, 3), C = ½ a·μ.

What was tried, in µs an iteration at d = 10⁴, 25 samples and 25 iterations an epoch, float32 and float64 (JAX 0.10.2, two
cores of an EPYC with others at work, least of some runs; sampling is within):

  portfolio                                                                             float32   float64
    Xw in O(n) from the column that moves, w at the epoch's end, on Z (the default)           70       134
    the same on X = μ + σZ                                                                   131       129
    the same, with jnp.argmin for the minimum and then its place                             170       172
    the same, with top_k, or minima of blocks of 100                                   191, 182  2093, 142
    the same, d × n                                                                          238       171
    the same, as sums of products and not dot products: n × d, d × n                   315, 350  755, 225
    both products X(w) and Xᵀ(Xw) in every iteration, X centred, or centred implicitly  130, 203  261, 236
  newsvendor
    signed 32-bit words against thresholds, a barrier between (--count sum)                   30       213
    the same without the barrier, in one sum or row by row                               71, 32  232, 281
    the same, row by row (--count rows)                                                       33       459
    unsigned words against thresholds                                                     39, 88  241, 255
    unsigned words, indicators added as floats                                               258       892
    uniforms against Φ, sum or mean                                                     213, 226 1434, 1171
    demands stored as normals, sum of indicators, or row by row                         343, 289 1120, 287
    words d × n                                                                              168       295
    jnp.argmin (unsigned words, beside 88 above)                                             105       294
    x shrunk by a scalar kept apart, or in place                                          31, 30  228, 213
  a draw, in ns (25 × 10⁴ of them): random.bits 1.8 and 4.5 (32, 64 bits), with the rounds unrolled 1.7 and 2.9;
    random.normal 3.8 and 16.3, with the rounds unrolled 2.6 and 15.7 (at d = 500: 6.6 and 12.2 against 2.7 and 7.8);
    jax_threefry_partitionable, JAX's setting, 1.4 to 2.5 times slower at 32 bits; Box–Muller 1.3 to 12 times slower
    than erf_inv; rbg 9.5 for 32 bits, 3.4 for 64, its normals 23.6 and 31.2. Two CPU devices under shard_map: 4.5
    against 4.7 for random.normal, as XLA runs the sampling on all cores by itself.
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
from bench.harness.measuring import context, peak_mib, timed  # noqa: E402

NAMES = {"portfolio": ["mu", "sigma"], "newsvendor": ["mu", "sigma", "k", "h", "v", "a", "C"]}


# Instances.


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


# Random numbers.


def threefry(key, x0, x1):
    """Threefry-2x32-20, JAX's default generator: the same words, but with its rounds unrolled, so that XLA makes one loop
    of counters, rounds and the transformation to variates. JAX's own is a loop over the rounds on the CPU, each a pass
    over memory."""
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
    """Uniform words: random.bits with jax_threefry_partitionable off, or the halves of 64-bit ones of rbg."""
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
    """Uniform words: random.bits with jax_threefry_partitionable on."""
    if generator != "threefry":
        return random.bits(key, shape, "uint64")
    counter = lax.iota("uint32", shape[0] * shape[1]).reshape(shape)
    high, low = threefry(key, jnp.zeros_like(counter), counter)
    return (high.astype("uint64") << np.uint64(32)) | low.astype("uint64")


def normals(generator, key, shape, real):
    """As random.normal makes them of its words."""
    if generator == "jax":
        return random.normal(key, shape, real)
    if real == np.float32:
        mantissa = (words32(generator, key, shape) >> np.uint32(9)) | np.uint32(0x3F800000)
    else:
        mantissa = (words64(generator, key, shape) >> np.uint64(12)) | np.uint64(0x3FF0000000000000)
    least = np.nextafter(real(-1), real(0))
    uniform = (lax.bitcast_convert_type(mantissa, real) - 1) * (1 - least) + least
    return np.sqrt(real(2)) * lax.erf_inv(jnp.maximum(uniform, least))


# Frank–Wolfe.


def min_entry(values):
    """The lowest index of the minimum, and the minimum: two passes that vectorize, which jnp.argmin does not."""
    least = values.min()
    return jnp.min(jnp.where(values == least, lax.iota("int32", values.size), values.size)), least


COUNTS = {
    "sum": lambda sample, least: (sample <= least).sum(0, dtype="int32"),
    "rows": lambda sample, least: sum((row <= least).astype("int32") for row in sample),
    "loop": lambda sample, least: lax.fori_loop(0, sample.shape[0], lambda i, below: below + (sample[i] <= least),
                                                jnp.zeros(sample.shape[1], "int32")),
}  # number of values in each column that are at most the column's `least`


class Portfolio:
    def __init__(self, instance, options, real):
        self.mu, self.sigma = (jnp.asarray(instance[name], real) for name in NAMES["portfolio"])
        self.generator, self.real, self.iterations = options.generator, real, options.iterations
        self.shape = options.samples, options.size

    def draw(self, key):
        return normals(self.generator, key, self.shape, self.real)

    def epoch(self, w, sample, first):
        """With R_i = μ + σ Z_i and y = R w, ∇f̂(w) = Rᵀu, u_i = (y_i − ȳ)/(n−1) − 1/n; as Σu = −1, that is σ Zᵀu − μ. When
        weight j moves, y does so in O(n). The weights themselves are not needed before the epoch's end."""
        n = self.shape[0]

        def iteration(y, t):
            u = (y - y.mean()) / (n - 1) - 1 / n
            vertex, least = min_entry(self.sigma * (u @ sample) - self.mu)
            step = (2 / (t + 2)).astype(self.real)
            towards = jnp.where(least < 0, step, 0)
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
        """D ≤ x where U ≤ Φ((x − μ)/σ), so uniform words are compared with that as a word, ½ (1 + erf) in signed words.
        They have 32 bits for float64 too."""
        largest = np.nextafter(self.real(2**31), self.real(0)) if self.real == np.float32 else self.real(2**31 - 1)

        def iteration(x, t):
            thresholds = (lax.erf((x - self.mu) * self.inverse_sigma) * largest).astype("int32")
            # Without the barrier, XLA recomputes erf for every sample.
            below = COUNTS[self.count](sample, lax.optimization_barrier(thresholds))
            vertex, least = min_entry(self.constant + self.slope * below.astype(self.real))
            step = (2 / (t + 2)).astype(self.real)
            return (x * (1 - step)).at[vertex].add(jnp.where(least < 0, step, 0) * self.amount[vertex]), None

        return lax.scan(iteration, x, first + jnp.arange(self.iterations))[0]

    @staticmethod
    def objective(instance, x):
        mu, sigma, k, h, v, _, _ = (instance[name] for name in NAMES["newsvendor"])
        z = (x - mu) / sigma
        density = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
        surplus = sigma * (z * np.asarray(jax.scipy.special.ndtr(z)) + density)
        return float((k * x + h * surplus + v * (surplus + mu - x)).sum())


def program(problem, options):
    """All epochs in one compiled program, which takes the start's memory for the result."""

    def run(x, key):
        def epoch(x, key_and_first):
            key, first = key_and_first
            return problem.epoch(x, problem.draw(key), first), None

        firsts = options.iterations * jnp.arange(options.epochs)
        return lax.scan(epoch, x, (random.split(key, options.epochs), firsts))[0]

    return jax.jit(side_by_side(run, options), donate_argnums=0)


def side_by_side(run, options):
    """The program of all repetitions; that of one alone is not mapped, so that it is the one it always was."""
    if options.repetitions == 1:
        return run
    return lambda x, key: jax.vmap(run)(x, random.split(key, options.repetitions))


def sampling(problem, options):
    """The samples of all epochs. That the last one is handed on keeps XLA from making only what is looked at."""

    def run(x, key):
        keys = random.split(key, options.epochs)
        last, _ = lax.scan(lambda _, key: (problem.draw(key), None), problem.draw(keys[0]), keys[1:])
        return x + last[0, 0].astype(x.dtype)

    return jax.jit(side_by_side(run, options), donate_argnums=0)


# Measuring.


def measured(make, options, real):
    """Seconds to compile, seconds of every repetition, the result of the last."""
    key = random.key(options.seed, impl=options.generator if "rbg" in options.generator else "threefry2x32")

    shape = (options.size,) if options.repetitions == 1 else (options.repetitions, options.size)

    def start():
        return jax.block_until_ready(jnp.zeros(shape, real))

    compile_seconds, compiled = timed(make.lower(start(), key).compile)
    seconds = []
    for _ in range(options.repeats + 1):  # the first run touches the memory and does not count
        x = start()
        took, x = timed(lambda: jax.block_until_ready(compiled(x, key)))
        seconds.append(took)
    return compile_seconds, seconds[1:], np.asarray(x, float).reshape(-1, options.size)[0]


def check_words():
    """The words are JAX's own."""
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
        sys.exit(f"jax_peer.py: the result has least entry {x.min()} and uses {used} of its budget, expected at least 0 "
                 "and at most 1")
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
    parser.add_argument("--samples", type=int, default=25, help="an epoch")
    parser.add_argument("--iterations", type=int, default=25, help="an epoch")
    parser.add_argument("--epochs", type=int, default=1500)
    parser.add_argument("--repetitions", type=int, default=1, help="side by side")
    parser.add_argument("--platform", default="cpu", help="of JAX: cpu, cuda")
    parser.add_argument("--precision", choices=["float32", "float64"], default="float64")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--generator", choices=["threefry", "jax", "rbg", "unsafe_rbg"], default="threefry",
                        help="threefry with unrolled rounds, jax.random's threefry, or XLA's own generator")
    parser.add_argument("--count", choices=COUNTS, default="sum", help="how the newsvendor counts demands")
    parser.add_argument("--instance", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--write-instance", type=pathlib.Path, metavar="DIR", help="and do nothing else")
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
