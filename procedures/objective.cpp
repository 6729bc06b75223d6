// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/objective.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace sporos::impl {

std::string listed(std::span<const std::string> names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::vector<std::vector<double>> quantity_weights(const Objective& objective, std::span<const std::string> responses) {
  const std::size_t terms = responses.size() + 1, quantities = objective.quantities.size();
  if (quantities == 0 || quantities > terms) {
    throw std::invalid_argument("number of quantities of the objective is " + std::to_string(quantities) +
                                ", expected 1 to " + std::to_string(terms) + ", one more than the number of responses");
  }
  std::vector<std::vector<double>> weights(quantities, std::vector<double>(terms));
  for (std::size_t quantity = 0; quantity < quantities; ++quantity) {
    for (const auto& [response, weight] : objective.quantities[quantity]) {
      const auto found = std::ranges::find(responses, response);
      if (found == responses.end() && !response.empty()) {
        throw std::invalid_argument("the model has no response '" + response + "', expected one of " +
                                    listed(responses));
      }
      const auto term = response.empty() ? responses.size() : static_cast<std::size_t>(found - responses.begin());
      weights[quantity][term] += weight;
    }
  }
  return weights;
}

}  // namespace sporos::impl
