# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The efficiency of the main kernels on several platforms, and their performance portability.

The performance portability Φ of a kernel over a set of platforms is the harmonic mean of its efficiencies on them, and 0 if
the kernel does not run on one of them (Pennycook, Sewall and Lee 2016, A metric for performance portability). There are two
efficiencies:

- compared with the limit of the machine: the time of the floor over our time,
- compared with the best implementation known: the time of the fastest program, ours included, over our time.

Every kernel runs on every platform. An efficiency is unknown where no floor, or no other program, was measured. Φ is not
stated for a kernel with an unknown efficiency, because a mean over fewer platforms would be another figure.
"""
import dataclasses
import json
import re
import statistics

from bench.harness.common import BACKENDS, fail, plural, table
from bench.harness.measurement import cases, restored


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A task of bench/compare, at `size`, or at the largest size of a platform if the size only repeats the same work.

    Its limit is the floor of the task, or the time of `draws` draws of the task `variates`, with the fastest generator.
    """

    name: str
    task: str
    size: int | None = None
    variates: str = ""
    draws: int = 0

    def sizes(self, measured):
        """Returns the sizes at which a comparison has measured this kernel."""
        return [size for task, size in measured if task == self.task and self.size in (None, size)]


KERNELS = (
    Kernel("uniform variates", "uniform variates"),
    Kernel("M/M/1, 100 customers", "M/M/1, 100 customers"),
    Kernel("M/M/3/5, 100 customers", "M/M/3/5, 167 events"),
    Kernel("random walk, 500 steps", "random walk, 500 steps"),
    Kernel("M/M/1, event calendar", "M/M/1 through a calendar", variates="exponential variates", draws=2),
    Kernel("photons, lit cube", "photons, lit/cube_60"),
    Kernel("portfolio, 10 000 assets", "portfolio", 10_000),
    Kernel("newsvendor, 10 000 products", "newsvendor", 10_000),
    Kernel("quasi-Newton, n = 1000", "stochastic quasi-Newton", 1000),
    Kernel("mixture, 64 log-likelihoods", "log-likelihood, value, 64 at once, float64"),
)
ON_ONE_CORE = ("loop by hand", "SimPy", "Ciw", "Cimba")  # other peers of hosts use all cores


@dataclasses.dataclass(frozen=True)
class Platform:
    """A backend on the machine of a comparison."""

    name: str
    side: str
    cores: int
    measured: dict  # the measurements by (task, size) and by side

    @property
    def on_gpu(self):
        return self.side in ("cuda", "hip")

    def sides(self, kernel):
        """Returns the measurements of a kernel by side, at the largest size with one of ours here; None if there is none."""
        sizes = [size for size in kernel.sizes(self.measured) if self.side in self.measured[kernel.task, size]]
        return self.measured[kernel.task, max(sizes)] if sizes else None

    def of_limit(self, kernel):
        """Returns the efficiency compared with the limit of the machine, or None if it is unknown."""
        sides = self.sides(kernel)
        floor = self.floor(kernel, sides[self.side]) if sides else None
        return min(1, floor / sides[self.side].seconds) if floor else None

    def floor(self, kernel, one):
        """Returns the shortest possible seconds of a measurement of ours, or None if they are unknown."""
        if not kernel.draws:
            return one.floor
        draws = self.measured.get((kernel.variates, 1), {}).values()
        seconds = [draw.seconds for draw in draws if draw.side == self.side or self.seconds_of_peer(draw)]
        return kernel.draws * min(seconds) if self.side in {draw.side for draw in draws} else None

    def of_best(self, kernel):
        """Returns the efficiency compared with the fastest program, or None if no other program was measured here."""
        sides = self.sides(kernel)
        peers = [seconds for one in (sides or {}).values() if (seconds := self.seconds_of_peer(one)) is not None]
        return min(1, min(peers) / sides[self.side].seconds) if peers else None

    def seconds_of_peer(self, one):
        """Returns the time of a peer on this platform, or None if it is no peer of it.

        A program for one core is assumed to be as many times as fast as there are cores. A program that was measured on all
        cores of a host counts unchanged for one core. Both assumptions favour the peer.
        """
        if one.is_ours or one.on_gpu != self.on_gpu or one.side == "its recurrence":
            return None
        of_backend = one.side.rpartition(", ")[2]  # Kokkos' generators are measured on each backend
        if of_backend in BACKENDS.values() and of_backend != BACKENDS[self.side]:
            return None
        is_on_one_core = one.side in ON_ONE_CORE
        return one.seconds / (self.cores if is_on_one_core else 1)


def short_name(processor):
    """Returns the name of a processor without trademark signs."""
    return re.sub(r"\((R|TM)\)| Processor$", "", processor)


def platforms_of(comparison):
    """Returns the platforms of a comparison that have measurements of a main kernel."""
    context = comparison["context"]
    measured = cases(map(restored, comparison["measurements"]))
    threads = int(context.get("openmp_threads", 1))
    processor = short_name(context["processor"])
    sides = (("serial", f"{processor}, 1 core", 1), ("openmp", f"{processor}, {plural(threads, 'core')}", threads),
             ("cuda", context.get("gpu"), 1))
    platforms = (Platform(name, side, cores, measured) for side, name, cores in sides if name)
    return [one for one in platforms if any(one.sides(kernel) for kernel in KERNELS)]


def read_platforms(paths):
    """Returns the platforms of several files compare.json, one for each machine."""
    platforms = {}
    for path in paths:
        try:
            found = platforms_of(json.loads(path.read_text()))
        except OSError as error:
            fail(f"cannot read {path}: {error.strerror}")
        except (ValueError, KeyError, TypeError):
            fail(f"{path} is not a comparison, expected a compare.json")
        for one in found:
            if one.name in platforms:
                fail(f"{path} has the platform {one.name}, as an earlier file; give one file for each platform")
            platforms[one.name] = one
    return list(platforms.values())


def portability(efficiencies):
    """Returns Φ, the harmonic mean of efficiencies, or None if one of them is unknown."""
    if not efficiencies or None in efficiencies:
        return None
    return statistics.harmonic_mean(efficiencies)  # 0 if one of them is 0


EFFICIENCIES = (("limit of the machine", Platform.of_limit), ("best known program", Platform.of_best))


def percent(efficiency):
    return "–" if efficiency is None else f"{100 * efficiency:.0f} %"


def text_of(platforms):
    """Returns the table in Markdown: in each cell both efficiencies, compared with the limit and with the best program."""
    rows = []
    for kernel in KERNELS:
        found = [[efficiency(one, kernel) for one in platforms] for _, efficiency in EFFICIENCIES]
        columns = zip(*(efficiencies + [portability(efficiencies)] for efficiencies in found))
        rows.append([kernel.name, *(" / ".join(map(percent, pair)) for pair in columns)])
    return table("Efficiency compared with the limit / with the best known program",
                 ["work", *(one.name for one in platforms), "Φ"], rows)
