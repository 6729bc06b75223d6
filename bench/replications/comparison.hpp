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
  std::function<double()> run;  ///< does the work once and returns the seconds it took
};

/// How long a comparison goes on: rounds until there are at least `rounds` and `seconds` are used up.
struct Effort {
  int rounds;
  double seconds;
};

/// The times of contestants that did the same work in turns, so that whatever else the machine does hits all of them
/// alike. A round in which nothing is timed comes first.
class Comparison {
 public:
  Comparison(const std::vector<Contestant>& contestants, const Effort& effort);

  /// Number of rounds that count.
  std::size_t rounds() const { return m_times.front().size(); }

  /// The `share`-quantile of a contestant's times: ½ for the median.
  double time(std::size_t contestant, double share = 0.5) const;

  /// The `share`-quantile over the rounds of a contestant's time divided by another's.
  double ratio(std::size_t contestant, std::size_t other, double share = 0.5) const;

 private:
  std::vector<std::vector<double>> m_times;  // by contestant and round
};

/// Registers a benchmark of one iteration, in which `body` makes its comparison and reports the time itself.
void register_comparison(const std::string& name, benchmark::TimeUnit unit,
                         const std::function<void(benchmark::State&)>& body);

/// Reports how fast contestants 0 and 1 did `work` units, by median and best time, and how many times as fast 0 is as
/// 1: the median over the rounds with its quartiles `ratio_low` and `ratio_high`, and by the best times of each.
void report_rates(benchmark::State& state, const Comparison& comparison, const std::vector<Contestant>& contestants,
                  const std::string& unit, double work);

}  // namespace sporos::bench
