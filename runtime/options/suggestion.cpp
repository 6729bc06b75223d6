// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/suggestion.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace sporos::runtime {

namespace {

// Returns the number of insertions and deletions of letters that turn one word into the other.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = from[i] == to[j] ? diagonal : std::min(row[j], above) + 1;
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion_for(std::string_view name, const std::vector<std::string>& names) {
  constexpr std::size_t longest_word = 64;
  if (!names.empty() && name.size() <= longest_word) {
    const auto distance = [&](const std::string& other) { return edit_distance(name, other); };
    const auto nearest = std::min_element(names.begin(), names.end(),
                                          [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    if (distance(*nearest) <= std::max<std::size_t>(2, nearest->size() / 3)) {
      return fmt::format(": did you mean '{}'?", *nearest);
    }
  }
  return fmt::format(": expected one of {}", fmt::join(names, ", "));
}

}  // namespace sporos::runtime
