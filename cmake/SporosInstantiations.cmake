# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Library of templates that take long to instantiate (core/execution/instantiate.hpp). In a quick build, all other
# sources only declare them, and programs link this library.
if(NOT SPOROS_QUICK_BUILD OR "Cuda" IN_LIST SPOROS_BACKENDS OR "Hip" IN_LIST SPOROS_BACKENDS)
  return()
endif()
add_compile_definitions(SPOROS_INSTANTIATED_ONCE)

# Most programs need only the instantiations of core/. Two units keep these programs from linking the other one.
set(sources)
foreach(header IN ITEMS core/replication/experiment_launcher core/replication/summary core/sampling/prepared_source
                        models/germinal_centre/germinal_centres models/radiation/trace procedures/mixture_bootstrap
                        procedures/mixture_fit)
  set(source ${PROJECT_BINARY_DIR}/instantiations/${header}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include <sporos/${header}.hpp>\n")
  list(APPEND sources ${source})
  string(REGEX MATCH "^core" unit ${header})
  if(NOT unit)
    set(unit others)
  endif()
  set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${unit})
endforeach()
add_library(sporos_instantiations STATIC ${sources})
target_link_libraries(sporos_instantiations PUBLIC sporos::procedures PRIVATE sporos_program_options)
target_compile_definitions(sporos_instantiations PRIVATE SPOROS_INSTANTIATES)
set_target_properties(sporos_instantiations PROPERTIES CXX_EXTENSIONS OFF UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
if(SPOROS_BUILD_PYTHON)  # the Python module links it, too
  set_target_properties(sporos_instantiations PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON)
endif()
