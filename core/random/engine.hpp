// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/random/mrg32k3a.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/ranlux.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/taus88.hpp>

#include <array>
#include <concepts>

namespace sporos {

/// An engine without state: block b of a stream is computed from (stream, b) alone. What a user's own engine, plugged
/// in at compile time, must offer. A block has 2^k draws, at most 64.
template <class E>
concept CounterEngine = requires(Stream stream, std::uint64_t b) {
  requires E::draws_per_block >= 1 && E::draws_per_block <= 64 && 64 % E::draws_per_block == 0;
  { E::block(stream, b)[0] } -> std::convertible_to<std::uint64_t>;
};

/// The engines that can be chosen at run time.
enum class Engine {
  philox4x32,  ///< Philox4x32-10
  philox4x64,  ///< Philox4x64-10
  taus88,      ///< L'Ecuyer's Tausworthe generator, random spacing
  mrg32k3a,    ///< L'Ecuyer's combined multiple recursive generator, streams by jumping ahead
  ranlux24_0,  ///< Lüscher's RANLUX of 24 bits, 24 words of 109 kept, random spacing
  ranlux24_1,  ///< the same, 24 of 202
  ranlux24_2,  ///< the same, 24 of 397
  ranlux48_0,  ///< Lüscher's RANLUX of 48 bits, 12 words of 109 kept, random spacing
  ranlux48_1,  ///< the same, 12 of 202
  ranlux48_2   ///< the same, 12 of 397
};

/// Names of the engines.
template <>
struct ChoiceNames<Engine> {
  static constexpr std::string_view what = "engine";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<Engine>>({{"philox", Engine::philox4x32},
                                                                    {"philox4x64", Engine::philox4x64},
                                                                    {"taus88", Engine::taus88},
                                                                    {"mrg32k3a", Engine::mrg32k3a},
                                                                    {"ranlux24-0", Engine::ranlux24_0},
                                                                    {"ranlux24-1", Engine::ranlux24_1},
                                                                    {"ranlux24-2", Engine::ranlux24_2},
                                                                    {"ranlux48-0", Engine::ranlux48_0},
                                                                    {"ranlux48-1", Engine::ranlux48_1},
                                                                    {"ranlux48-2", Engine::ranlux48_2}});
};

}  // namespace sporos
