// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In each lane, results of packs have the bits of doubles, and results of duals over packs have those of duals.
#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/math/bits.hpp>
#include <sporos/core/math/lane_sums.hpp>
#include <sporos/core/math/pack.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

namespace sporos::test {
namespace packs_tests {

using math::impl::from_bits;
using math::impl::to_bits;
using Lanes = std::array<double, Pack::lanes>;
using PlainDual = Dual<2>;
using PackDual = Dual<2, Pack>;

Lanes lanes_of(const Pack& x) {
  Lanes lanes;
  x.store(lanes.data());
  return lanes;
}

// Values at the ends of the ranges of the functions in core/math, followed by numbers of all magnitudes and signs.
std::vector<Lanes> all_lanes() {
  constexpr double infinite = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  std::vector<Lanes> all = {{0.0, -0.0, 1.0, -1.0, infinite, -infinite, none, 0x1p-1074},
                            {0.5, 1.5, 1.0, 1.0, 2.0, 0.25, 0x1p-1022, 1e300},
                            {40.0, 39.9, -40.1, 709.0, 710.0, -745.0, 0x1p-1023, -0x1p-60}};
  for (std::uint64_t i = 0; i < 300; ++i) {
    Lanes lanes;
    for (std::uint64_t lane = 0; lane < lanes.size(); ++lane) {
      const std::uint64_t bits = mix_bits(8 * i + lane + 1);
      lanes[lane] = i % 3 == 0 ? open_uniform(bits) : i % 3 == 1 ? 60.0 * open_uniform(bits) - 30.0 : from_bits(bits);
    }
    all.push_back(lanes);
  }
  return all;
}

// Checks that f of the packs `x` and `y` has in each lane the bits of f of their lanes.
template <class F>
void expect_same(const char* name, const F& f, const Lanes& x, const Lanes& y) {
  const Lanes found = lanes_of(f(Pack::load(x.data()), Pack::load(y.data())));
  for (std::size_t lane = 0; lane < x.size(); ++lane) {
    const double expected = f(x[lane], y[lane]);
    // A sum of two NaNs is one of them. Which one depends on the order of the terms, which the compiler chooses.
    if (expected != expected && found[lane] != found[lane]) continue;
    EXPECT_EQ(to_bits(found[lane]), to_bits(expected)) << name << " of " << x[lane] << ", " << y[lane];
  }
}

template <class F>
void expect_same_everywhere(const char* name, const F& f) {
  const auto all = all_lanes();
  for (std::size_t i = 0; i < all.size(); ++i) expect_same(name, f, all[i], all[(i + 1) % all.size()]);
}

#define EXPECT_SAME_IN_LANES(expression) \
  expect_same_everywhere(#expression, [](const auto& x, [[maybe_unused]] const auto& y) { return expression; })

TEST(Packs, HaveInEachLaneTheBitsOfDoubles) {
  EXPECT_SAME_IN_LANES(x + y);
  EXPECT_SAME_IN_LANES(x - y);
  EXPECT_SAME_IN_LANES(x * y);
  EXPECT_SAME_IN_LANES(x / y);
  EXPECT_SAME_IN_LANES(-x);
  EXPECT_SAME_IN_LANES(2.0 * x + -0.0);
  EXPECT_SAME_IN_LANES(1 - x / 3);
  EXPECT_SAME_IN_LANES(math::sqrt(x));
  EXPECT_SAME_IN_LANES(math::abs(x));
  EXPECT_SAME_IN_LANES(math::exp(x));
  EXPECT_SAME_IN_LANES(math::expm1(x));
  EXPECT_SAME_IN_LANES(math::log(x));
  EXPECT_SAME_IN_LANES(math::log1p(x));
  EXPECT_SAME_IN_LANES(math::sin(x));
  EXPECT_SAME_IN_LANES(math::cos(x));
  EXPECT_SAME_IN_LANES(math::pow(x, 1.7));
  EXPECT_SAME_IN_LANES(math::normal_cdf(x));
  EXPECT_SAME_IN_LANES(math::normal_quantile(x));
  EXPECT_SAME_IN_LANES(math::min(x, y));
  EXPECT_SAME_IN_LANES(math::max(x, y));
  EXPECT_SAME_IN_LANES(math::max(x, -0.0));
}

TEST(Packs, AreComparedLaneByLane) {
  EXPECT_SAME_IN_LANES(math::select(x < y, 1.0, y));
  EXPECT_SAME_IN_LANES(math::select(x <= y, 1.0, y));
  EXPECT_SAME_IN_LANES(math::select(x > 0.0, x, 2.0));
  EXPECT_SAME_IN_LANES(math::select(x >= y, x, y));
  EXPECT_SAME_IN_LANES(math::select(x == y, 1.0, 0.0));
  EXPECT_SAME_IN_LANES(math::select(x != x, 1.0, 0.0));
  EXPECT_SAME_IN_LANES(math::select((x < y) & (x > 0.0), x, y));
  EXPECT_SAME_IN_LANES(math::select((x < y) | (x > 0.0), x, y));
  EXPECT_SAME_IN_LANES(math::select(!(x < y), x, y));
  EXPECT_SAME_IN_LANES(math::indicator(x < y));
  EXPECT_SAME_IN_LANES(math::indicator(!(x < y)) - 2.0 * math::indicator((x > 0.0) & (x == x)));
}

TEST(Packs, TellWhetherAConditionHoldsInAnyLane) {
  const Lanes lanes = {1, 2, 3, 4, 5, 6, 7, 8};
  const Pack x = Pack::load(lanes.data());
  EXPECT_TRUE(math::any(x < 1.5));
  EXPECT_TRUE(math::any(x > 7.5));
  EXPECT_FALSE(math::any(x > 8.0));
  EXPECT_TRUE(math::any(2.0 > 1.0));
  EXPECT_FALSE(math::any(2.0 < 1.0));
}

TEST(Packs, StoreAsManyLanesAsAreWanted) {
  const Lanes lanes = {1, 2, 3, 4, 5, 6, 7, 8};
  Lanes some = {};
  Pack::load(lanes.data()).store(some.data(), 3);
  EXPECT_EQ(some, (Lanes{1, 2, 3}));
}

// Control: some sums from the first to the last lane are others.
TEST(Packs, LanesAddUpInTheOrderOfOnePack) {
  const auto all = all_lanes();
  int others = 0;
  for (std::size_t first = 0; first + 4 <= all.size(); ++first) {
    Pack packs[4];
    for (std::size_t k = 0; k < 4; ++k) packs[k] = Pack::load(all[first + k].data());
    double sums[4];
    sporos::impl::sums_of_lanes(packs, sums);
    for (std::size_t k = 0; k < 4; ++k) {
      const Lanes& x = all[first + k];
      const double sum = ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
      if (sum != sum && sums[k] != sums[k]) continue;  // not a number
      EXPECT_EQ(to_bits(sums[k]), to_bits(sum)) << "lanes " << first + k;
      EXPECT_EQ(to_bits(sporos::impl::sum_of_lanes(x.data())), to_bits(sum)) << "lanes " << first + k;
      others += std::accumulate(x.begin(), x.end(), 0.0) != sum;
    }
  }
  EXPECT_GT(others, 100);
}

// Control: exchanging two neighbouring lanes changes the result.
TEST(Packs, DifferWhereLanesAreExchanged) {
  const Lanes lanes = {1, 2, 3, 4, 5, 6, 7, 8}, exchanged = {2, 1, 3, 4, 5, 6, 7, 8};
  EXPECT_NE(lanes_of(math::log(Pack::load(lanes.data()))), lanes_of(math::log(Pack::load(exchanged.data()))));
}

// Checks the value and the slopes of f of duals over packs against f of duals.
template <class F>
void expect_same_duals(const char* name, const F& f) {
  const auto all = all_lanes();
  for (std::size_t i = 3; i + 3 < all.size(); i += 3) {  // uniforms, moderate numbers and any bit patterns
    const Lanes &x = all[i], &y = all[i + 1], &slope = all[(i + 3) % all.size()];
    const PackDual pack_x(Pack::load(x.data()), {{Pack::load(slope.data()), 1.0}});
    const PackDual pack_y(Pack::load(y.data()), {{0.0, Pack::load(slope.data())}});
    const PackDual found = f(pack_x, pack_y, Pack::load(y.data()), PlainDual(0.75, {{2.0, -3.0}}));
    for (std::size_t lane = 0; lane < x.size(); ++lane) {
      const PlainDual expected = f(PlainDual(x[lane], {{slope[lane], 1.0}}), PlainDual(y[lane], {{0.0, slope[lane]}}),
                                   y[lane], PlainDual(0.75, {{2.0, -3.0}}));
      EXPECT_EQ(to_bits(lanes_of(found.value)[lane]), to_bits(expected.value)) << name << " of " << x[lane];
      for (int j = 0; j < 2; ++j) {
        EXPECT_EQ(to_bits(lanes_of(found.slope[j])[lane]), to_bits(expected.slope[j])) << name << " of " << x[lane];
      }
    }
  }
}

// x and y are duals over packs, k is a constant pack, and p is a dual that is the same in every lane.
#define EXPECT_SAME_DUALS(expression)                                                                                  \
  expect_same_duals(#expression,                                                                                       \
                    []([[maybe_unused]] const auto& x, [[maybe_unused]] const auto& y, [[maybe_unused]] const auto& k, \
                       [[maybe_unused]] const auto& p) { return expression; })

TEST(PackDuals, HaveInEachLaneTheBitsOfDuals) {
  EXPECT_SAME_DUALS(x + y);
  EXPECT_SAME_DUALS(x - y * 2.0);
  EXPECT_SAME_DUALS(x * y);
  EXPECT_SAME_DUALS(x / y);
  EXPECT_SAME_DUALS(3.0 / x - 1.0);
  EXPECT_SAME_DUALS(x * p + p / x - (p - x));
  EXPECT_SAME_DUALS((x + k) * (k - x) / k);
  EXPECT_SAME_DUALS(k / x + x - k);
  EXPECT_SAME_DUALS(p * k + x);
  EXPECT_SAME_DUALS((k + p) / (p + k) - k * p);
  EXPECT_SAME_DUALS(k / p + p / k + x);
  EXPECT_SAME_DUALS((k - p) * (p - k) + x);
  EXPECT_SAME_DUALS(math::exp(x));
  EXPECT_SAME_DUALS(math::expm1(-x));
  EXPECT_SAME_DUALS(math::log(math::abs(x)));
  EXPECT_SAME_DUALS(math::sqrt(math::abs(x)));
  EXPECT_SAME_DUALS(math::sin(x) + math::cos(y));
  EXPECT_SAME_DUALS(math::min(x, y) + math::max(x, p));
  EXPECT_SAME_DUALS(math::max(x, k));
  EXPECT_SAME_DUALS(math::select(x < p, y, 1.0));
  EXPECT_SAME_DUALS(math::select((x > 0.5) | (y >= x), p, x));
}

TEST(PackDuals, AreWhatPacksAndDualsGive) {
  EXPECT_TRUE((std::is_same_v<NumberOf<double, Pack>, Pack>));
  EXPECT_TRUE((std::is_same_v<NumberOf<Pack, PlainDual>, PackDual>));
  EXPECT_TRUE((std::is_same_v<NumberOf<PlainDual, double, PackDual>, PackDual>));
  EXPECT_TRUE((std::is_same_v<NumberOf<PlainDual, double>, PlainDual>));
}

}  // namespace packs_tests
}  // namespace sporos::test
