// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects the best of 3249, 57 624 or 1 016 127 lines of three stations (all rates and buffers with given totals), by
// its throughput over 50 jobs after 2000. Reports seconds, replications, survivors, and the fraction of time spent in
// replications. Options are those of PyPRS's documentation: δ = 0.1, α = 0.05 and n₁ = 50; 10 rounds of 100 for GSP; n₀
// = 20 and matches of 20 with common random numbers for KT; n₀ = 10 and at most 2000 replications for bi-PASS.
//
// --macro-replications N selects N times by the time per job, which is unbiased, with successive seeds, and compares
// with the exact times of all lines. The program reports the number of good selections, and the probability of so few
// if each is good with the promised probability. For bi-PASS it reports how many of the lines at least as good as the
// mean of the survivors were dropped.
//
// --exact solves all lines and reports the best, the number within δ of it, and the mean.
//
// --work-in-process C selects under the constraint that the mean number of jobs in the line is at most C. The
// constraint is estimated by time in line − C · time per job. With --exact the program also reports the best line that
// satisfies the constraint.
#include "../harness/program.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/models/queues/tandem_line.hpp>
#include <sporos/models/queues/tandem_line_chain.hpp>
#include <sporos/procedures/ranking_and_selection/device_systems.hpp>
#include <sporos/procedures/ranking_and_selection/selection_procedures.hpp>
#include <sporos/procedures/ranking_and_selection/system_grid.hpp>

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace sporos::bench {

namespace {

struct SelectionCase {
  std::vector<std::int64_t> totals{20, 50, 128};  // of rates, and of buffers
  std::vector<std::string> procedures{"gsp", "kt",      "fbkt",   "ocba",     "kn",     "kn++",
                                      "biz", "bi-pass", "subset", "standard", "rinott", "constrained-kn"};
  std::int64_t warm_up = 2000, jobs = 50;
  std::uint64_t seed = 1;
  std::int64_t budget = 80;  // average number of replications of a system
  double standard = 5;
  bool independent = false;
  std::int64_t macro_replications = 0;
  double time_delta = 0.003;  // difference in time per job that is worth detecting
  std::string backend;        // backend of the macro-replications; empty: all
  bool exact = false;
  double work_in_process = 0;  // upper bound on the mean number in the line; 0: no constraint
  double tolerance = 0.005;    // tolerance of that constraint, in units of time
};

SystemGrid lines(std::int64_t total) {
  const auto from_one = [](const char* name, std::int64_t most) {
    GridAxis axis{name, std::vector<double>(static_cast<std::size_t>(most))};
    std::iota(axis.values.begin(), axis.values.end(), 1.0);
    return axis;
  };
  return SystemGrid({from_one("rate_1", total - 2), from_one("rate_2", total - 2), from_one("rate_3", total - 2),
                     from_one("buffer_2", total - 1), from_one("buffer_3", total - 1)},
                    {{{"rate_1", "rate_2", "rate_3"}, total}, {{"buffer_2", "buffer_3"}, total}});
}

// Options of PyPRS's documentation. Budgets are 80 replications per system; PyPRS's FBKT used 81.6.
SelectionOptions options_of(const SelectionProcedure& procedure, const SelectionCase& of, std::int64_t systems) {
  SelectionOptions options;
  options.delta = 0.1;
  options.first_stage = procedure.name == "bi-pass" ? 10 : procedure.default_first_stage;
  options.match_size = 20;
  options.budget = of.budget * systems;
  options.standard = of.standard;
  if (procedure.has_constraints) options.tolerances = {of.tolerance};
  return options;
}

// Whether to run a procedure. A procedure for constrained problems runs only if a constraint is given.
bool is_run(const SelectionProcedure& procedure, const SelectionCase& of) {
  if (procedure.has_constraints && of.work_in_process == 0) return false;
  return std::ranges::count(of.procedures, procedure.name) > 0;
}

// Whether the procedure uses common random numbers, as in PyPRS.
bool has_common_numbers(const SelectionProcedure& procedure, const SelectionCase& of) {
  return !of.independent && (procedure.name == "kn" || procedure.name == "kt" || procedure.has_constraints);
}

// Little's law: the mean number in the line is the mean time in line divided by the mean time per job.
std::vector<ResponseConstraint> constraints_of(const SelectionProcedure& procedure, const SelectionCase& of) {
  if (!procedure.has_constraints) return {};
  return {{{-of.work_in_process, 0, 1, 0}, 0}};
}

template <class Space>
void run_procedure(benchmark::State& state, const Space& space, const SelectionProcedure& procedure, std::int64_t total,
                   const SelectionCase& of) {
  models::TandemLine line = default_model<models::TandemLine>();
  line.warm_up = of.warm_up;
  line.jobs = of.jobs;
  const SystemGrid grid = lines(total);
  const SystemResponse throughput{1, false, of.seed, has_common_numbers(procedure, of), constraints_of(procedure, of)};
  for (auto _ : state) {
    const Kokkos::Timer timer;
    auto systems = systems_of(space, line, grid, throughput);
    const double begun = timer.seconds();
    std::string steps;
    std::int64_t reported = 0;
    procedure.run(systems, options_of(procedure, of, grid.size()), [&](const SelectionStep& step) {
      if (reported > 0 && 10 * step.survivors > 9 * reported) return;
      reported = step.survivors;
      steps += " " + std::to_string(step.survivors);
    });
    const auto selected = systems.best(1);
    const double seconds = timer.seconds(), replications = static_cast<double>(systems.replications());
    state.SetIterationTime(seconds);
    const double exponentials = 3 * replications * static_cast<double>(of.warm_up + of.jobs);
    state.counters["systems"] = static_cast<double>(grid.size());
    state.counters["replications"] = replications;
    state.counters["survivors"] = static_cast<double>(systems.survivors());
    state.counters["seconds_before"] = begun;
    state.counters["share_in_replications"] = systems.seconds_in_replications() / seconds;
    state.counters["replications_per_second"] = replications / seconds;
    state.counters["exponentials_per_second"] = exponentials / seconds;
    std::string label = selected.empty() ? "none" : "best";
    for (const SystemEstimate& best : selected) {
      state.counters["mean"] = best.mean;
      for (const double value : grid.values_of(best.system)) label += " " + std::to_string(static_cast<int>(value));
    }
    state.SetLabel(label + ", survivors" + steps);
  }
}

models::TandemLine line_of(const SystemGrid& grid, std::int64_t system) {
  const auto values = grid.values_of(system);
  return {values[0], values[1], values[2], static_cast<std::int64_t>(values[3]), static_cast<std::int64_t>(values[4]),
          0,         1};
}

// Exact throughputs of all lines, computed on all cores. For lines whose upper bound is below `least`, returns that
// bound.
std::vector<double> exact_throughputs(const SystemGrid& grid, double least) {
  std::vector<double> found(static_cast<std::size_t>(grid.size()));
  std::atomic<std::int64_t> next = 0;
  const auto solve = [&] {
    constexpr std::int64_t chunk = 64;
    for (std::int64_t first = next.fetch_add(chunk); first < grid.size(); first = next.fetch_add(chunk)) {
      for (std::int64_t system = first; system < std::min(first + chunk, grid.size()); ++system) {
        const models::TandemLine line = line_of(grid, system);
        const double bound = throughput_bound(line);
        found[static_cast<std::size_t>(system)] = bound < least ? bound : exact_throughput(line);
      }
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < std::max(std::thread::hardware_concurrency(), 1u); ++i) threads.emplace_back(solve);
  threads.clear();
  return found;
}

std::string values_text(const SystemGrid& grid, std::int64_t system) {
  std::string text;
  for (const double value : grid.values_of(system)) text.append(" ").append(std::to_string(static_cast<int>(value)));
  return text;
}

// The best line and those within δ = 0.1 have an upper bound of at least the best known throughput minus δ. The best
// known throughput is that of lines with nearly equal rates and buffers.
void tell_exact(std::int64_t total) {
  constexpr double delta = 0.1;
  const SystemGrid grid = lines(total);
  const Kokkos::Timer timer;
  double known = 0;
  for (std::int64_t system = 0; system < grid.size(); ++system) {
    const models::TandemLine line = line_of(grid, system);
    const double third = static_cast<double>(total) / 3;
    const bool is_even = std::max({line.rate_1, line.rate_2, line.rate_3}) < third + 2 && line.buffer_2 == total / 2;
    if (is_even) known = std::max(known, exact_throughput(line));
  }
  const auto exact = exact_throughputs(grid, known - delta);
  const auto best = std::ranges::max_element(exact);
  const auto good = std::ranges::count_if(exact, [&](double value) { return value >= *best - delta; });
  std::printf("%ld lines: best%s with %.9g, %ld within %g of it; %.1f s\n", static_cast<long>(grid.size()),
              values_text(grid, best - exact.begin()).c_str(), *best, static_cast<long>(good), delta, timer.seconds());
}

// Finds the best line that satisfies the constraint. Solves lines in decreasing order of their bounds, until the bounds
// are below the best.
void tell_exact_under_constraint(std::int64_t total, double work_in_process) {
  const SystemGrid grid = lines(total);
  const Kokkos::Timer timer;
  std::vector<std::int64_t> order(static_cast<std::size_t>(grid.size()));
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> bounds;
  for (const std::int64_t system : order) bounds.push_back(throughput_bound(line_of(grid, system)));
  std::ranges::sort(order, std::greater(),
                    [&](std::int64_t system) { return bounds[static_cast<std::size_t>(system)]; });
  models::LineInEquilibrium best{0, 0};
  std::int64_t at = 0;
  for (const std::int64_t system : order) {
    if (bounds[static_cast<std::size_t>(system)] < best.throughput) break;
    const auto found = exact_equilibrium(line_of(grid, system));
    if (found.work_in_process > work_in_process || found.throughput <= best.throughput) continue;
    best = found;
    at = system;
  }
  std::printf("work in process of %g at most: best%s with %.9g, work in process %.9g; %.1f s\n", work_in_process,
              values_text(grid, at).c_str(), best.throughput, best.work_in_process, timer.seconds());
}

// Probability of at most `good` good selections in `runs` if each is good with probability p.
double probability_of_so_few(std::int64_t good, std::int64_t runs, double p) {
  return boost::math::cdf(boost::math::binomial(static_cast<double>(runs), p), static_cast<double>(good));
}

// Exact excess of each line over the constraint, in units of time; −∞ without a constraint.
std::vector<double> exact_excesses(const SelectionProcedure& procedure, const SystemGrid& grid,
                                   const SelectionCase& of) {
  std::vector<double> excesses(static_cast<std::size_t>(grid.size()), -std::numeric_limits<double>::infinity());
  if (!procedure.has_constraints) return excesses;
  for (std::int64_t system = 0; system < grid.size(); ++system) {
    const auto exact = exact_equilibrium(line_of(grid, system));
    excesses[static_cast<std::size_t>(system)] = (exact.work_in_process - of.work_in_process) / exact.throughput;
  }
  return excesses;
}

template <class Space>
void tell_macro_replications(const Space& space, const SelectionProcedure& procedure, std::int64_t total,
                             const SelectionCase& of) {
  models::TandemLine line = default_model<models::TandemLine>();
  line.warm_up = of.warm_up;
  line.jobs = of.jobs;
  const SystemGrid grid = lines(total);
  std::vector<double> times = exact_throughputs(grid, 0);
  for (double& time : times) time = 1 / time;
  const std::vector<double> excesses = exact_excesses(procedure, grid, of);
  const auto excess = [&](std::int64_t system) { return excesses[static_cast<std::size_t>(system)]; };
  double best = std::numeric_limits<double>::infinity();
  for (std::int64_t system = 0; system < grid.size(); ++system) {
    if (excess(system) <= -of.tolerance) best = std::min(best, times[static_cast<std::size_t>(system)]);
  }
  SelectionOptions options = options_of(procedure, of, grid.size());
  options.delta = of.time_delta;
  const bool is_subset = !procedure.has_delta;
  std::int64_t good = 0, within = std::ranges::count_if(times, [&](double t) { return t <= best + options.delta; });
  double dropped = 0, greatest = 0;
  for (std::int64_t run = 0; run < of.macro_replications; ++run) {
    auto systems = systems_of(space, line, grid,
                              {0, true, of.seed + static_cast<std::uint64_t>(run), has_common_numbers(procedure, of),
                               constraints_of(procedure, of)});
    procedure.run(systems, options, {});
    const auto left = systems.best(std::numeric_limits<std::size_t>::max());
    if (left.empty() || excess(left.front().system) >= of.tolerance) continue;
    greatest = std::max(greatest, times[static_cast<std::size_t>(left.front().system)] - best);
    if (times[static_cast<std::size_t>(left.front().system)] <= best + options.delta) ++good;
    if (!is_subset) continue;
    double standard = 0;
    for (const auto& estimate : left) standard += times[static_cast<std::size_t>(estimate.system)];
    standard /= static_cast<double>(left.size());
    const auto at_least_as_good = std::ranges::count_if(times, [&](double t) { return t <= standard; });
    const auto kept = std::ranges::count_if(
        left, [&](const SystemEstimate& e) { return times[static_cast<std::size_t>(e.system)] <= standard; });
    dropped += static_cast<double>(at_least_as_good - kept) / static_cast<double>(at_least_as_good);
  }
  const std::string title = std::string(backend_name<Space>()) + "/" + std::string(procedure.name);
  const auto runs = static_cast<double>(of.macro_replications);
  if (is_subset) {
    std::printf(
        "%s: of lines at least as good as the mean of those left %.4f dropped on average, promised at most %g\n",
        title.c_str(), dropped / runs, 1 - options.confidence);
  } else {
    if (procedure.has_constraints) {
      std::printf("%s: work in process of %g at most, with a tolerance of %g of time\n", title.c_str(),
                  of.work_in_process, of.tolerance);
    }
    std::printf(
        "%s: %ld of %ld selections good (%ld lines within %g of %.6g), worst by %.3g; promised %g, p-value %.3g\n",
        title.c_str(), static_cast<long>(good), static_cast<long>(of.macro_replications), static_cast<long>(within),
        options.delta, best, greatest, options.confidence,
        probability_of_so_few(good, of.macro_replications, options.confidence));
  }
}

template <class Tell>
void tell_instead_of_measuring(const SelectionCase& of, const Tell& tell) {
  for_each_backend([&]<class Space>(const Space& space) {
    if (!of.backend.empty() && of.backend != backend_name<Space>()) return;
    for (const SelectionProcedure& procedure : selection_procedures()) {
      if (!is_run(procedure, of)) continue;
      for (const std::int64_t total : of.totals) tell(space, procedure, total);
    }
  });
}

void add_all(const SelectionCase& of) {
  if (of.exact) {
    for (const std::int64_t total : of.totals) {
      tell_exact(total);
      if (of.work_in_process > 0) tell_exact_under_constraint(total, of.work_in_process);
    }
    return;
  }
  if (of.macro_replications > 0) {
    tell_instead_of_measuring(of, [&](const auto& space, const SelectionProcedure& procedure, std::int64_t total) {
      tell_macro_replications(space, procedure, total, of);
    });
    return;
  }
  for_each_backend([&]<class Space>(const Space& space) {
    for (const std::int64_t total : of.totals) {
      for (const SelectionProcedure& procedure : selection_procedures()) {
        if (!is_run(procedure, of)) continue;
        const std::string title = std::string(backend_name<Space>()) + "/" + std::string(procedure.name) + "/" +
                                  std::to_string(lines(total).size());
        const auto measure = [=, &procedure](benchmark::State& state) {
          run_procedure(state, space, procedure, total, of);
        };
        benchmark::RegisterBenchmark(title.c_str(), measure)
            ->UseManualTime()
            ->Iterations(1)
            ->Unit(benchmark::kMillisecond);
      }
    }
  });
}

}  // namespace

}  // namespace sporos::bench

int main(int argc, char** argv) {
  sporos::bench::SelectionCase of;
  sporos::bench::OptionParser app("Selections of the best line of three stations; takes --benchmark_... options too.",
                                  "bench_select");
  app.add_option("--totals", of.totals, "of rates and of buffers: 20, 50, 128").separated_by_commas();
  app.add_option("--procedures", of.procedures, "their names").separated_by_commas();
  app.add_option("--warm-up", of.warm_up, "jobs before those that are measured").non_negative();
  app.add_option("--jobs", of.jobs, "that are measured").positive();
  app.add_option("--budget", of.budget, "of fbkt and ocba: replications of a system, on average").positive();
  app.add_option("--standard", of.standard, "the throughput that standard compares with");
  app.add_flag("--independent", of.independent, "random numbers for kn and kt, too");
  app.add_flag("--exact", of.exact, "solve all lines, and select nothing");
  app.add_option("--work-in-process", of.work_in_process, "at most, on average, for constrained-kn").positive();
  app.add_option("--tolerance", of.tolerance, "of this constraint, in units of time").positive();
  app.add_option("--macro-replications", of.macro_replications, "select so often, and count good selections")
      .non_negative();
  app.add_option("--backend", of.backend, "backend to use; default: all");
  app.add_option("--time-delta", of.time_delta, "for these, the difference of times per job worth detecting")
      .positive();
  app.add_option("--seed", of.seed, "of the random numbers");
  return sporos::bench::run_benchmarks(app, argc, argv, [&] { sporos::bench::add_all(of); });
}
