// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures, on each backend of this build, the two speed-ups that Cheng (2014), Massively parallel programming in
// statistical optimization & simulation, reports besides Table 1. The first is for 1000 successive log-likelihoods of a
// mixture of ten components with 32 768 observations (section 3.2). The second is for 7168 runs of an M/M/3/5 queue,
// each from empty until the last of 50 000 customers has left (section 4).
#include "../harness/option_parser.hpp"
#include "program.hpp"

#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>
#include <sporos/models/queues/mmck.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::papers;
using io::Json;

constexpr std::int64_t observations = 32'768, components = 10;

struct Options {
  std::int64_t evaluations = 1000;
  std::int64_t replications = 7168, customers = 50'000;
  std::int64_t repeats = 3;
  std::vector<std::string> backends, reports;
  std::string json;
};

// A mixture with adjacent components; `sample_of` draws a sample of it.
models::NormalMixture some_mixture() {
  models::NormalMixture mixture;
  constexpr auto k = static_cast<double>(components);
  for (std::int64_t c = 0; c < components; ++c) mixture.push_back({1 / k, static_cast<double>(c), 0.5});
  return mixture;
}

models::Observations sample_of(const models::NormalMixture& mixture) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  models::Observations sample;
  for (std::int64_t i = 0; i < observations; ++i) {
    const auto& component = mixture[static_cast<std::size_t>(i) % mixture.size()];
    sample.values.push_back(component.mean + component.deviation * normal(engine));
  }
  return sample;
}

// Log-likelihood by equations (1), (3) and (5) of the paper, in long double.
double plain_likelihood(const models::Observations& sample, const models::NormalMixture& mixture) {
  constexpr long double normal = 0.398942280401432677939946059934L;
  long double sum = 0;
  for (const double y : sample.values) {
    long double density = 0;
    for (const auto& [weight, mean, deviation] : mixture) {
      const long double z = (static_cast<long double>(y) - mean) / deviation;
      density += weight * normal / deviation * std::exp(-z * z / 2);
    }
    sum += std::log(density);
  }
  return static_cast<double>(sum);
}

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
  const double expected = plain_likelihood(sample, mixture);
  if (!(std::abs(found / expected - 1) < 1e-12)) {
    throw std::runtime_error(fmt::format("L is {:.17g}, expected {:.17g}", found, expected));
  }
  const Kokkos::Timer timer;
  for (std::int64_t i = 0; i < options.evaluations; ++i) evaluate();
  return timer.seconds();
}

// Runs the queue of the paper from empty. Reports the mean number in system with its half-width, and the mean wait,
// whose exact value is known.
struct QueueRun {
  double seconds, mean, half_width, wait, exact_wait;
};

template <class ExecutionSpace>
QueueRun queue_run(const ExecutionSpace& space, const Options& options) {
  const models::MMCK model{4, 1, 3, 5, options.customers, 1};
  Plan plan;
  plan.replications = options.replications;
  Kokkos::fence();
  const Kokkos::Timer timer;
  const PointResult result = simulate(space, model, plan);
  const double seconds = timer.seconds();
  const ResponseEstimate &number = result.responses[0], &wait = result.responses[2];
  const double exact = *model.exact_means()[2], reach = 3 * wait.half_width;  // six standard errors
  if (!(std::abs(wait.mean - exact) <= reach)) {
    throw std::runtime_error(fmt::format("the mean wait is {:.6f}, expected {:.6f} ± {:.6f}", wait.mean, exact, reach));
  }
  return {seconds, number.mean, number.half_width, wait.mean, exact};
}

Json measured(const Options& options) {
  Json runs = Json::array();
  for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace& space) {
    const std::string backend(backend_name<ExecutionSpace>());
    if (!options.backends.empty() &&
        std::find(options.backends.begin(), options.backends.end(), backend) == options.backends.end()) {
      return;
    }
    double likelihood = INFINITY;
    std::optional<QueueRun> queue;
    for (std::int64_t i = 0; i < options.repeats; ++i) {
      likelihood = std::min(likelihood, likelihood_seconds(space, options));
      const QueueRun run = queue_run(space, options);
      if (!queue || run.seconds < queue->seconds) queue = run;
    }
    runs.push_back({{"backend", backend},
                    {"threads", runs_on_host<ExecutionSpace> ? space.concurrency() : 0},
                    {"machine", device_name(ExecutionSpace())},
                    {"evaluations", options.evaluations},
                    {"likelihood_seconds", likelihood},
                    {"replications", options.replications},
                    {"customers", options.customers},
                    {"queue_seconds", queue->seconds},
                    {"mean_number", queue->mean},
                    {"half_width", queue->half_width},
                    {"mean_wait", queue->wait},
                    {"exact_wait", queue->exact_wait}});
  });
  return runs;
}

std::string seconds_text(double seconds) { return fmt::format("{:.3g}", seconds); }

// Prints the times, with speed-ups relative to the first run.
void print_tables(const Json& runs) {
  io::Table table({{"on", Column::text},
                   {"1000 likelihoods, s", Column::number},
                   {"ratio", Column::number},
                   {"M/M/3/5, s", Column::number},
                   {"ratio", Column::number},
                   {"mean number in system", Column::number}});
  table.add_row({"paper: Intel G2030", "11.19", "", "59.59", "", "3.583"});
  table.add_row({"paper: Tesla C2075", "0.094", "119", "2.06", "29", "3.583"});
  const auto of = [](const Json& run, const char* name) { return run[name].get<double>(); };
  const Json& first = runs.front();
  for (const Json& run : runs) {
    const auto ratio = [&](const char* name) {
      return &run == &first ? std::string() : fmt::format("{:.3g}", of(first, name) / of(run, name));
    };
    const std::int64_t threads = run["threads"];
    const std::string on = fmt::format("{}{}: {}", run["backend"].get<std::string>(),
                                       threads > 1 ? fmt::format(", {} threads", threads) : std::string(),
                                       run["machine"].get<std::string>());
    table.add_row({on, seconds_text(of(run, "likelihood_seconds") / of(run, "evaluations") * 1000),
                   ratio("likelihood_seconds"), seconds_text(of(run, "queue_seconds")), ratio("queue_seconds"),
                   fmt::format("{:.4f} ± {:.4f}", of(run, "mean_number"), of(run, "half_width"))});
  }
  fmt::print("{} observations, {} components; {} runs of {} customers, λ = 4, μ = 1, from empty\n\n{}", observations,
             components, first["replications"].get<std::int64_t>(), first["customers"].get<std::int64_t>(),
             table.text());
}

void run(const Options& options) {
  std::optional<io::OutputFile> file;
  if (!options.json.empty()) file.emplace(options.json);
  Json runs = Json::array();
  for (const std::string& path : options.reports) {
    const Json report = io::parse_json(path, io::read_text_file(path));
    for (const Json& run : io::json_list(report, path, "runs")) runs.push_back(run);
  }
  if (options.reports.empty()) runs = measured(options);
  if (runs.empty()) throw std::invalid_argument("no backend of this build is among --backends");
  print_tables(runs);
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
  app.add_option("--repeats", options.repeats, "of which the fastest counts").positive();
  app.add_option("--backends", options.backends, "of this build, instead of all").separated_by_commas();
  app.add_option("--json", options.json, "file that is written: everything that was found");
  app.add_option("--with", options.reports, "such files, whose runs make the table; nothing runs")
      .separated_by_commas();
  if (const auto status = app.parse(argc, argv)) return *status == 0 ? 0 : 2;
  return run_program([&] { run(options); });
}
