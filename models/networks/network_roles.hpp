// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/networks/network_case.hpp>

#include <cstddef>
#include <vector>

namespace sporos::models {

/// Throws std::invalid_argument, naming the offending member by its path, if the roles of a case are inconsistent.
void check_roles(const NetworkDescription& network);

/// Throws std::invalid_argument if the shifts of more than `most` people overlap.
void check_people(const NetworkDescription& network, int most);

/// Returns the average number of people of a role at work, without overtime.
double average_people(const NetworkRole& role);

/// Returns the work of role `r`, the preferred first, and the rank of each: work of equal rank is done in the order of
/// arrival.
std::vector<NetworkWork> work_of(const NetworkDescription& network, std::size_t r, std::vector<int>& ranks);

}  // namespace sporos::models
