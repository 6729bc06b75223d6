// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

/// What searches minimize: the mean of a simulated quantity, of which replications at given points are all they see.
namespace sporos {

/// Replications that are wanted at a point.
struct Sample {
  std::vector<double> x;      ///< the point
  std::uint64_t seed = 0;     ///< of the random numbers: equal ones make points comparable (common random numbers)
  std::int64_t first = 0;     ///< number of the first replication
  std::int64_t count = 0;     ///< how many, at least 1
  bool has_gradient = false;  ///< whether their derivatives are wanted too
  bool has_values = false;    ///< whether single replications are wanted too
};

/// Mean and spread of some replications at a point.
struct SampleMean {
  std::int64_t count = 0;        ///< replications
  double mean = 0;               ///< of their objectives
  double squared_deviation = 0;  ///< Σ (objective − mean)²
  std::vector<double> gradient;  ///< the mean of their derivatives, empty where none were wanted
  std::vector<double> values;    ///< where wanted: of each replication what is simulated of its objective, then the
                                 ///< derivatives of that by each coordinate, all replications of one after the other

  /// Unbiased variance of one replication's objective; infinite below two replications.
  double variance() const {
    return count < 2 ? std::numeric_limits<double>::infinity() : squared_deviation / static_cast<double>(count - 1);
  }
  /// Estimated variance of the mean.
  double variance_of_mean() const { return variance() / static_cast<double>(count); }

  /// Of these replications and `others` at the same point (Chan, Golub, LeVeque 1983).
  void add(const SampleMean& others) {
    const auto own = static_cast<double>(count), added = static_cast<double>(others.count);
    const double delta = others.mean - mean, share = added / (own + added);
    for (std::size_t i = 0; i < others.gradient.size(); ++i) {
      if (gradient.size() <= i) gradient.push_back(0);
      gradient[i] += share * (others.gradient[i] - gradient[i]);
    }
    count += others.count;
    mean += delta * share;
    squared_deviation += others.squared_deviation + delta * delta * own * share;
  }
};

/// An interval that a coordinate stays in; an end may be infinite.
struct DecisionRange {
  double low;               ///< least value
  double high;              ///< greatest value
  bool is_integer = false;  ///< whether the coordinate takes whole values alone
};

/// A function of d coordinates within bounds, to be minimized, that is known by replications.
class SampledProblem {
 public:
  virtual ~SampledProblem() = default;

  /// Of each coordinate.
  virtual std::span<const DecisionRange> bounds() const = 0;

  /// Whether samples can have gradients.
  virtual bool has_gradient() const = 0;

  /// Runs all samples, side by side where the problem can. A point at which there is nothing to run has the mean ∞ of
  /// no replications. @throws std::runtime_error where an objective is not finite, std::invalid_argument where
  /// derivatives are wanted at a point where there is nothing to run.
  virtual std::vector<SampleMean> evaluate(std::span<const Sample> samples) = 0;

  /// Number d of coordinates.
  std::size_t dimension() const { return bounds().size(); }
};

}  // namespace sporos
