# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
find_package(GTest REQUIRED)
include(SporosMpiEnvironment)

add_library(sporos_test_main OBJECT ${PROJECT_SOURCE_DIR}/tests/harness/binomial_band.cpp
                                   ${PROJECT_SOURCE_DIR}/tests/harness/main.cpp)
target_link_libraries(sporos_test_main PUBLIC sporos::core sporos::io GTest::gtest PRIVATE sporos_program_options)
target_include_directories(sporos_test_main INTERFACE ${PROJECT_SOURCE_DIR}/tests)
set_target_properties(sporos_test_main PROPERTIES CXX_EXTENSIONS OFF)

# Tests run for a few seconds at most, and -O3 makes their compilation take half as long again. test_same_bits exercises
# all of the optimizer, and preset release optimizes all programs, examples and benchmarks.
sporos_compile_quickly(sporos_test_main)

# A test with other compiler options must disable the precompiled headers. nlohmann/json.hpp is left out: what its
# inline functions instantiate costs each translation unit 0.3 s, and only one test in five reads JSON.
if(SPOROS_PRECOMPILE)
  target_precompile_headers(sporos_test_main PRIVATE ${SPOROS_PRECOMPILED_HEADERS} <fmt/format.h> <gtest/gtest.h>)
endif()

if(SPOROS_LONG_TESTS OR NOT "OpenMP" IN_LIST SPOROS_BACKENDS)
  add_compile_definitions(SPOROS_TEST_SERIAL)  # tests/harness/backends.hpp
endif()

set(SPOROS_OTHER_COMPILER none)
if(SPOROS_LONG_TESTS AND NOT "Cuda" IN_LIST SPOROS_BACKENDS)
  set(SPOROS_OTHER_COMPILER clang++)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(SPOROS_OTHER_COMPILER g++)
  endif()
  find_program(SPOROS_PATH_OF_OTHER_COMPILER ${SPOROS_OTHER_COMPILER})
  if(NOT SPOROS_PATH_OF_OTHER_COMPILER)
    set(SPOROS_OTHER_COMPILER none)
  endif()
endif()

function(sporos_set_test_options target)
  sporos_compile_quickly(${target})
  sporos_use_precompiled(${target} sporos_test_main)
endfunction()

set(SPOROS_HAS_DEVICE FALSE)  # whether this build has a backend for GPUs
if("Cuda" IN_LIST SPOROS_BACKENDS OR "Hip" IN_LIST SPOROS_BACKENDS)
  set(SPOROS_HAS_DEVICE TRUE)
endif()

# sporos_uses_device(TEST): marks a test that computes on a device, if this build has one. Such tests run one at a time,
# and scripts/test_device runs them by their label.
function(sporos_uses_device test)
  if(SPOROS_HAS_DEVICE)
    set_tests_properties(${test} PROPERTIES RESOURCE_LOCK gpu LABELS device)
  endif()
endfunction()

# sporos_add_test(NAME [PROGRAM PROGRAM] [HOST_ONLY | ONE_THREAD] SOURCES... [LIBRARIES...] [THREADS...] [STATISTICS...])
#
# Adds the tests of SOURCES, which cover the backends of tests/harness/backends.hpp, to the GoogleTest program
# test_PROGRAM (default: test_NAME). Tests with the same PROGRAM share its compilation: about a third of what they
# compile is the same. The first condition that holds determines how often the tests run:
# - HOST_ONLY, for sources in which no test launches a kernel: once;
# - THREADS: with these numbers of threads;
# - SPOROS_LONG_TESTS: with 1, 2 and 4 threads;
# - ONE_THREAD: with 1 and 2 threads;
# - otherwise: with 2 threads.
# Tests of backend Serial and those in STATISTICS run with 2 threads only. STATISTICS are GoogleTest filters of tests
# that take seconds and give the same results with any number of threads. The sources of a program form one translation
# unit: each FILE.cpp has its names in a separate namespace, FILE_tests or FOLDER_FILE_tests.
function(sporos_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "HOST_ONLY;ONE_THREAD" "PROGRAM" "SOURCES;LIBRARIES;THREADS;STATISTICS")
  set(program test_${name})
  set(selection)
  if(ARG_PROGRAM)
    set(program test_${ARG_PROGRAM})
    list(TRANSFORM ARG_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
    set(files)
    foreach(source IN LISTS ARG_SOURCES)
      file(RELATIVE_PATH file ${PROJECT_SOURCE_DIR}/tests ${source})
      list(APPEND files ${file})
    endforeach()
    list(FILTER files EXCLUDE REGEX "^\\.\\./")  # sources without tests
    list(JOIN files "," files)
    set(selection --files=${files})  # tests/harness/main.cpp
  endif()
  if(TARGET ${program})
    target_sources(${program} PRIVATE ${ARG_SOURCES})
    target_link_libraries(${program} PRIVATE ${ARG_LIBRARIES})
  else()
    sporos_add_program(${program} SOURCES ${ARG_SOURCES} LIBRARIES sporos_test_main ${ARG_LIBRARIES})
    sporos_compile_as_unit(${program})
    sporos_set_test_options(${program})
  endif()
  if(NOT TARGET test_${name})
    add_custom_target(test_${name} DEPENDS ${program})
  endif()
  if(ARG_HOST_ONLY)
    set(thread_counts 1)
  elseif(ARG_THREADS)
    set(thread_counts ${ARG_THREADS})
  elseif(SPOROS_LONG_TESTS)
    set(thread_counts 1 2 4)
  elseif(ARG_ONE_THREAD)
    set(thread_counts 1 2)
  else()
    set(thread_counts 2)
  endif()
  list(JOIN ARG_STATISTICS ":" statistics)
  foreach(threads IN LISTS thread_counts)
    set(test ${name}.${threads}_threads)
    if(ARG_HOST_ONLY)
      set(test ${name})
    endif()
    set(filter)
    if(NOT ARG_HOST_ONLY AND NOT threads EQUAL 2)
      set(filter --gtest_filter=-*/Serial.*:${statistics})
    endif()
    add_test(NAME ${test} COMMAND ${program} ${selection} ${filter})
    # GTEST_BRIEF: only failures are printed, so that a log that keeps the end of the output shows them.
    # Threads that wait busily for a thread which another program delays take minutes instead of seconds. If all cores
    # are busy, this also holds for passive waiting (optimizers.4_threads waits a million times). Hence PROCESSORS.
    set_tests_properties(${test} PROPERTIES PROCESSORS ${threads}
      ENVIRONMENT "OMP_NUM_THREADS=${threads};OMP_PROC_BIND=false;OMP_WAIT_POLICY=passive;GTEST_BRIEF=1")
    if(NOT ARG_HOST_ONLY)
      sporos_uses_device(${test})
    endif()
  endforeach()
endfunction()

# sporos_add_distributed_test(NAME SOURCES... [LIBRARIES...])
#
# Adds one GoogleTest program that runs with 1, 3 and, with SPOROS_LONG_TESTS, 7 processes. Without MPI it adds nothing.
function(sporos_add_distributed_test name)
  if(NOT SPOROS_MPI)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;LIBRARIES")
  sporos_add_program(test_${name} SOURCES ${ARG_SOURCES} ${PROJECT_SOURCE_DIR}/tests/harness/distributed_main.cpp
                     LIBRARIES ${ARG_LIBRARIES} sporos::distributed GTest::gtest)
  sporos_compile_as_unit(test_${name})
  sporos_set_test_options(test_${name})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  set(process_counts 1 3)
  if(SPOROS_LONG_TESTS)
    list(APPEND process_counts 7)
  endif()
  foreach(processes IN LISTS process_counts)
    set(test ${name}.${processes}_processes)
    add_test(NAME ${test} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${processes} $<TARGET_FILE:test_${name}>)
    set_tests_properties(${test} PROPERTIES PROCESSORS 2 TIMEOUT 300
      ENVIRONMENT "${SPOROS_MPI_ENVIRONMENT};GTEST_BRIEF=1")
    sporos_uses_device(${test})
  endforeach()
endfunction()

add_test(NAME wrong_uses.control COMMAND bash ${PROJECT_SOURCE_DIR}/tests/harness/says_first_control.sh
                                         ${PROJECT_SOURCE_DIR}/tests/harness/says_first.sh)

# sporos_add_wrong_uses(NAME SOURCES... LIBRARIES...)
#
# Adds sources that must not compile, each with the messages that a compiler must print for it
# (tests/harness/says_first.sh). They are compiled by this build's compiler and, with SPOROS_LONG_TESTS, also by the
# other one of g++ and clang++, if it is installed.
function(sporos_add_wrong_uses name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;LIBRARIES")
  set(target wrong_uses_${name})
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES} sporos_program_options)
  if(SPOROS_OTHER_COMPILER STREQUAL "none")  # the other compiler cannot read this compiler's precompiled headers
    target_link_libraries(${target} PRIVATE sporos_test_main)
    sporos_set_test_options(${target})
  endif()
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF
    CXX_COMPILER_LAUNCHER "bash;${PROJECT_SOURCE_DIR}/tests/harness/says_first.sh;${SPOROS_OTHER_COMPILER}")
  add_test(NAME wrong_uses.${name} COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target ${target})
  set_tests_properties(wrong_uses.${name} PROPERTIES RESOURCE_LOCK build_tree PROCESSORS 2 COST 20)
endfunction()
