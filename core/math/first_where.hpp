// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/device_code.hpp>

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace sporos::math {

/// The first index from `begin` to `end` − 1 for which `holds(index)` is true; `end` if there is none. On a host,
/// vector instructions test eight indices at a time, so that there are few branches that a processor cannot predict.
/// `holds` must therefore be cheap, and valid for all of these indices in any order.
template <class Condition>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t first_where(std::int64_t begin, std::int64_t end, const Condition& holds) {
  constexpr int block = sporos::impl::on_device() ? 1 : 8;
  for (; begin + block <= end; begin += block) {
    std::int64_t found = block;
    for (std::int64_t i = 0; i < block; ++i) {
      const std::int64_t place = holds(begin + i) ? i : block;
      found = place < found ? place : found;
    }
    if (found < block) return begin + found;
  }
  while (begin < end && !holds(begin)) ++begin;
  return begin;
}

}  // namespace sporos::math
