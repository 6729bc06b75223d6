# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measurements that bench/compare collects from the reports of all scripts."""
import dataclasses

from bench.harness.common import BACKENDS

MAX_SPREAD = 0.1  # of rounds, beyond which a figure is marked


@dataclasses.dataclass(frozen=True)
class Measurement:
    """Time that `side` takes for one `unit` of `task`, at one size."""

    task: str  # such as "portfolio" or "M/M/3/5, 8332 events"
    size: int  # in units of `sizes`
    sizes: str  # unit of `size`: "assets", "replications"
    side: str  # one of our backends, as in BACKENDS, or the name of a peer: "JAX float32"
    unit: str  # such as "iteration" or "replication"
    seconds: float  # for one unit, the smallest of the repeats and rounds
    floor: float | None = None  # lower bound in seconds per unit for the machine of this side
    on_gpu: bool = False  # for a peer: whether it runs on the GPU
    rounds: tuple = ()  # the seconds of each round; empty if they are not known

    @property
    def is_ours(self):
        return self.side in BACKENDS

    @property
    def name(self):
        return BACKENDS.get(self.side, self.side + (", GPU" if self.on_gpu else ""))

    @property
    def case(self):
        """What identifies a measurement in a round or in a stored run."""
        return self.task, self.size, self.unit, self.side, self.on_gpu

    @property
    def spread(self):
        """The relative difference between the slowest and the fastest round."""
        return max(self.rounds) / min(self.rounds) - 1 if self.rounds else 0

    @property
    def is_unsteady(self):
        return self.spread > MAX_SPREAD


def cases(measurements):
    """Returns the measurements by (task, size), in their order: our backends by `side`, peers by `name`."""
    found = {}
    for one in measurements:
        found.setdefault((one.task, one.size), {})[one.side if one.is_ours else one.name] = one
    return found


def over_rounds(rounds):
    """Returns one measurement for each case of the rounds, each of which is a list of measurements.

    Its time and its floor are the smallest of all rounds. A case that a round has more than once counts with its fastest.
    """
    found = {}
    for measurements in rounds:
        fastest = {one.case: one for one in sorted(measurements, key=lambda one: -one.seconds)}
        for case in dict.fromkeys(one.case for one in measurements):
            found.setdefault(case, []).append(fastest[case])
    return [dataclasses.replace(ones[0], seconds=min(one.seconds for one in ones),
                                floor=min((one.floor for one in ones if one.floor is not None), default=None),
                                rounds=tuple(one.seconds for one in ones)) for ones in found.values()]


def restored(row):
    """Returns the measurement that a row of compare.json stores."""
    return Measurement(**{**row, "rounds": tuple(row.get("rounds", ()))})
