// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Means of responses corrected by control variates: what is known to have a mean, and was observed to miss it.
namespace sporos {

/// A control at a design point.
struct ObservedControl {
  std::string name;  ///< as the model calls it
  double known;      ///< its expectation
  double mean;       ///< as it was observed
  double error;      ///< standard error of that
  bool is_used;      ///< whether it is regressed on: neither constant nor explained by those before it
};

/// A response's mean with controls.
struct ControlledMean {
  double mean = 0;            ///< the estimate
  double half_width = 0;      ///< of its interval; infinite where there are too few observations
  double variance_ratio = 1;  ///< of the plain mean's estimated variance over this one's; infinite where it is 0
  std::int64_t freedom = 0;   ///< degrees of freedom of the interval
};

/// What came out at a design point.
struct ControlledPoint {
  std::vector<ObservedControl> controls;  ///< in order
  std::vector<ControlledMean> responses;  ///< in order
};

/// Of a design point whose last responses are controls with expectations `known`, and which has the covariances of all:
/// of the others the means regressed on the q controls,
///
///     Ȳ − β'(C̄ − μ),  β = S_CC⁻¹ S_CY,
///
/// with Student's interval of n − 1 − q degrees of freedom and the variance (1/n + (C̄ − μ)' S_CC⁻¹ (C̄ − μ) / (n − 1))
/// (n − 1)/(n − 1 − q) (S_YY − S_YC S_CC⁻¹ S_CY) (Lavenberg and Welch, Management Science 27, 1981, section 3): exact
/// where responses and controls are jointly normal, otherwise in the limit of many observations. A ratio of means is
/// linearized about them.
/// @throws std::runtime_error, naming it, for a control whose observed mean is more than 8 standard errors from what is
/// known: with many observations that has probability 10⁻¹⁵ where the known mean is right.
ControlledPoint controlled_means(const PointResult& point, const std::vector<double>& known, double confidence);

}  // namespace sporos
