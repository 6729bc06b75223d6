// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/engine.hpp>
#include <sporos/core/sampling/sampling.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace sporos::test {

/// Digest of 200 replications, seed 1, of a model with the parameters that same_bits.cpp gives it.
struct KnownDigest {
  std::string_view model;
  Engine engine;
  Sampling sampling;
  std::uint64_t digest;
};

inline constexpr auto known_digests = std::to_array<KnownDigest>({
    {"pi", Engine::philox4x32, Sampling::random, 0xb0f58b4ebaac34f5},
    {"pi", Engine::philox4x32, Sampling::antithetic, 0x6340066fbf63aa77},
    {"pi", Engine::philox4x64, Sampling::random, 0xac5376a72ba994eb},
    {"pi", Engine::philox4x64, Sampling::antithetic, 0x43fb5ba168cc13b6},
    {"pi", Engine::taus88, Sampling::random, 0x59bd80e7e387d214},
    {"pi", Engine::taus88, Sampling::antithetic, 0x95a6d511222a16c0},
    {"mm1 customers", Engine::philox4x32, Sampling::random, 0xc11bdf3fa52cfc07},
    {"mm1 customers", Engine::philox4x32, Sampling::antithetic, 0xa5beed5022083480},
    {"mm1 customers", Engine::philox4x64, Sampling::random, 0x0f50bfc1eb8d5b4a},
    {"mm1 customers", Engine::philox4x64, Sampling::antithetic, 0xeb6bdbee30450002},
    {"mm1 customers", Engine::taus88, Sampling::random, 0x6c49e8eec229db66},
    {"mm1 customers", Engine::taus88, Sampling::antithetic, 0x57571cf2e414e396},
    {"mm1 horizon", Engine::philox4x32, Sampling::random, 0x44d916bb6807c62e},
    {"mm1 horizon", Engine::philox4x32, Sampling::antithetic, 0x6e914a4bd4d7e22a},
    {"mm1 horizon", Engine::philox4x64, Sampling::random, 0x150fe5588f8f0cbb},
    {"mm1 horizon", Engine::philox4x64, Sampling::antithetic, 0x4dafbbb1668b5efd},
    {"mm1 horizon", Engine::taus88, Sampling::random, 0x33ad405db859104b},
    {"mm1 horizon", Engine::taus88, Sampling::antithetic, 0x994c3814d17d7048},
    {"mmck", Engine::philox4x32, Sampling::random, 0xb2037d71bccf94ff},
    {"mmck", Engine::philox4x32, Sampling::antithetic, 0xa0f29bd9e53d5635},
    {"mmck", Engine::philox4x64, Sampling::random, 0xb74a499fe961ecdf},
    {"mmck", Engine::philox4x64, Sampling::antithetic, 0xbd2a287555c2a6fd},
    {"mmck", Engine::taus88, Sampling::random, 0x6bf80dd5d145cc6a},
    {"mmck", Engine::taus88, Sampling::antithetic, 0xb4fb28b3768eef8d},
    {"random walk", Engine::philox4x32, Sampling::random, 0x5b4f0cad61feed32},
    {"random walk", Engine::philox4x32, Sampling::antithetic, 0xa86014aaaf2f0b85},
    {"random walk", Engine::philox4x64, Sampling::random, 0x52dee1c562723317},
    {"random walk", Engine::philox4x64, Sampling::antithetic, 0x8fe88705420207f0},
    {"random walk", Engine::taus88, Sampling::random, 0xffbbe0b9afdec930},
    {"random walk", Engine::taus88, Sampling::antithetic, 0xeb150132f730585e},
});

}  // namespace sporos::test
