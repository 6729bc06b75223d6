# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions that find other packages, for the build and for the installed package.

# sporos_find(<target> <package> <arguments>...): calls find_package(<package> <arguments>...), unless the project
# already has <target>, for example by FetchContent. In that case the package need not be installed.
macro(sporos_find target package)
  if(NOT TARGET ${target})
    find_package(${package} ${ARGN})
  endif()
endmacro()

# sporos_refuse_kokkos_kernels(RESULT KOKKOS KERNELS [DEVICE]): sets RESULT to an error message if Kokkos Kernels of
# version KERNELS cannot be used with Kokkos of version KOKKOS and its DEVICE, and otherwise to an empty string. KERNELS
# is empty if none was found.
function(sporos_refuse_kokkos_kernels result kokkos kernels)
  string(REGEX MATCH "^[0-9]+[.][0-9]+" release "${kokkos}")
  string(REGEX MATCH "^[0-9]+[.][0-9]+" found "${kernels}")
  set(remedy "install Kokkos Kernels ${release} for it, and let KokkosKernels_ROOT name its folder")
  set(sentence "")
  if(NOT found)
    set(sentence "Sporos: there is no Kokkos Kernels for Kokkos ${kokkos}; ${remedy}")
  elseif(NOT found STREQUAL release)
    set(sentence "Sporos: Kokkos Kernels is ${kernels} and Kokkos ${kokkos}; ${remedy}")
  elseif(ARGN AND found VERSION_LESS 4.1)
    set(sentence "Sporos: Kokkos Kernels ${kernels} runs on hosts only; for ${ARGN} install Kokkos and Kokkos Kernels 4.1 or newer")
  endif()
  set(${result} ${sentence} PARENT_SCOPE)
endfunction()

# sporos_find_kokkos_kernels(RESULT): finds the Kokkos Kernels that matches Kokkos, also in Kokkos' own folder, unless
# the project already has its target. Sets RESULT to an error message if there is none that can be used, and otherwise
# to an empty string.
macro(sporos_find_kokkos_kernels result)
  set(${result} "")
  if(NOT TARGET Kokkos::kokkoskernels)
    find_package(KokkosKernels QUIET HINTS ${Kokkos_DIR}/../../..)
    set(sporos_device)
    foreach(device IN ITEMS CUDA HIP SYCL)
      if(device IN_LIST Kokkos_DEVICES)
        set(sporos_device ${device})
      endif()
    endforeach()
    sporos_refuse_kokkos_kernels(${result} "${Kokkos_VERSION}" "${KokkosKernels_VERSION}" ${sporos_device})
    unset(sporos_device)
  endif()
endmacro()

# sporos_add_vector_operations(SOURCE): adds the library sporos_vector_operations, which is built only if a program
# links it.
function(sporos_add_vector_operations source)
  add_library(sporos_vector_operations STATIC EXCLUDE_FROM_ALL ${source})
  target_link_libraries(sporos_vector_operations PRIVATE sporos::core Kokkos::kokkoskernels)
  set_target_properties(sporos_vector_operations PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
endfunction()

# sporos_fmt_version(RESULT): version of the fmt found, empty if it is unknown.
function(sporos_fmt_version result)
  set(version ${fmt_VERSION})
  if(NOT version AND TARGET fmt::fmt)
    get_target_property(version fmt::fmt VERSION)  # set if fmt is built as a subproject
  endif()
  if(NOT version)
    set(version "")
  endif()
  set(${result} ${version} PARENT_SCOPE)
endfunction()

# sporos_refuse_other_fmt(RESULT BUILT_WITH): sets RESULT to an error message if compiled libraries, built with version
# BUILT_WITH of fmt, cannot be linked with the fmt found, and otherwise to an empty string. All names in fmt contain its
# major version.
function(sporos_refuse_other_fmt result built_with)
  sporos_fmt_version(version)
  string(REGEX MATCH "^[0-9]+" needed "${built_with}")
  string(REGEX MATCH "^[0-9]+" found "${version}")
  set(sentence "")
  if(needed AND found AND NOT needed EQUAL found)
    string(CONCAT sentence "Sporos: its libraries were built with fmt ${built_with} and cannot be linked with fmt ${version}; "
           "install fmt ${needed}, or build Sporos with fmt ${found}")
  endif()
  set(${result} ${sentence} PARENT_SCOPE)
endfunction()
