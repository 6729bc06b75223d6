// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/optimizers/frank_wolfe/options.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>
#include <sporos/optimizers/frank_wolfe/result.hpp>
#include <sporos/optimizers/frank_wolfe/screened_epochs.hpp>
#include <sporos/optimizers/frank_wolfe/screened_run.hpp>
#include <sporos/optimizers/frank_wolfe/screening.hpp>
#include <sporos/optimizers/frank_wolfe/start.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

/// Macro-replications: an optimization is repeated, each time with separate random numbers, to show the spread of its
/// results. All repetitions run side by side, in the launches of one.
namespace sporos {

/// Progress of several repetitions of an optimization.
struct MacroReplications {
  /// Iterations at which objectives were computed, ascending; the last one is the end.
  std::vector<std::int64_t> iterations;
  std::vector<std::vector<double>> objectives;  ///< objective at each of these iterations, by repetition
  std::vector<std::vector<double>> solutions;   ///< final solution of each repetition
};

/// Relative squared error of He et al. (2024), A preliminary study on accelerating simulation optimization with GPU
/// implementation, table 2: ((y − y*) / y)² for the objective y during a run and y* at its end.
inline double relative_squared_error(double on_the_way, double at_the_end) {
  const double share = (on_the_way - at_the_end) / on_the_way;
  return share * share;
}

/// Moments over the repetitions of their relative squared errors at index `look`, each against its own final objective.
inline Moments relative_squared_errors(const MacroReplications& runs, std::size_t look) {
  MomentsTree tree;
  for (std::size_t repetition = 0; repetition < runs.objectives[look].size(); ++repetition) {
    tree.add(relative_squared_error(runs.objectives[look][repetition], runs.objectives.back()[repetition]));
  }
  return tree.total();
}

/// Seed of a repetition. A single run with this seed gives the same iterates.
inline std::uint64_t repetition_seed(std::uint64_t seed, std::int64_t repetition) {
  return design_point_seed(seed, static_cast<std::uint64_t>(repetition));
}

namespace impl {

inline void check_screened(const FrankWolfeOptions& options, bool has_screen) {
  if (!has_known_steps(options)) {
    throw std::invalid_argument(fmt::format(
        "macro-replications have the {} variant with {} steps{}, expected the vanilla variant with open-loop or "
        "restarting steps, without momentum or a gap tolerance",
        name_of(options.variant), name_of(options.step_rule), options.momentum ? " and momentum" : ""));
  }
  if (!has_screen) {
    throw std::invalid_argument(
        "macro-replications require a problem with a screen: normal returns without common factors, or a newsvendor");
  }
}

inline void check_looks(const std::vector<std::int64_t>& looks, std::int64_t iterations) {
  if (!std::is_sorted(looks.begin(), looks.end()) || (!looks.empty() && looks.front() < 0)) {
    throw std::invalid_argument(fmt::format(
        "looks are at iterations {}, expected numbers of at least 0 in ascending order", fmt::join(looks, ", ")));
  }
  if (!looks.empty() && looks.back() > iterations) {
    throw std::invalid_argument(fmt::format("the last look is at iteration {}, expected at most {}, the last iteration",
                                            looks.back(), iterations));
  }
}

/// Copies the start to every row of `x`.
template <class ExecutionSpace>
struct RepetitionStarter {
  Iterates<ExecutionSpace> x;
  ConstVector<ExecutionSpace> start;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const auto dimension = static_cast<std::int64_t>(x.extent(1));
    x(place / dimension, place % dimension) = start(place % dimension);
  }
};

template <class ExecutionSpace>
auto repetition_seeds(std::uint64_t seed, std::int64_t repetitions) {
  Kokkos::View<std::uint64_t*, typename ExecutionSpace::memory_space> seeds(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::repetition_seeds"), repetitions);
  const auto on_host = Kokkos::create_mirror_view(seeds);
  for (std::int64_t i = 0; i < repetitions; ++i) on_host(i) = repetition_seed(seed, i);
  copy_elements(seeds, on_host);
  return seeds;
}

}  // namespace impl

/// Runs frank_wolfe(problem, region, start, options) in `repetitions` repetitions with separate seeds, without
/// trajectories or independent gaps. Computes the objectives of all repetitions after the iterations `looks` and at the
/// end.
///
/// `objective(x)` returns f at a vector in the problem's memory space. Throws std::invalid_argument for options other
/// than the vanilla variant with a step known beforehand, for a problem whose sample cannot be screened, if `looks` are
/// not in order, and whenever frank_wolfe does.
template <class Problem, class Objective>
MacroReplications macro_replications(Problem& problem, const Budget<typename Problem::execution_space>& region,
                                     const std::vector<double>& start, const FrankWolfeOptions& options,
                                     std::int64_t repetitions, std::vector<std::int64_t> looks,
                                     const Objective& objective) {
  using Space = typename Problem::execution_space;
  check(options);
  check_positive_integer("repetitions", repetitions);
  auto screen = problem.screen(repetitions);
  impl::check_screened(options, screen.has_value());
  FrankWolfeState first;
  first.solution = start;
  impl::check_start(problem, region, first, options);
  impl::check_looks(looks, options.epochs * options.iterations);
  looks.push_back(options.epochs * options.iterations);
  const Space& space = problem.execution();
  const Iterates<Space> x(Kokkos::view_alloc(space, "sporos::macro_replications"), repetitions, problem.dimension());
  Kokkos::parallel_for(
      "sporos::macro_replications::start",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, repetitions * problem.dimension()),
      impl::RepetitionStarter<Space>{x, to_device<Space>(space, start)});
  ScreenedEpochs screened(space, std::move(*screen), region, x,
                          impl::repetition_seeds<Space>(options.seed, repetitions));

  MacroReplications runs;
  std::int64_t done = 0;
  SampleRange sample{0, 0, 0};
  std::vector<SampleIterations> parts;  // until the next look
  std::size_t look = 0;
  const auto look_at_all = [&] {
    if (look == looks.size() || looks[look] != done) return;
    screened.run(parts);
    parts.clear();
    for (; look < looks.size() && looks[look] == done; ++look) {
      runs.iterations.push_back(done);
      auto& found = runs.objectives.emplace_back();
      for (std::int64_t i = 0; i < repetitions; ++i) {
        found.push_back(objective(ConstVector<Space>(Kokkos::subview(x, i, Kokkos::ALL))));
      }
    }
  };
  look_at_all();
  for (std::int64_t epoch = 0; epoch < options.epochs; ++epoch) {
    sample = sample.next(sample_size(options, epoch));
    const std::int64_t begin = epoch * options.iterations, end = begin + options.iterations;
    while (done < end) {
      const std::int64_t until = look < looks.size() ? std::min(looks[look], end) : end;
      parts.push_back({sample, options.step_rule == StepRule::restarting ? done - begin : done, until - done});
      done = until;
      look_at_all();
    }
  }
  for (std::int64_t i = 0; i < repetitions; ++i) {
    runs.solutions.push_back(to_host<Space>(space, Vector<Space>(Kokkos::subview(x, i, Kokkos::ALL))));
  }
  return runs;
}

}  // namespace sporos
