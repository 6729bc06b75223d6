// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// Control variates: means of responses are corrected by how far controls, whose expectations are known, missed them.
namespace sporos {

/// A control at a design point.
struct ObservedControl {
  std::string name;  ///< name in the model
  double known;      ///< known expectation
  double mean;       ///< observed mean
  double error;      ///< standard error of the observed mean
  bool is_used;      ///< whether the regression uses it: it is neither constant nor explained by the controls before it
};

/// A response's mean with controls.
struct ControlledMean {
  double mean = 0;        ///< the estimate
  double half_width = 0;  ///< half-width of its interval; infinite if there are too few observations
  /// Estimated variance of the plain mean divided by that of this one; infinite if the latter is 0.
  double variance_ratio = 1;
  std::int64_t freedom = 0;  ///< degrees of freedom of the interval
};

/// Controls and corrected means of a design point.
struct ControlledPoint {
  std::vector<ObservedControl> controls;  ///< in order
  std::vector<ControlledMean> responses;  ///< in order
};

/// Returns the means at a design point regressed on its q controls. The controls are the last responses of `point`,
/// with expectations `known`; `point` must have the covariances of all responses. The mean of each other response is
///
///     Ȳ − β'(C̄ − μ),  β = S_CC⁻¹ S_CY,
///
/// with Student's interval of n − 1 − q degrees of freedom and the variance (1/n + (C̄ − μ)' S_CC⁻¹ (C̄ − μ) / (n − 1))
/// (n − 1)/(n − 1 − q) (S_YY − S_YC S_CC⁻¹ S_CY) (Lavenberg and Welch, Management Science 27, 1981, section 3). This is
/// exact if responses and controls are jointly normal, otherwise in the limit of many observations. A ratio of means is
/// linearized about them.
/// @throws std::runtime_error if a control's observed mean, which is named, is more than 8 standard errors from the
/// known one. With many observations and a right known mean, that has probability 10⁻¹⁵.
ControlledPoint controlled_means(const PointResult& point, const std::vector<double>& known, double confidence);

}  // namespace sporos
