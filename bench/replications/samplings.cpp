// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "benchmarks.hpp"
#include "draws.hpp"
#include "streams.hpp"

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/replication/replicate.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::bench {

namespace {

constexpr std::int64_t dimensions = 8, run_length = 1024;  // of the point sets

// A model that averages uniforms of one input.
struct Draws {
  std::int64_t draws;  // number in a replication, a multiple of 4
  bool states_them;    // declares them as one draw of each of `draws` variables
  enum Input { uniform, input_count };
  static constexpr auto response_names = std::array{"average"};

  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const {
    return {{{states_them ? 1 : 0, states_them ? draws : 1}}};
  }

  // Short replications run eight at a time, as in models with few draws.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return states_them; }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs>, 1> operator()(Inputs& inputs) const {
    return {{average<NumberIn<Inputs>>(draws, [&] { return NumberIn<Inputs>(inputs(uniform)); })}};
  }
};

// An engine or sampling, as the source chosen at run time or as the default that is compiled in.
struct Case {
  std::string name;   // as in the report
  std::string title;  // as in the table
  UniformSource source;
  bool in_points = false;  // true: replications of 8 draws in runs of 1024; false: long replications
  bool is_compiled_in = false;
};

UniformSource sampled(Sampling sampling, std::int64_t sample_size = 0, const PrimeRange& primes = {}) {
  UniformSource source;
  source.sampling = sampling;
  source.sample_size = sample_size;
  source.primes = primes;
  return source;
}

std::vector<Case> cases_in_long_replications() {
  std::vector<Case> cases = {{"default", "philox, compiled in", {}, false, true}};
  for (const auto& engine : Engines::names) {
    const std::string name(engine.name);
    cases.push_back({name, name, {engine.value}});
  }
  cases.push_back({"antithetic", "antithetic", sampled(Sampling::antithetic)});
  for (const std::int64_t size : {1000, 65536}) {
    const std::string text = std::to_string(size);
    cases.push_back({"descriptive-" + text, "descriptive, samples of " + text, sampled(Sampling::descriptive, size)});
  }
  const Sampling refined = Sampling::refined_descriptive;
  cases.push_back({"refined-descriptive", "refined-descriptive, primes 3 to 65535", sampled(refined)});
  cases.push_back({"refined-descriptive-7-97", "refined-descriptive, primes 7 to 97", sampled(refined, 0, {7, 97})});
  return cases;
}

std::vector<Case> cases_in_points() {
  std::vector<Case> cases;
  for (const auto& sampling : ChoiceNames<Sampling>::values) {
    if (sampling.value == Sampling::antithetic) continue;
    UniformSource source = sampled(sampling.value);
    if (sampling.value != Sampling::random) source.run_length = run_length;
    const std::string name(sampling.name);
    cases.push_back({"points-" + name, name + ", 8 draws a replication", source, true});
  }
  return cases;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases = cases_in_long_replications();
  for (const Case& points : cases_in_points()) cases.push_back(points);
  return cases;
}

// Long replications or, with 8 draws in each, about as many draws in whole runs. On a host, a run takes well below a
// millisecond, so that some runs are undisturbed even on a busy machine. On a GPU, slow engines take seconds under the
// warp mapping, and streams have fewer draws.
template <class ExecutionSpace>
Streams<ExecutionSpace> streams_of(const Case& measured, const Sizes& sizes) {
  constexpr bool on_host = runs_on_host<ExecutionSpace>;
  const std::int64_t count = (on_host ? 2 : 1) * static_cast<std::int64_t>(ExecutionSpace().concurrency());
  const std::int64_t draws = on_host ? sizes.draws_of_a_thread : sizes.draws_of_a_thread / 40 * 4;
  if (!measured.in_points) return {count, draws};
  return {(count * draws / dimensions / run_length + 1) * run_length, dimensions};
}

template <class ExecutionSpace>
std::function<double(Mapping)> timer_of(const Streams<ExecutionSpace>& streams, const Case& measured) {
  const Draws model{streams.draws, measured.in_points};
  const auto source = prepared_source<ExecutionSpace>(measured.source, std::span(&model, 1));
  return [&streams, source, design = Design<Draws, ExecutionSpace>(model, 1),
          is_compiled_in = measured.is_compiled_in](Mapping mapping) {
    const ReplicationRange range{0, streams.count};
    return streams.time([&] {
      if (is_compiled_in) {
        replicate_with<DefaultSource, Draws>(streams.space, design, source, range, mapping, streams.outputs);
      } else {
        replicate_with<ChosenSource, Draws>(streams.space, design, source, range, mapping, streams.outputs);
      }
    });
  };
}

// The average of no sampling deviates more than that of independent uniforms.
template <class ExecutionSpace>
void check_mappings(const Streams<ExecutionSpace>& streams, const Case& measured,
                    const std::function<double(Mapping)>& time) {
  const std::string who = measured.title + " on " + std::string(backend_name<ExecutionSpace>());
  time(Mapping::thread);
  streams.check_mean(who, 0.5, std::sqrt(1.0 / 12));
  const double mean = streams.mean();
  time(Mapping::warp);
  if (streams.mean() != mean) throw std::runtime_error(who + ": thread and warp give different numbers");
}

// Reports nanoseconds per draw, from the best times: under each mapping, of Philox under the thread mapping in equally
// long replications, and of the peer, if there is one.
template <class ExecutionSpace>
void measure(benchmark::State& state, const Case& measured, const peers::UniformPeer* peer, const Sizes& sizes) {
  const auto streams = streams_of<ExecutionSpace>(measured, sizes);
  const auto time = timer_of(streams, measured);
  check_mappings(streams, measured, time);
  const auto time_philox = timer_of(streams, {"", "", {}, measured.in_points});
  std::vector<Contestant> contestants = {{"thread", [&] { return time(Mapping::thread); }},
                                         {"warp", [&] { return time(Mapping::warp); }},
                                         {"philox", [&] { return time_philox(Mapping::thread); }}};
  if (peer) {
    const auto draws = static_cast<std::int64_t>(streams.work());
    check(peer->name, peer->draw(draws), 0.5);
    contestants.push_back({"peer", [=] { return peer->draw(draws).seconds; }});
  }
  const Comparison comparison(contestants, sizes.draws_effort);
  state.SetIterationTime(comparison.time(0));
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    state.counters[contestants[i].name + "_ns"] = comparison.time(i, 0.0) / streams.work() * 1e9;
  }
  state.counters["draws_per_s"] = streams.work() / comparison.time(0, 0.0);
  state.counters["rounds"] = static_cast<double>(comparison.rounds());
  state.SetLabel(measured.title);
}

template <class ExecutionSpace>
void register_case(const Case& measured, const std::vector<peers::UniformPeer>& peers, const Sizes& sizes) {
  const std::string backend(backend_name<ExecutionSpace>()), name = "draws/" + measured.name + "/" + backend + "/";
  bool has_peer = false;
  for (const auto& peer : peers) {
    if (backend != "serial" || peer.engine_or_sampling != measured.name) continue;
    has_peer = true;
    register_comparison(name + peer.name, benchmark::kMillisecond,
                        [=](auto& state) { measure<ExecutionSpace>(state, measured, &peer, sizes); });
  }
  if (has_peer) return;
  register_comparison(name + "alone", benchmark::kMillisecond,
                      [=](auto& state) { measure<ExecutionSpace>(state, measured, nullptr, sizes); });
}

}  // namespace

void register_samplings(const Sizes& sizes) {
  const auto peers = peers::uniform_peers();
  for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace&) {
    for (const Case& measured : all_cases()) register_case<ExecutionSpace>(measured, peers, sizes);
  });
}

}  // namespace sporos::bench
