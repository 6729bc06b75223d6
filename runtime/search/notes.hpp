// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/report.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Explains why decisions x are infeasible. `moments` are those of `replications` replications at x.
std::string fault_text(const SearchRequest& request, std::span<const double> x, std::int64_t replications,
                       const SampleMoments& moments);

/// Whether the start may satisfy the constraints on means: no unseen replications show that one of them is violated
/// there. An improvement over an infeasible start would say nothing about the decisions.
bool may_start_be_feasible(const SearchReport& report);

/// Whether the last point is certified to violate a constraint on means. Its objective is then meaningless.
bool is_end_infeasible(const SearchReport& report);

/// The confidence with which the bounds of all constraints on means hold simultaneously.
double confidence_of_constraints(const SearchRequest& request);

/// Returns sentences about feasibility, the scope of the search, where it ended, better neighbours and the optimality
/// gap.
std::vector<std::string> notes_of(const SearchReport& report);

}  // namespace sporos::runtime
