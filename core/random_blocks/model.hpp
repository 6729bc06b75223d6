// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/random_blocks/options.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

/// How long random numbers take that are produced in blocks (paper 002, section 4.4).
namespace sporos {

/// A time that grows in steps: start + step · cycles · ⌈count / width⌉. That of a kernel, whose work items are done in
/// groups, as many groups at a time as there are compute units: ⌈⌈count / group⌉ / units⌉ = ⌈count / (group · units)⌉
/// (4.6 to 4.8, 4.16). In seconds.
struct StepTime {
  double start = 0;        ///< of a kernel of nothing
  double step = 0;         ///< of a cycle of `width` more
  std::int64_t width = 1;  ///< work items of a group times compute units; at least 1

  /// That of so many work items, each of so many cycles.
  double operator()(std::int64_t count, std::int64_t cycles = 1) const {
    return start + step * static_cast<double>(cycles) * static_cast<double>((count + width - 1) / width);
  }
};

/// A time that grows linearly (4.5), in seconds.
struct LinearTime {
  double start = 0;  ///< of nothing
  double each = 0;   ///< of one more

  /// That of so many.
  double operator()(std::int64_t count) const { return start + each * static_cast<double>(count); }
};

/// What memory of the host costs that all of its hardware threads use at once. A model interpolates between one
/// consumer, which has it alone, and as many as there are threads.
struct SharedMemory {
  LinearTime transfer;   ///< what a copy takes longer while all others use memory
  LinearTime first_use;  ///< what a buffer's first use takes longer then
  double draw = 0;       ///< of a draw that is written and read, where all do nothing else: 16 bytes over the bandwidth
  double cache = 0;      ///< bytes; blocks that have room in it do not go through memory
};

/// What consumers of random numbers ask for.
struct BlockDemand {
  int consumers = 1;             ///< p, threads at once
  std::int64_t draws = 1 << 20;  ///< n, of each of them
  double work = 0;               ///< of its own that a consumer does for each draw, in seconds
};

/// The constants of a machine, a backend and an engine. Times are in seconds, 0 for what costs nothing; a copy's counts
/// are draws of 8 bytes.
struct BlockModel {
  StepTime kernel;         ///< of a block's draws; of an engine with a state, of its lanes, with a cycle for each draw
  LinearTime transfer;     ///< of a block to the host's memory
  LinearTime first_use;    ///< of a buffer: what its first block takes longer
  double startup = 0;      ///< of the producers, with the first consumer
  double beginning = 0;    ///< of a consumer: the states of the usual number of lanes
  double handover = 0;     ///< of a block, from a producer to its consumer
  double taking = 0;       ///< of a draw by a consumer, from a block that is there
  int processors = 1;      ///< the host's, which consumers share
  bool on_host = true;     ///< whether producers share these too
  std::int64_t unit = 1;   ///< draws of which a block is a multiple; of an engine with a state, for the usual lanes
  bool has_lanes = false;  ///< whether the engine has a state
  SharedMemory shared;     ///< the host's memory

  /// Draws of which blocks of so many lanes are multiples.
  std::int64_t unit_of(std::int64_t lanes) const { return has_lanes ? lanes : unit; }

  /// Of a block's kernel (4.6 to 4.9, 4.16): with lanes, their number is that of work items, and ⌈B / lanes⌉ that of
  /// cycles.
  double kernel_of(const BlockOptions& options) const {
    if (!has_lanes) return kernel(options.block_size);
    return kernel(options.lanes, (options.block_size + options.lanes - 1) / options.lanes);
  }

  /// T_RN(B): kernel, copy and hand-over (4.15 for one kernel a block), where one consumer has the host's memory alone.
  double production(const BlockOptions& options) const {
    return kernel_of(options) + transfer(options.block_size) + handover;
  }

  /// T_P(p, n, B), from the first consumer's beginning to the last one's last draw: the least that is possible by
  /// (4.22) with p, n and B of `demand` and `options`.
  ///
  /// With one producer, the last consumer's block j is there after j rounds of p blocks, and it has ⌈n/B⌉ − j + 1
  /// blocks to consume from then on. Of these sums the greatest is the time: that for j = 1 is (4.22)'s second regime,
  /// where consumers never wait but for their first block; that for the last block is its first regime, where they
  /// always wait, and there counts what (4.22) leaves out, the consumption of the last block. Between the two stands j
  /// = the number of buffers, where they have all been used for the first time. Several producers compute at once on a
  /// host; on a device one copies while another's kernel runs. In no case is all the work done faster than the host's
  /// processors can, nor than its memory, through which all draws go where blocks have no room in its caches. Throws
  /// std::invalid_argument for blocks of no draws and for no lanes.
  double time(const BlockDemand& demand, const BlockOptions& options) const;

  /// SS = p T_S / T_P (4.23): how many times as much consumers get done as one that draws in place, each draw in
  /// `in_place` seconds and so T_S = n (in_place + work) (4.20). Throws as time does.
  double scaled_speedup(const BlockDemand& demand, const BlockOptions& options, double in_place) const {
    const double sequential = static_cast<double>(demand.draws) * (in_place + demand.work);
    return demand.consumers * sequential / time(demand, options);
  }

  /// Whether consumers wait for producers in the end: T_P's first regime. Throws as time does.
  bool waits_for_producers(const BlockDemand& demand, const BlockOptions& options) const;
};

/// Throws std::invalid_argument for constants that are no times, or counts below 1.
void check(const BlockModel& model);

/// The same for a demand of no consumers, no draws or negative work.
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

/// The parts of T_P.
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
    m_copies_beside = !model.on_host && wanted > 1;
  }

  std::int64_t blocks() const { return m_blocks; }
  std::int64_t used_first() const { return m_used_first; }

  /// When block j of the last consumer is there.
  double produced(std::int64_t j) const {
    const auto rounds = static_cast<double>(j * m_demand.consumers);
    return m_model.startup + (fresh(std::min(j, m_used_first)) + (rounds - 1) * period()) / m_at_once +
           m_model.kernel_of(m_options) + transfer() + m_model.handover;
  }

  /// A consumer's time from block j on.
  double consumed(std::int64_t j) const {
    const std::int64_t draws = m_demand.draws - (j - 1) * m_size;
    return static_cast<double>(draws) * (m_model.taking + m_demand.work) +
           static_cast<double>(m_blocks - j + 1) * m_model.handover;
  }

  /// The greatest of them.
  double by_waiting() const {
    double most = 0;
    for (const std::int64_t j : {std::int64_t{1}, m_used_first, m_blocks}) {
      most = std::max(most, produced(j) + consumed(j));
    }
    return most;
  }

  /// As long as the processors need for everything.
  double by_processors() const {
    const auto consumers = static_cast<double>(m_demand.consumers);
    double work = consumers * consumed(1);
    if (m_model.on_host) {
      work += fresh(m_used_first) + consumers * static_cast<double>(m_blocks) * m_model.production(m_options);
    }
    return m_model.startup + work / m_model.processors;
  }

  /// As long as the host's memory needs for all draws; 0 where blocks lie in its caches.
  double by_memory() const {
    const double draws = static_cast<double>(m_demand.consumers) * static_cast<double>(m_used_first * m_size);
    if (draws * sizeof(std::uint64_t) <= m_model.shared.cache) return 0;
    return m_model.startup + m_demand.consumers * static_cast<double>(m_demand.draws) * m_model.shared.draw;
  }

 private:
  double transfer() const { return m_model.transfer(m_size) + m_share * m_model.shared.transfer(m_size); }

  // From a block to the next one of a producer, or of two by turns on a device.
  double period() const {
    const double kernel = m_model.kernel_of(m_options) + m_model.handover, all = kernel + transfer();
    if (!m_copies_beside) return all;
    return std::max({kernel, transfer(), all / 2});
  }

  // What all consumers' states and `buffers` buffers of each take for the first time.
  double fresh(std::int64_t buffers) const {
    const double first_use = m_model.first_use(m_size) + m_share * m_model.shared.first_use(m_size);
    return m_demand.consumers * (beginning() + static_cast<double>(buffers) * first_use);
  }

  // States of other than the usual lanes are begun in steps as the kernel's.
  double beginning() const {
    if (!m_model.has_lanes) return m_model.beginning;
    const auto steps = [&](std::int64_t lanes) { return StepTime{0, 1, m_model.kernel.width}(lanes); };
    return m_model.beginning * steps(m_options.lanes) / steps(BlockOptions().lanes);
  }

  const BlockModel& m_model;
  const BlockDemand& m_demand;
  const BlockOptions& m_options;
  double m_share;  // of consumers in the host's threads
  std::int64_t m_size, m_blocks, m_used_first;
  int m_at_once;
  bool m_copies_beside;
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
                             Named{"beginning of the producers", model.startup},
                             Named{"beginning of a consumer", model.beginning},
                             Named{"hand-over of a block", model.handover},
                             Named{"taking of a draw", model.taking},
                             Named{"start of a shared transfer", model.shared.transfer.start},
                             Named{"shared transfer of a draw", model.shared.transfer.each},
                             Named{"start of a buffer's shared first use", model.shared.first_use.start},
                             Named{"shared first use of a draw's place", model.shared.first_use.each},
                             Named{"way of a draw through memory", model.shared.draw}};
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
