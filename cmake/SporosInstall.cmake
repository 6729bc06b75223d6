# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(CMakePackageConfigHelpers)
set(SPOROS_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Sporos)

foreach(folder IN LISTS SPOROS_HEADER_FOLDERS)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${folder})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sporos
            FILES_MATCHING PATTERN "*.hpp")
  endif()
endforeach()
install(FILES ${SPOROS_INCLUDE_ROOT}/sporos/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sporos)

install(TARGETS sporos_core sporos_io sporos_linear_algebra sporos_models sporos_optimizers sporos_procedures EXPORT SporosTargets)
install(EXPORT SporosTargets NAMESPACE sporos:: DESTINATION ${SPOROS_CMAKE_DIR})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/SporosConfig.cmake.in ${PROJECT_BINARY_DIR}/SporosConfig.cmake
                              INSTALL_DESTINATION ${SPOROS_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SporosConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/SporosConfig.cmake ${PROJECT_BINARY_DIR}/SporosConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindRandom123.cmake
        DESTINATION ${SPOROS_CMAKE_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
