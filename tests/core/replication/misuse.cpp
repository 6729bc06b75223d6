// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of a model that a compiler cannot detect are reported when it runs: inputs and responses that it does not
// have, and draws that it does not state.
#include <harness/backends.hpp>

#include <sporos/core/replication/experiment.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace misuse_tests {

using namespace sporos;

// Draws `drawn` times from its second input, but states `stated` draws.
struct Overdrawn {
  static constexpr std::string_view name = "overdrawn";
  std::int64_t stated, drawn;

  enum Input { first, second, input_count };
  static constexpr auto response_names = std::array{"sum"};
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 2> input_draws() const { return {{{1}, {stated}}}; }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    double sum = inputs(first);
    for (std::int64_t i = 0; i < drawn; ++i) sum += inputs(second);
    return {{sum}};
  }
};

Plan plan_of(Sampling sampling, Mapping mapping = Mapping::automatic) {
  Plan plan;
  plan.replications = 64;
  plan.mapping = mapping;
  plan.source.sampling = sampling;
  plan.source.run_length = 16;
  return plan;
}

template <class Space>
std::string failure(const std::vector<Overdrawn>& models, const Plan& plan) {
  try {
    simulate(Space(), models, plan);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

template <class Space>
class Misuse : public ::testing::Test {};
TYPED_TEST_SUITE(Misuse, test::Backends, test::BackendName);

TYPED_TEST(Misuse, DrawsThatAreNotStatedAreTold) {
  for (const auto mapping : {Mapping::thread, Mapping::warp}) {
    for (const auto sampling : {Sampling::latin_hypercube, Sampling::sobol, Sampling::halton, Sampling::descriptive}) {
      const Plan plan = plan_of(sampling, mapping);
      for (const std::int64_t drawn : {6, 8, 9, 200}) {
        EXPECT_EQ(failure<TypeParam>({{5, drawn}}, plan),
                  "model overdrawn draws " + std::to_string(drawn) +
                      " times from input 2 in a replication, but its input_draws() states 5: "
                      "sampling " +
                      std::string(name_of(sampling)) +
                      " reserves a place for each stated draw, so state the largest number of draws");
      }
      EXPECT_NE(failure<TypeParam>({{5, 5}, {7, 3}, {3, 4}}, plan).find("draws 4 times"), std::string::npos);
      EXPECT_EQ(failure<TypeParam>({{5, 5}, {8, 3}, {0, 4}}, plan), "none") << "control: as stated, or not stated";
    }
  }
}

TYPED_TEST(Misuse, IndependentDrawsMayBeMoreThanStated) {
  EXPECT_EQ(failure<TypeParam>({{5, 9}}, plan_of(Sampling::random)), "none");
  EXPECT_EQ(failure<TypeParam>({{5, 9}}, plan_of(Sampling::antithetic)), "none");
}

// Draws from an input and sets a response whose indices are known only at run time.
struct Indexed {
  int input, response;

  enum Input { first, second, input_count };
  KOKKOS_FUNCTION int response_count() const { return 2; }
  std::string response_name(int index) const { return std::to_string(index); }

  template <class Inputs, class Responses>
  KOKKOS_FUNCTION void operator()(Inputs& inputs, Responses& responses) const {
    responses.set(0, 0);
    responses.set(1, 0);
    responses.set(response, inputs(input));
  }
};

// Draws from an input after the last one, with an index that the compiler knows.
struct BeyondTheLast {
  static constexpr std::string_view name = "beyond-the-last";
  enum Input { first, input_count };
  static constexpr auto response_names = std::array{"draw"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{inputs(input_count)}};
  }
};

#ifdef KOKKOS_ENABLE_SERIAL
template <class Model>
void run(const Model& model, Engine engine = Engine::philox4x32) {
  Plan plan;
  plan.source.engine = engine;
  simulate(Kokkos::Serial(), model, plan);
}

TEST(MisuseDeathTest, IndicesBeyondTheLastAbort) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  run(Indexed{1, 1});
  const auto no_input = [](const std::string& model, int input, int count) {
    return "Sporos: model " + model + " draws from input " + std::to_string(input) +
           ", which it does not have: its input_count is " + std::to_string(count) + ", expected an input from 0 to " +
           std::to_string(count - 1);
  };
  for (const int input : {2, 1000000000, -1}) {
    EXPECT_DEATH(run(Indexed{input, 0}), no_input("misuse_tests::Indexed", input, 2));
  }
  EXPECT_DEATH(run(Indexed{2, 0}, Engine::taus88), no_input("misuse_tests::Indexed", 2, 2));
  EXPECT_DEATH(run(BeyondTheLast()), no_input("beyond-the-last", 1, 1));
  for (const int response : {2, 1000000000, -1}) {
    EXPECT_DEATH(run(Indexed{0, response}), "Sporos: a model sets a response that it does not have");
  }
}
#endif

TYPED_TEST(Misuse, ModelsComeInAnyContiguousRange) {
  const Plan plan = plan_of(Sampling::random);
  const std::vector<Overdrawn> vector = {{1, 1}, {2, 2}};
  const Overdrawn list[] = {{1, 1}, {2, 2}};
  const std::array<Overdrawn, 2> array = {{{1, 1}, {2, 2}}};
  const TypeParam space;
  const std::vector<ExperimentResult> results = {simulate(space, vector, plan),
                                                 simulate(space, std::span<const Overdrawn>(vector), plan),
                                                 simulate(space, list, plan), simulate(space, array, plan),
                                                 simulate(space, {Overdrawn{1, 1}, Overdrawn{2, 2}}, plan)};
  for (const ExperimentResult& result : results) {
    ASSERT_EQ(result.points.size(), 2u);
    for (std::size_t point = 0; point < 2; ++point) {
      EXPECT_EQ(result.points[point].digest, simulate(space, vector[point], plan).digest);
    }
  }
}

}  // namespace misuse_tests
