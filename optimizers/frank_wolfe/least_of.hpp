// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/linear_algebra/least.hpp>
#include <sporos/core/linear_algebra/vector.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// v_j / a_j where a has an extent, else v_j.
template <class ExecutionSpace>
struct PerCost {
  ConstVector<ExecutionSpace> values;  ///< v
  ConstVector<ExecutionSpace> costs;   ///< a
  /// At j.
  KOKKOS_FUNCTION double operator()(std::int64_t j) const {
    return costs.extent(0) == 0 ? values(j) : values(j) / costs(j);
  }
};

/// a_j v_j where a has an extent, else v_j.
template <class ExecutionSpace>
struct TimesCost {
  ConstVector<ExecutionSpace> values;  ///< v
  ConstVector<ExecutionSpace> costs;   ///< a
  /// At j.
  KOKKOS_FUNCTION double operator()(std::int64_t j) const {
    return costs.extent(0) == 0 ? values(j) : values(j) * costs(j);
  }
};

/// −|v_j|.
template <class ExecutionSpace>
struct MinusMagnitude {
  ConstVector<ExecutionSpace> values;  ///< v
  /// At j.
  KOKKOS_FUNCTION double operator()(std::int64_t j) const { return values(j) < 0 ? values(j) : -values(j); }
};

/// The least of value(0), …, value(count − 1), the first of equal ones. Waits for it.
template <class ExecutionSpace, class Value>
Located least_of(const ExecutionSpace& space, std::int64_t count, const Value& value) {
  Located found;
  const auto lower = KOKKOS_LAMBDA(std::int64_t j, Located & least) {
    const Located here{value(j), j};
    if (here.comes_before(least)) least = here;
  };
  over_indices(space, count, [&](const auto& policy) {
    Kokkos::parallel_reduce("sporos::frank_wolfe::least", policy, lower, Least<Kokkos::HostSpace>(found));
  });
  return found;
}

/// The sum of the same. Waits for it.
template <class ExecutionSpace, class Value>
double sum_of(const ExecutionSpace& space, std::int64_t count, const Value& value) {
  double total = 0;
  const auto add = KOKKOS_LAMBDA(std::int64_t j, double& sum) { sum += value(j); };
  over_indices(space, count,
               [&](const auto& policy) { Kokkos::parallel_reduce("sporos::frank_wolfe::sum", policy, add, total); });
  return total;
}

}  // namespace sporos::impl
