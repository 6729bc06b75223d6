# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How Spack builds libcsv, which Sporos reads CSV files by."""
from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Libcsv(AutotoolsPackage):
    """A parser of CSV in C."""

    homepage = "https://github.com/rgamble/libcsv"
    git = "https://github.com/rgamble/libcsv.git"

    license("LGPL-2.1-or-later")

    version("3.0.3", commit="b1d5212831842ee5869d99bc208a21837e4037d5")

    depends_on("c", type="build")
