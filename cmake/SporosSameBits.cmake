# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Equal bits on every backend need every product and every sum rounded on its own. Which option says so to a compiler
# depends on the Kokkos at hand, and that of a user may be another than the one that an installation was made with: this
# file is read by the build and by the installed package.

# sporos_forbid_contraction(TARGET): whoever links TARGET compiles without fused multiply-adds.
function(sporos_forbid_contraction target)
  target_compile_options(${target} INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
                         "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;-Xcompiler=-ffp-contract=off>")
  # nvcc_wrapper passes for a compiler of C++. Clang, which may compile CUDA too, knows only the option above.
  if(("CUDA" IN_LIST Kokkos_DEVICES OR Kokkos_ENABLE_CUDA) AND NOT "${Kokkos_CXX_COMPILER_ID}" MATCHES "Clang")
    target_compile_options(${target} INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fmad=false>)
  endif()
endfunction()
