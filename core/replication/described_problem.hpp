// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Description of the optimization problems of a model, as listed and used by `sporos problems`, `describe` and
/// `compare-solvers`.
namespace sporos {

/// A parameter of a model that is a decision variable.
struct ProblemDecision {
  std::string parameter;  ///< name of the member
  double low;             ///< lower bound
  double high;            ///< upper bound; may be infinite
  double start;           ///< starting point of searches
  /// Distribution from which points are drawn at random, such as "lognormal(0, 1.2)"; draws are moved into the bounds.
  /// If empty, points are drawn uniformly.
  std::string drawn = {};
};

/// A parameter whose value in a problem differs from its default.
struct ProblemParameter {
  std::string parameter;  ///< name of the member
  double value;           ///< value; a whole number if the member is an integer
};

/// Kind of evidence for an optimum.
enum class OptimumKind {
  exact,      ///< derived mathematically, correct to the given digits
  certified,  ///< enclosed by an interval with a stated confidence, or by bounds
  best_known  ///< the value of the best decisions found; no close bound from the other side is proved
};

/// Names of the values of OptimumKind.
template <>
struct ChoiceNames<OptimumKind> {
  static constexpr std::string_view what = "kind of optimum";  ///< noun for messages
  /// Name and value of each kind.
  static constexpr auto values = std::to_array<NamedValue<OptimumKind>>(
      {{"exact", OptimumKind::exact}, {"certified", OptimumKind::certified}, {"best known", OptimumKind::best_known}});
};

/// The known optimum of a problem.
struct KnownOptimum {
  OptimumKind kind;       ///< kind of evidence
  double value;           ///< value of the objective as written
  std::vector<double> x;  ///< optimal decisions, in the problem's order; empty if none are known
  std::string source;     ///< evidence: a closed form, a recursion, or the name of a test
  /// Half-width of the interval around `value`; 0 if the optimum is exact. For best_known, the interval is that of the
  /// objective at x.
  double half_width = 0;
};

/// An optimization problem over a model: decision variables, an objective of mean responses, constraints, and known
/// properties. Expressions have the syntax of `sporos optimize` (docs/how-to/optimize-a-model.md,
/// docs/how-to/optimize-under-constraints.md).
struct DescribedProblem {
  std::string name;                               ///< name on the command line, such as "san-1"
  std::string title;                              ///< short description, one phrase
  std::string source;                             ///< origin of the problem
  std::vector<ProblemDecision> decisions = {};    ///< decision variables, at least one
  std::string objective = {};                     ///< expression in mean responses and parameters
  bool is_maximized = false;                      ///< whether the objective is maximized
  std::vector<std::string> constraints = {};      ///< on decisions, mean responses or tails of responses
  std::vector<ProblemParameter> parameters = {};  ///< parameters that differ from their defaults
  std::int64_t budget = 10'000;                   ///< number of replications of a search
  std::optional<KnownOptimum> optimum = {};       ///< optimum, if it is known
  bool is_smooth = false;          ///< whether all decisions are real and the objective has a gradient everywhere
  bool is_convex = false;          ///< whether it is convex (concave if maximized) over a convex feasible region
  bool has_unbiased_path = false;  ///< whether pathwise derivatives of the objective are unbiased
};

/// A model, or a described case, that provides optimization problems by `static std::vector<DescribedProblem>
/// problems()`.
template <class Described>
concept TellsProblems = requires {
  {Described::problems()};
};

}  // namespace sporos
