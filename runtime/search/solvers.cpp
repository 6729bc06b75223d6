// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/solvers.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/optimizers/constrained/augmented_lagrangian.hpp>
#include <sporos/optimizers/constrained/conditional_gradient.hpp>
#include <sporos/optimizers/constrained/constraint_extrapolation.hpp>
#include <sporos/optimizers/constrained/cooperative_approximation.hpp>
#include <sporos/optimizers/search/astro_df.hpp>
#include <sporos/optimizers/search/coordinate_search.hpp>
#include <sporos/optimizers/search/drawn_point.hpp>
#include <sporos/optimizers/search/multistart.hpp>
#include <sporos/optimizers/search/r_spline.hpp>
#include <sporos/optimizers/search/random_search.hpp>
#include <sporos/optimizers/search/retrospective_lbfgs.hpp>
#include <sporos/optimizers/search/sampled_frank_wolfe.hpp>
#include <sporos/optimizers/search/sampled_nelder_mead.hpp>
#include <sporos/optimizers/search/sampled_sqn.hpp>
#include <sporos/optimizers/search/stochastic_approximation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace sporos::runtime {

namespace {

// Returns the checked options of a solver, with the values of the settings.
template <class Options>
Options options_with(const SolverSettings& settings) {
  Options options;
  if constexpr (requires { options.min_replications; }) {
    if (settings.replications > 0) options.min_replications = settings.replications;
  } else {
    if (settings.replications > 0) options.replications = settings.replications;
  }
  if constexpr (requires { options.radius; }) {
    if (settings.step > 0) options.radius = settings.step;
    options.largest_radius = std::max(options.largest_radius, options.radius);
  } else if constexpr (requires { options.step; }) {
    if (settings.step > 0) options.step = settings.step;
  }
  if constexpr (requires { options.largest_step; }) {
    options.largest_step = std::max(options.largest_step, options.step);
  }
  check(options);
  return options;
}

template <class Options>
Options options_of(Search (*)(SearchRun&, Options));

// Makes a solver of the function `solve`.
template <auto solve>
Solver make(const SolverSettings& settings, const SampledProblem&) {
  using Options = decltype(options_of(solve));
  return [options = options_with<Options>(settings)](SearchRun& run) { return solve(run, options); };
}

template <StepScaling scaling, GradientSource gradient>
Search approximation(SearchRun& run, StochasticApproximationOptions options) {
  options.scaling = scaling;
  options.gradient = gradient;
  return stochastic_approximation(run, options);
}

template <bool has_gradient>
Search astro(SearchRun& run, AstroDfOptions options) {
  return astro_df(run, options, has_gradient);
}

constexpr auto all_solvers = std::to_array<SolverDescription>({
    {.name = "astro",
     .title = "trust region with pathwise gradients and growing samples",
     .needs_gradient = true,
     .make = make<astro<true>>},
    {.name = "astro-df", .title = "the same without derivatives", .make = make<astro<false>>},
    {.name = "l-bfgs",
     .title = "L-BFGS on a sample that grows in stages",
     .needs_gradient = true,
     .needs_path = true,
     .make = make<retrospective_lbfgs>},
    {.name = "sqn",
     .title = "stochastic quasi-Newton with pathwise gradients",
     .needs_gradient = true,
     .needs_path = true,
     .make = make<sampled_sqn>},
    {.name = "frank-wolfe",
     .title = "pairwise Frank-Wolfe on a sample that grows in stages, with a bound on the gap",
     .needs_gradient = true,
     .needs_path = true,
     .needs_finite_bounds = true,
     .takes_constraint = true,
     .make = make<sampled_frank_wolfe>},
    {.name = "adam",
     .title = "stochastic approximation with pathwise gradients and Adam steps",
     .needs_gradient = true,
     .takes_constraint = true,
     .make = make<approximation<StepScaling::adam, GradientSource::problem>>},
    {.name = "adagrad",
     .title = "the same with AdaGrad steps",
     .needs_gradient = true,
     .takes_constraint = true,
     .make = make<approximation<StepScaling::adagrad, GradientSource::problem>>},
    {.name = "robbins-monro",
     .title = "the same with steps that decrease as a power",
     .needs_gradient = true,
     .takes_constraint = true,
     .make = make<approximation<StepScaling::robbins_monro, GradientSource::problem>>},
    {.name = "spsa",
     .title = "stochastic approximation with two points per step, without derivatives",
     .takes_constraint = true,
     .make = make<approximation<StepScaling::robbins_monro, GradientSource::differences>>},
    {.name = "augmented-lagrangian",
     .title = "constraints on means by the method of multipliers, on a sample that grows in stages",
     .needs_gradient = true,
     .needs_path = true,
     .takes_constraints_on_means = true,
     .needs_constraints_on_means = true,
     .make = make<augmented_lagrangian>},
    {.name = "conex",
     .title = "the same by constraint extrapolation, a stochastic approximation",
     .needs_gradient = true,
     .takes_constraint = true,
     .takes_constraints_on_means = true,
     .needs_constraints_on_means = true,
     .make = make<constraint_extrapolation>},
    {.name = "coexcg",
     .title = "the same by constraint-extrapolated conditional gradient, with linear oracles only",
     .needs_gradient = true,
     .needs_finite_bounds = true,
     .takes_constraint = true,
     .takes_constraints_on_means = true,
     .needs_constraints_on_means = true,
     .takes_step = false,
     .make = make<conditional_gradient>},
    {.name = "csa",
     .title = "the same by cooperative stochastic approximation, without multipliers",
     .needs_gradient = true,
     .takes_constraint = true,
     .takes_constraints_on_means = true,
     .needs_constraints_on_means = true,
     .make = make<cooperative_approximation>},
    {.name = "nelder-mead",
     .title = "simplex search on a sample that grows until comparisons are reliable",
     .make = make<sampled_nelder_mead>},
    {.name = "r-spline",
     .title = "line and neighbour searches over whole numbers, real decisions on a refined grid",
     .takes_integers = true,
     .make = make<r_spline>},
    {.name = "coordinate-search",
     .title = "steps and shifts of whole numbers one at a time, for tens of decisions and few replications",
     .takes_integers = true,
     .needs_integers = true,
     .takes_constraint = true,
     .make = make<coordinate_search>},
    {.name = "random-search",
     .title = "the best of random points, see --draw, also for whole numbers and constraints on means",
     .takes_integers = true,
     .takes_constraints_on_means = true,
     .draws_points = true,
     .takes_step = false,
     .make = make<random_search>},
});

bool has_integers(const SampledProblem& problem) {
  return std::ranges::any_of(problem.bounds(), &DecisionRange::is_integer);
}

bool has_reals(const SampledProblem& problem) {
  return !std::ranges::all_of(problem.bounds(), &DecisionRange::is_integer);
}

bool has_infinite_bounds(const SampledProblem& problem) {
  return std::ranges::any_of(
      problem.bounds(), [](const DecisionRange& bounds) { return std::isinf(bounds.low) || std::isinf(bounds.high); });
}

// Whether the means of the objective have an approximation without replications.
bool is_approximated(const SampledProblem& problem) {
  std::vector<double> low;
  for (const DecisionRange& bounds : problem.bounds()) low.push_back(bounds.low);
  const std::vector<double> means = problem.approximate_means(low);
  return !means.empty() && std::ranges::all_of(means, [](double mean) { return std::isfinite(mean); });
}

std::string fitting(const SampledProblem& problem, GradientKind gradient) {
  std::vector<std::string_view> names;
  for (const SolverDescription& solver : all_solvers) {
    if (!unmet_requirement(solver, problem, gradient)) names.push_back(solver.name);
  }
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::span<const SolverDescription> solvers() { return all_solvers; }

std::optional<std::string> unmet_requirement(const SolverDescription& solver, const SampledProblem& problem,
                                             GradientKind gradient) {
  if (!solver.takes_integers && has_integers(problem)) return "decisions that are real numbers";
  if (solver.needs_integers && has_reals(problem)) return "decisions that are whole numbers";
  if (solver.needs_gradient && !problem.has_gradient()) {
    return "pathwise derivatives, which the model does not have (--gradient differences takes central differences)";
  }
  if (solver.needs_path && gradient == GradientKind::kernel)
    return "gradients of a sample's mean, which P(...) does not have";
  if (solver.needs_path && gradient == GradientKind::likelihood_ratio)
    return "gradients of a sample's mean (--gradient pathwise or differences), not likelihood ratios";
  if (!solver.takes_constraints_on_means && problem.constraints_on_means() > 0)
    return "a problem without constraints on responses";
  if (solver.needs_constraints_on_means && problem.constraints_on_means() == 0) return "a constraint on a response";
  if (!solver.takes_constraint && !problem.constraints().empty())
    return "bounds only, without --subject-to on decisions";
  if (solver.needs_finite_bounds && has_infinite_bounds(problem)) return "finite bounds";
  if (solver.draws_points && !can_be_drawn(problem)) return "finite bounds, or --draw for each decision without them";
  return std::nullopt;
}

const SolverDescription* solver_named(std::string_view name) {
  const auto found = std::ranges::find(all_solvers, name, &SolverDescription::name);
  return found == all_solvers.end() ? nullptr : found;
}

const SolverDescription& find_solver(std::string_view name, const SampledProblem& problem, GradientKind gradient) {
  const SolverDescription* const found = solver_named(name);
  if (found == nullptr) {
    std::vector<std::string_view> names{"automatic"};
    for (const SolverDescription& solver : all_solvers) names.push_back(solver.name);
    throw std::invalid_argument(
        fmt::format("--solver is {}, expected one of {}", io::in_quotes(name), fmt::join(names, ", ")));
  }
  if (const auto reason = unmet_requirement(*found, problem, gradient)) {
    throw std::invalid_argument(
        fmt::format("--solver {} needs {}; suitable solvers: {}", name, *reason, fitting(problem, gradient)));
  }
  return *found;
}

Solver make_solver(const SolverDescription& solver, const SolverSettings& settings, const SampledProblem& problem) {
  if (settings.step > 0 && !solver.takes_step) {
    throw std::invalid_argument(
        fmt::format("--step is given with --solver {}, which has no step size: expected no --step", solver.name));
  }
  const Solver one = solver.make(settings, problem);
  if (settings.starts <= 1) return one;
  if (solver.draws_points) {
    throw std::invalid_argument(fmt::format("--starts is {}, expected 1 for {}, which tries points all over the bounds",
                                            settings.starts, solver.name));
  }
  if (!can_be_drawn(problem)) {
    throw std::invalid_argument(fmt::format(
        "--starts is {}, expected 1 with an infinite bound, or --draw with the distribution of the decision",
        settings.starts));
  }
  const MultistartOptions options{.starts = settings.starts};
  return [one, options](SearchRun& run) { return multistart(run, one, options); };
}

std::int64_t default_starts(const SolverDescription& solver, const SampledProblem& problem, std::int64_t budget) {
  return solver.draws_points ? 1 : sporos::default_starts(problem, budget);
}

ChosenSolver automatic_solver(const SampledProblem& problem, GradientKind gradient,
                              const std::function<bool()>& are_unbiased) {
  const auto choose = [&](std::string_view name, std::string reason) -> ChosenSolver {
    return {&find_solver(name, problem, gradient), std::move(reason)};
  };
  if (problem.constraints_on_means() > 0) {
    if (has_integers(problem))
      return choose("random-search", "a decision is a whole number, and there are constraints on responses");
    if (gradient == GradientKind::kernel && problem.constraints_on_means() > 1)
      return choose("conex", "there are several constraints, one of them on a probability");
    if (gradient == GradientKind::kernel) return choose("csa", "there is a constraint on a probability");
    if (!problem.constraints().empty() || gradient == GradientKind::likelihood_ratio)
      return choose("conex", "there are constraints on responses");
    return choose("augmented-lagrangian", "there are constraints on responses");
  }
  if (has_integers(problem) && !problem.constraints().empty())
    return choose("coordinate-search", "decisions are whole numbers, and there is a constraint on them");
  if (has_integers(problem) && is_approximated(problem))
    return choose("coordinate-search", "decisions are whole numbers, and formulas approximate the objective");
  if (has_integers(problem)) return choose("r-spline", "a decision is a whole number");
  if (!problem.constraints().empty()) {
    const std::string_view by_gradients = has_infinite_bounds(problem) ? "adam" : "frank-wolfe";
    if (!problem.has_gradient())
      return choose("spsa", "there is a constraint, and the model has no pathwise derivatives");
    if (gradient == GradientKind::differences)
      return choose(by_gradients, "there is a constraint, and gradients are central differences");
    if (gradient == GradientKind::likelihood_ratio)
      return choose("adam", "there is a constraint, and gradients are likelihood ratios");
    if (!are_unbiased()) return choose("spsa", "there is a constraint, and pathwise derivatives are biased");
    return choose(by_gradients, "there is a constraint, and a check of the pathwise derivatives found no bias");
  }
  if (!problem.has_gradient()) return choose("astro-df", "the model has no pathwise derivatives");
  if (gradient == GradientKind::differences) return choose("astro", "gradients are central differences");
  if (gradient == GradientKind::likelihood_ratio) return choose("adam", "gradients are likelihood ratios");
  if (!are_unbiased()) return choose("astro-df", "pathwise derivatives are biased");
  return choose("astro", "a check of the pathwise derivatives found no bias");
}

}  // namespace sporos::runtime
