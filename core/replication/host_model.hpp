// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/replication/checkpoints.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_range.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/watcher.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

/// Models whose replications are calls of an application on the host, outside kernels.
namespace sporos {

/// Returns the uniforms [first, first + numbers.size()) in (0, 1) of a stream of Philox: those that a model in kernels
/// draws from this input.
void draw_uniforms(const Stream& stream, std::uint64_t first, std::span<double> numbers);

/// The random numbers of a replication on the host. The draws are those of a model in kernels with the same seed.
class HostDraws {
 public:
  /// Draws of replication `replication` of a design point with this seed.
  HostDraws(std::uint64_t seed, std::int64_t replication) : m_seed(seed), m_replication(replication) {}

  /// Returns the next uniform in (0, 1) of an input variable, whose index is from 0 to 65535.
  double operator()(std::uint32_t input);

  /// Index of the replication.
  std::int64_t replication() const { return m_replication; }

 private:
  std::uint64_t m_seed;
  std::int64_t m_replication;
  std::vector<std::uint64_t> m_drawn;  // number of draws from each input
};

/// A model whose replications are calls of an application.
struct HostModel {
  std::vector<std::string> responses;  ///< names of the responses
  std::size_t points = 1;              ///< number of design points
  std::int64_t workers = 1;            ///< number of replications that run at the same time
  /// Runs replications `range` of the design points `which`. Writes response r of replication range.first + i of
  /// which[p] to outputs[(r · which.size() + p) · range.count + i]. A response that is not finite marks a failed
  /// replication. Seeds are those of `which`. An exception ends the experiment.
  std::function<void(std::span<const std::size_t> which, std::span<const std::uint64_t> seeds,
                     const ReplicationRange& range, double* outputs)>
      run;
};

/// Makes a model that calls `replicate` for each replication, on `workers` threads at the same time. It receives the
/// index of the design point and the draws, and writes the responses. The exception of the first replication that
/// throws, in the order of rows, ends the experiment.
HostModel host_model(std::vector<std::string> responses, std::size_t points, std::int64_t workers,
                     std::function<void(std::size_t point, HostDraws& draws, std::span<double> responses)> replicate);

/// Runs an experiment with a model on the host, as `simulate` does with a model in kernels. Engine and sampling of the
/// plan must be the defaults; throws std::invalid_argument otherwise.
ExperimentResult simulate(const HostModel& model, const Plan& plan, const Watcher& watcher = {},
                          const Observer& observer = {}, Processes& processes = single_process,
                          const Checkpoints& checkpoints = {}, const Recorder& recorder = {});

}  // namespace sporos
