// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <string_view>

namespace sporos {

/// How an event is simulated that is too rare to be seen in replications.
enum class RareMethod {
  importance,  ///< importance_sampled
  splitting,   ///< split
  adaptive     ///< adaptive_split
};

/// Names of the methods.
template <>
struct ChoiceNames<RareMethod> {
  static constexpr std::string_view what = "rare method";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<RareMethod>>({{"importance", RareMethod::importance},
                                                                        {"splitting", RareMethod::splitting},
                                                                        {"adaptive", RareMethod::adaptive}});
};

}  // namespace sporos
