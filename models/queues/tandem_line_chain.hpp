// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/queues/tandem_line.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos::models {

/// Balance equations of a Markov chain whose transitions change the index of the state by at most `reach`.
class BalanceEquations {
 public:
  /// Starts with no transitions.
  BalanceEquations(std::size_t states, std::size_t reach)
      : m_states(states), m_reach(reach), m_band(states * (2 * reach + 1), 0.0) {}

  /// Adds a transition between two states with this rate.
  void add(std::size_t from, std::size_t to, double rate) {
    *at(to, from) += rate;
    *at(from, from) -= rate;
  }

  /// Returns the stationary probabilities by elimination within the band, in 2 · states · reach² operations. The last
  /// state has the value 1 before normalization, and its equation, which the others imply, is left out. Columns are
  /// dominated by their diagonals, so no pivoting is needed. It is implemented here because Boost.uBLAS does not
  /// factorize banded matrices in place.
  std::vector<double> probabilities() && {
    const std::size_t last = m_states - 1;
    std::vector<double> right(m_states, 0.0);
    for (std::size_t row = last - std::min(last, m_reach); row < last; ++row) right[row] = -*at(row, last);
    for (std::size_t k = 0; k < last; ++k) {
      const std::size_t end = std::min(last, k + m_reach + 1), width = end - k;
      const double* const pivots = at(k, k);
      for (std::size_t row = k + 1; row < end; ++row) {
        double* const entries = at(row, k);
        const double factor = entries[0] / pivots[0];
        if (factor == 0) continue;
        for (std::size_t i = 0; i < width; ++i) entries[i] -= factor * pivots[i];
        right[row] -= factor * right[k];
      }
    }
    right[last] = 1;
    double sum = 1;
    for (std::size_t k = last; k-- > 0;) {
      const double* const entries = at(k, k);
      const std::size_t width = std::min(last, k + m_reach + 1) - k;
      for (std::size_t i = 1; i < width; ++i) right[k] -= entries[i] * right[k + i];
      right[k] /= entries[0];
      sum += right[k];
    }
    for (double& probability : right) probability /= sum;
    return right;
  }

 private:
  double* at(std::size_t row, std::size_t column) {
    return m_band.data() + row * (2 * m_reach + 1) + column + m_reach - row;
  }

  std::size_t m_states, m_reach;
  std::vector<double> m_band;
};

/// Properties of a line of three stations in equilibrium.
struct LineInEquilibrium {
  double throughput;       ///< departures per unit of time, the reciprocal of the mean time per job
  double work_in_process;  ///< mean number of jobs in the line: mean time in line times throughput
};

/// Returns the exact properties of a line in equilibrium, that is, after a long warm-up. A state consists of two
/// numbers of jobs: those served at station 1 that have not left station 2, and those served at station 2 that are
/// still in the line. A number that exceeds the places by one means that the station before is blocked. With p and q
/// places, p ≤ q, the function takes 2 (p + 2)³ (q + 2) operations.
inline LineInEquilibrium exact_equilibrium(const TandemLine& line) {
  const auto max_2 = static_cast<std::size_t>(line.buffer_2) + 1, max_3 = static_cast<std::size_t>(line.buffer_3) + 1;
  const bool is_third_inner = max_3 <= max_2;  // the number that changes fastest is the smaller one
  const std::size_t stride = is_third_inner ? max_3 + 1 : max_2 + 1;
  // A job that blocks station 2 is at station 2, so there is no state (0, max_3).
  const auto place_of = [&](std::size_t i, std::size_t j) {
    return is_third_inner ? i * stride + j - (i > 0 ? 1 : 0) : j * stride + i - (j == max_3 ? 1 : 0);
  };
  BalanceEquations balance((max_2 + 1) * (max_3 + 1) - 1, stride + 1);
  const auto for_each_state = [&](const auto& work) {
    for (std::size_t i = 0; i <= max_2; ++i) {
      for (std::size_t j = 0; j <= max_3; ++j) {
        if (i > 0 || j < max_3) work(i, j);
      }
    }
  };
  for_each_state([&](std::size_t i, std::size_t j) {
    const auto goes = [&](std::size_t to_i, std::size_t to_j, double rate) {
      balance.add(place_of(i, j), place_of(to_i, to_j), rate);
    };
    if (i < max_2) goes(i + 1, j, line.rate_1);
    if (i > 0 && j + 1 < max_3) goes(i - 1, j + 1, line.rate_2);
    if (i > 0 && j + 1 == max_3) goes(i, max_3, line.rate_2);
    if (j > 0 && j < max_3) goes(i, j - 1, line.rate_3);
    if (j == max_3) goes(i - 1, j - 1, line.rate_3);
  });
  const auto probabilities = std::move(balance).probabilities();
  LineInEquilibrium found{0, 0};
  for_each_state([&](std::size_t i, std::size_t j) {
    const double probability = probabilities[place_of(i, j)];
    found.throughput += j > 0 ? line.rate_3 * probability : 0;
    const std::size_t jobs = 1 + std::min(i, max_2 - 1) + std::min(j, max_3 - 1);  // station 1 always has a job
    found.work_in_process += static_cast<double>(jobs) * probability;
  });
  return found;
}

/// Returns the throughput of exact_equilibrium.
inline double exact_throughput(const TandemLine& line) { return exact_equilibrium(line).throughput; }

/// Returns an upper bound on exact_throughput: the smaller throughput of two lines, one of only stations 1 and 2, one
/// of only stations 2 and 3. A station with rate λ before one with rate μ and p places is an M/M/1 queue of at most p +
/// 1 jobs, including a blocking one.
inline double throughput_bound(const TandemLine& line) {
  const auto of_two = [](double before, double after, std::int64_t places) {
    const double ratio = before / after, jobs = static_cast<double>(places) + 1;
    if (ratio == 1) return before * jobs / (jobs + 1);
    return before * -std::expm1(jobs * std::log(ratio)) / -std::expm1((jobs + 1) * std::log(ratio));
  };
  return std::min(of_two(line.rate_1, line.rate_2, line.buffer_2), of_two(line.rate_2, line.rate_3, line.buffer_3));
}

}  // namespace sporos::models
