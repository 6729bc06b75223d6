#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures Figures 27 to 33 of Lee (2012): the speed-up of photons by pre-generated random numbers, and the spread of ranks.

  paper_002_figures_27_33.py FOLDER [--programs build/bin] [--space cuda] [--into PAGE PLACE]
  paper_002_figures_27_33.py FOLDER --tables [--into PAGE PLACE]     uses the existing JSON without measuring

The speed-up depends on the number of photons, block sizes, threads, sampled points and processes. The script writes
paper-002-figures-27-33.json, .md and, with matplotlib, .svg and .png into FOLDER.

The reference is one thread that draws 24-bit words from RANLUX (luxury 2) in place, as GSL's ranlxs2 does. The speed-up is
its time divided by the time of the same number of photons with blocks of 53-bit numbers of the same engine, from the call
to the last photon, including the first block. The reference of the value in brackets draws 53 bits in place. The value after
a slash is the prediction of BlockModel for the first speed-up: (4.22) with constants measured on this machine and the time
to use a pre-generated number (Figure 31). The minimum over the repeats counts. The slope of the spread must be -1/2 within
--tolerance. By default, threads and processes go up to the number of cores. The time per photon of drawing in place does not
depend on the number of photons, so at most --reference-photons are timed. Runs of more than 10^4 photons are timed once.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import TREE, MPI_ENVIRONMENT, digits, fail, plural, skip, table, write_report  # noqa: E402

NAME = "paper-002-figures-27-33"
# The producing threads of a rank need cores that no other thread uses.
UNBOUND = {"OMPI_MCA_hwloc_base_binding_policy": "none", "PRTE_MCA_hwloc_default_binding_policy": "none"}
SMALL_BLOCKS, LARGE_BLOCKS = [1 << 12, 1 << 14, 1 << 16], [1 << 18, 1 << 20, 1 << 22]
BLOCK, POINTS = 1 << 16, [80, 160, 240]  # block size unless it is varied; points per element as in the paper


class Runner:
    """Runs paper_002_photons, at most once for each configuration, because figures share configurations.

    The first run measures the constants of the model and stores them in the folder `constants`.
    """

    def __init__(self, options, constants):
        self.options, self.constants, self.runs, self.seconds_of_use = options, pathlib.Path(constants), {}, {}

    def run(self, photons, points=80, threads=1, ranks=1, numbers="blocks", block_size=BLOCK):
        key = (photons, points, threads, ranks, numbers, block_size)
        if key not in self.runs:
            self.runs[key] = self.measured(*key)
        return self.runs[key]

    def use(self, points):
        """Returns the seconds to use a pre-generated number, which is the slope of Figure 31."""
        if points not in self.seconds_of_use:
            self.seconds_of_use[points] = use_of_numbers(self, points)["slope"]
        return self.seconds_of_use[points]

    def measured(self, photons, points, threads, ranks, numbers, block_size):
        options = self.options
        launcher = [options.mpirun, "-n", str(ranks)] if ranks > 1 else []
        repeats = options.repeats if photons <= 10_000 else 1
        flags = {"--photons": photons, "--points": points, "--threads": threads, "--numbers": numbers,
                 "--block-size": block_size, "--space": options.space, "--engine": options.engine,
                 "--repeats": repeats}
        if numbers == "blocks" and ranks == 1:
            flags["--ready"] = max(self.use(points), 0)
        command = [*launcher, options.programs / "paper_002_photons", *(part for flag in flags.items() for part in flag),
                   *(["--mpi"] if ranks > 1 else [])]
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True,
                              env=os.environ | MPI_ENVIRONMENT | UNBOUND | {"SPOROS_CACHE": str(self.constants)})
        if done.returncode:
            fail(f"paper_002_photons exits with {done.returncode}, expected 0")
        return json.loads(done.stdout)

    def point(self, photons, points=80, **how):
        """Returns the speed-ups of a run over drawing words and 64 bits in place, and the predicted one."""
        run = self.run(photons, points, **how)
        ours = min(run["seconds"])
        timed = min(photons, self.options.reference_photons)
        words, in_place = (photons / timed * min(self.run(timed, points, numbers=numbers)["seconds"])
                           for numbers in ("words", "in-place"))
        point = {"photons": photons, "seconds": ours, "over_words": words / ours, "over_in_place": in_place / ours}
        return point | ({"predicted": words / run["predicted"]} if "predicted" in run else {})

    def line(self, name, points=80, **how):
        """Returns a line of a figure against the number of photons."""
        print(f"{name} …", file=sys.stderr)
        return {"name": name, "points": [self.point(photons, points, **how) for photons in self.options.photons]}


def count(number):
    return f"{number >> 20} Mi" if number >> 20 else f"{number >> 10} Ki"


def figures(runner):
    options = runner.options
    def blocks(sizes):
        return [runner.line(f"blocks of {count(size)}", block_size=size) for size in sizes]

    return {"27": {"title": "large blocks", "lines": blocks(LARGE_BLOCKS)},
            "28": {"title": "small blocks", "lines": blocks(SMALL_BLOCKS)},
            "29": {"title": "threads", "lines": [runner.line(plural(n, "thread"), threads=n) for n in options.threads]},
            "30": {"title": "points sampled per element",
                   "lines": [runner.line(f"{points} points", points) for points in POINTS]},
            "32": {"title": f"ranks with {plural(options.threads_of_rank, 'thread')}",
                   "lines": [runner.line(f"ranks: {n}", ranks=n, threads=options.threads_of_rank) for n in options.ranks]}}


def use_of_numbers(runner, points):
    """Returns Figure 31: the seconds to use a pre-generated block by its size, and the least-squares line."""
    of_photon = runner.run(100, points, numbers="ready")["draws"] / 100
    found = [runner.run(max(round(size / of_photon), 1), points, numbers="ready") for size in runner.options.used]
    x, y = [one["draws"] for one in found], [min(one["seconds"]) for one in found]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)
    return {"points": points, "numbers": x, "seconds": y, "slope": slope, "start": mean_y - slope * mean_x}


def spread(options, folder):
    path = folder / "spread.json"
    done = subprocess.run([options.programs / "paper_002_figure_33", "--ranks", str(options.spread_ranks), "--photons",
                           ",".join(map(str, options.spread_photons)), "--json", path, "--engine", options.engine,
                           "--space", options.space, "--block-size", str(options.spread_block), "--tolerance",
                           str(options.tolerance)])
    if done.returncode:
        fail(f"paper_002_figure_33 exits with {done.returncode}, expected 0")
    report = json.loads(path.read_text())
    path.unlink()
    return report


def speed_up_table(number, figure):
    lines = figure["lines"]
    def cell(point):
        predicted = f" / {point['predicted']:.2f}" if "predicted" in point else ""
        return f"{point['over_words']:.2f} ({point['over_in_place']:.2f}){predicted}"

    rows = [[f"{first['photons']:,}", *(cell(line["points"][i]) for line in lines)]
            for i, first in enumerate(lines[0]["points"])]
    return table(f"Figure {number}: {figure['title']}, speed-up", ["photons", *(line["name"] for line in lines)], rows)


def text_of(report):
    context = report["context"]
    made = f"{context['processor']}, {plural(context['cores'], 'core')}, {context['date']}; {context['engine']}"
    device = "" if context.get("device") in (None, context["processor"]) else f" on {context['device']}"
    prediction = ", after the slash predicted by (4.22)" if "constants" in report else ""
    text = f"{made}, blocks from {context['space']}{device}; in brackets over drawing 64 bits in place{prediction}.\n"
    text += "".join(speed_up_table(number, figure) for number, figure in report["figures"].items())
    text += table("Figure 31: use of a random number, without its generation", ["points", "ns per number", "paper, ns"],
                  [[str(line["points"]), digits(1e9 * line["slope"]), paper]
                   for line, paper in zip(report["use"], ("138", "69", "46"))])
    spread = report["spread"]
    text += table(f"Figure 33: spread of the means of {spread['ranks']} ranks with {plural(spread['threads'], 'thread')}, blocks "
                  f"from {spread.get('space', 'openmp')}",
                  ["photons per rank", "mean temperature, K", "its deviation, K", "deviation of the energy fraction",
                   "for independent photons"],
                  [[f"{one['photons']:,}", f"{one['temperature']:.2f}", f"{one['deviation']:.3g}",
                    f"{one['share_deviation']:.4g}", f"{one['expected_share_deviation']:.4g}"] for one in spread["points"]])
    slopes = (f"{spread[what]['slope']:.4f} ± {spread[what]['error']:.4f} of the {name}"
              for what, name in (("temperature", "temperature"), ("share", "energy fraction")))
    return text + f"\nSlopes: {', '.join(slopes)} (standard errors).\n"


def numbers_of(text):
    return [int(float(part)) for part in text.split(",")]


def powers_of_two(largest):
    return [1 << i for i in range(largest.bit_length()) if 1 << i <= largest]


def parsed():
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--programs", type=pathlib.Path, default=TREE / "build" / "bin")
    parser.add_argument("--space", default="serial", help="backend that generates the blocks: serial, cuda")
    parser.add_argument("--engine", default="ranlux24-2", help="engine of the blocks: ranlux24-2, philox")
    parser.add_argument("--photons", type=numbers_of, metavar="N,N",
                        help="numbers of photons; default: 100 to 10,000, on a device 10^3 to 10^6")
    parser.add_argument("--reference-photons", type=int, default=100_000, help="maximum number of photons that draw in place")
    parser.add_argument("--threads", type=numbers_of, default=powers_of_two(min(cores, 32)), metavar="N,N")
    parser.add_argument("--ranks", type=numbers_of, metavar="N,N",
                        help="default: powers of two up to 10 and to the number of cores; 1 without mpirun")
    parser.add_argument("--threads-of-rank", type=int, default=1)
    parser.add_argument("--used", type=numbers_of, default=[896_000 * i for i in range(1, 6)], metavar="N,N",
                        help="random numbers for Figure 31")
    parser.add_argument("--spread-ranks", type=int, default=2500)
    parser.add_argument("--spread-photons", type=numbers_of, default=[100, 316, 1000, 3162, 10000], metavar="N,N")
    parser.add_argument("--spread-block", type=int, default=1024, help="draws per block for Figure 33")
    parser.add_argument("--tolerance", type=float, default=0.02, help="tolerance of the slope of Figure 33")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--smoke", action="store_true", help="small sizes, one repeat")
    parser.add_argument("--tables", action="store_true", help="use the JSON in FOLDER instead of measuring")
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"), help="page and place into which the tables are written")
    options = parser.parse_args()
    if options.photons is None:
        on_host = options.space in ("serial", "openmp")
        options.photons = [100, 316, 1000, 3162, 10_000] if on_host else [1000, 10_000, 100_000, 1_000_000]
    if options.ranks is None:
        options.ranks = powers_of_two(min(cores, 10)) if shutil.which(options.mpirun) else [1]
    if options.smoke:
        options.photons, options.used, options.repeats, options.spread_photons = [10, 30], [20_000, 60_000], 1, [30, 1000]
        options.spread_ranks, options.tolerance, options.engine = 200, 0.2, "philox"
    return options


def measured(options):
    for program in ("paper_002_photons", "paper_002_figure_33"):
        if not (options.programs / program).exists():
            skip(f"{options.programs / program} does not exist")
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options, folder)
        drawn, use = figures(runner), [use_of_numbers(runner, points) for points in POINTS]
        constants = [json.loads(path.read_text()) for path in runner.constants.iterdir()]
    first = runner.run(options.photons[0])
    context = {"processor": first["processor"], "device": first["device"], "cores": len(os.sched_getaffinity(0)),
               "date": time.strftime("%Y-%m-%d"), "space": options.space, "engine": options.engine,
               "load": os.getloadavg()[0]}
    return {"context": context, "constants": constants, "figures": drawn, "use": use,
            "spread": spread(options, options.folder)}


def draw(report, path):
    import paper_002_charts

    paper_002_charts.draw(report, path)


def main():
    write_report(parsed(), NAME, measured, text_of, draw)


if __name__ == "__main__":
    main()
