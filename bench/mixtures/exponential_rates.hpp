// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sporos::bench {

/// Registers benchmarks, for double and float on every backend, of the exponentials that the machine computes per
/// second from numbers in registers, without reading or writing memory:
/// - fast_exp2/BACKEND/PRECISION: the mixtures' power of 2,
/// - libmvec/BACKEND/PRECISION: on a host, the C library's vector function, if there is one for 512 bits,
/// - team_powers/BACKEND/PRECISION and exp2/BACKEND/PRECISION: on a device, TeamPowers and the device's own exp2.
void register_exponential_rates();

}  // namespace sporos::bench
