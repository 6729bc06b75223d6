# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts the report of bench_gpu_random to measurements for bench/compare."""
from bench.harness.measurement import Measurement

FORMS = {"uniform_float": "uniforms in float, a card's rate", "exponential_double": "exponentials, a card's rate"}


def task_of(what):
    """Returns the task of a benchmark from the second part of its name: a form, and an engine other than the default."""
    for form, task in FORMS.items():
        if what.startswith(form):
            return ", ".join([task, *filter(None, [what[len(form) + 1:]])])
    return "M/M/3/5 of long replications"


def measurements(report):
    """Returns the times of events of M/M/c/k and of draws, for Sporos and cuRAND, with the floor of the busiest unit."""
    found = []
    for one in report["benchmarks"]:
        _, what, generator = one["name"].split("/")[:3]
        unit = "event" if what.startswith("mmck") else "draw"
        size = int(one.get("replications", 1))
        ours, peers = 1 / one[f"sporos_{unit}s_per_s"], 1 / one[f"peer_{unit}s_per_s"]
        of_case = {"task": task_of(what), "size": size,
                   "sizes": "replications" if unit == "event" else "draws", "unit": unit}
        found.append(Measurement(**of_case, side="cuda", seconds=ours, floor=ours / one["over_floor"]))
        found.append(Measurement(**of_case, side=f"cuRAND {generator}", seconds=peers, on_gpu=True))
    return found
