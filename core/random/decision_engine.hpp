// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/engine_stream.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/stream.hpp>

#include <boost/random/uniform_int_distribution.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// Random decisions that the host makes, such as bootstraps, drawn points and shuffles. They come from distributions of
/// Boost.Random over a stream of Philox.
///
/// For one version of Boost, decisions are the same on every machine and with any number of threads and processes.
/// Boost does not guarantee the values of its distributions, so decisions may differ with another version. Replications
/// do not depend on Boost.
namespace sporos {

/// Purposes of random decisions. Each has separate streams, those of replications 2^62 and up, which no experiment
/// reaches.
enum class RandomDecision : std::uint32_t {
  bootstrap = 0x424f4f54,  ///< which observations a bootstrap takes, or their weights
  direction = 0x44495245,  ///< directions along which derivatives are checked
  runs = 0x52554e53,       ///< seeds of the runs of a solver
  search = 0x534f4c56      ///< points and steps of searches
};

/// Generator of random decisions.
using DecisionEngine = EngineStream<Philox4x32>;

/// Returns the stream of decisions for this purpose, `number` and `part`. `part` must be below 2^16.
inline Stream decision_stream(RandomDecision decision, std::uint64_t seed, std::uint32_t number = 0,
                              std::uint32_t part = 0) {
  return {seed, std::uint64_t{static_cast<std::uint32_t>(decision)} << 32 | number, part};
}

/// Returns the generator of decision_stream(decision, seed, number, part).
inline DecisionEngine decision_engine(RandomDecision decision, std::uint64_t seed, std::uint32_t number = 0,
                                      std::uint32_t part = 0) {
  return DecisionEngine(decision_stream(decision, seed, number, part));
}

/// Returns an index from 0 to `count` − 1, all equally likely.
inline std::size_t index_below(std::size_t count, DecisionEngine& engine) {
  return boost::random::uniform_int_distribution<std::size_t>(0, count - 1)(engine);
}

/// Shuffles `items`; all orders are equally likely. The order of std::shuffle differs between standard libraries.
template <class T>
void shuffle(std::vector<T>& items, DecisionEngine& engine) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[index_below(i, engine)]);
}

}  // namespace sporos
