#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulates the network of jackson.json, or of another case of the same form, in Cimba.

  cimba_peer.py [REPLICATIONS [CASE]] --program build/bin/cimba_peer [--form events]

The program is built if CMake's variable SPOROS_CIMBA names the folder where Cimba is installed. To install Cimba 3, in a
checkout of https://github.com/ambonvik/cimba (requires meson and nasm):

  meson setup build --buildtype=release --prefix=FOLDER -Denable_docs=false && ninja -C build install

Compilers older than GCC 13 also require CFLAGS='-include assert.h -include stdbool.h' for `meson setup`. The script prints
means with 99.9 % intervals, the processor seconds and the events per second. The exit status is 77 if the program or SciPy
is missing.
"""
import math
import pathlib
import subprocess
import sys

try:
    import scipy  # noqa: F401
except ImportError as missing:
    print(f"cimba_peer.py: skipped, {missing}", file=sys.stderr)
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.networks import peer  # noqa: E402


def text_of(network):
    """Returns the network in the form that the program reads."""
    lines = [f"{network.horizon} {network.warm_up} {network.arrival_rate} {network.entry} {len(network.stations)}"]
    for station in network.stations:
        servers = 0 if station.servers == math.inf else station.servers
        branches = " ".join(f"{to} {probability}" for probability, to in station.branches)
        lines.append(f"{station.name} {servers} {station.rate} {len(station.branches)} {branches}")
    return "\n".join(lines) + "\n"


def main():
    parser = peer.parser_of(__doc__)
    parser.add_argument("--program", type=pathlib.Path, default=pathlib.Path("build/bin/cimba_peer"))
    parser.add_argument("--form", choices=["processes", "events"], default="processes",
                        help="whether servers are processes, as in Cimba's own benchmark, or everything is an event")
    options = peer.parsed_by(parser)
    network = peer.read_network(options.case)
    if not options.program.exists():
        print(f"cimba_peer.py: skipped, {options.program} does not exist", file=sys.stderr)
        sys.exit(77)
    output = subprocess.run([options.program, str(options.replications), str(options.seed), options.form], check=True,
                            input=text_of(network), stdout=subprocess.PIPE, text=True).stdout
    rows = [line.split("\t") for line in output.splitlines()]
    moments = {name: (float(mean), float(variance)) for name, mean, variance in rows}
    version = rows[-1][0]
    seconds = moments.pop(version)[0]
    peer.report(f"Cimba {version}, {options.form}", network, options, moments, seconds)


if __name__ == "__main__":
    main()
