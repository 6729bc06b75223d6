// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/for_each_task.hpp>
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/level_pair.hpp>
#include <sporos/procedures/multilevel/multilevel_result.hpp>
#include <sporos/procedures/multilevel/quasi_inputs.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace sporos {

namespace impl {

// Runs replications of a level.
template <class Model, class ExecutionSpace>
struct LevelRunner {
  using Numbers = Kokkos::View<double*, typename ExecutionSpace::memory_space>;

  int level;
  Numbers differences, fines;

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Model& model, Inputs& inputs, const Replication& replication) const {
    const LevelPair pair = model.at_level(inputs, level);
    differences(replication.row) = pair.fine - pair.coarse;
    fines(replication.row) = pair.fine;
  }
};

// Evaluates points of a level; those of a randomization are contiguous.
template <class Model, class ExecutionSpace>
struct LevelPoints {
  using Directions = Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space>;
  using Numbers = typename LevelRunner<Model, ExecutionSpace>::Numbers;

  Model model;
  int level;
  Directions directions;
  std::uint64_t dimensions, seed;
  std::int64_t first_point, points;
  Numbers differences, fines;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    if (leaves_replication_out()) return;
    const std::int64_t randomization = row / points, point = first_point + row - randomization * points;
    QuasiInputs<Model> inputs(
        {directions.data(), dimensions, design_point_seed(seed, static_cast<std::uint64_t>(randomization)),
         static_cast<std::uint32_t>(point)},
        level);
    const LevelPair pair = model.at_level(inputs, level);
    differences(row) = pair.fine - pair.coarse;
    fines(row) = pair.fine;
  }
};

// Number of dimensions of Sobol's sequence. Draws beyond these use independent uniforms.
inline constexpr std::int64_t quasi_dimensions = 1024;

// Runs replications, or points of each randomization, on `space`.
template <class Model, class ExecutionSpace>
class LevelLauncher {
 public:
  LevelLauncher(const ExecutionSpace& space, const Model& model, const MultilevelOptions& options)
      : m_space(space), m_model(model), m_options(options) {
    if (options.sampling == LevelSampling::random) return;
    const std::vector<std::uint32_t> directions = sobol_directions(quasi_dimensions);
    m_directions = Directions(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::multilevel::directions"),
                              directions.size());
    copy_elements(m_directions, directions);
  }

  // Runs `count` replications, or this many points of each randomization, one randomization after the other.
  void run(int level, std::int64_t first, std::int64_t count) {
    const bool is_random = m_options.sampling == LevelSampling::random;
    const std::int64_t randomizations = is_random ? 1 : m_options.randomizations;
    const auto rows = static_cast<std::size_t>(randomizations * count);
    if (m_differences.extent(0) != rows) {
      m_differences = Numbers(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::multilevel::differences"), rows);
      m_fines = Numbers(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::multilevel::fines"), rows);
    }
    const std::uint64_t seed = design_point_seed(m_options.seed, static_cast<std::uint64_t>(level));
    if (is_random) {
      for_each_replication_with<DefaultSource>("sporos::multilevel::replications", m_space,
                                               Design<Model, ExecutionSpace>(m_model, seed), {},
                                               ReplicationRange{first, count}, by_threads,
                                               LevelRunner<Model, ExecutionSpace>{level, m_differences, m_fines});
    } else {
      for_each_task(
          "sporos::multilevel::points",
          Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(m_space, 0,
                                                                               static_cast<std::int64_t>(rows)),
          LevelPoints<Model, ExecutionSpace>{m_model, level, m_directions, static_cast<std::uint64_t>(quasi_dimensions),
                                             seed, first, count, m_differences, m_fines});
    }
    m_space.fence();
    if constexpr (runs_on_host<ExecutionSpace>) check_launch_stop();
    differences.resize(rows);
    fines.resize(rows);
    copy_elements(differences, m_differences);
    copy_elements(fines, m_fines);
  }

  std::vector<double> differences, fines;  // results of the latest run

 private:
  using Numbers = typename LevelRunner<Model, ExecutionSpace>::Numbers;
  using Directions = typename LevelPoints<Model, ExecutionSpace>::Directions;

  ExecutionSpace m_space;
  const Model& m_model;
  const MultilevelOptions& m_options;
  Directions m_directions;
  Numbers m_differences, m_fines;
};

}  // namespace impl

/// Estimates the mean of a model's response on a level so fine that its bias is small, by multilevel Monte Carlo
/// (Giles: Multilevel Monte Carlo path simulation, Oper. Res. 56, 2008; Multilevel Monte Carlo methods, Acta Numerica
/// 24, 2015, algorithm 1). The estimate is the mean on level 0 plus the means of the differences between neighbouring
/// levels, each from separate replications. Their numbers minimize the cost for the variance that `options.rmse`
/// allows. Levels are added until the means of the last three show that finer ones add less than the allowed bias. Bias
/// and variance each get half of the mean square error.
///
/// With points of Sobol's sequence (Giles, Waterhouse: Multilevel quasi-Monte Carlo path simulation, Radon Series Comp.
/// Appl. Math. 8, 2009), each level has `options.randomizations` independent scramblings of equally many points. The
/// variance of a level is estimated from the means of its scramblings. Repeatedly, the level with the largest decrease
/// of variance per cost doubles its points. If the model's draws are the increments of a Brownian motion
/// (quasi_inputs.hpp), a bridge creates them.
///
/// A model names its inputs and has the const functions
///
///     template <class Inputs>
///     KOKKOS_FUNCTION LevelPair at_level(Inputs& inputs, int level) const;
///     double level_cost(int level) const;   // cost of one replication, in any unit
///
/// It is copied byte by byte. Draws depend only on (seed, level, replication), so that results are bitwise identical on
/// every backend with any number of threads. Memory in the space of `space`: 16 bytes per replication, for at most 2^18
/// at once. Processes share the replications, and each gets the whole result, which does not depend on their number.
/// This call is collective.
///
/// If a launch stop is requested (core/execution/launch_stop.hpp), the estimate uses what is done so far.
///
/// Throws std::invalid_argument if an option is out of range. Throws std::runtime_error if the levels do not converge,
/// a level needs more than `options.max_replications`, a response is not finite, or the coarse responses of a level
/// differ in mean from the fine ones of the level before. Throws LaunchStopped if fewer than 3 levels are done when a
/// launch stop is requested.
template <class Model, class ExecutionSpace>
MultilevelResult multilevel(const ExecutionSpace& space, const Model& model, const MultilevelOptions& options = {},
                            Processes& processes = single_process) {
  static_assert(std::is_trivially_copyable_v<Model>, "Sporos: a model must be a trivially copyable class");
  check(options);
  impl::LevelLauncher<Model, ExecutionSpace> launcher(space, model, options);
  const auto randomizations = static_cast<std::int64_t>(estimates_of_level(options));
  const auto run = [&](int level, std::int64_t first, std::int64_t count, std::vector<impl::LevelMoments>& moments) {
    const std::int64_t most = std::max<std::int64_t>(1, (std::int64_t{1} << 18) / randomizations);
    for (std::int64_t done = 0; done < count; done += most) {
      const std::int64_t now = std::min(most, count - done);
      const PartRange mine = parts_of_process(processes, processes.rank(), now);
      together(processes, [&] { launcher.run(level, first + done + mine.first, mine.count()); });
      const auto differences = gather(processes, std::span<const double>(launcher.differences));
      const auto fines = gather(processes, std::span<const double>(launcher.fines));
      std::size_t row = 0;
      for (int rank = 0; rank < processes.count(); ++rank) {
        const std::int64_t own = parts_of_process(processes, rank, now).count();
        for (impl::LevelMoments& of_randomization : moments) {
          for (std::int64_t i = 0; i < own; ++i, ++row) {
            of_randomization.differences.add(differences[row]);
            of_randomization.fines.add(fines[row]);
          }
        }
      }
    }
  };
  return impl::multilevel_result(
      run, [&](int level) { return model.level_cost(level); }, options);
}

}  // namespace sporos
