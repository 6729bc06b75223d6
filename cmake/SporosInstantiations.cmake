# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Templates that take long to instantiate, in a library of their own (core/execution/instantiate.hpp): in a build that waits
# for the compiler all else declares them, and programs link it.
if(NOT SPOROS_QUICK_BUILD OR "Cuda" IN_LIST SPOROS_BACKENDS OR "Hip" IN_LIST SPOROS_BACKENDS)
  return()
endif()
add_compile_definitions(SPOROS_INSTANTIATED_ONCE)

# Most programs need those of core/ alone: two units, so that these do not link the other one.
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
if(SPOROS_BUILD_PYTHON)  # what goes into its module
  set_target_properties(sporos_instantiations PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON)
endif()
