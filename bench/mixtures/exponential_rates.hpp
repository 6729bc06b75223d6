// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace sporos::bench {

/// Registers, for double and float on every backend that runs on the host, with all its threads, how many exponentials
/// the machine can form a second from numbers in its vector registers, none of them read or written:
/// - fast_exp2/BACKEND/PRECISION: by the mixtures' power of 2,
/// - libmvec/BACKEND/PRECISION: by the C library's vector function, where there is one for 512 bits.
void register_exponential_rates();

}  // namespace sporos::bench
