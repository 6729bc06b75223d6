# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPOROS_BUILD_PYTHON: whether to build the Python module. By default it is built if Python's development files are
# found and Kokkos can be linked into a module, unless Sporos is part of another project.
if(NOT PROJECT_IS_TOP_LEVEL AND NOT SPOROS_BUILD_PYTHON)
  return()
endif()
find_package(Python 3.9 COMPONENTS Interpreter Development.Module QUIET)
if(Python_FOUND)
  find_package(pybind11 2.10 CONFIG QUIET)
endif()

set(SPOROS_PYTHON_OBSTACLE)  # a sentence
if(NOT Python_FOUND)
  set(SPOROS_PYTHON_OBSTACLE "Python's headers are missing: expected those of Python 3.9 or newer (Debian: python3-dev)")
elseif(NOT pybind11_FOUND)
  set(SPOROS_PYTHON_OBSTACLE "pybind11 is missing: expected 2.10 or newer (Debian: pybind11-dev)")
else()
  # A static Kokkos must be position independent.
  set(probe ${PROJECT_BINARY_DIR}/CMakeFiles/kokkos_in_module)
  file(CONFIGURE OUTPUT ${probe}/CMakeLists.txt CONTENT "cmake_minimum_required(VERSION 3.22)
project(kokkos_in_module CXX)
find_package(Kokkos REQUIRED)
add_library(module MODULE module.cpp)
target_link_libraries(module PRIVATE Kokkos::kokkos)
")
  file(CONFIGURE OUTPUT ${probe}/module.cpp
       CONTENT "#include <Kokkos_Core.hpp>\nextern \"C\" void start() { Kokkos::initialize(); }\n")
  if(NOT SPOROS_PYTHON_PROBED_KOKKOS STREQUAL Kokkos_DIR)
    try_compile(links ${probe}/build ${probe} kokkos_in_module
                CMAKE_FLAGS -DKokkos_DIR=${Kokkos_DIR} -DCMAKE_CXX_STANDARD=20)
    set(SPOROS_KOKKOS_FITS_MODULES ${links} CACHE INTERNAL "Whether Kokkos can be linked into a module")
    set(SPOROS_PYTHON_PROBED_KOKKOS ${Kokkos_DIR} CACHE INTERNAL "The Kokkos that was asked")
  endif()
  if(NOT SPOROS_KOKKOS_FITS_MODULES)
    set(SPOROS_PYTHON_OBSTACLE "the Kokkos in ${Kokkos_DIR} cannot be linked into a module: expected one built with \
-DCMAKE_POSITION_INDEPENDENT_CODE=ON or -DBUILD_SHARED_LIBS=ON")
  endif()
endif()

if(NOT SPOROS_PYTHON_OBSTACLE)
  option(SPOROS_BUILD_PYTHON "Build the Python module" ON)
elseif(SPOROS_BUILD_PYTHON)
  message(FATAL_ERROR "The Python module cannot be built: ${SPOROS_PYTHON_OBSTACLE}.")
endif()
if(SPOROS_BUILD_PYTHON)
  message(STATUS "Sporos' Python module: for ${Python_EXECUTABLE}, with pybind11 ${pybind11_VERSION}")
elseif(SPOROS_PYTHON_OBSTACLE)
  message(STATUS "Sporos' Python module: none, for ${SPOROS_PYTHON_OBSTACLE}")
endif()
