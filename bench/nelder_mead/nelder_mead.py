#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the simplex method in bench_nelder_mead with SciPy and NLopt on problems of Moré, Garbow and Hillstrom.

  nelder_mead.py [--program build/bin/bench_nelder_mead] [--library build/bin/libnelder_mead_problems.so] [--out REPORT]
                 [--kinds one many] [--into PAGE PLACE]   exit status 77 if SciPy, NLopt or the program is missing

All sides run on the same cores. The script reports evaluations and final values from one start, and the seconds of many
starts: Sporos runs them at once, the peers run one after the other. The minimum time counts; the noise is the relative
difference between the median and the minimum. The script prints tables in Markdown and writes a report.
"""
import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import BACKENDS, TREE, add_arguments, digits, run, run_program, show, skip, table  # noqa: E402

METHODS = {"original": "ours", "adaptive": "ours, adaptive", "oriented": "ours, oriented restarts"}
PEERS = ["SciPy original", "SciPy adaptive", "NLopt"]


def ours(options, kind, flags):
    """Returns the benchmarks of one kind by (problem/dimension, method, backend), and the context."""
    with tempfile.TemporaryDirectory() as folder:
        report = run_program(options.program, [*flags, "--benchmark_filter", f"^{kind}/({'|'.join(options.backends)})/"],
                             pathlib.Path(folder) / "ours.json", options.cores)
    found = {}
    for benchmark in report["benchmarks"]:
        if benchmark["run_type"] == "iteration":
            _, backend, problem, size, method = benchmark["name"].split("/")[:5]
            seconds = found.setdefault((f"{problem}/{size}", method, backend), benchmark | {"seconds": []})["seconds"]
            seconds.append(benchmark["real_time"] / 1e3)
    return found, report["context"]


def peers(options, flags, **tasks):
    named = [part for name, values in tasks.items() for part in (f"--{name}", *values)]
    text = run([os.sys.executable, pathlib.Path(__file__).with_name("nelder_mead_peers.py"), "--library", options.library, *flags, *named],
               options.cores)
    return json.loads(text) if text else skip("SciPy or NLopt is not installed")


def measured(options):
    effort = ["--tolerance", 1e-10, "--evaluations", 2000 if options.smoke else 100_000, "--simplices",
              20 if options.smoke else 1000]
    report = {"one": [], "many": []}
    for kind in options.kinds:
        # The results of `one` are identical on every backend. Only `many` is timed.
        serial = argparse.Namespace(**vars(options) | {"backends": ["serial"]})
        repeats = ["--benchmark_repetitions", options.repeats] if kind == "many" else []
        found, report["context"] = ours(options if kind == "many" else serial, kind, [*effort, *repeats])
        report[kind] = [{"key": key, **value} for key, value in found.items()]
    tasks = {kind: sorted({one["key"][0] for one in report[kind]}, key=by_number) for kind in options.kinds}
    return report | {"peers": peers(options, effort, **tasks)}


def by_number(task):
    return [int(part) for part in task.split("/")]


def evaluations_table(report):
    found = {(one["key"][0], METHODS[one["key"][1]]): one for one in report["one"]}
    found |= {(one["task"], one["solver"]): one for one in report["peers"]["one"]}
    columns = [*METHODS.values(), *PEERS]
    rows = []
    for task in sorted({task for task, _ in found}, key=by_number):
        cells = [f"{found[task, name][what]:{form}}" for name in columns
                 for what, form in (("evaluations", ",.0f"), ("value", ".4g"))]
        rows.append([*task.split("/"), *cells])
    header = ["problem", "n"] + [part for name in columns for part in (name, "f")]
    return table("Evaluations and final value", header, rows)


def seconds_table(report):
    rows = []
    for one in report["many"]:
        task, _, backend = one["key"]
        shortest = min(one["seconds"])
        row = [*task.split("/"), BACKENDS[backend], digits(shortest), f"{statistics.median(one['seconds']) / shortest - 1:.0%}",
               f"{one['evaluations'] / shortest / 1e6:.3g}"]
        for solver in ("SciPy original", "NLopt"):
            peer = next(peer for peer in report["peers"]["many"] if (peer["task"], peer["solver"]) == (task, solver))
            row += [digits(peer["seconds"]), f"{peer['evaluations'] / one['evaluations']:.2f}",
                    f"**{peer['seconds'] / shortest:.0f}**"]
        rows.append(row)
    return table("Seconds of many starts", ["problem", "n", "backend", "s", "noise", "10⁶ evaluations/s", "SciPy s",
                                            "evaluations / ours", "time / ours", "NLopt s", "evaluations / ours",
                                            "time / ours"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, "bench_nelder_mead")
    parser.add_argument("--library", type=pathlib.Path,
                        default=TREE / "build" / "bin" / "libnelder_mead_problems.so")
    parser.add_argument("--kinds", nargs="+", choices=["one", "many"], default=["one", "many"])
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"), help="page and place into which the tables are written")
    options = parser.parse_args()
    if not options.program.exists() or not options.library.exists():
        skip(f"{options.program} or {options.library} does not exist")
    load = os.getloadavg()[0]
    report = measured(options)
    pathlib.Path(options.out).write_text(json.dumps(report, indent=2) + "\n")
    context, versions = report["context"], report["peers"]["context"]
    text = (f"{context['processor']}, {len(options.cores)} cores; {context['compiler']} ({context['options']}), Kokkos "
            f"{context['kokkos']}, Sporos {context['sporos']}; SciPy {versions['scipy']}, NLopt {versions['nlopt']}; "
            f"{context['date'][:10]}, load {load:.1f} at the start.\n" + evaluations_table(report) + seconds_table(report))
    show(text, options.into)


if __name__ == "__main__":
    main()
