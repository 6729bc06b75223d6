# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -P speed.cmake: checks the messages of sporos_tell_speed() about build types and flags that cost speed.
if(SPOROS_ASKED)
  set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g -DNDEBUG")
  set(CMAKE_CXX_FLAGS_DEBUG -g)
  include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/SporosSpeed.cmake)
  sporos_tell_speed()
  sporos_tell_speed()
  return()
endif()

# expect(TYPE FLAGS SENTENCE): SENTENCE is a regular expression, or empty if no message is expected.
function(expect type flags sentence)
  execute_process(COMMAND ${CMAKE_COMMAND} -DSPOROS_ASKED=ON "-DCMAKE_BUILD_TYPE=${type}" "-DCMAKE_CXX_FLAGS=${flags}"
                          -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
                  OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE status)
  if(NOT status EQUAL 0 OR NOT said MATCHES "^${sentence}$")
    message(SEND_ERROR "'${type}' with '${flags}' is told: '${said}', expected: '${sentence}'")
  endif()
endfunction()

set(slow "and nothing is optimized[^\n]*\n")
set(faster "-- Sporos: -O3 and -march=native together[^\n]*\n")
expect("" "" "Sporos: CMAKE_BUILD_TYPE is empty ${slow}")
expect("" "-O3 -march=native" "")
expect("" "-march=native" "Sporos: CMAKE_BUILD_TYPE is empty ${slow}")
expect(Debug "-march=native" "Sporos: CMAKE_BUILD_TYPE is Debug ${slow}")
expect(Debug "-Og" "Sporos: CMAKE_BUILD_TYPE is Debug ${slow}")
expect(Debug "-O3 -mcpu=native" "")
expect(Release "" "${faster}")
expect(Release "-march=native" "")
expect(Release "-march=x86-64-v3" "")
expect(RelWithDebInfo "-march=native" "${faster}")
