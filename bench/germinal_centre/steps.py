# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts the report of bench_germinal_centre to measurements for bench/compare."""
from bench.harness.measurement import Measurement


def measurements(report):
    """Returns the time of a local step of the case's centres on every backend."""
    return [Measurement(task="germinal centre, a local step", size=int(one["centres"]), sizes="centres", unit="step",
                        side=one["name"].split("/")[1], seconds=1 / one["steps"]) for one in report["benchmarks"]]
