# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that every header compiles alone. A header that follows headers which it includes anyway, directly or through
# other headers of Sporos, compiles if and only if it compiles alone. Each source is therefore a chain of headers, each
# of which includes the one before it: this takes half as many sources as headers. All headers of a group include some
# common headers, which are parsed once.
set(folders ${SPOROS_HEADER_FOLDERS})
list(TRANSFORM folders PREPEND ${PROJECT_SOURCE_DIR}/)
list(TRANSFORM folders APPEND /*.hpp)
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${folders})
if(NOT SPOROS_MPI)
  list(FILTER headers EXCLUDE REGEX "^core/distributed/")
endif()
foreach(header IN LISTS headers)
  file(STRINGS ${PROJECT_SOURCE_DIR}/${header} includes REGEX "^#include <.*>")
  list(TRANSFORM includes REPLACE "^#include <(sporos/)?([^>]*)>.*" "\\2")
  set(includes_of_${header} ${includes})
endforeach()

# sporos_find_headers_with(RESULT INCLUDED HEADERS...): sets RESULT to those of HEADERS that include INCLUDED.
function(sporos_find_headers_with result included)
  set(with ${included})
  set(others ${headers})
  set(before)
  while(NOT others STREQUAL before)
    set(before ${others})
    foreach(header IN LISTS before)
      foreach(include IN LISTS includes_of_${header})
        if(include IN_LIST with)
          list(APPEND with ${header})
          list(REMOVE_ITEM others ${header})
          break()
        endif()
      endforeach()
    endforeach()
  endwhile()
  set(found)
  foreach(header IN LISTS ARGN)
    if(header IN_LIST with AND NOT header STREQUAL included)
      list(APPEND found ${header})
    endif()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# sporos_chain_headers(SOURCES HEADERS...): writes sources that only include HEADERS, each named after its last header.
function(sporos_chain_headers result)
  set(left ${ARGN})
  set(sources)
  while(left)
    set(inner)
    foreach(header IN LISTS left)
      list(APPEND inner ${includes_of_${header}})
    endforeach()
    set(outermost ${left})
    list(REMOVE_ITEM outermost ${inner})
    if(NOT outermost)
      list(JOIN left ", " circle)
      message(FATAL_ERROR "Headers include each other in a circle, or are included by those that do: ${circle}")
    endif()
    foreach(last IN LISTS outermost)
      set(chain)
      set(header ${last})
      while(header)
        string(PREPEND chain "#include <sporos/${header}>\n#include <sporos/${header}>\n")
        list(REMOVE_ITEM left ${header})
        set(next)
        foreach(include IN LISTS includes_of_${header})
          if(include IN_LIST left)
            set(next ${include})
            break()
          endif()
        endforeach()
        set(header ${next})
      endwhile()
      file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/headers/${last}.cpp CONTENT "@chain@" @ONLY)
      list(APPEND sources ${CMAKE_CURRENT_BINARY_DIR}/headers/${last}.cpp)
    endforeach()
  endwhile()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

set(libraries ${SPOROS_LIBRARIES})
list(TRANSFORM libraries PREPEND sporos::)

# sporos_add_self_contained_headers(NAME HEADERS PARSED...): compiles chains of HEADERS, all of which include the headers PARSED.
function(sporos_add_self_contained_headers name headers)
  sporos_chain_headers(sources ${headers})
  add_library(self_contained_headers_${name} OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(self_contained_headers_${name} PRIVATE ${libraries} sporos_program_options)
  set_target_properties(self_contained_headers_${name} PROPERTIES CXX_EXTENSIONS OFF)
  if(SPOROS_PRECOMPILE AND ARGN)
    target_precompile_headers(self_contained_headers_${name} PRIVATE ${ARGN})
  endif()
  # Nothing runs, so optimization and debug information are not worth their time.
  target_compile_options(self_contained_headers_${name} PRIVATE -O0 -g0)
  add_dependencies(self_contained_headers self_contained_headers_${name})
  set(header_objects ${header_objects} $<TARGET_OBJECTS:self_contained_headers_${name}> PARENT_SCOPE)
endfunction()

# Compiles all headers in one source without warnings by the other compiler of g++ and clang++.
if(NOT SPOROS_OTHER_COMPILER STREQUAL none)
  set(all ${headers})
  list(TRANSFORM all REPLACE "(.+)" "#include <sporos/\\1>\n")
  list(JOIN all "" all)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/by_other_compiler.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "@all@" @ONLY)
  add_library(headers_by_other_compiler OBJECT EXCLUDE_FROM_ALL ${source})
  target_link_libraries(headers_by_other_compiler PRIVATE ${libraries} sporos_program_options)
  set_target_properties(headers_by_other_compiler PROPERTIES CXX_EXTENSIONS OFF
    CXX_COMPILER_LAUNCHER "bash;${CMAKE_CURRENT_SOURCE_DIR}/by_other_compiler.sh;${SPOROS_OTHER_COMPILER}")
  add_test(NAME structure.headers_by_other_compiler
           COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target headers_by_other_compiler)
  set_tests_properties(structure.headers_by_other_compiler PROPERTIES RESOURCE_LOCK build_tree COST 20)
endif()

add_custom_target(self_contained_headers)
set(header_objects)
sporos_find_headers_with(with_kokkos Kokkos_Core.hpp ${headers})
sporos_find_headers_with(with_inputs core/sampling/inputs.hpp ${with_kokkos})
sporos_find_headers_with(with_json nlohmann/json.hpp ${with_inputs})
list(REMOVE_ITEM headers ${with_kokkos})
list(REMOVE_ITEM with_kokkos ${with_inputs})
list(REMOVE_ITEM with_inputs ${with_json})
sporos_add_self_contained_headers(with_json "${with_json}" <Kokkos_Core.hpp> <sporos/core/sampling/inputs.hpp> <fmt/format.h>
                         <nlohmann/json.hpp>)
sporos_add_self_contained_headers(with_inputs "${with_inputs}" <Kokkos_Core.hpp> <sporos/core/sampling/inputs.hpp>)
sporos_add_self_contained_headers(with_kokkos "${with_kokkos}" <Kokkos_Core.hpp>)
sporos_add_self_contained_headers(others "${headers}")

cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
# The test configures again because the chains depend on the current includes.
add_test(NAME structure.self_contained_headers
         COMMAND sh -c "\"$0\" \"$1\" >configure.log && exec \"$0\" --build \"$1\" --target self_contained_headers --parallel ${cores} -- -k 0"
                 ${CMAKE_COMMAND} ${PROJECT_BINARY_DIR})
set_tests_properties(structure.self_contained_headers PROPERTIES
  PROCESSORS ${cores} TIMEOUT 1800 FIXTURES_SETUP self_contained_headers RESOURCE_LOCK build_tree
  COST 100)  # starts first because it takes longest

# Any number of files of a program may include what the headers define. nvcc adds its own definitions to each file.
if(NOT "Cuda" IN_LIST SPOROS_BACKENDS)
  add_test(NAME structure.inline_definitions
           COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/inline_definitions.sh ${CMAKE_NM} ${header_objects}
           COMMAND_EXPAND_LISTS)
  set_tests_properties(structure.inline_definitions PROPERTIES FIXTURES_REQUIRED self_contained_headers)
endif()
