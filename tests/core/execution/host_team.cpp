// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of a team share all work, whatever their number.
#include <sporos/core/execution/host_team.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace host_team_tests {

using namespace sporos;

using Space = Kokkos::DefaultHostExecutionSpace;

// One of several threads, without the others.
struct Rank {
  int rank, size;

  int team_rank() const { return rank; }
  int team_size() const { return size; }
};

TEST(HostTeam, SharesEveryIndexOnce) {
  for (const std::int64_t count : {0, 1, 7, 64, 65, 1000}) {
    for (const std::int64_t unit : {1, 8, 64}) {
      for (const int size : {1, 2, 3, 16}) {
        std::int64_t next = 0;
        for (int rank = 0; rank < size; ++rank) {
          const ThreadShare own = thread_share(Rank{rank, size}, count, unit);
          EXPECT_EQ(own.begin, next);
          EXPECT_TRUE(own.end == count || own.end % unit == 0) << own.end << " of " << count << " in units of " << unit;
          next = own.end;
        }
        EXPECT_EQ(next, count);
      }
    }
  }
}

TEST(HostTeam, HasOneThreadForLittleWork) {
  const Space space;
  EXPECT_EQ(HostTeam::max_threads(space, {100, 1'000'000, 8}), 1);
  EXPECT_EQ(HostTeam::max_threads(space, {1e9, 1, 1}), 1);
  EXPECT_EQ(HostTeam::max_threads(space, {1e9, 1, 2}), space.concurrency() > 1 ? 2 : 1);
}

// Every thread adds the numbers that another thread has written before a barrier.
TEST(HostTeam, GivesTheSameResultsWithAnyNumberOfThreads) {
  constexpr std::int64_t count = 1000;
  HostTeam team;
  std::vector<std::int64_t> sizes;
  for (int kernel = 0; kernel < 10; ++kernel) {
    std::vector<std::int64_t> values(count), sums(count);
    std::int64_t *const value = values.data(), *const sum = sums.data();
    int size = 0;
    team.for_each_thread("host_team_tests::add", Space(), {1e9, 1, 16}, [=, &size](const auto& member) {
      const ThreadShare own = thread_share(member, count);
      for (std::int64_t i = own.begin; i < own.end; ++i) value[i] = i;
      member.team_barrier();
      for (std::int64_t i = own.begin; i < own.end; ++i) sum[i] = value[i] + value[count - 1 - i];
      if (member.team_rank() == 0) size = member.team_size();
    });
    EXPECT_EQ(sums, std::vector<std::int64_t>(count, count - 1));
    sizes.push_back(size);
  }
  EXPECT_EQ(sizes[0], 1);
  EXPECT_EQ(sizes[1], HostTeam::max_threads(Space(), {1e9, 1, 16}));
}

}  // namespace host_team_tests
