// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/queues/tandem_line.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos::test {

/// Balance equations of a Markov chain whose states go to others at most `reach` numbers away.
class BalanceEquations {
 public:
  /// Of so many states.
  BalanceEquations(std::size_t states, std::size_t reach)
      : m_states(states), m_reach(reach), m_band(states * (2 * reach + 1), 0.0) {}

  /// The chain goes from one state to another at this rate.
  void add(std::size_t from, std::size_t to, double rate) {
    at(to, from) += rate;
    at(from, from) -= rate;
  }

  /// The probabilities of the states in equilibrium, by elimination within the band: the last state's is 1 at first,
  /// and its equation, which the others imply, is left out. Columns are dominated by their diagonals: no pivots are
  /// needed.
  std::vector<double> probabilities() && {
    const std::size_t last = m_states - 1;
    std::vector<double> right(m_states, 0.0);
    for (std::size_t row = last - std::min(last, m_reach); row < last; ++row) right[row] = -at(row, last);
    for (std::size_t k = 0; k < last; ++k) {
      for (std::size_t row = k + 1; row < std::min(last, k + m_reach + 1); ++row) {
        const double factor = at(row, k) / at(k, k);
        if (factor == 0) continue;
        for (std::size_t column = k; column < std::min(last, k + m_reach + 1); ++column) {
          at(row, column) -= factor * at(k, column);
        }
        right[row] -= factor * right[k];
      }
    }
    right[last] = 1;
    double sum = 1;
    for (std::size_t k = last; k-- > 0;) {
      for (std::size_t column = k + 1; column < std::min(last, k + m_reach + 1); ++column) {
        right[k] -= at(k, column) * right[column];
      }
      right[k] /= at(k, k);
      sum += right[k];
    }
    for (double& probability : right) probability /= sum;
    return right;
  }

 private:
  double& at(std::size_t row, std::size_t column) { return m_band[row * (2 * m_reach + 1) + column + m_reach - row]; }

  std::size_t m_states, m_reach;
  std::vector<double> m_band;
};

/// Jobs that leave a line of three stations a unit of time in equilibrium, exactly. A state is the number of jobs that
/// have been served at station 1 and not left station 2, and of those served at station 2 and still in the line. One
/// more than there are places says that the station before is blocked.
inline double exact_throughput(const models::TandemLine& line) {
  const auto most_2 = static_cast<std::size_t>(line.buffer_2) + 1, most_3 = static_cast<std::size_t>(line.buffer_3) + 1;
  std::vector<std::pair<std::size_t, std::size_t>> states;
  for (std::size_t i = 0; i <= most_2; ++i) {
    for (std::size_t j = 0; j <= most_3; ++j) {
      if (i > 0 || j < most_3) states.emplace_back(i, j);  // the job that blocks station 2 is there
    }
  }
  const auto place_of = [&](std::size_t i, std::size_t j) { return i * (most_3 + 1) + j - (i > 0); };
  BalanceEquations balance(states.size(), most_3 + 2);
  for (const auto& [i, j] : states) {
    const auto goes = [&, i = i, j = j](std::size_t to_i, std::size_t to_j, double rate) {
      balance.add(place_of(i, j), place_of(to_i, to_j), rate);
    };
    if (i < most_2) goes(i + 1, j, line.rate_1);
    if (i > 0 && j + 1 < most_3) goes(i - 1, j + 1, line.rate_2);
    if (i > 0 && j + 1 == most_3) goes(i, most_3, line.rate_2);
    if (j > 0 && j < most_3) goes(i, j - 1, line.rate_3);
    if (j == most_3) goes(i - 1, j - 1, line.rate_3);
  }
  const auto probabilities = std::move(balance).probabilities();
  double throughput = 0;
  for (const auto& [i, j] : states) throughput += j > 0 ? line.rate_3 * probabilities[place_of(i, j)] : 0;
  return throughput;
}

}  // namespace sporos::test
