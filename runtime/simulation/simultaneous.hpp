// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>

#include <sporos/procedures/point_differences.hpp>

#include <optional>

namespace sporos::runtime {

/// The option --simultaneous, which requests intervals that hold simultaneously.
OptionEntry simultaneous_entry();

/// Returns the method that --simultaneous names; empty if it is not given. Throws std::invalid_argument if there is no
/// such method.
std::optional<Simultaneous> simultaneous_method(const OptionTable& options);

}  // namespace sporos::runtime
