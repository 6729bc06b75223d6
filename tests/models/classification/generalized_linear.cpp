// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mean losses of linear predictors equal those computed from the table term by term, and their derivatives equal
// differences.
#include "tables.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/classification/generalized_linear.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <harness/backends.hpp>
#include <harness/refusal.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace generalized_linear_tests {

using namespace sporos;
using models::DenseFeatures, models::PackedFeatures, models::SparseFeatures;
using models::GeneralizedLinear, models::GeneralizedLinearOptions;
using models::LogisticLoss, models::PoissonLoss, models::SquaredLoss;

template <class Space>
struct GeneralizedLinearOn : testing::Test {
  using Memory = typename Space::memory_space;
  static_assert(JointlyEvaluatedProblem<models::LogisticClassification<Space, PackedFeatures<Memory>>>);
  static_assert(StochasticProblem<models::LeastSquares<Space, SparseFeatures<Memory>>>);
  static_assert(StochasticProblem<models::PoissonRegression<Space, DenseFeatures<float, Memory>>>);
};
TYPED_TEST_SUITE(GeneralizedLinearOn, test::Backends, test::BackendName);

constexpr std::int64_t row_count = 90, column_count = 70;
constexpr double tolerance = 1e-13;

template <class Loss>
std::vector<double> some_labels(std::int64_t count) {
  std::vector<double> labels;
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = test::some_number(3 * i + 1);
    if (std::is_same_v<Loss, SquaredLoss>) labels.push_back(x);
    if (std::is_same_v<Loss, PoissonLoss>) labels.push_back(std::floor(std::abs(4 * x)));
    if (std::is_same_v<Loss, LogisticLoss>) labels.push_back(x > 0 ? 1 : 0);
  }
  return labels;
}

std::vector<double> some_weights(std::int64_t count, std::int64_t seed) {
  std::vector<double> w;
  for (std::int64_t j = 0; j < count; ++j) w.push_back(0.2 * test::some_number(j + 999 * seed));
  return w;
}

// Losses computed by the C library in long double.
long double reference_value(const LogisticLoss&, long double m, double z) { return std::log1p(std::exp(m)) - z * m; }
long double reference_slope(const LogisticLoss&, long double m, double z) { return 1 / (1 + std::exp(-m)) - z; }
long double reference_curvature(const LogisticLoss&, long double m) { return 1 / (2 + std::exp(m) + std::exp(-m)); }
long double reference_value(const SquaredLoss&, long double m, double z) { return (m - z) * (m - z) / 2; }
long double reference_slope(const SquaredLoss&, long double m, double z) { return m - z; }
long double reference_curvature(const SquaredLoss&, long double) { return 1; }
long double reference_value(const PoissonLoss&, long double m, double z) { return std::exp(m) - z * m; }
long double reference_slope(const PoissonLoss&, long double m, double z) { return std::exp(m) - z; }
long double reference_curvature(const PoissonLoss&, long double m) { return std::exp(m); }

// Values of f̂, ∇f̂ and ∇²f̂ v over some rows, computed term by term.
struct Expected {
  long double objective = 0;
  std::vector<long double> gradient, product;
};

template <class Loss>
Expected expected_over(const test::Table& table, const std::vector<std::int64_t>& rows,
                       const GeneralizedLinearOptions& options, const std::vector<double>& w,
                       const std::vector<double>& v) {
  const auto labels = some_labels<Loss>(table.rows());
  Expected expected{0, std::vector<long double>(w.size()), std::vector<long double>(w.size())};
  const auto share = 1 / static_cast<long double>(rows.size());
  for (const std::int64_t i : rows) {
    const auto x = [&](std::size_t j) {
      return static_cast<std::int64_t>(j) < table.columns ? table.at(i, static_cast<std::int64_t>(j)) : 1.0;
    };
    const double z = labels[static_cast<std::size_t>(i)];
    long double m = 0, change = 0;
    for (std::size_t j = 0; j < w.size(); ++j) m += x(j) * w[j], change += x(j) * v[j];
    expected.objective += share * reference_value(Loss{}, m, z);
    for (std::size_t j = 0; j < w.size(); ++j) {
      expected.gradient[j] += share * x(j) * reference_slope(Loss{}, m, z);
      expected.product[j] += share * x(j) * reference_curvature(Loss{}, m) * change;
    }
  }
  for (std::size_t j = 0; j < static_cast<std::size_t>(table.columns); ++j) {
    expected.objective += options.penalty / 2 * w[j] * w[j];
    expected.gradient[j] += options.penalty * w[j];
    expected.product[j] += options.penalty * v[j];
  }
  return expected;
}

template <class Space, class Problem>
std::vector<double> gradient_of(Problem& problem, const std::vector<double>& w) {
  const Vector<Space> g("g", w.size());
  problem.gradient(to_device<Space>(w), g);
  problem.execution().fence();
  return to_host<Space>(g);
}

template <class Space, class Problem>
std::vector<double> product_of(Problem& problem, const std::vector<double>& w, const std::vector<double>& v) {
  const Vector<Space> out("out", w.size());
  problem.hessian_product(to_device<Space>(w), to_device<Space>(v), out);
  problem.execution().fence();
  return to_host<Space>(out);
}

template <class Space, class Loss, class Problem>
void expect_over(Problem& problem, const test::Table& table, const std::vector<std::int64_t>& rows,
                 const GeneralizedLinearOptions& options) {
  const auto w = some_weights(problem.dimension(), 1), v = some_weights(problem.dimension(), 2);
  const Expected expected = expected_over<Loss>(table, rows, options, w, v);
  EXPECT_NEAR(problem.objective(to_device<Space>(w)), static_cast<double>(expected.objective), tolerance);
  const auto gradient = gradient_of<Space>(problem, w), product = product_of<Space>(problem, w, v);
  for (std::size_t j = 0; j < w.size(); ++j) {
    ASSERT_NEAR(gradient[j], static_cast<double>(expected.gradient[j]), tolerance) << "coordinate " << j;
    ASSERT_NEAR(product[j], static_cast<double>(expected.product[j]), tolerance) << "coordinate " << j;
  }
  EXPECT_EQ(gradient, gradient_of<Space>(problem, w));
  EXPECT_EQ(product, product_of<Space>(problem, w, v));
}

template <class Space, class Loss, class Features>
void expect_written_out(const test::Table& table) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < table.rows(); ++i) all.push_back(i);
  for (const GeneralizedLinearOptions options : {GeneralizedLinearOptions{0, false}, {0.3, true}}) {
    GeneralizedLinear<Space, Features, Loss> problem(test::features_of<Features>(table),
                                                     some_labels<Loss>(table.rows()), options);
    ASSERT_EQ(problem.dimension(), table.columns + (options.has_intercept ? 1 : 0));
    expect_over<Space, Loss>(problem, table, all, options);
    for (const SampleRange sample : {SampleRange{5, 0, 50}, SampleRange{5, 1000, 300}}) {
      problem.draw(sample);
      EXPECT_EQ(problem.sample_size(), sample.size);
      std::vector<std::int64_t> rows;
      for (std::uint64_t r = 0; r < static_cast<std::uint64_t>(sample.size); ++r) {
        rows.push_back(drawn_index(sample.seed, sample.first + r, static_cast<std::uint64_t>(table.rows())));
      }
      expect_over<Space, Loss>(problem, table, rows, options);
    }
    problem.draw_all();
    expect_over<Space, Loss>(problem, table, all, options);
  }
}

TYPED_TEST(GeneralizedLinearOn, PackedClassificationIsThatWrittenOut) {
  expect_written_out<TypeParam, LogisticLoss, PackedFeatures<typename TypeParam::memory_space>>(
      test::binary_table(row_count, column_count));
}

TYPED_TEST(GeneralizedLinearOn, DenseClassificationIsThatWrittenOut) {
  expect_written_out<TypeParam, LogisticLoss, DenseFeatures<double, typename TypeParam::memory_space>>(
      test::real_table(row_count, column_count));
}

TYPED_TEST(GeneralizedLinearOn, SparseClassificationIsThatWrittenOut) {
  expect_written_out<TypeParam, LogisticLoss, SparseFeatures<typename TypeParam::memory_space>>(
      test::real_table(row_count, column_count));
}

TYPED_TEST(GeneralizedLinearOn, LeastSquaresIsThatWrittenOut) {
  expect_written_out<TypeParam, SquaredLoss, DenseFeatures<float, typename TypeParam::memory_space>>(
      test::real_table(row_count, column_count));
}

TYPED_TEST(GeneralizedLinearOn, PoissonRegressionIsThatWrittenOut) {
  expect_written_out<TypeParam, PoissonLoss, SparseFeatures<typename TypeParam::memory_space>>(
      test::real_table(row_count, column_count));
}

// Compares with central differences over shrinking steps: the error falls with the square of the step.
template <class Space>
void check_derivatives() {
  const auto table = test::binary_table(row_count, column_count);
  models::LogisticClassification<Space, PackedFeatures<typename Space::memory_space>> problem(
      test::features_of<PackedFeatures<typename Space::memory_space>>(table), some_labels<LogisticLoss>(row_count),
      {0.1, true});
  problem.draw({1, 0, 40});
  const auto w = some_weights(problem.dimension(), 3), v = some_weights(problem.dimension(), 4);
  const auto moved = [&](double step) {
    std::vector<double> at = w;
    for (std::size_t j = 0; j < at.size(); ++j) at[j] += step * v[j];
    return at;
  };
  const auto gradient = gradient_of<Space>(problem, w), product = product_of<Space>(problem, w, v);
  double slope = 0;
  for (std::size_t j = 0; j < w.size(); ++j) slope += gradient[j] * v[j];
  double slope_errors[2], product_errors[2] = {};
  for (const int k : {0, 1}) {
    const double step = k == 0 ? 0.1 : 0.01;
    const double difference =
        problem.objective(to_device<Space>(moved(step))) - problem.objective(to_device<Space>(moved(-step)));
    slope_errors[k] = std::abs(difference / (2 * step) - slope);
    const auto up = gradient_of<Space>(problem, moved(step)), down = gradient_of<Space>(problem, moved(-step));
    for (std::size_t j = 0; j < w.size(); ++j) {
      product_errors[k] = std::max(product_errors[k], std::abs((up[j] - down[j]) / (2 * step) - product[j]));
    }
  }
  EXPECT_NEAR(slope_errors[1] / slope_errors[0], 0.01, 0.001);
  EXPECT_NEAR(product_errors[1] / product_errors[0], 0.01, 0.001);
}

TYPED_TEST(GeneralizedLinearOn, DerivativesAreThoseOfDifferences) { check_derivatives<TypeParam>(); }

template <class Space>
void check_joint_evaluation() {
  const auto table = test::binary_table(row_count, column_count);
  models::LogisticClassification<Space, PackedFeatures<typename Space::memory_space>> problem(
      test::features_of<PackedFeatures<typename Space::memory_space>>(table), some_labels<LogisticLoss>(row_count),
      {0.1, true});
  const auto w = some_weights(problem.dimension(), 3);
  const auto on_space = to_device<Space>(w);
  const Vector<Space> g("g", w.size());
  for (const bool is_sampled : {false, true}) {
    if (is_sampled) problem.draw({1, 0, 400});
    EXPECT_EQ(problem.objective_and_gradient(on_space, g), problem.objective(on_space));
    EXPECT_EQ(to_host<Space>(g), gradient_of<Space>(problem, w));
  }
}

TYPED_TEST(GeneralizedLinearOn, ObjectiveAndGradientTogetherAreThoseApart) { check_joint_evaluation<TypeParam>(); }

template <class Space>
void check_predictions() {
  const auto table = test::real_table(row_count, 3);
  using Features = DenseFeatures<double, typename Space::memory_space>;
  models::LogisticClassification<Space, Features> problem(test::features_of<Features>(table),
                                                          some_labels<LogisticLoss>(row_count), {0, true});
  const std::vector<double> w = {1, -2, 0.5, 0.25};
  const test::Table others{3, {0, 0, 0, 1, 1, 2, 800, -800, 0}};
  const Vector<Space> means("means", 3);
  problem.predict(SparseFeatures<typename Space::memory_space>(test::sparse_rows(others)), to_device<Space>(w), means);
  problem.execution().fence();
  const auto found = to_host<Space>(means);
  EXPECT_DOUBLE_EQ(found[0], 1 / (1 + std::exp(-0.25)));
  EXPECT_DOUBLE_EQ(found[1], 1 / (1 + std::exp(-0.25)));
  EXPECT_EQ(found[2], 1);
  EXPECT_THROW(problem.predict(SparseFeatures<typename Space::memory_space>(test::sparse_rows({1, {1}})),
                               to_device<Space>(w), means),
               std::invalid_argument);
}

TYPED_TEST(GeneralizedLinearOn, PredictsMeans) { check_predictions<TypeParam>(); }

TEST(Losses, OfLargeMarginsDoNotOverflow) {
  for (const double m : {0.0, 1e-300, 1.0, 36.0, 38.0, 700.0, 745.0, 1e4, 1e300}) {
    EXPECT_EQ(LogisticLoss::value(m, 0), m > 50 ? m : LogisticLoss::value(-m, 1));
    EXPECT_EQ(LogisticLoss::value(-m, 1), LogisticLoss::value(m, 0));
    EXPECT_EQ(LogisticLoss::derivative(m, 1), -LogisticLoss::derivative(-m, 0));
    EXPECT_EQ(LogisticLoss::mean(m), m > 50 ? 1 : 1 / (1 + math::exp(-m)));
    EXPECT_EQ(LogisticLoss::curvature(m, 0), LogisticLoss::curvature(-m, 1));
    const long double right = std::log1p(std::exp(-static_cast<long double>(m)));
    EXPECT_NEAR(LogisticLoss::value(m, 1), static_cast<double>(right), 4e-16 * static_cast<double>(right));
    const long double slope = -1 / (1 + std::exp(static_cast<long double>(m)));
    EXPECT_NEAR(LogisticLoss::derivative(m, 1), static_cast<double>(slope),
                1e-15 * std::abs(static_cast<double>(slope)));
  }
  EXPECT_TRUE(std::isnan(LogisticLoss::value(std::nan(""), 1)));
}

// Error message of the problem for these labels and options.
template <class Loss>
std::string refusal(const std::vector<double>& labels, const GeneralizedLinearOptions& options = {}) {
  using Features = DenseFeatures<double, Kokkos::HostSpace>;
  return test::refusal([&] {
    GeneralizedLinear<Kokkos::DefaultHostExecutionSpace, Features, Loss>(Features(1, {1, 2}), labels, options);
  });
}

TEST(GeneralizedLinear, RefusesWhatIsNoProblem) {
  EXPECT_EQ(refusal<LogisticLoss>({0, 1}), "none");
  EXPECT_EQ(refusal<LogisticLoss>({0}), "number of labels is 1, expected one for each row, 2");
  EXPECT_EQ(refusal<LogisticLoss>({0, -1}), "label of row 1 is -1, expected 0 or 1");
  EXPECT_EQ(refusal<SquaredLoss>({0, std::nan("")}), "label of row 1 is nan, expected a finite number");
  EXPECT_EQ(refusal<PoissonLoss>({0.5, 1}), "label of row 0 is 0.5, expected a whole number of at least 0");
  EXPECT_EQ(refusal<LogisticLoss>({0, 1}, {-1, false}), "penalty is -1, expected a finite number of at least 0");
}

}  // namespace generalized_linear_tests
