// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks Sporos' engines as generators of the standard library, and engines of Boost.Random as engines of Sporos.
#include "chi_square.hpp"
#include "host_engine_cases.hpp"

#include <sporos/core/random/decision_engine.hpp>
#include <sporos/core/random/engine_stream.hpp>
#include <sporos/core/random/host_streams.hpp>
#include <sporos/core/random/uniform.hpp>

#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <boost/random/additive_combine.hpp>
#include <boost/random/inversive_congruential.hpp>
#include <boost/random/lagged_fibonacci.hpp>
#include <boost/random/linear_congruential.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/ranlux.hpp>
#include <boost/random/shuffle_order.hpp>
#include <boost/random/taus88.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <sstream>
#include <type_traits>
#include <vector>

namespace generators_tests {

using namespace sporos;

// Each check rejects a good engine with probability 10^-4 for a random seed. There are about 70 checks, so one of them
// does so with probability below 1 % (seeds are fixed).
constexpr double error_probability = 1e-4;
constexpr int cells = 100, numbers = 20'000;

// An engine that can be chosen at run time, as a generator of the standard library.
template <class Case>
using GeneratorOf = EngineStream<typename Case::Type>;

template <class... Cases>
constexpr bool are_generators(const std::tuple<Cases...>&) {
  return (std::uniform_random_bit_generator<GeneratorOf<Cases>> && ...);
}
static_assert(are_generators(test::HostEngineCases()));
static_assert(std::uniform_random_bit_generator<DecisionEngine>);
static_assert(!std::uniform_random_bit_generator<Philox4x32>, "control: an engine is no stream");

TEST(EngineStream, GivesTheDrawsOfItsStream) {
  test::for_each_engine_of_hosts([]<class Case>(const Case&) {
    const Stream stream{7, 11, 3};
    GeneratorOf<Case> generator(stream);
    auto engine = Case::Class::of_stream(stream);
    for (int draw = 0; draw < 100; ++draw) EXPECT_EQ(generator(), engine.next_draw()) << name_of(Case::engine);
  });
}

template <class Generator, class CellOf>
double p_of_cells(Generator generator, const CellOf& cell_of) {
  std::vector<std::int64_t> counts(cells);
  for (int i = 0; i < numbers; ++i) ++counts[static_cast<std::size_t>(cell_of(generator))];
  return test::chi_square_p(counts);
}

int cell_at(double probability) { return std::min(static_cast<int>(cells * probability), cells - 1); }

// p-values of three distributions in equally likely cells: integers and normals of Boost.Random, and exponentials of
// the standard library.
template <class E>
std::vector<double> p_of_distributions() {
  const EngineStream<E> generator({2024, 5, 0});
  boost::random::uniform_int_distribution<int> whole(0, cells - 1);
  boost::random::normal_distribution<double> normal;
  std::exponential_distribution<double> exponential;
  const boost::math::normal standard;
  return {p_of_cells(generator, [&](auto& engine) { return whole(engine); }),
          p_of_cells(generator, [&](auto& engine) { return cell_at(boost::math::cdf(standard, normal(engine))); }),
          p_of_cells(generator, [&](auto& engine) { return cell_at(-std::expm1(-exponential(engine))); })};
}

TEST(EngineStream, DistributionsOverItHaveTheirProbabilities) {
  test::for_each_engine_of_hosts([]<class Case>(const Case&) {
    for (const double p : p_of_distributions<typename Case::Type>()) {
      EXPECT_GT(p, error_probability) << name_of(Case::engine);
    }
  });
}

TEST(EngineStream, ControlDistributionsOverThePapersRandAreRejected) {
  for (const double p : p_of_distributions<test::PaperRand>()) EXPECT_LT(p, error_probability);
}

TEST(DecisionEngine, HasStreamsOfItsOwn) {
  DecisionEngine search = decision_engine(RandomDecision::search, 1), same = decision_engine(RandomDecision::search, 1);
  DecisionEngine other = decision_engine(RandomDecision::bootstrap, 1),
                 next = decision_engine(RandomDecision::search, 1, 1);
  DecisionEngine part = decision_engine(RandomDecision::search, 1, 0, 1);
  const std::uint64_t draw = search();
  EXPECT_EQ(same(), draw);
  for (DecisionEngine* engine : {&other, &next, &part}) EXPECT_NE((*engine)(), draw);
}

TEST(DecisionEngine, ShufflesIntoEveryOrderEquallyOften) {
  DecisionEngine engine = decision_engine(RandomDecision::search, 3);
  std::vector<std::int64_t> counts(24);
  for (int i = 0; i < 24'000; ++i) {
    std::vector<int> items(4);
    std::iota(items.begin(), items.end(), 0);
    shuffle(items, engine);
    std::size_t rank = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const auto smaller = std::count_if(items.begin() + static_cast<std::ptrdiff_t>(j), items.end(),
                                         [&](int item) { return item < items[j]; });
      rank = rank * (4 - j) + static_cast<std::size_t>(smaller);
    }
    ++counts[rank];
  }
  EXPECT_GT(test::chi_square_p(counts), error_probability);
}

template <class Ours, class Theirs>
void expect_same_draws() {
  for (std::uint64_t replication = 0; replication < 50; ++replication) {
    const Stream stream{42, mix_bits(replication), static_cast<std::uint32_t>(replication % 7)};
    Ours ours = Ours::of_stream(stream);
    auto theirs = BoostEngine<Theirs>::of_stream(stream);
    for (int draw = 0; draw < 100; ++draw) ASSERT_EQ(theirs.next_draw(), ours.next_draw()) << draw;
  }
}

// Sporos' engines for all backends equal their counterparts in Boost: the same state words give the same draws.
TEST(BoostEngine, EqualsOurEngineOfTheSameName) {
  expect_same_draws<Taus88, boost::random::taus88>();
  expect_same_draws<Ranlux<SubtractWithCarry24, 223, 23>, boost::random::ranlux24>();
  expect_same_draws<Ranlux<SubtractWithCarry48, 389, 11>, boost::random::ranlux48>();
}

// All 312 words of the state are draws of philox: the standard library's engine with this state gives the same draws.
TEST(BoostEngine, StartsFromWordsOfPhilox) {
  const Stream stream{3, 1000, 2};
  std::stringstream words;
  EngineStream<Philox4x32> philox(stream);
  for (std::size_t i = 0; i < std::mt19937_64::state_size; ++i) words << philox() << ' ';
  words << std::mt19937_64::state_size;
  std::mt19937_64 theirs;
  words >> theirs;
  auto ours = BoostEngine<boost::random::mt19937_64>::of_stream(stream);
  for (int draw = 0; draw < 1000; ++draw) ASSERT_EQ(ours.next_draw(), theirs()) << draw;
}

// One thread runs two replications in turn. The second one ends, and its states are reused.
TEST(HostStreams, BelongToOneReplication) {
  using Twister = BoostEngine<boost::random::mt19937_64>;
  const Stream first{1, 5, 0}, second{1, 6, 0};
  Twister of_first = Twister::of_stream(first);
  impl::HostStreams streams;
  const auto expect_next = [](impl::HostStreams& own, const Stream& stream, std::uint64_t draw, Twister& expected) {
    std::uint64_t bits[4];
    own.draw(Engine::boost_mt19937_64, stream, draw, 4, bits);
    for (const std::uint64_t value : bits) EXPECT_EQ(value, expected.next_draw());
  };
  expect_next(streams, first, 0, of_first);
  for (int turn = 1; turn < 3; ++turn) {
    impl::HostStreams others;
    Twister of_second = Twister::of_stream(second);
    expect_next(others, second, 0, of_second);
    expect_next(streams, first, static_cast<std::uint64_t>(4 * turn), of_first);
    expect_next(others, second, 4, of_second);
  }
}

static_assert(!BoostGenerator<boost::random::lagged_fibonacci607>, "control: it returns numbers in floating point");
static_assert(!BoostGenerator<int>, "control");

// Checks the draws of neighbouring streams, by their upper bits and by their lower bits.
template <class Generator>
void expect_uniform_draws(const char* name) {
  static_assert(std::is_trivially_copyable_v<BoostEngine<Generator>> && SequentialEngine<BoostEngine<Generator>>);
  for (const int shift : {0, 32}) {
    std::uint64_t replication = 0;
    const auto cell_of = [&](auto&) {
      const auto draw = BoostEngine<Generator>::of_stream({1, replication++, 0}).next_draw();
      return cell_at(open_uniform(draw << shift));
    };
    EXPECT_GT(p_of_cells(0, cell_of), error_probability) << name << ", " << shift;
  }
}

// The words of these generators have 31 to 64 random bits, or ranges that are not a power of 2.
TEST(BoostEngine, TakesEveryGeneratorOfWholeNumbers) {
  expect_uniform_draws<boost::random::mt19937_64>("mt19937_64");
  expect_uniform_draws<boost::random::mt11213b>("mt11213b");
  expect_uniform_draws<boost::random::taus88>("taus88");
  expect_uniform_draws<boost::random::ranlux24>("ranlux24");
  expect_uniform_draws<boost::random::rand48>("rand48");
  expect_uniform_draws<boost::random::minstd_rand>("minstd_rand");
  expect_uniform_draws<boost::random::ecuyer1988>("ecuyer1988");
  expect_uniform_draws<boost::random::kreutzer1986>("kreutzer1986");
  expect_uniform_draws<boost::random::knuth_b>("knuth_b");
  expect_uniform_draws<boost::random::hellekalek1995>("hellekalek1995");
}

}  // namespace generators_tests
