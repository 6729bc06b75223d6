# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How Sporos' own programs (apps, examples, tests, benchmarks) are compiled. Nothing here reaches a user's target.

# The backends of the Kokkos at hand that Sporos knows, as Kokkos spells its execution spaces.
set(SPOROS_BACKENDS)
foreach(pair IN ITEMS SERIAL=Serial OPENMP=OpenMP CUDA=Cuda HIP=HIP)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 device)
  list(GET pair 1 space)
  if(device IN_LIST Kokkos_DEVICES)
    list(APPEND SPOROS_BACKENDS ${space})
  endif()
endforeach()
message(STATUS "Sporos backends: ${SPOROS_BACKENDS}")

add_library(sporos_program_options INTERFACE)
target_compile_options(sporos_program_options INTERFACE -Wall -Wextra -Wshadow)
if(SPOROS_WARNINGS_AS_ERRORS)
  target_compile_options(sporos_program_options INTERFACE -Werror)
endif()
if(NOT "Cuda" IN_LIST SPOROS_BACKENDS)
  # GCC collects its garbage after a gigabyte, not again and again: a tenth of its time. scripts/ count on two gigabytes.
  target_compile_options(sporos_program_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>)
endif()
if(SPOROS_NATIVE)
  add_compile_options(-march=native)  # before a target's own options, which may ask for another processor
endif()

# sporos_add_program(NAME SOURCES... LIBRARIES...)
function(sporos_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} sporos_program_options)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()
