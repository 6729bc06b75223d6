#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the scaled efficiency of germinal centres over ranks, and the speed-up over threads.

It follows Figures 2.7 and 2.8 of Lee (2012), fits the models there and extrapolates them to 10,000 ranks. It writes a
report and prints tables in Markdown.

  germinal_centre.py [--programs build/bin] [--out REPORT] [--into PAGE PLACE]
  germinal_centre.py --ranks 1,2,4,8,16,32 --threads 1,2,4,8,16,32 --seconds 420    on a larger machine
  germinal_centre.py --tables REPORT [--into PAGE PLACE] [--pictures FOLDER]        from an earlier run, without measuring

SE(p) = T(1 centre on 1 rank) / T(p centres on p ranks) = 1 / (1 + p rho kappa), rho = 1/n, n local steps between
exchanges; S(p) = T(1 thread) / T(p threads) = p / (1 + p^2 T_s / (N T_W)), N elements. The body grows with the number of
centres, so the work per centre is constant. Every round runs every configuration once; the order is reversed in every
other round. Ranks that share cores are compared with T(1) p / cores, and the models are not fitted to them. With --one-of,
a single rank also does the work of one of up to 10,000 ranks, without the network. The exit status is 77 if the program is
missing.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import TREE, MPI_ENVIRONMENT, fail, show, skip, write_whole  # noqa: E402
from germinal_centre_scaling import MANY, text_of  # noqa: E402

PROGRAM = "paper_002_germinal_centres"


def numbers_of(text):
    numbers = [int(part) for part in text.split(",")]
    if min(numbers) < 1:
        raise argparse.ArgumentTypeError(f"a number is {min(numbers)}, expected at least 1")
    return numbers


def available_cores():
    """Returns the number of cores that this process may use; hardware threads of a core count once."""
    cores = set()
    for cpu in os.sched_getaffinity(0):
        siblings = pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        cores.add(siblings.read_text() if siblings.exists() else cpu)
    return len(cores)


class Runner:
    """Runs the program for each configuration."""

    def __init__(self, options):
        self.options = options

    def configurations(self):
        """Returns kind and count of each configuration."""
        options = self.options
        return [*(("ranks", count) for count in options.ranks), *(("threads", count) for count in options.threads),
                *(("one_of", count) for count in options.one_of)]

    def command(self, kind, count):
        options = self.options
        exchanges = {"ranks": options.steps_per_exchange, "threads": [max(options.steps_per_exchange)],
                     "one_of": [min(options.steps_per_exchange)]}[kind]
        program = [options.programs / PROGRAM, options.case, "--cells", options.cells, "--local-steps", options.local_steps,
                   "--steps-per-exchange", ",".join(map(str, exchanges))]
        if kind == "ranks" and count > 1:
            return [*options.mpirun.split(), "-n", count, *program, "--mpi"]
        return program + {"ranks": [], "threads": ["--space", self.options.space], "one_of": ["--one-of", count]}[kind]

    def run(self, kind, count):
        count_of = {"OMP_NUM_THREADS": str(count), "KOKKOS_NUM_THREADS": str(count), "OMP_PROC_BIND": self.options.bind}
        threads = count_of if kind == "threads" else {}
        yields = {"OMPI_MCA_mpi_yield_when_idle": str(int(count > self.options.cores))}
        command = [str(part) for part in self.command(kind, count)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=os.environ | MPI_ENVIRONMENT | yields | threads)
        if done.returncode:
            fail(f"{' '.join(command)} exits with {done.returncode}, expected 0")
        return json.loads(done.stdout)

    def round(self, number):
        found = {"ranks": {}, "threads": {}, "one_of": {}}
        for kind, count in self.configurations()[:: -1 if number % 2 else 1]:
            found[kind][str(count)] = self.run(kind, count)
        return {kind: dict(sorted(runs.items(), key=lambda item: int(item[0]))) for kind, runs in found.items()}

    def rounds(self):
        """Returns at least two independent rounds, at most --rounds, within --seconds."""
        begun, rounds, longest = time.monotonic(), [], 0.0
        while len(rounds) < self.options.rounds:
            start = time.monotonic()
            if len(rounds) >= 2 and start - begun + longest > self.options.seconds:
                break
            rounds.append(self.round(len(rounds)))
            longest = max(longest, time.monotonic() - start)
            print(f"round {len(rounds)}, {time.monotonic() - begun:.0f} s", file=sys.stderr)
        return rounds


def measured(options):
    load, rounds = os.getloadavg()[0], Runner(options).rounds()
    one = rounds[0]["ranks"]["1"]
    context = {"processor": one["processor"], "cores": options.cores, "cpus": len(os.sched_getaffinity(0)),
               "date": time.strftime("%Y-%m-%d"), "load": load, "mpirun": options.mpirun, "case": options.case.name,
               "cells": options.cells, "elements": one["elements"], "bytes_of_centre": one["bytes_of_centre"],
               "agents": one["runs"][-1]["agents"], "local_steps": options.local_steps,
               "steps_per_exchange": options.steps_per_exchange, "thread_exchange": max(options.steps_per_exchange),
               "space": options.space}
    return {"context": context, "rounds": rounds}


def parsed():
    cores = available_cores()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=TREE / "build" / "bin")
    parser.add_argument("--case", type=pathlib.Path, default=TREE / "examples" / "data" / "germinal_centre.json")
    parser.add_argument("--cells", type=float, default=1, help="factor for the number of cells of the case")
    parser.add_argument("--mpirun", default="mpirun", help="MPI launcher, followed by its options")
    parser.add_argument("--ranks", type=numbers_of, default=[1, 2, 3, 4], metavar="1,2")
    parser.add_argument("--threads", type=numbers_of, default=[1, 2], metavar="1,2")
    parser.add_argument("--one-of", type=numbers_of, default=[1000, MANY], metavar="N,N",
                        help="numbers of ranks of which a single one runs")
    parser.add_argument("--steps-per-exchange", type=numbers_of, default=[1, 2, 5, 10, 60, 120], metavar="N,N",
                        help="local steps between exchanges")
    parser.add_argument("--local-steps", type=int, default=120, help="timed steps in a run; a multiple of the above numbers")
    parser.add_argument("--rounds", type=int, default=12, help="maximum number of rounds over all configurations")
    parser.add_argument("--seconds", type=float, default=420, help="time limit; no round starts that would exceed it")
    parser.add_argument("--cores", type=int, default=cores, help="number of cores, if ranks may use fewer than the system has")
    parser.add_argument("--space", default="openmp", choices=["openmp", "threads"],
                        help="backend of threads; threads requires programs of a Kokkos with Threads in place of OpenMP")
    parser.add_argument("--bind", default="false", help="OMP_PROC_BIND of threads: false, close, spread")
    parser.add_argument("--smoke", action="store_true", help="few cells, two rounds")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", default=pathlib.Path("germinal_centre.json"))
    parser.add_argument("--tables", type=pathlib.Path, metavar="REPORT", help="report of an earlier run to evaluate instead of measuring")
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"), help="page and place into which the tables are written")
    parser.add_argument("--pictures", type=pathlib.Path, metavar="FOLDER", help="folder for charts (requires matplotlib)")
    options = parser.parse_args()
    for name in ("ranks", "threads"):
        if getattr(options, name)[0] != 1:
            parser.error(f"--{name} begins with {getattr(options, name)[0]}, expected 1, with which the others are compared")
    for n in options.steps_per_exchange:
        if options.local_steps % n:
            parser.error(f"--local-steps is {options.local_steps}, expected a multiple of the {n} of --steps-per-exchange")
    if options.rounds < 2:
        parser.error(f"--rounds is {options.rounds}, expected at least 2 for an interval")
    if options.smoke:
        options.cells, options.local_steps, options.steps_per_exchange, options.rounds = 0.001, 4, [1, 4], 2
        options.one_of = [MANY]
    return options


def main():
    options = parsed()
    if options.tables:
        report = json.loads(options.tables.read_text())
    else:
        if not (options.programs / PROGRAM).exists():
            skip(f"there is no {options.programs / PROGRAM}")
        if max(options.ranks) > 1 and not shutil.which(options.mpirun.split()[0]):
            fail(f"there is no {options.mpirun.split()[0]}: expected another --mpirun, or --ranks 1")
        with write_whole(options.out) as out:
            report = measured(options)
            out.write(json.dumps(report, indent=1) + "\n")
    text = text_of(report)
    if options.pictures:
        import germinal_centre_charts

        for path, title in germinal_centre_charts.draw(report, options.pictures):
            relative = os.path.relpath(path, pathlib.Path(options.into[0]).parent) if options.into else path
            text += f"\n![{title}]({relative})\n"
    show(text, options.into)


if __name__ == "__main__":
    main()
