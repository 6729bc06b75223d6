// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace sporos {

/// An estimated probability and its confidence interval.
struct ProportionEstimate {
  double value = 0;  ///< the share of trials with the event
  double lower = 0;  ///< lower end
  double upper = 1;  ///< upper end
};

/// The probability of an event that `events` of `trials` independent trials had, with Clopper and Pearson's interval
/// (The use of confidence or fiducial limits illustrated in the case of the binomial, Biometrika 26, 1934): by the
/// binomial distribution itself, so that it covers with at least `confidence` for every probability and number of
/// trials, and with more than that for most. Never without width, also where no trial had the event or all had it.
/// Throws std::invalid_argument for numbers that are none of trials and a confidence outside (0, 1).
ProportionEstimate clopper_pearson(std::int64_t events, std::int64_t trials, double confidence);

/// Its one-sided bounds, each of which holds with that confidence: what the probability is at least.
double proportion_at_least(std::int64_t events, std::int64_t trials, double confidence);

/// What it is at most.
double proportion_at_most(std::int64_t events, std::int64_t trials, double confidence);

}  // namespace sporos
