// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/models/germinal_centre/germinal_centre_case.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::models {

namespace impl {

/// A change, per step. Kinds are numbers; −1 stands for none.
struct ChangeRule {
  int to, offspring, offspring_count;
  std::int32_t from_age;  // in steps
  double probability;     // per step
};

/// A meeting, listed for the first of its two kinds.
struct MeetingRule {
  int second, first_becomes, second_becomes;
  double hazard;  // per step and pair
};

/// Rules of an agent of a kind. Its changes and its meetings are contiguous in the tables.
struct KindRules {
  int change_begin, change_end, meeting_begin, meeting_end;
  double drainage, shedding;  // probabilities per step
  double stride;              // probability of a walk to a neighbour without chemokine
  double sensitivity;         // 0 without a chemokine
  int chemokine;              // −1 for none
};

/// A view with the contents of `list`.
template <class Memory, class T>
Kokkos::View<T*, Memory> view_of(const std::vector<T>& list, const std::string& label) {
  Kokkos::View<T*, Memory> view(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), list.size());
  copy_elements(view, list);
  return view;
}

}  // namespace impl

/// Rules of a case, in memory that kernels can access.
template <class Memory>
struct AgentRules {
  Kokkos::View<impl::KindRules*, Memory> kinds;       ///< by kind
  Kokkos::View<impl::ChangeRule*, Memory> changes;    ///< grouped by kind, in the order of the case
  Kokkos::View<impl::MeetingRule*, Memory> meetings;  ///< grouped by kind, in the order of the case

  /// Takes a case that has passed its check.
  explicit AgentRules(const GerminalCentreCase& all) {
    std::vector<impl::KindRules> of_kinds;
    std::vector<impl::ChangeRule> all_changes;
    std::vector<impl::MeetingRule> all_meetings;
    for (const CellKind& kind : all.kinds) {
      impl::KindRules rules = rules_of(all, kind);
      rules.change_begin = static_cast<int>(all_changes.size());
      rules.meeting_begin = static_cast<int>(all_meetings.size());
      add_changes(all, kind, all_changes);
      add_meetings(all, kind, all_meetings);
      rules.change_end = static_cast<int>(all_changes.size());
      rules.meeting_end = static_cast<int>(all_meetings.size());
      of_kinds.push_back(rules);
    }
    kinds = impl::view_of<Memory>(of_kinds, "sporos::germinal_centre::kinds");
    changes = impl::view_of<Memory>(all_changes, "sporos::germinal_centre::changes");
    meetings = impl::view_of<Memory>(all_meetings, "sporos::germinal_centre::meetings");
  }

 private:
  static impl::KindRules rules_of(const GerminalCentreCase& all, const CellKind& kind) {
    const double step = all.local_step, width = all.mesh.width;
    const int chemokine = index_of(all.chemokines, kind.chemokine);
    return {0,
            0,
            0,
            0,
            kind.drainage * step,
            kind.shedding * step,
            kind.motility * step / (width * width),
            chemokine < 0 ? 0.0 : kind.sensitivity,
            chemokine};
  }

  static void add_changes(const GerminalCentreCase& all, const CellKind& kind, std::vector<impl::ChangeRule>& list) {
    constexpr std::int64_t max_steps = std::numeric_limits<std::int32_t>::max();  // no run has more
    for (const CellChange& change : all.changes) {
      if (change.from != kind.name) continue;
      list.push_back(
          {index_of(all.kinds, change.to), index_of(all.kinds, change.offspring),
           static_cast<int>(change.offspring_count),
           static_cast<std::int32_t>(std::min(bounded_count(std::ceil(change.from_age / all.local_step)), max_steps)),
           change.rate * all.local_step});
    }
  }

  static void add_meetings(const GerminalCentreCase& all, const CellKind& kind, std::vector<impl::MeetingRule>& list) {
    for (const CellMeeting& meeting : all.meetings) {
      if (meeting.first != kind.name) continue;
      list.push_back({index_of(all.kinds, meeting.second), index_of(all.kinds, meeting.first_becomes),
                      index_of(all.kinds, meeting.second_becomes),
                      meeting.rate * all.local_step / all.mesh.element_volume()});
    }
  }
};

}  // namespace sporos::models
