// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/procedures/ranking_and_selection/system_kernels.hpp>
#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sporos::impl {

// Copies numbers of systems between host vectors and views in `space`: numbers of all systems, or of survivors in the
// order of their list.
template <class ExecutionSpace>
struct SurvivorNumbers {
  ExecutionSpace space;
  std::int64_t systems;
  SystemSurvivors<ExecutionSpace> survivors;

  // Returns the first `count` numbers.
  template <class Number>
  std::vector<Number> copied(const SystemView<ExecutionSpace, Number>& numbers, std::int64_t count) const {
    std::vector<Number> found(static_cast<std::size_t>(count));
    copy_elements(space, found, first_elements(numbers, found.size()));
    space.fence();
    return found;
  }

  template <class Number>
  std::vector<Number> of_survivors(const SystemView<ExecutionSpace, Number>& numbers) const {
    const std::vector<Number> of_all = copied(numbers, systems);
    std::vector<Number> found;
    for (const std::int64_t system : copied(survivors.systems, survivors.count)) {
      found.push_back(of_all[static_cast<std::size_t>(system)]);
    }
    return found;
  }

  // Writes the first numbers.
  template <class Number>
  void fill(const SystemView<ExecutionSpace, Number>& numbers, const std::vector<Number>& from) const {
    copy_elements(space, first_elements(numbers, from.size()), from);
    space.fence();
  }

  // Writes the numbers of the survivors; those of all other systems become 0.
  template <class Number>
  void fill_of_survivors(const SystemView<ExecutionSpace, Number>& numbers, const std::vector<Number>& from) const {
    std::vector<Number> of_all(static_cast<std::size_t>(systems));
    const auto list = copied(survivors.systems, survivors.count);
    for (std::size_t place = 0; place < list.size(); ++place) {
      of_all[static_cast<std::size_t>(list[place])] = from[place];
    }
    fill(numbers, of_all);
  }

  SumState state_of(const SystemSums<ExecutionSpace>& sums) const {
    return {of_survivors(sums.count), of_survivors(sums.reference), of_survivors(sums.sum), of_survivors(sums.squares),
            of_survivors(sums.variance)};
  }

  void restore(const SystemSums<ExecutionSpace>& sums, const SumState& state) const {
    fill_of_survivors(sums.count, state.count);
    fill_of_survivors(sums.reference, state.reference);
    fill_of_survivors(sums.sum, state.sum);
    fill_of_survivors(sums.squares, state.squares);
    fill_of_survivors(sums.variance, state.variance);
  }
};

}  // namespace sporos::impl
