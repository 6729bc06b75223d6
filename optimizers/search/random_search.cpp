// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/search/random_search.hpp>
#include <sporos/optimizers/search/search_uniforms.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos {

namespace impl {

// A point within finite bounds; whole numbers are equally likely.
inline std::vector<double> drawn_point(const SearchRun& run, SearchUniforms& uniforms) {
  std::vector<double> x;
  for (const auto& [low, high, is_integer] : run.bounds()) {
    const double u = uniforms();
    x.push_back(is_integer ? std::ceil(low) + std::floor(u * (std::floor(high) - std::ceil(low) + 1))
                           : low + (high - low) * u);
  }
  return run.within_bounds(std::move(x));
}

}  // namespace impl

void check(const RandomSearchOptions& options) {
  const auto expect = [](const std::string& name, std::int64_t value) {
    if (value < 1) throw std::invalid_argument(name + " is " + std::to_string(value) + ", expected at least 1");
  };
  expect("replications at a point", options.replications);
  expect("points of a round", options.points);
}

Search random_search(SearchRun& run, RandomSearchOptions options) {
  check(options);
  for (const DecisionRange& bounds : run.bounds()) {
    if (std::isinf(bounds.low) || std::isinf(bounds.high)) {
      throw std::invalid_argument("a bound is infinite, expected finite ones for random search");
    }
  }
  SearchUniforms uniforms(run.seed());
  double least = std::numeric_limits<double>::infinity();
  run.recommend(run.start());
  for (std::vector<double> next = run.start(); run.left() >= options.replications;) {
    const std::int64_t count = std::min(options.points, run.left() / options.replications);
    std::vector<Sample> samples;
    for (std::int64_t i = 0; i < count; ++i) {
      samples.push_back({std::move(next), run.seed(), 0, options.replications, false});
      next = impl::drawn_point(run, uniforms);
    }
    const std::vector<Sample> tried = samples;
    const std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
    for (std::size_t i = 0; i < means.size(); ++i) {
      if (!(means[i].mean < least)) continue;
      least = means[i].mean;
      run.recommend(tried[i].x);
    }
  }
}

}  // namespace sporos
