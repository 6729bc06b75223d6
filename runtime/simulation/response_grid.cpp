// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/response_grid.hpp>

#include <sporos/runtime/options/suggestion.hpp>
#include <sporos/runtime/simulation/expression.hpp>
#include <sporos/runtime/simulation/value_list.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace sporos::runtime {

ResponseGrid response_grid(const std::string& option, const std::string& text, const std::string& counted,
                           const std::vector<std::string>& names, std::int64_t least, std::int64_t most) {
  const auto sign = text.rfind('=');
  const auto parts =
      sign == std::string::npos ? std::vector<std::string_view>() : split(std::string_view(text).substr(sign + 1), ':');
  if (parts.size() != 3) {
    throw std::invalid_argument(
        fmt::format("{} is {}, expected RESPONSE=LOW:HIGH:NUMBER with the number of {}, such as '{}=0:10:20'", option,
                    io::in_quotes(text), counted, names.front()));
  }
  const std::string name = text.substr(0, sign);
  const auto place =
      std::find_if(names.begin(), names.end(), [&](const std::string& known) { return is_same_name(known, name); });
  if (place == names.end()) {
    throw std::invalid_argument(
        fmt::format("{} names {}, which is no response{}", option, io::in_quotes(name), suggestion_for(name, names)));
  }
  const auto low = io::parse_number<double>(option + "'s lowest edge", parts[0]);
  const auto high = io::parse_number<double>(option + "'s highest edge", parts[1]);
  const auto count = io::parse_number<std::int64_t>(option + "'s number of " + counted, parts[2], least, most);
  for (const double edge : {low, high}) {
    if (std::isfinite(edge)) continue;
    throw std::invalid_argument(fmt::format("{} is {}, which has an edge of {}; give finite edges{}", option,
                                            io::in_quotes(text), io::shortest_text(edge),
                                            counted == "bins" ? " (values outside of them are counted, too)" : ""));
  }
  if (low < high && !std::isfinite(high - low)) {
    throw std::invalid_argument(fmt::format("{} is {}, whose edges are too far apart, expected a finite difference",
                                            option, io::in_quotes(text)));
  }
  if (!(low < high)) {
    throw std::invalid_argument(
        fmt::format("{} is {}, expected edges with the lower one first", option, io::in_quotes(text)));
  }
  return {static_cast<std::size_t>(place - names.begin()), low, high, count};
}

}  // namespace sporos::runtime
