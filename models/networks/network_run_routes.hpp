// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_run.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// @file
/// Routes of customers through a network: members of NetworkRun.

namespace sporos::models {

// Returns the index of the branch of the route that the uniform `u` chooses. Returns route.end if the customer leaves
// the network because the probabilities sum to less than 1.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION int NetworkRun<Inputs, Watcher, is_plain>::branch_of(const TableRange& route, double u) {
  if (!is_choice(route)) return route.first;
  if (has(m_has_weights) && has_weights(route)) return weighted_branch(route, u);
  // Without an exit from the loop, which processors could not predict: 5 % of ten stations on a host.
  int branch = route.first;
  for (int i = route.first; i < route.end; ++i) branch += u > m_network.branches[i].cumulative ? 1 : 0;
  return branch;
}

// Returns the weight that replaces the probability of a branch. Returns -1 if it is not replaced.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::changed_weight(int branch) const {
  const auto is_weight = [&](int member) {
    const MemberData& of = m_network.members[member];
    return of.kind == NetworkMember::Kind::probability && of.owner == branch;
  };
  for (int i = 0; i < m_more.count; ++i) {
    if (is_weight(m_more.members[i])) return m_more.values[i];
  }
  for (int i = 0; i < m_change_count; ++i) {
    if (is_weight(m_changes[i].member)) return m_changes[i].value;
  }
  return -1;
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::has_weights(const TableRange& route) const {
  for (int branch = route.first; branch < route.end; ++branch) {
    if (changed_weight(branch) >= 0) return true;
  }
  return false;
}

template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION double NetworkRun<Inputs, Watcher, is_plain>::weight_of(const TableRange& route, int branch) const {
  const double changed = changed_weight(branch);
  if (changed >= 0) return changed;
  const double before = branch > route.first ? m_network.branches[branch - 1].cumulative : 0.0;
  return m_network.branches[branch].cumulative - before;
}

// Chooses a branch by weights. If rounding leads beyond the last branch, returns the last one with a positive weight.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION int NetworkRun<Inputs, Watcher, is_plain>::weighted_branch(const TableRange& route, double u) {
  double sum = 0;
  for (int branch = route.first; branch < route.end; ++branch) sum += weight_of(route, branch);
  m_has_no_branch = m_has_no_branch || !(sum > 0);
  double left = u * sum;
  int taken = route.first;
  for (int branch = route.first; branch < route.end; ++branch) {
    const double weight = weight_of(route, branch);
    if (weight <= 0) continue;
    taken = branch;
    if (left <= weight) break;
    left -= weight;
  }
  return taken;
}

// Chooses one of the branch's stations for a customer from station `from`, or from outside if it is negative. Returns
// −1 if the branch leaves the network.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION int NetworkRun<Inputs, Watcher, is_plain>::target_of(const BranchData& branch,
                                                                                 int from) const {
  if (branch.choice == Choice::first_free && branch.targets.end > branch.targets.first + 1) {
    for (int i = branch.targets.first; i < branch.targets.end; ++i) {
      const int s = m_network.targets[i];
      if (has_free_server(s) && !is_closed(s, from)) return s;
    }
  }
  int best = -1;
  for (int i = branch.targets.first; i < branch.targets.end; ++i) {
    const int s = m_network.targets[i];
    const bool is_better = best < 0 || (is_closed(best, from) && !is_closed(s, from)) ||
                           (is_closed(best, from) == is_closed(s, from) && station(s).number < station(best).number);
    if (is_better) best = s;
  }
  return best;
}

// Chooses where a served customer goes.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FORCEINLINE_FUNCTION auto NetworkRun<Inputs, Watcher, is_plain>::next_of(const Customer& customer) -> Next {
  const TableRange& route = visit(customer).next;
  const int branch = branch_of(route, customer.route);
  if (branch == route.end) return {-1, branch - route.first, customer.of_class};
  const BranchData& taken = m_network.branches[branch];
  return {target_of(taken, customer.station), branch - route.first,
          taken.becomes >= 0 ? taken.becomes : customer.of_class};
}

// Whether the branch that a served customer takes leads to station s.
template <class Inputs, class Watcher, bool is_plain>
KOKKOS_FUNCTION bool NetworkRun<Inputs, Watcher, is_plain>::can_go_to(const Customer& customer, int s) const {
  const auto [first, end] = branch_taken_by(customer).targets;
  for (int i = first; i < end; ++i) {
    if (m_network.targets[i] == s) return true;
  }
  return false;
}

}  // namespace sporos::models
