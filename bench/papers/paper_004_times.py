#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures Figure 2 of He et al. (2024) for portfolio and newsvendor: time against size, and energy.

  paper_004_times.py FOLDER [--programs build/bin] [--backends openmp,cuda] [--into PAGE PLACE]
  paper_004_times.py FOLDER --tables [--into PAGE PLACE]     uses the existing JSON without measuring

The script writes paper-004-times.json, .md and, with matplotlib, .svg and .png into FOLDER. Times are the mean ± 2 standard
deviations of seven repetitions on each backend, after a warm-up repetition, for 1500 epochs of 25 iterations. Large instances
run fewer epochs, and their times are scaled. Power is measured over the whole run of a program, including the generation of
the instance, if the counters of host or GPU can be read. Energy is power times the reported time.
"""
import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import BACKENDS, TREE, digits, fail, run_program, skip, table, write_report  # noqa: E402
from bench.harness.energy import EnergyMeter  # noqa: E402

NAME = "paper-004-times"
ITERATIONS, EPOCHS = 25, 1500
# Problem, size, samples per epoch and number of epochs to run.
SIZES = [("portfolio", 500, 25, 1500), ("portfolio", 5000, 25, 600), ("portfolio", 10**4, 25, 300),
         ("portfolio", 5 * 10**4, 25, 50), ("portfolio", 10**5, 50, 16), ("newsvendor", 100, 25, 1500),
         ("newsvendor", 1000, 25, 1500), ("newsvendor", 10**4, 25, 400), ("newsvendor", 10**5, 25, 40),
         ("newsvendor", 10**6, 50, 4)]


def measured_case(options, case, backend, folder):
    problem, size, samples, epochs = case
    flags = ["--problem", problem, "--size", size, "--samples", samples, "--iterations", ITERATIONS, "--epochs", epochs,
             "--benchmark_repetitions", options.repetitions + 1, "--benchmark_filter", f"/{backend}/"]
    with EnergyMeter() as meter:
        report = run_program(options.programs / "bench_frank_wolfe", flags, folder / "report.json", os.sched_getaffinity(0))
    found = [one["seconds_per_iteration"] for one in report["benchmarks"] if one["run_type"] == "iteration"]
    if not found:
        fail(f"bench_frank_wolfe reports no {problem}/{size} on {backend}")
    return {"problem": problem, "size": size, "samples": samples, "epochs": epochs, "backend": backend,
            "seconds_per_iteration": found, "watts": {what: meter.watts(what) for what in meter.joules},
            "context": report["context"]}, meter.reasons


def seconds_of(case):
    """Returns mean and two standard deviations of the time of all iterations, without the warm-up repetition."""
    counted = [EPOCHS * ITERATIONS * one for one in case["seconds_per_iteration"][1:]]
    return statistics.fmean(counted), 2 * statistics.stdev(counted) if len(counted) > 1 else 0.0


def text_of(report):
    text = (f"{report['processor']}{', ' + report['gpu'] if report['gpu'] else ''}, {report['date']}; energy of the GPU: "
            f"{report['reasons']['gpu'] or 'NVML'}; of the host: {report['reasons']['host'] or 'RAPL'}.\n")

    def energy(case, what):
        power = case["watts"][what]
        return ["not readable"] * 2 if power is None else [digits(power), digits(power * seconds_of(case)[0] / 1e3)]

    for problem in ("portfolio", "newsvendor"):
        text += table(f"Figure 2, {problem}", ["size", "backend", "seconds", "GPU W", "GPU kJ", "host W", "host kJ"],
                      [[f"{case['size']:,}", case["backend"], "{} ± {}".format(*map(digits, seconds_of(case))),
                        *energy(case, "gpu"), *energy(case, "host")]
                       for case in report["cases"] if case["problem"] == problem])
    return text


def draw(report, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    matplotlib.rcParams.update({"font.size": 11, "svg.hashsalt": "sporos", "axes.spines.top": False,
                                "axes.spines.right": False})
    figure, axes = pyplot.subplots(1, 2, figsize=(12, 5))
    for axis, (problem, unit) in zip(axes, (("portfolio", "assets"), ("newsvendor", "products"))):
        for backend, (color, marker) in zip(BACKENDS, (("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#CC79A7", "D"))):
            found = [(case["size"], *seconds_of(case)) for case in report["cases"]
                     if case["problem"] == problem and case["backend"] == backend]
            if not found:
                continue
            sizes, means, bands = zip(*found)
            down = [min(band, 0.9 * mean) for mean, band in zip(means, bands)]  # bars on a logarithmic axis cannot extend to 0
            axis.errorbar(sizes, means, yerr=(down, bands), color=color, marker=marker, markerfacecolor="none", capsize=4,
                          label=BACKENDS[backend])
        axis.set(xscale="log", yscale="log", xlabel=unit, ylabel="seconds of 1500 epochs of 25 iterations",
                 title=f"{problem}, mean ± 2 standard deviations")
        axis.grid(True, which="major", color="#dddddd", linewidth=0.8)
        axis.legend(frameon=False)
    figure.suptitle(f"Frank–Wolfe with resampling (He et al. 2024, Figure 2); {report['processor']}"
                    f"{', ' + report['gpu'] if report['gpu'] else ''}")
    figure.tight_layout()
    for suffix, how in ((".svg", {"metadata": {"Date": None}}), (".png", {"dpi": 100})):
        figure.savefig(path.with_suffix(suffix), **how)
    pyplot.close(figure)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--programs", type=pathlib.Path, default=TREE / "build" / "bin")
    parser.add_argument("--backends", type=lambda text: text.split(","), default=["openmp"], metavar="openmp,cuda")
    parser.add_argument("--repetitions", type=int, default=7, help="repetitions after the warm-up")
    parser.add_argument("--largest", type=int, default=10**6, metavar="SIZE", help="largest size to run")
    parser.add_argument("--smoke", action="store_true", help="small sizes, two repetitions")
    parser.add_argument("--tables", action="store_true", help="use the JSON in FOLDER instead of measuring")
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"), help="page and place into which the tables are written")
    return parser.parse_args()


def measured(options):
    if not (options.programs / "bench_frank_wolfe").exists():
        skip(f"{options.programs / 'bench_frank_wolfe'} does not exist")
    sizes = [("portfolio", 20, 5, 3), ("newsvendor", 30, 5, 3)] if options.smoke else SIZES
    if options.smoke:
        options.repetitions = 2
    cases, reasons = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for case in sizes:
            for backend in options.backends if case[1] <= options.largest else []:
                print(f"{case[0]} of {case[1]} on {backend} …", file=sys.stderr)
                found, reasons = measured_case(options, case, backend, pathlib.Path(folder))
                cases.append(found)
    context = cases[0]["context"]
    return {"processor": context["processor"], "gpu": context.get("gpu", "") if "cuda" in options.backends else "",
            "date": time.strftime("%Y-%m-%d"), "reasons": reasons, "cases": cases}


def main():
    write_report(parsed(), NAME, measured, text_of, draw)


if __name__ == "__main__":
    main()
