// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/search/options.hpp>

#include <sporos/optimizers/constrained/certificate.hpp>
#include <sporos/optimizers/constrained/tail_problem.hpp>
#include <sporos/optimizers/search/run_searches.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/optimizers/search/search.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// The end of a search under constraints on means, and what unseen replications say of it.
struct CertifiedEnd {
  SearchResult run;         ///< to its last point
  Certificate certificate;  ///< there
};

/// A problem that is searched, and what its ends are certified on.
struct CertifiedProblem {
  SampledProblem& searched;  ///< which a solver runs on
  SampledProblem& unseen;    ///< the same
  TailProblem* tails;        ///< beneath both, where there are constraints on tails: it chooses their thresholds
};

/// Certifies the end of `run`, a run of `solver` on `problem`, on replications that it has not seen. Where
/// constraints are to hold with a confidence and do not, they are tightened by as much as their bounds lie beyond the
/// limits, and the search goes on with a budget as large as before: some times, each with a certificate of its own,
/// whose errors add up to what is allowed.
CertifiedEnd certified_end(const CertifiedProblem& problem, const Solver& solver, SearchResult run,
                           const SearchRequest& request, const std::function<bool()>& is_enough);

/// A sentence where no point near `end` meets the constraints: they are violated there and where their violation is
/// least, which is searched for from there.
std::optional<std::string> lack_of_feasible_points(const CertifiedProblem& problem, const CertifiedEnd& end,
                                                   const SearchRequest& request);

}  // namespace sporos::runtime
