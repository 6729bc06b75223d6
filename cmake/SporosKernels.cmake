# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Read by the build and by the installed package.

# sporos_check_kernels(): ends with a message where Kokkos Kernels lies in files and was installed without its BLAS.
function(sporos_check_kernels)
  get_target_property(imported Kokkos::kokkoskernels IMPORTED)
  get_target_property(folders Kokkos::kokkoskernels INTERFACE_INCLUDE_DIRECTORIES)
  if(NOT imported OR NOT folders)
    return()
  endif()
  find_file(SPOROS_KERNELS_DOT KokkosBlas1_dot.hpp PATHS ${folders} PATH_SUFFIXES kokkos-kernels NO_DEFAULT_PATH NO_CACHE)
  if(NOT SPOROS_KERNELS_DOT)
    list(JOIN folders ", " places)
    message(FATAL_ERROR "Kokkos Kernels in ${places} has no BLAS (KokkosBlas1_dot.hpp): build it with "
                        "-DKokkosKernels_ENABLE_COMPONENT_BLAS=ON")
  endif()
endfunction()
