// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/constrained_search.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/optimizers/constrained/tightened_problem.hpp>
#include <sporos/optimizers/constrained/violation_problem.hpp>
#include <sporos/optimizers/search/replication_numbers.hpp>
#include <sporos/optimizers/search/retrospective_lbfgs.hpp>
#include <sporos/optimizers/search/sampled_nelder_mead.hpp>
#include <sporos/optimizers/search/stochastic_approximation.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::int64_t certificate_batches = 20, max_rounds = 4;

// Returns the options of the certificates of a search's round `round`. Each certificate uses as many replications as a
// final estimate. The certificates of all runs hold simultaneously.
CertificateOptions options_of(const SearchRequest& request, std::int64_t round) {
  CertificateOptions options;
  options.batches = certificate_batches;
  options.replications =
      std::max<std::int64_t>((request.final_replications + certificate_batches - 1) / certificate_batches, 2);
  const double confidence = request.feasible_with.value_or(request.confidence);
  const auto looks = static_cast<double>(request.runs * (request.feasible_with ? max_rounds : 1));
  options.confidence = 1 - (1 - confidence) / looks;
  options.seed = request.seed;
  options.skipped = round * certificate_batches;
  return options;
}

// Returns x with the thresholds for which the constraints on tails are easiest to satisfy, estimated by replications
// that no certificate uses.
std::vector<double> with_thresholds(const CertifiedProblem& problem, std::vector<double> x,
                                    const SearchRequest& request, std::int64_t round) {
  if (problem.tails == nullptr) return x;
  return problem.tails->with_best_thresholds(std::move(x), request.final_replications, request.seed,
                                             impl::replications_of_thresholds + round * request.final_replications);
}

// Whether a margin may help to certify a constraint that is not certified yet. A margin does not help if all
// replications are identical: what they may have missed is the same at any point.
bool can_be_tightened(const Certificate& certificate) {
  return std::ranges::any_of(certificate.constraints,
                             [](const CertifiedConstraint& c) { return c.upper > 0 && !c.are_identical; });
}

// Returns the solver that minimizes the violation. L-BFGS supports bounds only; L-BFGS and Adam require gradients.
Solver solver_of_violation(const SampledProblem& problem) {
  if (!problem.has_gradient()) return [](SearchRun& run) { return sampled_nelder_mead(run, {}); };
  if (problem.constraints().empty()) return [](SearchRun& run) { return retrospective_lbfgs(run, {}); };
  return [](SearchRun& run) { return stochastic_approximation(run, {}); };
}

// Minimizes only the violation, from x, of constraints tightened by these margins. Returns the certificate at the end.
Certificate least_violated(const CertifiedProblem& problem, const std::vector<double>& x,
                           const std::vector<double>& sizes, const std::vector<double>& margins,
                           const SearchRequest& request) {
  TightenedProblem tightened(problem.unseen, margins);
  ViolationProblem violation(tightened, sizes);
  const Solver solver = solver_of_violation(problem.unseen);
  std::vector<double> nearest = run_searches(violation, solver, x, request.budget, {request.seed}).front().x;
  nearest = with_thresholds(problem, std::move(nearest), request, max_rounds);
  return certificate(problem.unseen, nearest, options_of(request, max_rounds));
}

// Appends the continuation `next` to a run.
void append(const SearchResult& next, SearchResult& run) {
  for (const Recommendation& recommendation : next.recommendations)
    run.recommendations.push_back({run.replications + recommendation.replications, recommendation.x});
  run.x = next.x;
  run.replications += next.replications;
}

}  // namespace

std::vector<CertifiedEnd> certified_ends(const CertifiedProblem& problem, const Solver& solver,
                                         std::vector<SearchResult> runs, const std::vector<std::uint64_t>& seeds,
                                         const SearchRequest& request, const std::function<bool()>& is_enough) {
  std::vector<CertifiedEnd> ends;
  std::vector<std::vector<double>> margins;
  std::vector<std::size_t> open;  // indices of ends that are not yet certified, or not with the requested confidence
  for (SearchResult& run : runs) {
    open.push_back(ends.size());
    ends.push_back({std::move(run), {}});
    margins.emplace_back(problem.searched.constraints_on_means());
  }
  for (std::int64_t round = 0;; ++round) {
    std::vector<std::vector<double>> points;
    for (const std::size_t r : open) {
      ends[r].run.x = with_thresholds(problem, std::move(ends[r].run.x), request, round);
      points.push_back(ends[r].run.x);
    }
    std::vector<Certificate> found = certificates(problem.unseen, points, options_of(request, round));
    for (std::size_t i = 0; i < open.size(); ++i) ends[open[i]].certificate = std::move(found[i]);
    std::erase_if(open, [&](std::size_t r) { return !can_be_tightened(ends[r].certificate); });
    if (!request.feasible_with || open.empty() || round + 1 == max_rounds || is_enough()) return ends;
    std::deque<TightenedProblem> tightened;
    std::deque<SearchRun> longer;
    for (const std::size_t r : open) {
      for (std::size_t j = 0; j < margins[r].size(); ++j) {
        const CertifiedConstraint& constraint = ends[r].certificate.constraints[j];
        if (!constraint.are_identical)
          margins[r][j] += std::max(0.0, constraint.upper + 0.25 * (constraint.upper - constraint.mean));
      }
      tightened.emplace_back(problem.searched, margins[r]);
      longer.emplace_back(tightened.back(), ends[r].run.x, request.budget, seeds[r]);
    }
    const std::vector<SearchResult> next = run_searches(problem.searched, solver, longer, is_enough);
    for (std::size_t i = 0; i < open.size(); ++i) append(next[i], ends[open[i]].run);
  }
}

std::optional<std::string> reason_without_feasible_points(const CertifiedProblem& problem, const CertifiedEnd& end,
                                                          const SearchRequest& request) {
  if (end.certificate.feasibility() != Feasibility::infeasible) return std::nullopt;
  if (std::ranges::any_of(problem.unseen.bounds(), &DecisionRange::is_integer)) return std::nullopt;
  std::vector<double> sizes;
  for (const CertifiedConstraint& constraint : end.certificate.constraints) {
    const double width = constraint.upper - constraint.lower, size = std::abs(constraint.mean);
    const double known = std::isfinite(width) ? std::max(width, size) : size;
    sizes.push_back(known > 0 ? known : 1);
  }
  const Certificate there = least_violated(problem, end.run.x, sizes, std::vector<double>(sizes.size()), request);
  if (there.feasibility() != Feasibility::infeasible) return std::nullopt;
  // The search stops at the limits of its own sample, which may lie outside the true region. With margins it continues
  // further inside.
  const Certificate farther = least_violated(problem, end.run.x, sizes, sizes, request);
  if (farther.feasibility() != Feasibility::infeasible) return std::nullopt;
  const auto worst = std::ranges::max_element(there.constraints, {}, &CertifiedConstraint::lower);
  const auto place = static_cast<std::size_t>(worst - there.constraints.begin());
  return fmt::format(
      "no decisions that meet --subject-to {} were found: the smallest violation found exceeds the limit by at least "
      "{:.4g}, with {:.6g} % confidence; expected another limit, or wider bounds",
      io::in_quotes(request.constraints_on_means[place].text), worst->lower, 100 * request.confidence);
}

}  // namespace sporos::runtime
