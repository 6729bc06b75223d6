// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/sample_range.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Replications for each purpose of a run of sqn. They are indexed by counters, so that a resumed run draws the same
/// samples as an uninterrupted one, and no two purposes share random numbers.
namespace sporos {

/// Sample of the gradient of iteration k, from 1.
KOKKOS_INLINE_FUNCTION SampleRange gradient_sample(const SqnOptions& options, std::int64_t k) {
  const auto size = static_cast<std::uint64_t>(options.batch_size);
  return {options.seed, static_cast<std::uint64_t>(k - 1) * size, options.batch_size};
}

/// Sample of the Hessian of correction pair t, from 1; its random numbers differ from those of the gradients.
KOKKOS_INLINE_FUNCTION SampleRange hessian_sample(const SqnOptions& options, std::int64_t t) {
  constexpr std::uint64_t salt = 0x6865737369616e00u;  // "hessian": far from the indices of design points
  const auto size = static_cast<std::uint64_t>(options.hessian_batch_size);
  return {design_point_seed(options.seed, salt), static_cast<std::uint64_t>(t - 1) * size, options.hessian_batch_size};
}

/// Sample on which the trajectory is evaluated, unless that is the next iteration's; it has separate random numbers.
inline SampleRange evaluation_sample(const SqnOptions& options) {
  constexpr std::uint64_t salt = 0x6576616c75617465u;  // "evaluate"
  return {design_point_seed(options.seed, salt), 0, options.evaluation_size};
}

}  // namespace sporos
