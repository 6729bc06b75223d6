# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Options for Sporos' own programs (apps, examples, tests, benchmarks). Nothing here affects a user's target.

include(SporosAddPrograms)
get_property(SPOROS_BACKENDS GLOBAL PROPERTY SPOROS_BACKENDS)
message(STATUS "Sporos backends: ${SPOROS_BACKENDS}")

add_library(sporos_program_options INTERFACE)
target_compile_options(sporos_program_options INTERFACE -Wall -Wextra -Wshadow)
if(SPOROS_WARNINGS_AS_ERRORS)
  target_compile_options(sporos_program_options INTERFACE -Werror)
endif()
if(NOT "Cuda" IN_LIST SPOROS_BACKENDS)
  # GCC collects garbage only where it needs more than a third of the memory of each core. It would begin at 128 MiB,
  # and spend a seventh of its time on the largest unit, which needs 4.4 GiB without collections and 3.2 with them.
  cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)  # in MiB
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  math(EXPR heap "${memory} * 1024 / (3 * ${cores})")
  target_compile_options(sporos_program_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=${heap}>)
endif()
if(SPOROS_QUICK_BUILD)
  # With g++ 12, -Og compiles Sporos' tests and models in 0.7 of the time of -O1, as fast as without optimization; most
  # of them run in 1.3 times the time.
  add_compile_options(-Og)
  # GNU's default linker takes four times as long as lld, and twice as long as gold.
  include(CheckLinkerFlag)
  foreach(linker IN ITEMS lld gold)
    check_linker_flag(CXX -fuse-ld=${linker} SPOROS_HAS_${linker})
    if(SPOROS_HAS_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endforeach()
endif()
if(SPOROS_NATIVE)
  add_compile_options(-march=native)  # before a target's own options, which may name another processor
endif()

# sporos_add_program(NAME SOURCES... LIBRARIES...)
function(sporos_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} sporos_program_options $<TARGET_NAME_IF_EXISTS:sporos_instantiations>)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()

# System folders with the BLAS of Kokkos Kernels that the linker does not search by default. Debian has a folder for
# each variant of OpenBLAS, and another package may install a variant that starts threads when it is loaded.
set(SPOROS_BLAS_FOLDERS)
foreach(target IN ITEMS Kokkos::BLAS KokkosKernels::BLAS)
  if(TARGET ${target})
    get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
    foreach(library IN LISTS libraries)
      cmake_path(GET library PARENT_PATH folder)
      if(folder MATCHES "^/usr/" AND NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
        list(APPEND SPOROS_BLAS_FOLDERS ${folder})
      endif()
    endforeach()
  endif()
endforeach()

# Whether to precompile headers that nearly all sources include. This does not work well with ccache and nvcc_wrapper.
set(SPOROS_PRECOMPILE OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT "Cuda" IN_LIST SPOROS_BACKENDS)
  set(SPOROS_PRECOMPILE ON)
endif()
set(SPOROS_PRECOMPILED_HEADERS <Kokkos_Core.hpp> <sporos/core/replication/experiment.hpp>)

# sporos_add_precompiled(NAME [HEADERS...] [LIBRARIES...] [PROPERTIES...]): adds an object library of only these
# precompiled headers (default: those above), for targets with the same compiler options.
function(sporos_add_precompiled name)
  if(NOT SPOROS_PRECOMPILE)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "HEADERS;LIBRARIES;PROPERTIES")
  if(NOT ARG_HEADERS)
    set(ARG_HEADERS ${SPOROS_PRECOMPILED_HEADERS})
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE sporos::core ${ARG_LIBRARIES} sporos_program_options)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF ${ARG_PROPERTIES})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

# sporos_use_precompiled(TARGET NAME)
function(sporos_use_precompiled target name)
  if(SPOROS_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# sporos_compile_quickly(TARGET): reduces optimization for tests and for host code that is not time-critical, where
# compilation takes most of the time. SPOROS_QUICK_BUILD does so for all targets. For a wheel, this code must be small.
function(sporos_compile_quickly target)
  if(NOT TARGET ${target})  # a library of precompiled headers may not exist
    return()
  endif()
  if(NOT SPOROS_QUICK_BUILD AND NOT "Cuda" IN_LIST SPOROS_BACKENDS)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:$<IF:$<BOOL:${SPOROS_PORTABLE}>,-Os,-O1>>)
  endif()
endfunction()

# sporos_compile_as_unit(TARGET): makes all its sources one translation unit, which halves their compile time. It has no
# effect with nvcc, whose machines have more cores.
function(sporos_compile_as_unit target)
  if(SPOROS_UNITY_BUILD AND NOT "Cuda" IN_LIST SPOROS_BACKENDS)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
endfunction()

# sporos_compile_folders_as_units(TARGET): makes the sources of each folder one translation unit, which parses their
# common headers once. Names that are local to a file, in its anonymous namespace, thereby become local to a folder.
function(sporos_compile_folders_as_units target)
  if(NOT SPOROS_UNITY_BUILD)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} ABSOLUTE)
    get_filename_component(folder ${folder} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
