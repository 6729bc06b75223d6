# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Adds the program `energy` to the build of ExaMiniMD, whose sources stay as they are:
#   cmake -S ExaMiniMD -B build -DUSE_MPI=OFF -DCMAKE_PROJECT_ExaMiniMD_INCLUDE=.../with_sporos.cmake
# CMake includes this file after the call of project(). The program has the sources, include folders and definitions of
# ExaMiniMD, but its own main function. The function below runs when the last target of ExaMiniMD exists.
set(SPOROS_EXAMPLE ${CMAKE_CURRENT_LIST_DIR}/energy.cpp)

function(sporos_add_energy)
  find_package(Sporos 0.1 REQUIRED COMPONENTS core)
  get_target_property(folder ExaMiniMD SOURCE_DIR)
  get_target_property(sources ExaMiniMD SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "(^|/)main\\.cpp$")
  list(TRANSFORM sources REPLACE "^([^/].*)$" "${folder}/\\1")
  add_executable(energy ${SPOROS_EXAMPLE} ${sources})
  target_compile_features(energy PRIVATE cxx_std_20)
  foreach(property IN ITEMS INCLUDE_DIRECTORIES COMPILE_DEFINITIONS LINK_LIBRARIES)
    get_target_property(value ExaMiniMD ${property})
    if(value)
      set_property(TARGET energy PROPERTY ${property} ${value})
    endif()
  endforeach()
  target_include_directories(energy PRIVATE ${folder}/force_types ${folder}/neighbor_types ${folder}/comm_types
                                            ${folder}/binning_types)
  target_link_libraries(energy PRIVATE sporos::core)
endfunction()
cmake_language(DEFER CALL sporos_add_energy)
