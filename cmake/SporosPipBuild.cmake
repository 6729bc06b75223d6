# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `pip install .` passes no Kokkos. This file uses the environment's Kokkos_ROOT or else the Kokkos that scripts/setup
# has built.
if(SKBUILD AND NOT DEFINED Kokkos_ROOT AND "$ENV{Kokkos_ROOT}" STREQUAL "")
  execute_process(COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/scripts/setup --print-kokkos-root
                  OUTPUT_VARIABLE Kokkos_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    unset(Kokkos_ROOT)  # find_package then searches its default places and reports what is missing
  endif()
endif()
