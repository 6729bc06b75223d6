// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/count.hpp>
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

// Next sample size at which to screen.
std::int64_t grown(std::int64_t size, double growth) {
  return std::max(size + 1, checked_count("replications of a system", std::ceil(static_cast<double>(size) * growth),
                                          "raise delta, or use a smaller growth of samples"));
}

// Constants from quadrature are cached: many selections use the same one in turn, and computing it takes longer than a
// small selection.
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

std::string whole_text(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.0f", number);
  return text.data();
}

std::string probability_text(const SelectionOptions& options) { return number_text(100 * options.confidence) + " %"; }

std::string good_selection(const SelectionOptions& options, std::int64_t) {
  return "with probability " + probability_text(options) + " no other mean is better by more than " +
         number_text(options.delta) + ", if replications are normal";
}

std::string correct_selection(const SelectionOptions& options, std::int64_t) {
  return "with probability " + probability_text(options) +
         " this is the best system, if the best is better than all "
         "others by " +
         number_text(options.delta) + " and replications are normal";
}

std::string survivors_that_are_kept(const SelectionOptions& options, std::int64_t) {
  return "on average at most " + number_text(100 * (1 - options.confidence)) +
         " % of the systems at least as good as the survivors' mean were dropped, if replications are normal; there is "
         "no guarantee for the best survivor";
}

std::string approximate_correct_selection(const SelectionOptions& options, std::int64_t systems) {
  return correct_selection(options, systems) + ", approximately, because variances are estimated during the run";
}

std::string best_among_survivors(const SelectionOptions& options, std::int64_t) {
  return "with probability " + probability_text(options) +
         " the best system is among the survivors, if replications are normal";
}

std::string correct_comparison(const SelectionOptions& options, std::int64_t) {
  return "with probability " + probability_text(options) +
         " the standard is retained if no system is better, and the best system is selected if it is better than the "
         "standard and all others by " +
         number_text(options.delta) + "; if replications are normal";
}

std::string correct_feasible_selection(const SelectionOptions& options, std::int64_t) {
  return "with probability " + probability_text(options) +
         " the best of the systems that meet each constraint by its tolerance is selected, if it is better by " +
         number_text(options.delta) +
         " than all others that exceed no constraint by its tolerance, and no system is selected if each exceeds a "
         "constraint by its tolerance; if replications are normal";
}

std::string no_guarantee(const SelectionOptions& options, std::int64_t) {
  return "none; the procedure allocates a budget of " + std::to_string(options.budget) + " replications";
}

double estimated_correct_selection(ReplicatedSystems& systems) { return systems.estimated_correct_selection(); }

constexpr auto all_procedures = std::to_array<SelectionProcedure>({
    {"gsp", "screening of all pairs, then Rinott's second stage", false, true, false, false, 50, good_selection,
     select_by_gsp},
    {"rinott", "two stages", false, true, false, false, 50, good_selection, select_by_rinott},
    {"kn", "sequential, by Kim and Nelson", true, true, false, false, 20, correct_selection, select_by_kn},
    {"kn++", "kn with updated variances", true, true, false, false, 50, approximate_correct_selection,
     select_by_kn_plus},
    {"biz", "sequential, by posterior probabilities", false, true, false, false, 50, approximate_correct_selection,
     select_by_biz},
    {"kt", "knockout tournament", true, true, false, false, 20, correct_selection, select_by_tournament},
    {"bi-pass", "screening by the survivors' mean", true, false, false, false, 20, survivors_that_are_kept,
     select_by_bi_pass},
    {"subset", "subset of systems that may be best", true, false, false, false, 50, best_among_survivors,
     select_subset},
    {"standard", "comparison with a known mean", true, true, false, false, 20, correct_comparison,
     compare_with_standard},
    {"constrained-kn", "kn with simultaneous constraint checks", true, true, false, true, 20,
     correct_feasible_selection, select_by_constrained_kn},
    {"ocba", "optimal allocation of a budget", false, false, true, false, 10, no_guarantee, select_by_ocba,
     estimated_correct_selection},
    {"fbkt", "knockout tournament with a budget", true, false, true, false, 10, no_guarantee,
     select_by_fixed_budget_tournament},
});

// Smallest budget per system that suffices for the first stage and, with FBKT, the first round.
double min_budget(const SelectionProcedure& procedure, const SelectionOptions& options) {
  const auto first_stage = static_cast<double>(options.first_stage);
  return procedure.run == select_by_ocba ? first_stage : first_stage + options.phi * options.phi;
}

// Throws if the procedure whose function is `run` cannot run with these options and systems.
void check(decltype(SelectionProcedure::run) run, const SelectionOptions& options, const ReplicatedSystems& systems) {
  const auto procedure = std::ranges::find(all_procedures, run, &SelectionProcedure::run);
  check_selection(*procedure, options, systems.count(), systems.has_common_random_numbers(),
                  static_cast<std::size_t>(systems.constraints()));
}

}  // namespace

std::span<const SelectionProcedure> selection_procedures() { return all_procedures; }

void select(const SelectionProcedure& procedure, ReplicatedSystems& systems, const SelectionOptions& options,
            const SelectionObserver& observer) {
  while (true) {
    try {
      return procedure.run(systems, options, observer);
    } catch (const SystemFailedLate&) {
      systems.begin_again();
      tell(observer, beginning_again, systems);
    }
  }
}

void check_selection(const SelectionProcedure& procedure, const SelectionOptions& options, std::int64_t systems,
                     bool common_random_numbers, std::size_t constraints) {
  using impl::check_parameter;
  check_parameter(systems >= 2, "number of systems", systems, "at least 2");
  if (procedure.has_delta) {
    check_parameter(options.delta > 0 && std::isfinite(options.delta), "delta", options.delta,
                    "a positive finite number");
  }
  const double least = 1 / static_cast<double>(systems);
  check_parameter(options.confidence > least && options.confidence < 1, "confidence", options.confidence,
                  "a number between 1 / " + std::to_string(systems) + " and 1");
  const std::int64_t min_first_stage = procedure.run == select_by_fixed_budget_tournament ? 0 : 2;
  check_parameter(options.first_stage >= min_first_stage, "first stage", options.first_stage,
                  "at least " + std::to_string(min_first_stage));
  check_parameter(options.rounds >= 0, "rounds", options.rounds, "at least 0");
  check_parameter(options.batch > 0 && std::isfinite(options.batch), "batch", options.batch,
                  "a positive finite number");
  check_parameter(options.growth >= 1 && std::isfinite(options.growth), "growth", options.growth, "at least 1");
  check_parameter(options.match_size >= 2, "match size", options.match_size, "at least 2");
  check_parameter(options.most >= options.first_stage || procedure.run != select_by_bi_pass, "most", options.most,
                  "at least the first stage, " + std::to_string(options.first_stage));
  check_parameter(options.allocations >= 1, "allocations", options.allocations, "at least 1");
  check_parameter(options.phi >= 2 && std::isfinite(options.phi), "phi", options.phi, "a finite number of at least 2");
  check_parameter(std::isfinite(options.standard), "standard", options.standard, "a finite number");
  if (procedure.has_budget) {
    const double wanted = std::ceil(min_budget(procedure, options) * static_cast<double>(systems));
    check_parameter(static_cast<double>(options.budget) >= wanted, "budget", options.budget,
                    "at least " + whole_text(wanted) + ", " + number_text(min_budget(procedure, options)) +
                        " replications of each system");
  }
  if (common_random_numbers && !procedure.allows_common_random_numbers) {
    throw std::invalid_argument("procedure " + std::string(procedure.name) +
                                " is for independent systems, expected no common random numbers");
  }
  if (procedure.has_constraints != (constraints > 0)) {
    throw std::invalid_argument("procedure " + std::string(procedure.name) +
                                (procedure.has_constraints ? " is for systems with constraints, expected at least one"
                                                           : " takes no constraints, expected constrained-kn"));
  }
  if (constraints == 0) return;
  if (options.tolerances.size() != constraints) {
    throw std::invalid_argument("number of tolerances is " + std::to_string(options.tolerances.size()) +
                                ", expected one for each of " + std::to_string(constraints) + " constraints");
  }
  for (const double tolerance : options.tolerances) {
    check_parameter(tolerance > 0 && std::isfinite(tolerance), "tolerance", tolerance, "a positive finite number");
  }
}

void select_by_rinott(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer) {
  check(select_by_rinott, options, systems);
  const double h = remembered(rinott_constant, systems.count(), options.first_stage, options.confidence);
  run_first_stage(systems, options, observer);
  systems.replicate({.fixed = options.first_stage, .of_variance = squared(h / options.delta)});
  tell(observer, "second stage", systems);
}

void select_by_gsp(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer) {
  check(select_by_gsp, options, systems);
  const std::int64_t k = systems.count(), n1 = options.first_stage;
  const double confidence = (1 + options.confidence) / 2;  // confidence of each of the two stages
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
  check(select_by_kn, options, systems);
  const double h_squared = kn_constant(systems.count(), options.first_stage, options.confidence);
  systems.keep_responses(options.first_stage);
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

void select_by_kn_plus(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer) {
  check(select_by_kn_plus, options, systems);
  const double h_squared = kn_plus_constant(systems.count(), options.confidence);
  const bool is_paired = systems.has_common_random_numbers();
  if (is_paired) systems.keep_responses(options.first_stage);
  run_first_stage(systems, options, observer);
  std::int64_t size = options.first_stage;
  while (true) {
    systems.screen(KimNelsonScreening{h_squared, options.delta, false});
    tell(observer, "screening", systems);
    if (systems.survivors() == 1) return;
    size = grown(size, options.growth);
    if (is_paired) systems.keep_responses(size);
    systems.replicate({.fixed = size});
    systems.end_first_stage();
  }
}

void select_by_biz(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer) {
  check(select_by_biz, options, systems);
  const double c = biz_constant(systems.count(), options.confidence);
  double wanted = options.confidence;
  run_first_stage(systems, options, observer);
  while (true) {
    wanted = systems.screen(PosteriorScreening{options.delta, c, wanted});
    tell(observer, "screening", systems);
    if (systems.survivors() == 1) return;
    systems.replicate({.of_variance = systems.next_size_by_variance(options.growth)});
    systems.end_first_stage();
  }
}

void select_by_tournament(ReplicatedSystems& systems, const SelectionOptions& options,
                          const SelectionObserver& observer) {
  check(select_by_tournament, options, systems);
  double confidence = options.confidence;
  systems.keep_responses(options.first_stage);
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
  check(select_by_bi_pass, options, systems);
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

void select_subset(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer) {
  check(select_subset, options, systems);
  const bool is_paired = systems.has_common_random_numbers();
  if (is_paired) systems.keep_responses(options.first_stage);
  run_first_stage(systems, options, observer);
  systems.screen(SubsetScreening{subset_constant(systems.count(), options.first_stage, options.confidence, is_paired)});
  tell(observer, "screening", systems);
}

void compare_with_standard(ReplicatedSystems& systems, const SelectionOptions& options,
                           const SelectionObserver& observer) {
  check(compare_with_standard, options, systems);
  const double h_squared = kn_constant(systems.count() + 1, options.first_stage, options.confidence);
  systems.keep_responses(options.first_stage);
  run_first_stage(systems, options, observer);
  bool is_standard_left = true;
  std::int64_t size = options.first_stage;
  while (true) {
    const KnownStandardScreening against_standard{h_squared, options.delta, options.standard};
    if (is_standard_left && systems.screen(against_standard) > 0) is_standard_left = false;
    if (systems.survivors() > 1) systems.screen(KimNelsonScreening{h_squared, options.delta, false});
    tell(observer, "screening", systems);
    if (systems.survivors() == 0 || (systems.survivors() == 1 && !is_standard_left)) return;
    size = grown(size, options.growth);
    systems.replicate({.fixed = size});
  }
}

void select_by_constrained_kn(ReplicatedSystems& systems, const SelectionOptions& options,
                              const SelectionObserver& observer) {
  check(select_by_constrained_kn, options, systems);
  const std::int64_t n0 = options.first_stage, errors = systems.count() + systems.constraints() - 1;
  const double error = (1 - options.confidence) / static_cast<double>(errors);
  const FeasibilityScreening constraints{kn_constant(errors + 1, n0, options.confidence), options.tolerances};
  const KimNelsonScreening comparison{one_sided_constant(n0, error), options.delta, false, true};
  systems.keep_responses(options.first_stage);
  run_first_stage(systems, options, observer);
  std::int64_t size = options.first_stage;
  while (true) {
    const std::int64_t feasible = systems.screen(constraints);
    if (feasible > 0 && systems.survivors() > 1) systems.screen(comparison);
    tell(observer, "screening", systems);
    if (systems.survivors() == 0 || (systems.survivors() == 1 && feasible > 0)) return;
    size = grown(size, options.growth);
    systems.replicate({.fixed = size});
  }
}

void select_by_ocba(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer) {
  check(select_by_ocba, options, systems);
  run_first_stage(systems, options, observer);
  const auto step =
      static_cast<double>(options.budget - systems.replications()) / static_cast<double>(options.allocations);
  for (std::int64_t left = options.allocations - 1; left >= 0; --left) {
    systems.replicate_by_ratios(options.budget - bounded_count(step * static_cast<double>(left)));
    systems.end_first_stage();
    tell(observer, "allocation", systems);
  }
}

void select_by_fixed_budget_tournament(ReplicatedSystems& systems, const SelectionOptions& options,
                                       const SelectionObserver& observer) {
  check(select_by_fixed_budget_tournament, options, systems);
  const bool is_seeded = options.first_stage > 0;
  if (is_seeded) {
    systems.replicate({.fixed = options.first_stage});
    tell(observer, "seeding", systems);
  }
  const std::int64_t spare = options.budget - systems.replications();
  const double ratio = (options.phi - 1) / options.phi;
  double power = 1, share = 0;  // ratio^r, and the rounds' share of the budget so far
  for (double round = 1; systems.survivors() > 1; ++round) {
    power *= ratio;
    share += round * power / ((options.phi - 1) * options.phi);
    const bool is_last = systems.survivors() == 2;
    const auto later = is_last ? 0 : bounded_count((1 - share) * static_cast<double>(spare));
    is_seeded ? systems.begin_seeded_matches() : systems.begin_matches(2);
    systems.replicate({.fixed = (options.budget - later - systems.replications()) / systems.in_matches()});
    systems.screen(MatchWinners{});
    tell(observer, "matches", systems);
  }
}

}  // namespace sporos
