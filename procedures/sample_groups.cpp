// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/sample_groups.hpp>

#include <algorithm>

namespace sporos::impl {

namespace {

// Length of the row of samples with which `samples` begins.
std::size_t row_at(std::span<const Sample> samples) {
  const Sample& first = samples.front();
  if (samples.size() == 1 || derivatives_of(first) != Derivatives::none) return 1;
  const std::int64_t stride = samples[1].first - first.first;
  const auto continues = [&](std::size_t i) {
    const Sample& sample = samples[i];
    return sample.count == first.count && sample.seed == first.seed && sample.x == first.x &&
           derivatives_of(sample) == Derivatives::none && sample.has_values == first.has_values &&
           sample.first == first.first + static_cast<std::int64_t>(i) * stride;
  };
  std::size_t row = 1;
  while (row < samples.size() && continues(row)) ++row;
  return row;
}

}  // namespace

std::vector<SampleGroup> sample_groups(std::span<const Sample> samples,
                                       const std::function<bool(const Sample&)>& makes_model) {
  std::vector<SampleGroup> groups;  // few: each is a launch
  std::size_t row = 1;
  for (std::size_t i = 0; i < samples.size(); i += row) {
    const Sample& sample = samples[i];
    row = row_at(samples.subspan(i));
    if (!makes_model(sample)) continue;
    const Derivatives derivatives = derivatives_of(sample);
    const std::int64_t stride = row == 1 ? 1 : samples[i + 1].first - sample.first;
    const auto group = std::ranges::find_if(groups, [&](const SampleGroup& other) {
      const Sample& first = samples[other.samples.front()];
      return derivatives == other.derivatives && sample.first == first.first && sample.count == first.count &&
             row == other.row && stride == other.stride;
    });
    (group == groups.end() ? groups.emplace_back(SampleGroup{derivatives, row, stride, {}}) : *group)
        .samples.push_back(i);
  }
  return groups;
}

}  // namespace sporos::impl
