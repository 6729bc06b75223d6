// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

/// Converts computed numbers to counts. A cast of a double beyond the range of an integer is undefined, so no computed
/// number becomes a count by a plain cast.
namespace sporos {

/// Largest number of replications or other things that is counted: 2^53, up to which a double represents every integer.
inline constexpr std::int64_t max_counted = std::int64_t{1} << 53;

/// Returns `number` without its fraction, as an integer in [−max_counted, max_counted]. Numbers outside of this range
/// become its nearer end, and NaN becomes max_counted.
KOKKOS_INLINE_FUNCTION std::int64_t bounded_count(double number) {
  constexpr auto most = static_cast<double>(max_counted);
  if (!(number < most)) return max_counted;
  return number > -most ? static_cast<std::int64_t>(number) : -max_counted;
}

/// Returns a computed number of `what`, without its fraction, as an integer. Throws std::invalid_argument for NaN, a
/// negative number and one above max_counted, with the message
/// "replications: 3.2e+22 are needed, expected at most 9007199254740992: " and `remedy`.
inline std::int64_t checked_count(std::string_view what, double number, std::string_view remedy) {
  if (number >= 0 && number <= static_cast<double>(max_counted)) return static_cast<std::int64_t>(number);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", number);
  throw std::invalid_argument(std::string(what)
                                  .append(": ")
                                  .append(text.data())
                                  .append(" are needed, expected at most ")
                                  .append(std::to_string(max_counted))
                                  .append(": ")
                                  .append(remedy));
}

}  // namespace sporos
