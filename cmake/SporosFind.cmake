# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Other packages, for the build and for the installed package.

# sporos_find(<target> <package> <arguments>...): find_package(<package> <arguments>...), unless the project at hand has TARGET already,
# as by FetchContent: then the package need not be installed.
macro(sporos_find target package)
  if(NOT TARGET ${target})
    find_package(${package} ${ARGN})
  endif()
endmacro()

# sporos_fmt_version(RESULT): the version of fmt at hand, empty where nothing says it.
function(sporos_fmt_version result)
  set(version ${fmt_VERSION})
  if(NOT version AND TARGET fmt::fmt)
    get_target_property(version fmt::fmt VERSION)  # of fmt's own build
  endif()
  if(NOT version)
    set(version "")
  endif()
  set(${result} ${version} PARENT_SCOPE)
endfunction()

# sporos_refuse_other_fmt(RESULT BUILT_WITH): what to say where compiled libraries, built with the version BUILT_WITH of fmt,
# cannot be linked with the one at hand: all names in fmt contain its major version. Empty where they can.
function(sporos_refuse_other_fmt result built_with)
  sporos_fmt_version(version)
  string(REGEX MATCH "^[0-9]+" needed "${built_with}")
  string(REGEX MATCH "^[0-9]+" found "${version}")
  set(sentence "")
  if(needed AND found AND NOT needed EQUAL found)
    string(CONCAT sentence "Sporos: its libraries were built with fmt ${built_with} and cannot be linked with fmt ${version}; "
           "install fmt ${needed}, or build Sporos with fmt ${found}")
  endif()
  set(${result} ${sentence} PARENT_SCOPE)
endfunction()
