// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simultaneous coverage of the intervals of all bins of a histogram.
#include "harness/binomial_band.hpp"

#include <sporos/runtime/simulation/response_distributions.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace sporos::test {
namespace histograms_tests {

constexpr std::int64_t experiments = 1000, replications = 200;
constexpr int bins = 8;  // from −2 to 2, without the two bins below and above

double normal_below(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

runtime::ModelDescription normal_model() {
  runtime::ModelDescription model{};
  model.response_names = [](const runtime::ParameterValues&) { return std::vector<std::string>{"x"}; };
  return model;
}

// Number of experiments, each with 200 normal variates, in which the intervals of all bins hold.
std::int64_t holding(double confidence) {
  const runtime::ModelDescription model = normal_model();
  Plan plan;
  plan.confidence = confidence;
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  std::int64_t found = 0;
  for (std::int64_t e = 0; e < experiments; ++e) {
    std::vector<double> values(replications);
    for (double& value : values) value = normal(generator);
    const std::vector<std::size_t> points{0};
    const std::vector<std::int64_t> counts{replications};
    runtime::ResponseHistograms histograms({"x=-2:2:8"}, model, {runtime::ParameterValues()}, plan);
    histograms.add({0, replications, points, counts, 1, values.data()});
    const runtime::Histogram histogram = histograms.report().histograms[0][0];
    bool do_hold = histogram.shares.size() == bins + 2;
    for (int i = 0; i < bins + 2; ++i) {
      const double low = i == 0 ? 0 : normal_below(4.0 * (i - 1) / bins - 2);
      const double high = i == bins + 1 ? 1 : normal_below(4.0 * i / bins - 2);
      const ProportionEstimate& share = histogram.shares[static_cast<std::size_t>(i)];
      do_hold = do_hold && share.lower <= high - low && high - low <= share.upper;
    }
    found += do_hold;
  }
  return found;
}

// A correct implementation fails this test with probability 10^-5. The control uses a confidence at which Bonferroni's
// method gives each of the ten intervals 95 %, so that they hold one by one but not simultaneously.
TEST(Histograms, HaveIntervalsThatHoldAtOnce) {
  const double least = binomial_band(experiments, 0.95).least;
  EXPECT_GE(static_cast<double>(holding(0.95)), least);
  EXPECT_LT(static_cast<double>(holding(1 - (bins + 2) * (1 - 0.95))), least) << "control";
}

}  // namespace histograms_tests
}  // namespace sporos::test
