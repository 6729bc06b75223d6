// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures, on each backend of this build, the two speed-ups that Cheng (2014), Massively parallel programming in
// statistical optimization & simulation, reports besides Table 1. The first is for 1000 successive log-likelihoods of a
// mixture of ten components with 32 768 observations (section 3.2). The second is for 7168 runs of an M/M/3/5 queue,
// each from empty until the last of 50 000 customers has left (section 4).
#include "../harness/option_parser.hpp"
#include "paper_000.hpp"
#include "program.hpp"

#include <sporos/core/io/json.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>
#include <sporos/models/queues/mmck.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::papers;
using io::Json;

struct Options {
  std::int64_t evaluations = 1000;
  std::int64_t replications = 7168, customers = 50'000;
  std::int64_t repeats = 3;
  std::vector<std::string> queues{"4:1:3:5"}, backends, reports;
  double expected_wait = 1;
  std::string json;
};

// Seconds of the evaluations. The host waits for each, as a simplex search does.
template <class ExecutionSpace>
double likelihood_seconds(const ExecutionSpace& space, const Options& options) {
  const models::NormalMixture mixture = some_mixture();
  const models::Observations sample = sample_of(mixture);
  models::MixtureLikelihood<ExecutionSpace> likelihood(sample, space);
  const auto batch = models::to_batch<ExecutionSpace>({mixture});
  const Vector<ExecutionSpace> values("sporos::bench::values", 1);
  const auto evaluate = [&] {
    likelihood.evaluate(batch, values);
    space.fence();
  };
  evaluate();
  const double found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values)(0);
  check_likelihood(found, sample, mixture);
  const Kokkos::Timer timer;
  for (std::int64_t i = 0; i < options.evaluations; ++i) evaluate();
  return timer.seconds();
}

// Reads a queue: "4:1:3:5" for λ = 4, μ = 1, c = 3 and k = 5.
models::MMCK queue_of(const std::string& text, std::int64_t customers) {
  std::istringstream stream(text);
  models::MMCK queue{0, 0, 0, 0, customers, 1};
  char colons[3] = {};
  stream >> queue.arrival_rate >> colons[0] >> queue.service_rate >> colons[1] >> queue.servers >> colons[2] >>
      queue.capacity;
  if (!stream || !stream.eof() || std::string(colons, 3) != ":::") {
    throw std::invalid_argument(
        fmt::format("--queues has {}; give arrival rate, service rate, servers and capacity "
                    "of each queue, as in 4:1:3:5",
                    io::in_quotes(text)));
  }
  queue.check();
  return queue;
}

// Runs a queue from empty. Returns the mean number in system with its half-width, and the mean wait, whose exact value
// is known.
template <class ExecutionSpace>
Json queue_run(const ExecutionSpace& space, const std::string& text, const Options& options) {
  const models::MMCK model = queue_of(text, options.customers);
  const auto exact_wait = model.exact_means()[2];
  if (!exact_wait) throw std::invalid_argument(text + " has no exact mean wait; give fewer customers or less capacity");
  Plan plan;
  plan.replications = options.replications;
  PointResult result;
  const double seconds = least_seconds(space, options.repeats, [&] { result = simulate(space, model, plan); });
  const ResponseEstimate &number = result.responses[0], &wait = result.responses[2];
  const double exact = *exact_wait * options.expected_wait;
  const double reach = 3 * wait.half_width;  // six standard errors
  if (!(std::abs(wait.mean - exact) <= reach)) {
    throw std::runtime_error(
        fmt::format("{}: the mean wait is {:.6f}, expected {:.6f} ± {:.6f}", text, wait.mean, exact, reach));
  }
  models::MMCK stationary = model;
  stationary.from_empty = 0;
  return {{"queue", text},
          {"seconds", seconds},
          {"mean_number", number.mean},
          {"half_width", number.half_width},
          {"stationary_number", *stationary.exact_means()[0]},
          {"mean_wait", wait.mean},
          {"exact_wait", exact}};
}

template <class ExecutionSpace>
Json run_of(const ExecutionSpace& space, const Options& options) {
  double likelihood = INFINITY;
  for (std::int64_t i = 0; i < options.repeats; ++i) {
    likelihood = std::min(likelihood, likelihood_seconds(space, options));
  }
  Json queues = Json::array();
  for (const std::string& queue : options.queues) queues.push_back(queue_run(space, queue, options));
  return {{"evaluations", options.evaluations},
          {"likelihood_seconds", likelihood},
          {"replications", options.replications},
          {"customers", options.customers},
          {"queues", queues}};
}

std::string seconds_text(double seconds) { return fmt::format("{:.3g}", seconds); }

double number_of(const Json& run, const char* name) { return run.at(name).get<double>(); }

// Speed-up of a run relative to the first one; empty for the first one itself.
std::string ratio_text(bool is_first, double first, double own) {
  return is_first ? std::string() : fmt::format("{:.3g}", first / own);
}

std::string mean_text(const Json& queue) {
  return fmt::format("{:.4f} ± {:.4f}", number_of(queue, "mean_number"), number_of(queue, "half_width"));
}

// Prints the times of the likelihood and of the first queue, with speed-ups relative to the first run.
void print_speed_ups(const Json& runs) {
  io::Table table({{"on", Column::text},
                   {"1000 likelihoods, s", Column::number},
                   {"ratio", Column::number},
                   {"queues, s", Column::number},
                   {"ratio", Column::number},
                   {"mean number in system", Column::number}});
  table.add_row({"paper: Intel G2030", "11.19", "", "59.59", "", "3.583"});
  table.add_row({"paper: Tesla C2075", "0.094", "119", "2.06", "29", "3.583"});
  const auto likelihood = [](const Json& run) {
    return number_of(run, "likelihood_seconds") / number_of(run, "evaluations") * 1000;
  };
  const Json& first = runs.front();
  for (const Json& run : runs) {
    const bool is_first = &run == &first;
    const double seconds = number_of(run.at("queues")[0], "seconds");
    table.add_row({place_of(run), seconds_text(likelihood(run)),
                   ratio_text(is_first, likelihood(first), likelihood(run)), seconds_text(seconds),
                   ratio_text(is_first, number_of(first.at("queues")[0], "seconds"), seconds),
                   mean_text(run.at("queues")[0])});
  }
  fmt::print("{} observations, {} components; {} queues {} of {} customers, from empty\n\n{}", observations, components,
             first["replications"].get<std::int64_t>(), first.at("queues")[0]["queue"].get<std::string>(),
             first["customers"].get<std::int64_t>(), table.text());
}

// Prints the times of all queues, with speed-ups relative to the first run.
void print_queues(const Json& runs) {
  std::vector<std::pair<std::string, Column>> columns{{"λ:μ:c:k", Column::text}};
  for (const Json& run : runs) {
    columns.emplace_back(run["backend"].get<std::string>() + ", s", Column::number);
    if (&run != &runs.front()) columns.emplace_back("ratio", Column::number);
  }
  columns.emplace_back("mean number in system", Column::number);
  columns.emplace_back("in equilibrium", Column::number);
  io::Table table(std::move(columns));
  const Json& first = runs.front().at("queues");
  for (std::size_t q = 0; q < first.size(); ++q) {
    std::vector<std::string> row{first[q]["queue"].get<std::string>()};
    for (const Json& run : runs) {
      const double seconds = number_of(run.at("queues").at(q), "seconds");
      row.push_back(seconds_text(seconds));
      if (&run != &runs.front()) row.push_back(ratio_text(false, number_of(first[q], "seconds"), seconds));
    }
    row.push_back(mean_text(first[q]));
    row.push_back(fixed(number_of(first[q], "stationary_number"), 4));
    table.add_row(row);
  }
  fmt::print("\n{}", table.text());
}

void run(const Options& options) {
  std::optional<io::OutputFile> file;
  if (!options.json.empty()) file.emplace(options.json);
  if (options.queues.empty()) throw std::invalid_argument("--queues is empty; give at least one queue, as in 4:1:3:5");
  for (const std::string& queue : options.queues) queue_of(queue, options.customers);
  Json runs = runs_of_files(options.reports);
  if (options.reports.empty()) {
    runs = runs_on(options.backends, [&](const auto& space) { return run_of(space, options); });
  }
  print_speed_ups(runs);
  if (runs.front().at("queues").size() > 1) print_queues(runs);
  if (file) file->write(Json{{"runs", runs}}.dump(1) + '\n');
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bench::OptionParser app("Paper 000: seconds of 1000 log-likelihoods and of 7168 queues, and their ratios.",
                          "paper_000_speed_ups");
  app.add_option("--evaluations", options.evaluations, "of the log-likelihood; the table has a thousand's time")
      .positive();
  app.add_option("--replications", options.replications, "of the queue").positive();
  app.add_option("--customers", options.customers, "of a replication").positive();
  app.add_option("--queues", options.queues,
                 "arrival rate, service rate, servers and capacity of each queue, as in 4:1:3:5")
      .separated_by_commas();
  app.add_option("--expected-wait", options.expected_wait,
                 "factor of the exact mean wait, for a control: the check fails with a value other than 1")
      .positive();
  app.add_option("--repeats", options.repeats, "of which the fastest counts").positive();
  app.add_option("--backends", options.backends, "of this build, instead of all").separated_by_commas();
  app.add_option("--json", options.json, "file that is written: everything that was found");
  app.add_option("--with", options.reports, "such files, whose runs make the table; nothing runs")
      .separated_by_commas();
  if (const auto status = app.parse(argc, argv)) return *status == 0 ? 0 : 2;
  return run_program([&] { run(options); });
}
