// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/report.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Why decisions x are infeasible, of which `replications` gave these moments.
std::string fault_text(const SearchRequest& request, std::span<const double> x, std::int64_t replications,
                       const SampleMoments& moments);

/// Whether the start may meet the constraints on means: no replications that the search has not seen show that one of
/// them is violated there. What is better than an infeasible start says nothing about the decisions.
bool may_start_be_feasible(const SearchReport& report);

/// Whether it is certified that the last point violates a constraint on means. Its objective then counts for nothing.
bool is_end_infeasible(const SearchReport& report);

/// The confidence with which the bounds of all constraints on means hold.
double confidence_of_constraints(const SearchRequest& request);

/// Sentences about feasibility, about what was searched, where the search ended, which neighbours are better, and how
/// far the best decisions can be.
std::vector<std::string> notes_of(const SearchReport& report);

}  // namespace sporos::runtime
