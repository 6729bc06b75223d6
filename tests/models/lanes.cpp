// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replications that run in the lanes of packs, or share their variates with other design points, have the same bits as
// replications that run one by one. Checks all models that run in lanes, with and without derivatives, for every range
// and several design points, under every engine and sampling.
#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/replication/pathwise.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/models/estimation/empirical_risk.hpp>
#include <sporos/models/integration/pi.hpp>
#include <sporos/models/inventory/continuous_newsvendor.hpp>
#include <sporos/models/inventory/dual_sourcing.hpp>
#include <sporos/models/inventory/iron_ore.hpp>
#include <sporos/models/inventory/newsboy.hpp>
#include <sporos/models/inventory/ss_inventory.hpp>
#include <sporos/models/inventory/substitution_newsvendor.hpp>
#include <sporos/models/projects/activity_network.hpp>
#include <sporos/models/projects/pert.hpp>
#include <sporos/models/queues/ambulance_bases.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/supply_chains/contamination.hpp>
#include <sporos/models/synthetic/noisy_quadratic.hpp>
#include <sporos/models/walks/random_walk.hpp>

#include <harness/backends.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sporos::test {
namespace lanes_tests {

using namespace models;
using Bits = std::vector<std::uint64_t>;

template <class Space>
inline constexpr bool has_lanes = runs_on_host<Space>&& sporos::impl::has_vectors;

// Bits of all outputs and of one extra row after them, which no launch may write.
template <class Model, class Space, class Launch>
Bits bits_of(const std::vector<Model>& models, const ReplicationRange& range, const Launch& launch,
             bool common_random_numbers = false) {
  const auto rows = models.size() * static_cast<std::size_t>(range.count);
  const Outputs<Space> outputs("outputs", rows + 1, static_cast<std::size_t>(response_count_of(models.front())));
  Kokkos::deep_copy(outputs, -7.0);
  const auto points = design_points(std::span<const Model>(models), 11, common_random_numbers);
  launch(Design<Model, Space>(std::span<const DesignPoint<Model>>(points)), range, outputs);
  Space().fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  Bits bits;
  for (std::size_t column = 0; column < host.extent(1); ++column) {
    for (std::size_t row = 0; row <= rows; ++row) bits.push_back(std::bit_cast<std::uint64_t>(host(row, column)));
  }
  return bits;
}

// Launches replications as users do: in lanes on a host.
template <class Source, class Space>
struct AsUsual {
  template <class Model>
  void operator()(const Design<Model, Space>& design, const ReplicationRange& range,
                  const Outputs<Space>& outputs) const {
    for_each_replication_with<Source>("sporos::test::usual", Space(), design, {}, range, by_threads,
                                      sporos::impl::RowWriter<Space>{outputs});
  }
};

// Launches replications one by one also on a host, where a warp has one lane.
template <class Space>
struct OneByOne {
  template <class Model>
  void operator()(const Design<Model, Space>& design, const ReplicationRange& range,
                  const Outputs<Space>& outputs) const {
    sporos::impl::launch_warps<DefaultSource, Model, Space, sporos::impl::RowWriter<Space>>(
        "sporos::test::one_by_one", Space(), {design, {}, range, {outputs}});
  }
};

// Ranges whose counts have all remainders, one range whose replication numbers have more than 32 bits, and ranges of
// several runs.
std::vector<ReplicationRange> ranges() {
  std::vector<ReplicationRange> all;
  for (std::int64_t count = 0; count <= 17; ++count) all.push_back({5 * count, count});
  all.push_back({1001, 300});
  all.push_back({(std::int64_t{1} << 32) - 11, 23});
  for (const std::int64_t run : {1, 2, 3, 8, 11}) all.push_back({4, 4 * run, run, 1000});
  return all;
}

template <class Space, class Model>
void expect_bits_of_one_by_one(const std::vector<Model>& models, bool common_random_numbers,
                               const std::vector<ReplicationRange>& of_ranges = ranges()) {
  for (const ReplicationRange& range : of_ranges) {
    EXPECT_EQ((bits_of<Model, Space>(models, range, AsUsual<DefaultSource, Space>(), common_random_numbers)),
              (bits_of<Model, Space>(models, range, OneByOne<Space>(), common_random_numbers)))
        << sporos::impl::name_of_model<Model>() << ", " << range.count << " replications from " << range.first;
  }
}

template <class Space, class Model>
void expect_same_bits(const std::vector<Model>& models) {
  static_assert(RunsInLanes<Model>);
  static_assert(sporos::impl::runs_packs<DefaultSource, Model, Space, sporos::impl::RowWriter<Space>>() ==
                has_lanes<Space>);
  for (const bool is_common : {false, true}) expect_bits_of_one_by_one<Space>(models, is_common);
}

TEST(ReplicationRange, HasRunsOfConsecutiveIndices) {
  const auto indices = [](const ReplicationRange& range) {
    std::vector<std::int64_t> found;
    for (std::int64_t place = 0; place < range.count; ++place) found.push_back(range.index(place));
    return found;
  };
  EXPECT_EQ(indices({5, 3}), (std::vector<std::int64_t>{5, 6, 7}));
  EXPECT_EQ(indices({5, 3, 1, 100}), (std::vector<std::int64_t>{5, 105, 205}));
  EXPECT_EQ(indices({5, 5, 2, 100}), (std::vector<std::int64_t>{5, 6, 105, 106, 205}));
}

template <class Space>
class Lanes : public ::testing::Test {};
TYPED_TEST_SUITE(Lanes, Backends, BackendName);

TYPED_TEST(Lanes, GiveTheBitsOfOneByOne) {
  expect_same_bits<TypeParam, MM1>({{0.5, 1.0, 1, 0.0}, {0.9, 1.0, 40, 0.0}, {1.5, 1.0, 17, 0.0}});
  expect_same_bits<TypeParam, ActivityNetwork>({default_model<ActivityNetwork>()});
  expect_same_bits<TypeParam, Contamination>(
      {default_model<Contamination>(), {0.3, 0, 0.9, 1, 0.5, 1, 1, 1, 1, 1, 30, 5.67, 0.429}});
  expect_same_bits<TypeParam, ContinuousNewsvendor>({default_model<ContinuousNewsvendor>(), {1.0, 5, 9, 1, 0.5, 3}});
  DualSourcing shop = default_model<DualSourcing>();
  shop.periods = 40;
  DualSourcing far = shop;
  far.regular_lead = 6;
  far.expedited_lead = 2;
  expect_same_bits<TypeParam, DualSourcing>({shop, far});
  IronOre mine = default_model<IronOre>();
  mine.days = 60;
  IronOre small = mine;
  small.capacity = 150;
  small.sell_price = 101;
  expect_same_bits<TypeParam, IronOre>({mine, small});
  SubstitutionNewsvendor stall = default_model<SubstitutionNewsvendor>();
  SubstitutionNewsvendor empty = stall;
  empty.level_1 = empty.level_4 = empty.level_10 = 0;
  expect_same_bits<TypeParam, SubstitutionNewsvendor>({stall, empty});
  AmbulanceBases day = default_model<AmbulanceBases>();  // its lanes end after different numbers of calls
  day.length = 60;
  AmbulanceBases busy = day, no_call = day;
  busy.gap_mean = 1;
  no_call.length = 1e-3;
  expect_same_bits<TypeParam, AmbulanceBases>({day, busy, no_call});
  expect_same_bits<TypeParam, EmpiricalRisk>({default_model<EmpiricalRisk>(), {0.5, 2, 1}, {-1, 0, 1'000'000}});
  expect_same_bits<TypeParam, NoisyQuadratic>({default_model<NoisyQuadratic>(), {-1.5, 0.25, 1, -2, 3, 4}});
  const PertTables<typename TypeParam::memory_space> project(eight_activities());
  expect_same_bits<TypeParam, Pert>({project.model()});
  const DemandTable<typename TypeParam::memory_space> demand(newspaper_demand());
  expect_same_bits<TypeParam, Newsboy>({{0.5, 1.0, 0.2, 24, demand.handle()}, {0.5, 1.0, 0.2, 3, demand.handle()}});
  expect_same_bits<TypeParam, Pi>({{1}, {1000}, {37}});
  expect_same_bits<TypeParam, RandomWalk>({{1, 10}, {1000, 1}, {999, 2}, {300, 10}});
}

TYPED_TEST(Lanes, GiveTheBitsOfOneByOneWithDerivatives) {
  const auto queue = [](std::int64_t customers) {
    return Pathwise<MM1, 2>({0.9, 1.0, customers, 0.0}, {"arrival_rate", "service_rate"});
  };
  expect_same_bits<TypeParam, Pathwise<MM1, 2>>({queue(1), queue(50)});
  expect_same_bits<TypeParam, Pathwise<ContinuousNewsvendor, 3>>(
      {{default_model<ContinuousNewsvendor>(), {"quantity", "alpha", "beta"}}});
  expect_same_bits<TypeParam, Pathwise<EmpiricalRisk, 2>>({{default_model<EmpiricalRisk>(), {"intercept", "slope"}}});
  expect_same_bits<TypeParam, Pathwise<NoisyQuadratic, 2>>({{default_model<NoisyQuadratic>(), {"x_1", "x_2"}}});
  expect_same_bits<TypeParam, Pathwise<Contamination, 2>>(
      {{{0.3, 0, 0.9, 1, 0.5, 1, 1, 1, 1, 1, 30, 5.67, 0.429}, {"prevention_2", "restoration_shape"}}});
  AmbulanceBases busy = default_model<AmbulanceBases>();
  busy.gap_mean = 2;
  busy.length = 60;
  expect_same_bits<TypeParam, Pathwise<AmbulanceBases, 4>>({{busy, {"x_1", "y_1", "x_2", "y_2"}}});
  std::array<std::string, 13> means;
  const auto names = differentiable_parameters<ActivityNetwork>();
  std::copy(names.begin(), names.end(), means.begin());
  expect_same_bits<TypeParam, Pathwise<ActivityNetwork, 13>>({{default_model<ActivityNetwork>(), means}});
  expect_same_bits<TypeParam, Pathwise<ActivityNetwork, 3>>(
      {{default_model<ActivityNetwork>(), {"mean_8_9", "mean_1_2", "mean_4_7"}}});
}

// Only some design points run in lanes; the others serve a random number of customers.
TYPED_TEST(Lanes, AreForDesignPointsThatTakeThem) {
  EXPECT_TRUE((MM1{0.5, 1.0, 10, 0.0}.runs_in_lanes()));
  EXPECT_FALSE((MM1{0.5, 1.0, 0, 10.0}.runs_in_lanes()));
  expect_same_bits<TypeParam, MM1>({{0.5, 1.0, 10, 0.0}, {0.5, 1.0, 0, 10.0}, {0.7, 1.0, 10, 0.0}});
}

// Checks all kinds of distributions that an activity's duration may have.
TYPED_TEST(Lanes, DrawOfEveryDistribution) {
  std::vector<Activity> activities;
  for (const char* text : {"constant(2)", "uniform(1, 2)", "triangular(1, 2, 5)", "exponential(0.5)", "weibull(1.5, 2)",
                           "lognormal(0, 0.5)", "erlang(2, 1.5)", "gamma(2, 1.5)", "poisson(4)", "geometric(0.3)",
                           "uniform-integer(1, 6)", "discrete(1:0.2 3:0.5 7:0.3)", "empirical(1, 2, 4)"}) {
    activities.push_back({"a" + std::to_string(activities.size()), std::to_string(activities.size() % 3),
                          std::to_string(activities.size() % 3 + 1), parse_distribution(text)});
  }
  const PertTables<typename TypeParam::memory_space> project{ProjectNetwork(std::move(activities))};
  expect_same_bits<TypeParam, Pert>({project.model()});
}

// Draws variates in forms and numbers that depend on the design point.
struct Forms {
  std::int64_t draws, uniforms;  // one in `uniforms` draws is a uniform, the others are exponential
  enum Input { first, second, input_count };
  static constexpr auto response_names = std::array{"total"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    double total = 0;
    for (std::int64_t i = 0; i < draws; ++i) {
      const bool is_uniform = i % uniforms == 0;
      total = 0.9 * total + (is_uniform ? standard_variate<StandardUniform>(inputs(first))
                                        : standard_variate<StandardExponential>(inputs(first)));
      if (i % 3 == 0) total -= standard_variate<StandardNormal>(inputs(second));
    }
    return {{total}};
  }
};

// Models that do not run in lanes share variates, too.
TYPED_TEST(Lanes, AreNotNeededToShareVariates) {
  const std::vector<ReplicationRange> few{{0, 3}, {7, 5}, {4, 6, 2, 1000}};
  expect_bits_of_one_by_one<TypeParam, Forms>({{40, 1}, {150, 1}, {3, 1}, {40, 1000}, {70, 7}, {70, 7}, {17'000, 2}},
                                              true, few);
  SsInventory stock = default_model<SsInventory>(), low = stock;
  low.reorder_point = 50;
  expect_bits_of_one_by_one<TypeParam, SsInventory>({stock, low, stock}, true, few);
}

// Iron ore in lanes: packs in succession and packs side by side. With 33 packs at a point, the variates of no pack stay
// for later launches; with fewer, those of repeated launches do.
TYPED_TEST(Lanes, GiveTheSameBitsInLaterLaunches) {
  IronOre mine = default_model<IronOre>(), small = mine;
  mine.days = 700;  // more draws than are kept
  small.capacity = 150;
  for (int launch = 0; launch < 4; ++launch) {
    for (const IronOre& model : {mine, small})
      expect_bits_of_one_by_one<TypeParam, IronOre>({model}, false, {{0, 8}, {8, 10}, {0, 33 * 8}, {3, 16, 2, 1000}});
  }
}

// Counts the blocks that it makes.
struct Counted {
  static constexpr int draws_per_block = Philox4x32::draws_per_block;
  static inline std::atomic<int> blocks = 0;
  KOKKOS_FUNCTION static auto block(const Stream& stream, std::uint64_t b) {
    SPOROS_IF_ON_HOST((++blocks;))
    return Philox4x32::block(stream, b);
  }
};

// Number of launches, among nine of the same replications per thread, that made no blocks.
template <class Space>
int launches_without_blocks(std::int64_t replications) {
  int found = 0;
  for (int launch = 0; launch < 9 * Space().concurrency(); ++launch) {
    Counted::blocks = 0;
    bits_of<MM1, Space>({{0.5, 1.0, 30, 0.0}}, {0, replications}, AsUsual<EngineSource<Counted>, Space>());
    found += Counted::blocks == 0;
  }
  return found;
}

// A thread makes the variates of a pack at most twice, unless there are too many packs. A single pack is enough for one
// thread to keep them, so that with any number of threads at least one launch makes none.
TYPED_TEST(Lanes, KeepVariatesForLaterLaunches) {
  if constexpr (has_lanes<TypeParam>) {
    EXPECT_GT(launches_without_blocks<TypeParam>(8), 0);
    EXPECT_EQ(launches_without_blocks<TypeParam>(8 * 40), 0);
  }
}

// Negative control: Philox with neighbouring replications exchanged in lanes.
struct Exchanged {
  static constexpr int draws_per_block = Philox4x32::draws_per_block;
  KOKKOS_FUNCTION static auto block(Stream stream, std::uint64_t b) {
    stream.replication ^= 1;
    return Philox4x32::block(stream, b);
  }
};
struct ExchangedInLanes : DefaultSource {
  template <int input_count>
  using PackInputs = Inputs<sporos::impl::PackProducer<Exchanged>, input_count>;
};

TYPED_TEST(Lanes, ThatAreExchangedAreFound) {
  const std::vector<MM1> models = {{0.5, 1.0, 3, 0.0}};
  const ReplicationRange range{0, 8};
  const Bits default_value = bits_of<MM1, TypeParam>(models, range, AsUsual<DefaultSource, TypeParam>());
  const Bits exchanged = bits_of<MM1, TypeParam>(models, range, AsUsual<ExchangedInLanes, TypeParam>());
  EXPECT_EQ(default_value != exchanged, has_lanes<TypeParam>);
}

// Draws several variables, in three standard forms, and optionally draws one input more often than stated.
struct Mixture {
  bool draws_more;
  enum Input { first, second, unstated, input_count };
  static constexpr auto response_names = std::array{"total"};

  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 3> input_draws() const { return {{{7, 3}, {1, 5}, {1, 2}}}; }
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs>, 1> operator()(Inputs& inputs) const {
    NumberIn<Inputs> total = 0.0;
    for (int i = 0; i < 21; ++i) total = total * 0.75 + exponential(inputs(first), 1.0);
    for (int i = 0; i < 5; ++i) total = total * 0.75 + normal(inputs(second), 0.0, 1.0);
    for (int i = 0; i < (draws_more ? 9 : 2); ++i) total = total * 0.75 + uniform(inputs(unstated), 0.0, 1.0);
    return {{total}};
  }
};

// Bits of the outputs, launched as users do with `source` or one by one, and the numbers of draws in excess of those
// stated.
template <class Space>
Bits bits_of_mixture(const UniformSource& source, bool draws_more, const ReplicationRange& range, bool one_by_one) {
  const std::vector<Mixture> models(2, {draws_more});
  const auto prepared = prepared_source<Space>(source, std::span<const Mixture>(models));
  Bits bits = bits_of<Mixture, Space>(models, range, [&](const auto& design, const auto& its, const auto& outputs) {
    if (one_by_one) {
      sporos::impl::launch_warps<ChosenSource, Mixture, Space, sporos::impl::RowWriter<Space>>(
          "sporos::test::one_by_one", Space(), {design, prepared.on_device(), its, {outputs}});
    } else {
      for_each_replication_with<ChosenSource>("sporos::test::usual", Space(), design, prepared, its, by_threads,
                                              sporos::impl::RowWriter<Space>{outputs});
    }
  });
  for (const std::int64_t drawn : prepared.excessive_draws(Space())) bits.push_back(static_cast<std::uint64_t>(drawn));
  return bits;
}

// Every sampling, with run lengths that fill the lanes and that do not, and every engine, with and without a state.
std::vector<UniformSource> sources() {
  std::vector<UniformSource> all;
  for (const auto& [name, sampling] : ChoiceNames<Sampling>::values) {
    for (const std::int64_t length : {6, 40, 1000}) {
      UniformSource source;
      source.sampling = sampling;
      source.run_length = length;
      if (sampling == Sampling::refined_descriptive) source.primes = {3, length == 40 ? 7u : 31u};
      all.push_back(source);
    }
  }
  for (const auto& [name, engine] : ChoiceNames<Engine>::values) all.push_back({engine});
  UniformSource separate;
  separate.sampling = Sampling::descriptive;
  separate.sample_size = 5;
  all.push_back(separate);
  separate = {};
  separate.sampling = Sampling::refined_descriptive;
  all.push_back(separate);
  return all;
}

TYPED_TEST(Lanes, GiveTheBitsOfOneByOneUnderEverySampling) {
  for (const UniformSource& source : sources()) {
    if (!runs_on_host<TypeParam> && runs_on_hosts_only(source.engine)) continue;
    for (const bool draws_more : {false, true}) {
      for (const ReplicationRange& range : {ReplicationRange{0, 130}, ReplicationRange{995, 61}}) {
        EXPECT_EQ(bits_of_mixture<TypeParam>(source, draws_more, range, false),
                  bits_of_mixture<TypeParam>(source, draws_more, range, true))
            << name_of(source.sampling) << ", " << name_of(source.engine) << ", runs of " << source.run_length << ", "
            << range.count << " replications from " << range.first << (draws_more ? ", draws more than stated" : "");
      }
    }
  }
}

// Lanes after the end of a run go on to points that need one bit more than the points of the longest run.
TYPED_TEST(Lanes, GiveTheBitsOfOneByOneAtTheEndOfTheLongestRun) {
  UniformSource source;
  source.sampling = Sampling::sobol;
  source.run_length = std::int64_t{1} << 31;
  const ReplicationRange end{source.run_length - 5, 5};
  EXPECT_EQ(bits_of_mixture<TypeParam>(source, false, end, false),
            bits_of_mixture<TypeParam>(source, false, end, true));
}

// Records the replications for which a body is called.
template <class Space>
struct Witness {
  // Columns: replication index, design point, number of writes.
  Kokkos::View<double**, Kokkos::LayoutLeft, typename Space::memory_space> rows;

  template <class Model>
  static constexpr bool takes_packs() {
    return RunsInLanes<Model>;
  }

  template <class Model, class Inputs>
  KOKKOS_FUNCTION void operator()(const Model&, Inputs& inputs, const Replication& replication) const {
    [[maybe_unused]] const NumberIn<Inputs> drawn = inputs(0);
    for (int i = 0; i < replication.count; ++i) {
      rows(replication.row + i, 0) = static_cast<double>(replication.index + i);
      rows(replication.row + i, 1) = static_cast<double>(replication.point);
      Kokkos::atomic_add(&rows(replication.row + i, 2), 1.0);
    }
  }
};

TYPED_TEST(Lanes, ShowABodyEachReplicationOnce) {
  const Witness<TypeParam> witness{decltype(Witness<TypeParam>::rows)("rows", 57, 3)};
  const std::vector<DesignPoint<MM1>> points(3, {{0.5, 1.0, 1, 0.0}, 1});
  for_each_replication_with<DefaultSource>("sporos::test::witness", TypeParam(),
                                           Design<MM1, TypeParam>(std::span<const DesignPoint<MM1>>(points)), {},
                                           {100, 19}, by_threads, witness);
  TypeParam().fence();
  const auto rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), witness.rows);
  for (int row = 0; row < 57; ++row) {
    EXPECT_EQ(rows(row, 0), 100 + row % 19);
    EXPECT_EQ(rows(row, 1), row / 19);
    EXPECT_EQ(rows(row, 2), 1);
  }
}

}  // namespace lanes_tests
}  // namespace sporos::test
