# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The installation: what is for those who write programs (component `development`), and the programs (`programs`).
# Nothing in it names a folder of the machine that made it, so it may be moved.
include(CMakePackageConfigHelpers)
set(SPOROS_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Sporos)

foreach(folder IN LISTS SPOROS_HEADER_FOLDERS)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sporos
          COMPONENT development FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(FILES ${SPOROS_INCLUDE_ROOT}/sporos/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sporos
        COMPONENT development)

set(SPOROS_NEEDS "")
foreach(library IN LISTS SPOROS_LIBRARIES)
  install(TARGETS sporos_${library} EXPORT Sporos_${library}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(EXPORT Sporos_${library} NAMESPACE sporos:: DESTINATION ${SPOROS_CMAKE_DIR} COMPONENT development)
  list(JOIN SPOROS_NEEDS_${library} " " needs)
  string(APPEND SPOROS_NEEDS "set(Sporos_needs_${library} ${needs})\n")
endforeach()
list(JOIN SPOROS_LIBRARIES " " SPOROS_COMPONENTS)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/SporosConfig.cmake.in ${PROJECT_BINARY_DIR}/SporosConfig.cmake
                              INSTALL_DESTINATION ${SPOROS_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SporosConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SporosConfig.cmake ${PROJECT_BINARY_DIR}/SporosConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindRandom123.cmake ${PROJECT_SOURCE_DIR}/cmake/FindLibCsv.cmake
              ${PROJECT_SOURCE_DIR}/cmake/SporosSameBits.cmake
              ${PROJECT_SOURCE_DIR}/cmake/SporosSpeed.cmake
        DESTINATION ${SPOROS_CMAKE_DIR} COMPONENT development)

# Where Debian has them, for each of its packages.
function(sporos_install_documents package component)
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/${package})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${folder} COMPONENT ${component} RENAME copyright)
  install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${folder} COMPONENT ${component} RENAME changelog)
endfunction()
sporos_install_documents(libsporos-dev development)
if(SPOROS_BUILD_APPS)
  sporos_install_documents(sporos programs)
endif()
