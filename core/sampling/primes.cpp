// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/sampling/primes.hpp>

#include <stdexcept>
#include <string>

namespace sporos {

namespace {

bool has_odd_prime(const PrimeRange& range) {
  for (std::uint32_t x = impl::first_candidate(range); x <= range.largest; x += 2) {
    if (is_prime(x)) return true;
  }
  return false;
}

}  // namespace

void check_prime_range(std::string_view name, const PrimeRange& range) {
  constexpr std::uint32_t limit = std::uint32_t{1} << 31;
  if (range.largest < limit && has_odd_prime(range)) return;
  throw std::invalid_argument(std::string(name) + " is " + std::to_string(range.smallest) + " to " +
                              std::to_string(range.largest) +
                              ", expected a range that contains an odd prime and ends below " + std::to_string(limit));
}

std::vector<std::uint32_t> odd_primes(const PrimeRange& range) {
  std::vector<std::uint32_t> primes;
  std::vector<bool> composite(range.largest / 2 + 1);  // composite[i]: whether 2 i + 1 is composite
  for (std::uint64_t x = 3; x <= range.largest; x += 2) {
    if (composite[x / 2]) continue;
    if (x >= range.smallest) primes.push_back(static_cast<std::uint32_t>(x));
    for (std::uint64_t multiple = x * x; multiple <= range.largest; multiple += 2 * x) composite[multiple / 2] = true;
  }
  return primes;
}

}  // namespace sporos
