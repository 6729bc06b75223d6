#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures photon transport between plates in bench_radiation, and compares it with MCX on a GPU (mcx_peer.py).

  radiation.py [--program build/bin/bench_radiation] [--out REPORT] [--into PAGE PLACE]    exit status 77 without the program
  radiation.py --backends cuda --platform cuda --peers mcx     includes MCX, if pmcx and its GPU are available
  radiation.py --tables REPORT... [--into PAGE PLACE]          combines reports of earlier runs without measuring

Steps and crossings are counted in a separate run. The fastest repeat counts. MCX and Sporos simulate the same lit cube; the
script fails if reflectance or transmittance differ by more than five standard errors. It prints tables in Markdown and writes
a report.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.common import (BACKENDS, add_arguments, digits, fail, plural, run, run_program, show,  # noqa: E402
                                  skip, table, write_json)
from bench.harness.measurement import Measurement  # noqa: E402

LIT = "lit/cube_60"  # the case that MCX also simulates
CASES = {"plates/exact": "plates, exact paths", "plates/sampled_80": "plates, 80 points per element",
         "plates/sampled_160": "160 points", "plates/sampled_240": "240 points",
         "plates/scattering": "plates, isotropic scattering", "slab/slices_1": "slab of 1 slice",
         "slab/slices_100": "100 slices", "slab/slices_10000": "10,000 slices", LIT: "lit cube, 60 × 60 × 60"}
TOLERANCE = 5  # standard errors; a correct run exceeds them once in two million times


def run_ours(options):
    """Returns the context, and the fastest repeat of each benchmark by its name without "/real_time".

    Additions to tallies are measured only with all cases.
    """
    additions = ["tally_additions/[0-9]+"] if options.cases == list(CASES) else []
    names = "|".join(["double_operations", *additions, *options.cases])
    flags = ["--benchmark_repetitions", options.repeats, "--benchmark_filter",
             f"^({names})/({'|'.join(options.backends)})/"]
    if options.smoke:
        flags += ["--steps", 1e4, "--device-steps", 1e6, "--benchmark_min_time", 0]
    with tempfile.TemporaryDirectory() as folder:
        report = run_program(options.program, flags, pathlib.Path(folder) / "ours.json", options.cores)
    best = {}
    for one in report["benchmarks"]:
        if one.get("error_occurred"):
            fail(f"{one['name']}: {one['error_message']}")
        name = one["name"].removesuffix("/real_time")
        if one["run_type"] == "iteration" and (name not in best or one["real_time"] < best[name]["real_time"]):
            best[name] = one
    return {"context": report["context"] | {"load": os.getloadavg()[0]}, "ours": best}


def run_peers(options):
    """Returns the report of MCX; empty if it or its case is not requested, or pmcx or its GPU is missing."""
    if "mcx" not in options.peers or options.platform != "cuda" or LIT not in options.cases:
        return {}
    photons = ["--photons", 10**5, "--repeats", 3] if options.smoke else ["--photons", options.peer_photons]
    found = run([sys.executable, pathlib.Path(__file__).with_name("mcx_peer.py"), *photons], options.cores)
    if found is None:
        print("MCX is skipped: pmcx or its GPU is missing", file=sys.stderr)
    return json.loads(found) if found else {}


def mean_and_error(values):
    return statistics.fmean(values), statistics.stdev(values) / math.sqrt(len(values))


def deviation(ours, mcx, what):
    """Returns the difference of reflectance or transmittance in standard errors."""
    mean, error = mean_and_error(mcx[what])
    return (ours[what] - mean) / math.hypot(ours[f"{what}_error"], error)


# Functions that format tables.


def rate(value):
    for size, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{digits(value / size)} {unit}"
    return digits(value)


def rates_of(ours, backend):
    """Returns the operations on doubles per second, and the additions per second by number of tallies."""
    operations = ours[f"double_operations/{backend}"]["operations"]
    additions = {int(name.split("/")[1]): one["additions"] for name, one in ours.items()
                 if name.startswith("tally_additions/") and name.endswith(f"/{backend}")}
    return operations, additions


def flights(ours):
    """Returns a list of case, backend and measurement."""
    return [(case, backend, ours[f"{case}/{backend}"]) for case in CASES for backend in BACKENDS
            if f"{case}/{backend}" in ours]


def flight_rows(ours):
    for case, backend, one in flights(ours):
        operations, additions = rates_of(ours, backend)
        yield [CASES[case], BACKENDS[backend], rate(one["photons"]), f"{one['crossings_of_photon']:.1f}", rate(one["steps"]),
               f"**{rate(one['crossings'])}**", f"{one['double_operations'] / operations:.0%}",
               f"{one['steps'] / additions[int(one['tallies'])]:.0%}" if additions else ""]


def rate_rows(ours):
    for backend in BACKENDS:
        if f"double_operations/{backend}" in ours:
            operations, additions = rates_of(ours, backend)
            yield [BACKENDS[backend], rate(operations), *(rate(additions[tallies]) for tallies in sorted(additions))]


def peer_rows(ours, mcx):
    for backend in BACKENDS:
        one = ours.get(f"{LIT}/{backend}")
        if one:
            yield [f"ours, {BACKENDS[backend]}, double", rate(one["photons"]), "", *(
                f"{one[what]:.6f} ± {one[f'{what}_error']:.6f}" for what in ("reflectance", "transmittance"))]
    if mcx:
        shares = (mean_and_error(mcx[what]) for what in ("reflectance", "transmittance"))
        yield ["MCX, float", rate(mcx["photons"] / min(mcx["kernel_seconds"])),
               rate(mcx["photons"] / min(mcx["call_seconds"])), *(f"{mean:.6f} ± {error:.6f}" for mean, error in shares)]


def text_of(report):
    context, ours, mcx = report["context"], report["ours"], report["mcx"]
    machine = f"{context['processor']}, {plural(int(context['cores']), 'core')}"
    machine = f"{context['gpu']} with {machine}" if "gpu" in context else machine
    text = f"{machine}; {context['compiler']} ({context['options']}), Kokkos {context['kokkos']}; {context['date'][:10]}.\n"
    text += table("Photons, per second", ["case", "backend", "photons", "crossings of a photon", "steps", "crossings",
                                          "of the rate of doubles", "of the rate of additions"], list(flight_rows(ours)))
    tallies = sorted({int(name.split("/")[1]) for name in ours if name.startswith("tally_additions/")})
    text += table("Upper bounds, per second", ["backend", "operations on doubles",
                                               *(f"additions to 32 × {number:,} tallies" for number in tallies)],
                  list(rate_rows(ours)))
    peer = f" compared with MCX {mcx['context']['pmcx']}" if mcx else ""
    return text + table(f"Lit cube{peer}", ["", "photons per second", "for the whole call", "reflectance",
                                            "transmittance"], list(peer_rows(ours, mcx)))


def measurements(report):
    """Returns the measurements for bench/compare: photons of each case, and those of MCX for the lit cube."""
    found = []
    for case, backend, one in flights(report["ours"]):
        operations, _ = rates_of(report["ours"], backend)
        found.append(Measurement(task=f"photons, {case}", size=int(one["tallies"]), sizes="tallies", side=backend,
                                 unit="photon", seconds=1 / one["photons"],
                                 floor=one["double_operations"] / one["photons"] / operations))
    if report["mcx"]:
        mcx, tallies = report["mcx"], next(one.size for one in found if one.task == f"photons, {LIT}")
        found.append(Measurement(task=f"photons, {LIT}", size=tallies, sizes="tallies", side="MCX float32", unit="photon",
                                 seconds=min(mcx["kernel_seconds"]) / mcx["photons"], on_gpu=True))
    return found


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser, "bench_radiation")
    parser.add_argument("--cases", nargs="+", choices=list(CASES), default=list(CASES), metavar="CASE",
                        help="cases to measure; default: all")
    parser.add_argument("--peers", nargs="*", choices=["mcx"], default=["mcx"])
    parser.add_argument("--peer-photons", type=int, default=10**7)
    parser.add_argument("--tables", type=pathlib.Path, nargs="+", metavar="REPORT", help="reports of earlier runs to combine instead of measuring")
    parser.add_argument("--into", nargs=2, metavar=("PAGE", "PLACE"), help="page and place into which the tables are written")
    return parser.parse_args()


def together(reports):
    """Combines reports. Entries of later reports replace those of earlier ones."""
    whole = {"context": {}, "ours": {}, "mcx": {}}
    for report in reports:
        for part, found in report.items():
            whole[part] = whole[part] | found
    return whole


def main():
    options = parsed()
    if options.tables:
        report = together(json.loads(path.read_text()) for path in options.tables)
    else:
        if not options.program.exists():
            skip(f"{options.program} does not exist")
        if options.smoke:
            options.repeats = 1
        report = run_ours(options) | {"mcx": run_peers(options)}
        write_json(report, options.out)
    show(text_of(report), options.into)
    ours = next((one for case, _, one in flights(report["ours"]) if case == LIT), None)
    for what in ("reflectance", "transmittance") if report["mcx"] and ours else ():
        apart = deviation(ours, report["mcx"], what)
        if abs(apart) > TOLERANCE:
            fail(f"{what} of Sporos and MCX differ by {apart:.1f} standard errors, expected at most {TOLERANCE}")


if __name__ == "__main__":
    main()
