// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks designs of factors and the main effects on them.
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/procedures/solver_comparison/farming.hpp>

#include <gtest/gtest.h>

#include <boost/random/uniform_01.hpp>

#include <cmath>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <vector>

namespace sporos::test {
namespace farming_tests {

TEST(Farming, TakesEachLevelOfAFactorOnceAndFactorsThatHardlyCorrelate) {
  const auto design = nearly_orthogonal_design(17, 3, 1);
  ASSERT_EQ(design.size(), 17U);
  for (std::size_t factor = 0; factor < 3; ++factor) {
    std::set<double> levels;
    for (const auto& row : design) levels.insert(row[factor]);
    EXPECT_EQ(levels.size(), 17U);
    EXPECT_NEAR(*levels.begin(), 0.5 / 17, 1e-15);
    EXPECT_NEAR(*levels.rbegin(), 16.5 / 17, 1e-15);
  }
  EXPECT_LT(largest_correlation(design), 0.05);
}

TEST(FarmingControl, EqualColumnsCorrelate) {
  const std::vector<std::vector<double>> same{{0.1, 0.1}, {0.5, 0.5}, {0.9, 0.9}, {0.3, 0.3}};
  EXPECT_NEAR(largest_correlation(same), 1, 1e-12);
  EXPECT_THROW(main_effects(same, std::vector<double>{1, 2, 3, 4}, 0.95), std::invalid_argument);
}

TEST(Farming, FindsEffectsOfALinearResponse) {
  const auto design = nearly_orthogonal_design(9, 2, 3);
  std::vector<double> responses;
  for (const auto& row : design) responses.push_back(3 + 2 * row[0] - row[1]);
  const auto effects = main_effects(design, responses, 0.95);
  EXPECT_NEAR(effects[0].effect, 2, 1e-12);
  EXPECT_NEAR(effects[1].effect, -1, 1e-12);
  EXPECT_LT(effects[0].half_width, 1e-7);
}

// 1000 macro-replications have normal noise, made as the sum of 12 uniforms. The number of 95 % intervals that miss is
// between 29 and 76 with probability 0.999.
TEST(Farming, HasIntervalsThatCover) {
  const auto design = nearly_orthogonal_design(12, 2, 5);
  DecisionEngine engine = decision_engine(RandomDecision::search, 7);
  boost::random::uniform_01<double> uniform;
  int missed = 0;
  for (int experiment = 0; experiment < 1000; ++experiment) {
    std::vector<double> responses;
    for (const auto& row : design) {
      double noise = -6;
      for (int i = 0; i < 12; ++i) noise += uniform(engine);
      responses.push_back(row[0] + noise);
    }
    const MainEffect effect = main_effects(design, responses, 0.95)[0];
    missed += std::abs(effect.effect - 1) > effect.half_width ? 1 : 0;
  }
  EXPECT_GE(missed, 29);
  EXPECT_LE(missed, 76);
}

}  // namespace farming_tests
}  // namespace sporos::test
