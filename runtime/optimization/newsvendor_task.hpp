// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/models/inventory/newsvendor_case.hpp>

namespace sporos::runtime {

/// A newsvendor whose quantities are to be chosen.
struct NewsvendorTask {
  models::NewsvendorCase instance;
};

}  // namespace sporos::runtime
