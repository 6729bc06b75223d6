// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sporos::bench {

/// Registers what bounds the flight of photons, by kernels that do nothing else, on every backend with all its threads:
/// - double_operations/BACKEND: multiplications and additions of doubles in registers, `operations` a second,
/// - tally_additions/TALLIES/BACKEND: atomic additions, `additions` a second, to 32 batches of so many tallies, which
///   threads hit at random places of their own batch, as photons do.
void register_unit_rates();

}  // namespace sporos::bench
