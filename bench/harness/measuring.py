# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared functions of the peers: context, time and memory."""
import os
import pathlib
import platform
import resource
import sys
import time


def peak_mib():
    """Returns the peak memory of the process in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines() if sys.platform == "linux" else []
    return next((line.split(": ")[1] for line in lines if line.startswith("model name")), platform.machine())


def context(**versions):
    return versions | {"python": platform.python_version(), "processor": processor(),
                       "cores": len(os.sched_getaffinity(0))}


def timed(call):
    """Returns the seconds of a call, and its result."""
    before = time.perf_counter()
    result = call()
    return time.perf_counter() - before, result


def until_steady(launch, window=20, tolerance=0.01, limit=3.0, clock=time.perf_counter):
    """Calls `launch` until its last calls take the same time up to the tolerance, or for `limit` seconds.

    Returns whether the times became steady.
    """
    start, seconds = clock(), []
    while clock() - start < limit:
        before = clock()
        launch()
        seconds = [*seconds[-window + 1 :], clock() - before]
        if len(seconds) == window and max(seconds) <= (1 + tolerance) * min(seconds):
            return True
    return False


def warm_clocks(jax):
    """Lets the clocks of the GPU of JAX rise before figures are taken. Does nothing on a host."""
    if jax.default_backend() == "cpu":
        return
    matrix = jax.numpy.ones((4096, 4096), "float32")
    product = jax.jit(lambda x: x @ x)
    until_steady(lambda: product(matrix).block_until_ready())
