# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The header-only libraries: sporos::core <- sporos::io <- sporos::models <- sporos::procedures, and
# sporos::core <- sporos::linear_algebra <- sporos::optimizers <- sporos::procedures.

# One include root, so that a header's path is the same before and after installation.
set(SPOROS_INCLUDE_ROOT ${PROJECT_BINARY_DIR}/include)
set(SPOROS_HEADER_FOLDERS core models optimizers procedures)
file(MAKE_DIRECTORY ${SPOROS_INCLUDE_ROOT}/sporos)
foreach(folder IN LISTS SPOROS_HEADER_FOLDERS)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${SPOROS_INCLUDE_ROOT}/sporos/${folder} SYMBOLIC)
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.hpp.in ${SPOROS_INCLUDE_ROOT}/sporos/version.hpp @ONLY)

function(sporos_add_library name)
  add_library(sporos_${name} INTERFACE)
  add_library(sporos::${name} ALIAS sporos_${name})
  set_target_properties(sporos_${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(sporos_${name} INTERFACE ${ARGN})
  target_include_directories(sporos_${name} INTERFACE
    $<BUILD_INTERFACE:${SPOROS_INCLUDE_ROOT}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()

sporos_add_library(core Kokkos::kokkos Boost::boost Random123::Random123)
target_compile_features(sporos_core INTERFACE cxx_std_20)
if(SPOROS_MPI)
  sporos_add_library(distributed sporos::core MPI::MPI_CXX)  # core/distributed
  target_compile_definitions(sporos_distributed INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)  # C++ of MPI 2, long gone
endif()
sporos_add_library(io sporos::core fmt::fmt-header-only nlohmann_json::nlohmann_json)
sporos_add_library(linear_algebra sporos::core Kokkos::kokkoskernels)  # core/linear_algebra
sporos_add_library(models sporos::io sporos::linear_algebra)
sporos_add_library(optimizers sporos::linear_algebra)
sporos_add_library(procedures sporos::models sporos::optimizers)

# Equal bits on every backend need every product and every sum rounded on its own.
if(SPOROS_SAME_BITS)
  target_compile_options(sporos_core INTERFACE -ffp-contract=off)
  if("CUDA" IN_LIST Kokkos_DEVICES)
    target_compile_options(sporos_core INTERFACE -fmad=false)
  endif()
endif()
