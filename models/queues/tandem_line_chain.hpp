// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/queues/tandem_line.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos::models {

/// Balance equations of a Markov chain whose states go to others at most `reach` numbers away.
class BalanceEquations {
 public:
  /// Of so many states.
  BalanceEquations(std::size_t states, std::size_t reach)
      : m_states(states), m_reach(reach), m_band(states * (2 * reach + 1), 0.0) {}

  /// The chain goes from one state to another at this rate.
  void add(std::size_t from, std::size_t to, double rate) {
    *at(to, from) += rate;
    *at(from, from) -= rate;
  }

  /// The probabilities of the states in equilibrium, by elimination within the band: the last state's is 1 at first,
  /// and its equation, which the others imply, is left out. Columns are dominated by their diagonals: no pivots are
  /// needed. Takes 2 · states · reach² operations. Written here, since Boost.uBLAS factorizes no banded matrices in
  /// place.
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

/// A line of three stations in equilibrium.
struct LineInEquilibrium {
  double throughput;       ///< jobs that leave a unit of time: the reciprocal of the mean time per job
  double work_in_process;  ///< mean number of jobs in the line: the mean time in line by the throughput
};

/// That of a line, exactly, which is behind a long warm-up. A state is the number of jobs that have been served at
/// station 1 and not left station 2, and of those served at station 2 and still in the line. One more than there are
/// places says that the station before is blocked. For p and q places, p ≤ q, it takes 2 (p + 2)³ (q + 2) operations.
inline LineInEquilibrium exact_equilibrium(const TandemLine& line) {
  const auto most_2 = static_cast<std::size_t>(line.buffer_2) + 1, most_3 = static_cast<std::size_t>(line.buffer_3) + 1;
  const bool is_third_inner = most_3 <= most_2;  // the number that changes fastest is the smaller one
  const std::size_t stride = is_third_inner ? most_3 + 1 : most_2 + 1;
  // The job that blocks station 2 is there: no state (0, most_3).
  const auto place_of = [&](std::size_t i, std::size_t j) {
    return is_third_inner ? i * stride + j - (i > 0 ? 1 : 0) : j * stride + i - (j == most_3 ? 1 : 0);
  };
  BalanceEquations balance((most_2 + 1) * (most_3 + 1) - 1, stride + 1);
  const auto for_each_state = [&](const auto& work) {
    for (std::size_t i = 0; i <= most_2; ++i) {
      for (std::size_t j = 0; j <= most_3; ++j) {
        if (i > 0 || j < most_3) work(i, j);
      }
    }
  };
  for_each_state([&](std::size_t i, std::size_t j) {
    const auto goes = [&](std::size_t to_i, std::size_t to_j, double rate) {
      balance.add(place_of(i, j), place_of(to_i, to_j), rate);
    };
    if (i < most_2) goes(i + 1, j, line.rate_1);
    if (i > 0 && j + 1 < most_3) goes(i - 1, j + 1, line.rate_2);
    if (i > 0 && j + 1 == most_3) goes(i, most_3, line.rate_2);
    if (j > 0 && j < most_3) goes(i, j - 1, line.rate_3);
    if (j == most_3) goes(i - 1, j - 1, line.rate_3);
  });
  const auto probabilities = std::move(balance).probabilities();
  LineInEquilibrium found{0, 0};
  for_each_state([&](std::size_t i, std::size_t j) {
    const double probability = probabilities[place_of(i, j)];
    found.throughput += j > 0 ? line.rate_3 * probability : 0;
    const std::size_t jobs = 1 + std::min(i, most_2 - 1) + std::min(j, most_3 - 1);  // there is always one at station 1
    found.work_in_process += static_cast<double>(jobs) * probability;
  });
  return found;
}

/// The throughput of exact_equilibrium.
inline double exact_throughput(const TandemLine& line) { return exact_equilibrium(line).throughput; }

/// What exact_throughput is at most: that of stations 1 and 2 alone or of 2 and 3 alone, the smaller one. A station
/// with rate λ before one with rate μ and p places is a queue M/M/1 of at most p + 1 jobs, that which blocks among
/// them.
inline double throughput_bound(const TandemLine& line) {
  const auto of_two = [](double before, double behind, std::int64_t places) {
    const double ratio = before / behind, jobs = static_cast<double>(places) + 1;
    if (ratio == 1) return before * jobs / (jobs + 1);
    return before * -std::expm1(jobs * std::log(ratio)) / -std::expm1((jobs + 1) * std::log(ratio));
  };
  return std::min(of_two(line.rate_1, line.rate_2, line.buffer_2), of_two(line.rate_2, line.rate_3, line.buffer_3));
}

}  // namespace sporos::models
