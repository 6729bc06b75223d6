// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/sample_groups.hpp>

#include <algorithm>

namespace sporos::impl {

std::vector<SampleGroup> sample_groups(std::span<const Sample> samples,
                                       const std::function<bool(const Sample&)>& makes_model) {
  std::vector<SampleGroup> groups;  // few: each is a launch
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    if (!makes_model(sample)) continue;
    const Derivatives derivatives = derivatives_of(sample);
    const auto group = std::ranges::find_if(groups, [&](const SampleGroup& other) {
      const Sample& first = samples[other.samples.front()];
      return derivatives == other.derivatives && sample.first == first.first && sample.count == first.count;
    });
    (group == groups.end() ? groups.emplace_back(SampleGroup{derivatives, {}}) : *group).samples.push_back(i);
  }
  return groups;
}

}  // namespace sporos::impl
