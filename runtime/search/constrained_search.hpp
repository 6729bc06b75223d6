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

/// Certifies the ends of `runs`, runs of `solver` on `problem` with `seeds`, on replications that none of them has
/// seen, the same ones for all; what is said holds for all of them together. Where constraints are to hold with a
/// confidence and do not at some ends, they are tightened there by as much as their bounds lie beyond the limits, and
/// these searches go on with a budget as large as before, side by side: some times, each with certificates of its own,
/// whose errors add up to what is allowed.
std::vector<CertifiedEnd> certified_ends(const CertifiedProblem& problem, const Solver& solver,
                                         std::vector<SearchResult> runs, const std::vector<std::uint64_t>& seeds,
                                         const SearchRequest& request, const std::function<bool()>& is_enough);

/// A sentence where no point near `end` meets the constraints: they are violated there and where their violation is
/// least, which is searched for from there. Nothing where decisions are whole numbers.
std::optional<std::string> lack_of_feasible_points(const CertifiedProblem& problem, const CertifiedEnd& end,
                                                   const SearchRequest& request);

}  // namespace sporos::runtime
