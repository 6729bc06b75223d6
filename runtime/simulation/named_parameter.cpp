// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/named_parameter.hpp>

#include <sporos/runtime/options/suggestion.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::runtime {

std::size_t place_of_parameter(const ModelDescription& model, std::string_view option, std::string_view text,
                               std::string_view name) {
  if (const auto place = model.find_parameter(name)) return *place;
  std::vector<std::string> names;
  for (const auto& parameter : model.parameters) names.push_back(parameter.option());
  throw std::invalid_argument(fmt::format("--{} is {}, and {} is no parameter of {}{}", option, io::in_quotes(text),
                                          io::in_quotes(name), model.name, suggestion_for(std::string(name), names)));
}

}  // namespace sporos::runtime
