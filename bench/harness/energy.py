# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads energy counters: powercap (RAPL) of Linux for the host, NVML for a GPU. Unreadable counters have a reason."""
import ctypes
import pathlib
import time

POWERCAP = pathlib.Path("/sys/class/powercap")


def host_counters(folder=POWERCAP):
    """Returns (file, joules at which the counter wraps around) for each package, and the reason if there is none."""
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
    """Energy counter of GPU `number`, in joules since the driver was loaded."""

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
    """Context manager that measures seconds and energy.

    At its end, `seconds` is set, and `joules` has the energy of "gpu" and "host", or None if a counter is unreadable.
    `reasons` has the reason.
    """

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
            self.joules["host"] = sum((b - a) % wraps_at for a, b, (_, wraps_at) in zip(host, host_end, self.host))

    def watts(self, what):
        return None if self.joules[what] is None else self.joules[what] / self.seconds
