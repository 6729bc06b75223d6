// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>

#include <memory>

namespace sporos::runtime {

/// The backend for which this program is built. Defined in a source that sporos_write_program makes; compiled once for
/// each, with the runners.
std::unique_ptr<Backend> kokkos_backend();

}  // namespace sporos::runtime
