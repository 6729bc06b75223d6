// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "harness/serial_or_host.hpp"

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/procedures/ranking_and_selection/device_systems.hpp>
#include <sporos/procedures/ranking_and_selection/selection_procedures.hpp>
#include <sporos/procedures/ranking_and_selection/system_grid.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <tuple>
#include <vector>

/// Systems with normal responses, the best of which is known.
namespace sporos::test::normal_systems {

using Host = SerialOrHost;  // tests run many small selections

// Systems with normal responses: the first is better than the others, which are equal or worse from one to the next.
struct NormalSystem {
  static constexpr std::string_view name = "normal", title = "normal responses";
  std::int64_t number;     // system number, from 0
  double lead;             // by which system 0 is better than system 1
  double step;             // by which each other system is better than the next
  double deviation, even;  // deviation of the responses of odd systems; factor of it for even ones
  std::int64_t run = 0;    // distinguishes selections that run side by side
  enum Input { noise, input_count };
  static constexpr auto response_names = std::array{"value", "fault"};
  static constexpr auto parameters() {
    using N = NormalSystem;
    return std::tuple{Parameter<N, std::int64_t>{"number", &N::number, 0, "", "number", check_system},
                      Parameter<N, double>{"lead", &N::lead, 0.0, "", "lead", nullptr},
                      Parameter<N, double>{"step", &N::step, 0.0, "", "step", nullptr},
                      Parameter<N, double>{"deviation", &N::deviation, 1.0, "", "deviation", nullptr},
                      Parameter<N, double>{"even", &N::even, 1.0, "", "factor", nullptr},
                      Parameter<N, std::int64_t>{"run", &N::run, 0, "", "number", nullptr}};
  }
  static void check_system(std::string_view parameter, std::int64_t value) {
    if (value == 777) sporos::impl::refuse_parameter(parameter, "777", "another number");
  }
  void check() const { check_parameters(*this); }
  ExactMeans<NormalSystem> exact_means() const { return {}; }
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 2> operator()(Inputs& inputs) const {
    const double mean = number == 0 ? lead : -step * static_cast<double>(number);
    const double value = normal(inputs(noise), mean, deviation * (number % 2 == 0 ? even : 1.0));
    return {{value, number == 5 ? value - value : value}};
  }
};
static_assert(DescribedModel<NormalSystem>);

inline SystemGrid numbered(std::int64_t systems, std::int64_t first = 0) {
  std::vector<double> numbers(static_cast<std::size_t>(systems));
  std::iota(numbers.begin(), numbers.end(), static_cast<double>(first));
  return SystemGrid({{"number", numbers}});
}

inline const SelectionProcedure& procedure(std::string_view name) {
  return *std::ranges::find(selection_procedures(), name, &SelectionProcedure::name);
}

// Result of a selection.
struct Outcome {
  std::vector<SystemEstimate> best;
  std::int64_t replications;
  std::vector<std::int64_t> survivors;  // after each step
  double estimate = 0;                  // if the procedure has one
};

template <class Space>
Outcome outcome_of(const SelectionProcedure& how, const SelectionOptions& options, const NormalSystem& model,
                   std::int64_t systems, std::uint64_t seed, bool common = false) {
  auto all = systems_of(Space(), model, numbered(systems), {0, false, seed, common});
  Outcome outcome;
  how.run(all, options, [&](const SelectionStep& step) { outcome.survivors.push_back(step.survivors); });
  outcome.best = all.best(3);
  outcome.replications = all.replications();
  if (how.estimate != nullptr) outcome.estimate = how.estimate(all);
  return outcome;
}

inline SelectionOptions some_options(std::int64_t first_stage) {
  SelectionOptions options;
  options.delta = 0.5;
  options.confidence = 0.9;
  options.first_stage = first_stage;
  options.rounds = 4;
  options.batch = 10;
  options.budget = 30'000;
  return options;
}

inline constexpr NormalSystem slippage{0, 0.5, 0, 1, 1};

}  // namespace sporos::test::normal_systems
