# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the charts of germinal_centre.py: scaled efficiency over ranks, and speed-up over threads."""
import math
import statistics

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402

from bench.harness.common import plural  # noqa: E402
from germinal_centre_scaling import MANY, Estimate, Scaling, scaled_efficiency, speed_up  # noqa: E402

matplotlib.rcParams.update({"font.size": 11, "axes.titlesize": 12, "svg.hashsalt": "sporos", "axes.spines.top": False,
                            "axes.spines.right": False})
# Colours that people with colour-blindness can distinguish (Okabe and Ito), and a different marker for each line.
LOOKS = [("#D55E00", "s"), ("#E69F00", "^"), ("#009E73", "D"), ("#56B4E9", "v"), ("#0072B2", "o"), ("#CC79A7", "P")]


def between(first, last, count=200):
    """Returns numbers with a constant ratio."""
    return [first * (last / first) ** (i / (count - 1)) for i in range(count)]


def add_point(axis, x, rounds, look, is_shared):
    """Draws the median with its interval; the marker is hollow if ranks or threads share cores."""
    color, marker = look
    one = Estimate.of(rounds)
    axis.errorbar(x, one.median, [[one.median - one.low], [one.high - one.median]], color=color, marker=marker, markersize=6,
                  markerfacecolor="white" if is_shared else color, capsize=2.5, linewidth=1.2, zorder=3)


def add_points(axis, scaling):
    for place, (n, look) in enumerate(zip(scaling.exchanges, LOOKS)):
        aside = 1.03 ** (place - len(scaling.exchanges) // 2)  # so that bars do not overlap
        for ranks in scaling.ranks[1:]:
            add_point(axis, ranks * aside, scaling.efficiencies(ranks, n), look, scaling.share_cores(ranks))


def add_models(axis, scaling, ranks):
    """Draws Lee's model with its band, and the dashed line from measured work and the network model."""
    kappas = scaling.kappas()
    for n, (color, _) in zip(scaling.exchanges, LOOKS):
        if kappas:
            line = [Estimate.of(kappas).mapped(lambda kappa, p=p, n=n: scaled_efficiency(p, n, kappa)) for p in ranks]
            axis.plot(ranks, [one.median for one in line], color=color, linewidth=1.6)
            axis.fill_between(ranks, [one.low for one in line], [one.high for one in line], color=color, alpha=0.15, linewidth=0)
        if scaling.one_of:
            axis.plot(ranks, [scaling.projected(p, n).median for p in ranks], color=color, linestyle="--", linewidth=1.2)


def efficiency_chart(scaling):
    figure, (near, far) = pyplot.subplots(1, 2, figsize=(12, 5.2), width_ratios=(1, 1.3))
    measured = max(scaling.ranks)
    for axis, last in ((near, measured), (far, MANY)):
        add_models(axis, scaling, between(1, max(last, 2)))
        add_points(axis, scaling)
        axis.axhline(1, color="#888888", linewidth=1, linestyle=":")
        axis.set(xscale="log", xlabel="ranks, one centre each", ylabel="scaled efficiency")
    near.set(title="measured", xticks=scaling.ranks, xticklabels=scaling.ranks, xlim=(0.9, measured * 1.15))
    near.minorticks_off()
    far.set(title=f"extrapolated to {MANY:,} ranks", ylim=(0, max(1.05, far.get_ylim()[1])))
    handles = [Line2D([], [], color=color, marker=marker, label=f"n = {n}")
               for n, (color, marker) in zip(scaling.exchanges, LOOKS)]
    handles.append(Line2D([], [], color="#555555", label="SE = 1/(1 + pρκ), fitted"))
    handles.append(Line2D([], [], color="#555555", linestyle="--", label="measured work, modelled network"))
    if any(map(scaling.share_cores, scaling.ranks)):
        handles.append(Line2D([], [], color="#555555", marker="o", markerfacecolor="white", linestyle="",
                              label=f"ranks share {plural(scaling.cores, 'core')}: relative to T(1) p/{scaling.cores}, not fitted"))
    figure.legend(handles=handles, loc="lower center", ncol=4, frameon=False)
    return figure, "Scaled efficiency of germinal centres", 0.17


def speed_up_chart(scaling):
    figure, axis = pyplot.subplots(figsize=(8, 5.6))
    overheads, last, look = scaling.overheads(), 2 * max(scaling.threads), LOOKS[-2]
    if overheads and Estimate.of(overheads).high > 0:
        overhead = Estimate.of(overheads).mapped(lambda value: max(value, 1e-12))
        min_best, best = 1 / math.sqrt(overhead.high), 1 / math.sqrt(overhead.median)
        last = max(last, 3 * (best if best < 1e4 else min_best))
        line = between(1, last)
        axis.plot(line, [speed_up(p, overhead.median) for p in line], color=look[0], linewidth=1.6,
                  label="S = p/(1 + p² T_s/(N T_W)), fitted")
        axis.fill_between(line, [speed_up(p, overhead.high) for p in line], [speed_up(p, overhead.low) for p in line],
                          color=look[0], alpha=0.15, linewidth=0)
        if best <= last:
            axis.plot(best, best / 2, color="#D55E00", marker="*", markersize=13, linestyle="",
                      label=f"maximum: S = {best / 2:.3g} at p* = √(N T_W/T_s) = {best:.0f}")
    axis.plot([1, last], [1, last], color="#888888", linewidth=1, linestyle=":", label="S = p")
    for threads in scaling.threads:
        add_point(axis, threads, scaling.speed_ups(threads), look, scaling.share_cores(threads))
    measured = max(statistics.median(scaling.speed_ups(threads)) for threads in scaling.threads)
    axis.set(xscale="log", yscale="log", xlabel="threads, one centre", ylabel="speed-up", xlim=(0.9, last),
             ylim=(0.7, 1.3 * max(measured, last / 2)))
    for of in (axis.xaxis, axis.yaxis):
        of.set_major_formatter(matplotlib.ticker.StrMethodFormatter("{x:g}"))
    axis.legend(frameon=False, loc="upper left")
    return figure, "Speed-up of one germinal centre over threads", 0


def draw(report, folder):
    """Writes two charts, each as SVG and PNG. Returns the paths of the SVG files and the titles."""
    scaling, context, drawn = Scaling(report), report["context"], []
    folder.mkdir(parents=True, exist_ok=True)
    for name, chart in (("efficiency", efficiency_chart), ("speed-up", speed_up_chart)):
        figure, title, below = chart(scaling)
        for axis in figure.axes:
            axis.grid(True, which="major", color="#dddddd", linewidth=0.8)
        figure.suptitle(f"{title}: {context['processor']}, {plural(context['cores'], 'core')}\nmedians of "
                        f"{plural(len(scaling.rounds), 'round')}, bars and bands their "
                        f"{100 * scaling.confidence():.0f} % intervals", fontsize=11)
        figure.tight_layout(rect=(0, below, 1, 0.98))
        for suffix, options in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 110})):
            figure.savefig(folder / f"germinal-centre-{name}{suffix}", **options)
        pyplot.close(figure)
        drawn.append((folder / f"germinal-centre-{name}.svg", title))
    return drawn
