// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/for_each_index.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

/// Work that the threads of a single team share on a host. A barrier of a team takes about a tenth of the time of a
/// launch, so that threads also help with work of a few microseconds between two barriers.
namespace sporos {

/// Indices from `begin` to `end` − 1.
struct ThreadShare {
  std::int64_t begin;  ///< first index
  std::int64_t end;    ///< index after the last one
};

/// A team of one thread, for functions of teams that a single thread calls.
struct TeamOfOne {
  KOKKOS_FUNCTION int team_rank() const { return 0; }  ///< Rank of the thread.
  KOKKOS_FUNCTION int team_size() const { return 1; }  ///< Number of threads.
  KOKKOS_FUNCTION void team_barrier() const {}         ///< Returns immediately.
};

/// Divides the indices from 0 to `count` − 1 among the threads of a team, in multiples of `unit`, and returns the share
/// of the calling thread.
template <class Team>
ThreadShare thread_share(const Team& team, std::int64_t count, std::int64_t unit = 1) {
  const std::int64_t units = (count + unit - 1) / unit, threads = team.team_size(), rank = team.team_rank();
  return {std::min(units * rank / threads * unit, count), std::min(units * (rank + 1) / threads * unit, count)};
}

/// Work of a kernel for a team of host threads.
struct HostTeamWork {
  double nanoseconds;         ///< estimated time on one thread, between about four barriers
  std::int64_t repetitions;   ///< number of repetitions in the kernel
  std::int64_t most_threads;  ///< largest number of threads that have something to do
};

/// Runs kernels by a team of host threads or by the calling thread, whichever took less time so far. If other processes
/// take the processor from one thread, all threads of a team wait for it at the next barrier: on a busy machine, a team
/// of two took four times as long as one thread.
class HostTeam {
 public:
  /// Largest number of threads for the work. It is 1 if threads would save less than a launch costs.
  template <class ExecutionSpace>
  static int max_threads(const ExecutionSpace& space, const HostTeamWork& work) {
    constexpr double of_thread = 2000;  // nanoseconds, of which the barriers take less than a quarter
    constexpr std::int64_t most = 32;   // with more threads, barriers take longer
    const auto busy = static_cast<std::int64_t>(std::min(work.nanoseconds / of_thread, static_cast<double>(most)));
    const std::int64_t threads = std::min({busy, work.most_threads, static_cast<std::int64_t>(space.concurrency())});
    const double all = work.nanoseconds * static_cast<double>(work.repetitions);
    return impl::is_small_work(space, threads, all) ? 1 : static_cast<int>(threads);
  }

  /// Calls body(team) on each thread of a team of 1 or max_threads(space, work) threads, in a kernel called `name`. The
  /// results of the body must not depend on the number of threads.
  template <class ExecutionSpace, class Body>
  void for_each_thread(const std::string& name, const ExecutionSpace& space, const HostTeamWork& work,
                       const Body& body) {
    const int threads = max_threads(space, work);
    if (threads == 1) return run_on_one_thread(name, space, body);
    const bool is_team = chooses_team();
    const Kokkos::Timer timer;
    if (is_team) {
      Kokkos::parallel_for(name, Kokkos::TeamPolicy<ExecutionSpace>(space, 1, threads), body);
    } else {
      run_on_one_thread(name, space, body);
    }
    const double found = timer.seconds() / (work.nanoseconds * static_cast<double>(work.repetitions));
    double& recent = is_team ? m_of_team : m_of_one;
    recent = recent == 0 || found < recent ? found : recent + (found - recent) / 4;
    if (m_kernels >= m_next_trial) plan_trial();
  }

 private:
  template <class ExecutionSpace, class Body>
  static void run_on_one_thread(const std::string& name, const ExecutionSpace& space, const Body& body) {
    using Small = impl::SmallWorkSpace<ExecutionSpace>;
    Kokkos::parallel_for(name, Kokkos::TeamPolicy<Small>(impl::small_work_space(space), 1, 1), body);
  }

  // The first two kernels try both. Later trials repeat what took longer.
  bool chooses_team() {
    if (++m_kernels <= 2) return m_kernels == 2;
    const bool is_faster = m_of_team <= m_of_one;
    return m_kernels < m_next_trial ? is_faster : !is_faster;
  }
  // Trials take about a twentieth of the time.
  void plan_trial() {
    constexpr double kernels_per_trial = 20, longest = 1e6;
    const auto [faster, slower] = std::minmax(m_of_one, m_of_team);
    const double ratio = faster > 0 ? std::min(slower / faster, longest) : 1;
    m_next_trial = m_kernels + static_cast<std::int64_t>(kernels_per_trial * ratio);
  }

  double m_of_one = 0, m_of_team = 0;  // recent times, divided by their estimates
  std::int64_t m_kernels = 0;          // number of kernels with a choice
  std::int64_t m_next_trial = 2;       // number of the next kernel that is a trial
};

}  // namespace sporos
