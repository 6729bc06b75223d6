// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace sporos::bench {

/// Registers benchmarks of the machine's limits: kernels that do nothing else, on every backend with all its threads:
/// - read_rows/BACKEND and read_pairs/BACKEND: a plain pass that reads this number of bytes, repeatedly,
/// - additions/BACKEND (hosts only): additions of doubles in vector registers, `additions` per second,
/// - lookups/BACKEND (hosts only): `bits` per second of packed features, looked up four at a time and added,
/// - launch/BACKEND: launching an empty kernel with work for each thread, and waiting for it,
/// - chain/BACKEND (hosts only): `steps` per second: a multiplication and an addition that wait for the step before.
void register_machine_rates(std::int64_t bytes_of_rows, std::int64_t bytes_of_pairs);

}  // namespace sporos::bench
