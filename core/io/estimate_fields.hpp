// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/result.hpp>

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Estimates as fields of CSV.
namespace sporos::io {

/// Names of the columns of an estimate in CSV: "replications", "stopped_by", "digest", "response", "mean", "variance",
/// "half_width", "observations", "deviation", "exact".
inline std::vector<std::string> estimate_columns() {
  return {"replications", "stopped_by", "digest",       "response",  "mean",
          "variance",     "half_width", "observations", "deviation", "exact"};
}

/// Returns the fields of the estimate of a response in these columns. Values that are unknown or not finite are empty.
inline std::vector<std::string> estimate_fields(const PointResult& point, std::size_t response,
                                                const std::optional<double>& exact) {
  const auto number = [](double value) { return std::isfinite(value) ? shortest_text(value) : std::string(); };
  const ResponseEstimate& estimate = point.responses[response];
  return {std::to_string(point.replications),
          std::string(name_of(point.stopped_by)),
          bits_text(point.digest),
          estimate.name,
          number(estimate.mean),
          number(estimate.variance),
          number(estimate.half_width),
          std::to_string(estimate.observations),
          number(estimate.deviation),
          exact ? number(*exact) : ""};
}

}  // namespace sporos::io
