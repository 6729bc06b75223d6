#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times MCX (mcx.space, as pmcx) on the lit cube of bench_radiation and prints a report in JSON.

  mcx_peer.py [--photons N] [--repeats N]       exit status 77 if pmcx, NumPy or an NVIDIA GPU is missing

The case is that of lit_cube() in bench/radiation/cases.hpp: 60 cubes of 1 mm in each direction, periodic sideways, with a
constant refractive index, lit over its whole lower side at a right angle, with roulette below 2^-10 of a photon's energy.
MCX computes in single precision and reports no statistical errors. They are estimated from repeats with different seeds.
"""
import argparse
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.measuring import context, timed  # noqa: E402

SIZE, ABSORPTION, SCATTERING, ASYMMETRY = 60, 0.005, 1.0, 0.01  # voxels; 1/mm; 1/mm
MIN_ENERGY = 2.0**-10
WINDOW = 1e-7  # s: a path of 30 m, after which no energy is left


def settings(numpy, photons, seed):
    # Empty voxels outside the faces count the light that leaves.
    volume = numpy.zeros((SIZE, SIZE, SIZE + 2), dtype=numpy.uint8)
    volume[:, :, 1:-1] = 1
    return {"nphoton": photons, "vol": volume, "prop": [[0, 0, 1, 1], [ABSORPTION, SCATTERING, ASYMMETRY, 1]],
            "unitinmm": 1, "issrcfrom0": 1, "srctype": "planar", "srcpos": [0, 0, 1], "srcdir": [0, 0, 1],
            "srcparam1": [SIZE, 0, 0, 0], "srcparam2": [0, SIZE, 0, 0], "bc": "ccacca", "isreflect": 0,
            "tstart": 0, "tend": WINDOW, "tstep": WINDOW, "minenergy": MIN_ENERGY, "issaveref": 1, "issavedet": 0,
            "seed": seed, "autopilot": 1, "gpuid": 1, "flog": "none"}


def shares(numpy, result):
    """Returns reflectance and transmittance.

    The energy that is not absorbed is divided in proportion to the counts of the empty voxels, which have unknown units.
    """
    left = numpy.abs(numpy.asarray(result["dref"], dtype=numpy.float64)).sum(axis=(0, 1))
    below, above = left[: SIZE // 2].sum(), left[SIZE // 2 :].sum()
    escaped = 1 - result["stat"]["energyabs"] / result["stat"]["energytot"]
    return escaped * below / (below + above), escaped * above / (below + above)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photons", type=int, default=10**7)
    parser.add_argument("--repeats", type=int, default=8, help="number of seeds, at least 3")
    options = parser.parse_args()
    report = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # MCX prints information about GPUs to standard output
    try:
        import numpy
        import pmcx
    except ImportError as error:
        print(f"mcx_peer.py: {error}", file=sys.stderr)
        sys.exit(77)
    try:
        gpus = pmcx.gpuinfo()
    except RuntimeError:
        gpus = []
    if not gpus:
        print("mcx_peer.py: MCX finds no GPU", file=sys.stderr)
        sys.exit(77)
    pmcx.run(settings(numpy, options.photons, 1))  # a warm-up for compilation and allocation
    found = [timed(lambda: pmcx.run(settings(numpy, options.photons, seed))) for seed in range(2, 2 + options.repeats)]
    back, through = zip(*(shares(numpy, result) for _, result in found))
    print(json.dumps({"photons": options.photons, "call_seconds": [seconds for seconds, _ in found],
                      "kernel_seconds": [result["stat"]["runtime"] / 1000 for _, result in found],
                      "reflectance": back, "transmittance": through,
                      "context": context(pmcx=pmcx.__version__, gpu=str(gpus[0].get("name", "")))}), file=report)


if __name__ == "__main__":
    main()
