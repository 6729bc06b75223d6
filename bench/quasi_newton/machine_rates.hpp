// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace sporos::bench {

/// Registers what the machine can do at most, by kernels that do nothing else, on every backend with all its threads:
/// - read_rows/BACKEND and read_pairs/BACKEND: a plain reading pass over so many bytes, again and again,
/// - additions/BACKEND (hosts only): additions of doubles in vector registers, `additions` a second,
/// - lookups/BACKEND (hosts only): `bits` a second of packed features that are looked up, four at once, and added,
/// - launch/BACKEND: an empty kernel with work for each thread that is waited for,
/// - chain/BACKEND (hosts only): `steps` a second of a multiplication and an addition that wait for the step before.
void register_machine_rates(std::int64_t bytes_of_rows, std::int64_t bytes_of_pairs);

}  // namespace sporos::bench
