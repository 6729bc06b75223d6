// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace sporos {

/// Everything about a bootstrap that is not the fit.
struct MixtureBootstrapOptions {
  std::int64_t samples = 199;     ///< for each question, at least 19
  std::uint64_t seed = 1;         ///< of the samples
  double confidence = 0.95;       ///< of the intervals, in (0, 1)
  double level = 0.05;            ///< the probability, in (0, 1), of asking for a component too many
  std::int64_t iterations = 500;  ///< most of EM from a start
  double tolerance = 1e-8;        ///< of EM, see EmOptions
};

/// Whether k components are enough, k + 1 being the alternative.
struct MixtureRatioTest {
  std::int64_t components = 0;  ///< k
  double statistic = 0;         ///< 2 (L of k + 1 − L of k)
  double critical = 0;          ///< what it exceeds with the probability `level` where k are enough
  double p_value = 1;           ///< (1 + samples whose statistic is as large) / (1 + samples)
};

/// What samples drawn from fits say about them.
struct MixtureBootstrap {
  MixtureBootstrapOptions options = {};  ///< how
  std::vector<MixtureRatioTest> tests;   ///< from the least k up to the first that is enough
  /// The first k that is enough; without a value where the largest fit was reached before.
  std::optional<std::int64_t> enough;
  /// Of each number of the chosen fit, the deviation over the samples, …
  std::vector<models::NormalComponent> standard_errors;
  std::vector<models::NormalComponent> lower;  ///< … and the interval's lower …
  std::vector<models::NormalComponent> upper;  ///< … and upper end, both percentiles
};

/// Throws std::invalid_argument, naming the option, for options that are not as their members say.
inline void check(const MixtureBootstrapOptions& options) {
  using impl::check_parameter;
  const auto is_inside = [](double x) { return x > 0 && x < 1; };
  constexpr std::int64_t least = 19, most = 1'000'000;
  check_parameter(least <= options.samples && options.samples <= most, "number of bootstrap samples",
                  static_cast<double>(options.samples), "a number from 19 to 1000000");
  check_parameter(is_inside(options.confidence), "confidence", options.confidence, "a number between 0 and 1");
  check_parameter(is_inside(options.level), "level", options.level, "a number between 0 and 1");
}

}  // namespace sporos
