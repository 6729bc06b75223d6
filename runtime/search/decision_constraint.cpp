// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/decision_constraint.hpp>

#include <sporos/runtime/search/comparison.hpp>
#include <sporos/runtime/simulation/expression.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

// One side of a constraint as a function of the decision variables.
class Side {
 public:
  Side(const char* which, const std::string& text, const ModelDescription& model, const ParameterValues& values,
       std::span<const Decision> decisions) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < model.parameters.size(); ++i) {
      names.push_back(model.parameters[i].name);
      m_values.push_back(number_of(values[i]));
    }
    for (const Decision& decision : decisions) m_decided.push_back(*model.find_parameter(decision.parameter));
    m_expression.emplace(fmt::format("the {} side of --subject-to", which), text, names);
  }

  double operator()(std::span<const double> x) {
    for (std::size_t i = 0; i < x.size(); ++i) m_values[m_decided[i]] = x[i];
    return (*m_expression)(m_values);
  }

 private:
  std::vector<double> m_values;
  std::vector<std::size_t> m_decided;
  std::optional<Expression> m_expression;
};

// A linear function, constant + Σ weight · x. `linear_part` returns nothing if a side is not linear.
struct Linear {
  double constant;
  std::vector<double> weights;
};

std::optional<Linear> linear_part(Side& side, std::size_t dimension) {
  std::vector<double> x(dimension);
  Linear found{side(x), {}};
  for (std::size_t i = 0; i < dimension; ++i) {
    x[i] = 1;
    found.weights.push_back(side(x) - found.constant);
    x[i] = 0;
  }
  for (const double scale : {-1.3, 0.4, 7.0}) {
    double expected = found.constant, magnitude = std::abs(expected);
    for (std::size_t i = 0; i < dimension; ++i) {
      x[i] = scale * (1 + 0.7 * static_cast<double>(i));
      expected += found.weights[i] * x[i];
      magnitude += std::abs(found.weights[i] * x[i]);
    }
    if (!(std::abs(side(x) - expected) <= 1e-9 * magnitude)) return std::nullopt;
  }
  return found;
}

}  // namespace

LinearConstraint constraint_of(const std::string& text, const ModelDescription& model, const ParameterValues& values,
                               std::span<const Decision> decisions) {
  const auto [left_text, sign_text, right_text] = comparison_of(text);
  Side left("left", left_text, model, values, decisions), right("right", right_text, model, values, decisions);
  const auto on_left = linear_part(left, decisions.size()), on_right = linear_part(right, decisions.size());
  if (!on_left || !on_right) refuse_constraint(text, "linear functions of the decisions");
  const double sign = sign_text == ">=" ? -1 : 1;
  LinearConstraint constraint{{}, sign * (on_right->constant - on_left->constant), sign_text == "="};
  for (std::size_t i = 0; i < decisions.size(); ++i)
    constraint.weights.push_back(sign * (on_left->weights[i] - on_right->weights[i]));
  if (std::ranges::all_of(constraint.weights, [](double weight) { return weight == 0; }))
    refuse_constraint(text, "at least one decision");
  return constraint;
}

}  // namespace sporos::runtime
