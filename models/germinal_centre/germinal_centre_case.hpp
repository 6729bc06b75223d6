// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/models/germinal_centre/tissue_mesh.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::models {

/// Between what fluid flows. The first four are pools: well mixed, of which only the numbers of cells are known.
enum class Compartment {
  blood,   ///< brings cells to the vessels of all centres
  lymph,   ///< takes cells from the drains
  marrow,  ///< where cells are produced
  saliva,  ///< takes from and gives to the surface
  tissue,  ///< all germinal centres
  outside  ///< of the body
};

/// How many compartments are pools.
inline constexpr std::size_t pool_count = 4;

/// A kind of agents: cells in a stage, or virus.
struct CellKind {
  std::string name;        ///< by which rules name it
  double motility = 0;     ///< µm²/min: diffusion constant of its random walk, mean square displacement 6 D t
  std::string chemokine;   ///< whose gradient it climbs; empty for none
  double sensitivity = 0;  ///< χ of the climb: a step to where receptors are more occupied by Δ has the odds e^(χΔ)
  double extraction = 0;   ///< share of those that blood brings past the vessels that enter there
  double uptake = 0;       ///< share of those that saliva brings to the surface that enter there
  double drainage = 0;     ///< 1/min: rate of leaving with the lymph, for one in a drain
  double shedding = 0;     ///< 1/min: rate of leaving with the saliva, for one below the surface
  double production = 0;   ///< 1/min: how many come into being in the marrow
  double pool_loss = 0;    ///< 1/min: rate of dying in a pool
  std::array<std::int64_t, pool_count> in_pools = {};  ///< how many there are at first, in each pool
  std::int64_t in_tissue = 0;                          ///< how many there are at first, in each centre
  std::vector<ElementBox> start;                       ///< where these are, evenly; empty for everywhere
};

/// What a cell does by itself: it becomes another kind, or is gone, and may leave offspring.
struct CellChange {
  std::string from;                  ///< its kind
  std::string to;                    ///< the kind it becomes; its own where it goes on; empty where it is gone
  double rate = 0;                   ///< 1/min
  double from_age = 0;               ///< min: after so long as this kind
  std::string offspring;             ///< kind of what it leaves; empty for none
  std::int64_t offspring_count = 0;  ///< how many it leaves
};

/// What comes of two agents that meet in an element.
struct CellMeeting {
  std::string first;           ///< kind of the one
  std::string second;          ///< kind of the other
  double rate = 0;             ///< µm³/min: in a volume V each pair meets with the rate rate/V
  std::string first_becomes;   ///< its kind afterwards; empty where it is gone
  std::string second_becomes;  ///< its kind afterwards; empty where it is gone
};

/// A substance that diffuses and decays, and which some elements secrete.
struct Chemokine {
  std::string name;                 ///< by which kinds of cells name it
  double diffusion = 0;             ///< µm²/min
  double decay = 0;                 ///< 1/min
  double secretion = 0;             ///< molecules/min, of each source
  double half_occupancy = 1;        ///< nmol/l at which half of the receptors are occupied
  std::vector<ElementBox> sources;  ///< elements that secrete
};

/// Fluid that flows from a compartment to another and carries the cells of a pool along.
struct FluidFlow {
  Compartment from;  ///< where it comes from
  Compartment to;    ///< where it goes
  double rate;       ///< ml/min
};

/// Germinal centres that are all alike, joined by pools alone (paper 002, chapters 2 and 3): elements in which agents
/// age, divide, die and meet, and between which they walk, up gradients of chemokines.
///
/// Time goes in steps of `local_step`, in which each agent does at most one of these. After every `steps_per_exchange`
/// of them, t_global = n t_local, the centres exchange cells with the pools.
struct GerminalCentreCase {
  int centres = 1;                                        ///< how many
  double local_step = 0.5;                                ///< min
  int steps_per_exchange = 60;                            ///< n
  int field_substeps = 1;                                 ///< of a local step, for the chemokines
  TissueMesh mesh;                                        ///< of each centre
  std::vector<CellKind> kinds;                            ///< of agents
  std::vector<CellChange> changes;                        ///< rules
  std::vector<CellMeeting> meetings;                      ///< rules
  std::vector<Chemokine> chemokines;                      ///< fields
  std::array<double, pool_count> volumes = {1, 1, 1, 1};  ///< ml, of the pools
  std::vector<FluidFlow> flows;                           ///< into each compartment as much as out of it

  /// min: between two exchanges.
  double global_step() const { return local_step * steps_per_exchange; }

  /// Throws std::invalid_argument, in one line that names what is wrong: a number out of its range, a name that is
  /// nobody's or somebody else's, a mesh that cannot be, flows that do not balance, and rates that would make a
  /// probability over 1 at this step, or a field unstable, with the largest step that would do.
  void check() const;
};

/// The most kinds of agents.
inline constexpr std::size_t most_cell_kinds = 16;

/// Where the thing called `name` stands in a list of named things; −1 for none.
template <class Named>
int index_of(const std::vector<Named>& list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Named& named) { return named.name == name; });
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

/// 1/min: the share of a pool's cells that flows carry from it to `to`.
inline double flow_share(const GerminalCentreCase& all, std::size_t pool, Compartment to) {
  double rate = 0;
  for (const FluidFlow& flow : all.flows) {
    if (flow.from == static_cast<Compartment>(pool) && flow.to == to) rate += flow.rate / all.volumes[pool];
  }
  return rate;
}

/// 1/min: the rate at which a cell of a kind leaves a pool for `to`.
inline double pool_rate(const GerminalCentreCase& all, const CellKind& kind, std::size_t pool, Compartment to) {
  const double flow = flow_share(all, pool, to);
  if (to == Compartment::tissue) return flow * (pool == 0 ? kind.extraction : kind.uptake);
  return to == Compartment::outside ? flow + kind.pool_loss : flow;
}

}  // namespace sporos::models

namespace sporos {

/// Names of the compartments.
template <>
struct ChoiceNames<models::Compartment> {
  using Compartment = models::Compartment;                 ///< what there is
  static constexpr std::string_view what = "compartment";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<Compartment>>({{"blood", Compartment::blood},
                                                                         {"lymph", Compartment::lymph},
                                                                         {"marrow", Compartment::marrow},
                                                                         {"saliva", Compartment::saliva},
                                                                         {"tissue", Compartment::tissue},
                                                                         {"outside", Compartment::outside}});
};

}  // namespace sporos
