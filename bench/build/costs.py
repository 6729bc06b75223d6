#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures compile times: users' programs, the most expensive headers and the slowest translation units.

  python3 bench/build/costs.py build-test [--repeats N] [--top N] [--without-headers]

build-test is a build folder of Ninja and g++, clang++ or nvcc_wrapper; Ninja's log has the times of the translation units.
Other times are user times in seconds, the minimum over the repeats. The time of a header is that of a file that includes
only it.
"""
import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

folder = pathlib.Path(__file__).resolve().parent
root = folder.parent.parent


def cached(build, name):
    for line in (build / "CMakeCache.txt").read_text().splitlines():
        key, _, value = line.partition("=")
        if key.split(":")[0] == name:
            return value
    sys.exit(f"costs.py: {build}/CMakeCache.txt has no {name}, expected a build folder of Sporos")


def device_flags(build, compiler):
    """Returns the options of a build with nvcc_wrapper, for the GPU for which its units are compiled; else none."""
    if pathlib.Path(compiler).name != "nvcc_wrapper":
        return []
    commands = subprocess.run(["ninja", "-C", build, "-t", "compdb"], capture_output=True, text=True, check=True).stdout
    architecture = re.search(r"-arch=\w+", commands)
    if not architecture:
        sys.exit(f"costs.py: no unit of {build} is compiled with -arch=…, expected a build with CUDA")
    return [architecture[0], "--expt-extended-lambda", "--expt-relaxed-constexpr", "-fmad=false"]


def seconds(command, repeats):
    smallest = float("inf")
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"costs.py: {' '.join(command)} failed:\n{done.stderr[:2000]}")
        smallest = min(smallest, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return smallest


def show(title, rows):
    print(f"\n{title}")
    for cost, name in rows:
        print(f"{cost:8.2f} s  {name}")


def units(build):
    """Returns the latest time of each object in Ninja's log."""
    times = {}
    for line in (build / ".ninja_log").read_text().splitlines()[1:]:
        start, end, _, output, _ = line.split("\t")
        if output.endswith(".o"):
            times[output] = (int(end) - int(start)) / 1000
    return sorted(((time, name) for name, time in times.items()), reverse=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--top", type=int, default=10)
    parser.add_argument("--without-headers", action="store_true", help="measure only users' programs and translation units")
    options = parser.parse_args()
    kokkos = pathlib.Path(cached(options.build, "Kokkos_DIR")).parents[2]
    program = cached(options.build, "CMAKE_CXX_COMPILER")
    if device_flags(options.build, program) and not options.without_headers:
        sys.exit("costs.py: nvcc does not check the syntax of a header alone; add --without-headers")
    compiler = [program, *device_flags(options.build, program), "-std=c++20", "-fopenmp", "-ffp-contract=off",
                f"-I{options.build / 'include'}", "-isystem", str(kokkos / "include")]
    with tempfile.TemporaryDirectory() as temporary:
        file = os.path.join(temporary, "unit.cpp")

        def header_cost(include):
            pathlib.Path(file).write_text(f"#include <{include}>\n")
            return seconds([*compiler, "-fsyntax-only", file], 1)

        programs = [root / "examples/own_model.cpp", root / "examples/frank_wolfe.cpp", folder / "mixture_fit.cpp"]
        show("users' programs at -O2",
             [(seconds([*compiler, "-O2", "-c", str(path), "-o", file + ".o"], options.repeats), path.relative_to(root))
              for path in programs])
        if not options.without_headers:
            headers = [str(path.relative_to(root)) for name in ("core", "models", "optimizers", "procedures")
                       for path in sorted((root / name).rglob("*.hpp")) if "distributed" not in path.parts]
            costs = sorted(((header_cost(f"sporos/{header}"), header) for header in headers), reverse=True)
            show(f"the most expensive of {len(headers)} headers; Kokkos_Core.hpp takes "
                 f"{header_cost('Kokkos_Core.hpp'):.2f} s", costs[:options.top])
    show("the slowest translation units, wall time", units(options.build)[:options.top])


if __name__ == "__main__":
    main()
