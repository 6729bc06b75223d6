// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/sampling/halton_bases.hpp>

#include <boost/math/special_functions/prime.hpp>

namespace sporos {

static_assert(max_halton_dimensions == boost::math::max_prime + 1);

std::vector<std::uint32_t> halton_bases(std::int64_t dimensions) {
  std::vector<std::uint32_t> bases;
  for (std::int64_t d = 0; d < dimensions; ++d) bases.push_back(boost::math::prime(static_cast<unsigned>(d)));
  return bases;
}

}  // namespace sporos
