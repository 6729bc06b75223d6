// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that calls on vectors run on the given instance, and that calls on the default instance would be detected.
#include <harness/backends.hpp>
#include <harness/own_instance.hpp>

#include <sporos/core/linear_algebra/ordered_sum.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace sporos::test {
namespace vectors_tests {

template <class Space>
Vector<Space> written(const Space& space, double factor) {
  const Vector<Space> x("test::x", 100'000);
  Kokkos::fence();
  Kokkos::parallel_for(
      "test::write", Kokkos::RangePolicy<Space>(space, 0, x.extent_int(0)),
      KOKKOS_LAMBDA(std::int64_t i) { x(i) = factor / static_cast<double>(i + 1); });
  return x;
}

// Each call is the first to read what a kernel writes.
struct NumbersOfVectors {
  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    std::vector<double> found;
    found.push_back(norm<Space>(space, written(space, 1)));
    found.push_back(sum_of_magnitudes<Space>(space, written(space, -2)));
    found.push_back(largest_magnitude<Space>(space, written(space, -3)));
    found.push_back(ordered_sum<Space>(space, written(space, 4)));
    found.push_back(value_at<Space>(space, written(space, 5), 6));
    const auto x = written(space, 7);
    found.push_back(dot<Space>(space, x, written(space, 8)));
    return found;
  }
};

struct ChangedVectors {
  template <class Space>
  std::vector<double> operator()(const Space& space) const {
    const auto x = written(space, 1), y = written(space, 2);
    set_scaled<Space>(space, y, 3, x);
    set_moved<Space>(space, x, y, 2, x);
    const auto z = to_device<Space>(space, to_host<Space>(space, x));
    add_scaled<Space>(space, 1, z, 0.5, x);
    return to_host<Space>(space, x);
  }
};

template <class Space>
class VectorsOnOwnInstance : public ::testing::Test {};
TYPED_TEST_SUITE(VectorsOnOwnInstance, Backends, BackendName);

TYPED_TEST(VectorsOnOwnInstance, GiveTheirNumbers) { expect_same_on_own_instance<TypeParam>(NumbersOfVectors{}); }

TYPED_TEST(VectorsOnOwnInstance, AreChangedInOrder) { expect_same_on_own_instance<TypeParam>(ChangedVectors{}); }

// The control: if the product were computed on the default instance, these tests would fail.
TYPED_TEST(VectorsOnOwnInstance, AreFoundOutOnTheDefaultOne) {
  if (runs_on_host<TypeParam>) GTEST_SKIP() << "a host's BLAS computes on the calling thread, whatever the instance";
  const auto own = own_instance<TypeParam>();
  const auto y = written(own, 1);
  const double expected = dot<TypeParam>(own, y, y);
  const Lateness<TypeParam> lateness(own, Late::own);
  const auto x = written(own, 1);
  EXPECT_NE(dot<TypeParam>(TypeParam(), x, x), expected);
}

}  // namespace vectors_tests
}  // namespace sporos::test
