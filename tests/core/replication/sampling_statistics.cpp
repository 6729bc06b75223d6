// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks samplings as random variables over runs: every draw is uniform, draws of different variables and of different
// runs are independent, and averages have the right expectation. They also have the right variance if theory gives it.
// Each check rejects a good sampling with probability 10^-4 for a random seed (seeds are fixed here), and has a broken
// one as a control that it must reject.
#include <sporos/core/math/exp.hpp>
#include <sporos/core/replication/experiment.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace sampling_statistics_tests {

using namespace sporos;
using Space = Kokkos::DefaultExecutionSpace;

constexpr double error_probability = 1e-4;

constexpr auto all_samplings = values_of<Sampling>();
// The other samplings take regular numbers, whose averages are those of the midpoint rule.
const auto unbiased_samplings = {Sampling::random, Sampling::antithetic, Sampling::latin_hypercube, Sampling::sobol,
                                 Sampling::halton, Sampling::faure,      Sampling::lattice};

double normal_quantile() {
  return boost::math::quantile(boost::math::complement(boost::math::normal(), 0.5 * error_probability));
}

UniformSource source(Sampling sampling, std::int64_t run_length) {
  UniformSource made;
  made.sampling = sampling;
  made.run_length = run_length;
  made.primes = {7, 7};
  return made;
}

// A model with two draws of one input and one draw of another.
struct ThreeDraws {
  enum Input { first, second, input_count };
  static constexpr auto response_names = std::array{"first", "second", "other"};
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 2> input_draws() const { return {{{2}, {1}}}; }
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(Inputs& inputs) const {
    const double a = inputs(first), b = inputs(first), c = inputs(second);
    return {{a, b, c}};
  }
};

constexpr int dimensions = 4;

// Responses of four uniforms: ∏ (e^u / (e − 1)), with mean 1, and Σ u², with mean 4/3.
struct Smooth {
  enum Input { coordinate, input_count };
  static constexpr auto response_names = std::array{"product", "sum"};
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{dimensions}}}; }
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(Inputs& inputs) const {
    double product = 1, sum = 0;
    for (int i = 0; i < dimensions; ++i) {
      const double u = inputs(coordinate);
      product *= math::exp(u) / 1.718281828459045;
      sum += u * u;
    }
    return {{product, sum}};
  }
};

using Numbers = std::vector<double>;

// --- Single draws.

constexpr std::size_t runs = 10000;
constexpr std::int64_t length = 8;

// For each place in a run and each of the three draws, the draws at this place in all runs.
using DrawsByPlace = std::vector<std::array<Numbers, 3>>;

DrawsByPlace simulated_draws(Sampling sampling) {
  const ThreeDraws model;
  const Space space;
  const std::int64_t run_length = sampling == Sampling::refined_descriptive ? 7 : length;
  const std::int64_t replications = static_cast<std::int64_t>(runs) * run_length;
  const Outputs<Space> outputs("outputs", static_cast<std::size_t>(replications), 3);
  replicate(space, Design<ThreeDraws, Space>(model, 1),
            prepared_source<Space>(source(sampling, run_length), std::span(&model, 1)),
            ReplicationRange{0, replications}, Mapping::thread, outputs);
  space.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  const auto places = static_cast<std::size_t>(run_length);
  DrawsByPlace draws(places);
  for (std::size_t row = 0; row < runs * places; ++row) {
    for (std::size_t k = 0; k < 3; ++k) draws[row % places][k].push_back(host(row, k));
  }
  return draws;
}

// Returns simulated_draws(sampling), which is computed once.
const DrawsByPlace& draws_by_place(Sampling sampling) {
  static std::map<Sampling, DrawsByPlace> known;
  auto& draws = known[sampling];
  if (draws.empty()) draws = simulated_draws(sampling);
  return draws;
}

// Whether a sampling takes regular numbers, which have no density.
bool is_discrete(Sampling sampling) {
  return sampling == Sampling::descriptive || sampling == Sampling::refined_descriptive ||
         sampling == Sampling::latin_hypercube_centred;
}

// Number of equal parts of (0, 1) that contain equally many of the numbers.
std::size_t bins_of(Sampling sampling) { return sampling == Sampling::refined_descriptive ? 7 : length; }

// p-value of the distance from the uniform distribution, by Kolmogorov's limit.
double kolmogorov_p(Numbers values) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto below = static_cast<double>(i);
    distance = std::max({distance, (below + 1) / n - values[i], values[i] - below / n});
  }
  double p = 0;
  for (int k = 1; k <= 100; ++k) p += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * n * distance * distance);
  return p;
}

double chi_square_p(const std::vector<double>& counts, double expected) {
  double statistic = 0;
  for (const double count : counts) statistic += (count - expected) * (count - expected) / expected;
  const boost::math::chi_squared distribution(static_cast<double>(counts.size() - 1));
  return boost::math::cdf(boost::math::complement(distribution, statistic));
}

std::size_t bin_of(double u, std::size_t bins) { return static_cast<std::size_t>(u * static_cast<double>(bins)); }

double bins_p(const Numbers& values, std::size_t bins) {
  std::vector<double> counts(bins);
  for (const double u : values) counts[bin_of(u, bins)] += 1;
  return chi_square_p(counts, static_cast<double>(values.size()) / static_cast<double>(bins));
}

double pairs_p(std::span<const double> a, std::span<const double> b, std::size_t bins) {
  std::vector<double> counts(bins * bins);
  for (std::size_t i = 0; i < a.size(); ++i) counts[bin_of(a[i], bins) * bins + bin_of(b[i], bins)] += 1;
  return chi_square_p(counts, static_cast<double>(a.size()) / static_cast<double>(counts.size()));
}

// p-value of the pairs of a run's draw and the next run's draw.
double neighbours_p(const Numbers& values, std::size_t bins) {
  const std::span all(values);
  return pairs_p(all.first(values.size() - 1), all.subspan(1), bins);
}

double uniform_p(Sampling sampling, const Numbers& values) {
  return is_discrete(sampling) ? bins_p(values, bins_of(sampling)) : kolmogorov_p(values);
}

TEST(Draws, AreUniformAndIndependent) {
  for (const auto sampling : all_samplings) {
    const auto& by_place = draws_by_place(sampling);
    for (const std::size_t place : {0, 3, 6}) {
      const auto& draws = by_place[place];
      const std::string label = std::string(name_of(sampling)) + " at " + std::to_string(place);
      const std::size_t bins = bins_of(sampling);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_GT(uniform_p(sampling, draws[k]), error_probability) << label << ", draw " << k;
        EXPECT_GT(neighbours_p(draws[k], bins), error_probability) << label << ", draw " << k << " of neighbours";
      }
      EXPECT_GT(pairs_p(draws[0], draws[2], bins), error_probability) << label << ", two inputs";
      EXPECT_GT(pairs_p(draws[1], draws[2], bins), error_probability) << label << ", two inputs";
      // Regular numbers of one variable are drawn without replacement.
      if (sampling == Sampling::descriptive || sampling == Sampling::refined_descriptive) continue;
      EXPECT_GT(pairs_p(draws[0], draws[1], bins), error_probability) << label << ", two draws of an input";
    }
  }
}

TEST(DrawsControl, BrokenOnesAreRejected) {
  const auto random = draws_by_place(Sampling::random)[0], points = draws_by_place(Sampling::sobol)[3];
  EXPECT_LT(pairs_p(random[0], random[0], length), error_probability) << "one key for all dimensions";
  Numbers skewed = random[0], same(runs, points[0][0]), every_other = random[0];
  for (double& u : skewed) u = std::pow(u, 1.05);
  EXPECT_LT(kolmogorov_p(skewed), error_probability);
  EXPECT_LT(bins_p(skewed, length), error_probability);
  EXPECT_LT(kolmogorov_p(same), error_probability) << "points that are not scrambled";
  for (std::size_t run = 1; run < runs; run += 2) every_other[run] = every_other[run - 1];
  EXPECT_LT(neighbours_p(every_other, length), error_probability) << "a key for two runs";
}

// The replications of a run form a sample: neither regular numbers nor strata are repeated.
TEST(Draws, OfARunShareTheirStrata) {
  for (const auto sampling : {Sampling::latin_hypercube, Sampling::latin_hypercube_centred, Sampling::sobol}) {
    const auto& draws = draws_by_place(sampling);
    for (std::size_t run = 0; run < runs; ++run) {
      ASSERT_NE(bin_of(draws[0][0][run], length), bin_of(draws[5][0][run], length)) << name_of(sampling);
    }
  }
}

// --- Averages.

// Averages of each response over each of `count` runs.
std::array<Numbers, 2> all_averages(Sampling sampling, std::int64_t run_length, std::int64_t count,
                                    std::uint64_t seed = 1) {
  Plan plan;
  plan.seed = seed;
  plan.source = source(sampling, run_length);
  plan.replications = count * run_length;
  std::array<Numbers, 2> observations;
  simulate(Space(), Smooth(), plan, {}, [&](std::size_t, std::size_t response, double observation) {
    observations[response].push_back(observation);
  });
  return observations;
}

Numbers averages(Sampling sampling, std::int64_t run_length, std::size_t response, std::int64_t count,
                 std::uint64_t seed = 1) {
  return all_averages(sampling, run_length, count, seed)[response];
}

Moments moments_of(const Numbers& values) {
  MomentsTree tree;
  for (const double value : values) tree.add(value);
  return tree.total();
}

// Distance of the mean from `expectation`, in standard errors.
double standard_errors(const Numbers& values, double expectation) {
  const Moments moments = moments_of(values);
  return std::abs(moments.mean - expectation) / std::sqrt(moments.variance() / static_cast<double>(moments.count));
}

TEST(Averages, AreUnbiased) {
  for (const auto sampling : unbiased_samplings) {
    for (const std::int64_t run_length : {2, 16, 30}) {
      const auto label = std::string(name_of(sampling)) + " in runs of " + std::to_string(run_length);
      const auto [products, sums] = all_averages(sampling, run_length, 4000);
      EXPECT_LT(standard_errors(products, 1), normal_quantile()) << label;
      EXPECT_LT(standard_errors(sums, 4.0 / 3), normal_quantile()) << label;
    }
  }
}

TEST(AveragesControl, TheMidpointRuleIsSeenToBeBiased) {
  for (const auto sampling : {Sampling::latin_hypercube_centred, Sampling::descriptive}) {
    EXPECT_GT(standard_errors(averages(sampling, 2, 0, 4000), 1), normal_quantile()) << name_of(sampling);
  }
}

// The average (1/n) Σ m² over the midpoints m is 1/3 − 1/(12 n²).
TEST(Averages, OfRegularNumbersAreThoseOfTheMidpointRule) {
  const auto midpoint_rule = [](double n) { return dimensions * (1.0 / 3 - 1 / (12 * n * n)); };
  for (const double average : averages(Sampling::latin_hypercube_centred, 10, 1, 20)) {
    EXPECT_NEAR(average, midpoint_rule(10), 1e-14);
  }
  for (const double average : averages(Sampling::descriptive, 10, 1, 20)) {
    EXPECT_NEAR(average, midpoint_rule(10 * dimensions), 1e-14);
  }
  for (const double average : averages(Sampling::refined_descriptive, 21, 1, 20)) {
    EXPECT_NEAR(average, midpoint_rule(7), 1e-14);
  }
}

// Variance of an average over n replications of Σ u², whose terms are independent. The variance of a term is 4/45.
double random_variance(double n) { return dimensions * 4.0 / 45 / n; }
// Variance of such an average over antithetic pairs: the covariance of u² with (1 − u)² is 1/30 − 1/9.
double antithetic_variance(double n) { return dimensions * (4.0 / 45 + 1.0 / 30 - 1.0 / 9) / n; }
// Variance of such an average over a Latin hypercube: u² has variance m² h²/3 + h⁴/180 in the stratum of width h about
// m.
double latin_variance(double n) {
  double sum = 0;
  for (int i = 0; i < static_cast<int>(n); ++i) {
    const double m = (i + 0.5) / n;
    sum += m * m / (3 * n * n) + 1 / (180 * n * n * n * n);
  }
  return dimensions * sum / (n * n);
}

// Whether a sample variance is `expected` up to random error. The relative error is nearly normal, because the sample
// sums up over four coordinates and the strata.
bool is_variance(const Numbers& values, double expected) {
  const double fourth_moment_bound = 3.0;  // of the averages' standardized distribution
  const double error = std::sqrt((fourth_moment_bound - 1) / static_cast<double>(values.size()));
  return std::abs(moments_of(values).variance() / expected - 1) < normal_quantile() * error;
}

TEST(Averages, HaveTheVarianceThatTheoryKnows) {
  for (const std::int64_t n : {8, 16, 64}) {
    const auto size = static_cast<double>(n);
    const Numbers random = averages(Sampling::random, n, 1, 2000);
    EXPECT_TRUE(is_variance(random, random_variance(size))) << n;
    EXPECT_TRUE(is_variance(averages(Sampling::antithetic, n, 1, 2000), antithetic_variance(size))) << n;
    const Numbers latin = averages(Sampling::latin_hypercube, n, 1, 2000);
    EXPECT_TRUE(is_variance(latin, latin_variance(size))) << n;
    EXPECT_FALSE(is_variance(random, latin_variance(size))) << "control: random taken for Latin hypercube";
    EXPECT_FALSE(is_variance(latin, 1.25 * latin_variance(size))) << "control: a variance that is a quarter off";
  }
  // The variance is O(n^-3), to a few per cent.
  EXPECT_NEAR(latin_variance(64) / latin_variance(8), std::pow(8, -3), 1e-5);
}

// Reference values are variances of the average of the product over n points, over 1000 seeds: from scipy.stats.qmc
// (SciPy 1.17: scrambled Sobol and Halton, LatinHypercube), and for Faure and the lattice from NumPy, as in
// discrepancy.cpp. Sporos' variances, over 1000 runs, may be off by a factor of 1.5. With a kurtosis of up to 6, this
// is four times the standard error of the ratio's logarithm.
TEST(Averages, OfASmoothProductVaryAsThoseOfSciPy) {
  struct Known {
    Sampling sampling;
    std::int64_t points;
    double variance;
  };
  const auto is_near = [](double variance, double known) {
    return std::abs(std::log(variance / known)) < std::log(1.5);
  };
  for (const auto& [sampling, points, known] : {Known{Sampling::sobol, 32, 1.806e-4},
                                                {Sampling::sobol, 256, 1.780e-6},
                                                {Sampling::halton, 32, 1.248e-3},
                                                {Sampling::halton, 256, 2.006e-5},
                                                {Sampling::faure, 125, 2.780e-5},
                                                {Sampling::faure, 625, 8.268e-7},
                                                {Sampling::lattice, 32, 2.477e-3},
                                                {Sampling::lattice, 256, 5.188e-5},
                                                {Sampling::latin_hypercube, 32, 1.329e-3},
                                                {Sampling::latin_hypercube, 256, 1.741e-4}}) {
    const double variance = moments_of(averages(sampling, points, 0, 1000)).variance();
    EXPECT_TRUE(is_near(variance, known)) << name_of(sampling) << points << ": " << variance;
    const double random = moments_of(averages(Sampling::random, points, 0, 1000)).variance();
    EXPECT_FALSE(is_near(random, known)) << "control: random sampling, " << points;
  }
}

// The product of d independent factors with mean 1 and variance v has the variance (1 + v)^d − 1. Latin hypercube
// sampling removes the d terms in single coordinates from it, to leading order (Stein 1987, Large sample properties of
// simulations using Latin hypercube sampling).
TEST(Averages, OfASmoothProductLoseTheirAdditivePart) {
  constexpr double e = 2.718281828459045, v = (e * e - 1) / 2 / ((e - 1) * (e - 1)) - 1;
  const double total = std::pow(1 + v, dimensions) - 1, left = total - dimensions * v;
  EXPECT_TRUE(is_variance(averages(Sampling::random, 256, 0, 2000), total / 256));
  EXPECT_TRUE(is_variance(averages(Sampling::latin_hypercube, 256, 0, 2000), left / 256));
  EXPECT_FALSE(is_variance(averages(Sampling::latin_hypercube, 256, 0, 2000), total / 256)) << "control";
}

// --- Runs are independent of each other, and so are seeds.

double correlation(std::span<const double> a, std::span<const double> b) {
  double sum_a = 0, sum_b = 0, products = 0, squares_a = 0, squares_b = 0;
  for (const double x : a) sum_a += x / static_cast<double>(a.size());
  for (const double x : b) sum_b += x / static_cast<double>(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    products += (a[i] - sum_a) * (b[i] - sum_b);
    squares_a += (a[i] - sum_a) * (a[i] - sum_a);
    squares_b += (b[i] - sum_b) * (b[i] - sum_b);
  }
  return products / std::sqrt(squares_a * squares_b);
}

bool are_uncorrelated(std::span<const double> a, std::span<const double> b) {
  return std::abs(correlation(a, b)) < normal_quantile() / std::sqrt(static_cast<double>(a.size()));
}

bool is_uncorrelated(const Numbers& values, std::size_t lag) {
  const std::span all(values);
  return are_uncorrelated(all.first(values.size() - lag), all.subspan(lag));
}

TEST(Averages, OfDifferentRunsAndSeedsAreUncorrelated) {
  constexpr std::int64_t count = 4000;
  for (const auto sampling : all_samplings) {
    const Numbers values = averages(sampling, 14, 0, count, 1);
    for (const std::size_t lag : {1, 2, 16}) EXPECT_TRUE(is_uncorrelated(values, lag)) << name_of(sampling) << lag;
    const Numbers others = averages(sampling, 14, 0, count, 2);
    EXPECT_TRUE(are_uncorrelated(values, others)) << name_of(sampling);
  }
  Numbers overlapping = averages(Sampling::random, 14, 0, count);
  for (std::size_t i = 0; i + 1 < overlapping.size(); ++i) overlapping[i] += 0.2 * overlapping[i + 1];
  EXPECT_FALSE(is_uncorrelated(overlapping, 1)) << "control";
}

}  // namespace sampling_statistics_tests
