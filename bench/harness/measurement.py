# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One figure of a comparison, as bench/compare gathers them from the reports of all scripts."""
import dataclasses

from bench.harness.common import BACKENDS


@dataclasses.dataclass(frozen=True)
class Measurement:
    """How long `side` takes for one `unit` of `task`, at one size."""

    task: str  # "portfolio", "M/M/3/5, 8332 events"
    size: int  # in `sizes`
    sizes: str  # what it counts: "assets", "replications"
    side: str  # a backend of ours, as in BACKENDS, or a peer's name: "JAX float32"
    unit: str  # "iteration", "replication"
    seconds: float  # of a unit, the least of the repeats
    floor: float | None = None  # seconds of a unit below which this side's machine could not go
    on_gpu: bool = False  # of a peer

    @property
    def is_ours(self):
        return self.side in BACKENDS

    @property
    def name(self):
        return BACKENDS.get(self.side, self.side + (", GPU" if self.on_gpu else ""))


def cases(measurements):
    """The measurements by task and size, in the order in which they come: ours by backend, peers by name."""
    found = {}
    for one in measurements:
        found.setdefault((one.task, one.size), {})[one.side if one.is_ours else one.name] = one
    return found
