# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The build backend behind `pip install .`: scikit-build-core, which says at its end what to do where it has failed."""

import sys
from collections.abc import Callable
from typing import Any

from scikit_build_core import build
from scikit_build_core.build import *  # noqa: F403

_advice = """
Sporos was not built; the reason stands above. On Debian and its kin, do

    scripts/setup && pip install .

in Sporos' folder: the first installs the libraries and builds Kokkos. With a Kokkos of your own, name it by
Kokkos_ROOT=FOLDER. docs/how-to/install.md says more."""


def _advising(hook: Callable[..., str]) -> Callable[..., str]:
    def built(*arguments: Any) -> str:
        try:
            return hook(*arguments)
        except BaseException:
            sys.stdout.flush()
            print(_advice, file=sys.stderr, flush=True)
            raise

    return built


build_wheel = _advising(build.build_wheel)
build_editable = _advising(build.build_editable)
