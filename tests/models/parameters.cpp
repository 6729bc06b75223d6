// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/experiment.hpp>
#include <sporos/models/integration/pi.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/queues/mmck.hpp>
#include <sporos/models/walks/random_walk.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace parameters_tests {

using namespace sporos;
using models::MM1, models::MMCK, models::Pi, models::RandomWalk;

static_assert(DescribedModel<Pi> && DescribedModel<MM1> && DescribedModel<MMCK> && DescribedModel<RandomWalk>);

// Counts the draws of each input variable in one replication.
template <class Model>
struct CountedInputs {
  std::array<std::int64_t, static_cast<std::size_t>(Model::input_count)> counts{};
  double operator()(int input) {
    ++counts[static_cast<std::size_t>(input)];
    return 0.3;
  }
};

template <class Model>
void expect_stated_draws(const Model& model) {
  CountedInputs<Model> inputs;
  model(inputs);
  for (std::size_t input = 0; input < inputs.counts.size(); ++input) {
    const InputDraws stated = model.input_draws()[input];
    EXPECT_EQ(inputs.counts[input], stated.count * stated.variables) << Model::name << ", input " << input;
  }
}

TEST(Draws, AreAsManyAsStated) {
  expect_stated_draws(Pi{7});
  expect_stated_draws(RandomWalk{9, 10});
  expect_stated_draws(MM1{0.5, 1, 11, 0});
  EXPECT_EQ((MM1{0.5, 1, 0, 10}.input_draws()[0].count), 0) << "a run by horizon draws as often as it has to";
  EXPECT_FALSE(StatesDraws<MMCK>);
}

// Checks that an experiment with `model` is refused before it runs, with a message that begins with `sentence`.
template <class Model>
void expect_refused(const Model& model, const std::string& sentence) {
  try {
    simulate(Kokkos::DefaultHostExecutionSpace(), model, Plan());
    FAIL() << "not refused: " << sentence;
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()).rfind(sentence, 0), 0u) << error.what();
  }
}

TEST(Parameters, OutOfRangeAreRefused) {
  expect_refused(Pi{0}, "draws is 0, expected");
  expect_refused(MM1{0, 1, 10, 0}, "arrival_rate is 0, expected");
  expect_refused(MM1{0.5, std::nan(""), 10, 0}, "service_rate is nan, expected");
  expect_refused(MM1{0.5, INFINITY, 10, 0}, "service_rate is inf, expected");
  expect_refused(MM1{0.5, 1, -1, 0}, "customers is -1, expected");
  expect_refused(MM1{0.5, 1, 0, 0}, "customers and horizon are both 0");
  expect_refused(MM1{0.5, 1, 10, 10}, "customers and horizon are both given");
  expect_refused(MMCK{4, 1, 3, 2, 10}, "capacity is 2, expected at least the 3 servers");
  expect_refused(MMCK{4, 1, 3, 5, 10, 2}, "from_empty is 2, expected 0 or 1");
  expect_refused(MMCK{-4, 1, 3, 5, 10}, "arrival_rate is -4, expected");
  expect_refused(MMCK{4, 1, 0, 5, 10}, "servers is 0, expected");
  expect_refused(RandomWalk{-1, 10}, "steps is -1, expected");
  expect_refused(RandomWalk{1, 2'000'000'000}, "chunk_side is 2000000000, expected at most");
}

TEST(Parameters, UsualOnesMakeARun) {
  EXPECT_NO_THROW(default_model<Pi>().check());
  EXPECT_NO_THROW(default_model<MM1>().check());
  EXPECT_NO_THROW(default_model<MMCK>().check());
  EXPECT_NO_THROW(default_model<RandomWalk>().check());
}

}  // namespace parameters_tests
