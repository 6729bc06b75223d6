# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Oldest compilers with which Sporos is tested. The build and the installed package both read this file. Other compilers
# are not checked.
set(SPOROS_OLDEST_GNU 12)
set(SPOROS_OLDEST_Clang 14)

# sporos_refuse_old_compiler(RESULT): sets RESULT to an error message if the C++ compiler is too old, and otherwise to
# an empty string.
function(sporos_refuse_old_compiler result)
  set(oldest ${SPOROS_OLDEST_${CMAKE_CXX_COMPILER_ID}})
  set(sentence "")
  if(oldest AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS oldest)
    string(CONCAT sentence "Sporos: the C++ compiler is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} "
           "(${CMAKE_CXX_COMPILER}), expected GCC ${SPOROS_OLDEST_GNU}, Clang ${SPOROS_OLDEST_Clang} or newer; "
           "name one in CMAKE_CXX_COMPILER")
  endif()
  set(${result} ${sentence} PARENT_SCOPE)
endfunction()
