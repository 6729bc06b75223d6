// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements do not change when they are copied to a view and back. Views with gaps and views of other sizes are refused.
#include <harness/backends.hpp>

#include <sporos/core/execution/copy_elements.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

namespace copy_elements_tests {

using namespace sporos;

struct Pair {
  std::int64_t first;
  double second;
  bool operator==(const Pair&) const = default;
};

template <class Space>
struct CopyElementsOn : testing::Test {};
TYPED_TEST_SUITE(CopyElementsOn, test::Backends, test::BackendName);

TYPED_TEST(CopyElementsOn, FromVectorsAndBack) {
  const std::vector<Pair> sent = {{1, 0.5}, {-2, 1e300}, {3, -0.0}};
  const Kokkos::View<Pair*, typename TypeParam::memory_space> view("sporos::test::pairs", sent.size());
  copy_elements(view, sent);
  std::vector<Pair> found(sent.size());
  copy_elements(found, view);
  EXPECT_EQ(found, sent);
}

TYPED_TEST(CopyElementsOn, ByWayOfASpace) {
  const TypeParam space;
  const std::vector<float> sent = {1, 2, 3, 4};
  const Kokkos::View<float*, typename TypeParam::memory_space> view("sporos::test::numbers", 4);
  const Kokkos::View<float*, typename TypeParam::memory_space> other("sporos::test::others", 4);
  copy_elements(space, view, sent);
  copy_elements(space, other, view);
  std::vector<float> found(6, -1);
  copy_elements(space, std::span(found.data() + 1, 4), other);
  space.fence();
  EXPECT_EQ(found, (std::vector<float>{-1, 1, 2, 3, 4, -1}));
}

TYPED_TEST(CopyElementsOn, OfAnyRank) {
  const Kokkos::View<int**, Kokkos::LayoutLeft, typename TypeParam::memory_space> table("sporos::test::table", 3, 5);
  const auto host = Kokkos::create_mirror(table), found = Kokkos::create_mirror(table);
  std::iota(host.data(), host.data() + host.span(), 7);
  copy_elements(table, host);
  copy_elements(found, table);
  EXPECT_TRUE(std::equal(host.data(), host.data() + host.span(), found.data()));
}

TYPED_TEST(CopyElementsOn, OfTheFirst) {
  const std::vector<int> sent = {5, 6};
  const Kokkos::View<int*, typename TypeParam::memory_space> view("sporos::test::numbers", 4);
  copy_elements(first_elements(view, 2), sent);
  std::vector<int> found(4);
  copy_elements(found, view);
  EXPECT_EQ(found, (std::vector<int>{5, 6, 0, 0}));
}

TYPED_TEST(CopyElementsOn, RefusesGapsAndOtherSizes) {
  const Kokkos::View<int**, Kokkos::LayoutLeft, typename TypeParam::memory_space> table("sporos::test::table", 3, 5);
  std::vector<int> row(5), short_row(4);
  EXPECT_THROW(copy_elements(row, Kokkos::subview(table, 1, Kokkos::ALL)), std::logic_error);
  EXPECT_NO_THROW(copy_elements(std::span(row.data(), 3), Kokkos::subview(table, Kokkos::ALL, 1)));
  const Kokkos::View<int*, typename TypeParam::memory_space> five("sporos::test::five", 5);
  EXPECT_THROW(copy_elements(short_row, five), std::runtime_error);
}

}  // namespace copy_elements_tests
