// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sporos::bench {

/// One side of a comparison.
struct Contestant {
  std::string name;
  std::function<double()> run;  ///< does the work once and returns its duration in seconds
};

/// Effort of a comparison, which runs at least `rounds` rounds and continues until `seconds` have passed.
struct Effort {
  int rounds;
  double seconds;
};

/// Times of contestants that do the same work in turns, so that other load on the machine affects all of them equally.
/// An untimed round comes first.
class Comparison {
 public:
  Comparison(const std::vector<Contestant>& contestants, const Effort& effort);

  /// Number of timed rounds.
  std::size_t rounds() const { return m_times.front().size(); }

  /// The `share`-quantile of a contestant's times; ½ gives the median.
  double time(std::size_t contestant, double share = 0.5) const;

  /// The `share`-quantile, over the rounds, of a contestant's time divided by that of another.
  double ratio(std::size_t contestant, std::size_t other, double share = 0.5) const;

 private:
  std::vector<std::vector<double>> m_times;  // by contestant and round
};

/// Registers a benchmark of one iteration, in which `body` does the comparison and sets the iteration time.
void register_comparison(const std::string& name, benchmark::TimeUnit unit,
                         const std::function<void(benchmark::State&)>& body);

/// Reports the rates of the contestants 0 and 1 for `work` units, by median and best time, and the speed-up of 0 over
/// 1: the median over the rounds with the quartiles `ratio_low` and `ratio_high`, and the ratio of the best times.
void report_rates(benchmark::State& state, const Comparison& comparison, const std::vector<Contestant>& contestants,
                  const std::string& unit, double work);

}  // namespace sporos::bench
