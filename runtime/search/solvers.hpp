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

/// Settings that apply to any solver.
struct SolverSettings {
  std::int64_t replications = 0;  ///< number of replications at a point; 0 for the solver's default
  double step = 0;                ///< length of the first step in units of max(1, |start|); 0 for the default
  std::int64_t starts = 1;        ///< number of starts; 0 for the default
};

/// A solver of sampled problems and its requirements.
struct SolverDescription {
  std::string_view name;                    ///< name on the command line
  std::string_view title;                   ///< description in one phrase
  bool needs_gradient = false;              ///< whether the solver requires derivatives
  bool needs_path = false;                  ///< whether derivatives must be those of the sample's mean
  bool needs_finite_bounds = false;         ///< whether each decision variable must have finite bounds
  bool takes_integers = false;              ///< whether the solver supports integer decision variables
  bool needs_integers = false;              ///< whether each decision variable must be an integer
  bool takes_constraint = false;            ///< whether the solver supports linear constraints
  bool takes_constraints_on_means = false;  ///< whether the solver supports constraints on means
  bool needs_constraints_on_means = false;  ///< whether the solver requires constraints on means
  bool draws_points = false;                ///< whether the solver draws points within the bounds
  bool takes_step = true;                   ///< whether the length of the first step can be chosen
  Solver (*make)(const SolverSettings&, const SampledProblem&);  ///< makes the solver
};

/// All solvers, in the order of the help.
std::span<const SolverDescription> solvers();

/// A solver and the reason why it was chosen.
struct ChosenSolver {
  const SolverDescription* solver;
  std::string reason;
};

/// Makes `solver` with these settings. Throws std::invalid_argument if the solver does not support a setting. Also
/// throws for several starts if `problem` has infinite bounds without a distribution, or if the solver draws points
/// itself.
Solver make_solver(const SolverDescription& solver, const SolverSettings& settings, const SampledProblem& problem);

/// Returns the default number of starts for `solver`: one, or several for a local search over whole numbers if the
/// budget permits a step from each (see sporos::default_starts).
std::int64_t default_starts(const SolverDescription& solver, const SampledProblem& problem, std::int64_t budget);

/// Sources of gradients.
enum class GradientKind {
  pathwise,          ///< pathwise derivatives, by the model's source code in dual numbers
  likelihood_ratio,  ///< scores of the variates, from the same source code
  differences,       ///< central differences under common random numbers
  /// For constraints on probabilities a kernel, for all else pathwise derivatives or differences.
  kernel
};

/// Returns the solver called `name`. Throws std::invalid_argument if there is no such solver, or if `problem` does not
/// meet its requirements; the message names the solvers that fit.
const SolverDescription& find_solver(std::string_view name, const SampledProblem& problem, GradientKind gradient);

/// Returns the solver called `name`; null if there is none.
const SolverDescription* solver_named(std::string_view name);

/// Returns the solver's requirement that `problem` does not meet; nothing if the solver fits.
std::optional<std::string> unmet_requirement(const SolverDescription& solver, const SampledProblem& problem,
                                             GradientKind gradient);

/// Chooses a solver for `problem`. A solver by pathwise derivatives is chosen only if `are_unbiased` returns true.
/// Throws std::invalid_argument if no solver fits.
ChosenSolver automatic_solver(const SampledProblem& problem, GradientKind gradient,
                              const std::function<bool()>& are_unbiased);

}  // namespace sporos::runtime
