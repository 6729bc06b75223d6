// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/procedures/ranking_and_selection/constants.hpp>
#include <sporos/procedures/ranking_and_selection/selection_procedures.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <tuple>

namespace sporos {

namespace {

void tell(const SelectionObserver& observer, std::string_view stage, const ReplicatedSystems& systems) {
  if (observer) observer({stage, systems.survivors(), systems.replications()});
}

void run_first_stage(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer) {
  systems.replicate({.fixed = options.first_stage});
  systems.end_first_stage();
  tell(observer, "first stage", systems);
}

// The next sample size to look at.
std::int64_t grown(std::int64_t size, double growth) {
  return std::max(size + 1, static_cast<std::int64_t>(std::ceil(static_cast<double>(size) * growth)));
}

// A constant that many selections ask for one after the other: found by quadrature, it takes longer than a small one.
using Constant = double(std::int64_t, std::int64_t, double);

double remembered(Constant* constant, std::int64_t systems, std::int64_t first_stage, double confidence) {
  thread_local std::map<std::tuple<Constant*, std::int64_t, std::int64_t, double>, double> known;
  const auto [place, is_new] = known.try_emplace({constant, systems, first_stage, confidence});
  if (is_new) place->second = constant(systems, first_stage, confidence);
  return place->second;
}

double squared(double x) { return x * x; }

std::string number_text(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", number);
  return text.data();
}

std::string probability_text(const SelectionOptions& options) { return number_text(100 * options.confidence) + " %"; }

std::string good_selection(const SelectionOptions& options, std::int64_t) {
  return "with probability " + probability_text(options) + " the mean of no system is better by more than " +
         number_text(options.delta) + ", if replications are normal";
}

std::string correct_selection(const SelectionOptions& options, std::int64_t) {
  return "with probability " + probability_text(options) +
         " this is the best system, if the best is better than all "
         "others by " +
         number_text(options.delta) + " and replications are normal";
}

std::string survivors_that_are_kept(const SelectionOptions& options, std::int64_t) {
  return "of systems at least as good as the survivors' mean at most " + number_text(100 * (1 - options.confidence)) +
         " % were dropped on average, if replications are normal; of the best survivor there is no guarantee";
}

constexpr auto all_procedures = std::to_array<SelectionProcedure>({
    {"gsp", "screening of all pairs, then Rinott's second stage", false, true, 50, good_selection, select_by_gsp},
    {"rinott", "two stages", false, true, 50, good_selection, select_by_rinott},
    {"kn", "sequential, by Kim and Nelson", true, true, 20, correct_selection, select_by_kn},
    {"kt", "knockout tournament", true, true, 20, correct_selection, select_by_tournament},
    {"bi-pass", "survivors against their own mean", true, false, 20, survivors_that_are_kept, select_by_bi_pass},
});

}  // namespace

std::span<const SelectionProcedure> selection_procedures() { return all_procedures; }

void check_selection(const SelectionProcedure& procedure, const SelectionOptions& options, std::int64_t systems,
                     bool common_random_numbers) {
  using impl::check_parameter;
  check_parameter(systems >= 2, "number of systems", systems, "at least 2");
  if (procedure.has_delta) {
    check_parameter(options.delta > 0 && std::isfinite(options.delta), "delta", options.delta,
                    "a positive finite number");
  }
  const double least = 1 / static_cast<double>(systems);
  check_parameter(options.confidence > least && options.confidence < 1, "confidence", options.confidence,
                  "a number between 1 / " + std::to_string(systems) + " and 1");
  check_parameter(options.first_stage >= 2, "first stage", options.first_stage, "at least 2");
  check_parameter(options.rounds >= 0, "rounds", options.rounds, "at least 0");
  check_parameter(options.batch > 0 && std::isfinite(options.batch), "batch", options.batch,
                  "a positive finite number");
  check_parameter(options.growth >= 1 && std::isfinite(options.growth), "growth", options.growth, "at least 1");
  check_parameter(options.match_size >= 2, "match size", options.match_size, "at least 2");
  check_parameter(options.most >= options.first_stage || procedure.has_delta, "most", options.most,
                  "at least the first stage, " + std::to_string(options.first_stage));
  if (common_random_numbers && !procedure.allows_common_random_numbers) {
    throw std::invalid_argument("procedure " + std::string(procedure.name) +
                                " is for independent systems, expected no common random numbers");
  }
}

void select_by_rinott(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer) {
  const double h = remembered(rinott_constant, systems.count(), options.first_stage, options.confidence);
  run_first_stage(systems, options, observer);
  systems.replicate({.fixed = options.first_stage, .of_variance = squared(h / options.delta)});
  tell(observer, "second stage", systems);
}

void select_by_gsp(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer) {
  const std::int64_t k = systems.count(), n1 = options.first_stage;
  const double confidence = (1 + options.confidence) / 2;  // of screening, and of what comes after it
  const double eta = remembered(gsp_screening_constant, k, n1, confidence);
  const double h = remembered(rinott_constant, k, n1, confidence);
  run_first_stage(systems, options, observer);
  const double of_deviation = options.batch / systems.mean_deviation();
  const SampleSize last{.fixed = n1, .batches = options.rounds, .of_deviation = of_deviation};
  const GoodSelectionScreening rule{eta * std::sqrt(static_cast<double>(n1 - 1)), last};
  for (std::int64_t round = 0; round <= options.rounds; ++round) {
    if (round > 0) systems.replicate({.fixed = n1, .batches = round, .of_deviation = of_deviation});
    systems.screen(rule);
    tell(observer, "screening", systems);
    if (systems.survivors() == 1) return;
  }
  SampleSize size = last;
  size.of_variance = squared(h / options.delta);
  systems.replicate(size);
  tell(observer, "second stage", systems);
}

void select_by_kn(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer) {
  const double h_squared = kn_constant(systems.count(), options.first_stage, options.confidence);
  systems.keep_first_stage(options.first_stage);
  run_first_stage(systems, options, observer);
  std::int64_t size = options.first_stage;
  while (true) {
    systems.screen(KimNelsonScreening{h_squared, options.delta, false});
    tell(observer, "screening", systems);
    if (systems.survivors() == 1) return;
    size = grown(size, options.growth);
    systems.replicate({.fixed = size});
  }
}

void select_by_tournament(ReplicatedSystems& systems, const SelectionOptions& options,
                          const SelectionObserver& observer) {
  double confidence = options.confidence;
  systems.keep_first_stage(options.first_stage);
  while (systems.survivors() > 1) {
    confidence = (1 + confidence) / 2;
    systems.begin_matches(options.match_size);
    const double h_squared =
        kn_constant(std::min(options.match_size, systems.survivors()), options.first_stage, confidence);
    run_first_stage(systems, options, observer);
    std::int64_t size = options.first_stage;
    while (true) {
      systems.screen(KimNelsonScreening{h_squared, options.delta, true});
      tell(observer, "matches", systems);
      if (systems.in_matches() == 0) break;
      size = grown(size, options.growth);
      systems.replicate({.fixed = size});
    }
  }
}

void select_by_bi_pass(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer) {
  const double c = bi_pass_constant(1 - options.confidence);
  run_first_stage(systems, options, observer);
  std::int64_t size = options.first_stage;
  while (true) {
    systems.screen(StandardScreening{c, options.first_stage, systems.mean_of_means()});
    tell(observer, "screening", systems);
    if (systems.survivors() == 1 || size >= options.most) return;
    size = std::min(grown(size, options.growth), options.most);
    systems.replicate({.fixed = size});
  }
}

}  // namespace sporos
