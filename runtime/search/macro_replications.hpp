// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/report.hpp>

#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstdint>
#include <vector>

namespace sporos::runtime {

/// Estimates objective and constraints of `runs` from `start`, at their ends and on the way, on replications that no
/// run has seen. `seeds` are the seeds of the runs. `certificates` are those of their ends; empty without constraints
/// on means.
MacroReplications macro_replications(SampledProblem& problem, const std::vector<SearchResult>& runs,
                                     const std::vector<Certificate>& certificates,
                                     const std::vector<std::uint64_t>& seeds, const std::vector<double>& start,
                                     const SearchRequest& request);

}  // namespace sporos::runtime
