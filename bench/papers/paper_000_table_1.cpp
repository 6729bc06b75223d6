// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Table 1 of Cheng (2014), Massively parallel programming in statistical optimization & simulation: seconds to fit all
// normal mixtures of 1 to 10 components to samples of seven sizes, on each backend of this build. The sample of the
// paper is not public; this program uses invented_losses.
#include "../harness/option_parser.hpp"
#include "program.hpp"

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/models/mixtures/loss_given_default.hpp>
#include <sporos/models/mixtures/mixture_starts.hpp>
#include <sporos/models/mixtures/observation_file.hpp>
#include <sporos/procedures/mixture_fit.hpp>
#include <sporos/procedures/mixture_json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::papers;
using io::Json;

struct Printed {
  std::int64_t size;
  double cpu, gpu, ratio;  // seconds, and the ratio as printed
};
constexpr std::array paper{Printed{500, 19.1, 7.46, 2.6},    Printed{1000, 50.8, 13.2, 3.9},
                           Printed{2000, 99.9, 12.3, 8.1},   Printed{4000, 359.0, 21.6, 16.6},
                           Printed{7051, 547.6, 21.6, 25.4}, Printed{14102, 1043, 27.4, 38.0},
                           Printed{28204, 3435, 50.2, 68.4}};

struct Setup {
  std::vector<std::int64_t> sizes;
  std::vector<std::string> backends, methods{"nelder-mead", "em"}, reports;
  MixtureFitOptions fit;
  std::string coefficients{name_of(fit.nelder_mead.coefficients)};
  bool is_polished = false, is_table_only = false;
  std::int64_t repeats = 1, chosen = 0;
  std::vector<std::int64_t> sample_seeds{1};
  std::string data, json;
};

// The paper starts Nelder–Mead once for each k and does not use EM. By default, no EM follows here either.
MixtureFitOptions options_of(const Setup& setup, MixtureMethod method) {
  MixtureFitOptions options = setup.fit;
  if (method == MixtureMethod::em) {
    options.nelder_mead_starts = 0;
  } else {
    options.starts = 0;
    if (!setup.is_polished) options.em_iterations = 0;
  }
  return options;
}

std::string text_of(const Setup& setup, MixtureMethod method) {
  const bool is_em = method == MixtureMethod::em;
  const std::int64_t starts = is_em ? setup.fit.starts : setup.fit.nelder_mead_starts;
  const bool is_default = is_em || setup.coefficients == name_of(MixtureFitOptions().nelder_mead.coefficients);
  return fmt::format("{}{}, {} start{} for each k{}{}", is_em ? "EM" : "Nelder-Mead",
                     is_default ? "" : fmt::format(", {} coefficients", setup.coefficients), starts,
                     starts == 1 ? "" : "s", !is_em && setup.is_polished ? ", then EM" : "",
                     setup.fit.is_bayesian ? ", Bayesian" : "");
}

std::vector<double> losses(const Setup& setup, std::int64_t seed) {
  if (setup.data.empty()) return models::invented_losses(models::paper_losses_size, static_cast<std::uint64_t>(seed));
  return models::read_observations(setup.data).sample.values;
}

// For each size, the first start of the method: the mixture that is derived from quantiles.
Json starts_of(const models::Observations& sample, const MixtureFit& fit) {
  const models::MixtureStarts starts(sample, fit.floor);
  Json all = Json::array();
  for (const MixtureSizeFit& of : fit.sizes) {
    Json start = Json::array();
    for (const auto& component : starts.by_quantiles(of.components())) start.push_back(json_of(component));
    all.push_back(start);
  }
  return all;
}

// Fits one sample on one backend. Records the total seconds, and the seconds until EM begins to polish the result,
// which are those of the method without polishing.
template <class ExecutionSpace>
Json run(const ExecutionSpace& space, const models::Observations& sample, const Setup& setup, MixtureMethod method) {
  const MixtureFitOptions options = options_of(setup, method);
  std::vector<double> seconds, seconds_unpolished;
  MixtureFit fit;
  for (std::int64_t i = 0; i < setup.repeats; ++i) {
    std::optional<double> unpolished;
    Kokkos::fence();
    const Kokkos::Timer timer;
    fit = fit_mixtures(space, sample, options, [&](const MixtureFitProgress& progress) {
      if (!unpolished && progress.stage == "polishing") unpolished = timer.seconds();
      return Continuation::go_on;
    });
    seconds.push_back(timer.seconds());
    seconds_unpolished.push_back(unpolished.value_or(seconds.back()));
  }
  return {{"method", text_of(setup, method)},
          {"observations", sample.values.size()},
          {"backend", backend_name<ExecutionSpace>()},
          {"threads", runs_on_host<ExecutionSpace> ? space.concurrency() : 0},
          {"machine", device_name(ExecutionSpace())},
          {"seconds", seconds},
          {"seconds_unpolished", seconds_unpolished},
          {"first_starts", starts_of(sample, fit)},
          {"fit", json_of(fit)}};
}

// Runs the fits of one method to one sample on all requested backends.
Json runs_of(const Setup& setup, MixtureMethod method, std::int64_t seed, const models::Observations& sample) {
  Json runs = Json::array();
  for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace& space) {
    const std::string backend(backend_name<ExecutionSpace>());
    if (std::find(setup.backends.begin(), setup.backends.end(), backend) == setup.backends.end()) return;
    fmt::print(stderr, "n = {}: {} on {}\n", sample.values.size(), text_of(setup, method), backend);
    runs.push_back(run(space, sample, setup, method));
    runs.back()["sample_seed"] = seed;
  });
  return runs;
}

// Runs all requested fits: for each method and each invented sample, the sizes in order.
Json runs_of(const Setup& setup) {
  Json runs = Json::array();
  for (const std::string& name : setup.methods) {
    const auto method = parse_choice<MixtureMethod>(name);
    for (const std::int64_t seed : setup.sample_seeds) {
      const std::vector<double> all = losses(setup, seed);
      for (const std::int64_t size : setup.sizes) {
        for (Json& run : runs_of(setup, method, seed, models::table_1_sample(all, size, 1))) {
          runs.push_back(std::move(run));
        }
      }
    }
  }
  return runs;
}

double min_seconds(const Json& run) {
  const auto seconds = run["seconds"].get<std::vector<double>>();
  return *std::min_element(seconds.begin(), seconds.end());
}

std::int64_t evaluations(const Json& run) {
  std::int64_t sum = 0;
  for (const Json& size : run["fit"]["sizes"]) {
    for (const Json& start : size["starts"]) sum += start["evaluations"].get<std::int64_t>();
  }
  return sum;
}

// Largest difference between the log-likelihoods of two runs for the same number of components.
double difference(const Json& run, const Json& other) {
  double largest = 0;
  const Json &sizes = run["fit"]["sizes"], &others = other["fit"]["sizes"];
  for (std::size_t i = 0; i < std::min(sizes.size(), others.size()); ++i) {
    const double l = sizes[i]["log_likelihood"], expected = others[i]["log_likelihood"];
    largest = std::max(largest, std::abs(l - expected));
  }
  return largest;
}

std::string backend_text(const Json& run) {
  const auto threads = run["threads"].get<int>();
  return run["backend"].get<std::string>() + (threads > 1 ? fmt::format(", {} threads", threads) : "");
}

// Distinct values of a member, in order of first occurrence.
std::vector<std::string> values_of(const Json& runs, const char* name) {
  std::vector<std::string> values;
  for (const Json& run : runs) {
    const auto value = std::string(name) == "backend" ? backend_text(run) : run[name].get<std::string>();
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

Json runs_where(const Json& runs, const char* name, const Json& value) {
  Json found = Json::array();
  for (const Json& run : runs) {
    if (run[name] == value) found.push_back(run);
  }
  return found;
}

std::vector<std::int64_t> sizes_of(const Json& runs) {
  std::vector<std::int64_t> sizes;
  for (const Json& run : runs) sizes.push_back(run["observations"]);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::string seconds_text(double seconds) { return seconds < 100 ? fmt::format("{:.3g}", seconds) : fixed(seconds, 0); }

// Table of the times of one method.
std::string time_table(const Json& runs) {
  std::vector<std::pair<std::string, Column>> columns{
      {"n", Column::number}, {"paper: CPU", Column::number}, {"GPU", Column::number}, {"ratio", Column::number}};
  const auto backends = values_of(runs, "backend");
  for (const std::string& backend : backends) {
    columns.emplace_back(backend, Column::number);
    if (backend != backends.front()) columns.emplace_back("ratio", Column::number);
  }
  for (const char* name : {"evaluations", "k by BIC", "L apart"}) columns.emplace_back(name, Column::number);
  io::Table table(std::move(columns));
  for (const std::int64_t size : sizes_of(runs)) {
    const Json of_size = runs_where(runs, "observations", size);
    const auto printed =
        std::find_if(paper.begin(), paper.end(), [&](const Printed& column) { return column.size == size; });
    std::vector<std::string> row{std::to_string(size), "", "", ""};
    if (printed != paper.end()) {
      row = {row[0], seconds_text(printed->cpu), seconds_text(printed->gpu), fixed(printed->ratio, 1)};
    }
    double apart = 0;
    for (const std::string& backend : backends) {
      const auto found =
          std::find_if(of_size.begin(), of_size.end(), [&](const Json& run) { return backend_text(run) == backend; });
      const bool is_there = found != of_size.end();
      row.push_back(is_there ? seconds_text(min_seconds(*found)) : "");
      if (is_there) apart = std::max(apart, difference(*found, of_size.front()));
      if (backend == backends.front()) continue;
      const bool has_ratio = is_there && backend_text(of_size.front()) == backends.front();
      row.push_back(has_ratio ? fmt::format("{:.3g}", min_seconds(of_size.front()) / min_seconds(*found)) : "");
    }
    const Json& first = of_size.front();
    row.push_back(std::to_string(evaluations(first)));
    row.push_back(std::to_string(first["fit"]["chosen"].get<std::int64_t>()));
    row.push_back(fmt::format("{:.1g}", apart));
    table.add_row(row);
  }
  return table.text();
}

// BIC of each k minus the smallest BIC, on the first backend of each size. An asterisk marks a component at the floor.
std::string criterion_table(const Json& runs) {
  std::vector<std::pair<std::string, Column>> columns{{"n", Column::number}};
  for (const Json& size : runs.front()["fit"]["sizes"]) {
    columns.emplace_back(fmt::format("k = {}", size["components"].get<int>()), Column::number);
  }
  io::Table table(std::move(columns));
  for (const std::int64_t observations : sizes_of(runs)) {
    const Json run = runs_where(runs, "observations", observations).front();
    const Json& sizes = run["fit"]["sizes"];
    double least = sizes[0]["bic"];
    for (const Json& size : sizes) least = std::min(least, size["bic"].get<double>());
    std::vector<std::string> row{std::to_string(observations)};
    for (const Json& size : sizes) {
      const bool is_at_floor = std::any_of(size["mixture"].begin(), size["mixture"].end(),
                                           [](const Json& component) { return component["is_at_floor"].get<bool>(); });
      row.push_back(fixed(size["bic"].get<double>() - least, 1) + (is_at_floor ? "*" : ""));
    }
    table.add_row(row);
  }
  return table.text();
}

std::int64_t seed_of(const Json& run) { return run.value("sample_seed", std::int64_t{1}); }

bool has_several_samples(const Json& runs) {
  return std::any_of(runs.begin(), runs.end(), [&](const Json& run) { return seed_of(run) != seed_of(runs.front()); });
}

// Number of components that BIC chooses for each invented sample and each method, on the first backend.
std::string sample_table(const Json& runs) {
  const std::vector<std::string> methods = values_of(runs, "method");
  std::vector<std::pair<std::string, Column>> columns{{"sample", Column::number}, {"n", Column::number}};
  for (const std::string& method : methods) columns.emplace_back(method, Column::number);
  io::Table table(std::move(columns));
  std::vector<std::pair<std::int64_t, std::int64_t>> keys;
  for (const Json& run : runs) keys.emplace_back(seed_of(run), run["observations"]);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (const auto& key : keys) {
    std::vector<std::string> row{std::to_string(key.first), std::to_string(key.second)};
    for (const std::string& method : methods) {
      const auto found = std::find_if(runs.begin(), runs.end(), [&](const Json& run) {
        return seed_of(run) == key.first && run["observations"] == key.second && run["method"] == method;
      });
      row.push_back(found == runs.end() ? "" : std::to_string((*found)["fit"]["chosen"].get<std::int64_t>()));
    }
    table.add_row(row);
  }
  return table.text();
}

void print_tables(const Json& runs) {
  if (has_several_samples(runs)) {
    fmt::print("Components that BIC chooses:\n\n{}", sample_table(runs));
    return;
  }
  for (const std::string& method : values_of(runs, "method")) {
    const Json of = runs_where(runs, "method", method);
    fmt::print("{}; {}\n\n{}\nBIC above the least; * with a component at the floor:\n\n{}\n", method,
               fmt::join(values_of(of, "machine"), ", "), time_table(of), criterion_table(of));
  }
}

void check_chosen(const Json& runs, std::int64_t expected) {
  for (const Json& run : runs) {
    const std::int64_t chosen = run["fit"]["chosen"];
    if (run["observations"] != models::paper_losses_size || chosen == expected) continue;
    throw std::runtime_error(fmt::format("BIC chooses {} components for the {} observations, {} on {}, expected {}",
                                         chosen, models::paper_losses_size, run["method"].get<std::string>(),
                                         backend_text(run), expected));
  }
}

void set_backends(Setup& setup) {
  std::vector<std::string> all;
  for_each_backend([&]<class Space>(const Space&) { all.emplace_back(backend_name<Space>()); });
  if (setup.backends.empty()) setup.backends = all;
  for (const std::string& backend : setup.backends) {
    if (std::find(all.begin(), all.end(), backend) != all.end()) continue;
    throw std::invalid_argument(
        fmt::format("backend is {}, expected one of this build: {}", io::in_quotes(backend), fmt::join(all, ", ")));
  }
}

void run(Setup setup) {
  setup.fit.nelder_mead.coefficients = parse_choice<NelderMeadCoefficients>(setup.coefficients);
  if (setup.sizes.empty()) {
    for (const Printed& column : paper) setup.sizes.push_back(column.size);
  }
  set_backends(setup);
  if (!setup.data.empty() && setup.sample_seeds.size() > 1) {
    throw std::invalid_argument("--sample-seeds has several seeds with --data; give one of the two options");
  }
  std::optional<io::OutputFile> file;
  if (!setup.json.empty()) file.emplace(setup.json);
  Json runs = Json::array();
  for (const std::string& path : setup.reports) {
    const Json report = io::parse_json(path, io::read_text_file(path));
    for (const Json& run : io::json_list(report, path, "runs")) runs.push_back(run);
  }
  if (!setup.is_table_only) {
    for (Json& run : runs_of(setup)) runs.push_back(std::move(run));
  }
  print_tables(runs);
  if (file) file->write(Json{{"runs", runs}}.dump(1) + '\n');
  if (setup.chosen > 0) check_chosen(runs, setup.chosen);
}

}  // namespace

int main(int argc, char** argv) {
  Setup setup;
  setup.fit.nelder_mead_starts = 1;
  bench::OptionParser app("Paper 000, table 1: seconds of the fits of normal mixtures to samples of several sizes.",
                          "paper_000_table_1");
  app.add_option("--sizes", setup.sizes, "of samples").positive().separated_by_commas();
  app.add_option("--backends", setup.backends, "of this build, instead of all").separated_by_commas();
  app.add_option("--method", setup.methods, "em or nelder-mead, instead of both").separated_by_commas();
  app.add_option("--min-components", setup.fit.min_components);
  app.add_option("--max-components", setup.fit.max_components);
  app.add_option("--starts", setup.fit.starts, "of EM for each number of components");
  app.add_option("--tolerance", setup.fit.em_tolerance, "of EM: an iteration that raises L by less times |L| ends it");
  app.add_option("--nelder-mead-starts", setup.fit.nelder_mead_starts);
  app.add_option("--coefficients", setup.coefficients, "of Nelder-Mead: original, as in the paper, or adaptive")
      .one_of({"original", "adaptive"});
  app.add_flag("--polish", setup.is_polished, "let EM go on from where Nelder-Mead ends");
  app.add_option("--repeats", setup.repeats, "of which the fastest counts").positive();
  app.add_option("--seed", setup.fit.seed, "of the starts");
  app.add_flag("--bayesian", setup.fit.is_bayesian, "maximize the posterior density instead of the likelihood");
  app.add_option("--sample-seeds", setup.sample_seeds, "of the invented samples; several make a table of the chosen k")
      .positive()
      .separated_by_commas();
  app.add_option("--data", setup.data, "CSV file with 7051 observations, instead of invented ones");
  app.add_option("--json", setup.json, "file that is written: everything that was found");
  app.add_option("--with", setup.reports, "such files, whose runs are put into the tables too").separated_by_commas();
  app.add_flag("--tables", setup.is_table_only, "of those files alone; nothing runs");
  app.add_option("--chosen", setup.chosen, "fail where BIC chooses another number for the 7051 observations");
  if (const auto status = app.parse(argc, argv)) return *status == 0 ? 0 : 2;
  return run_program([&] { run(setup); });
}
