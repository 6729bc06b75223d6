// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/objective_expression.hpp>

#include <sporos/runtime/simulation/expression.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

// The sum of one or two expressions over decisions and responses; other parameters are fixed.
class ObjectiveFunction {
 public:
  ObjectiveFunction(const ObjectiveExpression& objective, const ModelDescription& model, const ParameterValues& values,
                    std::span<const Decision> decisions)
      : m_sign(objective.is_maximized ? -1 : 1), m_parameters(model.parameters.size()) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < m_parameters; ++i) {
      names.push_back(model.parameters[i].name);
      m_values.push_back(number_of(values[i]));
    }
    for (const Decision& decision : decisions) m_decided.push_back(*model.find_parameter(decision.parameter));
    const auto responses = model.response_names(values);
    names.insert(names.end(), responses.begin(), responses.end());
    m_values.resize(names.size());
    m_expressions.emplace_back(objective.what, objective.text, names);
    if (!objective.added.empty()) m_expressions.emplace_back("--plus", objective.added, names);
  }

  std::size_t responses() const { return m_values.size() - m_parameters; }

  double operator()(std::span<const double> x, std::span<const double> of_responses) {
    for (std::size_t i = 0; i < x.size(); ++i) m_values[m_decided[i]] = x[i];
    std::copy(of_responses.begin(), of_responses.end(), m_values.begin() + static_cast<std::ptrdiff_t>(m_parameters));
    double sum = 0;
    for (Expression& expression : m_expressions) sum += expression(m_values);
    return m_sign * sum;
  }

  // ∂/∂xᵢ where responses are 0, from four points.
  double slope(std::vector<double> x, std::size_t i) {
    const std::vector<double> none(responses());
    const double h = 1e-4 * std::max(1e-2, std::abs(x[i])), at = x[i];
    const auto value = [&](double place) {
      x[i] = at + place * h;
      return (*this)(x, none);
    };
    return (8 * (value(1) - value(-1)) - (value(2) - value(-2))) / (12 * h);
  }

 private:
  double m_sign;
  std::size_t m_parameters;
  std::vector<std::size_t> m_decided;
  std::vector<double> m_values;  // of parameters, then of responses
  std::vector<Expression> m_expressions;
};

// Places at which a sum with constant weights is told from other expressions.
std::vector<std::vector<double>> probes(const ParameterValues& values, std::span<const Decision> decisions,
                                        const ModelDescription& model) {
  std::vector<std::vector<double>> points;
  for (const double share : {0.31, 0.57, 0.83}) {
    auto& x = points.emplace_back();
    for (const Decision& decision : decisions) {
      const double usual = number_of(values[*model.find_parameter(decision.parameter)]);
      const double high = std::isfinite(decision.high) ? decision.high : std::max({1.0, 2 * usual, 2 * decision.low});
      x.push_back(decision.low + share * (high - decision.low));
    }
  }
  return points;
}

}  // namespace

ObjectiveTerms terms_of(const ObjectiveExpression& objective, const ModelDescription& model,
                        const ParameterValues& values, std::span<const Decision> decisions) {
  const auto function = std::make_shared<ObjectiveFunction>(objective, model, values, decisions);
  const std::size_t count = function->responses();
  const auto points = probes(values, decisions, model);
  std::vector<double> of_responses(count);
  std::vector<double> weights;
  const double base = (*function)(points.front(), of_responses);
  for (std::size_t i = 0; i < count; ++i) {
    of_responses[i] = 1;
    weights.push_back((*function)(points.front(), of_responses) - base);
    of_responses[i] = 0;
  }
  for (const auto& x : points) {
    double sum = (*function)(x, of_responses), magnitude = std::abs(sum);
    std::vector<double> odd(count);
    for (std::size_t i = 0; i < count; ++i) {
      odd[i] = 1.7 + 0.9 * static_cast<double>(i);
      sum += weights[i] * odd[i];
      magnitude += std::abs(weights[i] * odd[i]);
    }
    if (std::abs((*function)(x, odd) - sum) <= 1e-9 * magnitude) continue;
    throw std::invalid_argument(
        fmt::format("{} is {}, expected responses with constant weights, plus what depends on parameters alone: 40 * "
                    "response + 3 * parameter",
                    objective.what, io::in_quotes(objective.text)));
  }
  ObjectiveTerms terms;
  const auto names = model.response_names(values);
  for (std::size_t i = 0; i < count; ++i) {
    if (std::abs(weights[i]) > 1e-12 * (1 + std::abs(base))) terms.responses.push_back({names[i], weights[i]});
  }
  if (terms.responses.empty()) {
    throw std::invalid_argument(fmt::format("{} is {}, expected an expression in which a response stands",
                                            objective.what, io::in_quotes(objective.text)));
  }
  terms.cost = [function](std::span<const double> x, std::span<double> gradient) {
    const std::vector<double> at(x.begin(), x.end());
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = function->slope(at, i);
    return (*function)(x, std::vector<double>(function->responses()));
  };
  return terms;
}

}  // namespace sporos::runtime
