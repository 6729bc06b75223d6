# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the charts of paper_002_elements.py: speed-up over threads, measured and by the model."""
import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from paper_002_charts import LOOKS  # noqa: E402
from paper_002_elements import WAYS, Cell, mean_cost, sizes_of, ways_of  # noqa: E402


def draw_way(axis, report, work, way, title, sizes, cost=None):
    """Draws points with the range of the runs and, for a given T_s, the line of the model."""
    for n, (color, marker) in zip(sizes, LOOKS):
        cell = Cell(report, work, n, way)
        threads = [p for p in cell.seconds if p > 1]
        means, lows, highs = zip(*(cell.speed_ups(p) for p in threads))
        ranges = [[mean - low for mean, low in zip(means, lows)], [high - mean for mean, high in zip(means, highs)]]
        axis.errorbar(threads, means, ranges, color=color, marker=marker, markerfacecolor="none", capsize=3, label=f"n = {n}",
                      linestyle="" if cost is not None else "-", linewidth=1.4)
        if cost is not None:
            line = [1 + 0.1 * i for i in range(10 * max(threads) - 9)]
            axis.plot(line, [cell.modelled(p, cost) for p in line], color=color, linestyle="--", linewidth=1.2,
                      label="model (3.3)")
    axis.plot([1, max(report["threads"])], [1, max(report["threads"])], color="#888888", linewidth=1, linestyle=":")
    axis.set(ylim=(0, None), xlabel="threads", ylabel="speed-up", title=title)
    axis.grid(True, which="major", color="#dddddd", linewidth=0.8)
    axis.legend(frameon=False, fontsize=9)


def draw(report, path):
    """Writes all figures on one page to `path` with .svg and .png: a column for each way."""
    matplotlib.rcParams.update({"font.size": 11, "axes.titlesize": 12, "svg.hashsalt": "sporos",
                                "axes.spines.top": False, "axes.spines.right": False})
    ways, sizes = ways_of(report), sizes_of(report, "products")
    figure, axes = pyplot.subplots(3, len(ways), figsize=(4.3 * len(ways), 12.5), squeeze=False)
    for column, way in enumerate(ways):
        draw_way(axes[0][column], report, "products", way, f"Figure 3.4: {WAYS[way]}", sizes)
        draw_way(axes[1][column], report, "products", way, f"Figure 3.5: {WAYS[way]}", sizes[-1:], mean_cost(report, way))
        draw_way(axes[2][column], report, "odes", way, f"equations in n cells: {WAYS[way]}", sizes_of(report, "odes"))
    figure.suptitle(f"Work in {report['elements']} elements (Lee 2012)\n{report['processor']}, {report['cores']} cores",
                    fontsize=13)
    figure.tight_layout(rect=(0, 0, 1, 0.98))
    for suffix, options in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 100})):
        figure.savefig(path.with_suffix(suffix), **options)
    pyplot.close(figure)
