# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measurements that bench/compare collects from the reports of all scripts."""
import dataclasses

from bench.harness.common import BACKENDS


@dataclasses.dataclass(frozen=True)
class Measurement:
    """Time that `side` takes for one `unit` of `task`, at one size."""

    task: str  # such as "portfolio" or "M/M/3/5, 8332 events"
    size: int  # in units of `sizes`
    sizes: str  # unit of `size`: "assets", "replications"
    side: str  # one of our backends, as in BACKENDS, or the name of a peer: "JAX float32"
    unit: str  # such as "iteration" or "replication"
    seconds: float  # for one unit, the smallest of the repeats
    floor: float | None = None  # lower bound in seconds per unit for the machine of this side
    on_gpu: bool = False  # for a peer: whether it runs on the GPU

    @property
    def is_ours(self):
        return self.side in BACKENDS

    @property
    def name(self):
        return BACKENDS.get(self.side, self.side + (", GPU" if self.on_gpu else ""))


def cases(measurements):
    """Returns the measurements by (task, size), in their order: our backends by `side`, peers by `name`."""
    found = {}
    for one in measurements:
        found.setdefault((one.task, one.size), {})[one.side if one.is_ours else one.name] = one
    return found
