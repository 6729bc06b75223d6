// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares Sobol's indices with those of functions whose indices are known exactly, and checks how often their
// intervals cover. Binomial bands for the number of covering macro-replications raise a false alarm with probability
// 10^-5 per side.
#include "harness/serial_or_host.hpp"

#include <harness/backends.hpp>
#include <harness/binomial_band.hpp>
#include <harness/long_tests.hpp>
#include <harness/refusal.hpp>

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/math/trigonometric.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/procedures/sensitivity/pick_freeze.hpp>
#include <sporos/procedures/sensitivity/sobol_indices.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

namespace sensitivity_tests {

using namespace sporos;
using test::binomial_band;
using test::SerialOrHost;

struct Exact {
  std::vector<double> first, total;
};

// The function sin x1 + 7 sin² x2 + 0.1 x3⁴ sin x1 of three angles, with noise (Ishigami and Homma 1990).
struct Ishigami {
  double x1, x2, x3;
  double deviation;  // deviation of the noise

  enum Input { noise, input_count };
  static constexpr auto response_names = std::array{"f"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    const double f = math::sin(x1) + 7 * math::sin(x2) * math::sin(x2) + 0.1 * x3 * x3 * x3 * x3 * math::sin(x1);
    return {{f + normal(inputs(noise), 0.0, deviation)}};
  }
};

Exact ishigami_indices() {
  const double p4 = std::pow(std::numbers::pi, 4), p8 = p4 * p4;
  const double v1 = 0.5 * (1 + p4 / 50) * (1 + p4 / 50), v2 = 49.0 / 8, v13 = 8 * 0.01 * p8 / 225, v = v1 + v2 + v13;
  return {{v1 / v, v2 / v, 0}, {(v1 + v13) / v, v2 / v, v13 / v}};
}

template <class ExecutionSpace>
std::vector<PointMean> ishigami_means(const PickFreeze& design, const BasePlan& base, double deviation) {
  const auto uniforms = base_uniforms(base, design.inputs);
  std::vector<Ishigami> models;
  for (std::size_t point = 0; point < design.point_count(); ++point) {
    const auto angle = [&](std::size_t input) {
      return (2 * uniforms[design.base_of(point, input) * design.inputs + input] - 1) * std::numbers::pi;
    };
    models.push_back({angle(0), angle(1), angle(2), deviation});
  }
  Plan plan;
  plan.replications = 8;
  plan.common_random_numbers = false;
  return point_means(simulate(ExecutionSpace(), models, plan), 0);
}

template <class ExecutionSpace>
class IshigamiOn : public ::testing::Test {};
TYPED_TEST_SUITE(IshigamiOn, test::Backends, test::BackendName);

// Intervals have confidence 1 − 10^-6: with a random seed, one of the 24 misses with probability 3 · 10^-5.
TYPED_TEST(IshigamiOn, HasItsIndices) {
  const Exact exact = ishigami_indices();
  for (const BaseSampling sampling : {BaseSampling::sobol, BaseSampling::random}) {
    for (const double deviation : {0.0, 3.0}) {
      const BasePlan base{sampling, 2048, 16, 5};
      const PickFreeze design{3, 2048};
      const auto means = ishigami_means<TypeParam>(design, base, deviation);
      const SobolIndices indices = sobol_indices(design, means, base.groups(), 1 - 1e-6);
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(indices.first[i].value, exact.first[i], indices.first[i].half_width) << i;
        EXPECT_NEAR(indices.total[i].value, exact.total[i], indices.total[i].half_width) << i;
        EXPECT_LT(indices.total[i].half_width, 0.4);
      }
      const auto serial = ishigami_means<SerialOrHost>(design, base, deviation);
      for (std::size_t point = 0; point < means.size(); ++point) EXPECT_EQ(means[point].mean, serial[point].mean);
    }
  }
}

// A function on the unit cube with its exact indices.
struct Known {
  std::function<double(const std::vector<double>&)> f;
  std::size_t inputs;
  Exact exact;
};

Known linear(const std::vector<double>& slopes) {
  double squares = 0;
  for (const double slope : slopes) squares += slope * slope;
  std::vector<double> shares;
  for (const double slope : slopes) shares.push_back(slope * slope / squares);
  const auto f = [slopes](const std::vector<double>& x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += slopes[i] * x[i];
    return sum;
  };
  return {f, slopes.size(), {shares, shares}};
}

// Sobol's g-function Π (|4 x_i − 2| + a_i) / (1 + a_i).
Known g_function(const std::vector<double>& a) {
  double product = 1;
  for (const double ai : a) product *= 1 + 1 / (3 * (1 + ai) * (1 + ai));
  Exact exact;
  for (const double ai : a) {
    const double own = 1 / (3 * (1 + ai) * (1 + ai));
    exact.first.push_back(own / (product - 1));
    exact.total.push_back(own * product / (1 + own) / (product - 1));
  }
  const auto f = [a](const std::vector<double>& x) {
    double value = 1;
    for (std::size_t i = 0; i < x.size(); ++i) value *= (std::abs(4 * x[i] - 2) + a[i]) / (1 + a[i]);
    return value;
  };
  return {f, a.size(), exact};
}

// Means of `replications` observations with noise of the given deviation.
std::vector<PointMean> noisy_means(const Known& known, const PickFreeze& design, const BasePlan& base, double deviation,
                                   int replications, std::mt19937_64& generator) {
  std::normal_distribution<double> noise(0, deviation);
  const auto uniforms = base_uniforms(base, design.inputs);
  std::vector<PointMean> means;
  std::vector<double> x(design.inputs);
  for (std::size_t point = 0; point < design.point_count(); ++point) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = uniforms[design.base_of(point, i) * x.size() + i];
    Moments moments;
    for (int r = 0; r < replications; ++r) moments = combine(moments, {1, noise(generator), 0, 0});
    means.push_back({known.f(x) + moments.mean, moments.variance() / replications});
  }
  return means;
}

struct Covered {
  std::vector<std::int64_t> first, total;
};

Covered covered(const Known& known, const BasePlan& base, double deviation, std::int64_t experiments,
                bool knows_of_noise = true) {
  std::mt19937_64 generator(7);
  Covered counts{std::vector<std::int64_t>(known.inputs), std::vector<std::int64_t>(known.inputs)};
  const PickFreeze design{known.inputs, static_cast<std::size_t>(base.rows)};
  for (std::int64_t e = 0; e < experiments; ++e) {
    BasePlan plan = base;
    plan.seed = static_cast<std::uint64_t>(e);
    auto means = noisy_means(known, design, plan, deviation, 3, generator);
    for (PointMean& mean : means) mean.variance *= knows_of_noise ? 1 : 0;
    const SobolIndices indices = sobol_indices(design, means, base.groups(), 0.95);
    for (std::size_t i = 0; i < known.inputs; ++i) {
      const auto covers = [](const SobolIndex& index, double exact) {
        return std::abs(index.value - exact) <= index.half_width ? 1 : 0;
      };
      counts.first[i] += covers(indices.first[i], known.exact.first[i]);
      counts.total[i] += covers(indices.total[i], known.exact.total[i]);
    }
  }
  return counts;
}

void expect_coverage(const Known& known, double deviation, double lost) {
  const std::int64_t experiments = test::runs_in_test(400, 10'000);
  for (const BaseSampling sampling : {BaseSampling::sobol, BaseSampling::random}) {
    const Covered counts = covered(known, {sampling, 256, 16, 1}, deviation, experiments);
    const double least = binomial_band(experiments, 0.95 - lost).least;
    for (std::size_t i = 0; i < known.inputs; ++i) {
      EXPECT_GE(static_cast<double>(counts.first[i]), least) << name_of(sampling) << ' ' << i;
      EXPECT_GE(static_cast<double>(counts.total[i]), least) << name_of(sampling) << ' ' << i;
    }
  }
}

TEST(SobolIntervals, CoverThoseOfALinearFunction) { expect_coverage(linear({3, 2, 1, 0}), 2.0, 0.01); }

TEST(SobolIntervals, CoverThoseOfTheGFunction) { expect_coverage(g_function({0, 1, 9}), 0.5, 0.02); }

// If noise is not subtracted, it is taken for an effect: the total index of an input without effect is far too large.
TEST(SobolIntervals, MissWhereNoiseIsNotTakenOff) {
  const Covered counts = covered(linear({3, 2, 1, 0}), {BaseSampling::random, 256, 16, 1}, 2.0, 200, false);
  EXPECT_LT(static_cast<double>(counts.total[3]), binomial_band(200, 0.94).least);
  EXPECT_LT(static_cast<double>(counts.first[0]), binomial_band(200, 0.94).least);
}

TEST(SobolIndices, SayWhereNoiseHidesAll) {
  const PickFreeze design{1, 2};
  const SobolIndices indices = sobol_indices(design, std::vector<PointMean>(6, {1, 0.5}), 2, 0.95);
  EXPECT_LE(indices.variance, 0);
  EXPECT_TRUE(std::isnan(indices.first[0].value));
  EXPECT_TRUE(std::isinf(indices.total[0].half_width));
}

TEST(PickFreeze, FreezesAllInputsButOne) {
  const PickFreeze design{2, 3};
  EXPECT_EQ(design.point_count(), 12U);
  std::vector<std::size_t> bases;
  for (std::size_t point = 4; point < 8; ++point) {
    for (std::size_t input = 0; input < 2; ++input) bases.push_back(design.base_of(point, input));
  }
  EXPECT_EQ(bases, (std::vector<std::size_t>{2, 2, 3, 3, 3, 2, 2, 3}));
}

// Each interval of length 2^-k contains one coordinate of each set of 2^k points.
TEST(BaseUniforms, AreStratifiedBySets) {
  const auto uniforms = base_uniforms({BaseSampling::sobol, 64, 4, 9}, 2);
  ASSERT_EQ(uniforms.size(), 64U * 4);
  for (std::size_t dimension = 0; dimension < 4; ++dimension) {
    for (std::size_t set = 0; set < 4; ++set) {
      std::array<int, 16> counts{};
      for (std::size_t point = 0; point < 16; ++point) {
        ++counts[static_cast<std::size_t>(16 * uniforms[(set * 16 + point) * 4 + dimension])];
      }
      for (const int count : counts) EXPECT_EQ(count, 1);
    }
  }
  EXPECT_NE(base_uniforms({BaseSampling::sobol, 64, 4, 10}, 2), uniforms);
}

TEST(BasePlan, RefusesWhatMakesNoDesign) {
  const auto reported = [](const BasePlan& plan, std::size_t inputs) {
    return test::refusal([&] { check_base_plan(plan, inputs); });
  };
  EXPECT_EQ(reported({BaseSampling::sobol, 100, 16, 1}, 2),
            "base points is 100, expected a multiple of 16, the number of sets of Sobol's points");
  EXPECT_EQ(reported({BaseSampling::random, 1, 16, 1}, 2),
            "base points is 1, expected a whole number from 2 to 2147483648");
  EXPECT_EQ(reported({BaseSampling::random, 10, 16, 1}, 0),
            "number of uncertain inputs is 0, expected a whole number from 1 to 1833");
  EXPECT_EQ(reported({}, 3), "none");
}

}  // namespace sensitivity_tests
