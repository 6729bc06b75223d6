// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <harness/dense_system.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace sporos::test {

/// A state of a Markov chain.
using ChainState = std::vector<int>;

/// Rates and target states of the moves from a state.
using ChainMoves = std::vector<std::pair<double, ChainState>>;

/// A continuous-time Markov chain on the states that are reachable from the first one.
class MarkovChain {
 public:
  MarkovChain(const ChainState& first, const std::function<ChainMoves(const ChainState&)>& moves) {
    number_of(first);
    for (std::size_t from = 0; from < m_states.size(); ++from) {
      m_moves.emplace_back();
      for (const auto& [rate, state] : moves(ChainState(m_states[from]))) {
        const std::size_t to = number_of(state);
        if (rate > 0 && to != from) m_moves.back().emplace_back(rate, to);
      }
    }
  }

  /// Expectation of `value` in equilibrium.
  double mean(const std::function<double(const ChainState&)>& value) const {
    const std::size_t n = m_states.size();
    if (m_probabilities.empty()) {
      std::vector<double> a(n * n, 0.0), b(n, 0.0);
      for (std::size_t from = 0; from < n; ++from) {
        for (const auto& [rate, to] : m_moves[from]) {
          a[to * n + from] += rate;
          a[from * n + from] -= rate;
        }
      }
      for (std::size_t k = 0; k < n; ++k) a[(n - 1) * n + k] = 1;
      b[n - 1] = 1;
      solve(a, b);
      m_probabilities = b;
    }
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += m_probabilities[i] * value(m_states[i]);
    return sum;
  }

  /// Expectation of the time average of `value` over [0, end], starting in the first state, by the classical
  /// Runge-Kutta method with `steps` steps.
  double mean_until(double end, int steps, const std::function<double(const ChainState&)>& value) const {
    return solution_at(end, steps, value).back() / end;
  }

  /// Expectation of `value` at time `end`, starting in the first state, by the same method.
  double mean_at(double end, int steps, const std::function<double(const ChainState&)>& value) const {
    const auto p = solution_at(end, steps, value);
    double sum = 0;
    for (std::size_t i = 0; i < m_states.size(); ++i) sum += p[i] * value(m_states[i]);
    return sum;
  }

 private:
  // Returns the probabilities of the states at time `end`, and the integral until then of the expectation of `value`.
  std::vector<double> solution_at(double end, int steps, const std::function<double(const ChainState&)>& value) const {
    const std::size_t n = m_states.size();
    const double h = end / steps;
    std::vector<double> p(n + 1, 0.0);  // the last element is the integral
    p[0] = 1;
    const auto slope = [&](const std::vector<double>& at) {
      std::vector<double> d(n + 1, 0.0);
      for (std::size_t from = 0; from < n; ++from) {
        for (const auto& [rate, to] : m_moves[from]) {
          d[to] += rate * at[from];
          d[from] -= rate * at[from];
        }
        d[n] += value(m_states[from]) * at[from];
      }
      return d;
    };
    const auto moved = [](const std::vector<double>& at, const std::vector<double>& d, double by) {
      std::vector<double> to(at);
      for (std::size_t i = 0; i < to.size(); ++i) to[i] += by * d[i];
      return to;
    };
    for (int step = 0; step < steps; ++step) {
      const auto a = slope(p), b = slope(moved(p, a, h / 2)), c = slope(moved(p, b, h / 2)), d = slope(moved(p, c, h));
      for (std::size_t i = 0; i <= n; ++i) p[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    }
    return p;
  }

  std::size_t number_of(const ChainState& state) {
    const auto [found, is_new] = m_numbers.try_emplace(state, m_states.size());
    if (is_new) m_states.push_back(state);
    return found->second;
  }

  std::map<ChainState, std::size_t> m_numbers;
  std::vector<ChainState> m_states;
  std::vector<std::vector<std::pair<double, std::size_t>>> m_moves;
  mutable std::vector<double> m_probabilities;
};

}  // namespace sporos::test
