// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>
#include <sporos/optimizers/search/search.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sporos::runtime {

/// What a user may say of a solver, whichever it is.
struct SolverSettings {
  std::int64_t replications = 0;  ///< at a point; 0 for the default of the solver
  double step = 0;                ///< length of the first one, in units of max(1, |start|); 0 for the usual one
  std::int64_t starts = 1;        ///< from which it searches; 0 for the default number of them
};

/// A solver of sampled problems, and what it asks of a problem.
struct SolverDescription {
  std::string_view name;                                         ///< on the command line
  std::string_view title;                                        ///< one phrase
  bool needs_gradient = false;                                   ///< derivatives
  bool needs_path = false;                                       ///< derivatives that are those of the sample's mean
  bool needs_finite_bounds = false;                              ///< of each decision
  bool takes_integers = false;                                   ///< decisions that are whole numbers
  bool takes_constraint = false;                                 ///< it stays in a region that is less than a box
  bool takes_constraints_on_means = false;                       ///< and it meets these
  bool needs_constraints_on_means = false;                       ///< it is made for these alone
  bool draws_points = false;                                     ///< all over the bounds, by itself
  bool takes_step = true;                                        ///< whether the length of its first step can be chosen
  Solver (*make)(const SolverSettings&, const SampledProblem&);  ///< the solver
};

/// All solvers.
std::span<const SolverDescription> solvers();

/// A solver and why it was chosen.
struct ChosenSolver {
  const SolverDescription* solver;
  std::string reason;
};

/// `solver` as the settings say. Throws std::invalid_argument for settings that it cannot carry out, and for several
/// starts where `problem` has no finite bounds or the solver tries points all over them by itself.
Solver make_solver(const SolverDescription& solver, const SolverSettings& settings, const SampledProblem& problem);

/// The number of starts for `solver` by default: one, but several for a local search over whole numbers, if the budget
/// lets each take a step (default_starts).
std::int64_t default_starts(const SolverDescription& solver, const SampledProblem& problem, std::int64_t budget);

/// Where gradients come from.
enum class GradientKind {
  pathwise,          ///< the model's text in dual numbers
  likelihood_ratio,  ///< the same text, by the scores of its variates
  differences,       ///< central differences under common random numbers
  kernel  ///< where constraints are on probabilities: of these by a kernel, else along the path or by differences
};

/// The solver called `name`. Throws std::invalid_argument for a name that is none, and where `problem` does not offer
/// what it needs: the message says which solvers would do.
const SolverDescription& find_solver(std::string_view name, const SampledProblem& problem, GradientKind gradient);

/// The solver called `name`; null where there is none.
const SolverDescription* solver_named(std::string_view name);

/// What `problem` does not offer that a solver needs; nothing where the solver fits.
std::optional<std::string> lack_of(const SolverDescription& solver, const SampledProblem& problem,
                                   GradientKind gradient);

/// A solver for `problem`; one by its pathwise derivatives only where `are_unbiased` says so of them. Throws
/// std::invalid_argument where none would do.
ChosenSolver automatic_solver(const SampledProblem& problem, GradientKind gradient,
                              const std::function<bool()>& are_unbiased);

}  // namespace sporos::runtime
