// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/sampling/keyed_permutation.hpp>
#include <sporos/models/mixtures/drawn_samples.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>
#include <sporos/models/mixtures/observations.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

/// Artificial replacement for the sample of Cheng (2014), Massively parallel programming in statistical optimization &
/// simulation, section 3.3, which is not public: standardized losses given default of 7051 borrowers. They form five
/// groups, of which one is small and has very similar values.
namespace sporos::models {

/// Number of observations in the paper's sample.
inline constexpr std::int64_t paper_losses_size = 7051;

/// Mixture that generates the losses, with mean 0 and variance 1.004. The second component is the tight group.
inline NormalMixture loss_given_default_mixture() {
  return {{0.35, -0.98, 0.22}, {0.08, -0.325, 0.015}, {0.25, -0.10, 0.42}, {0.20, 0.92, 0.28}, {0.12, 1.75, 0.60}};
}

/// `count` losses, rounded to four decimals so that there are ties. Loss i depends only on (`seed`, i) and is bitwise
/// identical on every machine. Throws std::invalid_argument for fewer than one.
inline std::vector<double> invented_losses(std::int64_t count, std::uint64_t seed) {
  check_positive_integer("number of losses", count);
  const NormalMixture mixture = loss_given_default_mixture();
  const std::vector<double> parameters = parameters_of(mixture);
  std::vector<double> losses;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto words = Philox4x32::block({seed, static_cast<std::uint64_t>(i), 0}, 0);
    const double value = impl::drawn_value(parameters.data(), static_cast<std::int32_t>(mixture.size()),
                                           open_uniform(words[0]), open_uniform(words[1]));
    losses.push_back(std::nearbyint(value * 1e4) / 1e4 + 0.0);  // no −0
  }
  return losses;
}

/// Samples of Table 1 of Cheng (2014), made from any 7051 observations. A `size` below 7051 selects a random subset by
/// `seed`, in random order; smaller subsets are part of larger ones. A multiple of 7051 repeats all observations in
/// their order. Throws std::invalid_argument for another size or another number of observations.
inline Observations table_1_sample(const std::vector<double>& observations, std::int64_t size, std::uint64_t seed) {
  if (static_cast<std::int64_t>(observations.size()) != paper_losses_size) {
    sporos::impl::refuse_parameter("number of observations", std::to_string(observations.size()), "7051");
  }
  const bool is_part = size >= 1 && size < paper_losses_size, is_multiple = size >= 1 && size % paper_losses_size == 0;
  if (!is_part && !is_multiple) {
    sporos::impl::refuse_parameter("sample size", std::to_string(size),
                                   "a number from 1 to 7051, or a multiple of 7051");
  }
  const KeyedPermutation order(static_cast<std::uint32_t>(paper_losses_size), seed);
  Observations sample;
  for (std::int64_t i = 0; i < size; ++i) {
    const auto place = static_cast<std::uint32_t>(i % paper_losses_size);
    sample.values.push_back(observations[is_part ? order(place) : place]);
  }
  return sample;
}

}  // namespace sporos::models
