// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/count.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/models/germinal_centre/agent_rules.hpp>
#include <sporos/models/germinal_centre/agent_walk.hpp>
#include <sporos/models/germinal_centre/germinal_centre_case.hpp>
#include <sporos/models/germinal_centre/tissue_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sporos::models {

/// Amounts of a chemokine are whole numbers of 2^−16 molecules. One element gains exactly what another loses, and the
/// result is bitwise identical on every backend.
inline constexpr double units_of_molecule = 65536;

/// Units of a chemokine in an element at a concentration of 1 nmol/l (Avogadro's number, CODATA 2018).
inline double units_at_one_nanomolar(const TissueMesh& mesh) {
  constexpr double molecules_in_cubic_micrometre = 0.602214076;
  return molecules_in_cubic_micrometre * mesh.element_volume() * units_of_molecule;
}

namespace impl {

/// Parameters of a chemokine in a substep.
struct FieldRules {
  double exchange;         // D Δt / h²: share of a difference that flows to a neighbour
  double decay;            // share that decays
  std::int64_t secretion;  // units, per source
  double half_occupancy;   // units per element
};

inline std::vector<FieldRules> field_rules(const GerminalCentreCase& all) {
  std::vector<FieldRules> rules;
  const double step = all.local_step / all.field_substeps, width = all.mesh.width;
  for (const Chemokine& chemokine : all.chemokines) {
    rules.push_back({chemokine.diffusion * step / (width * width), chemokine.decay * step,
                     bounded_count(std::nearbyint(chemokine.secretion * step * units_of_molecule)),
                     chemokine.half_occupancy * units_at_one_nanomolar(all.mesh)});
  }
  return rules;
}

/// Marks of the elements of a centre: one bit for each chemokine that the element secretes.
inline std::vector<std::uint32_t> source_marks(const GerminalCentreCase& all) {
  std::vector<std::uint32_t> marks(static_cast<std::size_t>(all.mesh.count()), 0);
  for (std::size_t c = 0; c < all.chemokines.size(); ++c) {
    for (const int element : elements_in(all.mesh, all.chemokines[c].sources)) {
      marks[static_cast<std::size_t>(element)] |= std::uint32_t{1} << c;
    }
  }
  return marks;
}

/// Returns a share of an amount, rounded towards 0. Amounts of opposite sign give shares of opposite sign.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t part_of(std::int64_t amount, double share) {
  return static_cast<std::int64_t>(static_cast<double>(amount) * share);
}

}  // namespace impl

/// Amounts by chemokine and element. The elements of all centres of a process are contiguous.
template <class Memory>
using FieldAmounts = Kokkos::View<std::int64_t**, Kokkos::LayoutRight, Memory>;

namespace impl {

/// Performs one substep of the chemokines in one element.
template <class Memory>
struct FieldStepper {
  ElementGrid grid;
  int elements;  // elements per centre
  Kokkos::View<FieldRules*, Memory> rules;
  Kokkos::View<KindRules*, Memory> kinds;
  Kokkos::View<std::uint32_t*, Memory> sources;
  FieldAmounts<Memory> before, after, decayed;
  Attractions<Memory> attractions;  // after the substep; empty if another substep follows

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t e) const {
    const int here = static_cast<int>(e % elements);
    const auto place = grid.place(here);
    for (int c = 0; c < static_cast<int>(rules.extent(0)); ++c) step(c, e, here, place);
    for (int kind = 0; kind < static_cast<int>(attractions.extent(1)); ++kind) find_attraction(e, kind);
  }

  KOKKOS_INLINE_FUNCTION void step(int c, std::int64_t e, int here, const Kokkos::Array<int, 3>& place) const {
    const std::int64_t amount = before(c, e), lost = part_of(amount, rules(c).decay);
    std::int64_t now = amount - lost;
    for (int direction = 0; direction < direction_count; ++direction) {
      now += part_of(before(c, e + grid.to_neighbour(place, direction)) - amount, rules(c).exchange);
    }
    if ((sources(here) >> c & 1u) != 0) now += rules(c).secretion;
    after(c, e) = now;
    decayed(c, e) += lost;
  }

  /// Computes e^(χ f), where f is the share of occupied receptors.
  KOKKOS_INLINE_FUNCTION void find_attraction(std::int64_t e, int kind) const {
    const KindRules& of_kind = kinds(kind);
    if (of_kind.sensitivity == 0.0) return;
    const auto amount = static_cast<double>(after(of_kind.chemokine, e));
    attractions(e, kind) =
        math::exp(of_kind.sensitivity * (amount / (amount + rules(of_kind.chemokine).half_occupancy)));
  }
};

}  // namespace impl

/// The chemokines of all centres of a process, computed by explicit finite volumes in whole units.
template <class ExecutionSpace>
class ChemokineFields {
 public:
  using Memory = typename ExecutionSpace::memory_space;  ///< memory space of the amounts

  /// Takes a case that has passed its check. There is no chemokine at first; `space` sets the amounts to 0
  /// asynchronously.
  ChemokineFields(const ExecutionSpace& space, const GerminalCentreCase& all, int centres)
      : m_elements(all.mesh.count()),
        m_substeps(all.field_substeps),
        m_grid(ElementGrid::of(all.mesh)),
        m_rules(impl::view_of<Memory>(impl::field_rules(all), "sporos::germinal_centre::field_rules")),
        m_sources(impl::view_of<Memory>(impl::source_marks(all), "sporos::germinal_centre::sources")) {
    const auto elements = static_cast<std::size_t>(m_elements) * static_cast<std::size_t>(centres);
    for (auto& amounts : m_amounts) {
      amounts = FieldAmounts<Memory>(Kokkos::view_alloc(space, "sporos::germinal_centre::amounts"),
                                     all.chemokines.size(), elements);
    }
    m_decayed = FieldAmounts<Memory>(Kokkos::view_alloc(space, "sporos::germinal_centre::decayed"),
                                     all.chemokines.size(), elements);
  }

  /// Number of substeps per step; 0 without chemokines.
  int substeps() const { return m_rules.extent(0) == 0 ? 0 : m_substeps; }

  /// Kernel of substep number `substep`, counted from the beginning or the last rotation. If it is the last one of a
  /// step, it writes `attractions`; otherwise these are empty.
  impl::FieldStepper<Memory> stepper(std::int64_t substep, const Kokkos::View<impl::KindRules*, Memory>& kinds,
                                     const Attractions<Memory>& attractions) const {
    const std::size_t odd = substep % 2 == 0 ? 0 : 1;
    return {m_grid, m_elements, m_rules, kinds, m_sources, m_amounts[odd], m_amounts[1 - odd], m_decayed, attractions};
  }

  /// Restarts the numbering of substeps at 0 after `substeps` substeps.
  void rotate(std::int64_t substeps) {
    if (substeps % 2 != 0) std::swap(m_amounts[0], m_amounts[1]);
  }

  /// Units in each element; valid after `rotate` has been called for all substeps.
  const FieldAmounts<Memory>& amounts() const { return m_amounts[0]; }
  /// Units that have decayed in each element since the beginning.
  const FieldAmounts<Memory>& decayed() const { return m_decayed; }

 private:
  int m_elements, m_substeps;
  ElementGrid m_grid;
  Kokkos::View<impl::FieldRules*, Memory> m_rules;
  Kokkos::View<std::uint32_t*, Memory> m_sources;
  FieldAmounts<Memory> m_amounts[2], m_decayed;
};

}  // namespace sporos::models
