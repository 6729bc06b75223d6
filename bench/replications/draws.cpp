// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "draws.hpp"

#include <sporos/core/sampling/refined_descriptive.hpp>

#include <boost/random/discard_block.hpp>
#include <boost/random/faure.hpp>
#include <boost/random/generate_canonical.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/niederreiter_base2.hpp>
#include <boost/random/ranlux.hpp>
#include <boost/random/sobol.hpp>
#include <boost/random/taus88.hpp>
#include <boost/random/uniform_01.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

namespace sporos::bench::peers {

namespace {

constexpr std::uint32_t seed = 20240229;
constexpr int dimensions = 8, points = 1024;

using Clock = std::chrono::steady_clock;

// Averages draws in four sums, so that additions do not wait for each other.
template <class Draw>
Outcome average(std::int64_t draws, Draw draw) {
  const auto start = Clock::now();
  std::array<double, 4> sums = {};
  for (std::int64_t i = 0; i < draws; i += 4) {
    for (double& sum : sums) sum += draw();
  }
  const auto n = static_cast<double>(draws);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return {seconds, (sums[0] + sums[1] + sums[2] + sums[3]) / n, std::sqrt(1.0 / 12 / n)};
}

// Takes as many words of the engine as make up 53 bits.
template <class Engine>
UniformPeer engine(const std::string& name, const std::string& peer) {
  return {name, peer, [](std::int64_t draws) {
            Engine engine(seed);
            return average(draws, [&] { return boost::random::generate_canonical<double, 53>(engine); });
          }};
}

template <class Base, std::size_t block, std::size_t kept>
UniformPeer discarding(const std::string& name, const std::string& peer) {
  return engine<boost::random::discard_block_engine<Base, block, kept>>(name, peer);
}

// Draws one point after the other, with the coordinates in order.
template <class Sequence>
UniformPeer sequence(const std::string& name, const std::string& peer) {
  return {name, peer, [](std::int64_t draws) {
            Sequence sequence(dimensions);
            boost::random::uniform_01<double> uniform;
            return average(draws, [&] { return uniform(sequence); });
          }};
}

// Shuffles the positions 0 … size − 1 by swaps. A random position is a scaled 32-bit word, which is fast.
template <class Interchange>
void shuffle(std::size_t size, boost::random::taus88& engine, const Interchange& interchange) {
  for (std::size_t i = size - 1; i > 0; --i) {
    interchange(i, static_cast<std::size_t>(std::uint64_t{engine()} * (i + 1) >> 32));
  }
}

// Samples of equidistant numbers in an array, which is shuffled for each sample.
class ShuffledSample {
 public:
  explicit ShuffledSample(std::size_t size) : m_numbers(size), m_place(size), m_engine(seed) {
    for (std::size_t i = 0; i < size; ++i) m_numbers[i] = (static_cast<double>(i) + 0.5) / static_cast<double>(size);
  }

  double operator()() {
    if (m_place == m_numbers.size()) {
      shuffle(m_numbers.size(), m_engine, [&](std::size_t i, std::size_t j) { std::swap(m_numbers[i], m_numbers[j]); });
      m_place = 0;
    }
    return m_numbers[m_place++];
  }

 private:
  std::vector<double> m_numbers;
  std::size_t m_place;
  boost::random::taus88 m_engine;
};

// Strata of a Latin hypercube in an array for each coordinate. Values are the midpoints of the strata, or random
// numbers within them.
template <bool is_centred>
class ShuffledHypercube {
 public:
  ShuffledHypercube() : m_strata(dimensions * points), m_place(m_strata.size()), m_engine(seed) {
    for (std::size_t i = 0; i < m_strata.size(); ++i) m_strata[i] = static_cast<double>(i / dimensions);
  }

  double operator()() {
    if (m_place == m_strata.size()) shuffle_strata();
    return (m_strata[m_place++] + (is_centred ? 0.5 : m_uniform(m_engine))) / points;
  }

 private:
  // Coordinate d of point i is at index i · dimensions + d.
  void shuffle_strata() {
    for (std::size_t d = 0; d < dimensions; ++d) {
      shuffle(points, m_engine, [&](std::size_t i, std::size_t j) {
        std::swap(m_strata[i * dimensions + d], m_strata[j * dimensions + d]);
      });
    }
    m_place = 0;
  }

  std::vector<double> m_strata;
  std::size_t m_place;
  boost::random::taus88 m_engine;
  boost::random::uniform_01<double> m_uniform;
};

UniformPeer sample(const std::string& peer, std::size_t size) {
  return {"shuffled array", peer, [size](std::int64_t draws) { return average(draws, ShuffledSample(size)); }};
}

UniformPeer refined_sample(const std::string& peer, const PrimeRange& primes) {
  return {"shuffled arrays", peer, [primes](std::int64_t draws) {
            ArrayRefinedSequence<boost::random::taus88> sequence(primes, boost::random::taus88(seed));
            return average(draws, [&] { return sequence.next(); });
          }};
}

template <bool is_centred>
UniformPeer hypercube(const std::string& peer) {
  return {"shuffled arrays", peer, [](std::int64_t draws) { return average(draws, ShuffledHypercube<is_centred>()); }};
}

}  // namespace

std::vector<UniformPeer> uniform_peers() {
  using boost::random::ranlux24_base;
  using boost::random::ranlux48_base;
  return {engine<boost::random::mt19937>("boost mt19937", "philox"),
          engine<boost::random::mt19937_64>("boost mt19937_64", "philox"),
          engine<boost::random::taus88>("boost taus88", "taus88"),
          engine<ranlux24_base>("boost ranlux24_base", "ranlux24-0"),
          discarding<ranlux24_base, 109, 24>("boost 24 of 109", "ranlux24-0"),
          discarding<ranlux24_base, 202, 24>("boost 24 of 202", "ranlux24-1"),
          discarding<ranlux24_base, 397, 24>("boost 24 of 397", "ranlux24-2"),
          engine<ranlux48_base>("boost ranlux48_base", "ranlux48-0"),
          discarding<ranlux48_base, 109, 12>("boost 12 of 109", "ranlux48-0"),
          discarding<ranlux48_base, 202, 12>("boost 12 of 202", "ranlux48-1"),
          discarding<ranlux48_base, 397, 12>("boost 12 of 397", "ranlux48-2"),
          sample("descriptive-1000", 1000),
          sample("descriptive-65536", 65536),
          refined_sample("refined-descriptive", {}),
          refined_sample("refined-descriptive-7-97", {7, 97}),
          hypercube<false>("points-latin-hypercube"),
          hypercube<true>("points-latin-hypercube-centred"),
          sequence<boost::random::sobol>("boost sobol", "points-sobol"),
          sequence<boost::random::niederreiter_base2>("boost niederreiter_base2", "points-sobol"),
          sequence<boost::random::faure>("boost faure", "points-halton")};
}

}  // namespace sporos::bench::peers
