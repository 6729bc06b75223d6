// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "chosen_backends.hpp"

#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>
#include <sporos/models/mixtures/observations.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

/// Code shared by the programs that repeat the experiments of Cheng (2014), Massively parallel programming in
/// statistical optimization & simulation.
namespace sporos::papers {

/// Size of the experiment of section 3.2.
inline constexpr std::int64_t observations = 32'768, components = 10;

/// A mixture with adjacent components; `sample_of` draws a sample of it.
inline models::NormalMixture some_mixture() {
  models::NormalMixture mixture;
  constexpr auto k = static_cast<double>(components);
  for (std::int64_t c = 0; c < components; ++c) mixture.push_back({1 / k, static_cast<double>(c), 0.5});
  return mixture;
}

/// Draws the observations of section 3.2.
inline models::Observations sample_of(const models::NormalMixture& mixture) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  models::Observations sample;
  for (std::int64_t i = 0; i < observations; ++i) {
    const auto& component = mixture[static_cast<std::size_t>(i) % mixture.size()];
    sample.values.push_back(component.mean + component.deviation * normal(engine));
  }
  return sample;
}

/// Throws std::runtime_error unless `found` is the log-likelihood by equations (1), (3) and (5) of the paper, which
/// this function computes in long double.
inline void check_likelihood(double found, const models::Observations& sample, const models::NormalMixture& mixture) {
  constexpr long double normal = 0.398942280401432677939946059934L;
  long double sum = 0;
  for (const double y : sample.values) {
    long double density = 0;
    for (const auto& [weight, mean, deviation] : mixture) {
      const long double z = (static_cast<long double>(y) - mean) / deviation;
      density += weight * normal / deviation * std::exp(-z * z / 2);
    }
    sum += std::log(density);
  }
  const auto expected = static_cast<double>(sum);
  if (std::abs(found / expected - 1) < 1e-12) return;
  throw std::runtime_error(fmt::format("L is {:.17g}, expected {:.17g}", found, expected));
}

/// Smallest number of seconds that `work` takes in `repeats` runs.
template <class ExecutionSpace, class Work>
double least_seconds(const ExecutionSpace& space, std::int64_t repeats, const Work& work) {
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < repeats; ++i) {
    space.fence();
    const Kokkos::Timer timer;
    work();
    space.fence();
    least = std::min(least, timer.seconds());
  }
  return least;
}

/// Backend, number of threads and machine, with which the results of a run begin.
template <class ExecutionSpace>
io::Json run_on(const ExecutionSpace& space) {
  return {{"backend", backend_name<ExecutionSpace>()},
          {"threads", runs_on_host<ExecutionSpace> ? space.concurrency() : 0},
          {"machine", device_name(ExecutionSpace())}};
}

/// Describes where a run took place: "openmp, 16 threads: Intel Xeon".
inline std::string place_of(const io::Json& run) {
  const std::int64_t threads = run["threads"];
  return fmt::format("{}{}: {}", run["backend"].get<std::string>(),
                     threads > 1 ? fmt::format(", {} threads", threads) : std::string(),
                     run["machine"].get<std::string>());
}

/// Calls `measure(space)`, which returns the results of a run, on all `backends` of this build, or on every one if
/// there are none. Throws std::invalid_argument for a backend that this build lacks.
template <class Measure>
io::Json runs_on(const std::vector<std::string>& backends, const Measure& measure) {
  const std::vector<std::string> chosen = chosen_backends(backends);
  io::Json runs = io::Json::array();
  for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace& space) {
    if (std::find(chosen.begin(), chosen.end(), backend_name<ExecutionSpace>()) == chosen.end()) return;
    runs.push_back(run_on(space));
    runs.back().update(measure(space));
  });
  return runs;
}

/// Runs of the files that these programs write with --json.
inline io::Json runs_of_files(const std::vector<std::string>& paths) {
  io::Json runs = io::Json::array();
  for (const std::string& path : paths) {
    const io::Json report = io::parse_json(path, io::read_text_file(path));
    for (const io::Json& run : io::json_list(report, path, "runs")) runs.push_back(run);
  }
  if (runs.empty() && !paths.empty()) throw std::invalid_argument("the files of --with hold no runs");
  return runs;
}

}  // namespace sporos::papers
