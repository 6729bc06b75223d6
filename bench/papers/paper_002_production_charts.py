# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the charts of paper_002_production.py."""
import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.ticker import NullFormatter  # noqa: E402
from paper_002_charts import LOOKS  # noqa: E402
from paper_002_production import group_name, speed_ups_of  # noqa: E402


def draw_lines(axis, lines, title, x, y, **how):
    """Draws lines, each of which is (name, xs, ys, whether measured)."""
    for (name, xs, ys, is_measured), (color, marker) in zip(lines, LOOKS * 2):
        axis.plot(xs, ys, color=color, marker=marker if is_measured else "", markerfacecolor="none", label=name,
                  linestyle="" if is_measured else "--", linewidth=1.4)
    axis.set(title=title, xlabel=x, ylabel=y, **how)
    axis.legend(frameon=False, fontsize=9)


def draw_reuse(axis, report, model, speed_up):
    words, reuses = [1 << k for k in range(8, 27)], [10 ** (k / 4) for k in range(0, 21)]
    values = [[speed_up(report, model, n, reuse) for n in words] for reuse in reuses]
    drawn = axis.contour([8 * n for n in words], reuses, values, levels=[0.1, 1, 3, 10, 30, 100, 300], colors="#0072B2")
    axis.clabel(drawn, fmt="%g")
    axis.set(xscale="log", yscale="log", xlabel="bytes", ylabel="instructions per word",
             title="Figure 2: speed-up")


def draw_items(axis, report, entries, model, title):
    words, by_size = report["words"], {}
    for one in entries:
        by_size.setdefault(one["size"], []).append(one)
    lines = [(f"groups of {size}", [one["items"] for one in found], [words / one["seconds_of_draw"] for one in found], True)
             for size, found in list(by_size.items())[:4]]

    def predicted(is_limited):
        ordered = sorted(entries, key=lambda one: one["items"])
        return ([one["items"] for one in ordered],
                [words * 10 * one["cycles"] * one["items"] / model.seconds(one, is_limited) for one in ordered])

    lines += [("model", *predicted(True), False), ("model with unlimited units", *predicted(False), False)]
    draw_lines(axis, lines, title, "work items", "speed-up over in place", xscale="log", ylim=(0, None))
    axis.xaxis.set_minor_formatter(NullFormatter())  # minor labels overlap within a decade


def draw_hybrid(axis, hybrid):
    """Draws the speed-up of (35) over cores alone, and the model's, against the steps of an agent's equations."""
    lines = {}
    for run in hybrid["runs"]:
        lines.setdefault((run["processors"], run["agents"]), []).append(run)
    for ((cores, agents), runs), (color, marker) in zip(lines.items(), LOOKS * 2):
        steps = [run["steps"] for run in runs]
        axis.plot(steps, [speed_ups_of(run)[2] for run in runs], color=color, marker=marker, markerfacecolor="none",
                  linestyle="", label=f"cores: {cores}, agents: {agents:,}")
        axis.plot(steps, [speed_ups_of(run)[3] for run in runs], color=color, linestyle="--", linewidth=1.4)
    axis.plot([], [], color="#444444", linestyle="--", linewidth=1.4, label="model of each line")
    axis.axhline(1, color="#888888", linewidth=1, linestyle=":")
    axis.set(title="Figure 35: equations on the device", xscale="log", yscale="log",
             xlabel="steps of an agent's equations", ylabel="speed-up over equations on cores")
    axis.legend(frameon=False, fontsize=9)


def draw(report, model, group_model, speed_up, path):
    """Writes all figures on one page to `path` with .svg and .png."""
    matplotlib.rcParams.update({"font.size": 11, "axes.titlesize": 12, "svg.hashsalt": "sporos",
                                "axes.spines.top": False, "axes.spines.right": False})
    rows = 5 if "hybrid" in report else 4
    figure, axes = pyplot.subplots(rows, 2, figsize=(12, 4.25 * rows))
    panels = iter(axes.flat)
    draw_reuse(next(panels), report, model, speed_up)
    copies = []
    for way, name in (("to_device", "to the device"), ("to_host", "to the host")):
        one = report["copies"][way]
        copies.append((name, one["bytes"], one["seconds"], True))
        copies.append((f"{1e9 * one['each']:.3g} ns per byte", one["bytes"],
                       [one["start"] + one["each"] * x for x in one["bytes"]], False))
    draw_lines(next(panels), copies, "Figures 10, 11: copies", "bytes", "seconds", xscale="log", yscale="log")
    sizes = report["group_sizes"]
    items = [one["size"] for one in sizes]
    draw_lines(next(panels), [("measured", items, [1e3 * one["seconds"] for one in sizes], True),
                              (f"(4.6), {group_model.width} items at once", items,
                               [1e3 * group_model.seconds(size) for size in items], False)],
               f"Figures 14, 15: one work group, {report['cycles']:,} cycles", "work items", "ms", ylim=(0, None))
    draw_items(next(panels), report, report["work_items"], model, "Figures 16, 17: work items")
    draw_items(next(panels), report, report["chosen"], model, "Figures 18, 19: work items chosen by the model")
    spread, pi = report["spread"], report["pi"]
    samples = [one["samples"] for one in spread]
    draw_lines(next(panels), [("from blocks", samples, [one["blocks"] for one in spread], True),
                              ("drawn in place", samples, [one["in_place"] for one in spread], True),
                              ("independent", samples, [one["expected"] for one in spread], False)],
               f"Figure 23: spread of {report['means']} means of π", "samples", "deviation", xscale="log", yscale="log")
    samples = [one["samples"] for one in pi]
    draw_lines(next(panels), [(group_name(of), samples,
                               [one["words"] / one["blocks"][i]["seconds"] for one in pi], True)
                              for i, of in enumerate(pi[0]["blocks"])],
               "Figure 24: π", "samples", "speed-up over words in place", xscale="log", ylim=(0, None))
    axis = next(panels)
    axis.errorbar(samples, [one["blocks"][0]["pi"] for one in pi], [2 * one["error"] for one in pi], color=LOOKS[0][0],
                  marker="o", linestyle="", capsize=4)
    axis.axhline(3.141592653589793, color="#888888", linestyle=":")
    axis.set(xscale="log", xlabel="samples", ylabel="π ± 2 standard errors", title="Figure 25: π")
    if "hybrid" in report:
        draw_hybrid(next(panels), report["hybrid"])
    for axis in panels:
        axis.set_visible(False)
    for axis in axes.flat:
        axis.grid(True, which="major", color="#dddddd", linewidth=0.8)
    figure.suptitle(f"Generation of random numbers (Lee 2012): {report['engine']} on {report['device']}, host "
                    f"{report['processor']}", fontsize=13)
    figure.tight_layout(rect=(0, 0, 1, 0.98))
    for suffix, options in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 100})):
        figure.savefig(path.with_suffix(suffix), **options)
    pyplot.close(figure)
