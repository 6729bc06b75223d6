# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the charts of paper_003_figures_5_8.py."""
import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

from paper_003_figures_5_8 import FIGURES, GPU_PAIRS, PROFILED, WAYS, lines_of, waiting_ratio  # noqa: E402

# Colours that people with colour-blindness can distinguish (Okabe and Ito), and a different marker for each line.
LOOKS = {"by hand": ("#000000", "v"), "serial": ("#E69F00", "<"), "openmp": ("#CC79A7", ">"), "printed threads": ("#56B4E9", "s"),
         "printed warps": ("#0072B2", "o"), "cuda threads": ("#D55E00", "D"), "cuda warps": ("#009E73", "^"),
         "serial taus88": ("#E69F00", "1"), "openmp taus88": ("#CC79A7", "2"), "cuda threads taus88": ("#D55E00", "3"),
         "cuda warps taus88": ("#009E73", "4")}


def draw_times(axis, runs, model, max_count, title):
    for way, line in lines_of(runs, model).items():
        counts = [n for n in line if n <= max_count]
        color, marker = LOOKS[way]
        axis.plot(counts, [1e3 * line[n] for n in counts], color=color, marker=marker, markerfacecolor="none", markersize=5,
                  linewidth=1.4, label=WAYS[way])
    axis.set(xlabel="replications", ylabel="ms", yscale="log", title=title)


def draw_gain(axis, runs):
    lines = lines_of(runs, "random-walk")
    for name, (threads, warps) in GPU_PAIRS.items():
        if threads in lines and warps in lines:
            counts = [n for n in lines[warps] if n in lines[threads]]
            color, marker = LOOKS[warps]
            axis.plot(counts, [lines[threads][n] / lines[warps][n] for n in counts], color=color, marker=marker,
                      markerfacecolor="none", label=name)
    axis.axhline(1, color="#888888", linewidth=1, linestyle=":")
    axis.set(xscale="log", xlabel="replications", ylabel="time of threads / time of warps",
             title="Random walk: speed-up of warp-level replications")
    if axis.get_legend_handles_labels()[0]:
        axis.legend(frameon=False)


def draw_waiting(axis, profile):
    ways = [way for way in WAYS if any(one["way"] == way for one in profile)]
    for offset, count in enumerate(PROFILED):
        ratios = [next(waiting_ratio(one) or 0 for one in profile if one["way"] == way and one["replications"] == count)
                  for way in ways]
        axis.bar([x + 0.4 * offset for x in range(len(ways))], ratios, width=0.38, color=("#0072B2", "#E69F00")[offset],
                 label=f"{count} replications")
    axis.set_xticks([x + 0.2 for x in range(len(ways))], [WAYS[way] for way in ways], rotation=15)
    axis.set(ylabel="cycles waiting for memory / other cycles", title="Figure 8: random walk")
    axis.legend(frameon=False)


def draw(report, path):
    """Writes all figures on one page to `path` with .svg and .png."""
    matplotlib.rcParams.update({"font.size": 11, "axes.titlesize": 12, "svg.hashsalt": "sporos",
                                "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = pyplot.subplots(3, 2, figsize=(12, 13.5))
    panels = iter(axes.flat)
    runs = report["runs"]
    for model, max_count in (("pi", 180), ("mm1", 180), ("random-walk", 100), ("random-walk", 1000)):
        if any(run["model"] == model for run in runs):
            number, title = FIGURES[model]
            work = next(run["work"] for run in runs if run["model"] == model)
            draw_times(next(panels), runs, model, max_count, f"Figure {number}: {title.format(f'{work:,.0f}')}")
    draw_gain(next(panels), runs)
    if report["profile"]:
        draw_waiting(next(panels), report["profile"])
    for axis in panels:
        axis.set_visible(False)
    for axis in axes.flat:
        axis.set_axisbelow(True)
        axis.grid(True, which="major", color="#dddddd", linewidth=0.8)
    figure.legend(*axes.flat[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0.965), ncols=4,
                  frameon=False, fontsize=10)
    context = report["context"]
    machine = f"{context['gpu']}, {context['processor']}" if "gpu" in context else context["processor"]
    figure.suptitle(f"Thread-level and warp-level replications (Passerat-Palmbach et al. 2011): {machine}", fontsize=13)
    figure.tight_layout(rect=(0, 0, 1, 0.93))
    for suffix, options in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 100})):
        figure.savefig(path.with_suffix(suffix), **options)
    pyplot.close(figure)
