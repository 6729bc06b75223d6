// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sporos::bench {

/// Adds the origin of the figures to every report: processor, GPU, backends, threads, compiler, Kokkos.
void add_context();

}  // namespace sporos::bench
