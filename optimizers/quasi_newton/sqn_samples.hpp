// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random/sample_range.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Which replications a run of sqn uses for what: by counter, so that a run that goes on after a stop draws what it
/// would have drawn, and no two uses share random numbers.
namespace sporos {

/// The sample of the gradient of iteration k, from 1.
KOKKOS_INLINE_FUNCTION SampleRange gradient_sample(const SqnOptions& options, std::int64_t k) {
  const auto size = static_cast<std::uint64_t>(options.batch_size);
  return {options.seed, static_cast<std::uint64_t>(k - 1) * size, options.batch_size};
}

/// The sample of the Hessian of correction pair t, from 1: other random numbers than those of the gradients.
KOKKOS_INLINE_FUNCTION SampleRange hessian_sample(const SqnOptions& options, std::int64_t t) {
  constexpr std::uint64_t salt = 0x6865737369616e00u;  // "hessian": far from the indices of design points
  const auto size = static_cast<std::uint64_t>(options.hessian_batch_size);
  return {design_point_seed(options.seed, salt), static_cast<std::uint64_t>(t - 1) * size, options.hessian_batch_size};
}

/// The sample on which the trajectory is evaluated where it is not that of the next iteration: others again.
inline SampleRange evaluation_sample(const SqnOptions& options) {
  constexpr std::uint64_t salt = 0x6576616c75617465u;  // "evaluate"
  return {design_point_seed(options.seed, salt), 0, options.evaluation_size};
}

}  // namespace sporos
