# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the extension modules of the backends, loads them on first use, and finalizes them when Python exits."""

from __future__ import annotations

import atexit
import importlib
import json
from importlib import machinery
from pathlib import Path
from typing import Any

from ._arguments import shown, text_of

_from_slowest_to_fastest = ("serial", "openmp", "hip", "cuda")
_loaded: dict[str, Any] = {}
_settings: dict[str, tuple[str | None, str | None]] = {}


def _is_here(name: str) -> bool:
    folder = Path(__file__).parent
    return any((folder / f"_{name}{suffix}").exists() for suffix in machinery.EXTENSION_SUFFIXES)


def backends() -> list[str]:
    """Returns the names of the installed backends, from the slowest to the fastest, which is the default.

    Returns
    -------
    list of str
        Names from serial, openmp, hip and cuda.

    Examples
    --------
    >>> import sporos
    >>> sporos.backends()[-1] in ("serial", "openmp", "cuda", "hip")
    True
    """
    return [name for name in _from_slowest_to_fastest if _is_here(name)]


def native(name: str | None = None) -> Any:
    """Returns the extension module of a backend; None selects the default backend."""
    if name is None:
        name = _default
    if not isinstance(name, str):
        raise TypeError(f"backend is {shown(name)}, expected one of {', '.join(backends())}")
    if name not in _loaded:
        if name not in backends():
            raise ValueError(f"backend is {shown(name)}, expected one of {', '.join(backends())}")
        module = importlib.import_module(f"{__package__}._{name}")
        atexit.register(module.finish)
        _loaded[name] = module
    return _loaded[name]


def native_of(model: str, question: str, name: str | None = None) -> Any:
    """Returns the extension module that answers a question about a model. A model in Python has separate modules."""
    own = getattr(model, "module", None)
    return native(name) if own is None else own(question, name)


def host_backend() -> str:
    """Returns the name of the fastest installed backend that computes on a host."""
    names = [name for name in backends() if name in ("serial", "openmp")]
    if not names:
        raise ValueError(f"the installed backends are {', '.join(backends())}, expected also openmp or serial")
    return names[-1]


def backend_name(name: str | None) -> str:
    """Returns the name of a backend; None selects the default backend."""
    return native(name).__name__.rpartition("._")[2]  # type: ignore[no-any-return]


def settings_of(name: str) -> tuple[str | None, str | None]:
    """Returns the threads and the device that `initialize` has chosen for a backend."""
    return _settings.get(name, (None, None))


def _default_backend() -> str:
    names = backends()
    if not names:
        raise ImportError(f"there is no extension module next to {__file__}, expected an installed sporos")
    return names[-1]


def missing_instructions(flags: str, cpuinfo: str) -> list[str]:
    """Returns the instruction sets of x86-64-v3 that a processor lacks, if the compiler's flags name x86-64-v3.

    `cpuinfo` is the file /proc/cpuinfo, whose first line of flags counts.
    """
    line = next((one for one in cpuinfo.splitlines() if one.startswith("flags")), None)
    if line is None or "-march=x86-64-v3" not in flags.split():
        return []
    needed = ("avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe")
    return [one for one in needed if one not in line.split()]


def _check_processor(name: str) -> None:
    """Refuses a processor for which a wheel is not compiled, because Python would end by an illegal instruction."""
    try:
        record = (Path(__file__).parent / "_model" / f"compiler_{name}.json").read_text()
        with open("/proc/cpuinfo") as file:
            missing = missing_instructions(json.loads(record)["flags"], file.read(1 << 14))
    except OSError:
        return
    if missing:
        raise ImportError(
            "this sporos is compiled for x86-64-v3 processors, which have AVX2 (Intel since 2013, AMD since 2015), and "
            f"this processor lacks {', '.join(missing)}: install sporos from its source code"
        )


_default = _default_backend()
_check_processor(_default)
version: str = native().version
"""The version of Sporos."""


def initialize(*, threads: int | None = None, device: int | None = None, backend: str | None = None) -> None:
    """Starts a backend with chosen threads or a chosen device.

    Without this call, the first use of a backend starts it with Kokkos' defaults. Each backend starts once and runs
    until Python exits.

    Parameters
    ----------
    threads : int, optional
        Number of threads of the backend openmp; default: the number that OpenMP chooses.
    device : int, optional
        Number of the GPU, from 0, for GPU backends; default: the first GPU.
    backend : str, optional
        Name of the backend; default: the fastest of `backends()`.

    Raises
    ------
    RuntimeError
        If the backend has already been started.
    ValueError
        If the backend is not installed, or a number is out of range.

    Examples
    --------
    >>> import sporos
    >>> sporos.initialize(threads=4, backend="openmp")  # doctest: +SKIP
    """
    given = (("threads", threads), ("device", device))
    threads_text, device_text = (None if number is None else text_of(name, number) for name, number in given)
    native(backend).start(threads_text, device_text)
    _settings[backend_name(backend)] = (threads_text, device_text)


def info(backend: str | None = None) -> dict[str, Any]:
    """Returns the version, machine, memory and build of a backend, and starts the backend.

    Parameters
    ----------
    backend : str, optional
        Name of the backend; default: the fastest of `backends()`.

    Returns
    -------
    dict
        The JSON document that `sporos info --format json` prints.

    Examples
    --------
    >>> import sporos
    >>> sporos.info()["sporos"] == sporos.__version__
    True
    """
    described: dict[str, Any] = json.loads(native(backend).info())
    return described


def machine(backend: str | None) -> dict[str, Any]:
    """Returns the description of the machine that the backend computes on."""
    described: dict[str, Any] = json.loads(native(backend).machine())
    return described
