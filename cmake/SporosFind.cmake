# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Other packages, for the build and for the installed package.

# sporos_find(<target> <package> <arguments>...): find_package(<package> <arguments>...), unless the project at hand has TARGET already,
# as by FetchContent: then the package need not be installed.
macro(sporos_find target package)
  if(NOT TARGET ${target})
    find_package(${package} ${ARGN})
  endif()
endmacro()

# sporos_refuse_kokkos_kernels(RESULT KOKKOS KERNELS [DEVICE]): the message for a Kokkos Kernels of version KERNELS, which
# is empty where none was found, that cannot be used with a Kokkos of version KOKKOS and its DEVICE. Empty where it can.
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

# sporos_find_kokkos_kernels(RESULT): finds the Kokkos Kernels of the Kokkos at hand, also in Kokkos' own folder, unless the
# project has its target already. RESULT is the message if there is none that can be used, and empty otherwise.
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

# sporos_add_vector_operations(SOURCE): the library sporos_vector_operations, which is built where a program links it.
function(sporos_add_vector_operations source)
  add_library(sporos_vector_operations STATIC EXCLUDE_FROM_ALL ${source})
  target_link_libraries(sporos_vector_operations PRIVATE sporos::core Kokkos::kokkoskernels)
  set_target_properties(sporos_vector_operations PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
endfunction()

# sporos_fmt_version(RESULT): the version of fmt at hand, empty where nothing says it.
function(sporos_fmt_version result)
  set(version ${fmt_VERSION})
  if(NOT version AND TARGET fmt::fmt)
    get_target_property(version fmt::fmt VERSION)  # of fmt's own build
  endif()
  if(NOT version)
    set(version "")
  endif()
  set(${result} ${version} PARENT_SCOPE)
endfunction()

# sporos_refuse_other_fmt(RESULT BUILT_WITH): what to say where compiled libraries, built with the version BUILT_WITH of fmt,
# cannot be linked with the one at hand: all names in fmt contain its major version. Empty where they can.
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
