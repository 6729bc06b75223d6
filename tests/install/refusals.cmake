# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -P refusals.cmake: checks the messages about compilers, Kokkos, Kokkos Kernels and versions of fmt that are refused.
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/SporosCompilers.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/SporosFind.cmake)

# expect(WHAT SAID SENTENCE): SENTENCE is a regular expression, or empty if no message is expected.
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
expect_of_compiler(IntelLLVM 2023.0 "")  # has no minimum version

function(expect_of_kokkos Kokkos_VERSION sentence)
  set(Kokkos_DIR /opt/kokkos)
  sporos_refuse_old_kokkos(said)
  expect("Kokkos ${Kokkos_VERSION}" "${said}" "${sentence}")
endfunction()

expect_of_kokkos(3.3.01 "Sporos: Kokkos is 3.3.01 ./opt/kokkos., expected 3.4 or newer; name the folder of one in Kokkos_ROOT")
expect_of_kokkos(3.4.01 "")
expect_of_kokkos(5.0.0 "")
expect_of_kokkos("" "")  # Kokkos as a subproject

function(expect_of_kokkos_kernels kokkos kernels device sentence)
  sporos_refuse_kokkos_kernels(said "${kokkos}" "${kernels}" ${device})
  expect("Kokkos ${kokkos} on ${device} with Kokkos Kernels ${kernels}" "${said}" "${sentence}")
endfunction()

expect_of_kokkos_kernels(3.4.01 3.4.01 "" "")
expect_of_kokkos_kernels(4.6.1 4.6.01 CUDA "")
expect_of_kokkos_kernels(5.0.0 5.0.0 HIP "")
expect_of_kokkos_kernels(4.6.1 "" "" "Sporos: there is no Kokkos Kernels for Kokkos 4.6.1; install Kokkos Kernels 4.6 for it, \
and let KokkosKernels_ROOT name its folder")
expect_of_kokkos_kernels(4.6.1 3.4.01 "" "Sporos: Kokkos Kernels is 3.4.01 and Kokkos 4.6.1; install Kokkos Kernels 4.6 for it, \
and let KokkosKernels_ROOT name its folder")
expect_of_kokkos_kernels(4.0.1 4.0.1 CUDA "Sporos: Kokkos Kernels 4.0.1 runs on hosts only; for CUDA install Kokkos and Kokkos \
Kernels 4.1 or newer")

function(expect_of_fmt built_with fmt_VERSION sentence)
  sporos_refuse_other_fmt(said "${built_with}")
  expect("built with fmt ${built_with}, ${fmt_VERSION} at hand" "${said}" "${sentence}")
endfunction()

expect_of_fmt(9.1.0 10.1.1 "Sporos: its libraries were built with fmt 9.1.0 and cannot be linked with fmt 10.1.1; \
install fmt 9, or build Sporos with fmt 10")
expect_of_fmt(9.1.0 9.0.0 "")
expect_of_fmt(9.1.0 "" "")
expect_of_fmt("" 10.1.1 "")
