// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backend.hpp"

#include <memory>

namespace sporos::apps {

/// The backend for which this program is built. Compiled once for each, with the files in runners/.
std::unique_ptr<Backend> kokkos_backend();

}  // namespace sporos::apps
