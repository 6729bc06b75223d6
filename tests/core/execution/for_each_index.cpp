// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A body is called once for each index, on any thread. Small work on a host stays on the calling thread.
#include <harness/backends.hpp>

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_index.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <set>
#include <thread>
#include <vector>

namespace for_each_index_tests {

using namespace sporos;

constexpr double short_time = 0, long_time = 1e9;  // nanoseconds that for_each_index assumes for a call

template <class Space>
struct Counter {
  Kokkos::View<int*, Space> counts;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { counts(i) += static_cast<int>(i) + 1; }
};

template <class Space>
struct ForEachIndexOn : testing::Test {};
TYPED_TEST_SUITE(ForEachIndexOn, test::Backends, test::BackendName);

TYPED_TEST(ForEachIndexOn, CallsOnceForEachIndex) {
  const TypeParam space;
  for (const int count : {0, 1, 2, 7, 1000, 100'000}) {
    for (const double nanoseconds : {short_time, long_time}) {
      const Kokkos::View<int*, TypeParam> counts("sporos::test::counts", count + 1);
      for_each_index("sporos::test::count", space, count, nanoseconds, Counter<TypeParam>{counts});
      for_each_index<Kokkos::Schedule<Kokkos::Dynamic>>("sporos::test::count", space, count, nanoseconds,
                                                        Counter<TypeParam>{counts});
      space.fence();
      check_launches<TypeParam>();
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
      int wrong = host(count) != 0 ? 1 : 0;
      for (int i = 0; i < count; ++i) wrong += host(i) != 2 * (i + 1) ? 1 : 0;
      EXPECT_EQ(wrong, 0) << "of " << count;
    }
  }
}

// Threads that call a body, for as many calls as there are threads.
template <class Space>
std::set<std::thread::id> callers(double nanoseconds) {
  const Space space;
  std::vector<std::thread::id> found(static_cast<std::size_t>(space.concurrency()));
  for_each_index("sporos::test::callers", space, space.concurrency(), nanoseconds,
                 [&](std::int64_t i) { found[static_cast<std::size_t>(i)] = std::this_thread::get_id(); });
  return {found.begin(), found.end()};
}

// Negative control: long work is divided among the threads.
TYPED_TEST(ForEachIndexOn, SmallWorkStaysWithTheCaller) {
  if constexpr (runs_on_host<TypeParam>) {
#ifdef KOKKOS_ENABLE_SERIAL  // Serial runs the small work
    EXPECT_EQ(callers<TypeParam>(short_time), std::set{std::this_thread::get_id()});
#endif
    EXPECT_EQ(callers<TypeParam>(long_time).size(), static_cast<std::size_t>(TypeParam().concurrency()));
  }
}

}  // namespace for_each_index_tests
