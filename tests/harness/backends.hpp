// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <tuple>

namespace sporos::test {

template <class Tuple>
struct TypesOf;
template <class... Spaces>
struct TypesOf<std::tuple<Spaces...>> {
  using type = ::testing::Types<Spaces...>;
};

/// Execution spaces of this build of Kokkos as a GoogleTest type list. If there is OpenMP, Serial is among them only
/// with SPOROS_TEST_SERIAL, as in test_same_bits. Usage:
/// `TYPED_TEST_SUITE(MyTest, sporos::test::Backends, sporos::test::BackendName);`.
/// Keep kernels out of test bodies, where nvcc rejects them: put them in function templates.
using Backends = typename TypesOf<decltype(std::tuple_cat(std::tuple<>()
#if defined(KOKKOS_ENABLE_SERIAL) && defined(SPOROS_TEST_SERIAL)
                                                              ,
                                                          std::tuple<Kokkos::Serial>()
#endif
#ifdef KOKKOS_ENABLE_OPENMP
                                                              ,
                                                          std::tuple<Kokkos::OpenMP>()
#endif
#ifdef KOKKOS_ENABLE_CUDA
                                                              ,
                                                          std::tuple<Kokkos::Cuda>()
#endif
#ifdef KOKKOS_ENABLE_HIP
                                                              ,
                                                          std::tuple<Kokkos::HIP>()
#endif
                                                              ))>::type;

/// Names the instances of a typed test by their backend.
struct BackendName {
  template <class Space>
  static std::string GetName(int) {
    return Space::name();
  }
};

}  // namespace sporos::test
