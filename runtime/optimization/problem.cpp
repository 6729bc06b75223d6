// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/optimization/problem.hpp>

#include <sporos/core/replication/summary.hpp>

#include <algorithm>
#include <cmath>

namespace sporos::runtime {

bool ResourceUse::is_binding() const {
  constexpr double nearly = 1e-4;  // an optimizer may approach the capacity without reaching it
  return slack() <= nearly * std::abs(capacity);
}

FrankWolfeOptions default_options_of_samples(std::int64_t dimension) {
  FrankWolfeOptions options;
  options.epochs = 100;
  options.iterations = 250;
  options.sample_size = 100;
  options.sample_growth = 0.5;
  options.gap.batches = 20;
  constexpr std::int64_t max_numbers = 50'000'000, least = 100, most = 2000;
  options.gap.batch_size = std::clamp(max_numbers / dimension, least, most);
  constexpr std::int64_t min_iterations = 10, max_iterations = 200;
  options.gap.iterations = std::clamp(max_numbers / 10 / dimension, min_iterations, max_iterations);
  return options;
}

FrankWolfeOptions default_options_of_quadratic_program(std::int64_t dimension) {
  FrankWolfeOptions options = default_options_of_samples(dimension);
  options.epochs = 1000;
  options.iterations = 25;
  options.sample_size = 1;
  options.sample_growth = 0;
  options.gap.batches = 0;
  options.gap_tolerance = 1e-9;
  options.variant = FrankWolfeVariant::pairwise;
  options.step_rule = StepRule::exact;
  return options;
}

std::uint64_t digest_of_numbers(const std::vector<double>& numbers) {
  std::uint64_t digest = numbers.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    digest += sporos::impl::digest_of(numbers[i], static_cast<std::int64_t>(i), 0);
  }
  return digest;
}

}  // namespace sporos::runtime
