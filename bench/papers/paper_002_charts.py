# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the charts of paper_002_figures_27_33.py."""
import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

# Colours that people with colour-blindness can distinguish (Okabe and Ito), and a different marker for each line.
LOOKS = [("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#CC79A7", "D"), ("#000000", "v"), ("#56B4E9", "P")]


def draw_speed_up(axis, number, figure):
    for line, (color, marker) in zip(figure["lines"], LOOKS):
        axis.plot([one["photons"] for one in line["points"]], [one["over_words"] for one in line["points"]], color=color,
                  marker=marker, markerfacecolor="none", linewidth=1.6, label=line["name"])
        predicted = [(one["photons"], one["predicted"]) for one in line["points"] if "predicted" in one]
        if predicted:
            axis.plot(*zip(*predicted), color=color, linewidth=1.2, linestyle="--")
    if any("predicted" in one for line in figure["lines"] for one in line["points"]):
        axis.plot([], [], color="#444444", linewidth=1.2, linestyle="--", label="model of each line")
    axis.axhline(1, color="#888888", linewidth=1, linestyle=":")
    axis.set(xscale="log", ylim=(0, None), xlabel="photons", ylabel="speed-up over RANLUX in place",
             title=f"Figure {number}: {figure['title']}")
    axis.legend(frameon=False)


def draw_use(axis, lines, title):
    """Draws times by the numbers of a block; each line is (points, numbers, least-squares line)."""
    for (points, numbers, line), (color, marker) in zip(lines, LOOKS):
        axis.plot(numbers, [1e3 * one for one in line["seconds"]], color=color, marker=marker, markerfacecolor="none",
                  linestyle="", label=f"{points} points: {1e9 * line['slope']:.3g} ns per number")
        ends = [min(numbers), max(numbers)]
        axis.plot(ends, [1e3 * (line["start"] + line["slope"] * x) for x in ends], color=color, linestyle="--", linewidth=1.2)
    axis.set(ylim=(0, None), xlabel="random numbers of a block, B", ylabel="ms", title=title)
    axis.legend(frameon=False)


def draw_timeline(axis, line):
    """Draws when blocks are computed and copied, in the top row, and consumed, in a row of each thread."""
    events = line["events"]
    consumers = sorted({one["consumer"] for one in events["consumed"]})
    end = max(one["to"] for one in events["consumed"])
    for work, color in (("computed", "#0072B2"), ("copied", "#E69F00"), ("consumed", "#009E73")):
        for one in events[work]:
            row = 1 + consumers.index(one["consumer"]) if work == "consumed" else 0
            if one["from"] > end or one["from"] == one["to"]:
                continue  # is computed for nobody; a host copies nothing
            x, width = 1e3 * one["from"], 1e3 * (min(one["to"], end) - one["from"])
            axis.barh(row, width, left=x, height=0.8, color=color, edgecolor="white", linewidth=0.6)
            if width > 2e1 * end:  # wide enough for a number
                axis.text(x + width / 2, row, one["block"], color="white", ha="center", va="center", fontsize=8)
    axis.set_yticks(range(1 + len(consumers)), ["producer", *(f"thread {i}" for i in range(len(consumers)))])
    axis.invert_yaxis()
    axis.set(xlim=(0, 1e3 * end), xlabel="ms",
             title=f"Figure {line['figure']}: blocks of {line['block_size']:,} from {line['lanes']:,} work items; "
                   f"waits {100 * line['waits']:.0f} % after the first block")


def draw_timelines(report, path):
    """Writes Figures 20 to 22 on one page to `path` with .svg and .png."""
    lines = report["timelines"]
    heights = [1.5 + len({one["consumer"] for one in line["events"]["consumed"]}) for line in lines]
    figure, axes = pyplot.subplots(len(lines), 1, figsize=(12, 0.75 * sum(heights) + 1), height_ratios=heights, squeeze=False)
    for axis, line in zip(axes.flat, lines):
        draw_timeline(axis, line)
    names = [pyplot.Rectangle((0, 0), 1, 1, color=color) for color in ("#0072B2", "#E69F00", "#009E73")]
    figure.legend(names, ["computed", "copied", "consumed"], loc="lower center", frameon=False, ncols=3)
    context = report["context"]
    figure.suptitle(f"Blocks of random numbers, numbered for each thread (Lee 2012); blocks from {context['device']}",
                    fontsize=13)
    figure.tight_layout(rect=(0, 0.03, 1, 0.98))
    for suffix, options in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 100})):
        figure.savefig(path.with_suffix(suffix), **options)
    pyplot.close(figure)


def draw_spread(axis, spread):
    points = spread["points"]
    photons = [one["photons"] for one in points]
    line = spread["temperature"]
    axis.plot(photons, [one["deviation"] for one in points], color=LOOKS[0][0], marker="o", markerfacecolor="none",
              linestyle="", label=f"{spread['ranks']} ranks, slope {line['slope']:.3f} ± {line['error']:.3f}")
    last = points[-1]
    axis.plot(photons, [last["deviation"] * (last["photons"] / one) ** 0.5 for one in photons], color="#888888",
              linestyle="--", linewidth=1.2, label="slope -1/2")
    axis.set(xscale="log", yscale="log", xlabel="photons per rank", ylabel="deviation of the mean temperature (K)",
             title="Figure 33: spread of the means of ranks")
    axis.legend(frameon=False)


def draw(report, path):
    """Writes all figures on one page to `path` with .svg and .png."""
    matplotlib.rcParams.update({"font.size": 11, "axes.titlesize": 12, "svg.hashsalt": "sporos",
                                "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = pyplot.subplots(4, 2, figsize=(12, 17))
    panels = iter(axes.flat)
    for number in ("27", "28", "29", "30"):
        draw_speed_up(next(panels), number, report["figures"][number])
    draw_use(next(panels), [(one["points"], one["numbers"], one.get("own", one)) for one in report["use"]],
             "Figure 31: T_RHT(B), photons without sampled points")
    draw_speed_up(next(panels), "32", report["figures"]["32"])
    draw_spread(next(panels), report["spread"])
    draw_use(next(panels), [(one["points"], one["numbers"], one) for one in report["use"]],
             "T_RHT(B) with sampled points")
    for axis in axes.flat:
        axis.grid(True, which="major", color="#dddddd", linewidth=0.8)
    context = report["context"]
    figure.suptitle(f"Photons with pre-generated random numbers (Lee 2012)\n{context['engine']}, blocks from "
                    f"{context['space']}; {context['processor']}, {context['cores']} cores", fontsize=13)
    figure.tight_layout(rect=(0, 0, 1, 0.98))
    for suffix, options in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 100})):
        figure.savefig(path.with_suffix(suffix), **options)
    pyplot.close(figure)
