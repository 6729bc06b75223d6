// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "engine_cases.hpp"

#include <sporos/core/random/boost_engines.hpp>

#include <tuple>

namespace sporos::test {

/// An engine of Boost.Random that can be chosen at run time.
template <class Choice>
struct HostEngineCase {
  using Type = typename Choice::Type::type;
  using Class = Type;
  static constexpr Engine engine = Choice::value;
};

/// All engines that a host can run.
template <class... Choices>
using HostCasesOf = std::tuple<HostEngineCase<Choices>...>;
using HostEngineCases = decltype(std::tuple_cat(EngineCases(), HostEngines::As<HostCasesOf>()));

/// Calls `visit(EngineCase())` for every engine that a host runs.
template <class Visit>
void for_each_engine_of_hosts(const Visit& visit) {
  std::apply([&](const auto&... cases) { (visit(cases), ...); }, HostEngineCases());
}

}  // namespace sporos::test
