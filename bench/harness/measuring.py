# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the peers share that is not their own work."""
import os
import pathlib
import platform
import resource
import sys
import time


def peak_mib():
    """Of the whole process, so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines() if sys.platform == "linux" else []
    return next((line.split(": ")[1] for line in lines if line.startswith("model name")), platform.machine())


def context(**versions):
    return versions | {"python": platform.python_version(), "processor": processor(),
                       "cores": len(os.sched_getaffinity(0))}


def timed(call):
    """Seconds, and what it returns."""
    before = time.perf_counter()
    result = call()
    return time.perf_counter() - before, result
