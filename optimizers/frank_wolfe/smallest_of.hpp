// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/for_each_index.hpp>
#include <sporos/core/linear_algebra/least.hpp>
#include <sporos/core/linear_algebra/vector.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::impl {

/// Function object v_j / a_j, or v_j if a is empty.
template <class ExecutionSpace>
struct PerCost {
  ConstVector<ExecutionSpace> values;  ///< Values v.
  ConstVector<ExecutionSpace> costs;   ///< Costs a.
  /// Value at j.
  KOKKOS_FUNCTION double operator()(std::int64_t j) const {
    return costs.extent(0) == 0 ? values(j) : values(j) / costs(j);
  }
};

/// Function object a_j v_j, or v_j if a is empty.
template <class ExecutionSpace>
struct TimesCost {
  ConstVector<ExecutionSpace> values;  ///< Values v.
  ConstVector<ExecutionSpace> costs;   ///< Costs a.
  /// Value at j.
  KOKKOS_FUNCTION double operator()(std::int64_t j) const {
    return costs.extent(0) == 0 ? values(j) : values(j) * costs(j);
  }
};

/// Function object −|v_j|.
template <class ExecutionSpace>
struct MinusMagnitude {
  ConstVector<ExecutionSpace> values;  ///< Values v.
  /// Value at j.
  KOKKOS_FUNCTION double operator()(std::int64_t j) const { return values(j) < 0 ? values(j) : -values(j); }
};

/// Smallest of value(0), …, value(count − 1), the first among ties. Blocks until it is available.
template <class ExecutionSpace, class Value>
Located smallest_of(const ExecutionSpace& space, std::int64_t count, const Value& value) {
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

/// Sum of value(0), …, value(count − 1). Blocks until it is available.
template <class ExecutionSpace, class Value>
double sum_of(const ExecutionSpace& space, std::int64_t count, const Value& value) {
  double total = 0;
  const auto add = KOKKOS_LAMBDA(std::int64_t j, double& sum) { sum += value(j); };
  over_indices(space, count,
               [&](const auto& policy) { Kokkos::parallel_reduce("sporos::frank_wolfe::sum", policy, add, total); });
  return total;
}

}  // namespace sporos::impl
