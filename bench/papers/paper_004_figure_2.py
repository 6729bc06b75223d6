#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws Figure 2 of He et al. (2024) for classification: time against features, and errors against iterations.

  paper_004_figure_2.py FOLDER [OPTION...]       writes paper-004-figure-2.json, .svg and .png; OPTIONs go to the program
  paper_004_figure_2.py FOLDER --drawing-only    draws the existing JSON

The script runs paper_004_classification, which prints tables. The exit status is 77 if matplotlib is missing; without it,
run the program with --data FILE, which writes the tables and the JSON.
"""
import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    print("paper_004_figure_2.py: matplotlib is not installed", file=sys.stderr)
    sys.exit(77)

BUILT = pathlib.Path(__file__).resolve().parents[2] / "build" / "bin" / "paper_004_classification"
# Colours that people with colour-blindness can distinguish (Okabe and Ito), and a different marker for each line.
BLUE, ORANGE, GREEN, PURPLE, BLACK = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000"
SIZES = [(BLUE, "o"), (ORANGE, "s"), (GREEN, "^"), (PURPLE, "D")]
BACKENDS = {"serial": ("Serial", BLUE, "o"), "openmp": ("OpenMP", ORANGE, "s"), "cuda": ("CUDA", GREEN, "^"),
            "hip": ("HIP", GREEN, "^")}
# Table 2 of the paper for 1000 features: iteration, mean and the printed ±, in percent.
PRINTED = {"GPU": [(50, 72.16, 8.44), (100, 51.06, 5.92), (500, 31.29, 4.07), (1000, 15.59, 4.00)],
           "CPU": [(50, 76.25, 7.74), (100, 53.46, 5.10), (500, 29.67, 5.21), (1000, 16.77, 3.71)]}
HIGHEST_PERCENT = 1e5  # upper end of the axis for f above the optimum


def case_of(instance, at_random, limited):
    return next(case for case in instance["cases"]
                if case["starts_at_random"] == at_random and case["are_steps_limited"] == limited)


def mean_and_band(values):
    """Returns the mean and two standard deviations."""
    return statistics.fmean(values), 2 * statistics.stdev(values) if len(values) > 1 else 0.0


def draw_times(axis, data):
    for backend, (title, color, marker) in BACKENDS.items():
        points = []
        for instance in data["instances"]:
            seconds = case_of(instance, False, True)["seconds"].get(backend)
            if seconds:
                points.append((instance["features"], *mean_and_band(seconds)))
        if not points:
            continue
        threads = data["threads"][backend]
        label = f"{title}, {threads} threads" if backend == "openmp" else title
        sizes, means, bands = zip(*points)
        # On a logarithmic axis, bars cannot extend to 0.
        down = [min(band, 0.9 * mean) for mean, band in zip(means, bands)]
        axis.errorbar(sizes, means, yerr=(down, bands), color=color, marker=marker, capsize=4, linewidth=1.6,
                      markerfacecolor="none", label=label)
    axis.set(xscale="log", yscale="log", xlabel="features n (N = 30 n rows)",
             ylabel=f"time of {data['iterations']} iterations (s)", title="a) Time, mean ± 2 standard deviations")
    axis.set_xticks([instance["features"] for instance in data["instances"]],
                    [str(instance["features"]) for instance in data["instances"]])
    axis.minorticks_off()
    seconds = [second for second in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
               if axis.get_ylim()[0] <= second <= axis.get_ylim()[1]]
    axis.set_yticks(seconds, [f"{second:g}" for second in seconds])
    axis.legend(frameon=False)


def draw_errors(axis, data):
    """Draws the paper's error, the squared relative difference from the final objective, for the size of Table 2."""
    instance = next((one for one in data["instances"] if one["features"] == 1000), data["instances"][-1])
    looks = instance["looks"]
    for at_random, limited, color, line, label in (
            (True, False, ORANGE, "-", "paper's steps, from standard normals"),
            (False, False, BLACK, "--", "paper's steps, from 0"),
            (False, True, BLUE, "-", "limited steps, from 0")):
        rows = case_of(instance, at_random, limited)["objectives"]
        errors = [mean_and_band([100 * ((y - end) / y) ** 2 for y, end in zip(row, rows[-1])]) for row in rows]
        x = [max(look, 0.5) for look in looks]
        axis.plot(x, [mean for mean, _ in errors], color=color, linestyle=line, linewidth=1.6, label=label)
        axis.fill_between(x, [max(mean - band, 0) for mean, band in errors],
                          [min(mean + band, 100) for mean, band in errors], color=color, alpha=0.15, linewidth=0)
    mark_other_backends(axis, instance)
    printed = PRINTED if instance["features"] == 1000 else {}
    for (title, points), marker, shift in zip(printed.items(), "sv", (0.97, 1.03)):
        at, means, bands = zip(*points)
        axis.errorbar([shift * k for k in at], means, yerr=bands, color=GREEN, marker=marker, capsize=4, linestyle="",
                      label=f"printed in the paper: {title}")
    iteration_axis(axis, looks)
    axis.set(ylim=(0, 102), ylabel="relative squared error (%)",
             title=f"b) The paper's error, n = {instance['features']}, mean ± 2 standard deviations")
    axis.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncol=2, fontsize=10)


def mark_other_backends(axis, instance):
    """Marks the means of the other backends, for the paper's steps from a random start."""
    for backend, rows in case_of(instance, True, False).get("objectives_on", {}).items():
        means = [statistics.fmean(100 * ((y - end) / y) ** 2 for y, end in zip(row, rows[-1])) for row in rows]
        axis.plot([max(look, 0.5) for look in instance["looks"]], means, color=ORANGE, linestyle="", marker="x",
                  label=f"the first line on {BACKENDS[backend][0]}")


def iteration_axis(axis, looks):
    """Sets a logarithmic axis with a separate position for the start."""
    ticks = [0.5] + [10**power for power in range(6) if 10**power <= looks[-1]]
    axis.set(xscale="log", xlabel="iteration k", xlim=(0.45, 1.1 * looks[-1]))
    axis.set_xticks(ticks, ["start"] + [str(tick) for tick in ticks[1:]])
    axis.minorticks_off()


def draw_gaps(axis, data, limited, title):
    """Draws the gaps, with labels at the ends of the lines; lines that leave the chart are labelled with their maximum."""
    for instance, (color, marker) in zip(data["instances"], SIZES):
        optimum, looks = instance["optimum"], [max(look, 0.5) for look in instance["looks"]]
        rows = [[100 * (y / optimum - 1) if y is not None else math.inf for y in row]
                for row in case_of(instance, False, limited)["objectives"]]
        medians = [statistics.median(row) for row in rows]
        axis.plot(looks, medians, color=color, marker=marker, markersize=5, markerfacecolor="none", linewidth=1.6)
        axis.fill_between(looks, [min(row) for row in rows], [max(row) for row in rows], color=color, alpha=0.18,
                          linewidth=0)
        name, end = f"n = {instance['features']}", (1.2 * looks[-1], medians[-1])
        highest = max(map(max, rows))
        if highest > HIGHEST_PERCENT:
            power = f"10^{{{math.floor(math.log10(highest))}}}" if highest < math.inf else r"\infty"
            name += f" diverges: ${power}$ %\nin the worst of {data['repetitions']} repetitions"
            end = (60, HIGHEST_PERCENT / 10)
        axis.annotate(name, xy=end, color=color, fontsize=10, va="center", annotation_clip=False)
    half = 100 * (math.log(2) / data["instances"][-1]["optimum"] - 1)
    axis.axhline(half, color="#888888", linewidth=1, linestyle=":")
    axis.annotate("x = 0: all probabilities ½", xy=(0.55, half / 4), color="#666666", fontsize=10, va="top")
    iteration_axis(axis, data["instances"][0]["looks"])
    axis.set(yscale="log", ylim=(0.05, HIGHEST_PERCENT), ylabel="f above the optimum (%)", title=title)


def draw(data, path):
    matplotlib.rcParams.update({"font.size": 11, "axes.titlesize": 12, "svg.hashsalt": "sporos",
                                "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = pyplot.subplots(2, 2, figsize=(13, 10.4))
    draw_times(axes[0][0], data)
    draw_errors(axes[0][1], data)
    draw_gaps(axes[1][0], data, False, "c) Steps β / k as in the paper, from 0: median and range")
    draw_gaps(axes[1][1], data, True, "d) Steps limited by the curvature, from 0: median and range")
    for axis in axes.flat:
        axis.grid(True, which="major", color="#dddddd", linewidth=0.8)
    figure.suptitle(f"Stochastic quasi-Newton classification (He et al. 2024, task 3): b = {data['batch_size']}, "
                    f"$b_H$ = {data['hessian_batch_size']}, M = {data['memory']}, L = {data['pair_interval']}, "
                    f"β = {data['step']:g};\n{data['repetitions']} repetitions on one instance per size; {data['processor']}",
                    fontsize=13)
    figure.tight_layout(rect=(0, 0, 0.98, 0.99), w_pad=4)
    for suffix, options in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 100})):
        figure.savefig(path.with_suffix(suffix), **options)
        print(f"wrote {path.with_suffix(suffix)}", file=sys.stderr)
    pyplot.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--program", default=BUILT)
    parser.add_argument("--drawing-only", action="store_true")
    arguments, options = parser.parse_known_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    path = arguments.folder / "paper-004-figure-2.json"
    if not arguments.drawing_only:
        done = subprocess.run([arguments.program, "--data", path, *options])
        if done.returncode:
            sys.exit(done.returncode)
    draw(json.loads(path.read_text()), path)


if __name__ == "__main__":
    main()
