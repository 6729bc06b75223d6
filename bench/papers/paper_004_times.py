#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures Figure 2 of He et al. (2024) for portfolio and newsvendor: time against size, convergence, and energy.

  paper_004_times.py FOLDER [--programs build/bin] [--backends openmp,cuda] [--into PAGE PLACE]
  paper_004_times.py FOLDER --tables [--into PAGE PLACE]     uses the existing JSON without measuring

The script writes paper-004-times.json, .md and, with matplotlib, .svg and .png into FOLDER, and the output of
paper_004_table_2 into paper-004-table-2.txt. Every run has 1500 epochs of 25 iterations. Each case runs with the screening
of Frank–Wolfe, which the paper does not have, and without it. Times are the mean ± 2 standard deviations of up to seven
repetitions after a warm-up; a case that takes more than --case-seconds runs once. A run without screening may end early by
--time-limit or --total-seconds, and its row then shows the number of epochs. Times are never extrapolated.

The power of a case comes from two processes with different numbers of repetitions, so that it excludes the start of the
program. Energy is power times the time of a run. If the host has no readable counter, --host-watts gives its rated power.
"""
import argparse
import functools
import json
import math
import os
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import (BACKENDS, TREE, digits, fail, plural, run, run_program, skip, table,  # noqa: E402
                                  write_json, write_report)
from bench.harness.energy import EnergyMeter  # noqa: E402

NAME = "paper-004-times"
ITERATIONS, EPOCHS = 25, 1500
# Problem, size and samples per epoch.
SIZES = [("portfolio", 500, 25), ("portfolio", 5000, 25), ("portfolio", 10**4, 25), ("portfolio", 5 * 10**4, 25),
         ("portfolio", 10**5, 50), ("newsvendor", 100, 25), ("newsvendor", 1000, 25), ("newsvendor", 10**4, 25),
         ("newsvendor", 10**5, 25), ("newsvendor", 10**6, 50)]
SMOKE_SIZES, SMOKE_EPOCHS = [("portfolio", 20, 5), ("newsvendor", 30, 5)], 3
SCREENING = {"on": "with screening", "off": "without"}
SHORTEST = 5  # seconds that a case without screening must have left
TOLERANCE = 1e-6  # relative, between final objectives with and without screening
COLORS = {"serial": ("#009E73", "^"), "openmp": ("#0072B2", "o"), "cuda": ("#D55E00", "s"), "hip": ("#CC79A7", "D")}


def time_limit(options, case):
    """Returns the seconds after which a run of the case ends. Screening must not be interrupted: it covers many epochs."""
    return min(options.time_limit, options.deadline - time.monotonic()) if case["screening"] == "off" else math.inf


def one_process(options, case, repetitions, folder):
    """Returns the report and the meter of one process."""
    flags = ["--problem", case["problem"], "--size", case["size"], "--samples", case["samples"], "--iterations", ITERATIONS,
             "--epochs", options.epochs, "--screening", case["screening"], "--benchmark_repetitions", repetitions,
             "--benchmark_filter", f"/{case['backend']}/"]
    if math.isfinite(time_limit(options, case)):
        flags += ["--time-limit", max(time_limit(options, case), 1)]
    if case["screening"] == "off" and options.control:
        flags += ["--seed", 2]
    with EnergyMeter() as meter:
        report = run_program(options.programs / "bench_frank_wolfe", flags, folder / "report.json", os.sched_getaffinity(0))
    report["runs"] = [one for one in report["benchmarks"] if one["run_type"] == "iteration"]
    if not report["runs"]:
        fail(f"bench_frank_wolfe reports no {case['problem']}/{case['size']} on {case['backend']}")
    return report, meter


def seconds_in(run):
    return run["seconds_per_iteration"] * run["iterations_run"]


def power(meter, before, what):
    """Returns the mean power of `meter`, without the energy and time of the meter `before`."""
    if meter.joules[what] is None:
        return None
    joules, seconds = meter.joules[what], meter.seconds
    if before and meter.seconds > before.seconds:
        joules, seconds = joules - before.joules[what], seconds - before.seconds
    return joules / seconds


def measured_case(options, case, folder):
    report, meter = one_process(options, case, 1, folder)
    before, counted = None, report["runs"]
    count = min(options.repetitions, int(options.case_seconds / seconds_in(counted[0])) - 1)
    if count >= 1:
        before = meter
        report, meter = one_process(options, case, count + 1, folder)
        counted = report["runs"][1:]
    case |= {"seconds": [seconds_in(one) for one in counted], "iterations": [int(one["iterations_run"]) for one in counted],
             "objective": counted[-1]["objective"], "watts": {what: power(meter, before, what) for what in meter.joules}}
    return report["context"], meter.reasons


def measured_idle():
    """Returns the power of the GPU without a program on it, or None."""
    with EnergyMeter() as meter:
        time.sleep(2)
    return meter.watts("gpu")


def measured_convergence(options, folder):
    """Returns the objectives of paper_004_table_2 on all backends."""
    path = folder / "curves.json"
    command = [options.programs / "paper_004_table_2", "--backends", ",".join(options.backends), "--data", path]
    if options.smoke:
        command += ["--assets", 20, "--products", 30, "--epochs", 4, "--repetitions", 2]
    text = run(command, os.sched_getaffinity(0))
    (options.folder / "paper-004-table-2.txt").write_text(text)
    return json.loads(path.read_text())


def cases_of(options):
    """Returns the cases in the order in which they run: the long ones come last."""
    sizes = sorted(SMOKE_SIZES if options.smoke else SIZES, key=lambda one: one[1] * one[2])
    return [{"problem": problem, "size": size, "samples": samples, "backend": backend, "screening": screening}
            for screening in options.screening for backend in reversed(options.backends)
            for problem, size, samples in sizes if size <= options.largest]


def measured(options):
    for program in ("bench_frank_wolfe", "paper_004_table_2"):
        if not (options.programs / program).exists():
            skip(f"{options.programs / program} does not exist")
    if options.smoke:
        options.repetitions, options.epochs = 2, SMOKE_EPOCHS
    options.deadline = time.monotonic() + options.total_seconds
    report = {"date": time.strftime("%Y-%m-%d"), "epochs": options.epochs, "backends": options.backends,
              "idle_gpu_watts": measured_idle(), "cases": []}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        report["convergence"] = measured_convergence(options, folder)
        for case in cases_of(options):
            if case["screening"] == "off" and time.monotonic() + SHORTEST > options.deadline:
                print(f"{case['problem']} of {case['size']} on {case['backend']} skipped: no time left", file=sys.stderr)
                continue
            print(f"{case['problem']} of {case['size']} on {case['backend']}, {SCREENING[case['screening']]} …",
                  file=sys.stderr, flush=True)
            context, report["reasons"] = measured_case(options, case, folder)
            report["cases"].append(case)
            report["processor"], report["threads"] = context["processor"], context.get("openmp_threads", "1")
            report["gpu"] = context.get("gpu", "") if "cuda" in options.backends else ""
            write_json(report, options.folder / f"{NAME}.json")  # keeps what was measured if the script is interrupted
    return report


# Functions that make tables.


def found(report, problem, size, backend, screening):
    return next((case for case in report["cases"] if (case["problem"], case["size"], case["backend"], case["screening"]) ==
                 (problem, size, backend, screening)), None)


def is_full(report, case):
    return min(case["iterations"]) == report["epochs"] * ITERATIONS


def mean_and_band(case):
    """Returns mean and two standard deviations of the seconds of a run."""
    seconds = case["seconds"]
    return statistics.fmean(seconds), 2 * statistics.stdev(seconds) if len(seconds) > 1 else 0.0


def seconds_text(report, case):
    if not case:
        return ""
    mean, band = map(digits, mean_and_band(case))
    if not is_full(report, case):
        return f"over {mean} ({min(case['iterations']) // ITERATIONS} epochs)"
    return f"{mean} ± {band}" if len(case["seconds"]) > 1 else f"{mean} (one run)"


def ratio_text(report, cases):
    """Returns how many times the last backend is as fast as the first: a lower bound if the first did not end."""
    if not all(cases) or not is_full(report, cases[-1]):
        return ""
    ratio = digits(mean_and_band(cases[0])[0] / mean_and_band(cases[-1])[0])
    return ratio if is_full(report, cases[0]) else f"over {ratio}"


def time_table(report, problem):
    backends, modes = report["backends"], list(SCREENING)
    header = ["size", *(f"{BACKENDS[backend]}, {SCREENING[mode]}" for backend in backends for mode in modes)]
    if len(backends) > 1:
        header += [f"ratio, {SCREENING[mode]}" for mode in modes]
    rows = []
    for size in sorted({case["size"] for case in report["cases"] if case["problem"] == problem}):
        cases = [[found(report, problem, size, backend, mode) for backend in backends] for mode in modes]
        row = [f"{size:,}", *(seconds_text(report, cases[mode][i]) for i in range(len(backends)) for mode in range(len(modes)))]
        rows.append(row + ([ratio_text(report, of_mode) for of_mode in cases] if len(backends) > 1 else []))
    return table(f"Figure 2, {problem}: seconds of {report['epochs']} epochs", header, rows)


def watts_of(case, host_watts):
    """Returns the power of the hardware on which the case ran, and its origin."""
    on_gpu = case["backend"] in ("cuda", "hip")
    watts = case["watts"]["gpu" if on_gpu else "host"]
    if watts is not None:
        return watts, "measured"
    return (None if on_gpu else host_watts), "rated"


def energy_table(report, host_watts):
    """Returns the energy of one run of the largest size of each problem on each backend."""
    rows = []
    for problem in ("portfolio", "newsvendor"):
        largest = max((case["size"] for case in report["cases"] if case["problem"] == problem), default=0)
        for mode in SCREENING:
            cases = [case for case in (found(report, problem, largest, backend, mode) for backend in report["backends"])
                     if case and is_full(report, case)]
            first = None
            for case in cases:
                (watts, origin), seconds = watts_of(case, host_watts), mean_and_band(case)[0]
                joules = None if watts is None else watts * seconds
                first = joules if case is cases[0] else first
                saved = "" if case is cases[0] or not (joules and first) else f"{100 * (1 - joules / first):.0f} %"
                rows.append([f"{problem} of {largest:,}, {SCREENING[mode]}", BACKENDS[case["backend"]], digits(seconds),
                             "not readable" if watts is None else f"{digits(watts)} ({origin})",
                             "" if joules is None else digits(joules), saved])
    return table("Energy of one run", ["case", "backend", "seconds", "W", "J", "saved"], rows)


def differences(report):
    """Returns (relative difference of the final objectives with and without screening, case) for all full pairs."""
    pairs = []
    for case in report["cases"]:
        plain = found(report, case["problem"], case["size"], case["backend"], "off")
        if case["screening"] == "on" and plain and is_full(report, plain):
            pairs.append((abs(plain["objective"] / case["objective"] - 1), case))
    return pairs


def check(report):
    for apart, case in differences(report):
        if not apart <= TOLERANCE:
            fail(f"{case['problem']} of {case['size']} on {case['backend']}: with and without screening, the final objectives "
                 f"differ by {apart:.1e}, expected at most {TOLERANCE}")


def text_of(options, report):
    reasons, idle = report["reasons"], report["idle_gpu_watts"]
    gpu = f", {report['gpu']}" if report["gpu"] else ""
    at_rest = "" if idle is None else f", idle {digits(idle)} W"
    text = (f"{report['processor']}, {plural(int(report['threads']), 'thread')}{gpu}, {report['date']}; "
            f"energy of the GPU: {reasons['gpu'] or 'NVML'}{at_rest}; of the host: {reasons['host'] or 'RAPL'}.\n")
    text += time_table(report, "portfolio") + time_table(report, "newsvendor") + energy_table(report, options.host_watts)
    largest = max((apart for apart, _ in differences(report)), default=None)
    if largest is not None:
        text += f"\nWith and without screening, final objectives differ by at most {largest:.1e}.\n"
    return text


# Functions that draw.


def draw_times(axis, report, problem, unit):
    for backend in report["backends"]:
        color, marker = COLORS.get(backend, ("#000000", "v"))
        for mode, line in (("on", "-"), ("off", "--")):
            cases = [case for case in report["cases"] if is_full(report, case) and
                     (case["problem"], case["backend"], case["screening"]) == (problem, backend, mode)]
            points = [(case["size"], *mean_and_band(case)) for case in cases]
            if not points:
                continue
            sizes, means, bands = zip(*sorted(points))
            down = [min(band, 0.9 * mean) for mean, band in zip(means, bands)]  # bars on a logarithmic axis cannot extend to 0
            axis.errorbar(sizes, means, yerr=(down, bands), color=color, linestyle=line, marker=marker, capsize=4,
                          markerfacecolor="none" if mode == "off" else color, label=f"{BACKENDS[backend]}, {SCREENING[mode]}")
    axis.set(xscale="log", yscale="log", xlabel=unit, ylabel=f"seconds of {report['epochs']} epochs of {ITERATIONS} iterations",
             title=f"{problem}: time, mean ± 2 standard deviations")


def draw_convergence(axis, curve, backends):
    """Draws the relative squared errors: a line for the first backend, markers for the others and for the paper."""
    for backend in backends:
        rows, color = curve["objectives"][backend], COLORS.get(backend, ("#000000", "v"))[0]
        errors = [(k, statistics.fmean(100 * ((y - end) / y) ** 2 for y, end in zip(row, rows[-1])))
                  for k, row in zip(curve["iterations"][:-1], rows) if k > 0 and 0 not in row]
        style = {"linestyle": "-"} if backend == backends[0] else {"linestyle": "", "marker": "x"}
        axis.plot(*zip(*errors), color=color, label=BACKENDS[backend], **style)
    for (name, points), marker, shift in zip(curve.get("printed", {}).items(), "sv", (0.97, 1.03)):
        at, means, bands = zip(*points)
        axis.errorbar([shift * k for k in at], means, yerr=bands, color="#009E73", marker=marker, capsize=4, linestyle="",
                      label=f"printed in the paper: {name}")
    axis.set(xscale="log", yscale="log", xlabel="iteration", ylabel="relative squared error (%)",
             title=f"{curve['problem']} of {curve['size']}: convergence, mean")


def draw(report, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    matplotlib.rcParams.update({"font.size": 11, "svg.hashsalt": "sporos", "axes.spines.top": False,
                                "axes.spines.right": False})
    figure, axes = pyplot.subplots(2, 2, figsize=(12, 10))
    draw_times(axes[0][0], report, "portfolio", "assets")
    draw_times(axes[0][1], report, "newsvendor", "products")
    for axis, curve in zip(axes[1], report["convergence"]["curves"]):
        draw_convergence(axis, curve, report["convergence"]["backends"])
    for axis in axes.flat:
        axis.grid(True, which="major", color="#dddddd", linewidth=0.8)
        axis.legend(frameon=False)
    figure.suptitle(f"Frank–Wolfe with resampling (He et al. 2024, Figure 2); {report['processor']}"
                    f"{', ' + report['gpu'] if report['gpu'] else ''}")
    figure.tight_layout()
    for suffix, how in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 100})):
        figure.savefig(path.with_suffix(suffix), **how)
    pyplot.close(figure)


def positive(text):
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--programs", type=pathlib.Path, default=TREE / "build" / "bin")
    parser.add_argument("--backends", type=lambda text: text.split(","), default=["openmp"], metavar="openmp,cuda")
    parser.add_argument("--screening", type=lambda text: text.split(","), default=list(SCREENING), metavar="on,off")
    parser.add_argument("--repetitions", type=int, default=7, help="repetitions after the warm-up")
    parser.add_argument("--case-seconds", type=positive, default=20, help="time for the repetitions of a case")
    parser.add_argument("--time-limit", type=positive, default=math.inf, metavar="SECONDS",
                        help="end a run without screening after this time")
    parser.add_argument("--total-seconds", type=positive, default=math.inf, help="time for all runs without screening to end")
    parser.add_argument("--host-watts", type=positive, help="rated power of the processor, if it has no readable counter")
    parser.add_argument("--largest", type=int, default=10**6, metavar="SIZE", help="largest size to run")
    parser.add_argument("--smoke", action="store_true", help="small sizes, three epochs, two repetitions")
    parser.add_argument("--control", action="store_true", help="use other samples without screening; the check must fail")
    parser.add_argument("--tables", action="store_true", help="use the JSON in FOLDER instead of measuring")
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"), help="page and place into which the tables are written")
    options = parser.parse_args()
    if not set(options.screening) <= set(SCREENING):
        parser.error(f"--screening is {','.join(options.screening)}; give on, off or on,off")
    options.epochs = EPOCHS
    return options


def main():
    options = parsed()
    write_report(options, NAME, measured, functools.partial(text_of, options), draw)
    check(json.loads((options.folder / f"{NAME}.json").read_text()))


if __name__ == "__main__":
    main()
