#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures Figures 5 to 8 and Table 1 of Passerat-Palmbach et al. (2011): thread-level and warp-level replications.

  paper_003_figures_5_8.py FOLDER [--program build-cuda/bin/paper_003_figures_5_8] [--ncu ncu] [--into PAGE PLACE]
  paper_003_figures_5_8.py FOLDER --runs A.json,B.json [--profile ncu.csv] [--into PAGE PLACE]    does not measure
  paper_003_figures_5_8.py --ncu-command                             only prints the command that makes ncu.csv

Times against the number of replications are compared with the CPU. NVIDIA's profiler counts the instructions of the random
walk. The script writes paper-003-figures-5-8.json, .md and, with matplotlib, .svg and .png into FOLDER. --runs combines
several reports, with the machine and GPU of the first one. Times are those of whole calls, the minimum over the repeats.
"""
import argparse
import csv
import io
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import TREE, aligned, digits, fail, plural, show, skip, table  # noqa: E402

NAME = "paper-003-figures-5-8"
PROFILED = [64, 1000]  # numbers of replications of the random walk under the profiler
WAYS = {"by hand": "by hand, one core", "serial": "Serial", "openmp": "OpenMP", "printed threads": "threads as printed",
        "printed warps": "warps as printed", "cuda threads": "our threads", "cuda warps": "our warps",
        "serial taus88": "Serial, taus88", "openmp taus88": "OpenMP, taus88", "cuda threads taus88": "our threads, taus88",
        "cuda warps taus88": "our warps, taus88", "rereading threads": "threads as printed, rereading",
        "rereading warps": "warps as printed, rereading"}
GPU_PAIRS = {"as printed": ("printed threads", "printed warps"), "ours": ("cuda threads", "cuda warps"),
             "ours with taus88": ("cuda threads taus88", "cuda warps taus88")}
# Pattern of each kernel's name, with or without namespaces. The first pattern that matches identifies the kernel: all
# kernels of threads match the last one.
TAUS88, HELD = r"<(\w+::)*EngineSource<(\w+::)*Taus88", r".*\bInRegisters<"
KERNELS = {"printed threads": rf"\bReplicator{TAUS88}{HELD}", "printed warps": rf"\bOneLaneReplicator{TAUS88}{HELD}",
           "rereading threads": rf"\bReplicator{TAUS88}", "rereading warps": r"\bOneLaneReplicator\b",
           "cuda warps": r"\bWarpReplicator\b", "cuda threads": r"\bReplicator\b"}
METRICS = {"time": "gpu__time_duration.sum", "instructions": "smsp__inst_executed.sum",
           "active": "smsp__thread_inst_executed_per_inst_executed.ratio",
           "predicated": "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
           "branches": "smsp__sass_branch_targets.sum", "divergent": "smsp__sass_branch_targets_threads_divergent.sum",
           "global reads": "smsp__inst_executed_op_global_ld.sum", "global writes": "smsp__inst_executed_op_global_st.sum",
           "local reads": "smsp__inst_executed_op_local_ld.sum", "local writes": "smsp__inst_executed_op_local_st.sum",
           "read sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
           "write sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
           "latency": "smsp__average_warp_latency_per_inst_issued.ratio",
           "waiting": "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
           "throttled": "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
           "multiprocessors": "sm__cycles_active.sum", "longest": "sm__cycles_active.max"}


# Metrics that not every GPU or version of the profiler has. A table leaves their cells empty.
STALLS = ["long_scoreboard", "lg_throttle", "wait", "short_scoreboard", "branch_resolve", "no_instruction", "imc_miss",
          "math_pipe_throttle", "dispatch_stall", "not_selected", "selected"]
OPTIONAL_METRICS = {"read requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                    "read hits": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
                    "local sectors": "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
                    "sectors from L2": "lts__t_sectors_srcunit_tex_op_read.sum", "sectors from DRAM": "dram__sectors_read.sum",
                    "resident warps": "sm__warps_active.avg.per_cycle_active",
                    **{name: f"smsp__average_warps_issue_stalled_{name}_per_issue_active.ratio" for name in STALLS}}


def available(options):
    """Returns the optional metrics that the profiler lists; all of them if it lists none."""
    try:
        listed = subprocess.run([options.ncu, "--query-metrics"], capture_output=True, text=True).stdout
    except OSError:
        return OPTIONAL_METRICS
    names = {line.split()[0] for line in listed.splitlines() if line.strip()}
    found = {name: metric for name, metric in OPTIONAL_METRICS.items() if metric.split(".")[0] in names}
    return found or OPTIONAL_METRICS


def ncu_command(options):
    metrics = dict.fromkeys([*METRICS.values(), *available(options).values()])
    return [options.ncu, "--clock-control", "none", "--csv", "--print-units", "base", "--kernel-name-base", "demangled", "-k",
            "regex:Replicator", "--metrics", ",".join(metrics), options.program, "--models",
            "random-walk", "--ways", ",".join(KERNELS), "--replications", ",".join(map(str, PROFILED)), "--once", "--json",
            "profiled.json"]


# Functions that evaluate the profile.


def number_of(text):
    """Returns a number of ncu, which separates thousands by commas, or None for n/a, a missing metric."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def profile_of(text):
    """Returns the metrics of each kernel from ncu's CSV, whose launches are in the order of PROFILED for each way."""
    lines = text.splitlines()
    head = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if head is None:
        fail("the profile has no line that begins with \"ID\", expected the output of ncu --csv")
    launches = {}
    for row in csv.DictReader(io.StringIO("\n".join(line for line in lines[head:] if line.startswith('"')))):
        launch = launches.setdefault(int(row["ID"]), {"kernel": row["Kernel Name"], "values": {}})
        launch["values"][row["Metric Name"]] = number_of(row["Metric Value"])
    found = {way: [] for way in KERNELS}
    for _, launch in sorted(launches.items()):
        way = next((way for way, pattern in KERNELS.items() if re.search(pattern, launch["kernel"])), None)
        if way is None:
            continue
        values = {name: launch["values"].get(metric) for name, metric in {**METRICS, **OPTIONAL_METRICS}.items()}
        found[way].append(values)
    for way, kernels in found.items():
        if kernels and len(kernels) != len(PROFILED):
            fail(f"the profile has {plural(len(kernels), 'kernel')} for {WAYS[way]}, expected {len(PROFILED)}")
    return [{"way": way, "replications": count, **values} for way, kernels in found.items()
            for count, values in zip(PROFILED, kernels)]


def ratio(a, b, scale=1):
    return scale * a / b if a is not None and b else None


def waiting_ratio(one):
    """Returns Figure 8: the cycles in which a warp waits for global or local memory, divided by its other cycles."""
    waits = (one["waiting"] or 0) + (one["throttled"] or 0)
    return ratio(waits, one["latency"] - waits) if one["latency"] else None


def waits_of_a_warp(one):
    """Returns, for a warp of a kernel, its reads, the share of their sectors in L1, its cycles that wait for memory, and the
    other cycles."""
    warps = -(-one["replications"] // 32) if "threads" in one["way"] else one["replications"]
    waits = (one["waiting"] or 0) + (one["throttled"] or 0)
    instructions = ratio(one["instructions"], warps)
    cycles = [instructions and part * instructions for part in (waits, (one["latency"] or 0) - waits)]
    return [ratio(one.get("read requests"), warps), ratio(one.get("read hits"), one["read sectors"], 100), *cycles]


def cell(value):
    return "" if value is None else f"{value:,.0f}" if abs(value) >= 1000 else digits(value)


def profile_table(profile):
    rows = []
    for one in profile:
        rows.append([f"{one['replications']:,}", WAYS[one["way"]], cell(ratio(one["time"], 1000)), cell(one["instructions"]),
                     cell(ratio(one["instructions"], one["replications"])), cell(one["active"]), cell(one["predicated"]),
                     cell(one["branches"]), cell(ratio(one["divergent"], one["branches"], 100)),
                     cell(ratio(one["multiprocessors"], one["longest"]))])
    text = table("Profile of the random walk's kernels",
                 ["replications", "way", "µs", "instructions of warps", "per replication", "active lanes",
                  "active, predicate on", "branches", "divergent, %", "busy multiprocessors"], rows)
    rows = [[f"{one['replications']:,}", WAYS[one["way"]], cell(waiting_ratio(one)),
             *(cell(one[name]) for name in ("global reads", "global writes", "local reads", "local writes", "read sectors",
                                            "write sectors"))] for one in sorted(profile, key=lambda one: one["replications"])]
    text += table("Figure 8 and Table 1: global memory", ["replications", "way", "waiting for memory / other cycles",
                  "reads", "writes", "local reads", "local writes", "sectors read", "sectors written"], rows)
    rows = [[f"{one['replications']:,}", WAYS[one["way"]], *map(cell, waits_of_a_warp(one)),
             *(cell(one.get(name)) for name in ("local sectors", "sectors from L2", "sectors from DRAM", "resident warps"))]
            for one in sorted(profile, key=lambda one: one["replications"])]
    text += table("Figure 8: causes", ["replications", "way", "reads of a warp", "found in L1, %", "cycles waiting for memory",
                  "other cycles", "local sectors read", "sectors from L2", "sectors from DRAM", "resident warps"], rows)
    rows = [[f"{one['replications']:,}", WAYS[one["way"]], *(cell(one.get(name)) for name in STALLS)]
            for one in sorted(profile, key=lambda one: one["replications"]) if one.get("wait") is not None]
    if not rows:
        return text
    return text + table("Cycles of a warp for each instruction, by the reason of the wait",
                        ["replications", "way", *(name.replace("_", " ") for name in STALLS)], rows)


# Functions that format tables of times.


def lines_of(runs, model):
    """Returns {replications: seconds} for each way of a model."""
    lines = {}
    for run in runs:
        if run["model"] == model:
            for way, seconds in run["seconds"].items():
                if seconds:
                    lines.setdefault(way, {})[run["replications"]] = min(seconds)
    return {way: dict(sorted(lines[way].items())) for way in WAYS if way in lines}


def crossing(slower, faster):
    """Returns the smallest common number of replications from which on `faster` takes no longer, or None."""
    common = sorted(set(slower) & set(faster))
    losses = [n for n in common if faster[n] > slower[n]]
    after = [n for n in common if not losses or n > losses[-1]]
    return after[0] if after else None


def time_text(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            break
    return f"{digits(seconds / size)} {unit}"


FIGURES = {"pi": ("5", "π of {} points"), "mm1": ("6", "M/M/1 of {} customers"), "random-walk": ("7", "random walk of {} steps")}


def figure_table(runs, model):
    number, title = FIGURES[model]
    lines = lines_of(runs, model)
    work = next(run["work"] for run in runs if run["model"] == model)
    counts = sorted({n for line in lines.values() for n in line})
    pairs = {name: pair for name, pair in GPU_PAIRS.items() if all(way in lines for way in pair)}
    rows = [[f"{n:,}", *(time_text(line[n]) if n in line else "" for line in lines.values()),
             *(f"{lines[threads][n] / lines[warps][n]:.2f}" for threads, warps in pairs.values())] for n in counts]
    return table(f"Figure {number}: {title.format(f'{work:,.0f}')}",
                 ["replications", *(WAYS[way] for way in lines), *(f"thread / warp, {name}" for name in pairs)], rows)


def claims(runs):
    """Returns a table with the claims of the paper and the results of these runs."""
    rows = [["claim", "paper", "here"]]
    for model, printed in (("pi", "30"), ("mm1", "20"), ("random-walk", "20")):
        lines = lines_of(runs, model)
        cpu = lines.get("by hand")
        for way in ("printed warps", "cuda warps"):
            if cpu and way in lines:
                at = crossing(cpu, lines[way])
                rows.append([f"{FIGURES[model][1].format('').split(' of')[0]}: {WAYS[way]} faster than the CPU from", printed,
                             f"{at:,}" if at else "never"])
    lines = lines_of(runs, "random-walk")
    for name, (threads, warps) in GPU_PAIRS.items():
        if threads not in lines or warps not in lines:
            continue
        gains = {n: lines[threads][n] / lines[warps][n] for n in lines[warps] if n in lines[threads]}
        best = max(gains, key=gains.get)
        at = crossing(lines[warps], lines[threads])
        rows.append([f"random walk: largest speed-up of warps, {name}", "6", f"{gains[best]:.2f} at {best:,}"])
        rows.append([f"random walk: threads not slower from, {name}", "about 700", f"{at:,}" if at else "never"])
    if len(rows) == 1:
        return ""
    return "\nClaims:\n\n```\n" + aligned(rows) + "\n```\n"


def text_of(report):
    context, runs = report["context"], report["runs"]
    threads = plural(context["threads"].get("openmp", 1), "thread")
    gpu = f"{context['gpu']} with " if "gpu" in context else ""
    text = f"{gpu}{context['processor']}, {plural(context['cores'], 'core')}, OpenMP with {threads}; {context['date']}.\n"
    for model in FIGURES:
        if any(run["model"] == model for run in runs):
            text += figure_table(runs, model)
    text += claims(runs)
    return text + (profile_table(report["profile"]) if report["profile"] else "")


# Measurement.


def measured(options, folder):
    if not options.program.exists():
        skip(f"{options.program} does not exist")
    path = folder / "runs.json"
    sizes = (["--draws", "1000", "--customers", "50", "--steps", "50", "--replications", "10,100,1000", "--repeats", "1"]
             if options.smoke else [])
    done = subprocess.run([options.program, "--json", path, *sizes])
    if done.returncode:
        fail(f"{options.program.name} exits with {done.returncode}, expected 0")
    report = json.loads(path.read_text())
    path.unlink()
    profile = []
    if options.ncu:
        command = ncu_command(options)
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True)
        if done.returncode:
            fail(f"{command[0]} exits with {done.returncode}, expected 0")
        profile = profile_of(done.stdout)
    return {**report, "profile": profile}


def gathered(options):
    reports = [json.loads(pathlib.Path(path).read_text()) for path in options.runs]
    profile = profile_of(options.profile.read_text()) if options.profile else []
    return {"context": reports[0]["context"], "runs": [run for report in reports for run in report["runs"]],
            "profile": profile or reports[0].get("profile", [])}


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER", nargs="?", default=pathlib.Path("."))
    parser.add_argument("--program", type=pathlib.Path, default=TREE / "build" / "bin" / "paper_003_figures_5_8")
    parser.add_argument("--ncu", help="NVIDIA's profiler, which counts instructions of the random walk")
    parser.add_argument("--ncu-command", action="store_true", help="print the profiler's command")
    parser.add_argument("--runs", type=lambda text: text.split(","), metavar="FILE,FILE",
                        help="reports of the program or of this script, used instead of measuring")
    parser.add_argument("--profile", type=pathlib.Path, metavar="CSV", help="output of the profiler")
    parser.add_argument("--smoke", action="store_true", help="small sizes")
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"), help="page and place into which the tables are written")
    return parser.parse_args()


def main():
    options = parsed()
    if options.ncu_command:
        options.ncu = options.ncu or "ncu"
        print(shlex.join(str(part) for part in ncu_command(options)))
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    report = gathered(options) if options.runs else measured(options, options.folder)
    path = options.folder / f"{NAME}.json"
    path.write_text(json.dumps(report, indent=1) + "\n")
    text = text_of(report)
    path.with_suffix(".md").write_text(text)
    try:
        import paper_003_charts
    except ImportError:
        print("no charts: matplotlib is not installed", file=sys.stderr)
    else:
        paper_003_charts.draw(report, path)
        if options.into:
            picture = os.path.relpath(path.with_suffix(".svg"), pathlib.Path(options.into[0]).parent)
            text += f"\n![Time against replications, speed-up of warps, and waiting for memory]({picture})\n"
    show(text, options.into)


if __name__ == "__main__":
    main()
