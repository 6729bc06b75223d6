# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares measurements of bench/compare with the goals of this project and with a stored run."""
import dataclasses
import json

from bench.harness.common import digits, fail, table
from bench.harness.measurement import restored

HOSTS, GPUS = ("serial", "openmp"), ("cuda",)
MIN_NOISE = 0.05  # difference between two runs on a quiet machine
OUR_CODE = ("its recurrence", "one card")  # listed as peers, although these times change with our code


@dataclasses.dataclass(frozen=True)
class Goal:
    """A goal for all cases whose task begins with `task`, restricted to `size` if it is given.

    The fastest of `sides` takes at most `seconds`, is `times` as fast as `peer`, or reaches the fraction `of_floor` of its
    floor's speed.
    """

    task: str
    sides: tuple
    times: float | None = None
    peer: str = ""
    seconds: float | None = None
    of_floor: float | None = None
    size: int | None = None

    def cell(self, sides):
        """Returns the goal and the measured value, or an empty string if a side or its floor was not measured."""
        fastest = min((sides[side] for side in self.sides if side in sides), key=lambda one: one.seconds, default=None)
        if fastest is None or self.size not in (None, fastest.size) or (self.peer and self.peer not in sides):
            return ""
        if self.seconds is not None:
            return f"at most {digits(self.seconds * 1e6)} µs: {verdict(fastest.seconds <= self.seconds)}"
        if self.of_floor is not None:
            if fastest.floor is None:
                return ""
            seen = fastest.floor / fastest.seconds
            return f"{self.of_floor:.0%} of the floor: {seen:.0%}, {verdict(seen >= self.of_floor)}"
        seen = sides[self.peer].seconds / fastest.seconds
        return f"{self.times:.3g} × {self.peer}: {digits(seen)}, {verdict(seen >= self.times)}"


GOALS = (
    Goal("portfolio", GPUS, times=10, peer="JAX float32, GPU"),
    Goal("newsvendor", GPUS, times=8, peer="JAX float32, GPU"),
    Goal("newsvendor", HOSTS, times=8, peer="JAX float64"),
    Goal("stochastic quasi-Newton", HOSTS, times=4, peer="JAX float32"),
    Goal("stochastic quasi-Newton", HOSTS, of_floor=0.4),
    Goal("stochastic quasi-Newton", ("openmp",), times=1 - MIN_NOISE, peer="serial"),
    Goal("pass over all rows, objective", HOSTS, of_floor=0.6, size=5000),
    Goal("pass over all rows, gradient", HOSTS, of_floor=0.4, size=5000),
    Goal("log-likelihood, value, 64 at once", GPUS, times=4, peer="JAX, GPU"),
    Goal("log-likelihood, gradient, 64 at once", GPUS, times=4, peer="JAX, GPU"),
    Goal("log-likelihood, value, queued", GPUS, seconds=4.5e-6),
    Goal("photons, lit/cube_60", GPUS, times=1, peer="MCX float32, GPU"),
    Goal("M/M/1 through a calendar", ("serial",), times=1, peer="Cimba"),
    Goal("M/M/1 through a calendar", GPUS, seconds=1e-9),  # two events per customer: 2e9 events a second
    Goal("M/M/3/5 through a calendar", HOSTS, times=1 / 2.5, peer="its recurrence"),
    Goal("M/M/3/5 through a calendar", GPUS, times=1 / 2.5, peer="its recurrence, GPU"),
    Goal("network of ten stations", GPUS, seconds=1 / 3e8),
    Goal("M/M/1, 100 customers", GPUS, of_floor=0.3, size=10**6),
    # 25 ms for 7168 replications of 50,000 customers
    Goal("M/M/3/5 of long replications", GPUS, seconds=1 / 2.39e10, size=7168),
    Goal("two cards: M/M/1", GPUS, times=1.9, peer="one card, GPU"),
    Goal("uniforms in float", GPUS, times=1, peer="cuRAND xorwow, GPU"),
    Goal("germinal centre, a local step", GPUS, seconds=30e-6, size=1),
    Goal("normal variates", ("serial",), seconds=1 / 230e6),
    Goal("uniforms, sobol, 8 draws", ("serial",), seconds=2.4e-9),
    Goal("uniforms, latin-hypercube, 8 draws", ("serial",), seconds=6e-9),
    Goal("uniforms, descriptive, 8 draws", ("serial",), seconds=6e-9),
    Goal("uniforms, refined-descriptive, 8 draws", ("serial",), seconds=15e-9),
    Goal("PERT, 8 activities", ("serial",), times=1 / 2, peer="loop by hand"),
    *(Goal(model, ("serial",), times=1 / 1.2, peer="loop by hand", size=10)
      for model in ("π, 1000 points", "M/M/1, 100 customers", "M/M/3/5, 167 events", "random walk, 500 steps")),
    Goal("function pow", ("serial",), times=1 / 1.5, peer="the C library's"),
    Goal("function normal quantile", ("serial",), times=1 / 1.5, peer="AS 241"),
)

def verdict(reached):
    return "yes" if reached else "**no**"


def goals_of(task, sides):
    return "; ".join(cell for goal in GOALS if task.startswith(goal.task) and (cell := goal.cell(sides)))


# Comparison with a stored run.


def read_stored(path):
    """Returns the context of a run's compare.json, and the seconds by measurement."""
    try:
        stored = json.loads(path.read_text())
        rows = {one.case: one.seconds for one in map(restored, stored["measurements"])}
        return stored["context"], rows
    except OSError as error:
        fail(f"cannot read {path}: {error.strerror}")
    except (ValueError, KeyError, TypeError):
        fail(f"{path} is not a comparison, expected a compare.json")


def check_machine(now, stored, path):
    for what in ("processor", "cores", "gpu", "openmp_threads"):
        if now.get(what) != stored.get(what):
            fail(f"{path} was measured with {what} {stored.get(what, 'unknown')} and this run with "
                 f"{now.get(what, 'unknown')}, expected the same machine")


def is_on_gpu(one):
    return one.on_gpu or one.side in ("cuda", "hip")


def is_unchanged(one):
    return not one.is_ours and one.side not in OUR_CODE


def noise_of(ratios):
    """Returns the noise: the 95 % quantile of the relative changes of the peers, whose code has not changed."""
    deviations = sorted(abs(ratio - 1) for ratio in ratios)
    return max(MIN_NOISE, deviations[min(len(deviations) - 1, int(0.95 * len(deviations)))]) if deviations else MIN_NOISE


def against(measurements, stored):
    """Returns a text, and whether one of our times is longer than the stored one by more than the noise."""
    ratios = {one: one.seconds / stored[one.case] for one in measurements if one.case in stored}
    noise = {on_gpu: noise_of([ratio for one, ratio in ratios.items() if is_unchanged(one) and is_on_gpu(one) == on_gpu])
             for on_gpu in (False, True)}
    ours = {one: ratio for one, ratio in ratios.items() if one.is_ours}
    slower = {one: ratio for one, ratio in ours.items() if ratio > 1 + noise[is_on_gpu(one)]}
    rows = [[one.task, f"{one.size:,}", one.name, digits(one.seconds / ratio * 1e6), digits(one.seconds * 1e6), f"**{ratio:.2f}**"]
            for one, ratio in sorted(slower.items(), key=lambda pair: -pair[1])]
    text = table("Slower than stored", ["work", "size", "side", "stored µs", "now µs", "ratio"], rows)
    text += (f"\n{len(slower)} of {len(ours)} times are longer than stored by more than the noise: {noise[False]:.0%} on the "
             f"host, {noise[True]:.0%} on the GPU.\n")
    return text, bool(slower)
