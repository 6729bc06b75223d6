// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/execution/typed_choices.hpp>
#include <sporos/core/random/mrg32k3a.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/ranlux.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/taus88.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

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
  philox4x32,    ///< Philox4x32-10
  philox4x64,    ///< Philox4x64-10
  philox4x32_7,  ///< Philox4x32-7
  taus88,        ///< L'Ecuyer's Tausworthe generator, random spacing
  mrg32k3a,      ///< L'Ecuyer's combined multiple recursive generator, streams by jumping ahead
  ranlux24_0,    ///< Lüscher's RANLUX of 24 bits, 24 words of 109 kept, random spacing
  ranlux24_1,    ///< the same, 24 of 202
  ranlux24_2,    ///< the same, 24 of 397
  ranlux48_0,    ///< Lüscher's RANLUX of 48 bits, 12 words of 109 kept, random spacing
  ranlux48_1,    ///< the same, 12 of 202
  ranlux48_2     ///< the same, 12 of 397
};

/// Every engine that can be chosen at run time: its name, its value and its type, which is a CounterEngine or has a
/// state: of_stream(stream), and next_draw(), the next 64 bits. All that goes over engines goes over this list.
using Engines = TypedChoices<
    TypedChoice<"philox", Engine::philox4x32, Philox4x32>, TypedChoice<"philox4x64", Engine::philox4x64, Philox4x64>,
    TypedChoice<"philox4x32-7", Engine::philox4x32_7, Philox4x32_7>, TypedChoice<"taus88", Engine::taus88, Taus88>,
    TypedChoice<"mrg32k3a", Engine::mrg32k3a, Mrg32k3a>, TypedChoice<"ranlux24-0", Engine::ranlux24_0, Ranlux24_0>,
    TypedChoice<"ranlux24-1", Engine::ranlux24_1, Ranlux24_1>,
    TypedChoice<"ranlux24-2", Engine::ranlux24_2, Ranlux24_2>,
    TypedChoice<"ranlux48-0", Engine::ranlux48_0, Ranlux48_0>,
    TypedChoice<"ranlux48-1", Engine::ranlux48_1, Ranlux48_1>,
    TypedChoice<"ranlux48-2", Engine::ranlux48_2, Ranlux48_2>>;

/// Names of the engines.
template <>
struct ChoiceNames<Engine> {
  static constexpr std::string_view what = "engine";  ///< what is chosen
  static constexpr auto values = Engines::names;      ///< name and value of each
};

}  // namespace sporos
