// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random_blocks/model.hpp>
#include <sporos/core/random_blocks/options.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace sporos {

/// Bounds for the choice of BlockOptions.
struct BlockBounds {
  double memory = std::numeric_limits<double>::infinity();  ///< memory for the blocks of all consumers, in bytes
  int buffers = BlockOptions().buffers;                     ///< number of buffers of a consumer
  int producers = 0;                                        ///< number of producers; 0: as many as pay off
  std::int64_t max_lanes = BlockOptions().lanes;  ///< largest number of lanes, on which the random numbers depend
};

/// Returns the options for which the model predicts the smallest time (Lee 2012, Hybrid parallel computing strategies
/// for scientific computing applications, equation 4.19). Considers the default number of lanes and its doublings up to
/// max_lanes. Among options within 1 % of the smallest time, prefers the fewest producers, then the fewest lanes, then
/// the smallest blocks. Throws std::invalid_argument in the same cases as check, also if not even the smallest blocks
/// fit into the allowed memory.
BlockOptions fastest_options(const BlockModel& model, const BlockDemand& demand, const BlockBounds& bounds = {});

/// Returns the largest number of draws of a block that fits into the memory, a multiple of an engine's `unit`. Throws
/// std::invalid_argument if not even the smallest blocks fit.
std::int64_t largest_block(std::int64_t unit, int consumers, const BlockBounds& bounds);

/// Memory in bytes that the blocks of `consumers` consumers take.
inline double block_memory(const BlockOptions& options, int consumers) {
  return static_cast<double>(consumers) * options.buffers * static_cast<double>(options.block_size) *
         sizeof(std::uint64_t);
}

/// Throws std::invalid_argument if the blocks of `consumers` consumers need more than `memory` bytes. The message gives
/// the largest possible size.
void check_block_memory(const BlockOptions& options, int consumers, double memory);

namespace impl {

/// Calls `visit` with the smallest block size for each number of blocks, or for many of these numbers.
template <class Visit>
void for_each_block_size(std::int64_t unit, const BlockDemand& demand, std::int64_t largest, const Visit& visit) {
  std::int64_t last = 0;
  for (std::int64_t blocks = 1; blocks <= demand.draws; blocks += 1 + blocks / 32) {
    const std::int64_t even = (demand.draws + blocks - 1) / blocks;
    const std::int64_t size = (even + unit - 1) / unit * unit;
    if (size > largest || size == last) continue;
    visit(size);
    last = size;
  }
  if (last == 0) visit(largest);
}

/// Numbers of lanes to choose from.
inline std::vector<std::int64_t> lane_counts(const BlockModel& model, const BlockBounds& bounds) {
  std::vector<std::int64_t> counts{BlockOptions().lanes};
  if (!model.has_lanes) return counts;
  while (2 * counts.back() <= bounds.max_lanes) counts.push_back(2 * counts.back());
  return counts;
}

inline int max_producers(const BlockModel& model, const BlockDemand& demand) {
  return model.on_host ? std::min(demand.consumers, model.processors) : 2;
}

}  // namespace impl

inline std::int64_t largest_block(std::int64_t unit, int consumers, const BlockBounds& bounds) {
  constexpr double bytes = sizeof(std::uint64_t), max_draws = 1LL << 50;
  const double blocks = static_cast<double>(consumers) * bounds.buffers;
  const double units = std::floor(bounds.memory / (blocks * bytes * static_cast<double>(unit)));
  if (units >= 1) {
    return static_cast<std::int64_t>(std::min(units, max_draws / static_cast<double>(unit))) * unit;
  }
  throw std::invalid_argument(std::string("memory for blocks is ")
                                  .append(std::to_string(static_cast<std::int64_t>(std::max(bounds.memory, 0.0))))
                                  .append(" bytes, expected at least ")
                                  .append(std::to_string(static_cast<std::int64_t>(blocks * bytes) * unit))
                                  .append(": ")
                                  .append(std::to_string(static_cast<std::int64_t>(blocks)))
                                  .append(" blocks of at least ")
                                  .append(std::to_string(unit))
                                  .append(" draws"));
}

inline BlockOptions fastest_options(const BlockModel& model, const BlockDemand& demand, const BlockBounds& bounds) {
  check(model);
  check(demand);
  impl::check_block_count("number of buffers", bounds.buffers, 2);
  impl::check_block_count("largest number of lanes", bounds.max_lanes, BlockOptions().lanes);
  const std::int64_t largest = largest_block(model.unit, demand.consumers, bounds);
  const int first = std::max(bounds.producers, 1);
  const int last = bounds.producers > 0 ? bounds.producers : impl::max_producers(model, demand);
  const auto for_each = [&](const auto& visit) {
    for (int producers = first; producers <= last; ++producers) {
      for (const std::int64_t lanes : impl::lane_counts(model, bounds)) {
        const std::int64_t unit = model.unit_of(lanes);
        if (unit > largest) continue;
        impl::for_each_block_size(unit, demand, largest / unit * unit, [&](std::int64_t size) {
          const BlockOptions options{size, bounds.buffers, producers, lanes};
          visit(options, model.time(demand, options));
        });
      }
    }
  };
  double least = std::numeric_limits<double>::infinity();
  for_each([&](const BlockOptions&, double time) { least = std::min(least, time); });
  BlockOptions fastest{largest, bounds.buffers, last + 1};
  constexpr double as_good = 1.01;
  const auto effort = [](const BlockOptions& options) {
    return std::tuple(options.producers, options.lanes, options.block_size);
  };
  for_each([&](const BlockOptions& options, double time) {
    if (time <= as_good * least && effort(options) < effort(fastest)) fastest = options;
  });
  return fastest;
}

inline void check_block_memory(const BlockOptions& options, int consumers, double memory) {
  const double blocks = static_cast<double>(consumers) * options.buffers;
  const double most = std::floor(memory / (blocks * sizeof(std::uint64_t)));
  if (static_cast<double>(options.block_size) <= most) return;
  throw std::invalid_argument(std::string("block size is ")
                                  .append(std::to_string(options.block_size))
                                  .append(", expected at most ")
                                  .append(std::to_string(static_cast<std::int64_t>(std::max(most, 0.0))))
                                  .append(" draws: ")
                                  .append(std::to_string(static_cast<std::int64_t>(blocks)))
                                  .append(" blocks must fit in ")
                                  .append(std::to_string(static_cast<std::int64_t>(std::max(memory, 0.0))))
                                  .append(" bytes"));
}

}  // namespace sporos
