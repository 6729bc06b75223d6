// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handle in a kernel reads and writes the elements of a View with any strides.
#include <harness/backends.hpp>

#include <sporos/core/execution/app_view.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace app_view_tests {

using namespace sporos;

// Writes the row and column of each element as its value.
template <class Handle>
struct NumberElements {
  Handle handle;
  KOKKOS_FUNCTION void operator()(const int row) const {
    for (std::int64_t column = 0; column < handle.extent(1); ++column) {
      handle(row, column) = 10.0 * row + static_cast<double>(column);
    }
  }
};

template <class Space>
struct AppViewOn : testing::Test {};
TYPED_TEST_SUITE(AppViewOn, test::Backends, test::BackendName);

template <class Space, class Layout>
void expect_numbered() {
  const Kokkos::View<double**, Layout, typename Space::memory_space> whole("sporos::test::whole", 4, 5);
  const auto part = Kokkos::subview(whole, Kokkos::make_pair(1, 4), Kokkos::make_pair(2, 5));
  const NumberElements<AppView<double, 2>> number{part};
  static_assert(std::is_trivially_copyable_v<AppView<double, 2>>);
  ASSERT_EQ(number.handle.extent(0), 3);
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 3), number);
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), whole);
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 5; ++column) {
      const double expected = row >= 1 && column >= 2 ? 10 * (row - 1) + column - 2 : 0;
      EXPECT_EQ(found(row, column), expected) << "at " << row << ", " << column;
    }
  }
}

TYPED_TEST(AppViewOn, ReachesTheElementsOfAPartOfAView) {
  expect_numbered<TypeParam, Kokkos::LayoutLeft>();
  expect_numbered<TypeParam, Kokkos::LayoutRight>();
}

TYPED_TEST(AppViewOn, OfConstantElementsIsMadeOfAViewOfVariables) {
  const Kokkos::View<double*, typename TypeParam::memory_space> view("sporos::test::view", 3);
  const AppView<const double, 1> handle = view;
  EXPECT_EQ(handle.extent(0), 3);
  static_assert(std::is_same_v<decltype(AppView(view)), AppView<double, 1>>);
  static_assert(std::is_same_v<decltype(handle(0)), const double&>);
}

}  // namespace app_view_tests
