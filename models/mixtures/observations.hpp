// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace sporos::models {

/// A sample of one variable, on the host.
struct Observations {
  std::vector<double> values;        ///< y_i
  std::vector<double> weights = {};  ///< how often each value counts, at least 0; empty if each counts once
};

/// A sample that is known only as a histogram.
struct BinnedObservations {
  std::vector<double> edges;   ///< increasing, one more than bins; the first may be −∞, the last ∞
  std::vector<double> counts;  ///< number of observations between edges b and b + 1, at least 0
};

namespace impl {

inline std::string numbered(const char* what, std::size_t index) {
  return std::string(what).append(" ").append(std::to_string(index + 1));
}

inline void check_counts(const char* what, const std::vector<double>& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) check_non_negative(numbered(what, i), counts[i]);
  const bool has_any = std::any_of(counts.begin(), counts.end(), [](double count) { return count > 0; });
  sporos::impl::check_parameter(has_any, std::string("sum of all ").append(what).append("s"), 0.0, "a positive number");
}

inline void check_size(const char* what, std::size_t size, std::size_t expected) {
  if (size != expected) sporos::impl::refuse_parameter(what, std::to_string(size), std::to_string(expected));
}

}  // namespace impl

/// Throws std::invalid_argument if there are no observations, a value is infinite or NaN, a weight is negative, all
/// weights are 0, or the number of weights differs from that of values. The message names the observation (from 1).
inline void check(const Observations& sample) {
  if (sample.values.empty()) sporos::impl::refuse_parameter("number of observations", "0", "at least 1");
  for (std::size_t i = 0; i < sample.values.size(); ++i) {
    check_finite(impl::numbered("observation", i), sample.values[i]);
  }
  if (sample.weights.empty()) return;
  impl::check_size("number of weights", sample.weights.size(), sample.values.size());
  impl::check_counts("weight", sample.weights);
}

/// Throws std::invalid_argument if the counts or the number of edges are not valid, or the edges do not increase.
inline void check(const BinnedObservations& sample) {
  if (sample.counts.empty()) sporos::impl::refuse_parameter("number of bins", "0", "at least 1");
  impl::check_size("number of edges", sample.edges.size(), sample.counts.size() + 1);
  impl::check_counts("count", sample.counts);
  for (std::size_t b = 0; b < sample.edges.size(); ++b) {
    const double edge = sample.edges[b];
    const bool may_be_infinite = b == 0 || b + 1 == sample.edges.size();
    const bool is_number = std::isfinite(edge) || (may_be_infinite && std::isinf(edge));
    sporos::impl::check_parameter(is_number && (b == 0 || sample.edges[b - 1] < edge), impl::numbered("edge", b), edge,
                                  "a number above the previous edge");
  }
}

/// Total weight, mean and deviation of a sample.
struct SampleMoments {
  double weight;     ///< Σ w, which is the number of observations if each counts once
  double mean;       ///< Σ w y / Σ w
  double deviation;  ///< √(Σ w (y − mean)² / Σ w)
};

/// Moments of a sample that passes its check.
inline SampleMoments moments(const Observations& sample) {
  double weight = 0, mean = 0, squares = 0;
  for (std::size_t i = 0; i < sample.values.size(); ++i) {
    const double w = sample.weights.empty() ? 1 : sample.weights[i];
    if (w == 0) continue;
    const double before = sample.values[i] - mean;
    weight += w;
    mean += before * (w / weight);
    squares += w * before * (sample.values[i] - mean);
  }
  return {weight, mean, std::sqrt(squares / weight)};
}

/// Replaces each bin by its midpoint, or its finite edge, weighted with its count. This is accurate enough to start a
/// fit.
inline Observations midpoints(const BinnedObservations& sample) {
  Observations points{{}, sample.counts};
  for (std::size_t b = 0; b < sample.counts.size(); ++b) {
    const double low = sample.edges[b], high = sample.edges[b + 1];
    const bool has_low = std::isfinite(low), has_high = std::isfinite(high);
    points.values.push_back(has_low && has_high ? low + (high - low) / 2 : has_low ? low : has_high ? high : 0);
  }
  return points;
}

}  // namespace sporos::models
