// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Germinal centres of Lee (2012), Hybrid parallel computing strategies for scientific computing applications, chapters
// 2 and 3: one for each process, in a body that grows with their number. Measures local steps between exchanges of
// different lengths, and the exchanges themselves. Prints JSON; bench/germinal_centre/germinal_centre.py runs this
// program.
#include "../germinal_centre/case.hpp"
#include "../germinal_centre/timed_processes.hpp"
#include "measuring_program.hpp"
#include "with_space.hpp"

#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/models/germinal_centre/germinal_centre_files.hpp>
#include <sporos/models/germinal_centre/germinal_centres.hpp>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::bench;

struct Options {
  std::string path, space = "serial";
  std::vector<int> exchanges = {1, 2, 5, 10, 60};
  int local_steps = 120, one_of = 0;
  double cells = 1;
};

constexpr std::uint64_t seed = 1;
constexpr int fewest_local_steps_before = 10;  // before the timed ones

// Seconds of an exchange.
struct ExchangeTime {
  double call;          // for the process that arrives last and waits for none: median over exchanges
  double with_waiting;  // with the wait for others: mean over exchanges and processes
};

// Computes the exchange time from the durations on each process.
ExchangeTime exchange_time(Processes& processes, const std::vector<double>& mine) {
  const auto all = gather(processes, std::span(mine));
  std::vector<double> calls = mine;
  for (std::size_t i = 0; i < all.size(); ++i) {
    double& call = calls[i % mine.size()];
    call = std::min(call, all[i]);
  }
  std::sort(calls.begin(), calls.end());
  return {calls[calls.size() / 2], std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size())};
}

// Times `steps` local steps of a case, in as many global steps as needed. `runners` are the processes that run; each of
// them works as its counterpart in `processes` would.
template <class Space>
nlohmann::json timed_run(const models::GerminalCentreCase& all, int steps, Processes& processes, Processes& runners) {
  TimedProcesses timed(processes);
  models::GerminalCentres<Space> centres(Space(), all, seed, timed);
  for (int done = 0; done < fewest_local_steps_before; done += all.steps_per_exchange) centres.advance();
  timed.taken_seconds();
  gather(runners, steps);  // all processes start together
  const std::clock_t clock = std::clock();
  const Kokkos::Timer timer;
  for (int done = 0; done < steps; done += all.steps_per_exchange) centres.advance();
  const double mine = timer.seconds();
  const double missing = 1 - static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC / mine;
  const ExchangeTime exchange = exchange_time(runners, timed.taken_seconds());
  return {{"steps_per_exchange", all.steps_per_exchange},
          {"local_steps", steps},
          {"seconds", greatest(runners, mine)},
          {"share_of_core", 1 - greatest(runners, missing)},
          {"exchange_seconds", exchange.call},
          {"exchange_seconds_with_waiting", exchange.with_waiting},
          {"agents", greatest(runners, centres.agents())}};
}

using Run = std::function<nlohmann::json(const models::GerminalCentreCase&, Processes&, Processes&)>;

Run run_on(const Options& options) {
  Run run;
  papers::with_space(options.space, [&]<class Space>(const Space&) {
    run = [steps = options.local_steps](const auto& all, Processes& processes, Processes& runners) {
      return timed_run<Space>(all, steps, processes, runners);
    };
  });
  return run;
}

void check(const Options& options, const Processes& runners) {
  for (const int exchange : options.exchanges) {
    if (options.local_steps % exchange == 0) continue;
    throw std::invalid_argument(fmt::format("--local-steps is {}, expected a multiple of the {} between two exchanges",
                                            options.local_steps, exchange));
  }
  if (options.one_of == 0 || runners.count() == 1) return;
  throw std::invalid_argument(fmt::format("--one-of is given to {} processes, expected to one", runners.count()));
}

nlohmann::json measured(const Options& options, Processes& runners) {
  check(options, runners);
  OneOfMany one_of_many(options.one_of);
  Processes& processes = options.one_of == 0 ? runners : one_of_many;
  auto all =
      with_centres(with_cells(models::read_germinal_centre_case(options.path), options.cells), processes.count());
  const Run run = run_on(options);
  auto runs = nlohmann::json::array();
  for (const int exchange : options.exchanges) {
    all.steps_per_exchange = exchange;
    runs.push_back(run(all, processes, runners));
  }
  const std::size_t bytes = all.kinds.size() * models::tally_count * sizeof(std::int64_t);
  return {{"space", options.space},       {"ranks", processes.count()}, {"runs", runs},
          {"elements", all.mesh.count()}, {"bytes_of_centre", bytes},   {"processor", processor_name()}};
}

void add_options(OptionParser& app, Options& options) {
  app.add_option("case", options.path, "file of the case, of which each process has one centre").required();
  app.add_option("--space", options.space, "backend: serial, openmp");
  app.add_option("--steps-per-exchange", options.exchanges, "local steps of a global one; one run for each")
      .separated_by_commas()
      .positive();
  app.add_option("--local-steps", options.local_steps, "that are timed, of each run").positive();
  app.add_option("--cells", options.cells, "times as many cells as in the case").positive();
  app.add_option("--one-of", options.one_of, "do what one of so many processes does, without a network").positive();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  OptionParser app("Germinal centres, one for each process, between exchanges of different lengths.",
                   "paper_002_germinal_centres");
  add_options(app, options);
  return papers::print_measured(app, argc, argv, [&](Processes& processes) { return measured(options, processes); });
}
