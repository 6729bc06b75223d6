// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "looks.hpp"
#include "program.hpp"
#include "with_space.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/core/random/standard_normals.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/models/classification/all_rows.hpp>
#include <sporos/models/classification/generalized_linear.hpp>
#include <sporos/models/classification/packed_features.hpp>
#include <sporos/models/classification/paper_classification.hpp>
#include <sporos/optimizers/quasi_newton/lbfgs.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>
#include <sporos/optimizers/quasi_newton/sqn.hpp>
#include <sporos/procedures/macro_replications.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

/// Runs of task 3 of He et al. (2024), A preliminary study on accelerating simulation optimization with GPU
/// implementation: repetitions of the stochastic quasi-Newton method on one instance for each size.
namespace sporos::papers {

template <class ExecutionSpace>
using Features = models::PackedFeatures<typename ExecutionSpace::memory_space>;
template <class ExecutionSpace>
using Problem = models::LogisticClassification<ExecutionSpace, Features<ExecutionSpace>>;

struct Setup {
  std::vector<std::int64_t> sizes{50, 500, 1000, 5000};
  std::int64_t repetitions = 7, rows_of_feature = 30;
  double noise = 0.1;
  std::uint64_t seed = 1;
  SqnOptions options;
  std::vector<std::string> backends;  // of the runs; results of the others are compared with those of the first
};

/// Starting point of the runs, and whether their steps are limited to prevent divergence. The paper does not limit the
/// steps and does not state the starting point.
struct Case {
  const char* name;
  bool starts_at_random, are_steps_limited;
};
inline constexpr std::array cases{Case{"random start, paper's steps", true, false}, Case{"random, limited", true, true},
                                  Case{"start 0, paper's steps", false, false}, Case{"0, limited", false, true}};

/// Results of the repetitions of a case.
struct Found {
  std::map<std::string, MacroReplications> runs;  // by backend
  std::vector<QuasiNewtonCounts> counts;          // at the end of each repetition on each backend
  double largest_scale = 0;  // largest sᵀy / yᵀy of the newest pair, with which H begins, over all looks
  std::map<std::string, std::vector<double>> seconds, ends;  // of each repetition without looks, by backend
};

struct Instance {
  std::int64_t size, rows;
  double optimum, gradient_norm, seconds;  // from L-BFGS
  double curvature;                        // of f at 0 along (1, …, 1); close to the largest curvature
  std::array<Found, cases.size()> found;
};

inline SqnOptions options_of(const Setup& setup, const Case& of, std::int64_t repetition) {
  SqnOptions options = setup.options;
  options.seed = repetition_seed(setup.seed, repetition);
  options.limit_steps = of.are_steps_limited;
  if (!of.are_steps_limited) options.pairs.skip_up_to = 0;
  return options;
}

/// Returns 0, or standard normals that are independent of all samples.
inline std::vector<double> start_of(const Case& of, std::int64_t size, std::uint64_t seed) {
  constexpr std::uint64_t salt = 0x7374617274000000u;  // the bytes of "start"
  std::vector<double> start(static_cast<std::size_t>(size));
  if (of.starts_at_random) fill_standard_normals({design_point_seed(seed, salt), 0, 0}, 0, size, start.data());
  return start;
}

inline void find_optimum(Instance& of, const models::PaperClassification& data) {
  models::AllRows<Problem<Space>> problem(Features<Space>(data.features), data.labels);
  const std::vector<double> start(data.rule.size());
  LbfgsOptions options;
  options.gradient_tolerance = 1e-9;
  options.iterations = 10'000;
  options.record_interval = 0;
  const Kokkos::Timer timer;
  const auto found = lbfgs(problem, start, options);
  of.seconds = timer.seconds();
  const Vector<Space> x = to_device<Space>(found.solution), ones = to_device<Space>(std::vector(start.size(), 1.0));
  const Vector<Space> product("paper_004::product", start.size());
  of.optimum = problem.objective(x);
  problem.gradient(x, product);
  of.gradient_norm = norm<Space>(Space(), product);
  problem.hessian_product(to_device<Space>(start), ones, product);
  of.curvature = dot<Space>(Space(), ones, product) / static_cast<double>(of.size);
}

inline double scale_of(const CorrectionPair& pair) {
  return std::inner_product(pair.s.begin(), pair.s.end(), pair.y.begin(), 0.0) /
         std::inner_product(pair.y.begin(), pair.y.end(), pair.y.begin(), 0.0);
}

/// Runs the method and evaluates f at the given iterations. A run that stops and resumes has the same bits as one that
/// does not stop.
template <class ExecutionSpace>
void follow(Problem<ExecutionSpace>& problem, const std::vector<double>& start, const SqnOptions& options,
            Found& found) {
  QuasiNewtonState state;
  state.solution = start;
  auto& runs = found.runs.at(std::string(backend_name<ExecutionSpace>()));
  for (std::size_t look = 0; look < runs.iterations.size(); ++look) {
    SqnOptions until = options;
    until.iterations = runs.iterations[look];
    state = sqn(problem, state, until).state;
    if (!state.pairs.empty()) found.largest_scale = std::max(found.largest_scale, scale_of(state.pairs.back()));
    problem.draw_all();
    runs.objectives[look].push_back(state.iteration == until.iterations
                                        ? problem.objective(to_device<ExecutionSpace>(state.solution))
                                        : std::numeric_limits<double>::infinity());
  }
  runs.solutions.push_back(state.solution);
  found.counts.push_back(state.counts);
}

template <class ExecutionSpace>
void follow_cases(const Setup& setup, Problem<ExecutionSpace>& problem, Instance& of) {
  const std::string backend(backend_name<ExecutionSpace>());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    fmt::print(stderr, "n = {}: {} on {}\n", of.size, cases[i].name, backend);
    auto& runs = of.found[i].runs[backend];
    runs.iterations = looks_until(setup.options.iterations);
    runs.objectives.resize(runs.iterations.size());
    for (std::int64_t repetition = 0; repetition < setup.repetitions; ++repetition) {
      const SqnOptions options = options_of(setup, cases[i], repetition);
      follow<ExecutionSpace>(problem, start_of(cases[i], of.size, options.seed), options, of.found[i]);
    }
  }
}

template <class ExecutionSpace>
void time_runs(const Setup& setup, Problem<ExecutionSpace>& problem, Instance& of) {
  const std::string backend(backend_name<ExecutionSpace>());
  fmt::print(stderr, "n = {}: times on {}\n", of.size, backend);
  auto& found = of.found;
  const std::vector<double> start(static_cast<std::size_t>(of.size));
  sqn(problem, start, options_of(setup, cases.back(), 0));  // warm-up, not timed: allocates memory and starts threads
  for (std::int64_t repetition = 0; repetition < setup.repetitions; ++repetition) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].starts_at_random) continue;
      const SqnOptions options = options_of(setup, cases[i], repetition);
      Kokkos::fence();
      const Kokkos::Timer timer;
      const auto result = sqn(problem, start, options);
      found[i].seconds[backend].push_back(timer.seconds());
      problem.draw_all();
      found[i].ends[backend].push_back(problem.objective(to_device<ExecutionSpace>(result.solution)));
    }
  }
}

inline Instance run_size(const Setup& setup, std::int64_t size) {
  Instance of{size, setup.rows_of_feature * size, 0, 0, 0, 0, {}};
  const auto data = models::paper_classification(size, of.rows, setup.noise, setup.seed);
  fmt::print(stderr, "n = {}: {} rows; optimum …\n", size, of.rows);
  find_optimum(of, data);
  for (const std::string& backend : setup.backends) {
    with_space(backend, [&]<class ExecutionSpace>(const ExecutionSpace&) {
      Problem<ExecutionSpace> problem(Features<ExecutionSpace>(data.features), data.labels);
      follow_cases<ExecutionSpace>(setup, problem, of);
      time_runs<ExecutionSpace>(setup, problem, of);
    });
  }
  return of;
}

}  // namespace sporos::papers
