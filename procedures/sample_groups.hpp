// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/replication_range.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <cstdint>
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
///
/// A solver may request several samples in succession at a point, whose first replications are equally far apart. They
/// form a row. Samples of a group are rows of the same length.
struct SampleGroup {
  Derivatives derivatives;
  std::size_t row = 1;               // number of samples in a row
  std::int64_t stride = 1;           // distance between the first replications of two neighbours in a row
  std::vector<std::size_t> samples;  // index of the first sample of each row

  /// The replications of all samples of a row.
  ReplicationRange range(std::span<const Sample> all) const {
    const Sample& first = all[samples.front()];
    return {first.first, first.count * static_cast<std::int64_t>(row), row == 1 ? 1 : first.count, stride};
  }
};

/// Groups the samples whose decisions make a valid model, and leaves out the others. Only samples without derivatives
/// form rows of more than one.
std::vector<SampleGroup> sample_groups(std::span<const Sample> samples,
                                       const std::function<bool(const Sample&)>& makes_model);

}  // namespace sporos::impl
