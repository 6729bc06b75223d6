// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace sporos {

/// An estimated probability and its confidence interval.
struct ProportionEstimate {
  double value = 0;  ///< proportion of trials with the event
  double lower = 0;  ///< lower end of the interval
  double upper = 1;  ///< upper end of the interval
};

/// The probability of an event that occurred in `events` of `trials` independent trials, with the interval of Clopper
/// and Pearson (1934), The use of confidence or fiducial limits illustrated in the case of the binomial, Biometrika 26.
/// The interval uses the exact binomial distribution. Its coverage is at least `confidence` for every probability and
/// number of trials, and larger for most. Its width is never 0, even if no trial or every trial had the event. Throws
/// std::invalid_argument for invalid numbers of trials or events, and for a confidence outside (0, 1).
ProportionEstimate clopper_pearson(std::int64_t events, std::int64_t trials, double confidence);

/// One-sided lower Clopper–Pearson bound of the probability, which holds with `confidence`. Throws like
/// clopper_pearson.
double proportion_at_least(std::int64_t events, std::int64_t trials, double confidence);

/// One-sided upper Clopper–Pearson bound of the probability, which holds with `confidence`. Throws like
/// clopper_pearson.
double proportion_at_most(std::int64_t events, std::int64_t trials, double confidence);

}  // namespace sporos
