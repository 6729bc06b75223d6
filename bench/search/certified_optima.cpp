// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recomputes the certificates of SimOpt's problems whose optima have no formula: an interval that contains the optimum
// of a problem, or that of a grid. The interval must overlap the one in the registry, otherwise the exit status is 1.
// With --control each model has one parameter changed, and no interval may overlap.
#include "../harness/option_parser.hpp"

#include <sporos/core/execution/initialize.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/models/inventory/ss_inventory.hpp>
#include <sporos/models/queues/ambulance_bases.hpp>
#include <sporos/models/queues/amusement_park.hpp>
#include <sporos/models/queues/chess_platform.hpp>
#include <sporos/models/queues/restaurant.hpp>
#include <sporos/models/revenue/hotel.hpp>

#include <fmt/format.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace sporos;

struct Options {
  std::vector<std::string> problems;
  double scale = 1;
  bool is_control = false;
};

// Interval that contains the optimum, and a description of the result.
struct Certificate {
  double low, high;
  std::string reported;
};

constexpr double confidence = 0.999;

// Number of replications at the requested scale, at least 20.
std::int64_t scaled(double replications, const Options& options) {
  return std::max<std::int64_t>(20, std::llround(replications * options.scale));
}

template <class Model>
std::vector<ResponseEstimate> responses_of(const Model& model, std::int64_t replications, std::uint64_t seed) {
  Plan plan;
  plan.seed = seed;
  plan.replications = replications;
  plan.confidence = confidence;
  return simulate(Kokkos::DefaultHostExecutionSpace(), model, plan).responses;
}

// Returns the model with the decision variables of a problem set to x.
template <class Model>
Model decided(Model model, const DescribedProblem& problem, const std::vector<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    for_each_parameter<Model>([&](const auto& parameter) {
      if (parameter.name == problem.decisions[i].parameter)
        model.*parameter.member = static_cast<std::decay_t<decltype(model.*parameter.member)>>(x[i]);
    });
  return model;
}

struct Candidate {
  std::vector<double> x;
  double mean = 0, half_width = 0;
};

// Evaluates all candidates, keeps the best, evaluates these with more replications, and so on. Each stage uses new
// replications, common to all candidates. The best candidate comes first.
template <class Model>
std::vector<Candidate> selected(const Model& model, const DescribedProblem& problem, std::vector<Candidate> candidates,
                                const std::vector<std::pair<std::size_t, double>>& stages, const Options& options) {
  std::uint64_t seed = 100;
  for (const auto& [kept, replications] : stages) {
    candidates.resize(std::min(candidates.size(), kept));
    for (Candidate& one : candidates) {
      const auto objective = responses_of(decided(model, problem, one.x), scaled(replications, options), seed).front();
      one.mean = objective.mean, one.half_width = objective.half_width;
    }
    std::sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
      return problem.is_maximized ? a.mean > b.mean : a.mean < b.mean;
    });
    ++seed;
  }
  return candidates;
}

// Certificate of the best candidate's value.
Certificate of_selection(const std::vector<Candidate>& best, std::size_t all) {
  return {best[0].mean - best[0].half_width, best[0].mean + best[0].half_width,
          fmt::format("at {}, the best of {}; the last of {} is worse by {:.3g}", fmt::join(best[0].x, ", "), all,
                      best.size(), std::abs(best.back().mean - best[0].mean))};
}

// As the allowed difference grows, waiting decreases and the mean difference increases. If the waiting time exceeds the
// limit at the first point and is below it at the second, the optimum lies between them. With fewer replications, the
// points must be farther apart to be distinguished.
Certificate chess(const Options& options) {
  auto model = default_model<models::ChessPlatform>();
  if (options.is_control) model.gap_mean *= 2;
  const double apart = 0.2 / std::sqrt(std::min(options.scale, 1.0));
  const auto at = [&](double difference) {
    model.largest_difference = difference;
    return responses_of(model, scaled(100'000, options), 1);
  };
  const auto below = at(97.9 - apart), above = at(97.9 + apart);
  const std::string reported = fmt::format("waiting {:.4f} ± {:.4f} and {:.4f} ± {:.4f}", below[1].mean,
                                           below[1].half_width, above[1].mean, above[1].half_width);
  if (below[1].mean - below[1].half_width < 5 || above[1].mean + above[1].half_width > 5)
    return {HUGE_VAL, -HUGE_VAL, reported + ", the limit is not between"};
  return {below[0].mean - below[0].half_width, above[0].mean + above[0].half_width, reported};
}

// The expectation of the smallest sample average over a grid is not above the grid's optimum: Mak, Morton and Wood
// (1999), Monte Carlo bounding techniques for determining solution quality in stochastic programs, Oper. Res. Lett. 24.
// The value at the point that is best in all samples is not below it.
Certificate inventory(const Options& options) {
  const auto problem = models::SsInventory::problems().front();
  auto model = default_model<models::SsInventory>();
  if (options.is_control) model.lead_mean = 5;
  constexpr int samples = 7;
  const std::int64_t replications = scaled(40'000, options);
  std::vector<Candidate> grid;
  for (double reorder = 560; reorder <= 660; reorder += 20)
    for (double order = 60; order <= 180; order += 20) grid.push_back({{reorder, order}});
  double sum = 0, squares = 0;
  for (int sample = 1; sample <= samples; ++sample) {
    double least = HUGE_VAL;
    for (Candidate& one : grid) {
      const double mean = responses_of(decided(model, problem, one.x), replications, 10 + sample)[0].mean;
      one.mean += mean / samples;
      least = std::min(least, mean);
    }
    sum += least, squares += least * least;
  }
  const double mean = sum / samples,
               deviation = std::sqrt(std::max(0.0, squares - samples * mean * mean) / (samples - 1)),
               student = 5.96;  // two-sided 99.9 % quantile of Student's t with 6 degrees of freedom
  const auto best = *std::min_element(grid.begin(), grid.end(), [](auto& a, auto& b) { return a.mean < b.mean; });
  const auto own = responses_of(decided(model, problem, best.x), samples * replications, 1)[0];
  return {mean - student * deviation / std::sqrt(samples), own.mean + own.half_width,
          fmt::format("on a grid of {}: at {:g}, {:g}", grid.size(), best.x[0], best.x[1])};
}

// All sets of tables whose seats fit into the room.
Certificate restaurant(const Options& options) {
  const auto problem = models::Restaurant::problems().front();
  auto model = default_model<models::Restaurant>();
  if (options.is_control) model.groups = 70;
  std::vector<Candidate> sets;
  for (int eight = 0; eight <= 10; ++eight)
    for (int six = 0; six <= 13; ++six)
      for (int four = 0; four <= 20; ++four)
        for (int two = 0; two <= 40; ++two)
          if (2 * two + 4 * four + 6 * six + 8 * eight <= 80)
            sets.push_back({{double(two), double(four), double(six), double(eight)}});
  // A small part of the replications cannot distinguish the sets, so that only the known optimum is evaluated.
  const std::size_t all = options.scale < 1 ? 1 : sets.size();
  if (options.scale < 1) sets = {{problem.optimum->x}};
  return of_selection(
      selected(model, problem, sets, {{all, 1000}, {300, 20'000}, {12, 200'000}, {3, 400'000}}, options), all);
}

// Upper bound: the mean revenue of all requests, from the rates and hours of the model. Lower bound: the revenue with
// all limits at 100.
Certificate hotel(const Options& options) {
  const auto problem = models::Hotel::problems().front();
  auto model = default_model<models::Hotel>();
  if (options.is_control) model.demand = 0.5;
  const auto own = responses_of(decided(model, problem, problem.optimum->x), scaled(20'000, options), 1)[0];
  return {own.mean - own.half_width, 55'654.0 * model.demand, "above, the revenue of all requests"};
}

// The number lost at attraction i is the number of arrivals, less those served, less those still there, who are at most
// one more than its places. With weights w <= 1, lost >= Σ wᵢ arrivalsᵢ - Σ wᵢ servedᵢ - Σ wᵢ (placesᵢ + 1). With w =
// 2/3 for attractions 1 to 4 and 1 for the others, the routing leaves -1/3 of those served at attractions 5 to 7. Each
// of these serves at most as many as a renewal process, whose mean for two phases of rate μ is μ t / 2 - 1/4 + exp(-2 μ
// t) / 4.
Certificate park(const Options& options) {
  const auto problem = models::AmusementPark::problems().front();
  auto model = default_model<models::AmusementPark>();
  if (options.is_control) model.phase_mean = 0.16;
  const double rate = 1 / model.phase_mean,
               served = rate * model.length / 2 - 0.25 + std::exp(-2 * rate * model.length) / 4,
               weights = 4 * 2.0 / 3 + 3;
  const double below = weights * model.arrival_rate * model.length - served - static_cast<double>(model.room) - weights;
  const auto own = responses_of(decided(model, problem, problem.optimum->x), scaled(20'000, options), 1)[0];
  return {below, own.mean + own.half_width, "below, by those who came, were served and are still there"};
}

// The registry's optimum, and all unordered pairs of bases on a grid of step 2.
Certificate ambulances(const Options& options) {
  const auto problem = models::AmbulanceBases::problems().front();
  auto model = default_model<models::AmbulanceBases>();
  if (options.is_control) model.gap_mean = 7;
  std::vector<Candidate> pairs = {{problem.optimum->x}};
  for (int first = 0; first < 121; ++first)
    for (int second = 0; second <= first; ++second)
      pairs.push_back({{2.0 * (first / 11), 2.0 * (first % 11), 2.0 * (second / 11), 2.0 * (second % 11)}});
  const std::size_t all = options.scale < 1 ? 1 : pairs.size();
  pairs.resize(all);
  return of_selection(selected(model, problem, pairs, {{all, 300}, {300, 2000}, {30, 20'000}, {5, 100'000}}, options),
                      all);
}

int check_all(const Options& options) {
  const std::map<std::string, std::pair<std::function<Certificate(const Options&)>, KnownOptimum>> problems = {
      {"chess-1", {chess, *models::ChessPlatform::problems().front().optimum}},
      {"sscont-1", {inventory, *models::SsInventory::problems().front().optimum}},
      {"table-1", {restaurant, *models::Restaurant::problems().front().optimum}},
      {"hotel-1", {hotel, *models::Hotel::problems().front().optimum}},
      {"amusement-1", {park, *models::AmusementPark::problems().front().optimum}},
      {"ambulance-1", {ambulances, *models::AmbulanceBases::problems().front().optimum}}};
  int apart = 0;
  for (const auto& [name, known] : problems) {
    const auto& asked = options.problems;
    if (!asked.empty() && std::find(asked.begin(), asked.end(), name) == asked.end()) continue;
    const Certificate own = known.first(options);
    const KnownOptimum& reported = known.second;
    const bool meets =
        own.low <= reported.value + reported.half_width && own.high >= reported.value - reported.half_width;
    apart += meets ? 0 : 1;
    fmt::print("{:12} from {:.6g} to {:.6g}, reported {:.6g} ± {:.4g}: {}; {}\n", name, own.low, own.high,
               reported.value, reported.half_width, meets ? "meets" : "does not meet", own.reported);
    std::fflush(stdout);
  }
  return apart;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bench::OptionParser app("Certificates of optima that no formula gives, once more.", "certified_optima");
  app.add_option("--problems", options.problems, "separated by commas; default: all")
      .separated_by_commas()
      .one_of({"chess-1", "sscont-1", "table-1", "hotel-1", "amusement-1", "ambulance-1"});
  app.add_option("--scale", options.scale,
                 "of the numbers of replications; below 1 only the best of a set is looked at")
      .positive();
  app.add_flag("--control", options.is_control, "take another value of a parameter in each model");
  if (const auto status = app.parse(argc, argv)) return *status;
  const Kokkos::ScopeGuard kokkos(quiet_kokkos_settings({}));
  const int apart = check_all(options);
  fmt::print("{} {} not meet\n", apart, apart == 1 ? "certificate does" : "certificates do");
  return apart > 0 ? 1 : 0;
}
