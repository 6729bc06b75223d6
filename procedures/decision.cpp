// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/procedures/decision.hpp>
#include <sporos/procedures/objective.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sporos::impl {

namespace {

void add_decision(DecidedParameters& decided, const Decision& decision, const std::vector<NumberParameter>& numbers) {
  const std::string& name = decision.parameter;
  const double low = decision.low, high = decision.high;
  const auto refuse = [&name](const std::string& fault) {
    throw std::invalid_argument("decision '" + name + "' " + fault);
  };
  if (std::ranges::find(decided.names, name) != decided.names.end()) refuse("is given twice");
  if (!(low < high)) {
    refuse("goes from " + number_text(low) + " to " + number_text(high) +
           ", expected a lower bound below the upper bound");
  }
  const auto found = std::ranges::find(numbers, name, &NumberParameter::name);
  if (found == numbers.end()) {
    std::vector<std::string> names;
    for (const auto& number : numbers) names.push_back(number.name);
    refuse("is not a parameter of the model, expected one of " + listed(names));
  }
  const auto is_whole = [](double end) { return std::isinf(end) || std::nearbyint(end) == end; };
  if (found->is_integer && !(is_whole(low) && is_whole(high))) {
    refuse("goes from " + number_text(low) + " to " + number_text(high) +
           ", expected whole numbers, because the parameter takes only whole numbers");
  }
  if (decided.decisions.size() <= found->place) decided.decisions.resize(found->place + 1, DecidedParameters::none);
  decided.decisions[found->place] = decided.places.size();
  decided.names.push_back(name);
  decided.places.push_back(found->place);
  decided.bounds.push_back({low, high, found->is_integer});
  decided.are_real = decided.are_real && !found->is_integer;
}

}  // namespace

DecidedParameters decided_parameters(std::span<const Decision> decisions, const std::vector<NumberParameter>& numbers) {
  if (decisions.empty())
    throw std::invalid_argument("there are no decision variables, expected at least one parameter");
  DecidedParameters decided;
  for (const Decision& decision : decisions) add_decision(decided, decision, numbers);
  return decided;
}

}  // namespace sporos::impl
