// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sporos::bench {

/// Adds the origin of the figures to every report: processor, GPU, backends, threads, compilers, Kokkos. Also warms the
/// clocks of a GPU, so that they have risen before the first figure.
void add_context();

}  // namespace sporos::bench
