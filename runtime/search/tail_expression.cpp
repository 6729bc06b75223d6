// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/tail_expression.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/search/comparison.hpp>
#include <sporos/runtime/search/model_function.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

namespace sporos::runtime {

namespace {

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
