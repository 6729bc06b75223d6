# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The modules of the backends: found, loaded at their first use, and ended with Python."""

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


def _is_here(name: str) -> bool:
    folder = Path(__file__).parent
    return any((folder / f"_{name}{suffix}").exists() for suffix in machinery.EXTENSION_SUFFIXES)


def backends() -> list[str]:
    """The names of the backends that this installation has, the fastest last, which is the usual one.

    >>> import sporos
    >>> "serial" in sporos.backends()
    True
    """
    return [name for name in _from_slowest_to_fastest if _is_here(name)]


def native(name: str | None = None) -> Any:
    """The extension module of a backend, or of the usual one."""
    if name is None:
        name = _usual
    if not isinstance(name, str):
        raise TypeError(f"backend is {shown(name)}, expected one of {', '.join(backends())}")
    if name not in _loaded:
        if name not in backends():
            raise ValueError(f"backend is {shown(name)}, expected one of {', '.join(backends())}")
        module = importlib.import_module(f"{__package__}._{name}")
        atexit.register(module.finish)
        _loaded[name] = module
    return _loaded[name]


def _usual_backend() -> str:
    names = backends()
    if not names:
        raise ImportError(f"there is no extension module beside {__file__}: expected an installed sporos")
    return names[-1]


_usual = _usual_backend()
version: str = native().version
"""The version of Sporos."""


def initialize(*, threads: int | None = None, device: int | None = None, backend: str | None = None) -> None:
    """Starts a backend before its first use, which would start it as Kokkos chooses.

    Each backend is started once and ends with Python.

    Parameters
    ----------
    threads : int, optional
        Of openmp; default: as many as OpenMP chooses.
    device : int, optional
        The number of the GPU, of cuda.
    backend : str, optional
        Which; default: the fastest of `backends()`.

    Raises
    ------
    RuntimeError
        Where it runs already.
    """
    given = (("threads", threads), ("device", device))
    native(backend).start(*(None if number is None else text_of(name, number) for name, number in given))


def info(backend: str | None = None) -> dict[str, Any]:
    """Version, machine, memory and build of a backend, as `sporos info` tells them; starts the backend.

    Parameters
    ----------
    backend : str, optional
        Which; default: the fastest of `backends()`.

    >>> import sporos
    >>> sporos.info()["sporos"] == sporos.__version__
    True
    """
    told: dict[str, Any] = json.loads(native(backend).info())
    return told


def machine(backend: str | None) -> dict[str, Any]:
    """What results were computed on."""
    told: dict[str, Any] = json.loads(native(backend).machine())
    return told
