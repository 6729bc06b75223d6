#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures Figures 20 to 22 and 27 to 33 of Lee (2012): photons with pre-generated random numbers, and the spread of ranks.

  paper_002_figures_27_33.py FOLDER [--programs build/bin] [--space cuda] [--into PAGE PLACE]
  paper_002_figures_27_33.py FOLDER --tables [--into PAGE PLACE]     uses the existing JSON without measuring

The speed-up depends on the number of photons, block sizes, threads, sampled points and processes. Figures 20 to 22 are
timelines: when blocks are computed, copied and consumed. The script writes paper-002-figures-27-33.json, .md and, with
matplotlib, .svg and .png into FOLDER, and the timelines as paper-002-timelines.svg and .png.

Figures 27 and 28 have the blocks of the paper: 14 work groups of 96 work items, 500 kernel cycles and --iterations, and one
iteration of 20, 40 and 60 cycles. One kernel computes a block and one copy delivers it, so that iterations are cycles, too.

The reference is one thread that draws 24-bit words from RANLUX (luxury 2) in place, as GSL's ranlxs2 does. The speed-up is
its time divided by the time of the same number of photons with blocks of 53-bit numbers of the same engine, from the call
to the last photon, including the first block. The reference of the value in brackets draws 53 bits in place. The value after
a slash is the prediction of BlockModel for the first speed-up: (4.22) with constants measured on this machine and the time
to use a pre-generated number (Figure 31). Figure 31 also has the time of a block's photons without their sampled points, which
falls as 1/points as in the paper. The minimum over the repeats counts. The slope of the spread must be -1/2 within
--tolerance. By default, threads and processes go up to the number of cores. The time per photon of drawing in place does not
depend on the number of photons, so at most --reference-photons are timed. Runs of more than 10^4 photons, or of more than 10^7
numbers per block, are timed once. Lines end at --photons-of-thread photons per thread, except that of the largest blocks.
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
BLOCK, POINTS = 1 << 16, [80, 160, 240]  # block size unless it is varied; points per element as in the paper
GROUP, GROUPS = 96, 14  # size and number of the paper's work groups, in Figures 27 to 32
LARGE_CYCLES, SMALL_CYCLES = 500, [20, 40, 60]  # kernel cycles of Figures 27 and 28
# Constants of the paper for Figures 29 to 32: ns to draw a number on a CPU, ns to use one by points, threads of 10 nodes.
PAPER_DRAW, PAPER_USE, PAPER_THREADS = 120, {80: 138, 160: 69, 240: 46}, 80


class Runner:
    """Runs paper_002_photons, at most once for each configuration, because figures share configurations.

    The first run measures the constants of the model and stores them in the folder `constants`.
    """

    def __init__(self, options, constants):
        self.options, self.constants, self.runs, self.seconds_of_use = options, pathlib.Path(constants), {}, {}

    def run(self, photons, points=80, threads=1, ranks=1, numbers="blocks", block_size=BLOCK, lanes=4096, group_size=0,
            **more):
        key = (photons, points, threads, ranks, numbers, block_size, lanes, group_size, *more.items())
        if key not in self.runs:
            self.runs[key] = self.measured(*key)
        return self.runs[key]

    def use(self, points):
        """Returns the seconds to use a pre-generated number, which is the slope of Figure 31."""
        if points not in self.seconds_of_use:
            self.seconds_of_use[points] = use_of_numbers(self, points)["slope"]
        return self.seconds_of_use[points]

    def measured(self, photons, points, threads, ranks, numbers, block_size, lanes, group_size, *more):
        options = self.options
        launcher = [options.mpirun, "-n", str(ranks)] if ranks > 1 else []
        repeats = options.repeats if photons <= 10_000 and block_size <= 10_000_000 else 1
        flags = {"--photons": photons, "--points": points, "--threads": threads, "--numbers": numbers,
                 "--block-size": block_size, "--space": options.space, "--engine": options.engine,
                 "--repeats": repeats, "--lanes": lanes, "--group-size": group_size, **dict(more)}
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

    def line(self, name, points=80, least=0, most=None, **how):
        """Returns a line of a figure against the number of photons, from `least` to `most` of each thread."""
        print(f"{name} …", file=sys.stderr)
        most = (most or self.options.photons_of_thread) * how.get("threads", 1) * how.get("ranks", 1)
        return {"name": name, "points": [self.point(photons, points, **how) for photons in self.options.photons
                                         if least <= photons <= most]}


def figures(runner):
    options = runner.options
    least = min(1000, options.photons[-1])  # of Figures 29 and 32, as in the paper

    def blocks(cycles, most=None):
        items = GROUP * GROUPS
        return runner.line(f"blocks of {cycles * items:,}", most=most, block_size=cycles * items, lanes=items,
                           group_size=GROUP)

    return {"27": {"title": "large blocks",
                   "lines": [blocks(LARGE_CYCLES * n, max(options.photons) if n == max(options.iterations) else None)
                             for n in options.iterations]},
            "28": {"title": "small blocks", "lines": [blocks(cycles) for cycles in SMALL_CYCLES]},
            "29": {"title": "threads",
                   "lines": [runner.line(plural(n, "thread"), least=least, threads=n) for n in options.threads]},
            "30": {"title": "points sampled per element",
                   "lines": [runner.line(f"{points} points", points) for points in POINTS]},
            "32": {"title": f"ranks with {plural(options.threads_of_rank, 'thread')}",
                   "lines": [runner.line(f"ranks: {n}", least=least, ranks=n, threads=options.threads_of_rank)
                             for n in options.ranks]}}


def least_squares(x, y):
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)
    return {"seconds": y, "slope": slope, "start": mean_y - slope * mean_x}


def use_of_numbers(runner, points):
    """Returns Figure 31: the seconds to use a pre-generated block by its size, and the least-squares line.

    `own` are the seconds of the same photons without the sampled points: exact paths take no numbers in an element. They are
    short, so that 20 times as many photons are timed.
    """
    some, more = 1000, 20
    of_photon = runner.run(some, points, numbers="ready")["draws"] / some
    photons = [max(round(size / of_photon), 1) for size in runner.options.used]
    found = [runner.run(one, points, numbers="ready") for one in photons]
    own = [min(runner.run(more * one, 0, numbers="ready")["seconds"]) / more for one in photons]
    numbers = [one["draws"] for one in found]
    return {"points": points, "numbers": numbers, **least_squares(numbers, [min(one["seconds"]) for one in found]),
            "own": least_squares(numbers, own)}


# Timelines: the figure, the photons and how they run. A single work group produces too slowly for a consumer (Figure 20), the
# work groups of the paper produce faster than it consumes (21), and four threads consume at once (22). A single thread
# produces, as in the paper.
SLOW, FAST = {"lanes": 64, "group_size": 64}, {"lanes": GROUP * GROUPS, "group_size": GROUP}
TIMELINES = [("20 (a)", 150, {"block_size": 53_760, **SLOW}), ("20 (b)", 150, {"block_size": 26_880, **SLOW}),
             ("21 (a)", 150, {"block_size": 53_760, **FAST}), ("21 (b)", 150, {"block_size": 107_520, **FAST}),
             ("22", 600, {"block_size": 53_760, "threads": 4, **FAST})]


def timelines(runner):
    found = []
    for number, photons, how in TIMELINES:
        photons = max(round(photons * runner.options.timeline_scale), 1)
        run = runner.run(photons, **how, **{"--timeline": "recorded", "--producers": 1})
        events, seconds = run["timeline"], run["seconds"][-1]
        consumers = {one["consumer"] for one in events["consumed"]}
        first = {c: min(one["from"] for one in events["consumed"] if one["consumer"] == c) for c in consumers}
        last = {c: max(one["to"] for one in events["consumed"] if one["consumer"] == c) for c in consumers}
        used = sum(one["to"] - one["from"] for one in events["consumed"])
        after_first = sum(last[c] - first[c] for c in consumers)
        found.append({"figure": number, "photons": photons, "block_size": run["block_size"], "lanes": how["lanes"],
                      "threads": run["threads"], "seconds": seconds, "predicted": run["predicted"], "events": events,
                      "first": max(first.values()), "waits": 1 - used / after_first})
    return found


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


def use_table(lines):
    rows = []
    for line in lines:
        points, own = line["points"], 1e9 * line.get("own", line)["slope"]  # older reports have only the time of all
        rows.append([str(points), digits(own), digits(own * points / POINTS[0]), digits(1e9 * line["slope"]),
                     str(PAPER_USE[points])])
    return table("Figure 31: slope of T_RHT(B), without the generation of numbers",
                 ["points", "photons without sampled points, ns", "times points / 80", "all, ns", "paper, ns"], rows)


def timeline_table(found):
    return table("Figures 20, 21, 22: timelines",
                 ["figure", "threads", "block", "work items", "ms", "predicted / measured", "first block, ms",
                  "later waits, %"],
                 [[one["figure"], str(one["threads"]), f"{one['block_size']:,}", f"{one['lanes']:,}",
                   digits(1e3 * one["seconds"]), f"{one['predicted'] / one['seconds']:.2f}", digits(1e3 * one["first"]), f"{100 * one['waits']:.0f}"]
                  for one in found])


def bounds_table(report):
    """Returns what (4.23) allows if numbers take no time: p (T_RN + T_RHT) / T_RHT, for the paper's constants and for ours."""
    best = max((point["over_words"], line["name"]) for line in report["figures"]["32"]["lines"] for point in line["points"])
    rows = [[f"paper, {points} points", str(PAPER_DRAW), str(use), f"{1 + PAPER_DRAW / use:.2f}", str(PAPER_THREADS),
             f"{PAPER_THREADS * (1 + PAPER_DRAW / use):.0f}", "nearly 1000"] for points, use in PAPER_USE.items()]
    if "words" in report:
        cores, draw, use = report["context"]["cores"], report["words"] - report["use"][0]["slope"], report["use"][0]["slope"]
        rows.append(["here, 80 points", digits(1e9 * draw), digits(1e9 * use), f"{1 + draw / use:.2f}", str(cores),
                     f"{cores * (1 + draw / use):.0f}", f"{best[0]:.1f} ({best[1]})"])
    return table("Largest speed-up by (4.23)", ["", "draw, ns", "use, ns", "of a thread", "cores", "of all", "measured"], rows)


def speed_up_table(number, figure):
    lines = figure["lines"]
    def cell(point):
        predicted = f" / {point['predicted']:.2f}" if "predicted" in point else ""
        return f"{point['over_words']:.2f} ({point['over_in_place']:.2f}){predicted}"

    photons = sorted({point["photons"] for line in lines for point in line["points"]})
    found = [{point["photons"]: cell(point) for point in line["points"]} for line in lines]
    rows = [[f"{one:,}", *(cells.get(one, "") for cells in found)] for one in photons]
    return table(f"Figure {number}: {figure['title']}, speed-up", ["photons", *(line["name"] for line in lines)], rows)


def text_of(report):
    context = report["context"]
    made = f"{context['processor']}, {plural(context['cores'], 'core')}, {context['date']}; {context['engine']}"
    device = "" if context.get("device") in (None, context["processor"]) else f" on {context['device']}"
    prediction = ", after the slash predicted by (4.22)" if "constants" in report else ""
    text = f"{made}, blocks from {context['space']}{device}; in brackets over drawing 64 bits in place{prediction}.\n"
    text += timeline_table(report.get("timelines", []))
    text += "".join(speed_up_table(number, figure) for number, figure in report["figures"].items())
    text += bounds_table(report)
    text += use_table(report["use"])
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
    parser.add_argument("--photons-of-thread", type=int, default=10**9, help="maximum number of photons per thread")
    parser.add_argument("--iterations", type=numbers_of, metavar="N,N",
                        help="kernel iterations of Figure 27; default: 10,100, on a device 10,100,1000 as in the paper")
    parser.add_argument("--timeline-scale", type=float, default=1, help="factor of the photons of Figures 20 to 22")
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
    on_host = options.space in ("serial", "openmp")
    if options.photons is None:
        options.photons = [100, 316, 1000, 3162, 10_000] if on_host else [100, 1000, 10_000, 100_000, 1_000_000]
    if options.iterations is None:
        options.iterations = [10, 100] if on_host else [10, 100, 1000]
    if options.ranks is None:
        options.ranks = powers_of_two(min(cores, 10)) if shutil.which(options.mpirun) else [1]
    if options.smoke:
        options.photons, options.used, options.repeats, options.spread_photons = [10, 30], [20_000, 60_000], 1, [30, 1000]
        options.spread_ranks, options.tolerance, options.engine = 200, 0.2, "philox"
        options.iterations, options.timeline_scale = [1], 0.2
    return options


def measured(options):
    for program in ("paper_002_photons", "paper_002_figure_33"):
        if not (options.programs / program).exists():
            skip(f"{options.programs / program} does not exist")
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options, folder)
        drawn, use = figures(runner), [use_of_numbers(runner, points) for points in POINTS]
        recorded = timelines(runner)
        words = runner.run(min(options.photons[-1], options.reference_photons), numbers="words")
        constants = [json.loads(path.read_text()) for path in runner.constants.iterdir()]
    first = runner.run(options.photons[0])
    context = {"processor": first["processor"], "device": first["device"], "cores": len(os.sched_getaffinity(0)),
               "date": time.strftime("%Y-%m-%d"), "space": options.space, "engine": options.engine,
               "load": os.getloadavg()[0]}
    return {"context": context, "constants": constants, "timelines": recorded, "figures": drawn, "use": use,
            "words": min(words["seconds"]) / words["draws"],
            "spread": spread(options, options.folder)}


def draw(report, path):
    import paper_002_charts

    paper_002_charts.draw(report, path)
    if "timelines" in report:
        paper_002_charts.draw_timelines(report, path.with_name("paper-002-timelines"))


def main():
    write_report(parsed(), NAME, measured, text_of, draw)


if __name__ == "__main__":
    main()
