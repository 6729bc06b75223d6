// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks which mapping `automatic` selects, on a device with as many threads as an H200.
#include <sporos/core/replication/automatic_mapping.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/models/finance/asian_call.hpp>
#include <sporos/models/integration/pi.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/queues/mmck.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace automatic_mapping_tests {

using namespace sporos;

constexpr std::int64_t threads = 132 * 2048;

template <class Model>
Mapping mapping_of(std::int64_t rows, Mapping wanted = Mapping::automatic, bool on_host = false) {
  const WarpUse use{impl::runs_in_step<Model>, impl::draw_transform<Model>};
  return MappingChooser(on_host, threads, wanted, use).next(rows).mapping;
}

TEST(AutomaticMapping, TakesWarpsForFewRows) {
  EXPECT_EQ(mapping_of<models::Pi>(8448), Mapping::warp);
  EXPECT_EQ(mapping_of<models::Pi>(8449), Mapping::thread);
  EXPECT_EQ(mapping_of<models::MMCK>(10560), Mapping::warp);
  EXPECT_EQ(mapping_of<models::MMCK>(10561), Mapping::thread);
}

TEST(AutomaticMapping, KeepsThemLongerWhereDrawsAreTransformed) {
  EXPECT_EQ(mapping_of<models::MM1>(23232), Mapping::warp);
  EXPECT_EQ(mapping_of<models::MM1>(23233), Mapping::thread);
  EXPECT_EQ(mapping_of<models::AsianCall>(13728), Mapping::warp);
  EXPECT_EQ(mapping_of<models::AsianCall>(13729), Mapping::thread);
}

TEST(AutomaticMapping, KeepsThemForAnyNumberWhereDrawsAreMadeAhead) {
  const WarpUse use{.in_step = false, .buffers_draws = true};
  for (const std::int64_t rows : {1L, 4225L, 1L << 40}) {
    EXPECT_EQ(MappingChooser(false, threads, Mapping::automatic, use).next(rows).mapping, Mapping::warp);
    EXPECT_EQ(MappingChooser(true, 2, Mapping::automatic, use).next(rows).mapping, Mapping::thread);
  }
  EXPECT_FALSE(impl::buffers_draws_for(4224, threads, use));
  EXPECT_TRUE(impl::buffers_draws_for(4225, threads, use));
  EXPECT_FALSE(impl::buffers_draws_for(4225, threads, {.in_step = false}));
}

TEST(AutomaticMapping, KeepsWhatIsWantedAndTakesThreadsOnAHost) {
  EXPECT_EQ(mapping_of<models::MM1>(1000000, Mapping::warp), Mapping::warp);
  EXPECT_EQ(mapping_of<models::MM1>(1, Mapping::thread), Mapping::thread);
  EXPECT_EQ(mapping_of<models::MM1>(1, Mapping::automatic, true), Mapping::thread);
}

TEST(AutomaticMapping, CutsWorkOfSeveralProcessesIntoLaunchesThatFillADevice) {
  const auto least = [](std::int64_t rows) {
    return MappingChooser(false, threads, Mapping::automatic, {true}).min_rows(rows);
  };
  EXPECT_EQ(least(1), 1056);
  EXPECT_EQ(least(8448), 2112);
  EXPECT_EQ(least(std::int64_t{1} << 40), threads);
  EXPECT_EQ(MappingChooser(true, 2, Mapping::automatic, {true}).min_rows(std::int64_t{1} << 40), 2);
}

// On a device, a launch of replications of half a second takes half a second for any number of rows that run at once.
TEST(AutomaticMapping, LaunchesOfLongReplicationsKeepTheirSize) {
  const auto rows_after = [](bool on_host, Mapping mapping, int launches) {
    MappingChooser chooser(on_host, threads, mapping, {false});
    std::int64_t rows = chooser.next(1 << 20).rows;
    for (int launch = 0; launch < launches; ++launch) {
      chooser.record(mapping, rows, 0.5);
      rows = chooser.next(1 << 20).rows;
    }
    return rows;
  };
  EXPECT_EQ(rows_after(false, Mapping::thread, 10), threads / 4);
  EXPECT_EQ(rows_after(false, Mapping::warp, 10), threads / 128);
  EXPECT_LT(rows_after(true, Mapping::thread, 20), 10);  // control: a host runs few rows at once
}

TEST(AutomaticMapping, SharesAWarpAmongMoreRowsTheMoreThereAre) {
  int before = 1;
  for (const std::int64_t rows : {1, 1056, 1057, 2113, 4225, 23232}) {
    const int shared = impl::rows_of_a_warp(rows, threads, true);
    EXPECT_GE(shared, before);
    before = shared;
  }
  EXPECT_EQ(impl::rows_of_a_warp(1056, threads, true), 1);
  EXPECT_EQ(before, 8);
}

}  // namespace automatic_mapping_tests
