// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/engine.hpp>

#include <stdexcept>
#include <type_traits>

namespace sporos {

/// What `visit` returns for the type of an engine that was chosen at run time, as std::type_identity.
template <class Visit>
auto visit_engine_type(Engine engine, const Visit& visit) {
  switch (engine) {
    case Engine::philox4x32:
      return visit(std::type_identity<Philox4x32>());
    case Engine::philox4x64:
      return visit(std::type_identity<Philox4x64>());
    case Engine::taus88:
      return visit(std::type_identity<Taus88>());
    case Engine::mrg32k3a:
      return visit(std::type_identity<Mrg32k3a>());
    case Engine::ranlux24_0:
      return visit(std::type_identity<Ranlux24_0>());
    case Engine::ranlux24_1:
      return visit(std::type_identity<Ranlux24_1>());
    case Engine::ranlux24_2:
      return visit(std::type_identity<Ranlux24_2>());
    case Engine::ranlux48_0:
      return visit(std::type_identity<Ranlux48_0>());
    case Engine::ranlux48_1:
      return visit(std::type_identity<Ranlux48_1>());
    case Engine::ranlux48_2:
      return visit(std::type_identity<Ranlux48_2>());
  }
  throw std::invalid_argument("no engine has this number");
}

}  // namespace sporos
