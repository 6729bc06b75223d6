// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/summary.hpp>
#include <sporos/core/statistics/confidence.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// What is estimated from the replications of a design point, and whether it is precise enough.
namespace sporos::impl {

/// Of each response, named by `names`, with intervals of that confidence.
inline std::vector<ResponseEstimate> estimates(const ReplicationSummary& summary, std::span<const std::string> names,
                                               double confidence) {
  std::vector<ResponseEstimate> list;
  const std::int64_t count = names.empty() ? 0 : summary.observations.front().count();
  const double t = count < 2 ? 0.0 : student_t(confidence, count);  // once for all responses: it takes 3 µs
  for (std::size_t response = 0; response < names.size(); ++response) {
    const Moments moments = summary.observations[response].total();
    list.push_back({names[response], moments.mean, moments.variance(), half_width_by_quantile(moments, t), count,
                    std::sqrt(summary.of_replications(response).variance())});
  }
  return list;
}

/// The ratio of a response's half-width to its target, the larger one of two: at most 1 where it is precise enough.
inline double excess(const ResponseEstimate& response, const TargetPrecision& target) {
  double worst = 0;
  const auto compare = [&](double wanted) {
    if (response.half_width > 0)
      worst = std::max(worst, response.half_width / wanted);  // a wanted width of 0 is never reached: inf
  };
  if (target.half_width > 0) compare(target.half_width);
  if (target.relative_half_width > 0) compare(target.relative_half_width * std::abs(response.mean));
  return worst;
}

/// The largest excess of all responses.
inline double excess(const std::vector<ResponseEstimate>& responses, const TargetPrecision& target) {
  double worst = 0;
  for (const auto& response : responses) worst = std::max(worst, excess(response, target));
  return worst;
}

}  // namespace sporos::impl
