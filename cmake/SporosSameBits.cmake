# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Equal bits on every backend require that every product and every sum is rounded separately. The compiler option for
# that depends on the Kokkos used, and a user's Kokkos may differ from the one that Sporos was installed with. Therefore
# the build and the installed package both read this file.

# sporos_forbid_contraction(TARGET): all targets that link TARGET are compiled without fused multiply-adds.
function(sporos_forbid_contraction target)
  target_compile_options(${target} INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
                         "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;-Xcompiler=-ffp-contract=off>")
  # nvcc_wrapper presents itself as a C++ compiler. Clang can compile CUDA, too, but supports only the option above.
  if(("CUDA" IN_LIST Kokkos_DEVICES OR Kokkos_ENABLE_CUDA) AND NOT "${Kokkos_CXX_COMPILER_ID}" MATCHES "Clang")
    target_compile_options(${target} INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fmad=false>)
  endif()
endfunction()
