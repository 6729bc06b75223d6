// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/math/normal.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

namespace sporos::models {

/// FACSIZE of SimOpt: the capacities of three facilities are installed before their demands are known. The demands are
/// jointly normal, conditional on none being negative; a replication draws them once. `Real` is double, or a Dual for
/// derivatives (pathwise.hpp). Unmet demand and cost have derivatives with respect to capacities and unit costs. There
/// are no derivatives with respect to the parameters of the demands, since these determine which demands are rejected
/// and redrawn.
template <class Real = double>
struct BasicFacilitySizing {
  static constexpr std::string_view name = "facility-sizing";  ///< model name on the command line
  /// One-line description for lists.
  static constexpr std::string_view title = "capacities of three facilities with correlated demands";

  Real capacity_1;      ///< capacity of facility 1
  Real capacity_2;      ///< capacity of facility 2
  Real capacity_3;      ///< capacity of facility 3
  Real unit_cost_1;     ///< cost of a unit of capacity at facility 1
  Real unit_cost_2;     ///< cost of a unit of capacity at facility 2
  Real unit_cost_3;     ///< cost of a unit of capacity at facility 3
  Real mean_1;          ///< mean of the normal demand at facility 1
  Real mean_2;          ///< mean at facility 2
  Real mean_3;          ///< mean at facility 3
  Real variance_1;      ///< variance of the normal demand at facility 1
  Real variance_2;      ///< variance at facility 2
  Real variance_3;      ///< variance at facility 3
  Real covariance_1_2;  ///< covariance of the demands at facilities 1 and 2
  Real covariance_1_3;  ///< covariance of the demands at facilities 1 and 3
  Real covariance_2_3;  ///< covariance of the demands at facilities 2 and 3

  /// The only input variable, with three draws for each proposed vector of demands.
  enum Input { demand, input_count };

  /// Installation cost is constant. Stock-out: whether a demand exceeds its capacity. Facilities short: the number of
  /// such facilities. Unmet demand: the sum of the excesses.
  static constexpr auto response_names =
      std::array{"installation cost", "stock-out", "facilities short", "unmet demand"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using F = BasicFacilitySizing;
    const auto described = [](std::string_view parameter, Real F::*member, double default_value,
                              std::string_view meaning, void (*check)(std::string_view, double)) {
      return Parameter<F, Real>{parameter, member, default_value, "", meaning, check};
    };
    const auto capacity = [&](std::string_view parameter, Real F::*member, double default_value) {
      return described(parameter, member, default_value, "capacity of the facility", check_non_negative);
    };
    const auto cost = [&](std::string_view parameter, Real F::*member) {
      return described(parameter, member, 1.0, "cost of installing a unit of capacity", check_non_negative);
    };
    const auto mean = [&](std::string_view parameter, Real F::*member) {
      return described(parameter, member, 100.0, "mean demand, before negative demands are redrawn", check_positive);
    };
    const auto variance = [&](std::string_view parameter, Real F::*member) {
      return described(parameter, member, 2000.0, "variance of the demand", check_positive);
    };
    const auto covariance = [&](std::string_view parameter, Real F::*member, double default_value) {
      return described(parameter, member, default_value, "covariance of the two demands", check_finite);
    };
    return std::tuple{capacity("capacity_1", &F::capacity_1, 150),
                      capacity("capacity_2", &F::capacity_2, 300),
                      capacity("capacity_3", &F::capacity_3, 400),
                      cost("unit_cost_1", &F::unit_cost_1),
                      cost("unit_cost_2", &F::unit_cost_2),
                      cost("unit_cost_3", &F::unit_cost_3),
                      mean("mean_1", &F::mean_1),
                      mean("mean_2", &F::mean_2),
                      mean("mean_3", &F::mean_3),
                      variance("variance_1", &F::variance_1),
                      variance("variance_2", &F::variance_2),
                      variance("variance_3", &F::variance_3),
                      covariance("covariance_1_2", &F::covariance_1_2, 1500),
                      covariance("covariance_1_3", &F::covariance_1_3, 500),
                      covariance("covariance_2_3", &F::covariance_2_3, 750)};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto capacities = [](double start) {
      return std::vector<ProblemDecision>{
          {"capacity_1", 0, infinity, start}, {"capacity_2", 0, infinity, start}, {"capacity_3", 0, infinity, start}};
    };
    const std::string by = "trivariate normal probabilities by Gauss-Legendre, sequential quadratic programming";
    return {{.name = "facsize-1",
             .title = "cheapest capacities that meet all demands with probability 0.95",
             .source = "SimOpt, FACSIZE-1",
             .decisions = capacities(300),
             .objective = "installation cost",
             .constraints = {"P(unmet demand > 0) <= 0.05"},
             .optimum =
                 KnownOptimum{
                     .kind = OptimumKind::exact, .value = 577.07937, .x = {191.3588, 190.7899, 194.9307}, .source = by},
             .is_smooth = true,
             .has_unbiased_path = true},
            {.name = "facsize-2",
             .title = "capacities, total at most 500, that maximize the probability of meeting all demands",
             .source = "SimOpt, FACSIZE-2",
             .decisions = capacities(100),
             .objective = "1 - stock-out",
             .is_maximized = true,
             .constraints = {"capacity_1 + capacity_2 + capacity_3 <= 500"},
             .optimum =
                 KnownOptimum{
                     .kind = OptimumKind::exact, .value = 0.8417158, .x = {165.2721, 164.2295, 170.4984}, .source = by},
             .is_smooth = true}};
  }

  /// Throws std::invalid_argument if a parameter is out of range, if the covariance matrix is not positive definite, or
  /// if the probability of rejecting a vector might exceed 1/2.
  void check() const;

  /// Responses are not negative.
  ResponseRange response_range(int response) const {
    if (response == 0) return ResponseRange::constant(installation_cost());
    if (response == 1) return ResponseRange::event();
    return response == 2 ? ResponseRange{0, 3} : ResponseRange{.least = 0};
  }

  /// Exact expectation of the cost and, if the covariances are 0, of all other responses.
  ExactMeans<BasicFacilitySizing> exact_means() const;

  /// Σ unit cost · capacity.
  KOKKOS_FUNCTION Real installation_cost() const {
    return unit_cost_1 * capacity_1 + unit_cost_2 * capacity_2 + unit_cost_3 * capacity_3;
  }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<Real, 4> operator()(Inputs& inputs) const;

 private:
  // Cholesky factor L of the covariance matrix L Lᵀ. Its diagonal is stored squared, since `check` needs only the
  // squares.
  struct Factor {
    Real pivot_1, pivot_2, pivot_3;  // squares of the diagonal
    Real l_21, l_31, l_32;
  };

  KOKKOS_FUNCTION Factor factor() const {
    const Real root_1 = math::sqrt(variance_1);
    const Real l_21 = covariance_1_2 / root_1, l_31 = covariance_1_3 / root_1;
    const Real pivot_2 = variance_2 - l_21 * l_21;
    const Real l_32 = (covariance_2_3 - l_31 * l_21) / math::sqrt(pivot_2);
    return {variance_1, pivot_2, variance_3 - l_31 * l_31 - l_32 * l_32, l_21, l_31, l_32};
  }
};

/// The facilities with plain doubles.
using FacilitySizing = BasicFacilitySizing<>;

template <class Real>
template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<Real, 4> BasicFacilitySizing<Real>::operator()(Inputs& inputs) const {
  const Factor l = factor();
  const Real l_11 = math::sqrt(l.pivot_1), l_22 = math::sqrt(l.pivot_2), l_33 = math::sqrt(l.pivot_3);
  Real demand_1, demand_2, demand_3;
  do {
    const double z_1 = standard_variate<StandardNormal>(inputs(demand));
    const double z_2 = standard_variate<StandardNormal>(inputs(demand));
    const double z_3 = standard_variate<StandardNormal>(inputs(demand));
    demand_1 = mean_1 + l_11 * z_1;
    demand_2 = mean_2 + (l.l_21 * z_1 + l_22 * z_2);
    demand_3 = mean_3 + (l.l_31 * z_1 + l.l_32 * z_2 + l_33 * z_3);
  } while (demand_1 < 0.0 || demand_2 < 0.0 || demand_3 < 0.0);

  double facilities = 0;
  Real unmet = 0;
  const auto serve = [&](const Real& wanted, const Real& capacity) {
    if (wanted <= capacity) return;
    facilities += 1;
    unmet += wanted - capacity;
  };
  serve(demand_1, capacity_1);
  serve(demand_2, capacity_2);
  serve(demand_3, capacity_3);
  return {{installation_cost(), Real(facilities > 0 ? 1.0 : 0.0), Real(facilities), unmet}};
}

template <class Real>
void BasicFacilitySizing<Real>::check() const {
  check_parameters(*this);
  constexpr double rounding = 1e-12;
  const Factor l = factor();
  sporos::impl::check_parameter(l.pivot_2 > rounding * variance_2, "covariance_1_2", covariance_1_2,
                                "a value that makes the covariance matrix positive definite");
  sporos::impl::check_parameter(l.pivot_3 > rounding * variance_3, "covariance_2_3", covariance_2_3,
                                "a value that makes the covariance matrix positive definite");
  const double negative = math::normal_cdf(-mean_1 / std::sqrt(variance_1)) +
                          math::normal_cdf(-mean_2 / std::sqrt(variance_2)) +
                          math::normal_cdf(-mean_3 / std::sqrt(variance_3));
  sporos::impl::check_parameter(negative <= 0.5, "sum of the probabilities of negative demands", negative,
                                "at most 0.5");
}

template <class Real>
ExactMeans<BasicFacilitySizing<Real>> BasicFacilitySizing<Real>::exact_means() const {
  if (covariance_1_2 != 0 || covariance_1_3 != 0 || covariance_2_3 != 0) {
    return {installation_cost(), std::nullopt, std::nullopt, std::nullopt};
  }
  double all_met = 1, facilities = 0, unmet = 0;
  const auto add = [&](double capacity, double mean, double variance) {
    const double deviation = std::sqrt(variance), at = (capacity - mean) / deviation;
    const double taken = math::normal_cdf(mean / deviation);  // probability that a demand is not negative
    const double above = math::normal_cdf(-at);
    const double density = std::exp(-0.5 * at * at) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    all_met *= 1 - above / taken;
    facilities += above / taken;
    unmet += deviation * (density - at * above) / taken;
  };
  add(capacity_1, mean_1, variance_1);
  add(capacity_2, mean_2, variance_2);
  add(capacity_3, mean_3, variance_3);
  return {installation_cost(), 1 - all_met, facilities, unmet};
}

}  // namespace sporos::models
