#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scaled efficiency of germinal centres over processes and speed-up over threads (paper 002, Figures 2.7, 2.8, 3.4 to
3.6), the paper's models fitted to them, and what these say of many more processes.

SE(p) = T(1 centre on 1 process) / T(p centres on p processes) = 1 / (1 + p rho kappa), rho = 1/n;
S(p) = T(1 thread) / T(p threads) = p / (1 + p^2 c), c = T_S / (N T_W).
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/bin", help="of the programs")
    parser.add_argument("--case", type=pathlib.Path, default=ROOT / "examples/data/germinal_centre.json")
    parser.add_argument("--mpirun", default="mpirun", help="program, and its options behind it")
    parser.add_argument("--processes", default="1,2,3,4")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--steps", default="60,120", help="local steps of a global one")
    parser.add_argument("--hours", type=float, default=2)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--out", type=pathlib.Path, help="file for all of it, as JSON")
    options = parser.parse_args()
    least = 2 * max(numbers(options.steps)) * json.loads(options.case.read_text())["local_step"]["value"] / 60
    if options.hours < least:
        parser.error(f"--hours is {options.hours:g}, expected at least {least:g}: two global steps, of which one is subtracted")
    return options


def numbers(text):
    return [int(word) for word in text.split(",")]


def write_case(options, folder, centres, steps):
    case = json.loads(options.case.read_text())
    case["centres"] = centres
    case["steps_per_exchange"] = steps
    path = pathlib.Path(folder) / f"case-{centres}-{steps}.json"
    path.write_text(json.dumps(case))
    return path


def seconds(command, case, hours):
    """Of a run, without its beginning: a run of one global step is subtracted."""
    def once(duration):
        start = time.perf_counter()
        subprocess.run([*command, "simulate", "germinal-centre", str(case), "--hours", str(duration), "--output", "/dev/null"],
                       check=True)
        return time.perf_counter() - start
    return max(once(hours) - once(1e-3), 1e-9)


def median(command, case, options):
    times = [seconds(command, case, options.hours) for _ in range(options.repetitions)]
    return {"median": statistics.median(times), "least": min(times), "greatest": max(times)}


def fit(points, slope):
    """The least-squares x of y = slope(p) x through the origin."""
    squares = sum(slope(p) ** 2 for p, _ in points)
    return sum(slope(p) * y for p, y in points) / squares if squares else 0.0


def efficiencies(options, folder):
    table = {}
    for steps in numbers(options.steps):
        rows = {}
        for processes in numbers(options.processes):
            command = [*options.mpirun.split(), "-n", str(processes), str(options.folder / "sporos-serial")]
            rows[processes] = median(command, write_case(options, folder, processes, steps), options)
        first = rows[min(rows)]["median"]
        points = [(p, first / row["median"]) for p, row in rows.items()]
        kappa = fit([(p, 1 / se - 1) for p, se in points], lambda p, n=steps: p / n)
        table[steps] = {"seconds": rows, "efficiency": dict(points), "kappa": kappa,
                        "at_10000_processes": 1 / (1 + 10_000 / steps * kappa) if kappa > -steps / 10_000 else None}
    return table


def speed_ups(options, folder):
    case = write_case(options, folder, 1, numbers(options.steps)[0])
    rows = {}
    for threads in numbers(options.threads):
        command = ["env", f"OMP_NUM_THREADS={threads}", "OMP_PROC_BIND=false", str(options.folder / "sporos-openmp")]
        rows[threads] = median(command, case, options)
    first = rows[min(rows)]["median"]
    points = [(p, first / row["median"]) for p, row in rows.items()]
    overhead = fit([(p, p / s - 1) for p, s in points], lambda p: p * p)
    return {"seconds": rows, "speed_up": dict(points), "overhead": overhead}


def show(report):
    for steps, table in report["efficiency"].items():
        print(f"n = {steps}: kappa = {table['kappa']:.4g}")
        for processes, efficiency in table["efficiency"].items():
            model = 1 / (1 + processes / int(steps) * table["kappa"])
            print(f"  {processes:>3} processes  SE {efficiency:.3f}  model {model:.3f}")
        if table["at_10000_processes"] is not None:
            print(f"  10000 processes, by the model: SE {table['at_10000_processes']:.3f}")
    table = report["speed_up"]
    print(f"threads: T_S / (N T_W) = {table['overhead']:.4g}")
    for threads, speed_up in table["speed_up"].items():
        print(f"  {threads:>3} threads  S {speed_up:.3f}  model {threads / (1 + threads ** 2 * table['overhead']):.3f}")


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        report = {"efficiency": efficiencies(options, folder), "speed_up": speed_ups(options, folder)}
    show(report)
    if options.out:
        options.out.write_text(json.dumps(report, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
