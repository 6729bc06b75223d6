# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the charts of bench/compare: each function returns a figure of the measurements."""
import math

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

from bench.compare_portability import EFFICIENCIES, KERNELS  # noqa: E402
from bench.compare_portability import portability as mean_of  # noqa: E402
from bench.harness.common import BACKENDS  # noqa: E402
from bench.harness.measurement import cases  # noqa: E402

matplotlib.rcParams.update({"font.size": 11, "svg.hashsalt": "sporos", "axes.spines.top": False,
                            "axes.spines.right": False})
# Colours that people with colour-blindness can distinguish (Okabe and Ito). Our lines are solid, peers dashed, floors
# dotted.
COLOURS = {"serial": "#0072B2", "openmp": "#009E73", "cuda": "#D55E00"}
PEER_COLOURS = ["#000000", "#CC79A7", "#E69F00", "#56B4E9", "#999999", "#F0E442"]
PLATFORM_COLOURS = ["#0072B2", "#009E73", "#D55E00", "#000000", "#CC79A7", "#E69F00"]
LABELS_IN_A_ROW = 4
MARKERS = {"serial": "o", "openmp": "s", "cuda": "^"}


def style(one, peers):
    if one.side in COLOURS:
        return {"color": COLOURS[one.side], "marker": MARKERS[one.side], "linestyle": "-"}
    place = peers.index(one.name)
    return {"color": PEER_COLOURS[place % len(PEER_COLOURS)], "marker": "x+*dvp"[place % 6], "linestyle": "--"}


def panels(count):
    """Returns a figure with `count` axes, two in a row."""
    rows = (count + 1) // 2
    figure, axes = pyplot.subplots(rows, 2, figsize=(11.5, 0.9 + 3.7 * rows), squeeze=False)
    for axis in axes.flat[count:]:
        axis.set_visible(False)
    return figure, axes.flat


def curves(title, measurements, value, floor, label):
    """Returns a figure with a panel for each task that has several sizes, or None if there is no such task.

    A panel shows `value` of each measurement against its size, with a line for each side.
    """
    tasks = [task for task in dict.fromkeys(one.task for one in measurements)
             if len({one.size for one in measurements if one.task == task}) > 1]
    if not tasks:
        return None
    figure, axes = panels(len(tasks))
    peers = list(dict.fromkeys(one.name for one in measurements if one.task in tasks and not one.is_ours))
    handles = {}
    for axis, task in zip(axes, tasks):
        of_task = sorted((one for one in measurements if one.task == task), key=lambda one: one.size)
        for name in dict.fromkeys(one.name for one in of_task):
            line = [one for one in of_task if one.name == name]
            look = style(line[0], peers)
            handles[name] = axis.loglog([one.size for one in line], [value(one) for one in line], markersize=6,
                                        markerfacecolor="none", linewidth=1.6, **look)[0]
            bounded = [one for one in line if one.floor]
            if bounded:
                axis.loglog([one.size for one in bounded], [floor(one) for one in bounded], color=look["color"],
                            linestyle=":", linewidth=1.2)
        axis.set_title(task, fontsize=12)
        axis.set_xlabel(of_task[0].sizes)
        axis.set_ylabel(label(of_task[0]))
        axis.grid(True, which="major", color="#dddddd", linewidth=0.8)
    figure.legend(handles.values(), handles, loc="lower center", ncol=4, frameon=False)
    figure.suptitle(title, fontsize=13)
    return figure


def time_against_size(measurements):
    return curves("Time against size; dotted: floor", [one for one in measurements if one.unit != "replication"],
                  lambda one: one.seconds * 1e6, lambda one: one.floor * 1e6, lambda one: f"µs per {one.unit}")


def rate_against_replications(measurements):
    return curves("Replications per second against their number; dotted: generation of the random numbers only",
                  [one for one in measurements if one.unit == "replication"], lambda one: 1 / one.seconds,
                  lambda one: 1 / one.floor, lambda one: "replications per second")


def bars(measurements, values, label, start, reference):
    """Returns a figure with horizontal bars for each task, which begin at `start`.

    `values` returns a number for each of our backends. The bars show the largest size for which there are numbers.
    """
    names, rows = [], []
    for task in dict.fromkeys(one.task for one in measurements):
        sizes = sorted(size for of, size in cases(measurements) if of == task)
        found = [(size, sides, row) for size in sizes for sides in [cases(measurements)[task, size]]
                 if (row := values(sides))]
        if found:
            size, sides, row = found[-1]
            names.append(f"{task}, {size:,} {next(iter(sides.values())).sizes}")
            rows.append(row)
    if not rows:
        return None
    figure, axis = pyplot.subplots(figsize=(10.5, 1.6 + 0.55 * len(rows)))
    shown = [side for side in BACKENDS if any(side in row for row in rows)]
    height = 0.8 / max(len(shown), 1)
    for place, side in enumerate(shown):
        at = [(number + place * height - 0.4 + height / 2, row[side]) for number, row in enumerate(rows) if side in row]
        drawn = axis.barh([y for y, _ in at], [x - start for _, x in at], left=start, height=height,
                          color=COLOURS.get(side, "#999999"), label=BACKENDS[side])
        axis.bar_label(drawn, labels=[f"{x:.3g}" for _, x in at], padding=3, fontsize=9)
    axis.set_yticks(range(len(names)), names)
    axis.invert_yaxis()
    axis.set_xlabel(label)
    axis.axvline(reference, color="#555555", linewidth=0.8)
    axis.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncol=len(shown))
    return figure


def speed_up(measurements):
    def values(sides):
        serial = sides.get("serial")
        return {side: serial.seconds / one.seconds for side, one in sides.items()
                if serial and one.is_ours and side != "serial"}

    figure = bars(measurements, values, "speed-up over Serial, at the largest size of each task", 1, 1)
    if figure:
        figure.axes[0].set_xscale("log")
    return figure


def fraction_of_floor(measurements):
    def values(sides):
        return {side: 100 * one.floor / one.seconds for side, one in sides.items() if one.is_ours and one.floor}

    return bars(measurements, values, "percent of the floor's speed, at the largest size of each task", 0, 100)


def portability(platforms):
    """Returns a figure with a panel for each efficiency: a marker for each platform, and a bar for Φ where it is known."""
    figure, axes = pyplot.subplots(1, 2, figsize=(11.5, 5.4), sharey=True)
    places = range(len(KERNELS))
    for axis, (title, efficiency) in zip(axes, EFFICIENCIES):
        found = [[efficiency(one, kernel) for one in platforms] for kernel in KERNELS]
        means = [(place, 100 * mean) for place in places if (mean := mean_of(found[place])) is not None]
        axis.barh([place for place, _ in means], [mean for _, mean in means], height=0.55, color="#dddddd", label="Φ")
        for number, one in enumerate(platforms):
            points = [(100 * row[number], place) for place, row in zip(places, found) if row[number] is not None]
            axis.plot([x for x, _ in points], [y for _, y in points], linestyle="", label=one.name, markersize=8,
                      marker="osD^vp"[number % 6], color=PLATFORM_COLOURS[number % 6], markerfacecolor="none",
                      markeredgewidth=1.8, clip_on=False)
        axis.set_title(f"compared with the {title}", fontsize=12)
        axis.set_xlabel("efficiency, %")
        axis.set_xlim(0, 100)
        axis.grid(True, axis="x", color="#dddddd", linewidth=0.8)
        axis.set_axisbelow(True)
    axes[0].set_yticks(places, [kernel.name for kernel in KERNELS])
    axes[0].invert_yaxis()
    handles, labels = axes[0].get_legend_handles_labels()
    rows = math.ceil(len(labels) / LABELS_IN_A_ROW)
    figure.legend(handles, labels, loc="lower center", ncol=math.ceil(len(labels) / rows), frameon=False)
    figure.tight_layout(rect=(0, 0.02 + 0.05 * rows, 1, 1))
    return figure


CHARTS = {"time": time_against_size, "replications": rate_against_replications, "speedup": speed_up,
          "floor": fraction_of_floor}


def draw_all(measurements, folder):
    """Writes FOLDER/compare-NAME.svg and .png for each chart that has data."""
    for name, chart in CHARTS.items():
        figure = chart(measurements)
        if figure is None:
            continue
        figure.tight_layout(rect=(0, 0.06, 1, 0.98))
        save(figure, folder / f"compare-{name}")


def save(figure, path):
    """Writes PATH.svg and PATH.png."""
    for suffix, options in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 110})):
        figure.savefig(path.with_suffix(suffix), **options)
    pyplot.close(figure)
