// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/result.hpp>

#include <cmath>
#include <cstddef>

namespace sporos {

/// Correlation of responses i and j of an observation. `point` must have covariances. The result is NaN if one of the
/// responses does not vary.
inline double correlation(const PointResult& point, std::size_t i, std::size_t j) {
  const std::size_t count = point.responses.size();
  const auto& covariances = point.covariances;
  return covariances[i * count + j] / std::sqrt(covariances[i * count + i] * covariances[j * count + j]);
}

}  // namespace sporos
