// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/response_properties.hpp>

#include <algorithm>

namespace sporos {

RatioOfMeans estimator_of(int response, std::span<const RatioOfMeans> ratios) {
  for (const RatioOfMeans& ratio : ratios) {
    if (ratio.response == response) return ratio;
  }
  return {response, {0, {{response, 1}}}, {1, {}}};
}

namespace impl {

std::vector<int> responses_of(const RatioOfMeans& ratio) {
  std::vector<int> responses;
  for (const LinearForm* form : {&ratio.numerator, &ratio.denominator}) {
    for (const auto& term : form->terms) responses.push_back(term.response);
  }
  std::sort(responses.begin(), responses.end());
  responses.erase(std::unique(responses.begin(), responses.end()), responses.end());
  return responses;
}

}  // namespace impl

}  // namespace sporos
