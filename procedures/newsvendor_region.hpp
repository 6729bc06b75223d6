// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/models/inventory/newsvendor_case.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>
#include <sporos/optimizers/frank_wolfe/regions/resources.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

/// Converts the shared resources of a newsvendor's products to the feasible region of an optimizer.
namespace sporos {

using models::is_budget;

/// Region {x : aᵀx <= C, x >= 0} of a single resource. Throws std::invalid_argument if `is_budget` does not hold for
/// it.
template <class ExecutionSpace>
Budget<ExecutionSpace> budget_of(const models::NewsvendorResources& resources) {
  if (resources.size() != 1) {
    sporos::impl::refuse_parameter("number of resources", std::to_string(resources.size()), "1 for a budget");
  }
  return {resources.amounts, resources.capacity.front()};
}

/// Region {x : A x <= C, x >= 0}, including "at least" and exact rows. Throws std::invalid_argument in the same cases
/// as Resources.
template <class ExecutionSpace>
Resources<ExecutionSpace> resources_of(const ExecutionSpace& space, const models::NewsvendorResources& resources) {
  using Columns = ConstraintColumns<ExecutionSpace>;
  if (!resources.senses.empty()) return resources_of(space, resources.at_most());
  const std::size_t rows = resources.capacity.size(), products = rows == 0 ? 0 : resources.amounts.size() / rows;
  const typename Columns::non_const_type columns(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::newsvendor::amounts"), products, rows);
  const auto host = Kokkos::create_mirror_view(columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < products; ++j) host(j, i) = resources.amounts[i * products + j];
  }
  copy_elements(columns, host);
  return Resources<ExecutionSpace>(space, columns, resources.capacity);
}

}  // namespace sporos
