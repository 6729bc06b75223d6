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
