// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/sampling/faure_table.hpp>

#include <boost/math/special_functions/prime.hpp>

#include <cstddef>

namespace sporos {

namespace {

std::uint32_t min_prime_from(std::int64_t least) {
  unsigned place = 0;
  while (boost::math::prime(place) < least) ++place;
  return boost::math::prime(place);
}

std::size_t digits_of(std::uint32_t base) {
  std::size_t digits = 0;
  for (std::uint64_t scale = 1; scale >> 32 == 0; scale *= base) ++digits;
  return digits;
}

}  // namespace

std::vector<std::uint32_t> faure_table(std::int64_t dimensions) {
  if (dimensions == 0) return {};
  const std::uint32_t base = min_prime_from(dimensions);
  const std::size_t digits = digits_of(base), head = 2;
  std::vector<std::uint32_t> table(head + digits * digits, 0);
  table[0] = base;
  table[1] = static_cast<std::uint32_t>(digits);
  const auto binomial = [&](std::size_t r, std::size_t c) -> std::uint32_t& { return table[head + r * digits + c]; };
  for (std::size_t c = 0; c < digits; ++c) {
    binomial(0, c) = 1;
    for (std::size_t r = 1; r <= c; ++r) binomial(r, c) = (binomial(r, c - 1) + binomial(r - 1, c - 1)) % base;
  }
  return table;
}

}  // namespace sporos
