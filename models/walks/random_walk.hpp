// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/math/pack_functions.hpp>
#include <sporos/core/math/python_numbers.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/replication_length.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sporos::models {

/// Random walk of Passerat-Palmbach et al. (2011), Warp-level parallelism: enabling multiple replications in parallel
/// on GPU, section 5.1. A walker starts in the middle of a board and moves to one of the four neighbouring cells at
/// each step. When it leaves the board, it re-enters on the opposite side. The board is divided into 30 chunks, five
/// rows of six.
struct RandomWalk {
  static constexpr std::string_view name = "random-walk";  ///< name on the command line
  static constexpr std::string_view title = "random walk on a board divided into 30 chunks";  ///< title in lists

  std::int64_t steps;       ///< number of steps of the walker; a replication has one walker
  std::int64_t chunk_side;  ///< number of cells along the side of a chunk

  static constexpr std::int64_t chunk_rows = 5;     ///< chunks from top to bottom
  static constexpr std::int64_t chunk_columns = 6;  ///< chunks from left to right
  static constexpr int chunk_count = 30;            ///< number of chunks, which are numbered row by row

  /// The only input variable, with one draw per step.
  enum Input { direction, input_count };

  static constexpr bool warps_on_hosts = true;  ///< Serial and OpenMP compile a kernel for Mapping::warp

  /// Indicators: 1 for the chunk in which the walk ends, 0 for all others. A mean is the fraction of walkers in a
  /// chunk; times the replications it is their number.
  static constexpr std::array<std::string_view, chunk_count> response_names = {
      "chunk 1",  "chunk 2",  "chunk 3",  "chunk 4",  "chunk 5",  "chunk 6",  "chunk 7",  "chunk 8",
      "chunk 9",  "chunk 10", "chunk 11", "chunk 12", "chunk 13", "chunk 14", "chunk 15", "chunk 16",
      "chunk 17", "chunk 18", "chunk 19", "chunk 20", "chunk 21", "chunk 22", "chunk 23", "chunk 24",
      "chunk 25", "chunk 26", "chunk 27", "chunk 28", "chunk 29", "chunk 30"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    return std::tuple{
        Parameter<RandomWalk, std::int64_t>{"steps", &RandomWalk::steps, 1000, "", "number of steps", check_steps},
        Parameter<RandomWalk, std::int64_t>{"chunk_side", &RandomWalk::chunk_side, 10, "cells", "side of a chunk",
                                            check_positive_integer}};
  }

  /// Throws std::invalid_argument if a parameter is out of range.
  void check() const {
    check_parameters(*this);
    constexpr std::int64_t largest = 1'000'000'000;
    if (chunk_side > largest) {
      throw std::invalid_argument("chunk_side is " + std::to_string(chunk_side) + ", expected at most " +
                                  std::to_string(largest));
    }
  }

  /// Returns the probability of ending in each chunk, computed by propagating the distribution through the steps.
  /// Returns nothing if that would take more than a second (steps times cells over 10^8).
  ExactMeans<RandomWalk> exact_means() const;

  /// Range of a response: each is an event.
  ResponseRange response_range(int) const { return ResponseRange::event(); }

  /// Number of draws: one per step.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{steps}}}; }

  /// Replications can run in SIMD lanes.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs>, chunk_count> operator()(Inputs& inputs) const;
};

template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs>, RandomWalk::chunk_count> RandomWalk::operator()(Inputs& inputs) const {
  using Number = NumberIn<Inputs>;
  // Whole numbers; in SIMD lanes doubles, which represent them exactly.
  using Count = std::conditional_t<std::is_same_v<Number, double>, std::int64_t, Number>;
  // Quarters of the uniform select up, down, left and right. The loop only counts, without branches, because these
  // would be unpredictable. Where the walker re-enters follows from the number of steps in each direction.
  Count above_first = 0, above_second = 0, above_third = 0;
  for (std::int64_t step = 0; step < steps; ++step) {
    const Number u = inputs(direction);
    above_first += math::indicator<Count>(u >= 0.25);
    above_second += math::indicator<Count>(u >= 0.5);
    above_third += math::indicator<Count>(u >= 0.75);
  }
  const Count up = steps - above_first, down = above_first - above_second;
  const Count left = above_second - above_third, right = above_third;
  const std::int64_t height = chunk_rows * chunk_side, width = chunk_columns * chunk_side;
  const Number row = math::modulo(Number(height / 2 + down - up), static_cast<double>(height));
  const Number column = math::modulo(Number(width / 2 + right - left), static_cast<double>(width));
  Kokkos::Array<Number, chunk_count> ends;
  for (int i = 0; i < chunk_count; ++i) {
    const std::int64_t top = i / chunk_columns * chunk_side, first = i % chunk_columns * chunk_side;
    const auto is_in_row = (row >= top) & (row < top + chunk_side);
    const auto is_in_column = (column >= first) & (column < first + chunk_side);
    ends[i] = math::indicator<Number>(is_in_row & is_in_column);
  }
  return ends;
}

inline ExactMeans<RandomWalk> RandomWalk::exact_means() const {
  const std::int64_t height = chunk_rows * chunk_side, width = chunk_columns * chunk_side;
  if (chunk_side > 10'000 || height * width > 100'000'000 / steps) return {};
  const auto cell = [&](std::int64_t row, std::int64_t column) {
    return static_cast<std::size_t>((row + height) % height * width + (column + width) % width);
  };
  std::vector<double> share(static_cast<std::size_t>(height * width), 0.0), next(share.size());
  share[cell(height / 2, width / 2)] = 1;
  for (std::int64_t step = 0; step < steps; ++step) {
    for (std::int64_t row = 0; row < height; ++row) {
      for (std::int64_t column = 0; column < width; ++column) {
        next[cell(row, column)] = 0.25 * (share[cell(row - 1, column)] + share[cell(row + 1, column)] +
                                          share[cell(row, column - 1)] + share[cell(row, column + 1)]);
      }
    }
    share.swap(next);
  }
  std::array<double, chunk_count> chunks = {};
  for (std::int64_t row = 0; row < height; ++row) {
    for (std::int64_t column = 0; column < width; ++column) {
      chunks[static_cast<std::size_t>(row / chunk_side * chunk_columns + column / chunk_side)] +=
          share[cell(row, column)];
    }
  }
  ExactMeans<RandomWalk> means;
  std::copy(chunks.begin(), chunks.end(), means.begin());
  return means;
}

}  // namespace sporos::models
