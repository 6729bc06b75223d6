// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/simulation/expression.hpp>
#include <sporos/runtime/simulation/model_description.hpp>
#include <sporos/runtime/simulation/response_comparison.hpp>

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

/// What is known of whether a design point keeps a requirement.
enum class Verdict { keeps, undecided, breaks };

}  // namespace sporos::runtime

/// A verdict's names.
template <>
struct sporos::ChoiceNames<sporos::runtime::Verdict> {
  static constexpr std::string_view what = "verdict";  ///< what is said
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<runtime::Verdict>>({{"keeps", runtime::Verdict::keeps},
                                                   {"undecided", runtime::Verdict::undecided},
                                                   {"breaks", runtime::Verdict::breaks}});
};

namespace sporos::runtime {

/// What came out for a design point.
struct PointVerdict {
  std::size_t point;                     ///< its index in the design
  Verdict verdict;                       ///< on all requirements together
  std::vector<Verdict> of_requirements;  ///< on each
  std::optional<double> cost;            ///< where one is asked for; NaN where it has none
};

/// Which design points keep requirements on the expectations of responses.
struct RequirementReport {
  std::vector<std::string> texts;    ///< of the requirements
  double confidence;                 ///< that no verdict of keeping or breaking is wrong
  std::optional<std::string> cost;   ///< the expression
  std::vector<PointVerdict> points;  ///< those that keep them, then undecided ones, the cheapest first in each
};

/// The option that gives the cost of a design point, without its dashes: point-cost where the model has a parameter
/// cost.
std::string cost_option(const ModelDescription& model);

/// Requirements RESPONSE < BOUND (or <=, >, >=), where the bound is an expression of the parameters, and a cost, an
/// expression of parameters and responses.
class Requirements {
 public:
  /// Throws std::invalid_argument for what is no requirement or cost, for bounds and costs that have no finite value at
  /// a design point, and for a single observation.
  Requirements(const ModelDescription& model, const std::vector<ParameterValues>& design, const Plan& plan,
               const std::vector<std::string>& requirements, const OptionText& cost);

  /// A point keeps a requirement where the one-sided confidence limit of the mean does, and breaks it where the other
  /// limit does. Of a requirement at a point at most one of these can be wrong, with probability at most (1 −
  /// confidence) / (requirements · points); so none is with the plan's confidence (Bonferroni). A point that has failed
  /// breaks all.
  RequirementReport decide(const ExperimentResult& result);

 private:
  Verdict verdict(const ResponseComparison& requirement, std::size_t point, const ResponseEstimate& estimate) const;
  double cost_at(std::size_t point, const PointResult& result);

  const std::vector<ParameterValues>& m_design;
  const Plan& m_plan;
  std::vector<std::string> m_parameters, m_responses;
  std::vector<std::vector<double>> m_values;  // of the parameters, by design point
  std::vector<ResponseComparison> m_requirements;
  std::optional<Expression> m_cost;
};

}  // namespace sporos::runtime
