# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests EnergyMeter with generated counters: packages add up, their parts are ignored, and counters may wrap around."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from bench.harness.energy import EnergyMeter  # noqa: E402


def write(folder, zone, joules, wraps_at=1000):
    (folder / zone).mkdir(exist_ok=True)
    (folder / zone / "energy_uj").write_text(f"{joules * 10**6}\n")
    (folder / zone / "max_energy_range_uj").write_text(f"{wraps_at * 10**6}\n")


def expect(found, expected):
    if found != expected:
        sys.exit(f"test_energy.py: {found}, expected {expected}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    expect(EnergyMeter(folder).reasons["host"], f"not readable: no intel-rapl in {folder}")
    with EnergyMeter(folder) as meter:
        pass
    expect(meter.joules["host"], None)
    expect(meter.watts("host"), None)
    write(folder, "intel-rapl:0", 100)
    write(folder, "intel-rapl:0:0", 50)
    write(folder, "intel-rapl:1", 990)
    with EnergyMeter(folder) as meter:
        write(folder, "intel-rapl:0", 107)
        write(folder, "intel-rapl:0:0", 80)
        write(folder, "intel-rapl:1", 5)
    expect(meter.reasons["host"], "")
    expect(meter.joules["host"], 7 + 15)
