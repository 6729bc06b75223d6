// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_case.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace sporos::models {

/// Function that approximates the mean of each response, in the order of network_responses, from the values of some
/// members of a network. A mean is not a number if the response has no approximation.
using ApproximateMeans = std::function<std::vector<double>(std::span<const double> values)>;

/// Returns an approximation of responses of a network with roles, as a function of the numbers of people who start in
/// slots. `members` are the indices of these numbers among the members of the network (see network_members). Without
/// simulation, it gives searches a start and predicts which starts of shifts pay.
///
/// Time is divided into intervals of at most half a slot: of one cycle if everything repeats with the cycle of the
/// roles and it is observed at least twice, otherwise of the whole horizon.
///
/// - *Demand.* A station serves the load that its customers would be if nobody ever waited: the modified offered load
///   m' = λ − m / E[S] (Jennings, Mandelbaum, Massey, Whitt: Manage. Sci. 42, 1996), averaged over each interval.
/// - *Service.* In an interval, the people of a role are a group with Erlang's loss B. Customers whom a role cannot
///   serve at once overflow to the next of their roles. The variance of overflow is that of Riordan, and Hayward's
///   approximation gives the loss of peaked traffic (Fredericks: Bell Syst. Tech. J. 59, 1980). Roles that the same
///   customers prefer one directly after the other, such as shifts with different breaks, are one group. If all roles
///   are busy with probability L, a customer waits with probability L / (1 − ρ + ρ L), where ρ is the utilization of
///   its roles if everybody is served. For one group, this is Erlang's C.
/// - *Waits*: the number of customers of each class at a station follows the pointwise stationary fluid flow
///   approximation (QueueInterval). Classes share the people of a group by their loads.
/// - *Overtime* of a break or of the end of a shift: the probability that the person serves, times the mean service.
/// - *Cost*: the exact cost of the shifts, and that of overtime.
///
/// Responses with an approximation are costs, overtime and utilizations of roles, and, at stations with roles, the
/// fractions served at once, waits, fractions of waits within and above limits and numbers of waiting customers.
/// Utilizations, mean waits and numbers of waiting customers have one also in periods that repeat like the roles. The
/// approximation ignores limits of capacity, impatience and the work that people prefer. The fractions served at once
/// also ignore queues that last from one interval to the next: they are meant for staff that serves most customers at
/// once.
///
/// The function is empty if a member is no number of people, if customers have appointments, a population or a maximum
/// number of arrivals, or if there are too many intervals, stations and classes.
ApproximateMeans approximate_means(const NetworkDescription& network, std::span<const std::size_t> members);

}  // namespace sporos::models
