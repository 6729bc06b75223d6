# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs with Sporos' command line: one per backend, each with the models compiled in. The build and the installed
# package both read this file, together with models.cmake.

# Backends of the Kokkos found that Sporos supports, spelled like Kokkos' execution spaces, the fastest last. The variable
# SPOROS_BACKENDS restricts programs to a part of them, which saves most of a backend's compile time.
set(backends)
foreach(pair IN ITEMS SERIAL=Serial OPENMP=OpenMP CUDA=Cuda HIP=HIP)
  string(REGEX MATCH "(.*)=(.*)" pair ${pair})
  if(CMAKE_MATCH_1 IN_LIST Kokkos_DEVICES)
    list(APPEND backends ${CMAKE_MATCH_2})
  endif()
endforeach()
set_property(GLOBAL PROPERTY SPOROS_KOKKOS_SPACES ${backends})
foreach(backend IN LISTS SPOROS_BACKENDS)
  if(NOT backend IN_LIST backends)
    list(JOIN backends ", " expected)
    message(FATAL_ERROR "SPOROS_BACKENDS names ${backend}, which this Kokkos does not have: expected some of ${expected}")
  endif()
endforeach()
foreach(backend IN LISTS backends)
  if(DEFINED SPOROS_BACKENDS AND NOT backend IN_LIST SPOROS_BACKENDS)
    list(REMOVE_ITEM backends ${backend})
  endif()
endforeach()
set_property(GLOBAL PROPERTY SPOROS_BACKENDS ${backends})
unset(backends)

# sporos_write_program(NAME FOLDER [TASKS] INCLUDES... TYPES...)
#
# Writes into FOLDER the sources of a program whose models are the TYPES. INCLUDES ("<...>" or a path) define the types.
# program.cpp is compiled once; backend.cpp, and for each model a file in models/, are compiled once per backend, with
# SPOROS_BACKEND. contract.cpp compiles in seconds and reports what is wrong with a model. The function sets the lists
# contract_source, program_source and backend_sources. With TASKS, the program also runs Sporos' tasks.
function(sporos_write_program name folder)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "TASKS" "" "INCLUDES;TYPES")
  set(includes)
  foreach(include IN LISTS ARG_INCLUDES)
    if(NOT include MATCHES "^<")
      set(include "\"${include}\"")
    endif()
    string(APPEND includes "#include ${include}\n")
  endforeach()
  list(JOIN ARG_TYPES ", " types)
  set(has_tasks false)
  set(task_runners "{}")
  if(ARG_TASKS)
    set(has_tasks true)
    set(task_runners "task_runners()")
  endif()

  file(CONFIGURE OUTPUT ${folder}/program.cpp CONTENT [[
#include <sporos/runtime/backend/this_build.hpp>
#include <sporos/runtime/simulation/describe_model.hpp>

@includes@
namespace sporos::runtime {

const Program& program() {
  static const Program all{"@name@", @has_tasks@, this_build()};
  return all;
}

std::span<const ModelDescription> model_descriptions() {
  static const auto all = descriptions_of<@types@>();
  return all;
}

}  // namespace sporos::runtime
]] @ONLY)
  file(CONFIGURE OUTPUT ${folder}/backend.cpp CONTENT [[
#include <sporos/runtime/backend/define_backend.hpp>

@includes@
std::unique_ptr<sporos::runtime::Backend> sporos::runtime::kokkos_backend() {
  return backend_with(functions_of_models<@types@>(), @task_runners@);
}
]] @ONLY)
  set(sources ${folder}/backend.cpp)

  set(checks)
  foreach(type IN LISTS ARG_TYPES)
    string(APPEND checks "template void sporos::check_described<${type}>();\n")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/contract.cpp CONTENT [[
#include <sporos/core/replication/described_model.hpp>

@includes@
@checks@]] @ONLY)

  # All models compile in parallel; after a change, only the changed model is recompiled.
  foreach(type IN LISTS ARG_TYPES)
    string(REGEX REPLACE "^::" "" file ${type})
    string(REGEX REPLACE "[^A-Za-z0-9]+" "_" file ${file})
    file(CONFIGURE OUTPUT ${folder}/models/${file}.cpp CONTENT [[
#include <sporos/runtime/backend/define_model_functions.hpp>

@includes@
template sporos::runtime::ModelFunctions sporos::runtime::model_functions<@type@>();
]] @ONLY)
    list(APPEND sources ${folder}/models/${file}.cpp)
  endforeach()
  set(contract_source ${folder}/contract.cpp PARENT_SCOPE)
  set(program_source ${folder}/program.cpp PARENT_SCOPE)
  set(backend_sources ${sources} PARENT_SCOPE)
endfunction()

# sporos_describe_build(TARGET): defines the macros with which program.cpp, in TARGET, reports how it was compiled.
function(sporos_describe_build target)
  get_property(spaces GLOBAL PROPERTY SPOROS_KOKKOS_SPACES)
  list(JOIN spaces "+" spaces)
  set(native 0)
  if(SPOROS_NATIVE OR CMAKE_CXX_FLAGS MATCHES "-march=native")
    set(native 1)
  endif()
  get_property(same_bits GLOBAL PROPERTY SPOROS_SAME_BITS)
  target_compile_definitions(${target} PRIVATE SPOROS_SAME_BITS=$<BOOL:${same_bits}> SPOROS_NATIVE=${native}
                             SPOROS_BUILD_TYPE="$<CONFIG>" SPOROS_KOKKOS_SPACES="${spaces}")
endfunction()

# sporos_append_own_models(TYPES INCLUDES): appends types and includes of Sporos' own models to the two lists.
macro(sporos_append_own_models types includes)
  get_property(models GLOBAL PROPERTY SPOROS_MODELS)
  while(models)
    list(POP_FRONT models model header)
    list(APPEND ${types} sporos::models::${model})
    list(APPEND ${includes} <sporos/models/${header}>)
  endwhile()
endmacro()

# sporos_write_python_package(NAME FOLDER): writes the Python files of package NAME, all except its modules, to FOLDER.
function(sporos_write_python_package name folder)
  get_property(source GLOBAL PROPERTY SPOROS_PYTHON_FILES)
  foreach(file IN ITEMS _arguments _backends _design _documentation _draw _executor _experiment _host_model _models
          _plot _progress _result _search _select _simulate _solver_comparison)
    configure_file(${source}/sporos/${file}.py ${folder}/${file}.py COPYONLY)
  endforeach()
  configure_file(${source}/sporos/py.typed ${folder}/py.typed COPYONLY)
  configure_file(${source}/own_package/__init__.py ${folder}/__init__.py COPYONLY)
endfunction()

# sporos_add_python_module(NAME BACKEND): builds the module _BACKEND of the package NAME from the objects of the program
# NAME-BACKEND. Python finds the module only in the version for which Sporos was built.
function(sporos_add_python_module name backend)
  set(module ${name}-${backend}-python)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}-sources/module_${backend}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT [[
extern "C" void* PyInit_sporos_models();
extern "C" __attribute__((visibility("default"))) void* PyInit__@backend@();
void* PyInit__@backend@() { return PyInit_sporos_models(); }
]] @ONLY)
  get_property(suffix GLOBAL PROPERTY SPOROS_PYTHON_SUFFIX)
  add_library(${module} MODULE ${source} $<TARGET_OBJECTS:${name}-${backend}-backend> $<TARGET_OBJECTS:${name}-program>)
  target_link_libraries(${module} PRIVATE sporos::python_models ${ARG_LIBRARIES})
  target_link_options(${module} PRIVATE LINKER:--exclude-libs,ALL)
  set_target_properties(${module} PROPERTIES PREFIX "" OUTPUT_NAME _${backend} SUFFIX ${suffix}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/python/${name})
endfunction()

# sporos_add_programs(NAME MODELS HEADER... [TYPES TYPE...] [LIBRARIES TARGET...] [WITH_SPOROS_MODELS] [PYTHON])
#
# Adds a program NAME-BACKEND for each backend of Kokkos, such as NAME-serial, and NAME, a link to the fastest of them.
# The programs have the commands simulate, optimize, list, describe and info for the models in the headers. TYPES are
# the types of the models; without them, a header my_clinic.hpp defines the type MyClinic. WITH_SPOROS_MODELS adds
# Sporos' own models. PYTHON also makes a package NAME from the same objects, in the folder python of the build.
function(sporos_add_programs name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "WITH_SPOROS_MODELS;PYTHON" "" "MODELS;TYPES;LIBRARIES")
  set(call "sporos_add_programs(${name} …)")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: unexpected '${ARG_UNPARSED_ARGUMENTS}', expected MODELS HEADER...")
  elseif(NOT name MATCHES "^[A-Za-z][A-Za-z0-9_-]*$" OR name STREQUAL "sporos")
    message(FATAL_ERROR "${call}: the name is '${name}', expected letters, digits, _ and -, and not Sporos' own")
  elseif(NOT ARG_MODELS)
    message(FATAL_ERROR "${call}: no MODELS are given, expected the headers of models")
  elseif(NOT TARGET sporos::command_line)
    message(FATAL_ERROR "${call}: there is no sporos::command_line, expected an installation of Sporos with its runtime, or \
CLI11 and muParser (Debian: libcli11-dev, libmuparser-dev)")
  elseif(ARG_PYTHON AND NOT TARGET sporos::python_models)
    message(FATAL_ERROR "${call}: there is no sporos::python_models, expected a Sporos that was built with its Python module")
  elseif(ARG_PYTHON AND NOT name MATCHES "^[A-Za-z][A-Za-z0-9_]*$")
    message(FATAL_ERROR "${call}: the name is '${name}', expected no - in that of a Python package")
  endif()

  set(includes)
  set(types ${ARG_TYPES})
  foreach(header IN LISTS ARG_MODELS)
    get_filename_component(path ${header} ABSOLUTE)
    if(NOT EXISTS ${path})
      message(FATAL_ERROR "${call}: there is no header ${path}")
    endif()
    list(APPEND includes ${path})
    if(NOT ARG_TYPES)
      get_filename_component(words ${header} NAME_WE)
      string(REGEX MATCHALL "[A-Za-z0-9]+" words ${words})
      set(type)
      foreach(word IN LISTS words)
        string(SUBSTRING ${word} 0 1 first)
        string(SUBSTRING ${word} 1 -1 rest)
        string(TOUPPER ${first} first)
        string(APPEND type ${first}${rest})
      endforeach()
      file(STRINGS ${path} lines REGEX "(^|[^A-Za-z0-9_])${type}([^A-Za-z0-9_]|$)")
      if(NOT lines)
        message(FATAL_ERROR "${call}: ${header} has no type ${type}, expected one, or TYPES with the names of the models' types")
      endif()
      list(APPEND types ${type})
    endif()
  endforeach()
  list(TRANSFORM types REPLACE "^::" "")
  list(TRANSFORM types PREPEND "::")  # so that the name is valid in any namespace
  if(ARG_WITH_SPOROS_MODELS)
    sporos_append_own_models(types includes)
  endif()

  sporos_write_program(${name} ${CMAKE_CURRENT_BINARY_DIR}/${name}-sources INCLUDES ${includes} TYPES ${types})
  set(properties POSITION_INDEPENDENT_CODE ${ARG_PYTHON})
  if(ARG_PYTHON)
    list(APPEND properties CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    sporos_write_python_package(${name} ${CMAKE_CURRENT_BINARY_DIR}/python/${name})
  endif()
  # An invalid model is reported before the slow files are compiled. Ninja waits for custom targets only.
  add_library(${name}-contract OBJECT ${contract_source})
  target_link_libraries(${name}-contract PRIVATE sporos::runtime ${ARG_LIBRARIES})
  add_custom_target(${name}-checked)
  add_dependencies(${name}-checked ${name}-contract)
  add_library(${name}-program OBJECT ${program_source})
  add_dependencies(${name}-program ${name}-checked)
  set_target_properties(${name}-program PROPERTIES ${properties})
  sporos_describe_build(${name}-program)
  target_link_libraries(${name}-program PRIVATE sporos::runtime ${ARG_LIBRARIES})
  set(folder ${CMAKE_CURRENT_BINARY_DIR})
  if(CMAKE_RUNTIME_OUTPUT_DIRECTORY)
    set(folder ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  endif()
  get_property(backends GLOBAL PROPERTY SPOROS_BACKENDS)
  foreach(backend IN LISTS backends)
    string(TOLOWER ${backend} suffix)
    set(program ${name}-${suffix})
    add_library(${program}-backend OBJECT ${backend_sources})
    target_compile_definitions(${program}-backend PRIVATE SPOROS_BACKEND=Kokkos::${backend})
    target_link_libraries(${program}-backend PRIVATE sporos::runtime ${ARG_LIBRARIES})
    add_dependencies(${program}-backend ${name}-checked)
    set_target_properties(${program}-backend PROPERTIES ${properties})
    if(NOT types MATCHES ";")  # a single model makes one translation unit, which parses Kokkos once
      set_target_properties(${program}-backend PROPERTIES UNITY_BUILD ON)
    endif()
    add_executable(${program} $<TARGET_OBJECTS:${program}-backend> $<TARGET_OBJECTS:${name}-program>)
    target_link_libraries(${program} PRIVATE sporos::command_line ${ARG_LIBRARIES})
    if(ARG_PYTHON)
      sporos_add_python_module(${name} ${suffix})
    endif()
  endforeach()
  file(MAKE_DIRECTORY ${folder})
  file(CREATE_LINK ${program} ${folder}/${name} SYMBOLIC)
endfunction()
