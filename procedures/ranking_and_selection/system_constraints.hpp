// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/procedures/ranking_and_selection/system_kernels.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

/// Constraints of the systems of a selection, and their kernels.
namespace sporos::impl {

// Excess of each system over a constraint, and whether it is known to satisfy it.
template <class ExecutionSpace>
struct SystemConstraint {
  SystemSums<ExecutionSpace> sums;
  SystemView<ExecutionSpace, std::int64_t> is_met;
};

// Resets a constraint to an undecided state.
template <class ExecutionSpace>
struct ConstraintBeginning {
  SystemConstraint<ExecutionSpace> constraint;
  SystemView<ExecutionSpace, std::int64_t> met;
  KOKKOS_FUNCTION void operator()(std::int64_t system) const {
    constraint.sums.forget(system);
    constraint.is_met(system) = 0;
    met(system) = 0;
  }
};

// Checks one constraint. The check of the first constraint begins with all survivors.
template <class ExecutionSpace>
struct ConstraintCheck {
  SystemConstraint<ExecutionSpace> constraint;
  SystemSurvivors<ExecutionSpace> survivors;
  SystemView<ExecutionSpace, std::int32_t> keeps;
  SystemView<ExecutionSpace, std::int64_t> met;  // number of constraints that a system is known to satisfy
  SystemView<ExecutionSpace, double> worst;      // largest mean excess of each survivor, in units of the tolerance
  double h_squared, tolerance;
  bool is_first;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const std::int64_t system = survivors.systems(place);
    if (is_first) {
      keeps(place) = 1;
      worst(place) = 0;
    }
    if (constraint.is_met(system) != 0) return;
    const auto n = static_cast<double>(constraint.sums.count(system));
    const double mean = constraint.sums.mean(system), above = n * mean;
    const double open = h_squared * constraint.sums.variance(system) / (2 * tolerance) - tolerance * n / 2;
    const double bound = open > 0 ? open : 0.0;
    if (above > bound) {
      keeps(place) = 0;
      if (mean / tolerance > worst(place)) worst(place) = mean / tolerance;
    } else if (above < -bound || bound == 0.0) {
      constraint.is_met(system) = 1;
      ++met(system);
    }
  }
};

// Smallest of the largest excesses of the systems to be eliminated.
template <class ExecutionSpace>
struct LeastExcess {
  SystemView<ExecutionSpace, std::int32_t> keeps;
  SystemView<ExecutionSpace, double> worst;
  KOKKOS_FUNCTION void operator()(std::int64_t place, double& least) const {
    if (keeps(place) == 0 && worst(place) < least) least = worst(place);
  }
};

// First system that has this excess.
template <class ExecutionSpace>
struct SystemOfExcess {
  SystemSurvivors<ExecutionSpace> survivors;
  SystemView<ExecutionSpace, std::int32_t> keeps;
  SystemView<ExecutionSpace, double> worst;
  double excess;
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& first) const {
    const std::int64_t system = survivors.systems(place);
    if (keeps(place) == 0 && worst(place) == excess && system < first) first = system;
  }
};

template <class ExecutionSpace>
struct FeasibleCounter {
  SystemSurvivors<ExecutionSpace> survivors;
  SystemView<ExecutionSpace, std::int64_t> met;
  std::int64_t constraints;
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& count) const {
    if (met(survivors.systems(place)) == constraints) ++count;
  }
};

// KN's comparison in which only feasible systems eliminate others. The mean by which the best of neighbours is chosen
// is −∞ for other systems.
struct FeasibleTerm {
  double mean;
  KimNelsonTerm own;
};

template <class ExecutionSpace>
struct FeasibleTerms {
  using Term = FeasibleTerm;
  KimNelsonTerms<ExecutionSpace> all;
  SystemView<ExecutionSpace, std::int64_t> met;
  std::int64_t constraints;
  static constexpr double less_than_all = -std::numeric_limits<double>::infinity();

  KOKKOS_FUNCTION Term operator()(std::int64_t place) const {
    const KimNelsonTerm own = all(place);
    return {met(own.system) == constraints ? own.mean : less_than_all, own};
  }
  KOKKOS_FUNCTION bool drops(const Term& i, const Term& j) const {
    return j.mean == j.own.mean && all.drops(i.own, j.own);
  }
};

/// Constraints of all systems, in memory that kernels of `ExecutionSpace` can access: 48 bytes per system for each
/// constraint, and 16 more per system.
template <class ExecutionSpace>
class SystemConstraints {
 public:
  /// Takes the numbers of constraints and of systems; `space` sets all values to 0.
  SystemConstraints(const ExecutionSpace& space, int constraints, std::int64_t systems) {
    if (constraints == 0) return;
    const auto size = static_cast<std::size_t>(systems);
    m_met = SystemView<ExecutionSpace, std::int64_t>(Kokkos::view_alloc(space, "sporos::selection::met"), size);
    m_worst = SystemView<ExecutionSpace, double>(Kokkos::view_alloc(space, "sporos::selection::worst"), size);
    for (int i = 0; i < constraints; ++i) {
      m_all.push_back({system_sums(space, systems), SystemView<ExecutionSpace, std::int64_t>(
                                                        Kokkos::view_alloc(space, "sporos::selection::is met"), size)});
    }
  }

  /// Discards all decisions and excesses.
  void begin_again(const ExecutionSpace& space) const {
    for (const SystemConstraint<ExecutionSpace>& constraint : m_all) {
      Kokkos::parallel_for("sporos::selection::begin", each_place(space, static_cast<std::int64_t>(m_met.extent(0))),
                           ConstraintBeginning<ExecutionSpace>{constraint, m_met});
    }
  }

  static constexpr double bytes_of_one = 48;  ///< bytes per system for each constraint
  static constexpr double bytes_of_all = 16;  ///< bytes per system if there are constraints

  /// Excesses over each constraint.
  const std::vector<SystemConstraint<ExecutionSpace>>& all() const { return m_all; }
  /// Number of constraints that each system is known to satisfy.
  const SystemView<ExecutionSpace, std::int64_t>& met() const { return m_met; }
  /// Number of constraints.
  std::int64_t count() const { return static_cast<std::int64_t>(m_all.size()); }

  /// An infeasible system and its largest excess in units of the tolerance.
  struct Excess {
    std::int64_t system;  ///< its index
    double worst;         ///< largest excess over all constraints
  };

  /// Marks the survivors that stay. Returns the nearest to feasibility of those to be eliminated, if any.
  std::optional<Excess> check(const ExecutionSpace& space, const SystemSurvivors<ExecutionSpace>& survivors,
                              const SystemView<ExecutionSpace, std::int32_t>& keeps,
                              const FeasibilityScreening& rule) const {
    const auto places = each_place(space, survivors.count);
    for (std::size_t i = 0; i < m_all.size(); ++i) {
      Kokkos::parallel_for("sporos::selection::constraint", places,
                           ConstraintCheck<ExecutionSpace>{m_all[i], survivors, keeps, m_met, m_worst, rule.h_squared,
                                                           rule.tolerances[i], i == 0});
    }
    double least = std::numeric_limits<double>::max();
    const double none = least;
    Kokkos::parallel_reduce("sporos::selection::least excess", places, LeastExcess<ExecutionSpace>{keeps, m_worst},
                            Kokkos::Min<double>(least));
    space.fence();
    if (!(least < none)) return std::nullopt;
    std::int64_t system = std::numeric_limits<std::int64_t>::max();
    Kokkos::parallel_reduce("sporos::selection::least excess", places,
                            SystemOfExcess<ExecutionSpace>{survivors, keeps, m_worst, least},
                            Kokkos::Min<std::int64_t>(system));
    space.fence();
    return Excess{system, least};
  }

  /// Number of survivors that are known to satisfy all constraints.
  std::int64_t feasible(const ExecutionSpace& space, const SystemSurvivors<ExecutionSpace>& survivors) const {
    std::int64_t found = 0;
    Kokkos::parallel_reduce("sporos::selection::feasible", each_place(space, survivors.count),
                            FeasibleCounter<ExecutionSpace>{survivors, m_met, count()}, found);
    space.fence();
    return found;
  }

 private:
  std::vector<SystemConstraint<ExecutionSpace>> m_all;
  SystemView<ExecutionSpace, std::int64_t> m_met;
  SystemView<ExecutionSpace, double> m_worst;
};

}  // namespace sporos::impl
