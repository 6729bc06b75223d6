// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace sporos::impl {

/// Derivatives that a sample requires.
enum class Derivatives { none, gradients, curvatures };

inline Derivatives derivatives_of(const Sample& sample) {
  if (!sample.direction.empty()) return Derivatives::curvatures;
  return sample.has_gradient ? Derivatives::gradients : Derivatives::none;
}

/// Samples that run in one launch: they have the same replications and the same derivatives.
struct SampleGroup {
  Derivatives derivatives;
  std::vector<std::size_t> samples;  // indices of the samples
};

/// Groups the samples whose decisions make a valid model, and leaves out the others.
std::vector<SampleGroup> sample_groups(std::span<const Sample> samples,
                                       const std::function<bool(const Sample&)>& makes_model);

}  // namespace sporos::impl
