// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/germinal_centre/agent_draws.hpp>
#include <sporos/models/germinal_centre/agent_order.hpp>
#include <sporos/models/germinal_centre/body_pools.hpp>
#include <sporos/models/germinal_centre/germinal_centre_case.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sporos::models {

/// Local pools of the centres of one process during a global step. They distribute the cells from the global pools
/// evenly over the local steps, and choose the identity and the element with which each cell enters the tissue.
class LocalArrivals {
 public:
  /// Takes a case that has passed its check, for the centres starting at index `first`.
  LocalArrivals(const GerminalCentreCase& all, std::uint64_t seed, std::int64_t first)
      : m_case(all),
        m_seed(seed),
        m_first(first),
        m_gates{elements_in(all.mesh, all.mesh.vessels), elements_in(all.mesh, all.mesh.surface)} {}

  /// Initial agents of `centres` centres.
  std::vector<NewAgent> beginning(int centres) const;

  /// Agents that enter in each local step of global step number `step`. `sent` has one element for each centre of the
  /// process.
  std::vector<std::vector<NewAgent>> in_steps(std::int64_t step, std::span<const CentreFlow> sent) const;

 private:
  // Chooses one of some elements by 64 random bits.
  static std::int32_t one_of(const std::vector<int>& elements, std::uint64_t bits) {
    return elements[static_cast<std::size_t>((bits >> 32) * elements.size() >> 32)];
  }
  std::int32_t first_element(std::size_t centre) const {
    return static_cast<std::int32_t>(centre) * m_case.mesh.count();
  }
  // Stream number of a centre, a kind of cells and a gate, for draws of an exchange.
  std::uint64_t name_of_flow(std::size_t centre, std::size_t kind, std::size_t gate) const {
    return std::uint64_t{1} << 48 | (static_cast<std::uint64_t>(m_first) + centre) << 8 | kind << 1 | gate;
  }
  void add(std::int64_t step, std::size_t centre, std::size_t kind, std::size_t gate, std::int64_t count,
           std::vector<std::vector<NewAgent>>& in_steps) const;

  const GerminalCentreCase& m_case;
  std::uint64_t m_seed;
  std::int64_t m_first;
  std::vector<int> m_gates[2];  // vessels, surface
};

inline std::vector<NewAgent> LocalArrivals::beginning(int centres) const {
  std::vector<NewAgent> agents;
  for (std::size_t kind = 0; kind < m_case.kinds.size(); ++kind) {
    const CellKind& of_kind = m_case.kinds[kind];
    const ElementBox everywhere{{}, m_case.mesh.elements};
    const auto start = elements_in(m_case.mesh, of_kind.start.empty() ? std::vector{everywhere} : of_kind.start);
    for (std::size_t centre = 0; centre < static_cast<std::size_t>(centres); ++centre) {
      for (std::int64_t i = 0; i < of_kind.in_tissue; ++i) {
        const auto draws =
            drawn(m_seed, name_of_flow(centre, kind, 0), DrawPurpose::beginning, static_cast<std::uint64_t>(i));
        agents.push_back({draws[0], first_element(centre) + one_of(start, draws[1]), static_cast<std::int32_t>(kind)});
      }
    }
  }
  return agents;
}

inline std::vector<std::vector<NewAgent>> LocalArrivals::in_steps(std::int64_t step,
                                                                  std::span<const CentreFlow> sent) const {
  std::vector<std::vector<NewAgent>> steps(static_cast<std::size_t>(m_case.steps_per_exchange));
  for (std::size_t centre = 0; centre < sent.size(); ++centre) {
    for (std::size_t kind = 0; kind < m_case.kinds.size(); ++kind) {
      add(step, centre, kind, 0, sent[centre].blood_or_lymph[kind], steps);
      add(step, centre, kind, 1, sent[centre].saliva[kind], steps);
    }
  }
  return steps;
}

inline void LocalArrivals::add(std::int64_t step, std::size_t centre, std::size_t kind, std::size_t gate,
                               std::int64_t count, std::vector<std::vector<NewAgent>>& in_steps) const {
  if (count == 0) return;
  const std::uint64_t name = name_of_flow(centre, kind, gate);
  impl::Rounding rounding(m_seed, name, step);
  const auto parts = impl::split(count, std::vector<double>(in_steps.size(), 1.0), rounding);
  auto number = static_cast<std::uint64_t>(step) << 24;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::int64_t cell = 0; cell < parts[i]; ++cell) {
      const auto draws = drawn(m_seed, name, DrawPurpose::arrival, number++);
      in_steps[i].push_back(
          {draws[0], first_element(centre) + one_of(m_gates[gate], draws[1]), static_cast<std::int32_t>(kind)});
    }
  }
}

}  // namespace sporos::models
