// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random_blocks/options.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

/// Model of the time that pre-generated blocks of random numbers take (Lee 2012, Hybrid parallel computing strategies
/// for scientific computing applications, section 4.4). Numbers such as (4.5) refer to equations of that work.
namespace sporos {

/// Time in seconds that grows in steps: start + step · cycles · ⌈count / width⌉. A kernel takes such a time: it
/// processes its work items in groups, as many groups at a time as there are compute units, and ⌈⌈count / group⌉ /
/// units⌉ = ⌈count / (group · units)⌉ (4.6 to 4.8, 4.16).
struct StepTime {
  double start = 0;        ///< time of an empty kernel
  double step = 0;         ///< time of a cycle for `width` more work items
  std::int64_t width = 1;  ///< work items of a group times compute units; at least 1

  /// Time of `count` work items with `cycles` cycles each.
  double operator()(std::int64_t count, std::int64_t cycles = 1) const {
    return start + step * static_cast<double>(cycles) * static_cast<double>((count + width - 1) / width);
  }
};

/// Time in seconds that grows linearly (4.5).
struct LinearTime {
  double start = 0;  ///< time of no items
  double each = 0;   ///< time of each item

  /// Time of `count` items.
  double operator()(std::int64_t count) const { return start + each * static_cast<double>(count); }
};

/// Costs of the host's memory when all hardware threads use it at once. A model interpolates between one consumer,
/// which has exclusive use of the memory, and as many consumers as there are threads.
struct SharedMemory {
  LinearTime transfer;   ///< additional time of a copy while all other threads use memory
  LinearTime first_use;  ///< additional time of a buffer's first use in that case
  double draw = 0;       ///< time to write and read a draw if all threads do only that: 16 bytes over the bandwidth
  double cache = 0;      ///< bytes of the cache; blocks that fit into it do not go through memory
};

/// Demand of the consumers of random numbers.
struct BlockDemand {
  int consumers = 1;             ///< p, number of simultaneous consumers
  std::int64_t draws = 1 << 20;  ///< n, draws of each consumer
  double work = 0;               ///< other work of a consumer for each draw, in seconds
};

/// Constants of a machine, a backend and an engine. Times are in seconds, and 0 for anything without cost. A copy
/// counts draws of 8 bytes.
struct BlockModel {
  StepTime kernel;         ///< kernel of a block; its work items are draws, or lanes if the engine has a state
  LinearTime transfer;     ///< copy of a block to the host's memory
  LinearTime first_use;    ///< additional time of the first block in a buffer
  double startup = 0;      ///< start of the producers, with the first consumer
  double beginning = 0;    ///< start of a consumer: states of the default number of lanes
  double handover = 0;     ///< hand-over of a block from a producer to its consumer
  double taking = 0;       ///< taking a draw, by a consumer, from a block that is ready
  int processors = 1;      ///< hardware threads of the host, which consumers share
  bool on_host = true;     ///< whether producers share these threads, too
  std::int64_t unit = 1;   ///< draws of which block sizes are multiples, with the default number of lanes
  bool has_lanes = false;  ///< whether the engine has a state
  SharedMemory shared;     ///< costs of the host's memory

  /// Number of draws of which block sizes are multiples for `lanes` lanes.
  std::int64_t unit_of(std::int64_t lanes) const { return has_lanes ? lanes : unit; }

  /// Time of a block's kernel (4.6 to 4.9, 4.16). For an engine with a state, the work items are the lanes, and each
  /// takes ⌈B / lanes⌉ cycles.
  double kernel_of(const BlockOptions& options) const {
    if (!has_lanes) return kernel(options.block_size);
    return kernel(options.lanes, (options.block_size + options.lanes - 1) / options.lanes);
  }

  /// T_RN(B), the time to produce a block: kernel, copy and hand-over (4.15 for one kernel per block), if one consumer
  /// has exclusive use of the host's memory.
  double production(const BlockOptions& options) const {
    return kernel_of(options) + transfer(options.block_size) + handover;
  }

  /// T_P(p, n, B), the time from the start of the first consumer to the last draw of the last one: the smallest that is
  /// possible by (4.22), with p, n and B from `demand` and `options`.
  ///
  /// With one producer, the last consumer's block j is ready after j rounds of p blocks, and then ⌈n/B⌉ − j + 1 blocks
  /// remain to be consumed. The time is the largest of these sums over j. For j = 1, the sum is the second regime of
  /// (4.22), in which consumers wait only for their first block. For the last block, it is the first regime, in which
  /// they always wait; here it includes the consumption of the last block, which (4.22) leaves out. Between the two is
  /// j = the number of buffers, when all buffers have been used for the first time. Several producers compute at once
  /// on a host; on a device one copies while the kernel of another runs. The result is at least the time that the
  /// host's processors need for all work, and the time that its memory needs. All draws go through memory if the blocks
  /// do not fit into the caches. Throws std::invalid_argument for blocks of no draws and for no lanes.
  double time(const BlockDemand& demand, const BlockOptions& options) const;

  /// SS = p T_S / T_P (4.23), the scaled speedup: how many times as much work consumers do as one that draws in place,
  /// with `in_place` seconds per draw and so T_S = n (in_place + work) (4.20). Throws the same exceptions as time.
  double scaled_speedup(const BlockDemand& demand, const BlockOptions& options, double in_place) const {
    const double sequential = static_cast<double>(demand.draws) * (in_place + demand.work);
    return demand.consumers * sequential / time(demand, options);
  }

  /// Whether consumers wait for producers in the end, which is the first regime of T_P. Throws the same exceptions as
  /// time.
  bool waits_for_producers(const BlockDemand& demand, const BlockOptions& options) const;
};

/// Throws std::invalid_argument if a constant is not a time, or if a count is below 1.
void check(const BlockModel& model);

/// Throws std::invalid_argument for a demand of no consumers, no draws or negative work.
void check(const BlockDemand& demand);

namespace impl {

[[noreturn]] inline void refuse_block_value(const std::string& what, const std::string& value, const char* expected) {
  throw std::invalid_argument(std::string(what).append(" is ").append(value).append(", expected ").append(expected));
}

inline void check_block_count(const char* what, std::int64_t value, std::int64_t least = 1) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  if (value >= least && value <= most) return;
  throw std::invalid_argument(std::string(what)
                                  .append(" is ")
                                  .append(std::to_string(value))
                                  .append(", expected a number from ")
                                  .append(std::to_string(least))
                                  .append(" to ")
                                  .append(std::to_string(most)));
}

/// Terms of T_P.
class BlockTime {
 public:
  BlockTime(const BlockModel& model, const BlockDemand& demand, const BlockOptions& options)
      : m_model(model), m_demand(demand), m_options(options), m_size(options.block_size) {
    check_block_count("block size", m_size);
    check_block_count("number of lanes", options.lanes);
    m_share = model.processors > 1 ? std::min(1.0, (demand.consumers - 1.0) / (model.processors - 1.0)) : 0;
    m_blocks = (demand.draws + m_size - 1) / m_size;
    m_used_first = std::min<std::int64_t>(options.buffers, m_blocks);
    const int wanted = options.producers > 0 ? options.producers : model.on_host ? 1 : 2;
    m_at_once = model.on_host ? std::min({wanted, demand.consumers, model.processors}) : 1;
    m_copies_concurrently = !model.on_host && wanted > 1;
  }

  std::int64_t blocks() const { return m_blocks; }
  std::int64_t used_first() const { return m_used_first; }

  /// Time at which block j of the last consumer is ready.
  double produced(std::int64_t j) const {
    const auto rounds = static_cast<double>(j * m_demand.consumers);
    return m_model.startup + (fresh(std::min(j, m_used_first)) + (rounds - 1) * period()) / m_at_once +
           m_model.kernel_of(m_options) + transfer() + m_model.handover;
  }

  /// Time that a consumer takes from block j on.
  double consumed(std::int64_t j) const {
    const std::int64_t draws = m_demand.draws - (j - 1) * m_size;
    return static_cast<double>(draws) * (m_model.taking + m_demand.work) +
           static_cast<double>(m_blocks - j + 1) * m_model.handover;
  }

  /// Largest time of a consumer that waits for its blocks.
  double by_waiting() const {
    double most = 0;
    for (const std::int64_t j : {std::int64_t{1}, m_used_first, m_blocks}) {
      most = std::max(most, produced(j) + consumed(j));
    }
    return most;
  }

  /// Time that the processors need for all work.
  double by_processors() const {
    const auto consumers = static_cast<double>(m_demand.consumers);
    double work = consumers * consumed(1);
    if (m_model.on_host) {
      work += fresh(m_used_first) + consumers * static_cast<double>(m_blocks) * m_model.production(m_options);
    }
    return m_model.startup + work / m_model.processors;
  }

  /// Time that the host's memory needs for all draws; 0 if the blocks fit into its caches.
  double by_memory() const {
    const double draws = static_cast<double>(m_demand.consumers) * static_cast<double>(m_used_first * m_size);
    if (draws * sizeof(std::uint64_t) <= m_model.shared.cache) return 0;
    return m_model.startup + m_demand.consumers * static_cast<double>(m_demand.draws) * m_model.shared.draw;
  }

 private:
  double transfer() const { return m_model.transfer(m_size) + m_share * m_model.shared.transfer(m_size); }

  // Time from one block to the next of a producer, or of two producers that alternate on a device.
  double period() const {
    const double kernel = m_model.kernel_of(m_options) + m_model.handover, all = kernel + transfer();
    if (!m_copies_concurrently) return all;
    return std::max({kernel, transfer(), all / 2});
  }

  // Time of the first use of the states of all consumers and of `buffers` buffers of each.
  double fresh(std::int64_t buffers) const {
    const double first_use = m_model.first_use(m_size) + m_share * m_model.shared.first_use(m_size);
    return m_demand.consumers * (beginning() + static_cast<double>(buffers) * first_use);
  }

  // Starting another number of lanes than the default takes time in steps, like the kernel.
  double beginning() const {
    if (!m_model.has_lanes) return m_model.beginning;
    const auto steps = [&](std::int64_t lanes) { return StepTime{0, 1, m_model.kernel.width}(lanes); };
    return m_model.beginning * steps(m_options.lanes) / steps(BlockOptions().lanes);
  }

  const BlockModel& m_model;
  const BlockDemand& m_demand;
  const BlockOptions& m_options;
  double m_share;  // consumers as a share of the host's threads
  std::int64_t m_size, m_blocks, m_used_first;
  int m_at_once;
  bool m_copies_concurrently;
};

}  // namespace impl

inline double BlockModel::time(const BlockDemand& demand, const BlockOptions& options) const {
  const impl::BlockTime parts(*this, demand, options);
  return std::max({parts.by_waiting(), parts.by_processors(), parts.by_memory()});
}

inline bool BlockModel::waits_for_producers(const BlockDemand& demand, const BlockOptions& options) const {
  const impl::BlockTime parts(*this, demand, options);
  return parts.blocks() > 1 &&
         parts.produced(parts.blocks()) + parts.consumed(parts.blocks()) > parts.produced(1) + parts.consumed(1);
}

inline void check(const BlockModel& model) {
  struct Named {
    const char* name;
    double value;
  };
  const std::array constants{Named{"start of the kernel", model.kernel.start},
                             Named{"step of the kernel", model.kernel.step},
                             Named{"start of the transfer", model.transfer.start},
                             Named{"transfer of a draw", model.transfer.each},
                             Named{"start of a buffer's first use", model.first_use.start},
                             Named{"first use of a draw's place", model.first_use.each},
                             Named{"start-up time of the producers", model.startup},
                             Named{"start-up time of a consumer", model.beginning},
                             Named{"time to hand over a block", model.handover},
                             Named{"time to take a draw", model.taking},
                             Named{"start of a shared transfer", model.shared.transfer.start},
                             Named{"shared transfer of a draw", model.shared.transfer.each},
                             Named{"start of a buffer's shared first use", model.shared.first_use.start},
                             Named{"shared first use of a draw's place", model.shared.first_use.each},
                             Named{"time of a draw through memory", model.shared.draw}};
  for (const auto& [name, value] : constants) {
    if (std::isfinite(value) && value >= 0) continue;
    impl::refuse_block_value(name, std::to_string(value), "a finite number of seconds, at least 0");
  }
  if (model.kernel.start + model.kernel.step <= 0) {
    impl::refuse_block_value("time of a kernel", "0", "a positive number of seconds");
  }
  impl::check_block_count("width of the kernel's step", model.kernel.width);
  impl::check_block_count("number of processors", model.processors);
  impl::check_block_count("unit of a block", model.unit);
  if (!(std::isfinite(model.shared.cache) && model.shared.cache >= 0)) {
    impl::refuse_block_value("size of the cache", std::to_string(model.shared.cache), "a number of bytes, at least 0");
  }
}

inline void check(const BlockDemand& demand) {
  impl::check_block_count("number of consumers", demand.consumers);
  impl::check_block_count("number of draws", demand.draws);
  if (std::isfinite(demand.work) && demand.work >= 0) return;
  impl::refuse_block_value("work for a draw", std::to_string(demand.work), "a finite number of seconds, at least 0");
}

}  // namespace sporos
