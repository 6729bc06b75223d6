// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/simulation/expression.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/response_probabilities.hpp>

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/result.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// Whether a design point satisfies a requirement, as far as confidence limits show.
enum class Verdict { meets, undecided, violates };

}  // namespace sporos::runtime

/// Names of the values of Verdict.
template <>
struct sporos::ChoiceNames<sporos::runtime::Verdict> {
  static constexpr std::string_view what = "verdict";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values =
      std::to_array<NamedValue<runtime::Verdict>>({{"meets", runtime::Verdict::meets},
                                                   {"undecided", runtime::Verdict::undecided},
                                                   {"violates", runtime::Verdict::violates}});
};

namespace sporos::runtime {

/// Verdicts on a design point.
struct PointVerdict {
  std::size_t point;                     ///< its index in the design
  Verdict verdict;                       ///< verdict on all requirements together
  std::vector<Verdict> of_requirements;  ///< verdict on each requirement
  std::optional<double> cost;            ///< cost, if requested; NaN if it is undefined at the point
};

/// Design points, with verdicts on whether they satisfy requirements on the expectations of responses.
struct RequirementReport {
  std::vector<std::string> texts;   ///< text of each requirement
  double confidence;                ///< confidence that no decided verdict is wrong
  std::optional<std::string> cost;  ///< expression of the cost
  /// Points that satisfy the requirements, then undecided ones, then violating ones; in each group the cheapest first.
  std::vector<PointVerdict> points;
};

/// Name, without dashes, of the option for the cost of a design point: "cost", or "point-cost" if the model has a
/// parameter cost.
std::string cost_option(const ModelDescription& model);

/// Requirements RESPONSE < BOUND (or <=, >, >=), in which the bound is an expression of the parameters, and a cost,
/// which is an expression of parameters and responses.
class Requirements {
 public:
  /// Throws std::invalid_argument if a text is not a requirement or cost, if a bound or cost has no finite value at a
  /// design point, and for a single observation.
  Requirements(const ModelDescription& model, const std::vector<ParameterValues>& design, const Plan& plan,
               const std::vector<std::string>& requirements, const OptionText& cost);

  /// Decides, for each design point, whether it satisfies the requirements. A point satisfies a requirement if the
  /// one-sided confidence limit of the mean does, and violates it if the other limit does. For each requirement and
  /// point, at most one of these decisions can be wrong, with probability at most (1 − confidence) / (requirements ·
  /// points). By Bonferroni, no decision is wrong with the plan's confidence. A failed point violates all requirements.
  RequirementReport decide(const ExperimentResult& result);

 private:
  Verdict verdict(const ResponseComparison& requirement, std::size_t point, const ResponseEstimate& estimate) const;
  double cost_at(std::size_t point, const PointResult& result);

  const std::vector<ParameterValues>& m_design;
  const Plan& m_plan;
  std::vector<std::string> m_parameters, m_responses;
  std::vector<std::vector<double>> m_values;  // values of the parameters, by design point
  std::vector<ResponseComparison> m_requirements;
  std::optional<Expression> m_cost;
};

}  // namespace sporos::runtime
