// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sporos::bench {

/// Registers benchmarks of the limits on photon transport: kernels that do nothing else, on every backend with all its
/// threads:
/// - double_operations/BACKEND: multiplications and additions of doubles in registers, `operations` per second,
/// - tally_additions/TALLIES/BACKEND: atomic additions, `additions` per second, to 32 batches of TALLIES tallies, at
///   random places in the thread's batch, as photons do.
void register_unit_rates();

}  // namespace sporos::bench
