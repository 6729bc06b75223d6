// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/germinal_centre/germinal_centre_case.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sporos::models {

namespace impl {

/// Throws if a step of `step` minutes is longer than `most`, the step at which `what` would be a probability of 1 or a
/// field would oscillate. The largest step in the message is rounded down.
inline void check_step(const std::string& what, const char* step_name, double step, double most) {
  if (step <= most) return;
  const double digits = std::pow(10.0, 3 - std::floor(std::log10(most)));
  throw std::invalid_argument(fmt::format("{} at a {} of {} min, expected a step of at most {:.4g} min", what,
                                          step_name, io::shortest_text(step), std::floor(most * digits) / digits));
}

/// The largest step at which `rate`, in 1/min, is a probability.
inline double longest_step(double rate) { return 1 / rate; }

/// Throws if two things of a list have the same name, or one has none.
template <class Named>
void check_names(const std::vector<Named>& list, const std::string& what) {
  std::set<std::string_view> names;
  for (const Named& named : list) {
    if (named.name.empty()) throw std::invalid_argument(std::string("a ").append(what).append(" has no name"));
    if (!names.insert(named.name).second) {
      throw std::invalid_argument(std::string(what)
                                      .append(" ")
                                      .append(io::in_quotes(named.name))
                                      .append(" occurs twice, expected each name once"));
    }
  }
}

/// Throws if a rule names a kind that does not exist. An empty name is accepted if `may_be_none`.
inline void check_kind(const GerminalCentreCase& all, const std::string& what, const std::string& name,
                       bool may_be_none) {
  if (may_be_none && name.empty()) return;
  if (index_of(all.kinds, name) >= 0) return;
  std::string list;
  for (const CellKind& kind : all.kinds) list.append(list.empty() ? "" : ", ").append(kind.name);
  throw std::invalid_argument(std::string(what)
                                  .append(" is ")
                                  .append(io::in_quotes(name))
                                  .append(", expected one of the kinds: ")
                                  .append(list));
}

inline void check_steps(const GerminalCentreCase& all) {
  check_positive_integer("number of centres", all.centres);
  sporos::impl::check_parameter(all.centres <= 65536, "number of centres", static_cast<double>(all.centres),
                                "at most 65536");
  check_positive("local step", all.local_step);
  sporos::impl::check_parameter(all.steps_per_exchange >= 1 && all.steps_per_exchange <= 32768,
                                "number of steps per exchange", static_cast<double>(all.steps_per_exchange),
                                "a number from 1 to 32768");
  check_positive_integer("number of substeps of the field", all.field_substeps);
}

inline void check_cell_kind(const GerminalCentreCase& all, const CellKind& kind) {
  const auto of_kind = [&](const char* what) {
    return std::string(what).append(" of ").append(io::in_quotes(kind.name));
  };
  check_non_negative(of_kind("motility"), kind.motility);
  sporos::impl::check_parameter(std::abs(kind.sensitivity) <= 500, of_kind("sensitivity"), kind.sensitivity,
                                "a number from -500 to 500");
  check_probability(of_kind("extraction"), kind.extraction);
  check_probability(of_kind("uptake"), kind.uptake);
  for (const auto& [what, rate] : {std::pair{"drainage", kind.drainage}, std::pair{"shedding", kind.shedding},
                                   std::pair{"production", kind.production}, std::pair{"pool loss", kind.pool_loss}}) {
    check_non_negative(of_kind(what), rate);
  }
  for (const std::int64_t count :
       {kind.in_tissue, kind.in_pools[0], kind.in_pools[1], kind.in_pools[2], kind.in_pools[3]}) {
    sporos::impl::check_parameter(count >= 0 && count <= std::int64_t{1} << 52, of_kind("number"),
                                  static_cast<double>(count), "a number from 0 to 2^52");
  }
  check_boxes(all.mesh, kind.start, of_kind("start"));
  if (!kind.chemokine.empty() && index_of(all.chemokines, kind.chemokine) < 0) {
    throw std::invalid_argument(of_kind("chemokine")
                                    .append(" is ")
                                    .append(io::in_quotes(kind.chemokine))
                                    .append(", expected the name of one of the chemokines"));
  }
}

inline void check_rules(const GerminalCentreCase& all) {
  for (const CellChange& change : all.changes) {
    const std::string of = std::string(" of a change of ").append(io::in_quotes(change.from));
    check_kind(all, "kind of a change", change.from, false);
    check_kind(all, "result" + of, change.to, true);
    check_kind(all, "offspring" + of, change.offspring, true);
    check_non_negative("rate" + of, change.rate);
    check_non_negative("age" + of, change.from_age);
    sporos::impl::check_parameter(change.offspring_count >= 0 && change.offspring_count <= 65535,
                                  "number of offspring" + of, static_cast<double>(change.offspring_count),
                                  "a number from 0 to 65535");
    if (change.offspring.empty() == (change.offspring_count == 0)) continue;
    throw std::invalid_argument("number of offspring" + of + " is " + std::to_string(change.offspring_count) +
                                ", expected a positive number if offspring is given, and 0 otherwise");
  }
  for (const CellMeeting& meeting : all.meetings) {
    const std::string of = std::string(" of a meeting of ").append(io::in_quotes(meeting.first));
    check_kind(all, "kind of a meeting", meeting.first, false);
    check_kind(all, "partner" + of, meeting.second, false);
    check_kind(all, "result" + of, meeting.first_becomes, true);
    check_kind(all, "result for the partner" + of, meeting.second_becomes, true);
    check_non_negative("rate" + of, meeting.rate);
  }
}

inline void check_chemokine(const GerminalCentreCase& all, const Chemokine& chemokine) {
  const auto of = [&](const char* what) {
    return std::string(what).append(" of ").append(io::in_quotes(chemokine.name));
  };
  check_non_negative(of("diffusion"), chemokine.diffusion);
  check_non_negative(of("decay"), chemokine.decay);
  check_non_negative(of("secretion"), chemokine.secretion);
  check_positive(of("half occupancy"), chemokine.half_occupancy);
  check_boxes(all.mesh, chemokine.sources, of("sources"));
}

/// Checks that fluid is neither created nor lost, among other properties of the flows.
inline void check_flows(const GerminalCentreCase& all) {
  std::array<double, pool_count + 2> in = {}, out = {};
  double greatest = 0;
  for (const FluidFlow& flow : all.flows) {
    check_non_negative("a flow", flow.rate);
    const bool is_entry = flow.from == Compartment::blood || flow.from == Compartment::saliva;
    if (flow.to == Compartment::tissue && !is_entry) {
      throw std::invalid_argument(std::string("a flow goes from ")
                                      .append(name_of(flow.from))
                                      .append(" to tissue, expected a flow from blood or saliva"));
    }
    out[static_cast<std::size_t>(flow.from)] += flow.rate;
    in[static_cast<std::size_t>(flow.to)] += flow.rate;
    greatest = std::max(greatest, flow.rate);
  }
  for (const double volume : all.volumes) check_positive("volume of a pool", volume);
  constexpr auto saliva = static_cast<std::size_t>(Compartment::saliva);
  if (all.mesh.surface.empty() && flow_share(all, saliva, Compartment::tissue) > 0) {
    throw std::invalid_argument("saliva flows to the tissue, but the mesh has no surface, expected at least one box");
  }
  for (std::size_t i = 0; i <= pool_count; ++i) {
    if (std::abs(in[i] - out[i]) <= 1e-9 * greatest) continue;
    throw std::invalid_argument(std::string("flow into ")
                                    .append(name_of(static_cast<Compartment>(i)))
                                    .append(" is ")
                                    .append(sporos::impl::number_text(in[i]))
                                    .append(" ml/min and out of it ")
                                    .append(sporos::impl::number_text(out[i]))
                                    .append(" ml/min, expected equal flows"));
  }
}

/// 1/min: total rate of what an agent of a kind may do, apart from meeting and moving.
inline double fate_rate(const GerminalCentreCase& all, const CellKind& kind) {
  double rate = kind.drainage + kind.shedding;
  for (const CellChange& change : all.changes) rate += change.from == kind.name ? change.rate : 0.0;
  return rate;
}

/// min: largest step in which an agent of a kind moves no further than to a neighbour, for any attractiveness.
inline double longest_walking_step(const GerminalCentreCase& all, const CellKind& kind) {
  const double max_odds = kind.chemokine.empty() ? 1 : 2;
  const double width = all.mesh.width;
  return width * width / (direction_count * max_odds * kind.motility);
}

/// min: largest substep in which no element gives away more of a chemokine than it has.
inline double longest_field_step(const GerminalCentreCase& all, const Chemokine& chemokine) {
  const double width = all.mesh.width;
  return 1 / (direction_count * chemokine.diffusion / (width * width) + chemokine.decay);
}

inline void check_local_step(const GerminalCentreCase& all) {
  constexpr auto step_name = "local step";
  for (const CellKind& kind : all.kinds) {
    const double rate = fate_rate(all, kind);
    check_step(std::string("changes, drainage and shedding of ")
                   .append(io::in_quotes(kind.name))
                   .append(" have a total probability of ")
                   .append(fmt::format("{:.4g}", rate * all.local_step)),
               step_name, all.local_step, longest_step(rate));
    check_step(std::string("motility of ").append(io::in_quotes(kind.name)).append(" moves it past the next element"),
               step_name, all.local_step, longest_walking_step(all, kind));
  }
  for (const CellMeeting& meeting : all.meetings) {
    const double rate = meeting.rate / all.mesh.element_volume();
    check_step(std::string("a meeting of ")
                   .append(io::in_quotes(meeting.first))
                   .append(" and ")
                   .append(io::in_quotes(meeting.second))
                   .append(" has a probability of ")
                   .append(fmt::format("{:.4g}", rate * all.local_step)),
               step_name, all.local_step, longest_step(rate));
  }
  for (const Chemokine& chemokine : all.chemokines) {
    check_step(std::string("diffusion and decay of ")
                   .append(io::in_quotes(chemokine.name))
                   .append(" are unstable with ")
                   .append(std::to_string(all.field_substeps))
                   .append(" substeps"),
               step_name, all.local_step, longest_field_step(all, chemokine) * all.field_substeps);
  }
}

inline void check_global_step(const GerminalCentreCase& all) {
  for (const CellKind& kind : all.kinds) {
    for (std::size_t pool = 0; pool < pool_count; ++pool) {
      double rate = 0;
      for (std::size_t to = 0; to <= pool_count + 1; ++to) {
        rate += pool_rate(all, kind, pool, static_cast<Compartment>(to));
      }
      check_step(std::string("flows take ")
                     .append(io::in_quotes(kind.name))
                     .append(" out of the ")
                     .append(name_of(static_cast<Compartment>(pool)))
                     .append(" with a probability of ")
                     .append(fmt::format("{:.4g}", rate * all.global_step())),
                 "global step", all.global_step(), longest_step(rate));
    }
  }
}

}  // namespace impl

inline void GerminalCentreCase::check() const {
  mesh.check();
  impl::check_steps(*this);
  if (kinds.empty() || kinds.size() > max_cell_kinds) {
    sporos::impl::refuse_parameter("number of kinds", std::to_string(kinds.size()),
                                   "a number from 1 to " + std::to_string(max_cell_kinds));
  }
  impl::check_names(chemokines, "chemokine");
  impl::check_names(kinds, "kind");
  for (const Chemokine& chemokine : chemokines) impl::check_chemokine(*this, chemokine);
  for (const CellKind& kind : kinds) impl::check_cell_kind(*this, kind);
  impl::check_rules(*this);
  impl::check_flows(*this);
  impl::check_local_step(*this);
  impl::check_global_step(*this);
}

}  // namespace sporos::models
