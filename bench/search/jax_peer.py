#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mean and gradient of simulated replications in JAX, the peer of bench_gradients.

  jax_peer.py [--program build/bin/bench_gradients] [--cores 2] [--platform cuda] [--repeats 7]
                                  prints a table; the exit status is 77 if JAX is not installed

- network: the activity network of SimOpt's SAN-1, with 13 exponential durations, 2^20 replications, and derivatives with
  respect to all 13 means
- mm1: the mean time in system of 1000 customers of an M/M/1 queue that begins empty, with 2^14 replications, and derivatives
  with respect to both rates

All functions are compiled; each repeat has a different key. The script prints the minimum over the repeats, both of the wall
time and of the processor time of all threads. On a busy machine, compare the processor times.

Forms of the network evaluate all replications at once (whole), or as many at a time as fit into the caches, by lax.scan
(chunks). They use random.exponential (jax), or the words of unrolled rounds (threefry), which are the same bits in one loop
with the logarithms. Forms of the queue are one lax.scan over customers for all replications. The random numbers are drawn in
each step (within) or pre-generated (before). Derivatives are computed backwards (value_and_grad) or forwards (jvp along both
rates).
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, help="bench_gradients, for comparison")
    parser.add_argument("--backend", help="backend of the program: serial, openmp, cuda; default: depends on cores and platform")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--platform", default="cpu", help="platform of JAX: cpu, cuda")
    parser.add_argument("--network-replications", type=int, default=1 << 20)
    parser.add_argument("--queue-replications", type=int, default=1 << 14)
    parser.add_argument("--customers", type=int, default=1000)
    parser.add_argument("--chunk", type=int, default=1 << 13, help="replications of the network in a chunk")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--only", choices=["network", "mm1"])
    parser.add_argument("--forms", default="", help="run only forms whose name contains this text, such as jax or forwards")
    return parser.parse_args()


options = arguments()
if options.platform == "cpu":  # before JAX counts the cores
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:options.cores])

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax, random
except ImportError as missing:
    print(f"jax_peer.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

jax.config.update("jax_platforms", options.platform)
jax.config.update("jax_enable_x64", True)  # every array has an explicit type
jax.config.update("jax_threefry_partitionable", False)
sys.argv = sys.argv[:1]
from bench.frank_wolfe.jax_peer import words32, words64  # noqa: E402


def exponentials(generator, key, shape, real):
    if generator == "jax":
        return random.exponential(key, shape, real)
    if real == np.float32:
        mantissa = (words32(generator, key, shape) >> np.uint32(9)) | np.uint32(0x3F800000)
    else:
        mantissa = (words64(generator, key, shape) >> np.uint64(12)) | np.uint64(0x3FF0000000000000)
    return -jnp.log1p(1 - lax.bitcast_convert_type(mantissa, real))  # u in [0, 1)


# Activity network.


def duration(means, draws):
    """Returns the duration of the project.

    The activities 1-2, 1-3, 2-3, 2-4, 2-6, 3-6, 4-5, 4-7, 5-6, 5-8, 6-9, 7-8 and 8-9 last means · draws.
    """
    lasts = [means[i] * draws[i] for i in range(13)]
    event_2 = lasts[0]
    event_3 = jnp.maximum(lasts[1], event_2 + lasts[2])
    event_4 = event_2 + lasts[3]
    event_5 = event_4 + lasts[6]
    event_6 = jnp.maximum(jnp.maximum(event_2 + lasts[4], event_3 + lasts[5]), event_5 + lasts[8])
    event_8 = jnp.maximum(event_5 + lasts[9], event_4 + lasts[7] + lasts[11])
    return jnp.maximum(event_6 + lasts[10], event_8 + lasts[12])


def network(generator, chunk, real):
    """Returns functions of the means and a key: the mean duration, and the mean duration with its gradient."""
    count = options.network_replications

    def part(means, key, size):
        draws = exponentials(generator, key, (13, size), real)
        return jax.vmap(duration, (None, 1))(means, draws).sum()

    def of_chunks(make):
        def run(means, key):
            keys = random.split(key, count // chunk)
            zero = jax.tree.map(lambda a: jnp.zeros(a.shape, a.dtype), jax.eval_shape(make, means, keys[0]))
            return lax.scan(lambda sums, key: (jax.tree.map(jnp.add, sums, make(means, key)), None), zero, keys)[0]

        return run

    value = lambda means, key: part(means, key, chunk)  # noqa: E731
    both = [value, jax.value_and_grad(value)]
    value, gradient = both if chunk == count else map(of_chunks, both)
    return (lambda means, key: jax.tree.map(lambda a: a / count, f(means, key)) for f in (value, gradient))


# M/M/1 queue.


def queue(draws_where, mode, real):
    count, customers = options.queue_replications, options.customers

    def mean(rates, key):
        def customer(state, draw):
            wait, stays = state
            if draws_where == "within":
                draw = exponentials("threefry", draw, (2, count), real)
            stay = wait + draw[1] / rates[1]
            return (jnp.maximum(stay - draw[0] / rates[0], 0), stays + stay), None

        draws = random.split(key, customers)
        if draws_where == "before":
            draws = exponentials("threefry", key, (customers, 2 * count), real).reshape(customers, 2, count)
        (_, stays), _ = lax.scan(customer, (jnp.zeros(count, real), jnp.zeros(count, real)), draws)
        return stays.mean() / customers

    def forwards(rates, key):
        along = lambda direction: jax.jvp(lambda r: mean(r, key), (rates,), (direction,))  # noqa: E731
        values, slopes = jax.vmap(along, out_axes=(None, 0))(jnp.eye(2, dtype=real))
        return values, slopes

    return mean, (jax.value_and_grad(mean) if mode == "backwards" else forwards)


# Measurement.


def measured(function, at, real):
    """Returns the minimum seconds and processor seconds over the repeats, and the result of the last one."""
    compiled = jax.jit(function)
    x = jnp.asarray(at, real)
    jax.block_until_ready(compiled(x, random.key(0)))
    wall, busy = [], []
    for i in range(options.repeats):
        key = jax.block_until_ready(random.key(i + 1))
        before = time.perf_counter(), time.process_time()
        result = jax.block_until_ready(compiled(x, key))
        wall.append(time.perf_counter() - before[0])
        busy.append(time.process_time() - before[1])
    return min(wall), min(busy), result


def forms(name):
    for precision in ("float64", "float32"):
        real = {"float32": np.float32, "float64": np.float64}[precision]
        if name == "network":
            for generator in ("threefry", "jax"):
                for chunk in (options.chunk, options.network_replications):
                    kind = "whole" if chunk == options.network_replications else "chunks"
                    yield precision, f"{kind}, {generator}", network(generator, chunk, real), np.ones(13), real
        else:
            for where in ("within", "before"):
                for mode in ("forwards", "backwards"):
                    yield precision, f"{where}, {mode}", queue(where, mode, real), np.array([0.5, 1.0]), real


def ours(name, directions):
    """Returns the wall time and the processor time of a replication in ns, and the mean."""
    backend = options.backend or ("cuda" if options.platform == "cuda" else "serial" if options.cores == 1 else "openmp")
    environment = os.environ | {"OMP_NUM_THREADS": str(options.cores), "OMP_PROC_BIND": "false", "OMP_WAIT_POLICY": "passive"}
    command = [options.program, f"--benchmark_filter={backend}/{name}/{directions}/", "--benchmark_format=json",
               f"--network-replications={options.network_replications}", f"--queue-replications={options.queue_replications}",
               "--benchmark_min_time=1"]
    if backend == "cuda":  # all replications in one batch
        command += [f"--network-batch={options.network_replications}", f"--queue-batch={options.queue_replications}"]
    text = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    found = json.loads(text)["benchmarks"][0]
    return (found["seconds_per_replication"] * 1e9, found["processor_seconds_per_replication"] * 1e9, found["mean"])


def main():
    print(f"JAX {jax.__version__}, {jax.devices()[0].device_kind}, {options.cores} cores; ns per replication, minimum"
          f" of {options.repeats} runs: wall time (processor time); value, then value and gradient")
    for name, count, directions in (("network", options.network_replications, 13), ("mm1", options.queue_replications, 2)):
        if options.only not in (None, name):
            continue
        if options.program:
            print(f"{name:8} ours  float64  {'':22}", *(f"{wall:10.1f} ({busy:8.1f}) mean {mean:.5f}" for wall, busy, mean in
                                                      (ours(name, 0), ours(name, directions))), flush=True)
        for precision, form, (value, gradient), at, real in forms(name):
            if options.forms not in form:
                continue
            cells = []
            for function in (value, gradient):
                wall, busy, result = measured(function, at, real)
                mean = result[0] if isinstance(result, tuple) else result
                cells.append(f"{wall / count * 1e9:10.1f} ({busy / count * 1e9:8.1f}) mean {float(mean):.5f}")
            print(f"{name:8} JAX   {precision}  {form:22}", *cells, flush=True)


if __name__ == "__main__":
    main()
