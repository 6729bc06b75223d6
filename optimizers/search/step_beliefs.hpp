// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace sporos::impl {

/// Normal distribution that describes what is known about an unknown number.
struct Belief {
  double mean;      ///< Expected value.
  double variance;  ///< Variance.

  /// Distribution of `factor` times the number.
  Belief scaled(double factor) const { return {factor * mean, factor * factor * variance}; }

  /// Distribution after an observation of the number with this error variance. A deviation of more than two standard
  /// deviations is surprising: its square then replaces the variance before the observation, so that data overrule a
  /// wrong belief.
  Belief updated(double observation, double error_variance) const;

  /// Expected positive part of the number, the expected improvement of Jones, Schonlau, Welch (1998).
  double expected_improvement() const;
};

/// Beliefs about how much steps along coordinates lower an objective at the current point. Step 2i moves coordinate i
/// up, step 2i + 1 moves it down. A pair of steps lowers the objective by the sum of both gains and an interaction.
///
/// Gains change when the search moves. So they are tracked as random walks by Kalman filters: each move adds a drift to
/// all variances. The drift follows from the data: it grows if observed gains differ from the expected ones by more
/// than their variances explain, and shrinks if they differ by less.
class StepBeliefs {
 public:
  /// Starts without knowledge of the gains of `dimension` coordinates.
  explicit StepBeliefs(std::size_t dimension) : m_steps(2 * dimension) {}

  /// Whether a gain of this step, or of a pair with it, was observed.
  bool is_known(std::size_t step) const { return m_steps[step].is_known; }
  /// Belief about the gain of a step.
  Belief of_step(std::size_t step) const;
  /// Belief about the interaction of two steps.
  Belief of_interaction(std::size_t one, std::size_t other) const;

  /// Learns an observed gain of a step, per current length, with its error variance.
  void learn(std::size_t step, double gain, double error_variance);
  /// Learns an observed gain of a pair; the steps contribute `factor_one` and `factor_other` times their gains.
  void learn(std::size_t one, double factor_one, std::size_t other, double factor_other, double gain,
             double error_variance);

  /// Adds the drift, after any move.
  void drift();
  /// Records that the search took a step with this gain: the opposite step would lose it.
  void take(std::size_t step, double gain, double error_variance);
  /// Records that the search took a pair of steps with this gain.
  void take_pair(std::size_t one, std::size_t other, double gain);
  /// Records that the length of a step is multiplied by `factor`.
  void rescale(std::size_t step, double factor);

 private:
  struct Known {
    Belief belief{0, 0};
    bool is_known = false;
  };
  // Moments of first observations.
  struct Moments {
    double count = 0, mean = 0, squares = 0;
    void add(double value);
    double variance() const { return squares / count; }
  };
  // Common properties of interactions: of two steps up, two steps down, and a shift.
  struct Interactions {
    double mean = 0, share = 0.1;  // share: variance in units of the variance of first gains
  };

  static std::size_t kind_of(std::size_t one, std::size_t other) { return one % 2 != other % 2 ? 2 : one % 2; }
  Belief first() const;
  void observe_first(double gain);

  std::vector<Known> m_steps;
  std::map<std::pair<std::size_t, std::size_t>, Belief> m_interactions;
  Interactions m_kinds[3];
  Moments m_gains;
  double m_drift = 0;
};

}  // namespace sporos::impl
