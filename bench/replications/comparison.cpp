// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "comparison.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sporos::bench {

namespace {

// Quantile with linear interpolation between the order statistics.
double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place), above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - std::floor(place)) * (values[above] - values[below]);
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

Comparison::Comparison(const std::vector<Contestant>& contestants, const Effort& effort) : m_times(contestants.size()) {
  for (const Contestant& contestant : contestants) contestant.run();
  const double start = now();
  for (int round = 0; round < effort.rounds || now() - start < effort.seconds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) m_times[i].push_back(contestants[i].run());
  }
}

double Comparison::time(std::size_t contestant, double share) const { return quantile(m_times[contestant], share); }

double Comparison::ratio(std::size_t contestant, std::size_t other, double share) const {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < rounds(); ++round) {
    ratios.push_back(m_times[contestant][round] / m_times[other][round]);
  }
  return quantile(ratios, share);
}

void register_comparison(const std::string& name, benchmark::TimeUnit unit,
                         const std::function<void(benchmark::State&)>& body) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [body](benchmark::State& state) {
                                 for (auto _ : state) body(state);
                               })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(unit);
}

void report_rates(benchmark::State& state, const Comparison& comparison, const std::vector<Contestant>& contestants,
                  const std::string& unit, double work) {
  state.SetIterationTime(comparison.time(0));
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string rate = contestants[i].name + "_" + unit + "_per_s";
    state.counters[rate] = work / comparison.time(i);
    state.counters[rate + "_best"] = work / comparison.time(i, 0.0);
  }
  state.counters["ratio"] = comparison.ratio(1, 0);
  state.counters["ratio_low"] = comparison.ratio(1, 0, 0.25);
  state.counters["ratio_high"] = comparison.ratio(1, 0, 0.75);
  state.counters["ratio_of_best"] = comparison.time(1, 0.0) / comparison.time(0, 0.0);
  state.counters["rounds"] = static_cast<double>(comparison.rounds());
}

}  // namespace sporos::bench
