// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recorded launches have the effect of the same launches one by one, in their order, each time that they run.
#include <harness/backends.hpp>

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/recorded_launches.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <stdexcept>

namespace recorded_launches_tests {

using namespace sporos;

template <class Space>
struct Affine {
  Kokkos::View<std::uint64_t*, Space> numbers;
  std::uint64_t factor, addend;

  KOKKOS_FUNCTION void operator()(int i) const { numbers(i) = factor * numbers(i) + addend; }
};

constexpr int size = 100;

template <class Space>
struct RecordedLaunchesOn : testing::Test {
  Space space;
  Kokkos::View<std::uint64_t*, Space> numbers{"sporos::test::numbers", size};

  void launch(std::uint64_t factor, std::uint64_t addend) const {
    Kokkos::parallel_for("sporos::test::affine", Kokkos::RangePolicy<Space>(space, 0, size),
                         Affine<Space>{numbers, factor, addend});
  }
  // The value of all numbers, which must be equal.
  std::uint64_t number() const {
    space.fence();
    check_launches<Space>();
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), numbers);
    for (int i = 1; i < size; ++i) EXPECT_EQ(host(i), host(0)) << i;
    return host(0);
  }
};
TYPED_TEST_SUITE(RecordedLaunchesOn, test::Backends, test::BackendName);

TYPED_TEST(RecordedLaunchesOn, RunInTheirOrderAsOftenAsTheyAreRun) {
  const auto both = [this] {
    this->launch(3, 1);
    this->launch(5, 2);
  };
  both();
  std::uint64_t expected = 7;
  ASSERT_EQ(this->number(), expected);
  const RecordedLaunches<TypeParam> recorded(this->space, both);
  ASSERT_EQ(this->number(), expected) << "recording runs nothing";
  for (int i = 0; i < 10; ++i) {
    recorded.run();
    expected = 5 * (3 * expected + 1) + 2;
  }
  EXPECT_EQ(this->number(), expected);
  EXPECT_NE(expected, 15 * 7u) << "the order shows";
}

TYPED_TEST(RecordedLaunchesOn, LeaveTheStreamUsableWhereTheFunctionThrows) {
  this->launch(1, 1);
  const auto throws = [this] {
    this->launch(1, 1);
    throw std::invalid_argument("no");
  };
  if (!runs_on_host<TypeParam>) {
    EXPECT_THROW(RecordedLaunches<TypeParam>(this->space, throws), std::invalid_argument);
  }
  this->launch(1, 1);
  EXPECT_EQ(this->number(), 2u);
}

}  // namespace recorded_launches_tests
