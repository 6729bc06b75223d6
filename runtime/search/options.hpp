// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/search/objective_expression.hpp>
#include <sporos/runtime/search/solvers.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/optimizers/search/search_region.hpp>
#include <sporos/procedures/decision.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// Whether a model can be optimized and selected from.
bool is_optimizable(const ModelDescription& model);

/// Throws std::invalid_argument with the reason if a model can be neither optimized nor selected from.
void check_optimizable(const ModelDescription& model);

/// Returns the model called `name` if it can be optimized, otherwise null.
const ModelDescription* find_optimizable(std::string_view name);

/// Usage of `sporos optimize` with a model.
Usage search_usage(const ModelDescription& model);

/// A decision variable whose random points have a given distribution instead of the uniform one.
struct DrawnDecision {
  std::string parameter;            ///< name of the parameter
  std::string text;                 ///< the distribution as the user wrote it
  DistributionChoice distribution;  ///< the parsed distribution
};

/// A request of `sporos optimize` with a model.
struct SearchRequest {
  const ModelDescription* model;    ///< model to be optimized
  ParameterValues values;           ///< values of its parameters; for decision variables, the start of the search
  std::vector<Decision> decisions;  ///< decision variables in the order in which they are given
  ObjectiveExpression objective;    ///< objective as the user wrote it
  std::string solver;               ///< name of the solver, or "automatic"
  SolverSettings settings;          ///< settings of the solver
  GradientKind gradient;            ///< source of gradients
  std::int64_t budget;              ///< budget of replications for each run of the search
  std::int64_t final_replications;  ///< number of replications for the estimate at the end of the search
  std::uint64_t seed;               ///< seed of the random numbers
  double confidence;                ///< confidence of intervals
  double time_limit;                ///< limit of time in seconds
  std::int64_t runs;                ///< number of runs of the search, side by side: macro-replications
  /// Number of batches for the bound of the optimality gap; 0 for no bound.
  std::optional<std::int64_t> gap_batches = {};
  std::vector<std::string> constraint_texts = {};  ///< constraints on decision variables, as the user wrote them
  std::vector<LinearConstraint> constraints = {};  ///< the same constraints, parsed
  std::vector<ConstraintOnMeans> constraints_on_means = {};  ///< constraints on mean responses or their tails
  std::vector<DrawnDecision> draws = {};                     ///< decision variables whose random points are not uniform
  /// Confidence with which the constraints on means must hold; nothing if none is required.
  std::optional<double> feasible_with = {};
  /// Reason why the search does not begin at the requested start; empty if it does.
  std::string start_note = {};
  std::vector<std::string> notes = {};  ///< notes for users on parameters that --input estimates
};

/// Returns the values of all parameters at x.
ParameterValues values_at(const SearchRequest& request, std::span<const double> x);

/// Returns the decision variables at the start of the search, moved into their bounds.
std::vector<double> start_of(const SearchRequest& request);

/// Formats x as "servers = 3, service_rate = 1.2".
std::string decisions_text(const SearchRequest& request, std::span<const double> x);

/// Checks whether the start is valid for the model. If it is not, the search begins at the first valid point that is
/// found within the bounds, and start_note says so. Throws std::invalid_argument with the model's complaint about the
/// start if no such point is found.
void make_start_valid(SearchRequest& request);

/// Whether there is a constraint on a tail.
bool has_tails(const SearchRequest& request);

/// Whether there is a constraint on a probability.
bool has_probabilities(const SearchRequest& request);

/// Whether likelihood ratios are known to be right for all these decision variables.
bool has_likelihood_ratios(const ModelDescription& model, std::span<const Decision> decisions);

/// Returns a request without decision variables and objective: all parameters and options have their defaults.
SearchRequest default_search_request(const ModelDescription& model);

/// Adds a user's constraint to a request that already has its decision variables: on these, on mean responses or on
/// tails of responses. Constraints on tails follow all others. Throws std::invalid_argument if the text is not a valid
/// constraint.
void add_constraint(SearchRequest& request, const std::string& text);

/// Adds the distribution of a decision variable's random points. Throws std::invalid_argument, whose message begins
/// with `complaint`, if the text is not a distribution or is a table of values.
void add_draw(SearchRequest& request, const std::string& parameter, const std::string& distribution,
              std::string_view complaint);

/// Parses the options into a request. Throws std::invalid_argument, naming the option, if one is invalid.
SearchRequest search_request(const ModelDescription& model, const OptionTable& options);

}  // namespace sporos::runtime

/// Names of the sources of gradients.
template <>
struct sporos::ChoiceNames<sporos::runtime::GradientKind> {
  static constexpr std::string_view what = "gradient";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values =
      std::to_array<NamedValue<runtime::GradientKind>>({{"pathwise", runtime::GradientKind::pathwise},
                                                        {"likelihood-ratio", runtime::GradientKind::likelihood_ratio},
                                                        {"differences", runtime::GradientKind::differences}});
};
