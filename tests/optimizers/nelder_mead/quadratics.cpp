// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/serial_or_host.hpp"

#include <sporos/optimizers/nelder_mead/nelder_mead.hpp>
#include <sporos/optimizers/nelder_mead/pointwise_objective.hpp>

#include <harness/backends.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace quadratics_tests {

using namespace sporos;
using test::SerialOrHost;

// Σ (z_i − 1)² + 3 with z_i = x_i + x_{i+1} / 2, where the last one is x_{n−1}: the minimum is 3, where z_i = 1.
struct Quadratic {
  KOKKOS_FUNCTION double operator()(const double* x, std::int64_t n) const {
    double sum = 3;
    for (std::int64_t i = 0; i < n; ++i) {
      const double z = x[i] + (i + 1 < n ? 0.5 * x[i + 1] : 0.0) - 1;
      sum += z * z;
    }
    return sum;
  }
};

std::vector<double> minimum(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = n; i-- > 0;) x[i] = 1 - (i + 1 < n ? 0.5 * x[i + 1] : 0.0);
  return x;
}

SimplexStart start(std::size_t n, double at = 0) { return {std::vector<double>(n, at), std::vector<double>(n, 1.0)}; }

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

bool same(const NelderMeadResult& a, const NelderMeadResult& b) {
  return a.point == b.point && a.value == b.value && a.evaluations == b.evaluations && a.iterations == b.iterations &&
         a.restarts == b.restarts && a.shrinks == b.shrinks && a.oriented_restarts == b.oriented_restarts &&
         a.stopped_by == b.stopped_by && a.state.vertices == b.state.vertices && a.state.values == b.state.values;
}

template <class Space>
struct NelderMead : testing::Test {};
TYPED_TEST_SUITE(NelderMead, test::Backends, test::BackendName);

template <class Space>
std::vector<NelderMeadResult> run(const std::vector<SimplexStart>& starts, const NelderMeadOptions& options,
                                  const NelderMeadCallback& callback = {}) {
  PointwiseObjective<Space, Quadratic> objective{Quadratic()};
  return nelder_mead(objective, starts, options, callback);
}

NelderMeadOptions many_restarts() {
  NelderMeadOptions options;
  options.coefficients = NelderMeadCoefficients::adaptive;
  options.restarts = 20;
  return options;
}

TYPED_TEST(NelderMead, FindsTheMinimumOfQuadratics) {
  std::vector<SimplexStart> starts;
  for (const std::size_t n : {1, 2, 3, 5, 10, 20, 35, 50}) starts.push_back(start(n));
  NelderMeadOptions options;
  options.coefficients = NelderMeadCoefficients::adaptive;
  options.size_tolerance = options.value_tolerance = 1e-7;
  for (const NelderMeadResult& found : run<TypeParam>(starts, options)) {
    const std::size_t n = found.point.size();
    EXPECT_EQ(found.stopped_by, StoppedBy::simplex) << n;
    EXPECT_NEAR(found.value, 3, 1e-7) << n;
    EXPECT_LT(distance(found.point, minimum(n)), 1e-3) << n;
  }
}

// A simplex has the same bits alone, among others and after others.
TYPED_TEST(NelderMead, FindsTheSameBitsWhateverTheOthers) {
  NelderMeadOptions options = many_restarts();
  options.restarts = 1;
  options.oriented_restarts = 2;
  std::vector<SimplexStart> starts;
  for (int i = 0; i < 40; ++i) starts.push_back(start(1 + static_cast<std::size_t>(i) % 9, 0.25 * i));
  const auto together = run<TypeParam>(starts, options);
  for (const std::size_t s : {0, 7, 22, 39}) {
    EXPECT_TRUE(same(run<TypeParam>({starts[s]}, options)[0], together[s])) << s;
    EXPECT_TRUE(same(run<SerialOrHost>({starts[s]}, options)[0], together[s])) << s;
  }
  EXPECT_FALSE(same(together[8], together[17])) << "from other points";
}

TYPED_TEST(NelderMead, GoesOnWithTheSameBits) {
  NelderMeadOptions options = many_restarts();
  options.restarts = 2;
  options.oriented_restarts = 1;
  options.reevaluation_interval = 7;
  const std::vector<SimplexStart> starts = {start(2), start(7), start(5, 3.0)};
  const auto whole = run<TypeParam>(starts, options);
  for (const std::int64_t rounds : {1, 7}) {
    std::int64_t seen = 0;
    const auto part = run<TypeParam>(starts, options, [&](const NelderMeadProgress&) {
      return ++seen == rounds ? Continuation::stop : Continuation::go_on;
    });
    std::vector<NelderMeadState> states;
    for (const NelderMeadResult& one : part) states.push_back(one.state);
    EXPECT_EQ(part[1].stopped_by, StoppedBy::callback) << rounds;
    PointwiseObjective<TypeParam, Quadratic> objective{Quadratic()};
    const auto rest = nelder_mead(objective, states, options);
    for (std::size_t s = 0; s < starts.size(); ++s) EXPECT_TRUE(same(rest[s], whole[s])) << rounds << " " << s;
  }
}

// A budget may stop a run anywhere; the run that continues with a larger budget has the same bits.
TYPED_TEST(NelderMead, GoesOnAfterItsEvaluationsWithTheSameBits) {
  NelderMeadOptions options = many_restarts(), few = options;
  options.oriented_restarts = few.oriented_restarts = 2;
  options.reevaluation_interval = few.reevaluation_interval = 3;
  const auto whole = run<TypeParam>({start(3)}, options);
  for (few.evaluations = 1; few.evaluations < 200; few.evaluations += 17) {
    const auto part = run<TypeParam>({start(3)}, few);
    EXPECT_EQ(part[0].stopped_by, StoppedBy::evaluations);
    EXPECT_GE(part[0].evaluations, few.evaluations);
    EXPECT_LE(part[0].evaluations, std::max<std::int64_t>(few.evaluations + 6, 4));
    PointwiseObjective<TypeParam, Quadratic> objective{Quadratic()};
    EXPECT_TRUE(same(nelder_mead(objective, std::vector<NelderMeadState>{part[0].state}, options)[0], whole[0]));
  }
}

}  // namespace quadratics_tests
