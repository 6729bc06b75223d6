// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wide model, whose number of responses is known only at run time, has the same bits as its twin that returns them.
#include <harness/backends.hpp>

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/replication/experiment.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace wide_model_tests {

using namespace sporos;

// The responses are the draws of a replication, whose number is set at run time.
struct WideDraws {
  int count;
  char letter = 'd';

  enum Input { draw, input_count };
  KOKKOS_FUNCTION int response_count() const { return count; }
  std::string response_name(int response) const { return letter + std::to_string(response); }
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{count}}}; }

  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const {
    for (int i = 0; i < count; ++i) responses.set(i, exponential(inputs(draw), 1.0));
  }
};

struct ThreeDraws {
  enum Input { draw, input_count };
  static constexpr auto response_names = std::array{"d0", "d1", "d2"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(Inputs& inputs) const {
    Kokkos::Array<double, 3> values;
    for (int i = 0; i < 3; ++i) values[i] = exponential(inputs(draw), 1.0);
    return values;
  }
};

static_assert(WideModel<WideDraws> && SimulationModel<WideDraws> && StatesDraws<WideDraws>);
static_assert(!WideModel<ThreeDraws> && SimulationModel<ThreeDraws> && !StatesDraws<ThreeDraws>);

template <class Space>
class Wide : public ::testing::Test {};
TYPED_TEST_SUITE(Wide, test::Backends, test::BackendName);

TYPED_TEST(Wide, EqualsItsTwinToTheLastBit) {
  for (const auto engine : {Engine::philox4x32, Engine::taus88}) {
    for (const auto mapping : {Mapping::thread, Mapping::warp, Mapping::automatic}) {
      Plan plan;
      plan.replications = 1000;
      plan.source.engine = engine;
      plan.mapping = mapping;
      const PointResult wide = simulate(TypeParam(), WideDraws{3}, plan),
                        twin = simulate(TypeParam(), ThreeDraws(), plan);
      EXPECT_EQ(wide.digest, twin.digest) << name_of(mapping);
      EXPECT_NE(simulate(TypeParam(), WideDraws{4}, plan).digest, twin.digest) << "control: a response more";
      for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(wide.responses.at(i).name, twin.responses[i].name);
        EXPECT_EQ(wide.responses[i].mean, twin.responses[i].mean);
      }
    }
  }
}

TYPED_TEST(Wide, ManyResponsesAtSeveralDesignPoints) {
  Plan plan;
  plan.replications = 130;
  const std::vector<WideDraws> models(3, {600});
  const auto result = simulate(TypeParam(), std::span<const WideDraws>(models), plan);
  for (const auto& point : result.points) {
    ASSERT_EQ(point.responses.size(), 600u);
    EXPECT_EQ(point.responses.back().name, "d599");
    EXPECT_EQ(point.digest, result.points[0].digest);
  }
}

std::string refusal(const std::vector<WideDraws>& models) {
  try {
    simulate(Kokkos::DefaultHostExecutionSpace(), std::span<const WideDraws>(models), Plan());
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(WideDesign, NeedsTheSameResponsesEverywhere) {
  EXPECT_EQ(refusal({{3}, {3}}), "");
  EXPECT_EQ(refusal({{3}, {4}}), "design point 2 has 4 responses, expected as many as design point 1, 3");
  EXPECT_EQ(
      refusal({{3}, {3, 'e'}}),
      "design point 2 has a response 'e0' where design point 1 has 'd0', expected the same responses at all design "
      "points");
  EXPECT_EQ(refusal({{0}}), "design point 1 has 0 responses, expected at least 1");
}

TYPED_TEST(Wide, OutputsOfTheWrongShapeAreRefused) {
  const Design<WideDraws, TypeParam> design(WideDraws{3}, 1);
  const Outputs<TypeParam> outputs("outputs", 100, 2);
  EXPECT_THROW(replicate(TypeParam(), design, {}, {0, 100}, Mapping::thread, outputs), std::invalid_argument);
}

}  // namespace wide_model_tests
