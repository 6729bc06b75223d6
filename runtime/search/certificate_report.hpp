// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/report.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/optimizers/constrained/certificate.hpp>

#include <string>

namespace sporos::runtime {

/// For programs.
io::Json json_of(const Certificate& certificate, const SearchRequest& request);

/// Whether the certificate has multipliers: the problem has derivatives.
bool knows_multipliers(const Certificate& certificate);

/// Whether the start may meet the constraints on means: no replications that the search has not seen show that one of
/// them is violated there. What is better than an infeasible start says nothing of the decisions.
bool may_start_be_feasible(const SearchReport& report);

/// Whether it is certified that the last point violates a constraint on means. Its objective then counts for nothing.
bool is_end_infeasible(const SearchReport& report);

/// What unseen replications say of the constraints at the last point; empty where there are none on means.
std::string certificate_text(const SearchReport& report);

/// How many of several runs end how, and which of them is the answer; empty where there are no such constraints.
std::string verdicts_text(const SearchReport& report);

}  // namespace sporos::runtime
