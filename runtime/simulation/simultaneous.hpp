// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>

#include <sporos/procedures/point_differences.hpp>

#include <optional>

namespace sporos::runtime {

/// The option that asks for intervals that hold together.
OptionEntry simultaneous_entry();

/// What it says. Throws std::invalid_argument for what is no method.
std::optional<Simultaneous> simultaneous_method(const OptionTable& options);

}  // namespace sporos::runtime
