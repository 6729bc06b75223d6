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


def draw_use(axis, lines):
    for line, (color, marker) in zip(lines, LOOKS):
        axis.plot(line["numbers"], line["seconds"], color=color, marker=marker, markerfacecolor="none", linestyle="",
                  label=f"{line['points']} points: {1e9 * line['slope']:.3g} ns per number")
        ends = [min(line["numbers"]), max(line["numbers"])]
        axis.plot(ends, [line["start"] + line["slope"] * x for x in ends], color=color, linestyle="--", linewidth=1.2)
    axis.set(ylim=(0, None), xlabel="pre-generated random numbers", ylabel="seconds of their use",
             title="Figure 31: photons without generation")
    axis.legend(frameon=False)


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
    draw_use(next(panels), report["use"])
    draw_speed_up(next(panels), "32", report["figures"]["32"])
    draw_spread(next(panels), report["spread"])
    next(panels).set_visible(False)
    for axis in axes.flat:
        axis.grid(True, which="major", color="#dddddd", linewidth=0.8)
    context = report["context"]
    figure.suptitle(f"Photons with pre-generated random numbers (Lee 2012)\n{context['engine']}, blocks from "
                    f"{context['space']}; {context['processor']}, {context['cores']} cores", fontsize=13)
    figure.tight_layout(rect=(0, 0, 1, 0.98))
    for suffix, options in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 100})):
        figure.savefig(path.with_suffix(suffix), **options)
    pyplot.close(figure)
