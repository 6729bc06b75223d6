// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/models/mixtures/mixture_batch.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace sporos {

namespace impl {

/// A direction in which a mixture may move, with its unit: the logarithm of a component's weight before all weights are
/// normalized; its mean in units of its deviation; and the logarithm of its deviation, or of all components'
/// deviations.
struct MixtureDirection {
  enum Kind { log_weight, mean, log_deviation, log_all_deviations } kind;
  std::size_t component;
};

/// Free directions of a fit. They exclude components without weight, deviations at the floor, and the weight of the
/// last component that has any, which the other weights determine.
inline std::vector<MixtureDirection> free_directions(const models::NormalMixture& mixture, double floor,
                                                     bool has_equal_deviations) {
  constexpr double min_weight = 1e-12;
  std::vector<MixtureDirection> directions;
  for (std::size_t c = 0; c < mixture.size(); ++c) {
    if (mixture[c].weight >= min_weight) directions.push_back({MixtureDirection::log_weight, c});
  }
  directions.pop_back();
  for (std::size_t c = 0; c < mixture.size(); ++c) {
    if (mixture[c].weight < min_weight) continue;
    directions.push_back({MixtureDirection::mean, c});
    const bool is_free = mixture[c].deviation > floor && !has_equal_deviations;
    if (is_free) directions.push_back({MixtureDirection::log_deviation, c});
  }
  if (has_equal_deviations && mixture.front().deviation > floor) {
    directions.push_back({MixtureDirection::log_all_deviations, 0});
  }
  return directions;
}

/// Returns the mixture moved by `step` along a direction.
inline models::NormalMixture moved(models::NormalMixture mixture, const MixtureDirection& direction, double step) {
  models::NormalComponent& component = mixture[direction.component];
  switch (direction.kind) {
    case MixtureDirection::log_weight: {
      const double sum = 1 + component.weight * std::expm1(step);
      component.weight *= std::exp(step);
      for (models::NormalComponent& each : mixture) each.weight /= sum;
      break;
    }
    case MixtureDirection::mean:
      component.mean += step * component.deviation;
      break;
    case MixtureDirection::log_deviation:
      component.deviation *= std::exp(step);
      break;
    case MixtureDirection::log_all_deviations:
      for (models::NormalComponent& each : mixture) each.deviation *= std::exp(step);
      break;
  }
  return mixture;
}

/// ∂L along a direction at `mixture`, in units of `fit`'s deviations, from a row of sums.
inline double slope(const MixtureDirection& direction, const models::NormalMixture& fit,
                    const models::NormalMixture& mixture, const double* sums, double total_weight) {
  const std::size_t k = mixture.size(), c = direction.component;
  switch (direction.kind) {
    case MixtureDirection::log_weight:
      return sums[c] - mixture[c].weight * total_weight;
    case MixtureDirection::mean:
      return sums[k + c] * (fit[c].deviation / mixture[c].deviation);
    case MixtureDirection::log_deviation:
      return sums[2 * k + c] - sums[c];
    default: {
      double all = 0;
      for (std::size_t i = 0; i < k; ++i) all += sums[2 * k + i] - sums[i];
      return all;
    }
  }
}

/// Negative second derivatives of L along the directions.
template <class ExecutionSpace, class Real>
SquareMatrix observed_information(models::MixtureLikelihood<ExecutionSpace, Real>& likelihood,
                                  const models::NormalMixture& fit, const std::vector<MixtureDirection>& directions) {
  constexpr double step = sizeof(Real) == sizeof(double) ? 1e-4 : 1e-2;
  std::vector<models::NormalMixture> mixtures;
  for (const MixtureDirection& direction : directions) {
    for (const double signed_step : {step, -step}) mixtures.push_back(moved(fit, direction, signed_step));
  }
  const auto batch = models::to_batch<ExecutionSpace>(mixtures);
  const ExecutionSpace& space = likelihood.execution();
  const Vector<ExecutionSpace> values(Kokkos::view_alloc(space, "sporos::mixtures::values"), mixtures.size());
  const RowMatrix<ExecutionSpace> sums(Kokkos::view_alloc(space, "sporos::mixtures::sums"), mixtures.size(),
                                       batch.parameters.extent(1));
  likelihood.evaluate(batch, values, sums);
  space.fence();
  const auto host_sums = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  const auto slope_at = [&](std::size_t i, std::size_t m) {
    return slope(directions[i], fit, mixtures[m], &host_sums(m, 0), likelihood.total_weight());
  };
  const std::size_t size = directions.size();
  const auto second_derivative = [&](std::size_t i, std::size_t j) {
    return (slope_at(i, 2 * j + 1) - slope_at(i, 2 * j)) / (2 * step);
  };
  SquareMatrix information(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      information(i, j) = 0.5 * (second_derivative(i, j) + second_derivative(j, i));
    }
  }
  return information;
}

/// Standard error of the weight of component c. Its derivative by the logarithm of weight j is w_c (δ_cj − w_j).
inline double error_of_weight(const models::NormalMixture& fit, std::size_t c,
                              const std::vector<MixtureDirection>& directions, const SquareMatrix& covariance) {
  const auto rate = [&](std::size_t i) {
    const std::size_t j = directions[i].component;
    if (directions[i].kind != MixtureDirection::log_weight) return 0.0;
    return fit[c].weight * ((c == j ? 1 : 0) - fit[j].weight);
  };
  double variance = 0;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    for (std::size_t j = 0; j < directions.size(); ++j) variance += rate(i) * covariance(i, j) * rate(j);
  }
  return std::sqrt(std::max(variance, 0.0));
}

}  // namespace impl

/// Standard errors of the parameters of a mixture that maximizes the likelihood, from the observed information. The
/// information consists of the negative second derivatives of L, by central differences of its gradient; one launch
/// computes the gradients at all points. Errors of weights come from the delta method. NaN stands for the deviation of
/// a component at or below `floor`, for all parameters of a component without weight, and for everything if the
/// information is not positive definite. Deviations that are equal in all components move together. Blocks until the
/// result is ready.
template <class ExecutionSpace, class Real>
std::vector<models::NormalComponent> standard_errors(models::MixtureLikelihood<ExecutionSpace, Real>& likelihood,
                                                     const models::NormalMixture& fit, double floor,
                                                     bool has_equal_deviations = false) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<models::NormalComponent> errors(fit.size(), {none, none, none});
  const std::vector<impl::MixtureDirection> directions = impl::free_directions(fit, floor, has_equal_deviations);
  const auto covariance = inverse_of_definite(impl::observed_information(likelihood, fit, directions));
  if (!covariance) return errors;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const auto [kind, c] = directions[i];
    if (kind == impl::MixtureDirection::log_weight) continue;
    if (kind == impl::MixtureDirection::log_all_deviations) {
      for (models::NormalComponent& each : errors) each.deviation = fit[c].deviation * std::sqrt((*covariance)(i, i));
      continue;
    }
    const bool is_mean = kind == impl::MixtureDirection::mean;
    (is_mean ? errors[c].mean : errors[c].deviation) = fit[c].deviation * std::sqrt((*covariance)(i, i));
    if (is_mean) errors[c].weight = impl::error_of_weight(fit, c, directions, *covariance);
  }
  return errors;
}

}  // namespace sporos
