// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// Parameters estimated from data, and their uncertainty.
namespace sporos {

/// Statistic of the observations that estimates a parameter.
enum class InputStatistic {
  mean,        ///< average
  rate,        ///< 1 over the average of positive observations: the rate of exponential ones
  deviation,   ///< sample standard deviation
  probability  ///< share of ones, if observations are 0 or 1
};

/// Names of the statistics.
template <>
struct ChoiceNames<InputStatistic> {
  static constexpr std::string_view what = "statistic";  ///< name of the choice in messages
  /// name and value of each statistic
  static constexpr auto values =
      std::to_array<NamedValue<InputStatistic>>({{"mean", InputStatistic::mean},
                                                 {"rate", InputStatistic::rate},
                                                 {"deviation", InputStatistic::deviation},
                                                 {"probability", InputStatistic::probability}});
};

/// Distribution of the parameter values that are consistent with the data.
enum class InputSampling {
  bootstrap,  ///< statistic of a resample of the same size, drawn with replacement
  /// Posterior without prior knowledge: Gamma(m, Σ x) for a rate (exponential observations, prior 1/λ), x̄ + s t / √m
  /// with m − 1 degrees of freedom for a mean and s √((m − 1) / χ²) for a deviation (normal observations, prior 1/σ²),
  /// Beta(k + ½, m − k + ½) for a probability (Jeffreys). Gelman et al., Bayesian Data Analysis, 2013, sections 2.4,
  /// 2.6 and 3.2.
  posterior
};

/// Names of the values of InputSampling.
template <>
struct ChoiceNames<InputSampling> {
  static constexpr std::string_view what = "input sampling";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values = std::to_array<NamedValue<InputSampling>>(
      {{"bootstrap", InputSampling::bootstrap}, {"posterior", InputSampling::posterior}});
};

/// Returns the statistic of the observations. Throws std::invalid_argument if there are fewer than two, or if an
/// observation is invalid for the statistic. The message does not name the parameter.
double estimate(InputStatistic statistic, std::span<const double> observations);

/// Returns `samples` values of a parameter on the host. `input` distinguishes the parameters that have the same seed.
/// The result depends only on the arguments, bit for bit. Throws the same exceptions as `estimate`.
std::vector<double> input_samples(InputStatistic statistic, std::span<const double> observations,
                                  InputSampling sampling, std::size_t samples, std::uint64_t seed, std::uint32_t input);

}  // namespace sporos
