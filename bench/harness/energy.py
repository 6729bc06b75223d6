# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Energy by the counters of the machine: of a host Linux' powercap (RAPL), of a GPU NVML's. What cannot be read is told."""
import ctypes
import pathlib
import time

POWERCAP = pathlib.Path("/sys/class/powercap")


def host_counters(folder=POWERCAP):
    """Packages: (file, joules at which it begins anew), and why there are none."""
    found = []
    for zone in sorted(folder.glob("intel-rapl:*")):
        if zone.name.count(":") > 1:
            continue  # a subzone of a package, already counted in it
        try:
            int((zone / "energy_uj").read_text())
            found.append((zone / "energy_uj", int((zone / "max_energy_range_uj").read_text()) / 1e6))
        except OSError as error:
            return [], f"not readable: {zone / 'energy_uj'}: {error.strerror}"
    return found, "" if found else f"not readable: no intel-rapl in {folder}"


class Nvml:
    """The energy that GPU `number` has used since its driver began."""

    def __init__(self, number=0):
        self.reason = ""
        try:
            self.library = ctypes.CDLL("libnvidia-ml.so.1")
        except OSError:
            self.reason = "not readable: no libnvidia-ml.so.1"
            return
        self.device = ctypes.c_void_p()
        if self.library.nvmlInit_v2() or self.library.nvmlDeviceGetHandleByIndex_v2(number, ctypes.byref(self.device)):
            self.reason = f"not readable: NVML has no GPU {number}"
        elif self.joules() is None:
            self.reason = "not readable: the GPU has no counter of energy"

    def joules(self):
        used = ctypes.c_ulonglong()
        failed = self.library.nvmlDeviceGetTotalEnergyConsumption(self.device, ctypes.byref(used))
        return None if failed else used.value / 1e3


class EnergyMeter:
    """with EnergyMeter() as meter: …; then meter.seconds, and of "gpu" and "host" meter.joules (None where it cannot be read)
    and meter.reasons."""

    def __init__(self, powercap=POWERCAP):
        self.nvml = Nvml()
        self.host, reason = host_counters(powercap)
        self.reasons = {"gpu": self.nvml.reason, "host": reason}
        self.joules = {"gpu": None, "host": None}

    def read(self):
        gpu = self.nvml.joules() if not self.nvml.reason else None
        return time.monotonic(), gpu, [int(file.read_text()) / 1e6 for file, _ in self.host]

    def __enter__(self):
        self.start = self.read()
        return self

    def __exit__(self, *_):
        (begin, gpu, host), (end, gpu_end, host_end) = self.start, self.read()
        self.seconds = end - begin
        if gpu is not None:
            self.joules["gpu"] = gpu_end - gpu
        if self.host:  # a counter may have wrapped around once
            self.joules["host"] = sum((b - a) % most for a, b, (_, most) in zip(host, host_end, self.host))

    def watts(self, what):
        return None if self.joules[what] is None else self.joules[what] / self.seconds
