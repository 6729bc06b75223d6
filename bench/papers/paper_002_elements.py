#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures Figures 3.4 and 3.5 and Table 3.1 of Lee (2012): the speed-up over threads of work in 120 elements.

  paper_002_elements.py FOLDER [--programs build/bin,build-threads/bin] [--into PAGE PLACE]
  paper_002_elements.py FOLDER --tables [--into PAGE PLACE]     uses the existing JSON without measuring

The work of an element is a product of two n × n matrices by Kokkos Kernels, or a local step of the differential equations
in n cells. A way to run it is a backend of Kokkos, or threads that are created and joined for each launch. Kokkos::OpenMP
and Kokkos::Threads cannot be in one build, so that --programs takes the folders of two. The speed-up is the mean time on
Serial divided by the mean time of the way, over ten runs. T_s is fitted to T = ceil(N/p) T_W + p T_s (3.2) by least squares
of relative errors, where N T_W is the time on Serial. A launch without work measures p T_s directly. The script writes
paper-002-elements.json, .md and, with matplotlib, .svg and .png into FOLDER.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import TREE, digits, fail, micro, skip, table, write_report  # noqa: E402
from bench.harness.fitting import slope_through_origin  # noqa: E402

NAME, PROGRAM = "paper-002-elements", "paper_002_elements"
WAYS = {"threads": "Kokkos::Threads", "openmp": "Kokkos::OpenMP", "created": "created threads"}
# Seconds in Table 3.1, by n. The paper prints 0.0424 as the mean of OpenMP, and its values have the mean 0.0401.
PAPER = {"Pthreads": {20: 0.0625, 40: 0.0672, 60: 0.0707, 80: 0.0720, 100: 0.0711},
         "OpenMP": {20: 0.0312, 40: 0.0407, 60: 0.0467, 80: 0.0478, 100: 0.0339}}


class Cell:
    """Times of one kind of work, size and way."""

    def __init__(self, report, work, n, way):
        self.work, self.n, self.way, self.elements = work, n, way, report["elements"]
        self.serial, self.seconds = {}, {}
        for run in report["runs"]:
            of = {(one["work"], one["n"], one["way"]): one["seconds"] for one in run["runs"]}
            if (work, n, way) in of:
                self.seconds[run["threads"]] = of[work, n, way]
                self.serial[run["threads"]] = statistics.fmean(of[work, n, "serial"])

    def sequential(self):
        """Returns N T_W in seconds: the median over the runs of the program."""
        return statistics.median(self.serial.values())

    def speed_ups(self, threads):
        """Returns mean, minimum and maximum over the runs."""
        one, many = self.serial[threads], self.seconds[threads]
        return one / statistics.fmean(many), one / max(many), one / min(many)

    def rows(self):
        """Returns (threads, mean seconds, seconds without the cost of threads) for each number of threads above 1."""
        return [(p, statistics.fmean(many), math.ceil(self.elements / p) * self.serial[p] / self.elements)
                for p, many in self.seconds.items() if p > 1]

    def thread_seconds(self):
        """Returns T_s by least squares of relative errors."""
        return slope_through_origin([(p / seconds, 1 - work / seconds) for p, seconds, work in self.rows()])

    def misfit(self):
        """Returns the root mean square of the relative errors of (3.2)."""
        cost = self.thread_seconds()
        return math.sqrt(statistics.fmean(((work + p * cost) / seconds - 1) ** 2 for p, seconds, work in self.rows()))

    def modelled(self, threads, cost):
        """Returns the speed-up by (3.3)."""
        return threads / (1 + threads**2 * max(cost, 0) / self.sequential())


def ways_of(report):
    found = {one["way"] for run in report["runs"] for one in run["runs"]}
    return [way for way in WAYS if way in found]


def sizes_of(report, work):
    return sorted({one["n"] for run in report["runs"] for one in run["runs"] if one["work"] == work and one["n"]})


def empty_seconds(report, way):
    """Returns T_s of launches without work: the slope of their time over the threads."""
    cell = Cell(report, "products", 0, way)
    return slope_through_origin([(p / seconds, 1) for p, seconds, _ in cell.rows()])


def mean_cost(report, way):
    return statistics.fmean(Cell(report, "products", n, way).thread_seconds() for n in sizes_of(report, "products"))


def speed_up_table(report, work, title):
    ways, threads = ways_of(report), report["threads"]
    def text(cell, p):
        mean, low, high = cell.speed_ups(p)
        return f"{mean:.2f} ({low:.2f} … {high:.2f})"

    rows = [[str(n), WAYS[way], micro(cell.sequential()), *(text(cell, p) for p in threads if p > 1)]
            for n in sizes_of(report, work) for way in ways for cell in [Cell(report, work, n, way)] if cell.seconds]
    return table(title, ["n", "way", "N T_W, µs", *(f"p = {p}" for p in threads if p > 1)], rows)


def start_table(report):
    ways, rows = ways_of(report), []
    for n in sizes_of(report, "products"):
        cells = [Cell(report, "products", n, way) for way in ways]
        paper = [f"{1e6 * of[n]:.0f}" if n in of else "" for of in PAPER.values()]
        rows.append([str(n), *paper, *(f"{1e6 * cell.thread_seconds():.3g} ({100 * cell.misfit():.0f} %)" for cell in cells)])
    rows.append(["mean", *(f"{1e6 * statistics.fmean(of.values()):.0f}" for of in PAPER.values()),
                 *(micro(mean_cost(report, way)) for way in ways)])
    rows.append(["no work", "", "", *(micro(empty_seconds(report, way)) for way in ways)])
    return table("Table 3.1: T_s of a thread, µs (misfit of the model)",
                 ["n", *(f"paper, {name}" for name in PAPER), *(WAYS[way] for way in ways)], rows)


def ode_table(report):
    """Returns the time of a cell's local step, by the kind of solver, on one thread and on all, and on a device."""
    most, rows = max(report["threads"]), []
    works = dict.fromkeys(one["work"] for run in report["runs"] for one in run["runs"] if one["work"].startswith("odes"))
    for run in report["runs"]:
        if run["threads"] != most:
            continue
        for work in works:
            for one in run["runs"]:
                if one["work"] == work and one["n"] == max(sizes_of(report, work)):
                    cells = report["elements"] * one["n"]
                    rows.append([work, one["way"], f"{cells:,}", digits(1e9 * statistics.median(one["seconds"]) / cells)])
    unique = [row for i, row in enumerate(rows) if row[:2] not in [other[:2] for other in rows[:i]]]
    return table(f"Local steps of the equations in cells, {most} threads", ["work", "way", "cells", "ns per cell and step"],
                 unique)


def text_of(report):
    text = (f"{report['processor']}, {report['date']}; {report['elements']} elements; mean (minimum … maximum) over "
            f"{len(report['runs'][0]['runs'][0]['seconds'])} runs.\n")
    return text + (speed_up_table(report, "products", "Figure 3.4: speed-up of products of n × n matrices") +
                   start_table(report) + speed_up_table(report, "odes", "Speed-up of the equations in n cells") +
                   ode_table(report))


def run_of(options, folder, threads):
    environment = os.environ | {"OMP_NUM_THREADS": str(threads), "KOKKOS_NUM_THREADS": str(threads), "OMP_PROC_BIND": "false"}
    command = [folder / PROGRAM, "--sizes", options.sizes, "--elements", options.elements, "--runs", options.runs,
               "--milliseconds", options.milliseconds]
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, env=environment)
    if done.returncode:
        fail(f"{folder / PROGRAM} exits with {done.returncode}, expected 0")
    found = json.loads(done.stdout)
    if found["threads"] != threads:
        fail(f"{folder / PROGRAM} runs on {found['threads']} threads, expected {threads}")
    return found


def measured(options):
    runs = []
    for threads in options.threads:
        for folder in options.programs:
            if not (folder / PROGRAM).exists():
                skip(f"{folder / PROGRAM} does not exist")
            runs.append(run_of(options, folder, threads))
            print(f"{folder}: {threads} threads", file=sys.stderr)
    return {"processor": runs[0]["processor"], "device": runs[0]["device"], "elements": options.elements,
            "date": time.strftime("%Y-%m-%d"), "threads": options.threads, "cores": len(os.sched_getaffinity(0)), "runs": runs}


def numbers_of(text):
    return [int(part) for part in text.split(",")]


def parsed():
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--programs", type=lambda text: [pathlib.Path(part) for part in text.split(",")],
                        default=[TREE / "build" / "bin"], metavar="FOLDER,FOLDER",
                        help="folders of builds with different backends")
    parser.add_argument("--threads", type=numbers_of, default=[p for p in (1, 2, 4, 6, 8, 10) if p <= max(cores, 2)],
                        metavar="N,N")
    parser.add_argument("--sizes", default="0,20,40,60,80,100", metavar="N,N", help="values of n; 0 for launches without work")
    parser.add_argument("--elements", type=int, default=120)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--milliseconds", type=int, default=20, help="duration of a run")
    parser.add_argument("--smoke", action="store_true", help="small sizes, two runs")
    parser.add_argument("--tables", action="store_true", help="use the JSON in FOLDER instead of measuring")
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"), help="page and place into which the tables are written")
    options = parser.parse_args()
    if max(options.threads) < 2:
        parser.error(f"--threads is {max(options.threads)}, expected a number above 1, to which T_s can be fitted")
    if "0" not in options.sizes.split(","):
        parser.error(f"--sizes is {options.sizes}, expected 0 among them, for launches without work")
    if options.smoke:
        options.sizes, options.elements, options.runs, options.milliseconds, options.threads = "0,4,8", 12, 2, 1, [1, 2]
    return options


def draw(report, path):
    import paper_002_elements_charts

    paper_002_elements_charts.draw(report, path)


def main():
    write_report(parsed(), NAME, measured, text_of, draw)


if __name__ == "__main__":
    main()
