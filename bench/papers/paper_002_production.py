#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures Figures 2, 10 to 19, 23 to 25, 34 and 35, and Table 4.1, of chapter 4 of Lee (2012): generation of random numbers.

  paper_002_production.py FOLDER [--programs build/bin] [--space cuda] [--engine ranlux24-0] [--into PAGE PLACE]
  paper_002_production.py FOLDER --tables [--into PAGE PLACE]     uses the existing JSON without measuring

The cost of generation depends on the copied bytes, the size of a work group and the number of work items. The figures also
show the speed-up of estimating π by the size of a work group, and the speed-up of agents in elements whose random numbers,
or random numbers and differential equations, are computed on the device (section 4.5.4). The script writes
paper-002-production.json, .md and, with matplotlib, .svg and .png into FOLDER; for ranlux24-0 (luxury 0, Figures 16 to 19
of the paper) the name is paper-002-production-luxury-0.

The table of the paper is for an ATI Radeon HD 5750 and an NVIDIA S2050. On a host, a thread is a compute unit with one work
item, and copies are from memory to memory. One prediction is (4.15) with (4.6) to (4.8) and (4.16), with constants fitted to
the times of Figures 16 and 18. The other is (4.6) to (4.8), fitted to the times of a work group (Figures 14 and 15).
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import TREE, digits, fail, skip, table, write_report  # noqa: E402

NAME = "paper-002-production"
INSTRUCTIONS = 200  # per random number, the unit in which the paper measures reuse


class KernelModel:
    """Model (4.15), T_k = b + t n_k ⌈n_wi / width⌉ for n_i kernels, each with a copy.

    The constants are fitted by least squares of relative errors.
    """

    def __init__(self, entries, copy, iterations=10):
        self.copy, self.iterations, self.error = copy, iterations, math.inf
        for width in (2**k for k in range(0, 18)):
            pairs = [(entry["cycles"] * -(-entry["items"] // width), self.kernel_seconds(entry)) for entry in entries]
            fitted = self.fitted([(x, y) for x, y in pairs if y > 0])
            if fitted and fitted[2] < self.error:
                self.start, self.cycle, self.error = fitted
                self.width = width

    def copied(self, entry):
        return self.copy["start"] + 8 * self.copy["each"] * entry["cycles"] * entry["items"] if self.copy else 0

    def kernel_seconds(self, entry):
        return entry["seconds"] / self.iterations - self.copied(entry)

    @staticmethod
    def fitted(pairs):
        """Fits y = start + each x with weights 1 / y, and returns start, each and the sum of squared relative errors."""
        n, a, b, c, d = 0, 0, 0, 0, 0
        for x, y in pairs:
            n, a, b, c, d = n + 1 / y**2, a + x / y**2, b + x**2 / y**2, c + 1 / y, d + x / y
        if not pairs:
            return None
        determinant = n * b - a * a
        start, each = (max((b * c - a * d) / determinant, 0), (n * d - a * c) / determinant) if determinant > 0 else (0, 0)
        if each <= 0:  # the times do not grow: use the best line with a slope of at least 0
            start, each = c / n, 0
        return start, each, sum(((start + each * x) / y - 1) ** 2 for x, y in pairs)

    def seconds(self, entry, is_limited=True):
        rounds = -(-entry["items"] // self.width) if is_limited else 1
        return self.iterations * (self.start + self.cycle * entry["cycles"] * rounds + self.copied(entry))


class GroupModel:
    """Model (4.6) to (4.8) of one work group, T = b + n_k (a + t ⌈n_wgs / p_wgs⌉), with b + n_k a as one constant.

    The constants are fitted by least squares of relative errors.
    """

    def __init__(self, sizes, smallest):
        self.error = math.inf
        for width in (smallest * 2**k for k in range(0, 6)):
            fitted = KernelModel.fitted([(-(-one["size"] // width), one["seconds"]) for one in sizes])
            if fitted[2] < self.error:
                self.start, self.step, self.error = fitted
                self.width = width

    def seconds(self, size):
        return self.start + self.step * -(-size // self.width)


def group_model_of(report):
    return GroupModel(report["group_sizes"], report["unit_items"])


def model_of(report):
    copy = None if report["space"] in ("serial", "openmp") else report["copies"]["to_host"]
    return KernelModel(report["work_items"] + report["chosen"], copy)


def speed_up_of_reuse(report, model, words, reuse):
    """Returns S(n, ρ) of (4.4), where generating a number counts as 200 instructions (Figure 2)."""
    start, each = (report["copies"]["to_host"][name] for name in ("start", "each"))
    on_device = reuse * model.cycle / INSTRUCTIONS * math.ceil(words / model.width) + start + 8 * each * words
    return reuse * report["words"] / INSTRUCTIONS * words / on_device


def text_of(report):
    model = model_of(report)
    text = (f"{report['device']}, host {report['processor']}, {report['date']}; {report['engine']}, "
            f"{report['draws']:,} draws, {report['compute_units']} compute units.\n")
    copies = report["copies"]
    text += table("Table 4.1: copies", ["constant", "HD 5750", "S2050", "here"],
                  [["start of a copy, µs", "2900", "3000",
                    f"{digits(1e6 * copies['to_device']['start'])}, {digits(1e6 * copies['to_host']['start'])} back"],
                   ["to the device, ns per byte", "0.23", "0.29", digits(1e9 * copies["to_device"]["each"])],
                   ["to the host, ns per byte", "0.19", "0.37", digits(1e9 * copies["to_host"]["each"])],
                   ["start of a kernel, µs", "900", "1000", digits(1e6 * model.start)],
                   ["a cycle, ns", "160", "400", digits(1e9 * model.cycle)],
                   ["simultaneous work items", "720", "448", str(model.width)],
                   ["a number in place, ns", "65", "50; 120 with luxury 2", digits(1e9 * report["words"])]])
    sizes = report["group_sizes"]
    if len(sizes) > 1:
        group_model = group_model_of(report)
        text += table(f"Figures 14, 15: a work group, {report['cycles']:,} cycles", ["items", "ms", "(4.6), ms"],
                      [[str(one["size"]), digits(1e3 * one["seconds"]), digits(1e3 * group_model.seconds(one["size"]))]
                       for one in sizes[:: max(len(sizes) // 16, 1)]])
        text += (f"\n(4.6) with {digits(1e3 * group_model.start)} ms and {digits(1e9 * group_model.step / report['cycles'])} ns per "
                 f"cycle for each {group_model.width} items.\n")

    def rows(entries):
        return [[str(one["groups"]), str(one["size"]), f"{one['items']:,}", digits(1e9 * one["seconds_of_draw"]),
                 digits(report["words"] / one["seconds_of_draw"]), digits(model.seconds(one) / one["seconds"]),
                 digits(model.seconds(one, False) / one["seconds"])] for one in entries]

    header = ["groups", "group size", "items", "ns per draw", "speed-up", "predicted / measured", "with unlimited units"]
    text += table("Figures 16, 17: generation by work items", header, rows(report["work_items"]))
    text += table("Figures 18, 19: work items chosen by the model (4.19)", header, rows(report["chosen"]))
    names = [group_name(of) for of in report["pi"][0]["blocks"]]
    text += table("Figures 24, 25: π, speed-up over words in place (64 bits in place)",
                  ["samples", *names, f"π, {names[0]}", "standard error"],
                  [[f"{one['samples']:,}", *(f"{one['words'] / of['seconds']:.2f} ({one['in_place'] / of['seconds']:.2f})"
                                             for of in one["blocks"]),
                    f"{one['blocks'][0]['pi']:.5f}", digits(one["error"])] for one in report["pi"]])
    text += table(f"Figure 23: spread of {report['means']} means of π",
                  ["samples", "numbers from blocks", "drawn in place", "independent samples"],
                  [[f"{one['samples']:,}", *(f"{one[what]:.4g}" for what in ("blocks", "in_place", "expected"))]
                   for one in report["spread"]])
    return text + hybrid_text(report["hybrid"]) if "hybrid" in report else text


def group_name(of):
    """Returns the name of a line of Figure 24. Older reports have work items, but no sizes of groups."""
    return f"groups of {of['group_size']}" if "group_size" in of else f"{of['lanes']:,} work items"


def speed_ups_of(run):
    """Returns the speed-ups over cores alone of Figure 34 (random numbers on the device) and Figure 35 (equations, too),
    and the speed-up from 34 to 35 with its prediction by (4.5) and (4.15)."""
    return (run["cores"] / run["numbers"], run["cores"] / run["hybrid"], run["numbers"] / run["hybrid"],
            run["predicted_numbers"] / run["predicted_hybrid"])


def hybrid_text(hybrid):
    rows = [[str(run["processors"]), f"{run['agents']:,}", str(run["steps"]), digits(1e3 * run["cores"]),
             *(f"{x:.2f}" for x in speed_ups_of(run))]
            for run in hybrid["runs"]]
    return table("Figures 34, 35: agents, speed-up over cores alone",
                 ["cores", "agents", "steps of equations", "cores alone, ms", "random numbers on the device (34)",
                  "equations, too (35)", "(35) over (34)", "predicted"], rows) + (
        f"\nAn agent takes {digits(1e9 * hybrid['host'])} ns on a core, {digits(1e9 * hybrid['packing'])} ns to get to "
        f"the work set and back, and {digits(1e9 * hybrid['work'])} ns for each step of its "
        f"equations. A kernel takes {digits(1e6 * hybrid['kernel_start'])} µs, and {digits(1e9 * hybrid['kernel_step'])} ns for "
        f"a step of each {hybrid['kernel_width']:,} agents.\n")


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--programs", type=pathlib.Path, default=TREE / "build" / "bin")
    parser.add_argument("--space", default="openmp", help="backend that generates: serial, openmp, cuda")
    parser.add_argument("--engine", default="ranlux24-2", help="ranlux24-0, ranlux24-2")
    parser.add_argument("--draws", type=int, help="draws for Figures 16 to 19; default: 2^22, on a device 98,304,000 as in the paper")
    parser.add_argument("--samples", type=int, help="maximum number of samples for π; default: 10^6, on a device 10^7")
    parser.add_argument("--group-sizes", default="80,160,240", metavar="N,N", help="work items of a group of Figure 24")
    parser.add_argument("--cores", default="2", metavar="N,N", help="cores of Figures 34 and 35")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--smoke", action="store_true", help="small sizes, one repeat")
    parser.add_argument("--tables", action="store_true", help="use the JSON in FOLDER instead of measuring")
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"), help="page and place into which the tables are written")
    return parser.parse_args()


def measured(options):
    program = options.programs / "paper_002_production"
    if not program.exists():
        skip(f"{program} does not exist")
    on_host = options.space in ("serial", "openmp")
    flags = {"--space": options.space, "--engine": options.engine, "--repeats": options.repeats,
             "--draws": options.draws or (1 << 22 if on_host else 98_304_000),
             "--samples": options.samples or (1_000_000 if on_host else 10_000_000),
             "--group-sizes": options.group_sizes, "--cores": options.cores}
    if options.smoke:
        flags |= {"--repeats": 1, "--draws": 20_000, "--samples": 10_000, "--cycles": 10, "--largest-copy": 100_000,
                  "--group-sizes": "32,64", "--agents": "40,400", "--ode-steps": "1,5"}
    done = subprocess.run([str(part) for flag in [(program,), *flags.items()] for part in flag], stdout=subprocess.PIPE,
                          text=True)
    if done.returncode:
        fail(f"paper_002_production exits with {done.returncode}, expected 0")
    return json.loads(done.stdout) | {"date": time.strftime("%Y-%m-%d")}


def draw(report, path):
    import paper_002_production_charts

    paper_002_production_charts.draw(report, model_of(report), group_model_of(report), speed_up_of_reuse, path)


def main():
    options = parsed()
    write_report(options, NAME + ("-luxury-0" if options.engine == "ranlux24-0" else ""), measured, text_of, draw)


if __name__ == "__main__":
    main()
