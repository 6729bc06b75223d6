// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/sampling/halton.hpp>
#include <sporos/core/sampling/sobol.hpp>
#include <sporos/core/sampling/sub_runs.hpp>
#include <sporos/core/sampling/uniform_source.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sporos {

namespace impl {

/// A source as kernels take it.
struct DeviceSource {
  UniformSource source;
  const std::uint32_t* table;  ///< Sobol: direction numbers of each dimension; Halton: bases; otherwise nothing
  std::uint64_t dimensions;    ///< that the table has
  PrimeCycle cycle;            ///< of refined descriptive sampling's primes
};

inline std::vector<std::uint32_t> sampling_table(Sampling sampling, std::int64_t dimensions) {
  if (sampling == Sampling::sobol) return sobol_directions(dimensions);
  if (sampling == Sampling::halton) return halton_bases(dimensions);
  return {};
}

}  // namespace impl

/// A source of uniforms with the tables that it needs where kernels of `ExecutionSpace` reach them. Copies share the
/// tables.
template <class ExecutionSpace>
class PreparedSource {
 public:
  /// For replications with at most `dimensions` draws; only Sobol's and Halton's sequences need to know. The source
  /// has been checked.
  PreparedSource(const UniformSource& source = {}, std::int64_t dimensions = 0)
      : m_source(source), m_dimensions(static_cast<std::uint64_t>(dimensions)) {
    if (source.sampling == Sampling::refined_descriptive && source.replications_of_run() > 1) {
      m_cycle = prime_cycle(source.primes);
    }
    const auto table = impl::sampling_table(source.sampling, dimensions);
    if (table.empty()) return;
    m_table = Table(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::sampling::table"), table.size());
    const auto host = Kokkos::create_mirror_view(m_table);
    std::copy(table.begin(), table.end(), host.data());
    Kokkos::deep_copy(m_table, host);
  }

  /// What it was made of.
  const UniformSource& source() const { return m_source; }

  /// For kernels, as long as this or a copy of it lives.
  impl::DeviceSource on_device() const { return {m_source, m_table.data(), m_dimensions, m_cycle}; }

 private:
  using Table = Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space>;
  UniformSource m_source;
  std::uint64_t m_dimensions = 0;
  PrimeCycle m_cycle;
  Table m_table;
};

}  // namespace sporos
