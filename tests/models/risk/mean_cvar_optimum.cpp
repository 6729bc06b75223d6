// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks optima of the mean–CVaR that are known in closed form, on one backend because all have the same bits.
#include "costs.hpp"
#include "harness/serial_or_host.hpp"

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/risk/mean_cvar.hpp>
#include <sporos/optimizers/quasi_newton/lbfgs.hpp>
#include <sporos/optimizers/quasi_newton/sqn.hpp>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mean_cvar_optimum_tests {

using namespace sporos;
using models::MeanCvar, models::MeanCvarOptions;
using test::SerialOrHost;
using Space = SerialOrHost;
using Values = std::vector<double>;

const boost::math::normal standard_normal;
double quantile_of(double p) { return boost::math::quantile(standard_normal, p); }

// Returns (E[C | C > VaR] − E C) / deviation of a normal cost C.
double cvar_factor(double level) { return boost::math::pdf(standard_normal, quantile_of(level)) / (1 - level); }

// For normal C(x), f(x) = −mᵀw + κ √(Σ σ_j² w_j²) with κ = λ φ(z_α) / (1 − α) and w = (x, 1 − Σx).
constexpr test::PortfolioLoss portfolio{{{0.08, 0.05, 0.03, 0.06}}, {{0.3, 0.2, 0.1, 0.25}}};
constexpr double level = 0.9, weight = 0.6;

struct NormalLoss {
  double mean, deviation;
};
NormalLoss loss_at(const Values& x) {
  double last = 1, mean = 0, variance = 0;
  for (std::size_t j = 0; j < 4; ++j) {
    const double w = j < 3 ? x[j] : last, spread = w * portfolio.deviations[j];
    last -= w;
    mean -= w * portfolio.means[j];
    variance += spread * spread;
  }
  return {mean, std::sqrt(variance)};
}
double exact_objective(const Values& x) {
  const NormalLoss loss = loss_at(x);
  return loss.mean + weight * cvar_factor(level) * loss.deviation;
}

// Computes the optimum on Merton's frontier, with A = Σ 1/σ², B = Σ m/σ², C = Σ m²/σ² and D = AC − B². The smallest
// deviation at mean return B/A + y is √(1/A + A y²/D). The sum of −y and κ times this deviation is smallest at y =
// (D/A) / √(A (κ² − D/A)). The weights are (1/A + (m_j − B/A) A y / D) / σ_j².
Values optimum() {
  double a = 0, b = 0, c = 0;
  for (std::size_t j = 0; j < 4; ++j) {
    const double m = portfolio.means[j], precision = 1 / (portfolio.deviations[j] * portfolio.deviations[j]);
    a += precision;
    b += m * precision;
    c += m * m * precision;
  }
  const double slope = c - b * b / a, kappa = weight * cvar_factor(level);  // slope: D / A
  const double y = slope / std::sqrt(a * (kappa * kappa - slope));
  Values x;
  for (std::size_t j = 0; j < 3; ++j) {
    const double deviation = portfolio.deviations[j];
    x.push_back((1 / a + (portfolio.means[j] - b / a) * y / slope) / (deviation * deviation));
  }
  const NormalLoss loss = loss_at(x);
  x.push_back(loss.mean + quantile_of(level) * loss.deviation);  // t
  return x;
}

TEST(PortfolioLoss, HasTheOptimumOfTheFormula) {
  const Values best = optimum();
  for (std::size_t j = 0; j < 3; ++j) {
    for (const double step : {-1e-3, 1e-3}) {
      Values x = best;
      x[j] += step;
      EXPECT_GT(exact_objective(x), exact_objective(best));
    }
  }
}

// Returns n vᵀ S⁻¹ v with v = ∇²f̂ (x̂ − x*) and the covariance S of a replication's gradient at x*. To first order v
// is −∇f̂(x*), so the result tends to χ² with dim degrees of freedom if x* is the optimum.
template <class Problem>
double squared_error(Problem& problem, const SampleRange& sample, const Values& found, const Values& best) {
  const std::size_t d = best.size();
  constexpr std::int64_t batches = 400, batch = 50;
  std::vector<Values> gradients;
  Values mean(d), off(d);
  const Vector<Space> g("test::g", d);
  for (std::int64_t i = 0; i < batches; ++i) {
    problem.draw({999, static_cast<std::uint64_t>(i * batch), batch});
    problem.gradient(to_device<Space>(best), g);
    gradients.push_back(to_host<Space>(g));
    for (std::size_t j = 0; j < d; ++j) mean[j] += gradients.back()[j] / batches;
  }
  for (std::size_t j = 0; j < d; ++j) off[j] = found[j] - best[j];
  problem.draw(sample);
  problem.hessian_product(to_device<Space>(found), to_device<Space>(off), g);
  const Values v = to_host<Space>(g);

  // Gaussian elimination on S next to v leaves S⁻¹ v.
  std::vector<Values> rows(d, Values(d + 1));
  for (std::size_t i = 0; i < d; ++i) {
    rows[i][d] = v[i];
    for (std::size_t j = 0; j < d; ++j) {
      for (const Values& gradient : gradients) {
        rows[i][j] += (gradient[i] - mean[i]) * (gradient[j] - mean[j]) * batch / (batches - 1);
      }
    }
  }
  double sum = 0;
  for (std::size_t k = 0; k < d; ++k) {
    sum += rows[k][d] * rows[k][d] / rows[k][k];
    for (std::size_t i = k + 1; i < d; ++i) {
      const double share = rows[i][k] / rows[k][k];
      for (std::size_t j = k; j <= d; ++j) rows[i][j] -= share * rows[k][j];
    }
  }
  return static_cast<double>(sample.size) * sum;
}

// Threshold exceeded with probability 1e-4 at the right optimum. The noise of S and of the Hessian adds about 10 %.
double threshold(std::size_t dimension) {
  const boost::math::chi_squared distribution(static_cast<double>(dimension));
  return 1.1 * boost::math::quantile(boost::math::complement(distribution, 1e-4));
}

constexpr SampleRange large{5, 0, 20'000};

template <class Problem>
Values minimized(Problem& problem, Values start) {
  problem.draw(large);
  start.push_back(problem.risk(start).value_at_risk);
  LbfgsOptions options;
  options.seed = large.seed;
  options.sample_size = large.size;
  options.gradient_tolerance = 1e-7;
  options.record_interval = 0;
  const QuasiNewtonResult result = lbfgs(problem, start, options);
  EXPECT_EQ(result.stopped_by, StoppedBy::gradient);
  return result.solution;
}

TEST(MeanCvar, OfNormalLossesIsLeastWhereTheFormulaSays) {
  MeanCvar<Space, test::PortfolioLoss> problem(portfolio, {level, weight, 0.004});
  const Values found = minimized(problem, {0.25, 0.25, 0.25}), best = optimum();
  EXPECT_LT(squared_error(problem, large, found, best), threshold(4));
  EXPECT_LT(exact_objective(found) - exact_objective(best), 1e-3 * std::abs(exact_objective(best)));
  // Control: another level of the CVaR.
  MeanCvar<Space, test::PortfolioLoss> other(portfolio, {0.8, weight, 0.004});
  EXPECT_GT(squared_error(problem, large, minimized(other, {0.25, 0.25, 0.25}), best), 10 * threshold(4));
}

TEST(MeanCvar, OfNormalLossesIsThatOfTheFormula) {
  MeanCvar<Space, test::PortfolioLoss> problem(portfolio, {level, weight, 0.004});
  problem.draw({8, 0, 100'000});
  const Values x = {0.1, 0.2, 0.4};
  const NormalLoss loss = loss_at(x);
  const models::CostRisk risk = problem.risk(x);
  // Standard errors in deviations of the loss: the variance of (Z − z)⁺ / (1 − α) is below 1/(1 − α), because
  // E[(Z − z)² | Z > z] is below 1.
  const double error = 4 * loss.deviation / std::sqrt(1e5), tail = error / std::sqrt(1 - level);
  EXPECT_NEAR(risk.mean, loss.mean, error);
  EXPECT_NEAR(risk.value_at_risk, loss.mean + quantile_of(level) * loss.deviation, tail);
  EXPECT_NEAR(risk.cvar, loss.mean + cvar_factor(level) * loss.deviation, tail);
  EXPECT_GT(std::abs(risk.cvar - (loss.mean + cvar_factor(0.88) * loss.deviation)), tail) << "the control";
}

// A newsvendor without risk aversion orders the critical quantile.
TEST(MeanCvar, OfWeightZeroIsLeastAtTheCriticalQuantiles) {
  const test::NewsvendorCost cost{5, {0.05}, 1, 3};
  MeanCvar<Space, test::NewsvendorCost> problem(cost, {level, 0, 0.01});
  const Values found = minimized(problem, {9, 9, 9, 9, 9});
  // The bound is 5 standard errors of a sample quantile at 0.75, which chance exceeds with probability 6e-7.
  const double density = boost::math::pdf(standard_normal, quantile_of(0.75));
  const double error = 5 * std::sqrt(0.75 * 0.25 / static_cast<double>(large.size)) / density;
  for (std::int64_t j = 0; j < 5; ++j) {
    const double z = (found[static_cast<std::size_t>(j)] - cost.mean(j)) / cost.deviation(j);
    EXPECT_NEAR(z, quantile_of(0.75), error);
    EXPECT_GT(std::abs(z - quantile_of(0.7)), error) << "the control";
  }
}

// A fully risk-averse newsvendor orders (h a + v b) / (h + v), where a and b are the quantiles at (1 − α) v / (h + v)
// and at 1 − (1 − α) h / (h + v), h is the cost of a surplus unit and v that of a missing unit. The cost exceeds the
// value at risk h v (b − a) / (h + v) for demands below a and above b.
TEST(MeanCvar, OfWeightOneIsLeastWhereTheWorstDemandsBalance) {
  const test::NewsvendorCost cost{1, {1e-3}, 1, 3};
  MeanCvar<Space, test::NewsvendorCost> problem(cost, {level, 1, 0.02});
  const double a = cost.mean(0) + cost.deviation(0) * quantile_of((1 - level) * 3 / 4);
  const double b = cost.mean(0) + cost.deviation(0) * quantile_of(1 - (1 - level) / 4);
  const Values found = minimized(problem, {9}), best = {(a + 3 * b) / 4, 3 * (b - a) / 4};
  EXPECT_LT(squared_error(problem, large, found, best), threshold(2));
  EXPECT_GT(squared_error(problem, large, found, {best[0] + 0.1, best[1]}), 2 * threshold(2)) << "the control";
}

// SQN takes 2000 iterations of 50 replications with default settings and comes within 0.5 % of the possible gain.
TEST(MeanCvar, IsMinimizedBySqn) {
  MeanCvar<Space, test::PortfolioLoss> problem(portfolio, {level, weight, 0.02});
  problem.draw(large);
  Values start = {0.25, 0.25, 0.25};
  start.push_back(problem.risk(start).value_at_risk);
  SqnOptions options;
  options.record_interval = 0;
  const Values found = sqn(problem, start, options).solution;
  const double least = exact_objective(optimum());
  EXPECT_LT(exact_objective(found) - least, 0.005 * (exact_objective(start) - least));
  EXPECT_EQ(sqn(problem, start, options).solution, found);
}

}  // namespace mean_cvar_optimum_tests
