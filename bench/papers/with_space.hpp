// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>

#include <stdexcept>
#include <string>

namespace sporos::papers {

/// Calls `body` with an instance of the backend that --space names. Throws std::invalid_argument if this build does not
/// have the backend.
template <class Body>
void with_space(const std::string& name, const Body& body) {
  bool is_there = false;
  for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace& space) {
    if (backend_name<ExecutionSpace>() != name) return;
    is_there = true;
    body(space);
  });
  if (!is_there) throw std::invalid_argument("--space is " + name + ", expected a backend of this build");
}

}  // namespace sporos::papers
