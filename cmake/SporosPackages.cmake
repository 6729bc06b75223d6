# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `cpack -G DEB` in a build tree makes Debian packages of what is installed: `libsporos-dev`, with headers, static
# libraries and the CMake package, and `sporos`, with the programs of the backends built. scripts/package makes them for
# any processor.
set(CPACK_PACKAGE_CONTACT "The Sporos maintainers <maintainers@sporos.invalid>" CACHE STRING
    "Who answers for packages made here: name and address")
set(CPACK_PACKAGE_NAME sporos)
set(CPACK_PACKAGE_VENDOR Sporos)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each component has a separate description
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsporos-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libboost-dev (>= 1.74), libfmt-dev, nlohmann-json3-dev, libcsv-dev")
if(SPOROS_BUILD_APPS)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "libmuparser-dev")  # for sporos::command_line
  if(SPOROS_MPI)
    string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS ", mpi-default-dev")
  endif()
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "sporos (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "simulation optimization on Kokkos - development
Stochastic models as C++20 functors, run in thousands of replications on the
backends of Kokkos with the same bits on each of them; Frank-Wolfe, stochastic
quasi-Newton and Nelder-Mead methods to optimize over them.

Programs that use it need Kokkos, version 3.4 or newer, with the backends that
they shall run on, and, for optimizers, the Kokkos Kernels of that version:
find_package(Sporos) looks for both.")

if(SPOROS_BUILD_APPS)
  list(APPEND CPACK_COMPONENTS_ALL programs)
  list(JOIN SPOROS_BACKENDS ", " backends)
  set(processor "")
  if(SPOROS_NATIVE)
    set(processor "\n\nCompiled for the processor of the machine that built it: on others it may end by\nan illegal instruction.")
  elseif(CMAKE_CXX_FLAGS MATCHES "-march=([^ ]+)")
    set(processor "\n\nCompiled for ${CMAKE_MATCH_1} and what came after it.")
  endif()
  set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME sporos)
  set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
  if(SPOROS_BLAS_FOLDERS MATCHES "/openblas-serial")  # shlibdeps accepts any variant of OpenBLAS
    set(CPACK_DEBIAN_PROGRAMS_PACKAGE_DEPENDS libopenblas0-serial)
  endif()
  set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS "gnuplot-nox, graphviz")
  set(CPACK_DEBIAN_PROGRAMS_DESCRIPTION "simulation optimization on Kokkos - programs
Simulates queues, networks, inventories and more in replications, with
confidence intervals; optimizes portfolios, newsvendors and classifications;
fits mixtures of normal distributions. One program for each backend of Kokkos,
all with the same bits: ${backends}.${processor}")
endif()
include(CPack)
