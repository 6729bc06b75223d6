# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Oldest compilers and Kokkos with which Sporos is tested. The build and the installed package both read this file. Other
# compilers are not checked.
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

set(SPOROS_OLDEST_KOKKOS 3.4)

# sporos_refuse_old_kokkos(RESULT): sets RESULT to an error message if the Kokkos that was found is too old, and
# otherwise to an empty string.
function(sporos_refuse_old_kokkos result)
  set(sentence "")
  if(Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS SPOROS_OLDEST_KOKKOS)
    string(CONCAT sentence "Sporos: Kokkos is ${Kokkos_VERSION} (${Kokkos_DIR}), expected ${SPOROS_OLDEST_KOKKOS} or "
           "newer; name the folder of one in Kokkos_ROOT")
  endif()
  set(${result} ${sentence} PARENT_SCOPE)
endfunction()
