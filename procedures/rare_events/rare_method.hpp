// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>

#include <array>
#include <string_view>

namespace sporos {

/// Method for events too rare to be seen in plain replications.
enum class RareMethod {
  importance,  ///< importance sampling, by importance_sampled
  splitting,   ///< multilevel splitting, by split
  adaptive     ///< adaptive multilevel splitting, by adaptive_split
};

/// Names of the methods.
template <>
struct ChoiceNames<RareMethod> {
  static constexpr std::string_view what = "rare method";  ///< name of the choice in messages
  /// name and value of each method
  static constexpr auto values = std::to_array<NamedValue<RareMethod>>({{"importance", RareMethod::importance},
                                                                        {"splitting", RareMethod::splitting},
                                                                        {"adaptive", RareMethod::adaptive}});
};

}  // namespace sporos
