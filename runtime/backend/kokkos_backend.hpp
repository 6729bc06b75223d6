// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/backend.hpp>

#include <memory>

namespace sporos::runtime {

/// Creates the backend for which this program is built. The function is defined in a source file that
/// sporos_write_program writes; it is compiled once per backend, with the runners.
std::unique_ptr<Backend> kokkos_backend();

}  // namespace sporos::runtime
