# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sporos consists mostly of headers: the compiler options of the including project determine how fast replications are.
# The build and the installed package both read this file.

# sporos_tell_speed(): prints a message, once, if the build type or the flags cost speed
# (docs/how-to/embed-in-a-kokkos-code.md has the measurements).
function(sporos_tell_speed)
  get_property(is_reported GLOBAL PROPERTY SPOROS_SPEED_IS_TOLD)
  if(is_reported OR CMAKE_CONFIGURATION_TYPES)  # multi-configuration generators choose the build type later
    return()
  endif()
  set_property(GLOBAL PROPERTY SPOROS_SPEED_IS_TOLD ON)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  get_directory_property(options COMPILE_OPTIONS)
  set(flags ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${options})
  string(REGEX MATCHALL "-O[^ ;]*" levels "${flags}")
  set(level -O0)
  if(levels)
    list(POP_BACK levels level)  # the last one takes effect
  endif()
  if(level MATCHES "^-O[0g]$")
    set(what "CMAKE_BUILD_TYPE is ${CMAKE_BUILD_TYPE}")
    if(NOT CMAKE_BUILD_TYPE)
      set(what "CMAKE_BUILD_TYPE is empty")
    endif()
    message(NOTICE "Sporos: ${what} and nothing is optimized, which takes some 10 times as long; "
                   "expected Release, and -march=native in CMAKE_CXX_FLAGS")
  elseif(NOT level MATCHES "^-O(3|fast)$" OR NOT flags MATCHES "-m(arch|cpu)=")
    message(STATUS "Sporos: -O3 and -march=native together (CMAKE_CXX_FLAGS) may make replications 1.8 times as fast")
  endif()
endfunction()
