// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/random/drawn_index.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/models/classification/packed_features.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace sporos::models {

/// The sampled objective f̂ of a GeneralizedLinear over packed features, for the teams of a persistent kernel (see
/// PersistentTeamProblem). Each team owns some features and keeps its columns of the sample's rows in scratch memory.
/// Teams exchange margins. The intercept is an additional feature, which is always 1.
template <class Loss>
struct LinearInTeams {
  PackedHandle features;   ///< features of all rows
  const double* labels;    ///< labels of all rows
  std::int64_t rows;       ///< N, the number of rows
  std::int64_t dimension;  ///< n, plus one if there is an intercept
  double penalty;          ///< λ, the penalty

  /// Number of values that teams exchange at once, for samples of `size` rows.
  static std::int64_t exchanged(std::int64_t size) { return 2 * size; }
  /// Size of scratch memory, in numbers, for a team that owns `share` coordinates, a multiple of 64.
  static std::int64_t scratch(std::int64_t size, std::int64_t share) { return size * (1 + share / 64); }

  /// Sets g = ∇f̂(x).
  template <class Team>
  KOKKOS_FUNCTION void gradient(Team& team, const SampleRange& sample, const double* x, double* g,
                                double* scratch) const {
    const Rows own = fetch(team, sample, scratch);
    double* const factors = team.numbers();
    team.sum_own(own.count, [&](std::int64_t i, std::int64_t j) { return own.has(i, j) ? x[j] : 0.0; });
    team.all_reduce(own.count);
    team.for_each(own.count, [&](std::int64_t i) { factors[i] = Loss::derivative(factors[i], own.labels[i]); });
    add_rows_up(team, own, x, g);
  }

  /// Sets out = ∇²f̂(x) v.
  template <class Team>
  KOKKOS_FUNCTION void hessian_product(Team& team, const SampleRange& sample, const double* x, const double* v,
                                       double* out, double* scratch) const {
    const Rows own = fetch(team, sample, scratch);
    double* const factors = team.numbers();
    team.sum_own(2 * own.count, [&](std::int64_t c, std::int64_t j) {
      const bool is_change = c >= own.count;
      return own.has(is_change ? c - own.count : c, j) ? (is_change ? v : x)[j] : 0.0;
    });
    team.all_reduce(2 * own.count);
    team.for_each(own.count, [&](std::int64_t i) {
      factors[i] = Loss::curvature(factors[i], own.labels[i]) * factors[own.count + i];
    });
    add_rows_up(team, own, v, out);
  }

 private:
  // The team's columns of the rows of a sample.
  struct Rows {
    const double* labels;
    const std::uint64_t* words;
    std::int64_t count, begin;
    std::uint32_t words_of_row;

    KOKKOS_FORCEINLINE_FUNCTION bool has(std::int64_t i, std::int64_t j) const {
      const auto k = static_cast<std::uint32_t>(j - begin);
      const std::uint32_t word = static_cast<std::uint32_t>(i) * words_of_row + k / 64;
      return (words[word] >> (k % 64) & 1) != 0;
    }
  };

  template <class Team>
  KOKKOS_FUNCTION Rows fetch(const Team& team, const SampleRange& sample, double* scratch) const {
    double* const of_labels = scratch;
    auto* const words = reinterpret_cast<std::uint64_t*>(scratch + sample.size);
    const std::int64_t width = (team.count() + 63) / 64, begin = team.begin();
    team.for_each(sample.size * width, [&](std::int64_t item) {
      const auto i = static_cast<std::uint32_t>(item) / static_cast<std::uint32_t>(width);
      const std::int64_t k = item - i * width, word = begin / 64 + k;
      const std::int64_t row = drawn_index(sample.seed, sample.first + i, static_cast<std::uint64_t>(rows));
      std::uint64_t bits = word < features.words_of_row ? features.words[row * features.words_of_row + word] : 0;
      if (features.columns < dimension && word == features.columns / 64) {
        bits |= std::uint64_t{1} << (features.columns % 64);
      }
      words[item] = bits;
      if (k == 0) of_labels[i] = labels[row];
    });
    return {of_labels, words, sample.size, begin, static_cast<std::uint32_t>(width)};
  }

  // Sets `out` to the mean of the rows times the team's numbers, plus the contribution of the penalty.
  template <class Team>
  KOKKOS_FUNCTION void add_rows_up(const Team& team, const Rows& own, const double* penalized, double* out) const {
    const double* const factors = team.numbers();
    const double scale = 1.0 / static_cast<double>(own.count);
    team.sum_terms(
        own.count, [&](std::int64_t i, std::int64_t j) { return own.has(i, j) ? factors[i] : 0.0; },
        [&](std::int64_t j, double sum) {
          out[j] = scale * sum + (j < features.columns ? penalty * penalized[j] : 0.0);
        });
  }
};

}  // namespace sporos::models
