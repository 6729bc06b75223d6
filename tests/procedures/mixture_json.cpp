// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a fit as text: every number is kept to its last bit, and missing numbers are null.
#include <sporos/core/io/json_text.hpp>
#include <sporos/procedures/mixture_json.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace sporos::test {
namespace mixture_json_tests {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

MixtureFit some_fit() {
  MixtureSizeFit size;
  size.mixture = {{1.0 / 3, -0.1, 0.7}, {2.0 / 3, 5, 0.05}};
  size.standard_errors = {{0.01, 0.2, 0.3}, {0.01, 0.4, none}};
  size.log_likelihood = -123.4 / 7;
  size.log_posterior = -20;
  size.bic = 40.1;
  size.aic = 39.2;
  size.icl = none;
  size.at_floor = {1};
  size.starts = {{MixtureMethod::em, -20, 64, true, true},
                 {MixtureMethod::nelder_mead, -std::numeric_limits<double>::infinity(), 100, false, false}};
  size.reached = 1;
  MixtureFit fit;
  fit.sample = {30, 3.3, 2.1};
  fit.floor = 0.05;
  fit.prior = models::MixturePrior::of_sample(3.3, 4.41);
  fit.criterion = MixtureCriterion::aic;
  fit.sizes = {size};
  fit.is_whole = false;
  return fit;
}

TEST(Fit, HasEveryNumberToTheLastBit) {
  const MixtureFit fit = some_fit();
  const auto json = io::parse_json("JSON", json_of(fit).dump());
  EXPECT_EQ(json["sample"], io::Json({{"observations", 30.0}, {"mean", 3.3}, {"deviation", 2.1}}));
  EXPECT_EQ(json["floor"], 0.05);
  EXPECT_EQ(json["prior"]["squared_scale"], fit.prior.squared_scale);
  EXPECT_EQ(json["criterion"], "aic");
  EXPECT_EQ(json["chosen"], 2);
  EXPECT_EQ(json["is_whole"], false);
  ASSERT_EQ(json["sizes"].size(), 1u);
  const auto& size = json["sizes"][0];
  EXPECT_EQ(size["components"], 2);
  EXPECT_EQ(size["parameters"], 5);
  EXPECT_EQ(size["log_likelihood"], fit.sizes[0].log_likelihood);
  EXPECT_EQ(size["reached"], 1);
  EXPECT_EQ(size["mixture"][0]["weight"], 1.0 / 3);
  EXPECT_EQ(size["mixture"][1]["standard_errors"]["mean"], 0.4);
}

TEST(Fit, TellsComponentsAtTheFloor) {
  const auto mixture = json_of(some_fit())["sizes"][0]["mixture"];
  EXPECT_EQ(mixture[0]["is_at_floor"], false);
  EXPECT_EQ(mixture[1]["is_at_floor"], true);
  const auto size = json_of(some_fit())["sizes"][0];
  EXPECT_EQ(size["starts_at_floor"], 1);
  EXPECT_EQ(size["best_at_floor"], -20.0);
  EXPECT_EQ(size["starts"][0]["is_at_floor"], true);
  EXPECT_EQ(size["starts"][1]["is_at_floor"], false);
}

TEST(Fit, HasNullForWhatIsNotFinite) {
  const auto size = json_of(some_fit())["sizes"][0];
  EXPECT_TRUE(size["icl"].is_null());
  EXPECT_TRUE(size["mixture"][1]["standard_errors"]["deviation"].is_null());
  EXPECT_EQ(size["starts"][0]["log_posterior"], -20.0);
  EXPECT_TRUE(size["starts"][1]["log_posterior"].is_null());
  EXPECT_EQ(size["starts"][1]["method"], "nelder-mead");
}

TEST(Bootstrap, HasTestsAndIntervals) {
  MixtureBootstrap bootstrap;
  bootstrap.tests = {{1, 20.5, 9.25, 0.005}};
  bootstrap.standard_errors = {{0, 0.1, 0.2}};
  bootstrap.lower = {{1, -1, 0.5}};
  bootstrap.upper = {{1, 1, 1.0 / 3}};
  const auto json = io::parse_json("JSON", json_of(bootstrap).dump());
  EXPECT_EQ(json["samples"], bootstrap.options.samples);
  EXPECT_EQ(json["tests"][0]["statistic"], 20.5);
  EXPECT_TRUE(json["enough"].is_null());
  EXPECT_EQ(json["components"][0]["upper"]["deviation"], 1.0 / 3);
}

TEST(FitOptions, AreAllThere) {
  MixtureFitOptions options;
  EXPECT_TRUE(json_of(options)["floor"].is_null());
  options.floor = 1.0 / 7;
  options.seed = std::numeric_limits<std::uint64_t>::max();
  const auto json = io::parse_json("JSON", json_of(options).dump());
  EXPECT_EQ(json["floor"], 1.0 / 7);
  EXPECT_EQ(json["seed"], options.seed);
  EXPECT_EQ(json["components"], io::Json({1, 10}));
  EXPECT_EQ(json["nelder_mead"]["coefficients"], name_of(options.nelder_mead.coefficients));
}

}  // namespace mixture_json_tests
}  // namespace sporos::test
