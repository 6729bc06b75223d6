// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/execution/typed_choices.hpp>
#include <sporos/core/random/engine_concepts.hpp>
#include <sporos/core/random/mrg32k3a.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/ranlux.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/taus88.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>

namespace sporos {

/// The engines that can be chosen at run time.
enum class Engine {
  philox4x32,        ///< Philox4x32-10
  philox4x64,        ///< Philox4x64-10
  philox4x32_7,      ///< Philox4x32-7
  taus88,            ///< L'Ecuyer's Tausworthe generator, random spacing
  mrg32k3a,          ///< L'Ecuyer's combined multiple recursive generator, streams by jumping ahead
  ranlux24_0,        ///< Lüscher's RANLUX of 24 bits, 24 words of 109 kept, random spacing
  ranlux24_1,        ///< RANLUX of 24 bits, 24 words of 202 kept, random spacing
  ranlux24_2,        ///< RANLUX of 24 bits, 24 words of 397 kept, random spacing
  ranlux48_0,        ///< Lüscher's RANLUX of 48 bits, 12 words of 109 kept, random spacing
  ranlux48_1,        ///< RANLUX of 48 bits, 12 words of 202 kept, random spacing
  ranlux48_2,        ///< RANLUX of 48 bits, 12 words of 397 kept, random spacing
  boost_mt19937_64,  ///< Boost.Random's mt19937_64, random spacing; on hosts only
  boost_taus88,      ///< Boost.Random's taus88, random spacing; on hosts only
  boost_ranlux48     ///< Boost.Random's ranlux48, random spacing; on hosts only
};

/// Every engine that runs on all backends, with its name, its value and its type, which is a CounterEngine or a
/// SequentialEngine. Code that handles every engine iterates over this list.
using Engines = TypedChoices<
    TypedChoice<"philox", Engine::philox4x32, Philox4x32>, TypedChoice<"philox4x64", Engine::philox4x64, Philox4x64>,
    TypedChoice<"philox4x32-7", Engine::philox4x32_7, Philox4x32_7>, TypedChoice<"taus88", Engine::taus88, Taus88>,
    TypedChoice<"mrg32k3a", Engine::mrg32k3a, Mrg32k3a>, TypedChoice<"ranlux24-0", Engine::ranlux24_0, Ranlux24_0>,
    TypedChoice<"ranlux24-1", Engine::ranlux24_1, Ranlux24_1>,
    TypedChoice<"ranlux24-2", Engine::ranlux24_2, Ranlux24_2>,
    TypedChoice<"ranlux48-0", Engine::ranlux48_0, Ranlux48_0>,
    TypedChoice<"ranlux48-1", Engine::ranlux48_1, Ranlux48_1>,
    TypedChoice<"ranlux48-2", Engine::ranlux48_2, Ranlux48_2>>;

namespace impl {

// Their types are in core/random/boost_engines.hpp, so that only one source file includes Boost's engines.
struct BoostMt19937;
struct BoostTaus88;
struct BoostRanlux48;

struct IsListed {
  template <class E>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool operator()(std::type_identity<E>) const {
    return true;
  }
};

}  // namespace impl

/// The engines of Boost.Random that can be chosen at run time, on hosts.
using HostEngines = TypedChoices<TypedChoice<"boost-mt19937-64", Engine::boost_mt19937_64, impl::BoostMt19937>,
                                 TypedChoice<"boost-taus88", Engine::boost_taus88, impl::BoostTaus88>,
                                 TypedChoice<"boost-ranlux48", Engine::boost_ranlux48, impl::BoostRanlux48>>;

/// Whether an engine runs on hosts only.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool runs_on_hosts_only(Engine engine) {
  return HostEngines::visit_on_device(engine, impl::IsListed());
}

/// Names of the engines: those that run on all backends, then those for hosts.
template <>
struct ChoiceNames<Engine> {
  static constexpr std::string_view what = "engine";  ///< name of the choice
  /// name and value of each engine
  static constexpr auto values = [] {
    std::array<NamedValue<Engine>, Engines::names.size() + HostEngines::names.size()> all{};
    std::ranges::copy(HostEngines::names, std::ranges::copy(Engines::names, all.begin()).out);
    return all;
  }();
};

}  // namespace sporos
