// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/model.hpp>
#include <sporos/procedures/rare_events/importance.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sporos {

/// A model or chain whose plain uniforms decide between few outcomes. It returns the boundaries between these outcomes,
/// so that a tilt can change the probability of each:
///
///     std::vector<double> uniform_cuts(int input) const { return {win}; }   // ascending, in (0, 1), at most 3
template <class Model>
concept CutsUniforms = requires(const Model& model) {
  { model.uniform_cuts(0) } -> std::same_as<std::vector<double>>;
};

/// Side of a threshold on which a response is a rare event.
enum class Tail {
  upper,  ///< responses at or above it
  lower   ///< responses at or below it
};

namespace impl {

// Receives the responses that a wide model sets, and keeps the requested one.
struct WantedResponse {
  int wanted;
  double value;

  KOKKOS_FUNCTION void set(int response, double of) {
    if (response == wanted) value = of;
  }
};

// Value of a replication: a response of a model.
template <class Model>
struct RareResponse {
  static constexpr bool ends_at_level = false;
  enum Input { input_count = static_cast<int>(Model::input_count) };

  Model model;
  int response;
  double sign;

  KOKKOS_FUNCTION DrawsOfInputs<input_count> input_draws() const { return draws_of(model); }
  std::int64_t storage_bytes() const requires NeedsStorage<Model> { return model.storage_bytes(); }
  std::int64_t scratch_bytes() const requires UsesScratch<Model> { return model.scratch_bytes(); }

  template <class Inputs>
  KOKKOS_FUNCTION double operator()(Inputs& inputs) const {
    if constexpr (WideModel<Model>) {
      WantedResponse found{response, 0};
      model(inputs, found);
      return sign * found.value;
    } else {
      return sign * model(inputs)[response];
    }
  }
};

// Value of a replication: the largest level of a chain until it is over or at `target`; NaN if it is neither after
// `max_steps` steps.
template <class Chain>
struct RarePeak {
  static constexpr bool ends_at_level = true;
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  enum Input { input_count = static_cast<int>(Chain::input_count) };

  Chain chain;
  double target;
  std::int64_t max_steps;

  template <class Inputs>
  KOKKOS_FUNCTION double operator()(Inputs& inputs) const {
    typename Chain::State state = chain.start(inputs);
    double level = chain.level(state), peak = level;
    std::int64_t steps = 0;
    while (level < target && !chain.is_over(state)) {
      if (steps == max_steps) return unknown;
      chain.step(state, inputs);
      level = chain.level(state);
      if (!(level <= peak)) peak = level;
      ++steps;
    }
    return peak;
  }
};

// Runs one replication under tilts.
template <int inputs_of_rare, class ExecutionSpace>
struct TiltedRunner {
  using Numbers = Kokkos::View<double*, typename ExecutionSpace::memory_space>;

  TiltTable<inputs_of_rare> table;
  std::int64_t columns;  // columns of `sums`; 0 without sums
  Numbers values, log_ratios, sums;

  template <class Rare, class Inputs>
  KOKKOS_FUNCTION void operator()(const Rare& rare, Inputs& inputs, const Replication& replication) const {
    double* const own = columns == 0 ? nullptr : sums.data() + replication.row * columns;
    TiltedInputs<Inputs, inputs_of_rare> tilted(inputs, table, own);
    values(replication.row) = rare(tilted);
    log_ratios(replication.row) = tilted.log_ratio();
  }
};

// Number of tilts of each input: one for each variable that shares it.
template <class Model>
std::vector<int> tilts_of_inputs(const Model& model) {
  const auto draws = draws_of(model);
  std::vector<int> counts;
  for (int input = 0; input < static_cast<int>(Model::input_count); ++input) {
    counts.push_back(static_cast<int>(draws[input].variables));
  }
  return counts;
}

// Neutral tilts, with the pieces that the model names.
template <class Model>
std::vector<Tilt> plain_tilts([[maybe_unused]] const Model& model, const std::vector<int>& counts) {
  std::vector<Tilt> tilts;
  for (std::size_t input = 0; input < counts.size(); ++input) {
    Tilt tilt;
    if constexpr (CutsUniforms<Model>) {
      const std::vector<double> cuts = model.uniform_cuts(static_cast<int>(input));
      if (cuts.size() >= static_cast<std::size_t>(Tilt::pieces)) {
        refuse_parameter("number of uniform_cuts", std::to_string(cuts.size()), "at most 3");
      }
      double begin = 0;
      for (std::size_t i = 0; i < tilt.ends.size(); ++i) {
        tilt.ends[i] = i < cuts.size() ? cuts[i] : 1;
        tilt.shares[i] = tilt.ends[i] - begin;
        begin = tilt.ends[i];
      }
      check_tilt(tilt, "the model's uniform_cuts");
    }
    tilts.insert(tilts.end(), static_cast<std::size_t>(counts[input]), tilt);
  }
  return tilts;
}

// Function that launches replications of the value up to a level.
template <int inputs, class ExecutionSpace>
using TiltedLaunch = std::function<void(double level, std::uint64_t seed, const ReplicationRange& range,
                                        const TiltedRunner<inputs, ExecutionSpace>& runner)>;

// Returns a function that runs replications under tilts by `launch`. `counts` holds the number of tilts of each input.
template <int inputs, class ExecutionSpace>
TiltedRows tilted_rows(const ExecutionSpace& space, const std::vector<int>& counts,
                       TiltedLaunch<inputs, ExecutionSpace> launch) {
  return [=](double level, const std::vector<Tilt>& tilts, std::uint64_t seed, const ReplicationRange& range,
             bool wants_sums, TiltedSample& sample) {
    using Runner = TiltedRunner<inputs, ExecutionSpace>;
    const std::vector<PreparedTilt> prepared(tilts.begin(), tilts.end());
    Kokkos::View<PreparedTilt*, typename ExecutionSpace::memory_space> on_device(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::importance::tilts"), prepared.size());
    copy_elements(on_device, prepared);

    const auto rows = static_cast<std::size_t>(range.count);
    const std::size_t columns = wants_sums ? tilts.size() * tilt_sums : 0;
    Runner runner{{on_device.data(), {}, {}},
                  static_cast<std::int64_t>(columns),
                  typename Runner::Numbers(Kokkos::view_alloc(space, "sporos::importance::values"), rows),
                  typename Runner::Numbers(Kokkos::view_alloc(space, "sporos::importance::log ratios"), rows),
                  typename Runner::Numbers(Kokkos::view_alloc(space, "sporos::importance::sums"), rows * columns)};
    for (std::size_t input = 0, first = 0; input < counts.size(); ++input) {
      runner.table.first[input] = static_cast<int>(first);
      runner.table.count[input] = counts[input];
      first += static_cast<std::size_t>(counts[input]);
    }
    launch(level, seed, range, runner);
    space.fence();
    const auto append = [](std::vector<double>& values, const typename Runner::Numbers& found) {
      const std::size_t before = values.size();
      values.resize(before + found.size());
      copy_elements(std::span(values.data() + before, found.size()), found);
    };
    append(sample.values, runner.values);
    append(sample.log_ratios, runner.log_ratios);
    append(sample.sums, runner.sums);
  };
}

// Returns a function that runs replications under tilts on `space` and shares them among the processes. `rare_at`
// returns the value to replicate up to a level.
template <class Rare, class ExecutionSpace, class RareAt>
TiltedRun tilted_run(const ExecutionSpace& space, const std::vector<int>& counts, const RareAt& rare_at,
                     std::string wrong, Processes& processes) {
  constexpr int inputs = static_cast<int>(Rare::input_count);
  const auto launch = [=](double level, std::uint64_t seed, const ReplicationRange& range,
                          const TiltedRunner<inputs, ExecutionSpace>& runner) {
    for_each_replication_with<DefaultSource>("sporos::importance::replications", space,
                                             Design<Rare, ExecutionSpace>(rare_at(level), seed), {}, range, by_threads,
                                             runner);
  };
  return tilted_run(tilted_rows<inputs, ExecutionSpace>(space, counts, launch), std::move(wrong), processes);
}

}  // namespace impl

/// Estimates the probability that response `response` of a model is at or above `threshold` (at the lower tail: at or
/// below), by importance sampling (Glynn, Iglehart: Importance sampling for stochastic simulations, Management Science
/// 35, 1989). Replications run under tilts of the inputs' draws, and the event counts with the likelihood ratio of all
/// draws of its replication. Multilevel cross-entropy finds the tilts (Rubinstein, Kroese: The Cross-Entropy Method,
/// 2004) in replications that are not counted. The estimate is unbiased for any tilts. Its interval is Student's, which
/// is too narrow if few ratios carry the sum; importance_warning reports this.
///
/// The model's source code needs no change. Each input has a separate tilt; if input_draws() states that several
/// variables share an input, each variable has one. A model that satisfies `CutsUniforms` names the pieces of plain
/// uniforms. Replications should be short, since each draw has a ratio. Draws depend only on (seed, step, replication),
/// so that results are bitwise identical on every backend with any number of threads. Memory in the space of `space`:
/// 16 bytes per replication, and 64 bytes per tilt for each pilot replication. Blocks until `space` is done. Processes
/// share the replications, and each gets the whole result, which does not depend on their number. This call is
/// collective.
///
/// If a launch stop is requested (core/execution/launch_stop.hpp), the estimate uses the replications done so far.
///
/// Throws std::invalid_argument if an option is out of range, the threshold is not finite or a tilt is no density;
/// std::runtime_error if a response is NaN; and LaunchStopped if fewer than 2 replications of the estimate are done
/// when a launch stop is requested.
template <SimulationModel Model, class ExecutionSpace>
ImportanceResult importance_sampled(const ExecutionSpace& space, const Model& model, int response, double threshold,
                                    Tail tail = Tail::upper, const ImportanceOptions& options = {},
                                    Processes& processes = single_process) {
  using Rare = impl::RareResponse<Model>;
  impl::check_whole("response", response, 0, response_count_of(model) - 1);
  if constexpr (impl::ChecksItself<Model>) model.check();
  const double sign = tail == Tail::upper ? 1 : -1;
  const auto counts = impl::tilts_of_inputs(model);
  const auto rare_at = [=](double) { return Rare{model, response, sign}; };
  ImportanceResult result =
      impl::importance_result(impl::tilted_run<Rare>(space, counts, rare_at, "a response is not a number", processes),
                              impl::plain_tilts(model, counts), false, sign * threshold, options);
  for (double& level : result.levels) level *= sign;
  return result;
}

/// Estimates by importance sampling the probability that a Markov chain, as split takes it (splitting.hpp), reaches
/// level `target` before it is over. The likelihood ratio is that of the draws until then. Everything else is as for a
/// model.
template <class Chain, class ExecutionSpace>
requires(!SimulationModel<Chain>) ImportanceResult
    importance_sampled(const ExecutionSpace& space, const Chain& chain, double target,
                       const ImportanceOptions& options = {}, Processes& processes = single_process) {
  using Rare = impl::RarePeak<Chain>;
  const auto counts = impl::tilts_of_inputs(chain);
  const std::int64_t max_chain_steps = options.max_chain_steps;
  const auto rare_at = [=](double level) { return Rare{chain, level, max_chain_steps}; };
  return impl::importance_result(
      impl::tilted_run<Rare>(space, counts, rare_at,
                             "a chain has made " + std::to_string(max_chain_steps) +
                                 " steps without ending or reaching the target, or its level is not a number: use a "
                                 "chain that ends, or allow more steps",
                             processes),
      impl::plain_tilts(chain, counts), true, target, options);
}

/// Estimates the mean of response `response` of a model by importance sampling. Cross-entropy takes four steps (at most
/// options.max_steps) to find the tilts under which replications are as likely as their responses are large. This
/// reduces the variance of a response that is mostly 0, or rarely far from it (Rubinstein, Kroese, section 2.6).
/// Everything else is as for a probability; options.share has no effect. A response that is often large does not need
/// it: see variance_ratio.
template <SimulationModel Model, class ExecutionSpace>
ImportanceMean importance_mean(const ExecutionSpace& space, const Model& model, int response,
                               const ImportanceOptions& options = {}, Processes& processes = single_process) {
  using Rare = impl::RareResponse<Model>;
  impl::check_whole("response", response, 0, response_count_of(model) - 1);
  if constexpr (impl::ChecksItself<Model>) model.check();
  const auto counts = impl::tilts_of_inputs(model);
  const auto rare_at = [=](double) { return Rare{model, response, 1}; };
  return impl::importance_mean_result(
      impl::tilted_run<Rare>(space, counts, rare_at, "a response is not a number", processes),
      impl::plain_tilts(model, counts), options);
}

}  // namespace sporos
