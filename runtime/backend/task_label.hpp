// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <typeinfo>

namespace sporos::runtime {

/// Returns the label under which the tools of Kokkos see the computation of a task: "sporos::rare_event[mm1]" for
/// RareEventTask and the model mm1. The label has no brackets if `model` is empty.
std::string label_of_task(const std::type_info& task, std::string_view model = {});

}  // namespace sporos::runtime
