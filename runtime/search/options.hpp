// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/options/usage.hpp>
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

/// Whether the parameters of a model can be optimized: none of them names a file.
bool is_optimizable(const ModelDescription& model);

/// The model that `name` names, where its parameters can be optimized; null elsewhere.
const ModelDescription* find_optimizable(std::string_view name);

/// `sporos optimize` with a model.
Usage search_usage(const ModelDescription& model);

/// A decision of which random points are drawn from a distribution, not uniformly.
struct DrawnDecision {
  std::string parameter;            ///< its name
  std::string text;                 ///< the distribution, as it was written
  DistributionChoice distribution;  ///< the same
};

/// What `sporos optimize` is told of a model.
struct SearchRequest {
  const ModelDescription* model;    ///< that is optimized
  ParameterValues values;           ///< of its parameters; of those that are decided, where the search begins
  std::vector<Decision> decisions;  ///< in the order in which they are given
  ObjectiveExpression objective;    ///< as it was written
  std::string solver;               ///< its name, or automatic
  SolverSettings settings;          ///< for it
  GradientKind gradient;            ///< where gradients come from
  std::int64_t budget;              ///< replications for a run of the search
  std::int64_t final_replications;  ///< for the estimate at its end
  std::uint64_t seed;               ///< names the random numbers
  double confidence;                ///< of intervals
  double time_limit;                ///< seconds
  std::int64_t runs;                ///< of the search, side by side: macro-replications
  std::optional<std::int64_t> gap_batches = {};              ///< for the bound of the optimality gap; 0 for none
  std::vector<std::string> constraint_texts = {};            ///< on decisions, as they were written
  std::vector<LinearConstraint> constraints = {};            ///< the same
  std::vector<ConstraintOnMeans> constraints_on_means = {};  ///< as they were written
  std::vector<DrawnDecision> draws = {};                     ///< how random points are drawn, where not uniformly
  std::optional<double> feasible_with = {};  ///< confidence with which these are to hold; nothing where none is asked
  std::string start_note = {};  ///< why the search does not begin where it was asked to; empty where it does
};

/// The values of all parameters at decisions x.
ParameterValues values_at(const SearchRequest& request, std::span<const double> x);

/// The decisions at which the search begins, within their bounds.
std::vector<double> start_of(const SearchRequest& request);

/// "servers = 3, service_rate = 1.2".
std::string decisions_text(const SearchRequest& request, std::span<const double> x);

/// Where the model does not take the start's decisions, but takes others within the bounds, the search begins at the
/// first such ones that are found, and the note says so. Throws std::invalid_argument where none are found: what the
/// model says of the start.
void make_start_valid(SearchRequest& request);

/// Whether a constraint is on a tail.
bool has_tails(const SearchRequest& request);

/// Whether a constraint is on a probability.
bool has_probabilities(const SearchRequest& request);

/// Whether likelihood ratios are known to be right for all decisions of the model.
bool has_likelihood_ratios(const ModelDescription& model, std::span<const Decision> decisions);

/// Nothing decided yet and no objective: the model's usual values, and all else as where no option is given.
SearchRequest usual_search_request(const ModelDescription& model);

/// Adds a constraint to a request whose decisions are there, as a user wrote it: on decisions, on mean responses or on
/// their tails, the last behind all others. Throws std::invalid_argument for what is none.
void add_constraint(SearchRequest& request, const std::string& text);

/// Adds how a decision of a request is drawn. Throws std::invalid_argument, which begins as `complaint` does, for what
/// is no distribution or a table of values.
void add_draw(SearchRequest& request, const std::string& parameter, const std::string& distribution,
              std::string_view complaint);

/// What the options ask for. Throws std::invalid_argument, naming the option.
SearchRequest search_request(const ModelDescription& model, const OptionTable& options);

}  // namespace sporos::runtime

/// Names of the kinds of gradients.
template <>
struct sporos::ChoiceNames<sporos::runtime::GradientKind> {
  static constexpr std::string_view what = "gradient";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<runtime::GradientKind>>({{"pathwise", runtime::GradientKind::pathwise},
                                                        {"likelihood-ratio", runtime::GradientKind::likelihood_ratio},
                                                        {"differences", runtime::GradientKind::differences}});
};
