// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/constrained_search.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/optimizers/constrained/tightened_problem.hpp>
#include <sporos/optimizers/constrained/violation_problem.hpp>
#include <sporos/optimizers/search/replication_numbers.hpp>
#include <sporos/optimizers/search/retrospective_lbfgs.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::int64_t certificate_batches = 20, most_rounds = 4;

// The certificate number `round` of a search, of as many replications as a final estimate.
CertificateOptions options_of(const SearchRequest& request, std::int64_t round) {
  CertificateOptions options;
  options.batches = certificate_batches;
  options.replications =
      std::max<std::int64_t>((request.final_replications + certificate_batches - 1) / certificate_batches, 2);
  options.confidence = request.feasible_with ? 1 - (1 - *request.feasible_with) / most_rounds : request.confidence;
  options.seed = request.seed;
  options.skipped = round * certificate_batches;
  return options;
}

// x with the thresholds that certify most, by replications that no certificate has.
std::vector<double> with_thresholds(const CertifiedProblem& problem, std::vector<double> x,
                                    const SearchRequest& request, std::int64_t round) {
  if (problem.tails == nullptr) return x;
  return problem.tails->with_best_thresholds(std::move(x), request.final_replications, request.seed,
                                             impl::replications_of_thresholds + round * request.final_replications);
}

}  // namespace

CertifiedEnd certified_end(const CertifiedProblem& problem, const Solver& solver, SearchResult run,
                           const SearchRequest& request, const std::function<bool()>& is_enough) {
  std::vector<double> margins(problem.searched.constraints_on_means());
  for (std::int64_t round = 0;; ++round) {
    run.x = with_thresholds(problem, std::move(run.x), request, round);
    Certificate found = certificate(problem.unseen, run.x, options_of(request, round));
    const bool is_last = !request.feasible_with || round + 1 == most_rounds || is_enough();
    if (is_last || found.feasibility() == Feasibility::feasible) return {std::move(run), std::move(found)};
    for (std::size_t j = 0; j < margins.size(); ++j)
      margins[j] +=
          std::max(0.0, found.constraints[j].upper + 0.25 * (found.constraints[j].upper - found.constraints[j].mean));
    TightenedProblem tightened(problem.searched, margins);
    const std::vector<SearchResult> next =
        run_searches(tightened, solver, run.x, request.budget, {request.seed}, is_enough);
    for (const Recommendation& recommendation : next.front().recommendations)
      run.recommendations.push_back({run.replications + recommendation.replications, recommendation.x});
    run.x = next.front().x;
    run.replications += next.front().replications;
  }
}

std::optional<std::string> lack_of_feasible_points(const CertifiedProblem& problem, const CertifiedEnd& end,
                                                   const SearchRequest& request) {
  if (end.certificate.feasibility() != Feasibility::infeasible) return std::nullopt;
  std::vector<double> sizes;
  for (const CertifiedConstraint& constraint : end.certificate.constraints)
    sizes.push_back(std::max(constraint.upper - constraint.lower, std::abs(constraint.mean)));
  ViolationProblem violation(problem.unseen, sizes);
  const Solver solver = [](SearchRun& run) { return retrospective_lbfgs(run, {}); };
  std::vector<double> nearest = run_searches(violation, solver, end.run.x, request.budget, {request.seed}).front().x;
  nearest = with_thresholds(problem, std::move(nearest), request, most_rounds);
  const Certificate there = certificate(problem.unseen, nearest, options_of(request, most_rounds));
  if (there.feasibility() != Feasibility::infeasible) return std::nullopt;
  const auto worst = std::ranges::max_element(there.constraints, {}, &CertifiedConstraint::lower);
  const auto place = static_cast<std::size_t>(worst - there.constraints.begin());
  return fmt::format(
      "no decisions were found that meet --subject-to {}: where it is violated least, it is exceeded by {:.4g} at "
      "least, with {:.6g} % confidence; expected another limit, or wider bounds",
      io::in_quotes(request.constraints_on_means[place].text), worst->lower, 100 * request.confidence);
}

}  // namespace sporos::runtime
