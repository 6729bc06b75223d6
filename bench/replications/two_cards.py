#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares replications and photons of the command line on two GPU cards with one card, with a process on each card.

  two_cards.py [--program build/bin/sporos-cuda] [--out REPORT]     exit status 77 without the program, mpirun or two cards
  two_cards.py --program build/bin/sporos-serial --backends serial --smoke    two processes on a host, without cards

One and two processes run alternately. The minimum time over all rounds counts, both of the computation, which the program
reports, and of the whole command. The script fails if the reports of one and two processes differ in more than times. It
prints a table in Markdown and writes a report.
"""
import argparse
import dataclasses
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import (MPI_ENVIRONMENT, TREE, add_arguments, digits, fail, make_report, parsed_by,  # noqa: E402
                                  run, skip, table)
from bench.harness.measurement import Measurement, cases  # noqa: E402
from bench.harness.measuring import context, timed  # noqa: E402

SLAB = TREE / "bench" / "radiation" / "lit_slab.json"
SMOKE = 2000  # number of replications or photons


@dataclasses.dataclass(frozen=True)
class Work:
    """Arguments of `sporos simulate`, and the number of replications or photons."""

    name: str
    arguments: tuple
    unit: str
    count: int


WORKS = (Work("M/M/1 of 100 customers", ("mm1", "--customers", 100), "replication", 6 * 10**9),
         Work("lit slab of 60 slices", ("radiation", "--case", SLAB), "photon", 2 * 10**9))


def cards():
    """Returns the number of NVIDIA GPUs that are visible: in CUDA_VISIBLE_DEVICES, those before the first invalid one."""
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    except OSError:
        return 0
    count = sum(line.startswith("GPU ") for line in listed.splitlines())
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is None:
        return count
    names = itertools.takewhile(lambda name: name not in ("", "-1"), map(str.strip, visible.split(",")))
    return min(count, len(list(names)))


def simulate(options, work, count, processes):
    """Returns the report of the program, and the seconds of the whole command."""
    launcher = [options.mpirun, "-n", processes] if processes > 1 else []
    command = [*launcher, options.program, "simulate", *work.arguments, f"--{work.unit}s", count, "--format", "json"]
    seconds, text = timed(lambda: run(command, options.cores, MPI_ENVIRONMENT))
    return json.loads(text), seconds


def check_same(work, one, other):
    """Checks that two reports are identical except for times and machine."""
    if {**one, "seconds": 0, "machine": None} != {**other, "seconds": 0, "machine": None}:
        digest, other_digest = (report["findings"].get("digest") for report in (one, other))
        digests = f" with digests {digest} and {other_digest}" if digest else ""
        fail(f"{work.name}: runs of one and two processes{digests} have different results, expected the same bits")


def compare(options, work):
    """Returns the times of one and two processes in each round, and the last report."""
    count = SMOKE if options.smoke else work.count
    rows = {processes: {"work": work.name, "unit": work.unit, "count": count, "processes": processes, "seconds": [],
                        "command_seconds": []} for processes in (1, 2)}
    first = None
    for _ in range(options.rounds):
        for processes, row in rows.items():
            report, seconds = simulate(options, work, count, processes)
            first = first or report
            check_same(work, first, report)
            row["seconds"].append(report["seconds"])
            row["command_seconds"].append(seconds)
    return list(rows.values()), report


def measured(options):
    load, runs = os.getloadavg()[0], []
    for work in WORKS:
        rows, report = compare(options, work)
        runs += rows
    machine = report["machine"]
    gpu = {"gpu": f"2 × {machine['device']}"} if is_on_gpu(machine["backend"]) else {}
    versions = {"sporos": report["sporos"], "compiler": machine["compiler"], "kokkos": machine["kokkos"],
                "options": "SPOROS_SAME_BITS" if machine["same_bits"] else ""}
    date = {"date": time.strftime("%Y-%m-%dT%H:%M:%S")}
    return {"context": context(**versions, **gpu, **date, load=load), "backend": machine["backend"], "runs": runs}


# Functions that format tables.


def is_on_gpu(backend):
    return backend in ("cuda", "hip")


def measurements(report):
    """Returns the measurements for bench/compare, with one card as the peer of two."""
    backend, found = report["backend"], []
    one, two = ("one card", "two cards") if is_on_gpu(backend) else ("one process", "two processes")
    for row in report["runs"]:
        side = {"side": backend} if row["processes"] == 2 else {"side": one, "on_gpu": is_on_gpu(backend)}
        for task, seconds in ((two, row["seconds"]), (f"{two}, the whole command", row["command_seconds"])):
            found.append(Measurement(task=f"{task}: {row['work']}", size=row["count"], sizes=f"{row['unit']}s",
                                     unit=row["unit"], seconds=min(seconds) / row["count"], **side))
    return found


def text_of(report):
    rows = []
    for (task, size), sides in cases(measurements(report)).items():
        one, two = (side.seconds * size for side in sorted(sides.values(), key=lambda side: side.is_ours))
        rows.append([task, f"{size:,}", digits(one), digits(two), f"**{one / two:.3g}**"])
    machine = report["context"].get("gpu", report["context"]["processor"])
    return f"{machine}; {report['context']['date'][:10]}.\n" + table(
        "Two compared with one", ["work", "size", "one, s", "two, s", "speed-up"], rows)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, "sporos-cuda")
    parser.set_defaults(backends=["cuda"])
    parser.add_argument("--mpirun", default="mpirun")
    return parsed_by(parser)


def main():
    options = parsed()
    if not options.program.exists():
        skip(f"{options.program} does not exist")
    if not shutil.which(options.mpirun):
        skip(f"{options.mpirun} is not installed")
    if "cuda" in options.backends and (count := cards()) < 2:
        skip(f"there are {count} cards, expected 2 or more (nvidia-smi -L, CUDA_VISIBLE_DEVICES)")
    make_report(options, measured, text_of)


if __name__ == "__main__":
    main()
