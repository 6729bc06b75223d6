// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/random_blocks/options.hpp>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace sporos::bench {

/// Records when blocks of random numbers are computed, copied and consumed. See Lee (2012), Hybrid parallel computing
/// strategies for scientific computing applications, figures 4.20 to 4.22.
class BlockTimeline : public BlockObserver {
 public:
  /// With `shift`, a consumed block is recorded as the one that follows it by so many blocks, which is wrong.
  explicit BlockTimeline(int shift = 0) : m_shift(shift) {}

  void reaches(BlockStage stage, std::uint64_t consumer, std::int64_t block) override {
    const double now = m_timer.seconds();
    const std::int64_t recorded = stage < BlockStage::consuming ? block : block + m_shift;
    const std::lock_guard lock(m_mutex);
    m_blocks[consumer].try_emplace(recorded, nowhere()).first->second[index(stage)] = now;
  }

  /// Throws std::runtime_error unless every consumer has consumed the blocks 0, 1, 2, …, each when it was ready, and a
  /// buffer is refilled only after its block has been used.
  void check(int buffers) const {
    for (const auto& [consumer, blocks] : m_blocks) {
      bool is_consumed = true;
      for (const auto& [block, times] : blocks) {
        const bool is_next = is_in(times, BlockStage::consuming);
        if (is_next && !is_consumed) {
          throw std::runtime_error(
              fmt::format("consumer {} consumes block {} without the block before it", consumer, block));
        }
        is_consumed = is_next;
        if (!is_next) continue;
        check_order(consumer, block, times, BlockStage::ready, times, BlockStage::consuming);
        const auto next = blocks.find(block + buffers);
        if (next == blocks.end() || !is_in(next->second, BlockStage::computing)) continue;
        check_order(consumer, block, times, BlockStage::returned, next->second, BlockStage::computing);
      }
    }
  }

  /// Start and end in seconds of the computation, the copy and the consumption of all blocks.
  nlohmann::json json() const {
    const std::array works = {std::pair(BlockStage::computing, "computed"), std::pair(BlockStage::copying, "copied"),
                              std::pair(BlockStage::consuming, "consumed")};
    nlohmann::json report;
    for (const auto& [stage, name] : works) {
      auto& events = report[name] = nlohmann::json::array();
      for (const auto& [consumer, blocks] : m_blocks) {
        for (const auto& [block, times] : blocks) {
          const double from = times[index(stage)], to = times[index(stage) + 1];
          if (from <= to) events.push_back({{"consumer", consumer}, {"block", block}, {"from", from}, {"to", to}});
        }
      }
    }
    return report;
  }

 private:
  using Times = std::array<double, 5>;  // seconds by stage, NaN for stages that a block has not reached

  static constexpr std::size_t index(BlockStage stage) { return static_cast<std::size_t>(stage); }

  static Times nowhere() {
    Times times;
    times.fill(std::numeric_limits<double>::quiet_NaN());
    return times;
  }

  static bool is_in(const Times& times, BlockStage stage) { return times[index(stage)] >= 0; }

  static void check_order(std::uint64_t consumer, std::int64_t block, const Times& first, BlockStage before,
                          const Times& second, BlockStage after) {
    static constexpr std::array names = {"computed", "copied", "ready", "consumed", "returned"};
    if (first[index(before)] <= second[index(after)]) return;
    throw std::runtime_error(fmt::format("block {} of consumer {} is {} at {:g} s, but its buffer is {} at {:g} s",
                                         block, consumer, names[index(before)], first[index(before)],
                                         names[index(after)], second[index(after)]));
  }

  Kokkos::Timer m_timer;
  int m_shift;
  std::mutex m_mutex;
  std::map<std::uint64_t, std::map<std::int64_t, Times>> m_blocks;  // by consumer and block
};

}  // namespace sporos::bench
