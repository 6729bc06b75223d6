// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/sample_groups.hpp>

#include <cstdint>
#include <map>
#include <tuple>

namespace sporos::impl {

std::vector<SampleGroup> sample_groups(std::span<const Sample> samples,
                                       const std::function<bool(const Sample&)>& makes_model) {
  std::map<std::tuple<Derivatives, std::int64_t, std::int64_t>, std::vector<std::size_t>> by_launch;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (makes_model(samples[i])) {
      by_launch[{derivatives_of(samples[i]), samples[i].first, samples[i].count}].push_back(i);
    }
  }
  std::vector<SampleGroup> groups;
  for (const auto& [launch, places] : by_launch) groups.push_back({std::get<0>(launch), places});
  return groups;
}

}  // namespace sporos::impl
