# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installation in two components: what is needed to write programs (`development`), and the programs (`programs`). It
# contains no path of the build machine, so that it can be moved.
include(CMakePackageConfigHelpers)
set(SPOROS_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Sporos)

foreach(folder IN LISTS SPOROS_HEADER_FOLDERS)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sporos
          COMPONENT development FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(FILES ${SPOROS_INCLUDE_ROOT}/sporos/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sporos
        COMPONENT development)

# Headers of the runtime that sources of sporos_write_program include.
if(command_line IN_LIST SPOROS_LIBRARIES)
  foreach(header IN ITEMS array_rqmc/task.hpp backend/backend.hpp backend/define_backend.hpp
                          backend/define_model_functions.hpp backend/design_models.hpp
                          backend/model_functions.hpp backend/parameter_values.hpp
                          backend/processes.hpp backend/program.hpp backend/tasks.hpp
                          backend/this_build.hpp
                          multilevel/task.hpp rare_events/task.hpp search/task.hpp selection/task.hpp
                          simulation/describe_model.hpp simulation/model_description.hpp simulation/tasks.hpp
                          steady_state/task.hpp stratification/task.hpp)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${PROJECT_SOURCE_DIR}/runtime/${header}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sporos/runtime/${folder} COMPONENT development)
  endforeach()
endif()

# Python files from which packages of a user's own models are made.
set(SPOROS_PYTHON_SUFFIX)
if(TARGET sporos_python_models)
  get_property(SPOROS_PYTHON_SUFFIX GLOBAL PROPERTY SPOROS_PYTHON_SUFFIX)
  install(TARGETS sporos_python_models EXPORT Sporos_python
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(EXPORT Sporos_python NAMESPACE sporos:: DESTINATION ${SPOROS_CMAKE_DIR} COMPONENT development)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/sporos ${PROJECT_SOURCE_DIR}/python/own_package
          DESTINATION ${SPOROS_CMAKE_DIR}/python COMPONENT development FILES_MATCHING PATTERN "*.py" PATTERN py.typed)
endif()

set(SPOROS_NEEDS "")
foreach(library IN LISTS SPOROS_LIBRARIES)
  install(TARGETS sporos_${library} EXPORT Sporos_${library}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(EXPORT Sporos_${library} NAMESPACE sporos:: DESTINATION ${SPOROS_CMAKE_DIR} COMPONENT development)
  list(JOIN SPOROS_NEEDS_${library} " " needs)
  string(APPEND SPOROS_NEEDS "set(Sporos_needs_${library} ${needs})\n")
endforeach()
list(JOIN SPOROS_LIBRARIES " " SPOROS_COMPONENTS)
sporos_fmt_version(SPOROS_FMT_VERSION)
# Not in the root of the build tree: CMake would find the package there if PATH contains its folder bin.
set(package ${PROJECT_BINARY_DIR}/CMakeFiles/SporosPackage)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/SporosConfig.cmake.in ${package}/SporosConfig.cmake
                              INSTALL_DESTINATION ${SPOROS_CMAKE_DIR})
write_basic_package_version_file(${package}/SporosConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${package}/SporosConfig.cmake ${package}/SporosConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindLibCsv.cmake
              ${PROJECT_SOURCE_DIR}/cmake/SporosAddPrograms.cmake ${PROJECT_SOURCE_DIR}/cmake/SporosCompilers.cmake
              ${PROJECT_SOURCE_DIR}/cmake/SporosFind.cmake ${PROJECT_SOURCE_DIR}/cmake/SporosSameBits.cmake
              ${PROJECT_SOURCE_DIR}/cmake/SporosSpeed.cmake ${PROJECT_SOURCE_DIR}/core/linear_algebra/vector_operations.cpp
        DESTINATION ${SPOROS_CMAKE_DIR} COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/runtime/backend/models.cmake DESTINATION ${SPOROS_CMAKE_DIR} COMPONENT development
        RENAME SporosModels.cmake)

# Installs the license and the changelog where Debian expects them for PACKAGE.
function(sporos_install_documents package component)
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/${package})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${folder} COMPONENT ${component} RENAME copyright)
  install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${folder} COMPONENT ${component} RENAME changelog)
endfunction()
sporos_install_documents(libsporos-dev development)
if(SPOROS_BUILD_APPS)
  sporos_install_documents(sporos programs)
endif()
