// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::papers {

/// Returns the backends that --backends lists; an empty list selects all backends of this build. Throws
/// std::invalid_argument if this build does not have one of them.
inline std::vector<std::string> chosen_backends(const std::vector<std::string>& listed) {
  std::vector<std::string> all;
  for_each_backend(
      [&]<class ExecutionSpace>(const ExecutionSpace&) { all.emplace_back(backend_name<ExecutionSpace>()); });
  for (const std::string& name : listed) {
    if (std::find(all.begin(), all.end(), name) != all.end()) continue;
    throw std::invalid_argument(
        fmt::format("--backends has '{}', expected backends of this build: {}", name, fmt::join(all, ", ")));
  }
  return listed.empty() ? all : listed;
}

}  // namespace sporos::papers
