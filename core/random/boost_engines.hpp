// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/boost_engine.hpp>
#include <sporos/core/random/engine.hpp>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/ranlux.hpp>
#include <boost/random/taus88.hpp>

#include <type_traits>

/// Types of HostEngines. The member `type` of each is a BoostEngine.
namespace sporos::impl {

struct BoostMt19937 : std::type_identity<BoostEngine<boost::random::mt19937_64>> {};
struct BoostTaus88 : std::type_identity<BoostEngine<boost::random::taus88>> {};
struct BoostRanlux48 : std::type_identity<BoostEngine<boost::random::ranlux48>> {};

}  // namespace sporos::impl
