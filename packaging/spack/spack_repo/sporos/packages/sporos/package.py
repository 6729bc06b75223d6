# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How Spack (1.0 and later) builds Sporos.

    spack repo add packaging/spack/spack_repo/sporos
    spack install sporos +openmp
"""
import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Sporos(CMakePackage, CudaPackage):
    """Simulation optimization on Kokkos: stochastic models run in replications, with the same bits on every backend, and
    methods to optimize over them."""

    # The clone that this recipe lies in; another place where it is copied elsewhere.
    git = pathlib.Path(__file__).resolve().parents[6].as_uri()

    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("apps", default=True, description="Build the command line, once per backend of Kokkos")
    variant("openmp", default=True, description="Use Kokkos' OpenMP backend")
    variant("mpi", default=False, description="Spread replications over processes")
    variant("same_bits", default=True, description="Equal bits on every backend: no fused multiply-adds")
    variant("tests", default=False, description="Build tests and examples")

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")

    # Headers of Sporos include those of all these.
    depends_on("kokkos@3.4: +serial")
    depends_on("kokkos-kernels@3.4: +blas")  # with a version of Kokkos' own
    depends_on("boost@1.74:")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.11:")
    depends_on("libcsv@3.0:")  # of this repository, for Spack's own has none

    depends_on("cli11@2.1:", when="+apps", type="build")  # gnuplot is looked for only where a picture is drawn
    depends_on("muparser@2.3:", when="+apps")
    depends_on("mpi", when="+mpi")
    with when("+tests"):
        depends_on("googletest@1.12:", type=("build", "test"))
        depends_on("glpk", type=("build", "test"))
        depends_on("mpfr", type=("build", "test"))
        depends_on("random123", type=("build", "test"))

    depends_on("kokkos +openmp", when="+openmp")
    depends_on("kokkos-kernels +openmp", when="+openmp")
    with when("+cuda"):
        depends_on("kokkos +cuda +wrapper")
        depends_on("kokkos-kernels@4.1: +cuda +cublas +cusparse")  # older ones take no execution space instance
        requires("^kokkos +cuda_lambda", when="^kokkos@:4")
        for arch in CudaPackage.cuda_arch_values:
            depends_on(f"kokkos cuda_arch={arch}", when=f"cuda_arch={arch}")
            depends_on(f"kokkos-kernels cuda_arch={arch}", when=f"cuda_arch={arch}")

    def cmake_args(self):
        arguments = [
            self.define("Kokkos_ROOT", self.spec["kokkos"].prefix),
            self.define("KokkosKernels_ROOT", self.spec["kokkos-kernels"].prefix),
            self.define("SPOROS_BUILD_BENCHMARKS", False),
            self.define("SPOROS_BUILD_PYTHON", False),
            self.define_from_variant("SPOROS_BUILD_APPS", "apps"),
            self.define_from_variant("SPOROS_BUILD_EXAMPLES", "tests"),
            self.define_from_variant("SPOROS_BUILD_TESTS", "tests"),
            self.define_from_variant("SPOROS_MPI", "mpi"),
            self.define_from_variant("SPOROS_SAME_BITS", "same_bits"),
        ]
        if self.spec.satisfies("+cuda"):
            arguments.append(self.define("CMAKE_CXX_COMPILER", self["kokkos"].kokkos_cxx))
        return arguments
