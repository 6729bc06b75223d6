// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>

/// Approximate numbers of waiting customers in queues whose rates change over time.
namespace sporos::models {

/// State of a queue.
struct QueueState {
  double present = 0;      ///< mean number of customers who wait or are served
  double waiting = 0;      ///< mean number of customers who wait
  double utilization = 0;  ///< mean number of customers who are served, divided by the number of people
};

/// Means of a queue over an interval.
struct QueueMeans {
  double waiting;  ///< number of waiting customers
  double chance;   ///< probability that a customer waits
};

/// A queue in an interval in which its rates are constant.
///
/// The pointwise stationary fluid flow approximation (Wang, Tipper, Banerjee: INFOCOM 1996) lets the number N of
/// customers follow N' = λ − c μ ρ, where ρ is the utilization at which the stationary queue has N customers. A
/// stationary M/M/c queue has N = c ρ + C ρ / (1 − ρ) with the probability C of waiting, which grows with
/// ρ^(√(2 (c + 1)) − 1) (Sakasegawa: Ann. Inst. Stat. Math. 29, 1977). Of people who also serve other queues, c is a
/// share, and so is the number of waiting customers. Thus a queue with constant rates becomes stationary, and a long
/// queue grows by λ − c μ.
struct QueueInterval {
  double arrivals;  ///< rate of arrivals λ
  double people;    ///< number of people c whose time goes to this queue
  double share;     ///< their share of all people who serve the queue
  double service;   ///< mean service time 1 / μ
  double chance;    ///< probability that a customer waits if these rates hold for ever; 1 if the queue grows

  /// Largest rate of services.
  double capacity() const { return people / service; }

  /// Returns the means over an interval of this length, and changes the state to that at its end.
  QueueMeans advance(QueueState& state, double length) const {
    constexpr int steps = 2;
    const double step = length / steps, stationary = capacity() > 0 ? std::min(arrivals / capacity(), 1.0) : 1;
    const double exponent = std::sqrt(2 * (people / share + 1)) - 1;
    double sum = 0, now = chance;
    for (int i = 0; i < steps; ++i) {
      if (stationary > 0) now = std::min(chance * std::pow(state.utilization / stationary, exponent), 1.0);
      // Implicit Euler: (c + h c μ) ρ + share C ρ / (1 − ρ) = N + h λ, a quadratic equation.
      const double come = state.present + step * arrivals, served = people + step * capacity();
      const double half = (come + served + share * now) / 2,
                   root = std::sqrt(std::max(half * half - served * come, 0.0));
      state.utilization = come > 0 ? come / (half + root) : 0;
      state.present = come - step * capacity() * state.utilization;
      state.waiting = std::max(state.present - people * state.utilization, 0.0);
      sum += state.waiting / steps;
    }
    // More customers wait than in the stationary queue if they remain from earlier intervals.
    const double in_balance = stationary < 1 ? share * chance * stationary / (1 - stationary) : 0;
    return {sum, sum > in_balance ? 1 - (1 - chance) * in_balance / sum : now};
  }

  /// Returns the probability of a wait longer than `limit`: the wait is exponential if a customer waits at all.
  double chance_over(double limit, const QueueMeans& means) const {
    if (!(capacity() > 0)) return 1;
    return means.chance > 0 ? means.chance * std::exp(-limit * capacity() / (means.waiting / means.chance + share)) : 0;
  }
};

}  // namespace sporos::models
