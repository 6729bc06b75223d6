// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace sporos {

/// Options of a bootstrap.
struct MixtureBootstrapOptions {
  std::int64_t samples = 199;     ///< number of samples for each test and for the standard errors, at least 19
  std::uint64_t seed = 1;         ///< seed of the samples
  double confidence = 0.95;       ///< confidence of the intervals, in (0, 1)
  double level = 0.05;            ///< probability, in (0, 1), that a test demands a component too many
  std::int64_t iterations = 500;  ///< maximum number of EM iterations from a start
  double tolerance = 1e-8;        ///< tolerance of EM, see EmOptions
};

/// Test of whether k components are enough, against the alternative k + 1.
struct MixtureRatioTest {
  std::int64_t components = 0;  ///< k
  double statistic = 0;         ///< 2 (L of k + 1 − L of k)
  double critical = 0;          ///< value that it exceeds with probability `level` if k components are enough
  double p_value = 1;           ///< (1 + number of samples with at least this statistic) / (1 + samples)
};

/// Results of a bootstrap with samples drawn from fits.
struct MixtureBootstrap {
  MixtureBootstrapOptions options = {};  ///< options used
  std::vector<MixtureRatioTest> tests;   ///< tests from the smallest k up to the first that is enough
  /// First k that is enough; without a value if not even the largest tested k was.
  std::optional<std::int64_t> enough;
  /// Standard errors of the chosen fit's parameters: their deviations over the samples.
  std::vector<models::NormalComponent> standard_errors;
  std::vector<models::NormalComponent> lower;  ///< lower ends of their percentile intervals
  std::vector<models::NormalComponent> upper;  ///< upper ends of their percentile intervals
};

/// Throws std::invalid_argument, naming the option, if an option is out of range.
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
