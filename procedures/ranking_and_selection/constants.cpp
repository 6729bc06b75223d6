// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/ranking_and_selection/constants.hpp>

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/roots.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos {

namespace {

void check_arguments(std::int64_t systems, std::int64_t first_stage, double confidence) {
  if (systems < 2) throw std::invalid_argument("systems: " + std::to_string(systems) + ", expected at least 2");
  if (first_stage < 2) {
    throw std::invalid_argument("replications of the first stage: " + std::to_string(first_stage) +
                                ", expected at least 2");
  }
  if (!(confidence > 1.0 / static_cast<double>(systems) && confidence < 1)) {
    throw std::invalid_argument("confidence: " + std::to_string(confidence) + ", expected above 1/" +
                                std::to_string(systems) + ", the confidence of a random selection, and below 1");
  }
}

// Degrees of freedom for variances in integrals. Beyond 10^6 the constants hardly change. Since they fall with the
// degrees of freedom, using fewer is safe.
double integrated_freedom(std::int64_t first_stage) {
  constexpr std::int64_t most = 1'000'000;
  return static_cast<double>(std::min(first_stage - 1, most));
}

// Probability with which each of the others may win, if all of them must lose, independently, with probability
// `confidence`.
double loss_to_one(std::int64_t systems, double confidence) {
  return -std::expm1(std::log(confidence) / static_cast<double>(systems - 1));
}

double normal_tail(double x) { return 0.5 * std::erfc(x / std::numbers::sqrt2); }

// The χ² distribution as a function of the logarithm of its variable. Its density falls exponentially to the left and
// faster to the right.
class LogChiSquare {
 public:
  explicit LogChiSquare(double freedom) : m_half(freedom / 2), m_peak(std::log(freedom)) {}

  double density(double log_x) const {
    const double half_x = 0.5 * std::exp(log_x);
    return half_x * boost::math::gamma_p_derivative(m_half, half_x);
  }

  // Outside [least(), greatest()] the probability is below 10^-30.
  double least() const { return edge(-1); }
  double greatest() const { return edge(1); }

  // Step size, as a part of the density's width, for which the trapezoidal rule is exact up to rounding, for the
  // density and its products with functions as smooth.
  double step() const { return std::min(0.1, 0.25 / std::sqrt(m_half)); }

 private:
  double edge(int direction) const {
    double distance = step();
    while (density(m_peak + direction * distance) > 1e-34) distance *= 1.1;
    return m_peak + direction * distance;
  }

  double m_half, m_peak;
};

// Node of a quadrature over a χ² variable.
struct Node {
  double x;
  double weight;
};

std::vector<Node> nodes_of(const LogChiSquare& distribution) {
  std::vector<Node> nodes;
  const double step = distribution.step();
  for (double log_x = distribution.least(); log_x < distribution.greatest(); log_x += step) {
    nodes.push_back({std::exp(log_x), step * distribution.density(log_x)});
  }
  return nodes;
}

// Returns the x > 0 for which `falling` has the value `wanted`; both are positive.
template <class Function>
double where_equal(const Function& falling, double wanted) {
  std::uintmax_t steps = 200;
  const auto of_logarithm = [&](double log_x) {
    constexpr double least = 1e-300;  // replaces values that underflow
    return std::log(std::max(falling(std::exp(log_x)), least) / wanted);
  };
  double low = 0, high = 1;  // bounds of ln x
  while (of_logarithm(low) < 0) low -= 1;
  while (of_logarithm(high) > 0) high += 1;
  const auto [left, right] =
      boost::math::tools::toms748_solve(of_logarithm, low, high, boost::math::tools::eps_tolerance<double>(40), steps);
  return std::exp(0.5 * (left + right));
}

}  // namespace

double rinott_constant(std::int64_t systems, std::int64_t first_stage, double confidence) {
  check_arguments(systems, first_stage, confidence);
  const double freedom = integrated_freedom(first_stage);
  const auto others = static_cast<double>(systems - 1);
  const LogChiSquare distribution(freedom);
  const std::vector<Node> nodes = nodes_of(distribution);
  const auto failure_against_one = [&](double h, double y) {
    double sum = 0;
    for (const Node& node : nodes) sum += node.weight * normal_tail(h / std::sqrt(freedom * (1 / node.x + 1 / y)));
    return sum;
  };
  const auto failure_against_any = [&](double h) {
    const auto integrand = [&](double log_y) {
      const double against_all = -std::expm1(others * std::log1p(-failure_against_one(h, std::exp(log_y))));
      return distribution.density(log_y) * against_all;
    };
    constexpr unsigned max_halvings = 12;  // a system among 10^9 makes the integrand steep
    constexpr double tolerance = 1e-10;
    return boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
        integrand, distribution.least(), distribution.greatest(), max_halvings, tolerance);
  };
  return where_equal(failure_against_any, 1 - confidence);
}

double gsp_screening_constant(std::int64_t systems, std::int64_t first_stage, double confidence) {
  check_arguments(systems, first_stage, confidence);
  const double freedom = integrated_freedom(first_stage);
  std::vector<Node> nodes = nodes_of(LogChiSquare(freedom));
  for (Node& node : nodes) node.weight *= 4 * boost::math::gamma_q(freedom / 2, node.x / 2);
  const auto loss_of_best = [&](double eta) {
    double sum = 0;
    for (const Node& node : nodes) sum += node.weight * normal_tail(eta * std::sqrt(node.x));
    return sum;
  };
  return where_equal(loss_of_best, loss_to_one(systems, confidence));
}

double kn_constant(std::int64_t systems, std::int64_t first_stage, double confidence) {
  check_arguments(systems, first_stage, confidence);
  const auto freedom = static_cast<double>(first_stage - 1);
  const double share = 2 * (1 - confidence) / static_cast<double>(systems - 1);
  return freedom * std::expm1(-2 / freedom * std::log(share));
}

double kn_plus_constant(std::int64_t systems, double confidence) {
  check_arguments(systems, 2, confidence);
  return -2 * std::log(2 * (1 - confidence) / static_cast<double>(systems - 1));
}

double one_sided_constant(std::int64_t first_stage, double error) {
  check_arguments(2, first_stage, 1 - error / 2);
  const auto freedom = static_cast<double>(first_stage - 1);
  return freedom * std::expm1(-2 / freedom * std::log(error));
}

double subset_constant(std::int64_t systems, std::int64_t first_stage, double confidence, bool common_random_numbers) {
  check_arguments(systems, first_stage, confidence);
  const double tail =
      common_random_numbers ? (1 - confidence) / static_cast<double>(systems - 1) : loss_to_one(systems, confidence);
  const boost::math::students_t distribution(static_cast<double>(first_stage - 1));
  return boost::math::quantile(boost::math::complement(distribution, tail));
}

double biz_constant(std::int64_t systems, double confidence) {
  check_arguments(systems, 2, confidence);
  return loss_to_one(systems, confidence);
}

double bi_pass_constant(double rate) {
  if (!(rate > 0 && rate < 0.5)) {
    throw std::invalid_argument("rate of false eliminations: " + std::to_string(rate) + ", expected in (0, 0.5)");
  }
  const double crossed = 4 * rate / (1 + std::sqrt(1 + 8 * rate));  // exp(-c/2)
  return -2 * std::log(crossed);
}

}  // namespace sporos
