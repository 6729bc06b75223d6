// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/simultaneous.hpp>

#include <sporos/core/io/format.hpp>

namespace sporos::runtime {

OptionEntry simultaneous_entry() {
  return {
      "Questions", "simultaneous", "METHOD",
      fmt::format("method for simultaneous intervals of all means and all differences: {}", names_of<Simultaneous>())};
}

std::optional<Simultaneous> simultaneous_method(const OptionTable& options) {
  if (!options.has("simultaneous")) return std::nullopt;
  return options.choice("simultaneous", Simultaneous::bonferroni);
}

}  // namespace sporos::runtime
