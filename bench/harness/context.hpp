// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sporos::bench {

/// Adds to every report where and how it was made: processor, GPU, backends, threads, compiler, Kokkos.
void add_context();

}  // namespace sporos::bench
