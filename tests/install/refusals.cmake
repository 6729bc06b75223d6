# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -P refusals.cmake: which compilers and which versions of fmt configuring refuses, and what it says of them.
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/SporosCompilers.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/SporosFind.cmake)

# expect(WHAT SAID SENTENCE): SENTENCE is a regular expression, empty where nothing is to be said.
function(expect what said sentence)
  if(NOT "${said}" MATCHES "^${sentence}$")
    message(SEND_ERROR "${what}: '${said}', expected: '${sentence}'")
  endif()
endfunction()

function(expect_of_compiler id version sentence)
  set(CMAKE_CXX_COMPILER_ID ${id})
  set(CMAKE_CXX_COMPILER_VERSION ${version})
  set(CMAKE_CXX_COMPILER /usr/bin/compiler)
  sporos_refuse_old_compiler(said)
  expect("${id} ${version}" "${said}" "${sentence}")
endfunction()

set(newer "expected GCC 12, Clang 14 or newer; name one in CMAKE_CXX_COMPILER")
expect_of_compiler(GNU 11.4.0 "Sporos: the C.. compiler is GNU 11.4.0 ./usr/bin/compiler., ${newer}")
expect_of_compiler(GNU 9.5 "Sporos: the C.. compiler is GNU 9.5 ./usr/bin/compiler., ${newer}")
expect_of_compiler(GNU 12.2.0 "")
expect_of_compiler(GNU 14.2.0 "")
expect_of_compiler(Clang 13.0.1 "Sporos: the C.. compiler is Clang 13.0.1 ./usr/bin/compiler., ${newer}")
expect_of_compiler(Clang 14.0.6 "")
expect_of_compiler(IntelLLVM 2023.0 "")  # not known

function(expect_of_fmt built_with fmt_VERSION sentence)
  sporos_refuse_other_fmt(said "${built_with}")
  expect("built with fmt ${built_with}, ${fmt_VERSION} at hand" "${said}" "${sentence}")
endfunction()

expect_of_fmt(9.1.0 10.1.1 "Sporos: its libraries were built with fmt 9.1.0 and cannot be linked with fmt 10.1.1; \
install fmt 9, or build Sporos with fmt 10")
expect_of_fmt(9.1.0 9.0.0 "")
expect_of_fmt(9.1.0 "" "")
expect_of_fmt("" 10.1.1 "")
