// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/constraints.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/simulation/expression.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace sporos::runtime {

namespace {

constexpr std::string_view signs = "<>=";

// Returns the index of the first comparison operator outside parentheses at or after index `from`; npos if there is
// none.
std::size_t find_sign(const std::string& text, std::size_t from) {
  int depth = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && signs.find(text[i]) != std::string_view::npos) return i;
  }
  return std::string::npos;
}

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

constexpr std::string_view of_probability = "P(", of_cvar = "CVaR_";

// Returns the index of the first "P(" or "CVaR_" that does not follow a letter, digit or underscore.
std::size_t find_measure(std::string_view text) {
  for (const std::string_view measure : {of_probability, of_cvar}) {
    for (auto place = text.find(measure); place != std::string_view::npos; place = text.find(measure, place + 1)) {
      const char before = place == 0 ? ' ' : text[place - 1];
      if (std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_') return place;
    }
  }
  return std::string_view::npos;
}

// A measure such as "P(A > B)", split into the text before its parenthesis and the text inside. `measured` returns
// nothing if the side as a whole is not a measure.
struct Measured {
  std::string before, inside;
};

std::optional<Measured> measured(const std::string& side) {
  if (find_measure(side) != 0 || side.back() != ')') return std::nullopt;
  const auto open = side.find('(');
  int depth = 0;
  for (std::size_t i = open; i < side.size(); ++i) {
    depth += side[i] == '(' ? 1 : side[i] == ')' ? -1 : 0;
    if (depth == 0 && i + 1 < side.size()) return std::nullopt;
  }
  return Measured{side.substr(0, open), side.substr(open + 1, side.size() - open - 2)};
}

// Makes the constraint that P(inside) is at most `limit`, or at least `limit` if not `is_below`. P(A <= B) is replaced
// by 1 - P(A > B).
TailExpression probability_of(const std::string& text, const std::string& name, const std::string& inside,
                              const std::string& limit, bool is_below) {
  const auto sides = sides_of(inside);
  if (!sides || sides->sign == "=") refuse_constraint(text, "one >, >=, < or <= within P(...)");
  const auto& [left, sign, right] = *sides;
  const bool is_complement = sign.size() == 2, is_left = (sign.front() == '>') != is_complement;
  const std::string difference =
      is_left ? fmt::format("({}) - ({})", left, right) : fmt::format("({}) - ({})", right, left);
  return {name,
          TailMeasure::probability,
          0,
          {"--subject-to", difference, "", false},
          {"--subject-to", is_complement ? fmt::format("1 - ({})", limit) : limit, "", false},
          is_below == is_complement};
}

}  // namespace

void refuse_constraint(const std::string& text, const std::string& expected) {
  throw std::invalid_argument(fmt::format("--subject-to is {}, expected {}", io::in_quotes(text), expected));
}

std::optional<Comparison> sides_of(const std::string& text) {
  const auto first = find_sign(text, 0);
  if (first == std::string::npos) return std::nullopt;
  const auto after = std::min(text.find_first_not_of(signs, first), text.size());
  const std::string sign = text.substr(first, after - first);
  const bool is_known = sign == "<" || sign == ">" || sign == "<=" || sign == ">=" || sign == "=" || sign == "==";
  if (!is_known || find_sign(text, after) != std::string::npos) return std::nullopt;
  return Comparison{text.substr(0, first), sign == "==" ? "=" : sign, text.substr(after)};
}

Comparison comparison_of(const std::string& text) {
  if (const auto sides = sides_of(text); sides && sides->sign != "<" && sides->sign != ">") return *sides;
  refuse_constraint(text, "two expressions with <=, >= or = between them");
}

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

std::optional<ConstraintOnMeans> tail_constraint_of(const std::string& text) {
  if (find_measure(text) == std::string::npos) return std::nullopt;
  const auto sides = sides_of(text);
  const auto refuse = [&] { refuse_constraint(text, "P(A > B) or CVaR_0.95(A) as the whole of one side of <= or >="); };
  if (!sides || (sides->sign != "<=" && sides->sign != ">=")) refuse();
  const std::string left(trimmed(sides->left)), right(trimmed(sides->right));
  const auto on_left = measured(left), on_right = measured(right);
  const std::string& limit = on_left ? right : left;
  if (!on_left == !on_right || find_measure(limit) != std::string::npos) refuse();
  const auto& [before, inside] = on_left ? *on_left : *on_right;
  const std::string& name = on_left ? left : right;
  const bool is_below = (sides->sign == "<=") == on_left.has_value();
  if (before == "P") return ConstraintOnMeans{text, {}, probability_of(text, name, inside, limit, is_below)};
  const auto level = io::number_of<double>(std::string_view(before).substr(of_cvar.size()));
  if (!level || !(*level > 0 && *level < 1)) refuse_constraint(text, "a level between 0 and 1, as in CVaR_0.95(...)");
  if (!is_below) refuse_constraint(text, "an upper limit, as in CVaR_0.95(A) <= 7");
  return ConstraintOnMeans{text,
                           {},
                           TailExpression{name,
                                          TailMeasure::cvar,
                                          *level,
                                          {"--subject-to", inside, "", false},
                                          {"--subject-to", limit, "", false},
                                          false}};
}

std::vector<TailConstraint> tails_of(std::span<const ConstraintOnMeans> constraints, const Objective& objective,
                                     const ModelDescription& model, const ParameterValues& values,
                                     std::span<const Decision> decisions) {
  const auto names = model.response_names(values);
  std::vector<double> start;
  for (const Decision& decision : decisions)
    start.push_back(number_of(values[*model.find_parameter(decision.parameter)]));
  std::vector<TailConstraint> found;
  for (const ConstraintOnMeans& constraint : constraints) {
    if (!constraint.tail) continue;
    const TailExpression& tail = *constraint.tail;
    const auto compared = std::make_shared<ModelFunction>(tail.compared, model, values, decisions);
    const auto limit = std::make_shared<ModelFunction>(tail.limit, model, values, decisions);
    const auto weights = compared->constant_weights();
    if (!weights)
      refuse_constraint(constraint.text, fmt::format("a sum of responses with constant weights in {}", tail.name));
    if (limit->uses_responses()) refuse_constraint(constraint.text, fmt::format("no response outside {}", tail.name));
    const double at_start = limit->of_decisions(start, {});
    if (tail.measure == TailMeasure::probability && !(at_start > 0 && at_start < 1))
      refuse_constraint(constraint.text, fmt::format("a limit of {} between 0 and 1", tail.name));
    TailConstraint& made = found.emplace_back();
    made.name = tail.name;
    made.measure = tail.measure;
    made.level = tail.level;
    made.is_reversed = tail.is_reversed;
    for (const auto& quantity : objective.quantities) {
      const auto place = std::ranges::find(names, quantity.front().response);
      made.weights.push_back(place == names.end() ? 0 : (*weights)[static_cast<std::size_t>(place - names.begin())]);
    }
    made.offset = [compared](std::span<const double> x, std::span<double> gradient) {
      return compared->of_decisions(x, gradient);
    };
    made.limit = [limit](std::span<const double> x, std::span<double> gradient) {
      return limit->of_decisions(x, gradient);
    };
  }
  return found;
}

}  // namespace sporos::runtime
