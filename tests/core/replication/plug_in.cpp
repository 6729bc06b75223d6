// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's engine plugs in at compile time, and models get exactly the uniforms that the contract promises.
#include <harness/backends.hpp>

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/random/boost_engine.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/models/queues/mmck.hpp>

#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/taus88.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace plug_in_tests {

using namespace sporos;

// Draw i of input v in replication r encodes r, v and i: the uniform is about (r + v/2^8 + i/2^24) / 2^28.
struct NamingEngine {
  static constexpr int draws_per_block = 1;
  KOKKOS_FUNCTION static Kokkos::Array<std::uint64_t, 1> block(const Stream& stream, std::uint64_t b) {
    return {{(stream.replication << 24 | stream.input << 16 | b) << 12}};
  }
};

// Replication, input and index in a draw of NamingEngine, as the bits of one number.
KOKKOS_FUNCTION std::uint64_t name_in(double uniform) { return static_cast<std::uint64_t>(uniform * 0x1p52); }

// Draws from its inputs in an order that depends on the replication, and mixes the forms of a single input. The
// response is the number of wrong draws.
struct Reader {
  enum Input { a, b, c, input_count };
  static constexpr auto response_names = std::array{"wrong draws"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    std::uint64_t next[3] = {0, 0, 0};
    std::uint64_t replication = 0;
    int wrong = 0;
    for (int i = 0; i < 300; ++i) {
      const int input = i == 0 ? 0 : static_cast<int>((replication + i * i) % 3);
      double uniform = 0;
      // From the exponential form, e^−x gives the uniform, rounded to the 52 bits that identify the draw.
      if ((i + replication) % 5 == 2) {
        uniform = math::exp(-exponential(inputs(input), 1.0));
        const double kept = uniform * 0x1p52;
        const auto name = static_cast<std::uint64_t>(kept);
        wrong += (name >> 24) != replication && i > 0;
        ++next[input];
        continue;
      }
      uniform = inputs(input);
      const std::uint64_t name = name_in(uniform);
      if (i == 0) replication = name >> 24;
      wrong += name != (replication << 24 | static_cast<std::uint64_t>(input) << 16 | next[input]);
      ++next[input];
    }
    return {{static_cast<double>(wrong)}};
  }
};

template <class Space>
class PlugIn : public ::testing::Test {};
TYPED_TEST_SUITE(PlugIn, test::Backends, test::BackendName);

TYPED_TEST(PlugIn, AModelSeesEachDrawOnceAndInOrder) {
  const Design<Reader, TypeParam> design(Reader{}, 1);
  const Outputs<TypeParam> outputs("outputs", 100, 1);
  for (const auto mapping : {Mapping::thread, Mapping::warp}) {
    replicate_with<EngineSource<NamingEngine>, Reader>(TypeParam(), design, {}, {1000, 100}, mapping, outputs);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
    for (int row = 0; row < 100; ++row) EXPECT_EQ(host(row, 0), 0) << "replication " << 1000 + row;
  }
}

// Number of replications. On CUDA there are enough of them that some warps pre-generate the draws of other warps. On
// hosts, threads run the replications.
template <class Space>
constexpr std::int64_t many = runs_on_host<Space> ? 100 : 5000;

struct AheadReader : Reader {
  bool buffers_draws() const { return true; }
};

TYPED_TEST(PlugIn, AModelSeesEachDrawOnceAndInOrderWhereTheyAreMadeAhead) {
  const Design<AheadReader, TypeParam> design(AheadReader{}, 1);
  const Outputs<TypeParam> outputs("outputs", many<TypeParam>, 1);
  replicate_with<EngineSource<NamingEngine>, AheadReader>(TypeParam(), design, {}, {1000, many<TypeParam>},
                                                          Mapping::warp, outputs);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  for (int row = 0; row < many<TypeParam>; ++row) EXPECT_EQ(host(row, 0), 0) << "replication " << 1000 + row;
}

// Each replication of several design points runs once, on the first lane of a warp.
TYPED_TEST(PlugIn, OneLaneOfAWarpHasTheSameBits) {
  models::MMCK queue = default_model<models::MMCK>(), longer = queue;
  longer.customers = 2 * queue.customers;
  const std::vector<DesignPoint<models::MMCK>> points = {{queue, 1}, {longer, 2}};
  const Design<models::MMCK, TypeParam> design{std::span(points)};
  const auto bits_under = [&](const auto& mapping, std::int64_t first) {
    const Outputs<TypeParam> outputs("outputs", 2 * 100, response_count<models::MMCK>);
    replicate(TypeParam(), design, {}, {first, 100}, mapping, outputs);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
    return std::vector<double>(host.data(), host.data() + host.size());
  };
  EXPECT_EQ(bits_under(by_one_lane, 77), bits_under(by_threads, 77));
  EXPECT_NE(bits_under(by_one_lane, 78), bits_under(by_threads, 77));  // control
}

TYPED_TEST(PlugIn, DrawsMadeAheadHaveTheSameBits) {
  models::MMCK queue = default_model<models::MMCK>(), emptying = queue;
  queue.customers = emptying.customers = 300;
  emptying.from_empty = 1;
  ASSERT_TRUE(queue.buffers_draws());
  const std::vector<DesignPoint<models::MMCK>> points = {{queue, 1}, {emptying, 2}};
  const Design<models::MMCK, TypeParam> design{std::span(points)};
  const auto bits_under = [&](Mapping mapping) {
    const Outputs<TypeParam> outputs("outputs", 2 * many<TypeParam>, response_count<models::MMCK>);
    replicate(TypeParam(), design, {}, {77, many<TypeParam>}, mapping, outputs);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
    return std::vector<double>(host.data(), host.data() + host.size());
  };
  EXPECT_EQ(bits_under(Mapping::warp), bits_under(Mapping::thread));
}

// Outputs of a queue, with a source that is chosen at compile time or, if `Source` is void, at run time.
template <class Space, class Source = void>
std::vector<double> outputs_of(Engine engine, Mapping mapping) {
  models::MMCK queue = default_model<models::MMCK>();
  queue.customers = 300;
  const Design<models::MMCK, Space> design(queue, 1);
  const Outputs<Space> outputs("outputs", 100, response_count<models::MMCK>);
  UniformSource chosen;
  chosen.engine = engine;
  if constexpr (std::is_void_v<Source>) {
    replicate(Space(), design, PreparedSource<Space>(chosen), {77, 100}, mapping, outputs);
  } else {
    replicate_with<Source, models::MMCK>(Space(), design, {}, {77, 100}, mapping, outputs);
  }
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  return std::vector<double>(host.data(), host.data() + host.size());
}

TYPED_TEST(PlugIn, AnEngineWithAStateGivesTheBitsOfTheChosenOne) {
  for (const auto mapping : {Mapping::thread, Mapping::warp}) {
    EXPECT_EQ((outputs_of<TypeParam, EngineSource<Taus88>>({}, mapping)),
              outputs_of<TypeParam>(Engine::taus88, mapping));
  }
}

TYPED_TEST(PlugIn, AnEngineOfBoostGivesTheBitsOfTheChosenOne) {
  if constexpr (runs_on_host<TypeParam>) {
    using Twister = EngineSource<BoostEngine<boost::random::mt19937_64>>;
    using Tausworthe = EngineSource<BoostEngine<boost::random::taus88>>;
    const auto twister = outputs_of<TypeParam>(Engine::boost_mt19937_64, Mapping::thread);
    const auto tausworthe = outputs_of<TypeParam>(Engine::boost_taus88, Mapping::thread);
    EXPECT_EQ((outputs_of<TypeParam, Twister>({}, Mapping::thread)), twister);
    EXPECT_EQ((outputs_of<TypeParam, Tausworthe>({}, Mapping::thread)), tausworthe);
    EXPECT_EQ(outputs_of<TypeParam>(Engine::taus88, Mapping::thread), tausworthe) << "ours for every backend";
    EXPECT_NE(twister, tausworthe) << "control";
  } else {
    EXPECT_THROW(outputs_of<TypeParam>(Engine::boost_mt19937_64, Mapping::thread), std::invalid_argument);
  }
}

TYPED_TEST(PlugIn, OutputsOfTheWrongShapeAreRefused) {
  const Design<Reader, TypeParam> design(Reader{}, 1);
  const Outputs<TypeParam> outputs("outputs", 99, 1);
  EXPECT_THROW(replicate(TypeParam(), design, {}, {0, 100}, Mapping::thread, outputs), std::invalid_argument);
}

}  // namespace plug_in_tests
