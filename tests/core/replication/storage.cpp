// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models whose replications need memory of a size known at run time have the bits of models with fixed arrays.
#include <harness/backends.hpp>
#include <harness/memory_limit.hpp>

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/replication/conditional.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/pathwise.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/replication/with_controls.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace storage_tests {

using namespace sporos;

constexpr std::int64_t most_steps = 40;

// Random walk that keeps its path, sorted by places. Returns the median place.
template <class Inputs, class Path>
KOKKOS_FUNCTION double median_of_walk(Inputs& inputs, std::int64_t steps, Path& path) {
  double place = 0;
  for (std::int64_t count = 0; count < steps; ++count) {
    place += inputs(0) - 0.5;
    std::int64_t i = count;
    for (; i > 0 && path[i - 1] > place; --i) path[i] = path[i - 1];
    path[i] = place;
  }
  return path[steps / 2];
}

// Walk whose path has a fixed size.
struct FixedWalk {
  std::int64_t steps;

  enum Input { step, input_count };
  static constexpr auto response_names = std::array{"median"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    double path[most_steps];
    return {{median_of_walk(inputs, steps, path)}};
  }
};

// Walk whose path has room for `room` steps.
struct StoredWalk {
  std::int64_t steps;
  std::int64_t room = steps;

  enum Input { step, input_count };
  static constexpr auto response_names = std::array{"median"};

  std::int64_t storage_bytes() const {
    ReplicationStorage measured;
    measured.take<double>(room);
    return measured.bytes();
  }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    ReplicationStorage memory = inputs.storage();
    StoredArray<double> path = memory.take<double>(room);
    return {{median_of_walk(inputs, steps, path)}};
  }
};

// This walk is the same, but its path is stored in scratch memory, or in ordinary memory if scratch memory is too
// small.
struct ScratchWalk {
  std::int64_t steps;
  std::int64_t room = steps;

  enum Input { step, input_count };
  static constexpr auto response_names = std::array{"median"};

  std::int64_t storage_bytes() const { return StoredWalk{steps, room}.storage_bytes(); }
  std::int64_t scratch_bytes() const {
    ReplicationStorage measured;
    take_path(measured);
    return measured.scratch_bytes();
  }

  KOKKOS_FUNCTION ScratchArray<double> take_path(ReplicationStorage& memory) const {
    return memory.in_scratch(memory.take<double>(room), room);
  }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    ReplicationStorage memory = inputs.storage();
    ScratchArray<double> path = take_path(memory);
    return {{median_of_walk(inputs, steps, path)}};
  }
};

// Design points with walks of different lengths.
template <class Walk>
std::vector<DesignPoint<Walk>> walks() {
  return {{{3}, 11}, {{most_steps}, 12}, {{17}, 11}};
}

template <class Space>
std::int64_t workers() {
  return runs_on_host<Space> ? Space().concurrency() : Space().concurrency() / 4;
}

// Number of replications of a design point, so that all points together have several for each worker.
template <class Space>
std::int64_t many() {
  return 100 + workers<Space>();
}

template <class View>
std::vector<double> on_host(const View& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return {host.data(), host.data() + host.size()};
}

template <class Model, class Space, class MappingChoice>
std::vector<double> outputs_of(const std::vector<DesignPoint<Model>>& points, const MappingChoice& mapping,
                               std::int64_t first = 7, std::int64_t count = many<Space>()) {
  const Design<Model, Space> design{std::span(points)};
  const Outputs<Space> outputs("outputs", points.size() * static_cast<std::size_t>(count), 1);
  replicate(Space(), design, {}, {first, count}, mapping, outputs);
  Space().fence();
  return on_host(outputs);
}

template <class Space>
class Storage : public ::testing::Test {};
TYPED_TEST_SUITE(Storage, test::Backends, test::BackendName);

TYPED_TEST(Storage, HasTheBitsOfAFixedArray) {
  const auto expected = outputs_of<FixedWalk, TypeParam>(walks<FixedWalk>(), Mapping::thread);
  const auto points = walks<StoredWalk>();
  EXPECT_EQ((outputs_of<StoredWalk, TypeParam>(points, Mapping::thread)), expected);
  EXPECT_EQ((outputs_of<StoredWalk, TypeParam>(points, Mapping::warp)), expected);
  EXPECT_EQ((outputs_of<StoredWalk, TypeParam>(points, by_threads)), expected);
  EXPECT_EQ((outputs_of<StoredWalk, TypeParam>(points, by_one_lane)), expected);
  EXPECT_NE((outputs_of<StoredWalk, TypeParam>(points, Mapping::thread, 8)), expected) << "control";
  for (const auto& point : points) {
    const auto alone = outputs_of<StoredWalk, TypeParam>({point}, Mapping::warp);
    EXPECT_EQ(alone, (outputs_of<FixedWalk, TypeParam>({{{point.model.steps}, point.seed}}, Mapping::thread)));
  }
}

// A point of 80 steps has no room for its path in scratch memory; others do.
TYPED_TEST(Storage, HasTheSameBitsInScratchMemory) {
  static_assert(ReplicationStorage::max_scratch_bytes < 80 * 8);
  const auto points = walks<ScratchWalk>();
  const Design<ScratchWalk, TypeParam> design{std::span(points)};
  EXPECT_EQ(design.memory().scratch, most_steps * 8);
  const auto expected = outputs_of<StoredWalk, TypeParam>(walks<StoredWalk>(), Mapping::thread);
  EXPECT_EQ((outputs_of<ScratchWalk, TypeParam>(points, Mapping::thread)), expected);
  EXPECT_EQ((outputs_of<ScratchWalk, TypeParam>(points, Mapping::warp)), expected);
  EXPECT_NE((outputs_of<ScratchWalk, TypeParam>(points, Mapping::thread, 8)), expected) << "control";
  EXPECT_EQ((outputs_of<ScratchWalk, TypeParam>({{{3}, 11}, {{80}, 12}}, Mapping::thread)),
            (outputs_of<StoredWalk, TypeParam>({{{3}, 11}, {{80}, 12}}, Mapping::thread)));
}

template <class Space>
using Table = Kokkos::View<double**, typename Space::memory_space>;

// Sums up chunks of replications.
template <class Space>
struct ChunkSums {
  std::int64_t first, length;
  Table<Space> sums;  // by design point and chunk

  KOKKOS_FUNCTION std::int64_t chunk() const { return length; }

  template <class Walk, class Inputs>
  KOKKOS_FUNCTION void operator()(const Walk& walk, Inputs& inputs, const Replication& replication) const {
    const double median = walk(inputs)[0];
    if (replication.writes) sums(replication.point, (replication.index - first) / length) += median;
  }
};

template <class Model, class Space>
std::vector<double> chunk_sums(std::int64_t length, Mapping mapping, std::int64_t first = 7) {
  const auto points = walks<Model>();
  const std::int64_t count = many<Space>(), chunks = (count + length - 1) / length;
  const ChunkSums<Space> body{first, length, Table<Space>("sums", points.size(), static_cast<std::size_t>(chunks))};
  for_each_replication("sporos::test::chunk_sums", Space(), Design<Model, Space>{std::span(points)}, {}, {first, count},
                       mapping, body);
  Space().fence();
  return on_host(body.sums);
}

TYPED_TEST(Storage, HasTheBitsOfAFixedArrayInChunks) {
  for (const std::int64_t length : {1, 32, 65, 1'000'000}) {
    const auto expected = chunk_sums<FixedWalk, TypeParam>(length, Mapping::thread);
    EXPECT_EQ((chunk_sums<StoredWalk, TypeParam>(length, Mapping::thread)), expected) << length;
    EXPECT_EQ((chunk_sums<StoredWalk, TypeParam>(length, Mapping::warp)), expected) << length;
    EXPECT_NE((chunk_sums<StoredWalk, TypeParam>(length, Mapping::thread, 8)), expected) << "control";
  }
}

TYPED_TEST(Storage, HasTheDigestOfAFixedArray) {
  const std::vector<FixedWalk> fixed = {{3}, {most_steps}};
  const std::vector<StoredWalk> stored = {{3}, {most_steps}};
  Plan plan;
  plan.replications = 1000;
  const auto expected = simulate(TypeParam(), std::span(fixed), plan);
  for (const Mapping mapping : {Mapping::thread, Mapping::warp}) {
    plan.mapping = mapping;
    const auto found = simulate(TypeParam(), std::span(stored), plan);
    for (std::size_t point = 0; point < stored.size(); ++point)
      EXPECT_EQ(found.points[point].digest, expected.points[point].digest);
  }
  EXPECT_NE(expected.points[0].digest, expected.points[1].digest) << "control";
}

// Sum of exponential variates in `drawn`, the last one first.
template <class Number, class Inputs, class Array>
KOKKOS_FUNCTION Number sum_of(Inputs& inputs, std::int64_t count, const Number& rate, Array& drawn) {
  for (std::int64_t i = 0; i < count; ++i) drawn[i] = exponential(inputs(0), rate);
  Number sum = 0;
  for (std::int64_t i = count - 1; i >= 0; --i) sum = drawn[i] + 0.5 * sum;
  return sum;
}

// A model for control variates, conditional expectations and derivatives. Keeps its variates in storage, or in an
// array.
template <class Number = double>
struct Sum {
  std::int64_t count;
  Number rate;
  bool is_stored;

  enum Input { number, input_count };
  static constexpr auto response_names = std::array{"sum"}, control_names = std::array{"numbers"};
  static constexpr std::string_view name = "sum", title = "weighted sum", conditional_on = "nothing";
  static constexpr auto parameters() {
    return std::tuple{Parameter<Sum, std::int64_t>{"count", &Sum::count, 5, "", "number of variates", nullptr},
                      Parameter<Sum, Number>{"rate", &Sum::rate, 1.0, "", "rate", nullptr}};
  }
  std::int64_t storage_bytes() const {
    ReplicationStorage measured;
    measured.take<Number>(count);
    return measured.bytes();
  }
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Number, 1> operator()(Inputs& inputs) const {
    if (is_stored) {
      ReplicationStorage memory = inputs.storage();
      StoredArray<Number> drawn = memory.take<Number>(count);
      return {{sum_of(inputs, count, rate, drawn)}};
    }
    Number drawn[most_steps];
    return {{sum_of(inputs, count, rate, drawn)}};
  }
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Number, 1> conditioned(Inputs& inputs) const {
    return (*this)(inputs);
  }
};

template <class Space, class Model>
std::uint64_t digest_of(const Model& model, std::uint64_t seed = 1) {
  Plan plan;
  plan.replications = 500;
  plan.seed = seed;
  return simulate(Space(), model, plan).digest;
}

TYPED_TEST(Storage, IsThatOfTheModelInModelsAroundIt) {
  const Sum<> fixed{20, 2, false}, stored{20, 2, true};
  const auto of_controls = digest_of<TypeParam>(WithControls<Sum<>>{fixed});
  EXPECT_EQ(digest_of<TypeParam>(WithControls<Sum<>>{stored}), of_controls);
  EXPECT_NE(digest_of<TypeParam>(WithControls<Sum<>>{stored}, 2), of_controls) << "control: another seed";
  EXPECT_EQ(digest_of<TypeParam>(Conditioned<Sum<>>{stored}), digest_of<TypeParam>(Conditioned<Sum<>>{fixed}));
  EXPECT_EQ((digest_of<TypeParam>(Pathwise<Sum<>, 1>(stored, {"rate"}))),
            (digest_of<TypeParam>(Pathwise<Sum<>, 1>(fixed, {"rate"}))));
}

// Finds the mark that an earlier replication has left in the same storage, and leaves one.
struct Marker {
  enum Input { unused, input_count };
  static constexpr auto response_names = std::array{"finds a mark"};

  std::int64_t storage_bytes() const { return ReplicationStorage::alignment; }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    constexpr std::uint64_t mark = 0x5b0a'51de'9e77'c3f1;
    ReplicationStorage memory = inputs.storage();
    const StoredArray<std::uint64_t> marks = memory.take<std::uint64_t>(1);
    const bool is_marked = marks[0] == mark;
    marks[0] = mark;
    return {{is_marked ? 1.0 : 0.0}};
  }
};

// At most one replication for each worker finds storage that no other has used.
TYPED_TEST(Storage, IsUsedAgainByLaterReplications) {
  for (const Mapping mapping : {Mapping::thread, Mapping::warp}) {
    const auto found = outputs_of<Marker, TypeParam>({{{}, 1}, {{}, 2}}, mapping);
    const auto marked = std::ranges::count(found, 1.0);
    EXPECT_GE(marked, 2 * many<TypeParam>() - workers<TypeParam>());
  }
}

// A worker needs 200 MiB on hosts. On devices, 32 workers need 320 MiB. Half of the limit has room for no more.
TYPED_TEST(Storage, HasFewerWorkersIfMemoryIsScarce) {
  const auto expected = outputs_of<FixedWalk, TypeParam>(walks<FixedWalk>(), Mapping::thread, 7, 1000);
  auto points = walks<StoredWalk>();
  const std::int64_t bytes = (runs_on_host<TypeParam> ? 200 : 10) << 20;
  for (auto& point : points) point.model.room = bytes / std::int64_t{sizeof(double)};
  const test::MemoryLimit limit("700000000");
  for (const Mapping mapping : {Mapping::thread, Mapping::warp})
    EXPECT_EQ((outputs_of<StoredWalk, TypeParam>(points, mapping, 7, 1000)), expected);
}

TYPED_TEST(Storage, ThatDoesNotFitIsRefused) {
  const std::vector<DesignPoint<StoredWalk>> points = {{{most_steps, std::int64_t{1} << 27}, 1}};
  const test::MemoryLimit limit("1048576");
  const std::string need = runs_on_host<TypeParam> ? "1 replications need 1 GiB, " : "32 replications need 32 GiB, ";
  for (const Mapping mapping : {Mapping::thread, Mapping::warp}) {
    EXPECT_EQ(test::shortage([&] { outputs_of<StoredWalk, TypeParam>(points, mapping); }),
              "the storage of " + need + test::owner_of_memory<TypeParam>() +
                  " has 1 MiB free: at most 0 replications would fit");
  }
}

}  // namespace storage_tests
