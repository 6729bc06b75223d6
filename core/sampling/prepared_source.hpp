// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/instantiate.hpp>
#include <sporos/core/sampling/sampling.hpp>
#include <sporos/core/sampling/sub_runs.hpp>
#include <sporos/core/sampling/uniform_source.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sporos {

namespace impl {

/// Where replications that share a sample leave how often they drew from an input, if that is more than their model
/// states: behind the stated draws there are no coordinates of points, and a model would get random numbers.
struct DrawExcess {
  std::int64_t* most_drawn;  ///< in a replication: inputs of design point 0, of design point 1, …; null for no notes
  std::int64_t inputs;       ///< of each design point

  /// A replication of design point `point` drew `drawn` times from an input.
  KOKKOS_INLINE_FUNCTION void note(std::int64_t point, int input, std::int64_t drawn, std::int64_t stated) const {
    if (most_drawn == nullptr || stated == 0 || drawn <= stated) return;
    Kokkos::atomic_fetch_max(most_drawn + point * inputs + input, drawn);
  }
};

/// A source as kernels take it.
struct DeviceSource {
  UniformSource source;
  const std::uint32_t* table;  ///< Sobol: direction numbers of each dimension; Halton: bases; Faure: faure_table
  std::uint64_t dimensions;    ///< that the table has
  PrimeCycle cycle;            ///< of refined descriptive sampling's primes
  DrawExcess excess;           ///< of replications that share a sample
};

}  // namespace impl

/// A source of uniforms with the tables that it needs where kernels of `ExecutionSpace` reach them. Copies share the
/// tables and notes.
template <class ExecutionSpace>
class PreparedSource {
 public:
  /// For replications with at most `dimensions` draws; only Sobol's, Halton's and Faure's sequences need to know. Where
  /// replications share a sample, takes note of those of `points` design points that draw more often from one of
  /// `inputs` inputs than their model states. The source has been checked.
  PreparedSource(const UniformSource& source = {}, std::int64_t dimensions = 0, std::int64_t points = 0,
                 std::int64_t inputs = 0)
      : m_source(source), m_dimensions(static_cast<std::uint64_t>(dimensions)), m_inputs(inputs) {
    check_runs_on(source, runs_on_host<ExecutionSpace>, backend_name<ExecutionSpace>());
    if (shares_draws(source)) {
      const std::vector<std::int64_t> none(static_cast<std::size_t>(points * inputs), 0);
      m_most_drawn =
          Notes(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::sampling::most drawn"), none.size());
      copy_elements(m_most_drawn, none);
    }
    if (source.sampling == Sampling::refined_descriptive && source.replications_of_run() > 1) {
      m_cycle = prime_cycle(source.primes);
    }
    const auto table = impl::sampling_table(source.sampling, dimensions);
    if (table.empty()) return;
    m_table = Table(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::sampling::table"), table.size());
    copy_elements(m_table, table);
  }

  /// What it was made of.
  const UniformSource& source() const { return m_source; }

  /// For kernels, as long as this or a copy of it lives.
  impl::DeviceSource on_device() const {
    return {m_source, m_table.data(), m_dimensions, m_cycle, {m_most_drawn.data(), m_inputs}};
  }

  /// For each input of each design point, the most draws of a replication that were more than stated; 0 where none
  /// were. Empty where nobody takes note. Waits for `space`.
  std::vector<std::int64_t> excessive_draws(const ExecutionSpace& space) const {
    std::vector<std::int64_t> draws(m_most_drawn.extent(0));
    if (draws.empty()) return draws;
    copy_elements(space, draws, m_most_drawn);
    space.fence();
    return draws;
  }

 private:
  using Table = Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space>;
  using Notes = Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>;
  UniformSource m_source;
  std::uint64_t m_dimensions = 0;
  std::int64_t m_inputs = 0;
  PrimeCycle m_cycle;
  Table m_table;
  Notes m_most_drawn;
};

#define SPOROS_PREPARED_SOURCE_ON(ExecutionSpace) class PreparedSource<ExecutionSpace>
SPOROS_INSTANTIATE(SPOROS_PREPARED_SOURCE_ON)

}  // namespace sporos
