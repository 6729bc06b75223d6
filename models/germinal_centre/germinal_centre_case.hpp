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

/// Compartments between which fluid flows. The first four are pools: well mixed, with known numbers of cells only.
enum class Compartment {
  blood,   ///< brings cells to the vessels of all centres
  lymph,   ///< takes cells from the drains
  marrow,  ///< produces cells
  saliva,  ///< takes cells from the surface and gives cells to it
  tissue,  ///< all germinal centres
  outside  ///< outside the body
};

/// Number of compartments that are pools.
inline constexpr std::size_t pool_count = 4;

/// A kind of agent: cells in a stage, or virus.
struct CellKind {
  std::string name;        ///< name that rules use
  double motility = 0;     ///< µm²/min: diffusion constant of its random walk, mean square displacement 6 D t
  std::string chemokine;   ///< chemokine whose gradient it climbs; empty for none
  double sensitivity = 0;  ///< χ of the climb: a step to where receptors are more occupied by Δ has the odds e^(χΔ)
  double extraction = 0;   ///< share of the cells that blood carries past the vessels and that enter there
  double uptake = 0;       ///< share of the cells that saliva carries to the surface and that enter there
  double drainage = 0;     ///< 1/min: rate of leaving with the lymph, for a cell in a drain
  double shedding = 0;     ///< 1/min: rate of leaving with the saliva, for a cell below the surface
  double production = 0;   ///< 1/min: cells produced in the marrow
  double pool_loss = 0;    ///< 1/min: rate of dying in a pool
  std::array<std::int64_t, pool_count> in_pools = {};  ///< initial number in each pool
  std::int64_t in_tissue = 0;                          ///< initial number in each centre
  std::vector<ElementBox> start;                       ///< boxes in which these start, uniformly; empty for everywhere
};

/// Spontaneous change of a cell: it becomes another kind or dies, and may leave offspring.
struct CellChange {
  std::string from;                  ///< kind of the cell
  std::string to;                    ///< kind that it becomes, which may be the same; empty if it dies
  double rate = 0;                   ///< 1/min
  double from_age = 0;               ///< min: smallest age as this kind at which the change can happen
  std::string offspring;             ///< kind of the offspring; empty for none
  std::int64_t offspring_count = 0;  ///< number of offspring
};

/// Meeting of two agents in an element.
struct CellMeeting {
  std::string first;           ///< kind of one agent
  std::string second;          ///< kind of the other
  double rate = 0;             ///< µm³/min: in a volume V each pair meets at the rate rate/V
  std::string first_becomes;   ///< kind of the first agent afterwards; empty if it dies
  std::string second_becomes;  ///< kind of the second agent afterwards; empty if it dies
};

/// A substance that diffuses and decays, and that some elements secrete.
struct Chemokine {
  std::string name;                 ///< name that kinds of cells use
  double diffusion = 0;             ///< µm²/min
  double decay = 0;                 ///< 1/min
  double secretion = 0;             ///< molecules/min, per source
  double half_occupancy = 1;        ///< nmol/l at which half of the receptors are occupied
  std::vector<ElementBox> sources;  ///< elements that secrete it
};

/// A flow of fluid from one compartment to another, which carries the cells of a pool along.
struct FluidFlow {
  Compartment from;  ///< compartment that loses fluid
  Compartment to;    ///< compartment that receives fluid
  double rate;       ///< ml/min
};

/// Identical germinal centres, coupled only through pools: Lee (2012), Hybrid parallel computing strategies for
/// scientific computing applications, chapters 2 and 3. In the elements of a centre, agents age, divide, die and meet;
/// between elements they walk, up gradients of chemokines.
///
/// Time advances in steps of `local_step`, in which each agent does at most one of these. After every
/// `steps_per_exchange` of them, t_global = n t_local, the centres exchange cells with the pools.
struct GerminalCentreCase {
  int centres = 1;                                        ///< number of centres
  double local_step = 0.5;                                ///< min
  int steps_per_exchange = 60;                            ///< n
  int field_substeps = 1;                                 ///< substeps of the chemokines per local step
  TissueMesh mesh;                                        ///< mesh of each centre
  std::vector<CellKind> kinds;                            ///< kinds of agents
  std::vector<CellChange> changes;                        ///< rules of spontaneous changes
  std::vector<CellMeeting> meetings;                      ///< rules of meetings
  std::vector<Chemokine> chemokines;                      ///< fields
  std::array<double, pool_count> volumes = {1, 1, 1, 1};  ///< ml, of each pool
  std::vector<FluidFlow> flows;                           ///< as much into each compartment as out of it

  /// min: time between two exchanges.
  double global_step() const { return local_step * steps_per_exchange; }

  /// Throws std::invalid_argument if the case is not valid: a number out of range, an unknown or duplicate name, an
  /// invalid mesh, flows that do not balance, or rates that make a probability exceed 1 or a field unstable at this
  /// step. The message is one line that names the problem and, for a step, the largest possible one.
  void check() const;
};

/// Largest number of kinds of agents.
inline constexpr std::size_t max_cell_kinds = 16;

/// Index of the thing called `name` in a list of named things; −1 if there is none.
template <class Named>
int index_of(const std::vector<Named>& list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Named& named) { return named.name == name; });
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

/// 1/min: share of a pool's cells that flows carry from it to `to`.
inline double flow_share(const GerminalCentreCase& all, std::size_t pool, Compartment to) {
  double rate = 0;
  for (const FluidFlow& flow : all.flows) {
    if (flow.from == static_cast<Compartment>(pool) && flow.to == to) rate += flow.rate / all.volumes[pool];
  }
  return rate;
}

/// 1/min: rate at which a cell of a kind leaves a pool for `to`.
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
  using Compartment = models::Compartment;                 ///< the enumeration
  static constexpr std::string_view what = "compartment";  ///< noun for the choice in messages
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<Compartment>>({{"blood", Compartment::blood},
                                                                         {"lymph", Compartment::lymph},
                                                                         {"marrow", Compartment::marrow},
                                                                         {"saliva", Compartment::saliva},
                                                                         {"tissue", Compartment::tissue},
                                                                         {"outside", Compartment::outside}});
};

}  // namespace sporos
