// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion of a struct over one number type to the same struct over another, which keeps the values of all members.
#include <sporos/core/derivatives/convert_members.hpp>
#include <sporos/core/derivatives/dual.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace sporos::test {
namespace convert_members_tests {

using impl::can_convert_members;
using impl::member_count;

template <class Real>
struct Pair {
  Real first;
  Real second[2];
};

template <class Real>
struct Everything {
  static constexpr int constant = 7;
  enum Input { a, b };

  Real number;
  const double* pointer;
  std::int64_t count = 3;
  Kokkos::Array<Real, 2> array;
  std::array<Pair<Real>, 2> pairs;
  double table[40];
  bool flag;
};

struct Empty {};
template <class Real>
struct PointsToReal {
  Real number;
  const Real* pointer;
};
template <class Real>
struct HasBase : Pair<Real> {};
template <class Real>
struct HasEmptyBase : Empty {
  Real number;
};
template <class Real>
struct Refers {
  Real number;
  const int& reference;
};
template <class Real>
class HasPrivate {
  Real m_number;
};

static_assert(member_count<Everything<double>>() == 7);
static_assert(member_count<Everything<Dual<3>>>() == 7);
static_assert(can_convert_members<Everything<double>, Everything<Dual<3, Dual<1>>>>());
static_assert(can_convert_members<Empty, Empty>());
static_assert(!can_convert_members<PointsToReal<double>, PointsToReal<Dual<1>>>());
static_assert(!can_convert_members<HasBase<double>, HasBase<Dual<1>>>());
static_assert(!can_convert_members<HasEmptyBase<double>, HasEmptyBase<Dual<1>>>());
static_assert(!can_convert_members<Refers<double>, Refers<Dual<1>>>());
static_assert(!can_convert_members<HasPrivate<double>, HasPrivate<Dual<1>>>());
static_assert(!can_convert_members<Pair<double>, Refers<Dual<1>>>());

TEST(ConvertMembers, KeepsAllValues) {
  const double pointed = 0;
  Everything<double> from{1, &pointed, 2, {{3, 4}}, {{{5, {6, 7}}, {8, {9, 10}}}}, {}, true};
  from.table[39] = 11;
  Everything<Dual<2>> to{};
  impl::convert_members(from, to);
  EXPECT_EQ(to.number.value, 1);
  EXPECT_EQ(to.number.slope[1], 0);
  EXPECT_EQ(to.pointer, &pointed);
  EXPECT_EQ(to.count, 2);
  EXPECT_EQ(to.array[1].value, 4);
  EXPECT_EQ(to.pairs[1].first.value, 8);
  EXPECT_EQ(to.pairs[1].second[1].value, 10);
  EXPECT_EQ(to.table[39], 11);
  EXPECT_TRUE(to.flag);
}

}  // namespace convert_members_tests
}  // namespace sporos::test
