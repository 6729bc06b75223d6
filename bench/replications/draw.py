#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes tables and charts of reports that bench_replications wrote with --benchmark_out=FILE --benchmark_out_format=json.

  draw.py FILE...                     prints the tables in Markdown
  draw.py FILE... --into PAGE PLACE   writes them into a page, between its lines <!-- PLACE --> and <!-- end of PLACE -->
  draw.py FILE... --pictures FOLDER   also draws time against replications: replications-BACKEND.svg, with --png also PNG
                                      (requires matplotlib)
  draw.py FILE... --best              treats the files as repetitions of one run on a busy machine: the minimum time of each
                                      draw counts, and the fastest repetition of each other benchmark
"""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import BACKENDS, digits, plural, show, table  # noqa: E402
from bench.harness.measurement import Measurement  # noqa: E402

MODELS = {"pi": "π", "mm1": "M/M/1", "mmck": "M/M/3/5", "random_walk": "random walk",
          "pert": "PERT, 8 activities"}
MAX_MICROSECONDS, MIN_SPEEDUP, MAX_OVER_BETTER = 50, 1.9, 1.1  # goals

# Colours that people with colour-blindness can distinguish (Okabe and Ito), and a different marker for each line.
LINES = {
    "thread": {"color": "#0072B2", "marker": "o", "label": "thread: one hardware thread per replication"},
    "warp": {"color": "#D55E00", "marker": "s", "label": "warp: one warp per replication"},
    "automatic": {"color": "#000000", "marker": "x", "label": "automatic", "linestyle": "--"},
    "hand_written": {"color": "#009E73", "marker": "^", "label": "plain C++ loop by hand, one core"},
}


class Run:
    """A report, with its context and its benchmarks by name."""

    def __init__(self, report):
        self.context = report["context"]
        self.benchmarks = {}
        for benchmark in report["benchmarks"]:
            name = benchmark["name"].split("/iterations:")[0]
            self.benchmarks[tuple(name.split("/"))] = benchmark

    def of(self, topic):
        """Returns the benchmarks of a topic, by the rest of their names."""
        return {name[1:]: benchmark for name, benchmark in self.benchmarks.items() if name[0] == topic}

    def threads(self, backend):
        return int(self.context[f"{backend}_threads"])

    def backend(self, backend):
        """Returns the name of a backend in tables."""
        return BACKENDS[backend] + (f", {plural(self.threads(backend), 'thread')}" if backend == "openmp" else "")

    def machine(self, backend=None):
        """Returns the machine, or the part of it on which a backend runs."""
        if backend in ("cuda", "hip"):
            return self.context["gpu"]
        host = f"{self.context['processor']}, {plural(int(self.context['cores']), 'core')}"
        return host if backend or "gpu" not in self.context else f"{self.context['gpu']} with {host}"


def rate(benchmark, contestant):
    """Returns the unit of work, and the number of units that `contestant` did per second."""
    for key, value in benchmark.items():
        if key.startswith(contestant + "_") and key.endswith("_per_s"):
            return key[len(contestant) + 1 : -len("_per_s")], value
    raise KeyError(f"{benchmark['name']} has no rate of {contestant}")


def duration(seconds):
    """Formats a duration with three digits, in s, ms or µs."""
    for unit, scale in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * scale >= 1:
            break
    return f"{digits(seconds * scale)} {unit}"


def ratio(benchmark):
    """Returns the median and the quartiles of the ratio over the rounds, and the ratio of the best times."""
    quartiles = f"{benchmark['ratio_low']:.2f} … {benchmark['ratio_high']:.2f}"
    return [f"**{benchmark['ratio']:.2f}**", quartiles, f"{benchmark['ratio_of_best']:.2f}"]


RATIO = ["speed-up", "quartiles", "by best times"]


def verdict(reached):
    return "yes" if reached else "**no**"


def machine_line(run):
    context = run.context
    load = f"load {context['load_avg'][0]:.1f}" if context.get("load_avg") else "load unknown"
    return (f"{run.machine()}; {context['compiler']} ({context['options']}), Kokkos {context['kokkos']}, Sporos "
            f"{context['sporos']}; {context['date'][:10]}, {load} at the start; sizes `{context['sizes']}`.\n")


def hand_written_table(run):
    rows = []
    for (model, _), b in run.of("hand_written").items():
        unit, ours = rate(b, "serial")
        _, other = rate(b, "hand_written")
        rows.append([MODELS[model], f"{1e9 / ours:.2f} ns", f"{1e9 / other:.2f} ns", f"{ours / 1e6:.1f} M {unit}/s",
                     f"{b['replications_per_s']:.0f}", *ratio(b),
                     verdict(b["ratio"] >= 1) if model != "pert" else ""])
    return table("Serial compared with a loop written by hand",
                 ["model", "Sporos, per point or event", "by hand", "Sporos", "replications/s", *RATIO, "at least 1"],
                 rows)


def speedup_table(run):
    rows = []
    for (model, backend), b in run.of("speedup").items():
        unit, ours = rate(b, backend)
        _, other = rate(b, "serial")
        has_goal = backend == "openmp" and run.threads(backend) == 2
        rows.append([MODELS[model], run.backend(backend), f"{ours / 1e6:.1f} M {unit}/s",
                     f"{other / 1e6:.1f} M {unit}/s", *ratio(b),
                     verdict(b["ratio"] >= MIN_SPEEDUP) if has_goal else ""])
    return table("Backends compared with Serial",
                 ["model", "backend", "rate", "Serial", *RATIO, f"at least {MIN_SPEEDUP} on 2 threads"], rows)


def launch_table(run):
    rows = [[run.backend(backend), duration(b["simulate_s"]), duration(b["simulate_99_percent_s"]),
             duration(b["empty_kernel_s"]), verdict(b["simulate_s"] < MAX_MICROSECONDS * 1e-6)]
            for (backend,), b in run.of("launch").items()]
    return table("One replication of one draw, from call to result",
                 ["backend", "median", "99 % quantile", "empty kernel", f"below {MAX_MICROSECONDS} µs"], rows)


def random_table(run):
    rows = []
    for (form, backend, peer), b in run.of("random").items():
        ours, other = rate(b, "sporos")[1], rate(b, "peer")[1]
        rows.append([form, run.backend(backend), peer.replace("_", " "), f"{ours / 1e6:.0f} M/s",
                     f"{other / 1e6:.0f} M/s", *ratio(b)])
    return table("Random numbers, summed in a loop",
                 ["variate", "backend", "peer", "Sporos", "rate of the peer", *RATIO], rows)


def nanoseconds(value):
    """Formats nanoseconds with two decimals, or with three digits below 1 ns."""
    return f"{value:.2f} ns" if value >= 1 else f"{value:.3g} ns"


def peer_cells(ours, peer, other):
    return [peer, nanoseconds(other), f"**{other / ours:.2f}**"] if other else ["", "", ""]


def draws_table(run):
    """Returns the table of all engines and samplings, followed by Python's, compared with Sporos on one host thread."""
    rows, title_and_time = [], {}
    for (case, backend, peer), b in run.of("draws").items():
        ours = b["thread_ns"]
        if backend == "serial":
            title_and_time[case] = b["label"], ours
        rows.append([b["label"], run.backend(backend), nanoseconds(ours), nanoseconds(b["warp_ns"]),
                     f"{ours / b['philox_ns']:.2f}", *peer_cells(ours, peer, b.get("peer_ns"))])
    for (case, peer), b in run.of("python").items():
        if case in title_and_time:
            title, ours = title_and_time[case]
            rows.append([title, "Serial", nanoseconds(ours), "", "", *peer_cells(ours, peer, b["peer_ns"])])
    return table("Uniform numbers of all engines and samplings",
                 ["engine or sampling", "backend", "per draw", "by warps", "relative to philox", "peer on one core",
                  "per draw", "speed-up over the peer"], rows)


def sweep_table(run):
    rows = []
    for (model, backend, replications), b in run.of("sweep").items():
        by_hand = duration(b["hand_written_s"]) if "hand_written_s" in b else ""
        rows.append([f"{MODELS[model]}, {b['work']:.0f} {b['label']}", run.backend(backend), f"{int(replications):,}",
                     duration(b["thread_s"]), duration(b["warp_s"]), duration(b["automatic_s"]),
                     f"{b['automatic_over_better']:.2f}", duration(b["first_automatic_s"]), by_hand])
    return table("Time against replications",
                 ["model", "backend", "replications", "thread", "warp", "automatic",
                  f"over the better (at most {MAX_OVER_BETTER})", "automatic, first run", "by hand, one core"], rows)


def tables(run):
    """Returns all tables of a run in Markdown."""
    parts = (machine_line, hand_written_table, speedup_table, launch_table, random_table, draws_table,
             sweep_table)
    return "".join(part(run) for part in parts)


def draw(run, backend, folder, png):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"font.size": 11, "svg.hashsalt": "sporos", "axes.spines.top": False,
                                "axes.spines.right": False})
    from matplotlib import pyplot

    points = {}
    for (model, of_backend, replications), b in run.of("sweep").items():
        if of_backend == backend:
            points.setdefault(model, []).append((int(replications), b))
    figure, axes = pyplot.subplots(2, 2, figsize=(11, 8.2), sharex=True)
    for axis, (model, sweep) in zip(axes.flat, points.items()):
        sweep.sort(key=lambda point: point[0])
        for name, style in LINES.items():
            line = [(count, b[name + "_s"] * 1e3) for count, b in sweep if name + "_s" in b]
            if line:
                axis.loglog(*zip(*line), markersize=7 if name != "automatic" else 9, linewidth=1.6,
                            markerfacecolor="none", **style)
        axis.set_title(f"{MODELS[model]}, {sweep[0][1]['work']:.0f} {sweep[0][1]['label']} per replication", fontsize=12)
        axis.grid(True, which="major", color="#dddddd", linewidth=0.8)
        axis.set_ylabel("time (ms)")
        axis.set_xlabel("replications")
        axis.tick_params(labelbottom=True)
    handles, labels = max((axis.get_legend_handles_labels() for axis in axes.flat), key=lambda pair: len(pair[1]))
    figure.suptitle(f"Time of an experiment against its number of replications: {run.backend(backend)}, {run.machine(backend)}",
                    fontsize=13)
    figure.legend(handles, labels, loc="lower center", ncol=2, frameon=False)
    figure.tight_layout(rect=(0, 0.07, 1, 0.99))
    folder.mkdir(parents=True, exist_ok=True)
    for suffix, options in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 110}))[: 2 if png else 1]:
        path = folder / f"replications-{backend}{suffix}"
        figure.savefig(path, **options)
        print(f"wrote {path}", file=sys.stderr)
    pyplot.close(figure)


# Average number of draws that a unit of work requires.
DRAWS = {"pi": {"uniform": 2}, "mm1": {"exponential": 2}, "mmck": {"exponential": 1.13}, "random_walk": {"uniform": 1}}


def measurements(report):
    """Returns the measurements for bench/compare.

    - The sweep has the mapping `automatic` and the loop by hand. Its floor is the time to draw only the random numbers, with
      all threads and the fastest generator in the report, which may be a peer's.
    - "A great many" compares many replications on Serial with the loop by hand.
    - The variates and the uniform numbers of all engines and samplings are separate tasks.
    """
    run = Run(report)
    rates, our_rates = {}, {}
    for (form, backend, _), b in run.of("random").items():
        rates[backend, form] = max(rate(b, "sporos")[1], rate(b, "peer")[1], rates.get((backend, form), 0))
        our_rates[backend, form] = max(rate(b, "sporos")[1], our_rates.get((backend, form), 0))
    found = [Measurement(task=f"{form} variates", size=1, sizes="draws", unit="draw", side=backend, seconds=1 / ours)
             for (backend, form), ours in our_rates.items()]
    for (form, backend, peer), b in run.of("random").items():
        found.append(Measurement(task=f"{form} variates", size=1, sizes="draws", unit="draw", side=f"{peer}, {BACKENDS[backend]}",
                                 seconds=1 / rate(b, "peer")[1], on_gpu=backend in ("cuda", "hip")))
    for (_, backend, peer), b in run.of("draws").items():
        of_case = {"task": f"uniforms, {b['label']}", "size": 1, "sizes": "draws", "unit": "draw"}
        found.append(Measurement(**of_case, side=backend, seconds=b["thread_ns"] * 1e-9))
        if "peer_ns" in b:
            found.append(Measurement(**of_case, side=peer, seconds=b["peer_ns"] * 1e-9))
    for (model, _), b in run.of("hand_written").items():
        unit, ours = rate(b, "serial")
        of_case = {"task": f"{MODELS[model]}, a great many", "size": 1, "sizes": unit, "unit": unit.removesuffix("s")}
        found.append(Measurement(**of_case, side="serial", seconds=1 / ours))
        found.append(Measurement(**of_case, side="loop by hand", seconds=1 / rate(b, "hand_written")[1]))
    for (model, backend, replications), b in run.of("sweep").items():
        count, draws = int(replications), DRAWS[model]
        is_known = all((backend, form) in rates for form in draws)
        floor = b["work"] * sum(many / rates[backend, form] for form, many in draws.items()) if is_known else None
        of_case = {"task": f"{MODELS[model]}, {b['work']:.0f} {b['label']}", "size": count, "sizes": "replications",
                   "unit": "replication"}
        found.append(Measurement(**of_case, side=backend, seconds=b["automatic_s"] / count, floor=floor))
        if backend == "serial" and "hand_written_s" in b:
            found.append(Measurement(**of_case, side="loop by hand", seconds=b["hand_written_s"] / count))
    return found


def best_of(runs):
    """Returns the first run with the minimum time of each draw and the fastest repetition of each other benchmark."""
    for run in runs[1:]:
        for name, other in run.benchmarks.items():
            mine = runs[0].benchmarks.setdefault(name, other)
            for key in mine:
                if key.endswith("_ns"):
                    mine[key] = min(mine[key], other[key])
            if name[0] not in ("draws", "python") and other["real_time"] < mine["real_time"]:
                runs[0].benchmarks[name] = other
    return runs[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--pictures", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--png", action="store_true")
    parser.add_argument("--best", action="store_true")
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"))
    arguments = parser.parse_args()
    runs = [Run(json.loads(pathlib.Path(path).read_text())) for path in arguments.files]
    if arguments.best:
        runs = [best_of(runs)]
    text = "\n".join(tables(run) for run in runs)
    show(text, arguments.into)
    if arguments.pictures:
        for run in runs:
            for backend in dict.fromkeys(name[1] for name in run.of("sweep")):
                draw(run, backend, arguments.pictures, arguments.png)


if __name__ == "__main__":
    main()
