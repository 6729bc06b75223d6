// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks launches of replications with a user's body: which replications a body gets, with which inputs, how often it
// may write, and which sums it can form.
#include <harness/backends.hpp>

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/replicate.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace for_each_replication_tests {

using namespace sporos;

// Random walk of `steps` steps in two directions.
struct Walk {
  std::int64_t steps;

  enum Input { direction, length, input_count };
  static constexpr auto response_names = std::array{"place"};
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 2> input_draws() const { return {{{steps}, {steps}}}; }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    double place = 0;
    for (std::int64_t i = 0; i < steps; ++i) {
      const double step = exponential(inputs(length), 1.0);
      place += inputs(direction) < 0.5 ? step : -step;
    }
    return {{place}};
  }
};

template <class Space>
using Table = Kokkos::View<double**, typename Space::memory_space>;
template <class Space>
using Counts = Kokkos::View<std::int64_t**, typename Space::memory_space>;

using Rows = std::vector<std::vector<double>>;

template <class View>
Rows on_host(const View& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  Rows rows(host.extent(0));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < host.extent(1); ++j) rows[i].push_back(host(i, j));
  }
  return rows;
}

const std::vector<DesignPoint<Walk>> points = {{{3}, 11}, {{40}, 12}, {{17}, 11}};
constexpr ReplicationRange from_the_middle{1001, 130};

template <class Space>
PreparedSource<Space> ready(const UniformSource& source) {
  const std::vector<Walk> models = {{3}, {40}, {17}};
  return prepared_source<Space>(source, std::span(models));
}

std::vector<UniformSource> sources() {
  std::vector<UniformSource> all(3);
  all[1].engine = Engine::taus88;
  all[2].sampling = Sampling::sobol;
  all[2].run_length = 20;
  return all;
}

template <class Space>
Rows replicated(const UniformSource& source, const ReplicationRange& range) {
  const auto rows = static_cast<std::int64_t>(points.size()) * range.count;
  const Outputs<Space> outputs("outputs", static_cast<std::size_t>(rows), 1);
  replicate(Space(), Design<Walk, Space>(points), ready<Space>(source), range, Mapping::thread, outputs);
  return on_host(outputs);
}

// Records a row for each replication: its index and design point, how often it was written, and where the walk ended.
template <class Space>
struct Record {
  Table<Space> rows;

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Walk& walk, Inputs& inputs, const Replication& replication) const {
    const double place = walk(inputs)[0];
    if (!replication.writes) return;
    rows(replication.row, 0) = static_cast<double>(replication.index);
    rows(replication.row, 1) = static_cast<double>(replication.point);
    Kokkos::atomic_add(&rows(replication.row, 2), 1.0);
    rows(replication.row, 3) = place;
  }
};

template <class Space, class MappingChoice>
Rows recorded(const UniformSource& source, const ReplicationRange& range, const MappingChoice& mapping) {
  const auto rows = static_cast<std::int64_t>(points.size()) * range.count;
  const Record<Space> record{Table<Space>("rows", static_cast<std::size_t>(rows), 4)};
  for_each_replication("sporos::test::record", Space(), Design<Walk, Space>(points), ready<Space>(source), range,
                       mapping, record);
  Space().fence();
  return on_host(record.rows);
}

template <class Space>
class ForEachReplication : public ::testing::Test {};
TYPED_TEST_SUITE(ForEachReplication, test::Backends, test::BackendName);

TYPED_TEST(ForEachReplication, ShowsEachReplicationOnceWithTheInputsOfReplicate) {
  for (const UniformSource& source : sources()) {
    const Rows expected = replicated<TypeParam>(source, from_the_middle);
    for (const Rows& rows : {recorded<TypeParam>(source, from_the_middle, Mapping::thread),
                             recorded<TypeParam>(source, from_the_middle, Mapping::warp),
                             recorded<TypeParam>(source, from_the_middle, Mapping::automatic),
                             recorded<TypeParam>(source, from_the_middle, by_threads)}) {
      ASSERT_EQ(rows.size(), 390u);
      for (std::size_t row = 0; row < rows.size(); ++row) {
        EXPECT_EQ(rows[row], (std::vector<double>{1001.0 + row % 130, 1.0 * (row / 130), 1, expected[row][0]}))
            << name_of(source.engine) << ", " << name_of(source.sampling) << ", row " << row;
      }
    }
  }
  EXPECT_NE(replicated<TypeParam>(sources()[0], {1000, 130}), replicated<TypeParam>(sources()[0], from_the_middle));
}

TYPED_TEST(ForEachReplication, OfNoneCallsNoBody) {
  for (const UniformSource& source : sources()) {
    EXPECT_TRUE(recorded<TypeParam>(source, {5, 0}, Mapping::thread).empty());
    EXPECT_TRUE(recorded<TypeParam>(source, {5, 0}, Mapping::warp).empty());
  }
}

// A type that is replicated although it is no model: it has inputs, but neither responses nor a call.
struct Coin {
  enum Input { side, input_count };
};

template <class Space>
struct FirstUniforms {
  Table<Space> rows;

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Coin&, Inputs& inputs, const Replication& replication) const {
    const double uniform = inputs(Coin::side);
    if (replication.writes) rows(replication.row, 0) = uniform;
  }
};

template <class Source, class Space>
Rows first_uniforms(Mapping mapping) {
  const FirstUniforms<Space> body{Table<Space>("rows", 50, 1)};
  for_each_replication_with<Source>("sporos::test::uniforms", Space(), Design<Coin, Space>(Coin(), 42), {}, {7, 50},
                                    mapping, body);
  Space().fence();
  return on_host(body.rows);
}

TYPED_TEST(ForEachReplication, DrawsFromTheStreamsOfSeedAndIndex) {
  for (const auto mapping : {Mapping::thread, Mapping::warp}) {
    const Rows uniforms = first_uniforms<DefaultSource, TypeParam>(mapping);
    for (std::uint64_t i = 0; i < 50; ++i) {
      EXPECT_EQ(uniforms[i][0], open_uniform(Philox4x32::block(Stream{42, 7 + i, 0}, 0)[0]));
    }
  }
}

struct SameDraws {
  static constexpr int draws_per_block = 1;
  KOKKOS_FUNCTION static Kokkos::Array<std::uint64_t, 1> block(const Stream&, std::uint64_t) {
    return {{std::uint64_t{1} << 62}};
  }
};

TYPED_TEST(ForEachReplication, TakesAnEngineOfTheCaller) {
  for (const auto& row : first_uniforms<EngineSource<SameDraws>, TypeParam>(Mapping::thread)) {
    EXPECT_EQ(row[0], open_uniform(std::uint64_t{1} << 62));
  }
}

// Counts how many walks end in each unit of length. No walk is stored.
template <class Space>
struct Histogram {
  Counts<Space> counts;  // by design point and unit

  KOKKOS_FUNCTION static int unit_of(double place) {
    return place <= -10 ? 0 : place >= 10 ? 21 : static_cast<int>(place + 11);
  }

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Walk& walk, Inputs& inputs, const Replication& replication) const {
    const double place = walk(inputs)[0];
    if (replication.writes) Kokkos::atomic_add(&counts(replication.point, unit_of(place)), std::int64_t{1});
  }
};

template <class Space>
Rows histogram(const UniformSource& source, const ReplicationRange& range, Mapping mapping) {
  const Histogram<Space> body{Counts<Space>("counts", points.size(), 22)};
  for_each_replication("sporos::test::histogram", Space(), Design<Walk, Space>(points), ready<Space>(source), range,
                       mapping, body);
  Space().fence();
  return on_host(body.counts);
}

TYPED_TEST(ForEachReplication, LetsABodyCount) {
  for (const UniformSource& source : sources()) {
    const Rows outputs = replicated<TypeParam>(source, from_the_middle);
    Rows expected(points.size(), std::vector<double>(22));
    for (std::size_t row = 0; row < outputs.size(); ++row) {
      ++expected[row / 130][Histogram<TypeParam>::unit_of(outputs[row][0])];
    }
    EXPECT_EQ(histogram<TypeParam>(source, from_the_middle, Mapping::thread), expected);
    EXPECT_EQ(histogram<TypeParam>(source, from_the_middle, Mapping::warp), expected);
    EXPECT_NE(histogram<TypeParam>(source, {0, 130}, Mapping::thread), expected) << "control: other replications";
  }
}

// Sums up chunks of replications without atomics.
template <class Space>
struct ChunkSums {
  std::int64_t first, length;
  Table<Space> sums;  // by design point and chunk

  KOKKOS_FUNCTION std::int64_t chunk() const { return length; }

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Walk& walk, Inputs& inputs, const Replication& replication) const {
    const double place = walk(inputs)[0];
    if (replication.writes) sums(replication.point, (replication.index - first) / length) += place;
  }
};

template <class Space>
Rows chunk_sums(const UniformSource& source, const ReplicationRange& range, std::int64_t length, Mapping mapping) {
  const std::int64_t chunks = (range.count + length - 1) / length;
  const ChunkSums<Space> body{range.first, length,
                              Table<Space>("sums", points.size(), static_cast<std::size_t>(chunks))};
  for_each_replication("sporos::test::chunk_sums", Space(), Design<Walk, Space>(points), ready<Space>(source), range,
                       mapping, body);
  Space().fence();
  return on_host(body.sums);
}

// Sums of chunks of rows, added in the order of the rows or from the last to the first.
Rows summed(Rows outputs, std::int64_t length, bool backwards) {
  const std::int64_t count = from_the_middle.count;
  Rows sums;
  for (std::size_t point = 0; point < points.size(); ++point) {
    sums.push_back(std::vector<double>(static_cast<std::size_t>((count + length - 1) / length)));
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t place = backwards ? count - 1 - i : i;
      sums.back()[static_cast<std::size_t>(place / length)] += outputs[point * count + place][0];
    }
  }
  return sums;
}

TYPED_TEST(ForEachReplication, RunsChunksInTheirOrder) {
  for (const UniformSource& source : sources()) {
    const Rows outputs = replicated<TypeParam>(source, from_the_middle);
    for (const std::int64_t length : {1, 32, 65, 130, 1000}) {
      const Rows expected = summed(outputs, length, false);
      EXPECT_EQ(chunk_sums<TypeParam>(source, from_the_middle, length, Mapping::thread), expected) << length;
      EXPECT_EQ(chunk_sums<TypeParam>(source, from_the_middle, length, Mapping::warp), expected) << length;
      if (length == 1) continue;
      EXPECT_NE(summed(outputs, length, true), expected) << "control: the order shows";
    }
    EXPECT_TRUE(chunk_sums<TypeParam>(source, {5, 0}, 32, Mapping::thread)[0].empty());
  }
}

// Draws once more than the walk states.
template <class Space>
struct OneTooMany {
  Table<Space> last;

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Walk& walk, Inputs& inputs, const Replication& replication) const {
    walk(inputs);
    const double uniform = inputs(Walk::length);
    if (replication.writes) last(replication.row, 0) = uniform;
  }
};

template <class Space>
void draw_one_too_many(const UniformSource& source, Mapping mapping) {
  const auto prepared = ready<Space>(source);
  for_each_replication("sporos::test::draws", Space(), Design<Walk, Space>(points), prepared, {0, 16}, mapping,
                       OneTooMany<Space>{Table<Space>("last", 48, 1)});
  check_draws(Space(), prepared, std::span<const DesignPoint<Walk>>(points));
}

TYPED_TEST(ForEachReplication, DrawsThatAreNotStatedAreTold) {
  UniformSource source;
  source.sampling = Sampling::latin_hypercube;
  source.run_length = 16;
  EXPECT_THROW(draw_one_too_many<TypeParam>(source, Mapping::thread), std::runtime_error);
  EXPECT_THROW(draw_one_too_many<TypeParam>(source, Mapping::warp), std::runtime_error);
  EXPECT_NO_THROW(draw_one_too_many<TypeParam>({}, Mapping::thread)) << "control: independent draws";
}

}  // namespace for_each_replication_tests
