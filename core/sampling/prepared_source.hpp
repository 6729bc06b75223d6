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
#include <vector>

namespace sporos {

namespace impl {

/// Records how often replications that share a sample drew from an input, if more often than their model states. Points
/// have no coordinates after the stated draws, so the model would get random numbers.
struct DrawExcess {
  /// Largest number of draws in a replication, by design point, then by input. Null to record nothing.
  std::int64_t* max_drawn;
  std::int64_t inputs;  ///< number of inputs of each design point

  /// Records that a replication of design point `point` drew `drawn` times from an input.
  KOKKOS_INLINE_FUNCTION void note(std::int64_t point, int input, std::int64_t drawn, std::int64_t stated) const {
    if (max_drawn == nullptr || stated == 0 || drawn <= stated) return;
    Kokkos::atomic_fetch_max(max_drawn + point * inputs + input, drawn);
  }
};

/// A source in the form that kernels use.
struct DeviceSource {
  UniformSource source;
  /// Sobol's direction numbers, Halton's bases or generators of a lattice for each dimension, or a faure_table.
  const std::uint32_t* table;
  std::uint64_t dimensions;  ///< number of dimensions in the table
  PrimeCycle cycle;          ///< cycle of the primes of refined descriptive sampling
  DrawExcess excess;         ///< record of excessive draws, for replications that share a sample
};

}  // namespace impl

/// A source of uniforms together with its tables in memory that kernels of `ExecutionSpace` can access. Copies share
/// the tables and the record of excessive draws.
template <class ExecutionSpace>
class PreparedSource {
 public:
  /// Prepares a source for replications with at most `dimensions` draws; only Sobol, Halton, Faure and lattice
  /// sequences use this number. If replications share a sample, it records which of the `inputs` inputs of `points`
  /// design points are drawn from more often than their model states. Precondition: `source` has passed check_source.
  PreparedSource(const UniformSource& source = {}, std::int64_t dimensions = 0, std::int64_t points = 0,
                 std::int64_t inputs = 0)
      : m_source(source), m_dimensions(static_cast<std::uint64_t>(dimensions)), m_inputs(inputs) {
    check_runs_on(source, runs_on_host<ExecutionSpace>, backend_name<ExecutionSpace>());
    if (shares_draws(source)) {
      const std::vector<std::int64_t> none(static_cast<std::size_t>(points * inputs), 0);
      m_max_drawn = Notes(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::sampling::most drawn"), none.size());
      copy_elements(m_max_drawn, none);
    }
    if (source.sampling == Sampling::refined_descriptive && source.replications_of_run() > 1) {
      m_cycle = prime_cycle(source.primes);
    }
    const auto table = impl::sampling_table(source.sampling, dimensions);
    if (table.empty()) return;
    m_table = Table(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::sampling::table"), table.size());
    copy_elements(m_table, table);
  }

  /// The source from which this object was made.
  const UniformSource& source() const { return m_source; }

  /// The source in the form that kernels use. It is valid as long as this object or a copy of it exists.
  impl::DeviceSource on_device() const {
    return {m_source, m_table.data(), m_dimensions, m_cycle, {m_max_drawn.data(), m_inputs}};
  }

  /// For each input of each design point, the largest number of draws in a replication that exceeded the stated number;
  /// 0 if none did. Empty if nothing is recorded. Waits for `space`.
  std::vector<std::int64_t> excessive_draws(const ExecutionSpace& space) const {
    std::vector<std::int64_t> draws(m_max_drawn.extent(0));
    if (draws.empty()) return draws;
    copy_elements(space, draws, m_max_drawn);
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
  Notes m_max_drawn;
};

#define SPOROS_PREPARED_SOURCE_ON(ExecutionSpace) class PreparedSource<ExecutionSpace>
SPOROS_INSTANTIATE(SPOROS_PREPARED_SOURCE_ON)

}  // namespace sporos
