// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// Parameters that are estimated from data, and how far off they may be.
namespace sporos {

/// What of the observations a parameter is.
enum class InputStatistic {
  mean,        ///< their average
  rate,        ///< 1 over the average of positive observations: the rate of exponential ones
  deviation,   ///< their sample standard deviation
  probability  ///< the share of those that are 1, of observations that are 0 or 1
};

/// Names of the statistics.
template <>
struct ChoiceNames<InputStatistic> {
  static constexpr std::string_view what = "statistic";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<InputStatistic>>({{"mean", InputStatistic::mean},
                                                 {"rate", InputStatistic::rate},
                                                 {"deviation", InputStatistic::deviation},
                                                 {"probability", InputStatistic::probability}});
};

/// From what a parameter's values are drawn that the data do not rule out.
enum class InputSampling {
  bootstrap,  ///< the statistic of as many observations, drawn with replacement
  /// The posterior without prior knowledge: of a rate Gamma(m, Σ x) (exponential observations, prior 1/λ), of a mean
  /// x̄ + s t / √m with m − 1 degrees of freedom and of a deviation s √((m − 1) / χ²) (normal observations, prior 1/σ²),
  /// of a probability Beta(k + ½, m − k + ½) (Jeffreys). Gelman et al., Bayesian Data Analysis, 2013, sections 2.4,
  /// 2.6 and 3.2.
  posterior
};

/// Names of the two.
template <>
struct ChoiceNames<InputSampling> {
  static constexpr std::string_view what = "input sampling";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<InputSampling>>(
      {{"bootstrap", InputSampling::bootstrap}, {"posterior", InputSampling::posterior}});
};

/// The statistic of observations. Throws std::invalid_argument, without a name, where there are fewer than two, and
/// for observations that the statistic cannot have.
double estimate(InputStatistic statistic, std::span<const double> observations);

/// `samples` values of a parameter, input variable `input` of those that have the same seed; the bits depend on the
/// arguments alone. Throws as `estimate` does. Host memory.
std::vector<double> input_samples(InputStatistic statistic, std::span<const double> observations,
                                  InputSampling sampling, std::size_t samples, std::uint64_t seed, std::uint32_t input);

}  // namespace sporos
