// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// How a model tells of the optimization problems that are known over it: what `sporos problems`, `describe` and
/// `experiment` offer.
namespace sporos {

/// A parameter of a model that is decided.
struct ProblemDecision {
  std::string parameter;  ///< the member's name
  double low;             ///< least value
  double high;            ///< greatest value; may be infinite
  double start;           ///< where searches begin
  /// How points are drawn at random, as "lognormal(0, 1.2)", moved into the bounds; empty where uniformly.
  std::string drawn = {};
};

/// A parameter that has another value than its usual one.
struct ProblemParameter {
  std::string parameter;  ///< the member's name
  double value;           ///< a whole number where the member is one
};

/// How an optimum is known.
enum class OptimumKind {
  exact,      ///< by mathematics, to the digits given
  certified,  ///< by an interval that holds with a stated confidence, or by bounds
  best_known  ///< the value of the best decisions that were found; nothing near it is proved from the other side
};

/// How an optimum is known, in a word.
template <>
struct ChoiceNames<OptimumKind> {
  static constexpr std::string_view what = "kind of optimum";  ///< what is said
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<OptimumKind>>(
      {{"exact", OptimumKind::exact}, {"certified", OptimumKind::certified}, {"best known", OptimumKind::best_known}});
};

/// The best value of a problem's objective.
struct KnownOptimum {
  OptimumKind kind;       ///< how it is known
  double value;           ///< of the objective as it is written
  std::vector<double> x;  ///< decisions that have it, in the problem's order; empty where none are known
  std::string source;     ///< by what it is known: a closed form, a recursion, a test's name
  double half_width = 0;  ///< of the interval about `value`, of `best_known` for x alone; 0 where exact
};

/// An optimization problem over a model: decisions, an objective of mean responses, constraints, and what is known of
/// it. Expressions are as `sporos optimize` takes them (docs/simulated_objectives.md, docs/constraints.md).
struct DescribedProblem {
  std::string name;                               ///< on the command line, as "san-1"
  std::string title;                              ///< one phrase
  std::string source;                             ///< where the problem is from
  std::vector<ProblemDecision> decisions = {};    ///< at least one
  std::string objective = {};                     ///< expression over mean responses and parameters
  bool is_maximized = false;                      ///< whether it is to be as large as possible
  std::vector<std::string> constraints = {};      ///< on decisions, on mean responses or on their tails
  std::vector<ProblemParameter> parameters = {};  ///< that are not at their usual values
  std::int64_t budget = 10'000;                   ///< replications of a search
  std::optional<KnownOptimum> optimum = {};       ///< nothing where it is not known
  bool is_smooth = false;  ///< whether the objective has a gradient wherever decisions are real, and all are real
  bool is_convex = false;  ///< whether it is convex (concave, where maximized) over a convex region
  bool has_unbiased_path = false;  ///< whether the mean of its pathwise derivatives is its gradient
};

/// A model, or a described case of one, that tells of problems over it: `static std::vector<DescribedProblem>
/// problems()`.
template <class Described>
concept TellsProblems = requires {
  {Described::problems()};
};

}  // namespace sporos
