// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <string>

namespace sporos::models {

/// Throws std::invalid_argument, whose message is the name of a member of a network case and `why`, unless `is_good`.
inline void expect(bool is_good, const std::string& member, const std::string& why) {
  if (!is_good) throw std::invalid_argument(member + " " + why);
}

}  // namespace sporos::models
