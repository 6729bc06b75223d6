// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/options.hpp>

#include <sporos/optimizers/constrained/certificate.hpp>
#include <sporos/optimizers/constrained/tail_problem.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/optimizers/search/search.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The end of a search under constraints on means, and its certificate from replications that the search has not seen.
struct CertifiedEnd {
  SearchResult run;         ///< the run, up to its last point
  Certificate certificate;  ///< certificate of the last point
};

/// A problem as the solver sees it and as its ends are certified.
struct CertifiedProblem {
  SampledProblem& searched;  ///< problem that the solver runs on
  SampledProblem& unseen;    ///< the same problem, for unseen replications
  /// Problem below both that chooses the thresholds of constraints on tails; null if there are none.
  TailProblem* tails;
};

/// Certifies the ends of `runs`, the runs of `solver` on `problem` with `seeds`. All ends are certified on the same
/// replications, which no run has seen; the certificates hold simultaneously. If constraints must hold with a given
/// confidence, they are tightened at the ends that miss it, by as much as their bounds exceed the limits. The searches
/// from these ends then continue side by side, each with another budget of the same size. There are a few rounds at
/// most. Each has separate certificates, whose error probabilities add up to the allowed one.
std::vector<CertifiedEnd> certified_ends(const CertifiedProblem& problem, const Solver& solver,
                                         std::vector<SearchResult> runs, const std::vector<std::uint64_t>& seeds,
                                         const SearchRequest& request, const std::function<bool()>& is_enough);

/// Returns an error message if no point near `end` satisfies the constraints: they are violated at `end` and at the
/// point of smallest violation, which a search from `end` looks for. Returns nothing if a decision variable is a whole
/// number.
std::optional<std::string> reason_without_feasible_points(const CertifiedProblem& problem, const CertifiedEnd& end,
                                                          const SearchRequest& request);

}  // namespace sporos::runtime
