// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/models/mixtures/drawn_samples.hpp>
#include <sporos/procedures/mixture_bootstrap.hpp>
#include <sporos/procedures/mixture_fit.hpp>

#include "harness/backends.hpp"
#include "harness/refusal.hpp"
#include "harness/serial_or_host.hpp"
#include "models/mixtures/reference_fits.hpp"
#include "models/mixtures/sample_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sporos {
namespace mixture_fit_tests {

using models::NormalMixture;
using models::Observations;
using test::SerialOrHost;

Observations galaxies() { return test::sample_of("galaxies"); }

// A sample of three groups, with 60, 30 and 10 % of the observations.
Observations drawn(std::size_t size, std::uint64_t seed) {
  const NormalMixture mixture = {{0.6, 0, 1}, {0.3, 5, 0.5}, {0.1, 9, 1}};
  const auto sample = models::drawn_samples(SerialOrHost(), mixture, 1, static_cast<std::int64_t>(size), seed);
  return {{sample.data(), sample.data() + size}};
}

MixtureFitOptions quick() {
  MixtureFitOptions options;
  options.max_components = 4;
  options.starts = 8;
  return options;
}

template <class Space>
class MixtureFitTest : public ::testing::Test {};
TYPED_TEST_SUITE(MixtureFitTest, test::Backends, test::BackendName);

// Tolerances are three of the fit's standard errors: one of nine numbers exceeds them with a probability below 0.03,
// and the seed is fixed.
TYPED_TEST(MixtureFitTest, FindsTheGroupsThatAreThere) {
  const MixtureFit fit = fit_mixtures(TypeParam(), drawn(2000, 1), quick());
  const MixtureSizeFit& chosen = fit.sizes[fit.chosen];
  ASSERT_EQ(chosen.components(), 3);
  EXPECT_TRUE(fit.is_whole);
  const NormalMixture truth = {{0.6, 0, 1}, {0.3, 5, 0.5}, {0.1, 9, 1}};
  for (std::size_t c = 0; c < 3; ++c) {
    const models::NormalComponent &found = chosen.mixture[c], &error = chosen.standard_errors[c];
    EXPECT_NEAR(found.weight, truth[c].weight, 3 * error.weight);
    EXPECT_NEAR(found.mean, truth[c].mean, 3 * error.mean);
    EXPECT_NEAR(found.deviation, truth[c].deviation, 3 * error.deviation);
  }
}

TYPED_TEST(MixtureFitTest, CriteriaAreTheirFormulas) {
  const MixtureFit fit = fit_mixtures(TypeParam(), galaxies(), quick());
  for (const MixtureSizeFit& size : fit.sizes) {
    const auto p = static_cast<double>(3 * size.mixture.size() - 1);
    EXPECT_NEAR(size.bic, -2 * size.log_likelihood + p * std::log(82.0), 1e-10);
    EXPECT_NEAR(size.aic, -2 * size.log_likelihood + 2 * p, 1e-10);
    EXPECT_GE(size.icl, size.bic);
    EXPECT_GE(size.log_likelihood, size.starts.back().log_posterior - 1e-9);
    EXPECT_EQ(size.starts.size(), 10u);
    EXPECT_GE(size.reached, 1);
  }
}

// From the same start both methods find the same maximum of two components.
TYPED_TEST(MixtureFitTest, NelderMeadAndEmAgree) {
  MixtureFitOptions options = quick();
  options.max_components = 2;
  options.starts = 1;
  options.nelder_mead_starts = 1;
  const MixtureFit fit = fit_mixtures(TypeParam(), test::sample_of("old_faithful"), options);
  ASSERT_EQ(fit.sizes[1].starts.size(), 2u);
  EXPECT_EQ(fit.sizes[1].starts[0].method, MixtureMethod::em);
  EXPECT_EQ(fit.sizes[1].starts[1].method, MixtureMethod::nelder_mead);
  EXPECT_NEAR(fit.sizes[1].starts[0].log_posterior, fit.sizes[1].starts[1].log_posterior, 1e-4);
}

// The fit is at least as good as scikit-learn's and mclust's with the same floor, or with none if they report none.
TYPED_TEST(MixtureFitTest, IsAsGoodAsTheReferences) {
  MixtureFitOptions options;
  options.max_components = 6;
  options.starts = 40;
  options.nelder_mead_starts = 0;
  for (const std::string data : {"galaxies", "old_faithful"}) {
    options.floor = data == "galaxies" ? 0.05 : 0.15;
    const MixtureFit fit = fit_mixtures(TypeParam(), test::sample_of(data), options);
    for (const test::ReferenceFit& reference : test::reference_fits) {
      if (reference.data != data || reference.components > options.max_components) continue;
      if (reference.floor != 0 && reference.floor != options.floor) continue;
      const MixtureSizeFit& size = fit.sizes[static_cast<std::size_t>(reference.components - 1)];
      // The reference may lie at the floor.
      EXPECT_GE(std::max(size.log_likelihood, size.best_at_floor().value_or(-1e9)), reference.log_likelihood - 1e-5)
          << data << ' ' << reference.program << ' ' << reference.components;
    }
  }
}

TYPED_TEST(MixtureFitTest, ReportsComponentsAtTheFloor) {
  MixtureFitOptions options = quick();
  options.max_components = 2;
  options.floor = 0.001;
  Observations sample{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 100, 100, 100, 100, 100}};
  const MixtureFit fit = fit_mixtures(TypeParam(), sample, options);
  ASSERT_EQ(fit.sizes[1].at_floor.size(), 1u);
  const auto c = static_cast<std::size_t>(fit.sizes[1].at_floor[0]);
  EXPECT_EQ(fit.sizes[1].mixture[c].deviation, 0.001);
  EXPECT_TRUE(std::isnan(fit.sizes[1].standard_errors[c].deviation));
  EXPECT_LT(fit.sizes[1].bic, fit.sizes[0].bic);
  EXPECT_EQ(fit.chosen, 0u);  // because the floor determines how good two components are
}

// A fit at the floor, whatever its likelihood, is kept only if no start ended above the floor. The numbers are the best
// of 400 starts of scikit-learn 1.7 without regularization (GaussianMixture, tol 1e-12) whose deviations stay above it.
TYPED_TEST(MixtureFitTest, KeepsTheBestFitAboveTheFloor) {
  struct Case {
    Observations sample;
    double bic, bic_of_one;
    NormalMixture mixture;
  };
  const Case cases[] = {
      {test::abbey(), 227.660, 283.375, {{0.858618, 10.582839, 3.719627}, {0.141382, 48.944142, 41.819525}}},
      {test::chem(), 78.355, 153.470, {{0.920413, 3.129780, 0.547407}, {0.079587, 17.587295, 11.918763}}}};
  for (const Case& each : cases) {
    MixtureFitOptions options;
    options.max_components = 2;
    const MixtureFit fit = fit_mixtures(TypeParam(), each.sample, options);
    EXPECT_EQ(fit.chosen, 1u);
    EXPECT_NEAR(fit.sizes[0].bic, each.bic_of_one, 2e-3);
    const MixtureSizeFit& size = fit.sizes[1];
    EXPECT_NEAR(size.bic, each.bic, 1e-3);
    EXPECT_TRUE(size.at_floor.empty());
    EXPECT_GT(size.starts_at_floor(), 0);
    EXPECT_GT(size.best_at_floor().value_or(-1e9), size.log_posterior + 2);  // but that fit is at the floor
    EXPECT_FALSE(size.starts[size.best].is_at_floor);
    EXPECT_EQ(size.reached + size.starts_at_floor(), static_cast<std::int64_t>(size.starts.size()));
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(size.mixture[c].weight, each.mixture[c].weight, 1e-5);
      EXPECT_NEAR(size.mixture[c].mean, each.mixture[c].mean, 1e-3);
      EXPECT_NEAR(size.mixture[c].deviation, each.mixture[c].deviation, 1e-3);
      EXPECT_GT(size.standard_errors[c].deviation, 0);
    }
    const auto bootstrap = bootstrap_mixtures(TypeParam(), fit, {.samples = 19}).value();
    EXPECT_NEAR(bootstrap.tests[0].statistic, 2 * (size.log_posterior - fit.sizes[0].log_posterior), 1e-9);
    EXPECT_EQ(bootstrap.enough, std::nullopt);  // one component is not enough
  }
}

// 30 normal values and an outlier of 8 to 12: the rule holds for every number of components and all options.
TYPED_TEST(MixtureFitTest, TakesAFitAtTheFloorOnlyIfThereIsNoOther) {
  std::int64_t sizes_on_both_sides = 0, sizes_at_floor = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto drawn = models::drawn_samples(SerialOrHost(), {{1, 0, 1}}, 1, 30, seed);
    Observations sample{{drawn.data(), drawn.data() + 30}};
    sample.values.push_back(8 + 0.5 * static_cast<double>(seed));
    MixtureFitOptions options;
    options.max_components = 4;
    options.nelder_mead_starts = seed % 2 == 0 ? 2 : 0;
    const MixtureFit fit = fit_mixtures(TypeParam(), sample, options);
    for (const MixtureSizeFit& size : fit.sizes) {
      const auto low = size.starts_at_floor(), all = static_cast<std::int64_t>(size.starts.size());
      EXPECT_EQ(!size.at_floor.empty(), low == all);
      for (const MixtureStartResult& start : size.starts) {
        const bool is_comparable = start.is_at_floor == !size.at_floor.empty();
        EXPECT_TRUE(!is_comparable || start.log_posterior <= size.log_posterior + 1e-9);
      }
      sizes_on_both_sides += low > 0 && low < all ? 1 : 0;
      sizes_at_floor += low == all ? 1 : 0;
    }
    EXPECT_TRUE(fit.sizes[fit.chosen].at_floor.empty());
  }
  EXPECT_GT(sizes_on_both_sides, 3);  // the rule matters for these
  EXPECT_GT(sizes_at_floor, 3);
}

// Weights count observations, ties are allowed, and sufficiently narrow bins give the same result.
TYPED_TEST(MixtureFitTest, WeightsTiesAndBinsAgree) {
  MixtureFitOptions options = quick();
  options.max_components = 2;
  const std::vector<double> waiting = test::sample_of("old_faithful").values;
  Observations twice{waiting}, weighted{waiting, std::vector<double>(waiting.size(), 2.0)};
  twice.values.insert(twice.values.end(), waiting.begin(), waiting.end());
  models::BinnedObservations bins;
  for (double edge = 42.5; edge <= 97; edge += 1) bins.edges.push_back(edge);
  bins.counts.assign(bins.edges.size() - 1, 0);
  for (const double value : waiting) bins.counts[static_cast<std::size_t>(value - 42.5)] += 2;
  const MixtureFit of_ties = fit_mixtures(TypeParam(), twice, options);
  const MixtureFit of_weights = fit_mixtures(TypeParam(), weighted, options);
  const MixtureFit of_bins = fit_mixtures(TypeParam(), bins, options);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(of_ties.sizes[1].mixture[c].mean, of_weights.sizes[1].mixture[c].mean, 1e-5);
    EXPECT_NEAR(of_ties.sizes[1].mixture[c].mean, of_bins.sizes[1].mixture[c].mean, 0.02);
  }
  EXPECT_NEAR(of_ties.sizes[1].bic, of_weights.sizes[1].bic, 1e-8);
  EXPECT_TRUE(std::isnan(of_bins.sizes[1].icl));
}

// One deviation for all components, by EM and by Nelder–Mead, compared with scikit-learn 1.7 (covariance_type "tied").
// With a prior all deviations are equal, too, and the outliers above need no floor.
TYPED_TEST(MixtureFitTest, DeviationsMayBeEqual) {
  MixtureFitOptions options = quick();
  options.max_components = 2;
  options.deviations = MixtureDeviations::equal;
  const MixtureFit fit = fit_mixtures(TypeParam(), test::sample_of("old_faithful"), options);
  const MixtureSizeFit& two = fit.sizes[1];
  EXPECT_EQ(two.parameters(), 4);
  EXPECT_NEAR(two.log_likelihood, -1034.0017604, 1e-6);
  EXPECT_NEAR(two.bic, 2090.426729, 1e-6);
  EXPECT_NEAR(two.mixture[0].weight, 0.36084945, 1e-6);
  EXPECT_NEAR(two.mixture[0].mean, 54.613626, 1e-5);
  EXPECT_NEAR(two.mixture[1].mean, 80.090304, 1e-5);
  EXPECT_NEAR(two.mixture[1].deviation, 5.869091, 1e-5);
  for (const MixtureStartResult& start : two.starts) EXPECT_NEAR(start.log_posterior, two.log_posterior, 1e-4);
  const auto& errors = two.standard_errors;
  EXPECT_EQ(errors[0].deviation, errors[1].deviation);
  EXPECT_NEAR(errors[0].deviation, 5.86909 / std::sqrt(2 * 272.0), 0.05);  // about that of a single group
  for (const bool is_bayesian : {false, true}) {
    options.is_bayesian = is_bayesian;
    options.max_components = 3;
    const MixtureFit of_outlier = fit_mixtures(TypeParam(), test::abbey(), options);
    for (const MixtureSizeFit& size : of_outlier.sizes) {
      EXPECT_TRUE(size.at_floor.empty());
      for (const auto& component : size.mixture) EXPECT_EQ(component.deviation, size.mixture[0].deviation);
      for (const MixtureStartResult& start : size.starts) EXPECT_LE(start.log_posterior, size.log_posterior + 1e-9);
    }
    EXPECT_GT(of_outlier.chosen, 0u);
    EXPECT_TRUE(bootstrap_mixtures(TypeParam(), of_outlier, {.samples = 19}).has_value());
  }
}

TYPED_TEST(MixtureFitTest, FloatIsGoodToItsDigits) {
  const Observations sample = drawn(500, 2);
  for (const std::size_t components : {2, 3}) {  // an even and an odd number of floats in scratch memory
    MixtureFitOptions options = quick();
    options.max_components = static_cast<int>(components);
    const double fine = fit_mixtures(TypeParam(), sample, options).sizes[components - 1].log_likelihood;
    const double coarse = fit_mixtures<float>(TypeParam(), sample, options).sizes[components - 1].log_likelihood;
    EXPECT_NEAR(coarse, fine, 1e-5 * std::abs(fine));
  }
}

// The prior keeps a component from collapsing onto six equal observations.
TYPED_TEST(MixtureFitTest, APriorKeepsComponentsFromTheFloor) {
  MixtureFitOptions options = quick();
  options.max_components = 2;
  options.floor = 1e-4;
  options.is_bayesian = true;
  Observations sample{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 4.5, 4.5, 4.5, 4.5, 4.5, 4.5}};
  const MixtureFit fit = fit_mixtures(TypeParam(), sample, options);
  EXPECT_TRUE(fit.sizes[1].at_floor.empty());
  EXPECT_GT(fit.prior.squared_scale, 0);
}

TYPED_TEST(MixtureFitTest, StopsWithTheBestOfSoFar) {
  const MixtureFit fit = fit_mixtures(TypeParam(), galaxies(), quick(), [](const MixtureFitProgress& progress) {
    return progress.done >= 64 ? Continuation::stop : Continuation::go_on;
  });
  EXPECT_FALSE(fit.is_whole);
  for (const MixtureSizeFit& size : fit.sizes) EXPECT_TRUE(std::isfinite(size.log_likelihood));
}

// With two groups far apart, one component is not enough and two are. The standard errors agree with those of the
// observed information; with 99 samples their own error is about 7 %.
TYPED_TEST(MixtureFitTest, BootstrapKnowsHowManyAndHowSure) {
  const NormalMixture truth = {{0.5, 0, 1}, {0.5, 6, 1}};
  const auto sample = models::drawn_samples(SerialOrHost(), truth, 1, 300, 7);
  MixtureFitOptions options = quick();
  options.max_components = 3;
  const MixtureFit fit = fit_mixtures(TypeParam(), Observations{{sample.data(), sample.data() + 300}}, options);
  MixtureBootstrapOptions bootstrap;
  bootstrap.samples = 99;
  const MixtureBootstrap found = bootstrap_mixtures(TypeParam(), fit, bootstrap).value();
  EXPECT_EQ(found.enough, 2);
  ASSERT_EQ(found.tests.size(), 2u);
  EXPECT_EQ(found.tests[0].p_value, 0.01);
  EXPECT_GT(found.tests[0].statistic, found.tests[0].critical);
  EXPECT_GT(found.tests[1].p_value, bootstrap.level);
  ASSERT_EQ(fit.chosen, 1u);
  for (std::size_t c = 0; c < 2; ++c) {
    const models::NormalComponent& error = fit.sizes[1].standard_errors[c];
    EXPECT_NEAR(found.standard_errors[c].mean, error.mean, 0.25 * error.mean);
    EXPECT_NEAR(found.standard_errors[c].deviation, error.deviation, 0.25 * error.deviation);
    EXPECT_NEAR(found.standard_errors[c].weight, error.weight, 0.25 * error.weight);
    EXPECT_LT(found.lower[c].mean, fit.sizes[1].mixture[c].mean);
    EXPECT_GT(found.upper[c].mean, fit.sizes[1].mixture[c].mean);
  }
}

TYPED_TEST(MixtureFitTest, BootstrapCanBeStopped) {
  MixtureFitOptions options = quick();
  options.max_components = 2;
  const MixtureFit fit = fit_mixtures(TypeParam(), galaxies(), options);
  const auto stop = [](const MixtureFitProgress&) { return Continuation::stop; };
  EXPECT_FALSE(bootstrap_mixtures(TypeParam(), fit, {}, stop).has_value());
}

void fit_serially(const Observations& sample, const MixtureFitOptions& options) {
  fit_mixtures(SerialOrHost(), sample, options);
}

TEST(MixtureFitOptions, AreChecked) {
  using test::refusal;
  const auto refused = [](const auto& change, const Observations& sample = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15}}) {
    MixtureFitOptions options = quick();
    change(options);
    return test::refusal([&] { fit_serially(sample, options); });
  };
  EXPECT_EQ(refused([](auto& o) { o.min_components = 0; }),
            "smallest number of components is 0, expected a number from 1 to 64");
  EXPECT_EQ(refused([](auto& o) { o.max_components = 65; }),
            "largest number of components is 65, expected a number from 1 to 64");
  EXPECT_EQ(refused([](auto& o) { o.min_components = 5; }),
            "largest number of components is 4, expected a number from 5 to 64");
  EXPECT_EQ(
      refused([](auto& o) { o.max_components = 5; }),
      "number of observations is 12, expected at least 14, the number of parameters of 5 components; with 12, set "
      "components to at most 4");
  EXPECT_EQ(refused([](auto& o) { o.em_iterations = -1; }), "number of iterations of EM is -1, expected at least 0");
  EXPECT_EQ(refused([](auto& o) { o.em_tolerance = NAN; }),
            "tolerance of EM is nan, expected a finite number of at least 0");
  EXPECT_EQ(refused([](auto& o) { o.starts = o.nelder_mead_starts = 0; }),
            "numbers of starts of EM and of Nelder-Mead are 0, expected one of them positive");
  EXPECT_EQ(refused([](auto& o) { o.floor = 1e-300; }).substr(0, 43), "floor of the deviations is 1e-300, expected");
  EXPECT_EQ(refused([](auto& o) { o.floor = -1; }).substr(0, 39), "floor of the deviations is -1, expected");
  EXPECT_EQ(refused([](auto& o) { o.floor = 1e300; }),
            "floor of the deviations is 1e+300, expected less than the deviation of the sample, 4.01732");
  const auto fit_bins = [] {
    MixtureFitOptions options = quick();
    options.criterion = MixtureCriterion::icl;
    fit_mixtures(SerialOrHost(), models::BinnedObservations{{0, 1, 2}, {3, 4}}, options);
  };
  EXPECT_EQ(refusal(fit_bins), "criterion of a fit to a histogram is icl, expected bic or aic");
  const auto nothing = [](auto&) {};
  EXPECT_EQ(refused(nothing, {std::vector<double>(20, 3.5)}),
            "deviation of the observations is 0, expected a positive number: all of them are 3.5");
  EXPECT_EQ(refused(nothing, {{}}), "number of observations is 0, expected at least 1");
  EXPECT_EQ(refused(nothing, {{1, 2, std::numeric_limits<double>::infinity()}}),
            "observation 3 is inf, expected a finite number");
}

TEST(MixtureBootstrapOptions, AreChecked) {
  MixtureFit fit;
  const auto refused = [&](const MixtureBootstrapOptions& options) {
    return test::refusal([&] { bootstrap_mixtures(SerialOrHost(), fit, options); });
  };
  MixtureBootstrapOptions options;
  options.samples = 5;
  EXPECT_EQ(refused(options), "number of bootstrap samples is 5, expected a number from 19 to 1000000");
  options = {};
  options.confidence = 1;
  EXPECT_EQ(refused(options), "confidence is 1, expected a number between 0 and 1");
  fit.sample.weight = 2.5;
  EXPECT_EQ(refused({}), "sum of the weights is 2.5, expected a whole number of observations");
  fit.is_binned = true;
  EXPECT_EQ(refused({}), "the fit is to a histogram, but a bootstrap requires a fit to observations");
}

}  // namespace mixture_fit_tests
}  // namespace sporos
