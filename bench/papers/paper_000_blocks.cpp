// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Repeats two remarks of Cheng (2014), Massively parallel programming in statistical optimization & simulation, on each
// backend of this build.
//
// Section 3.2: blocks had 64 to 512 threads. The program measures the likelihood and the queue for several block sizes,
// next to the library, which chooses its own. A block is a team; on a host, a team of one thread runs the whole block.
//
// Section 4: if replications read large data sets, they should advance together through blocks of the data. The program
// measures a single-server queue whose replications read one set of interarrival and service times, and each multiply
// the service times by another factor. It compares four sources of the times: blocks that a team loads into its
// scratch memory; the set in global memory; a separate set for each replication; and draws without any data.
#include "../harness/option_parser.hpp"
#include "paper_000.hpp"
#include "program.hpp"

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/io/picture_parts.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/models/mixtures/mixture_likelihood.hpp>
#include <sporos/models/queues/mmck.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::papers;
using io::Json;

constexpr std::int64_t most_lanes = 512;  // of a block
constexpr std::uint64_t seed = 1;

struct Options {
  std::vector<std::int64_t> blocks{64, 128, 256, 512}, data_blocks{64, 256, 1024};
  std::int64_t evaluations = 1000, replications = 7168, customers = 50'000, lanes = 64, repeats = 3;
  std::vector<std::string> parts{"blocks", "data"}, sources{"blocks", "shared", "separate", "drawn"}, backends, reports;
  std::string falsified, json, picture;

  bool has(const std::vector<std::string>& names, const char* name) const {
    return std::find(names.begin(), names.end(), name) != names.end();
  }
};

template <class ExecutionSpace>
using Blocks = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<most_lanes>>;

/// Teams for `count` tasks in blocks of `block`, with one task per thread on a device.
template <class ExecutionSpace>
Blocks<ExecutionSpace> policy_of(const ExecutionSpace& space, std::int64_t count, std::int64_t block) {
  const int threads = runs_on_host<ExecutionSpace> ? 1 : static_cast<int>(block);
  return {space, static_cast<int>((count + block - 1) / block), threads};
}

void check_same(const char* what, const std::vector<double>& found, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (found[i] == expected[i]) continue;
    throw std::runtime_error(
        fmt::format("{}: replication {} returns {:.17g}, expected {:.17g}", what, i, found[i], expected[i]));
  }
}

/// Terms of the log-likelihood of section 3.2, of which each task adds one.
template <class ExecutionSpace>
struct Terms {
  Vector<ExecutionSpace> values, parameters;  // parameters: weight over deviation, mean and deviation of each component
  std::int64_t block;

  KOKKOS_FUNCTION void operator()(const typename Blocks<ExecutionSpace>::member_type& team, double& sum) const {
    const std::int64_t first = team.league_rank() * block, size = static_cast<std::int64_t>(values.extent(0));
    for (std::int64_t i = team.team_rank(); i < block; i += team.team_size()) {
      if (first + i < size) sum += term(values(first + i));
    }
  }

  KOKKOS_FUNCTION double term(double y) const {
    double density = 0;
    for (std::int64_t c = 0; c < components; ++c) {
      const double z = (y - parameters(3 * c + 1)) / parameters(3 * c + 2);
      density += parameters(3 * c) * std::exp(-z * z / 2);
    }
    return std::log(density);
  }
};

template <class ExecutionSpace>
Terms<ExecutionSpace> terms_of(const ExecutionSpace& space, models::Observations sample, bool is_falsified) {
  constexpr double normal = 0.39894228040143267794;
  if (is_falsified) sample.values.pop_back();
  std::vector<double> parameters;
  for (const auto& [weight, mean, deviation] : some_mixture()) {
    parameters.insert(parameters.end(), {weight * normal / deviation, mean, deviation});
  }
  return {to_device<ExecutionSpace>(space, sample.values), to_device<ExecutionSpace>(space, parameters), 1};
}

/// Seconds of the likelihoods with the library, then with each block size.
template <class ExecutionSpace>
std::vector<double> likelihood_seconds(const ExecutionSpace& space, const Options& options) {
  const models::NormalMixture mixture = some_mixture();
  const models::Observations sample = sample_of(mixture);
  models::MixtureLikelihood<ExecutionSpace> likelihood(sample, space);
  const auto batch = models::to_batch<ExecutionSpace>({mixture});
  const Vector<ExecutionSpace> values("sporos::bench::values", 1);
  const auto seconds = [&](const auto& evaluate) {
    evaluate();
    return least_seconds(space, options.repeats, [&] {
      for (std::int64_t i = 0; i < options.evaluations; ++i) evaluate();
    });
  };
  std::vector<double> all{seconds([&] {
    likelihood.evaluate(batch, values);
    space.fence();
  })};
  Terms<ExecutionSpace> terms = terms_of(space, sample, options.falsified == "likelihood");
  for (const std::int64_t block : options.blocks) {
    terms.block = block;
    double sum = 0;
    all.push_back(seconds(
        [&] { Kokkos::parallel_reduce("bench::likelihood", policy_of(space, observations, block), terms, sum); }));
    check_launches<ExecutionSpace>();
    check_likelihood(sum, sample, mixture);
  }
  return all;
}

/// Keeps the mean number in system of each replication.
template <class ExecutionSpace>
struct NumberWriter {
  Vector<ExecutionSpace> numbers;

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const models::MMCK& queue, Inputs& inputs, const Replication& replication) const {
    numbers(replication.row) = queue(inputs)[0];
  }
};

/// Runs the replications of a launch in blocks.
template <class ExecutionSpace>
struct QueueBlocks {
  impl::Replicator<DefaultSource, Mapping::thread, models::MMCK, ExecutionSpace, NumberWriter<ExecutionSpace>>
      replicator;
  std::int64_t block;

  KOKKOS_FUNCTION void operator()(const typename Blocks<ExecutionSpace>::member_type& team) const {
    const std::int64_t first = team.league_rank() * block;
    for (std::int64_t i = team.team_rank(); i < block; i += team.team_size()) {
      if (first + i < replicator.range.count) replicator(first + i);
    }
  }
};

/// Seconds of the M/M/3/5 queues with the library, then with each block size.
template <class ExecutionSpace>
std::vector<double> queue_seconds(const ExecutionSpace& space, const Options& options) {
  const models::MMCK model{4, 1, 3, 5, options.customers, 1};
  const Design<models::MMCK, ExecutionSpace> design(model, seed);
  const NumberWriter<ExecutionSpace> writer{
      Vector<ExecutionSpace>("sporos::bench::numbers", static_cast<std::size_t>(options.replications))};
  const ReplicationRange range{0, options.replications};
  std::vector<double> all{least_seconds(space, options.repeats, [&] {
    for_each_replication("bench::queues", space, design, PreparedSource<ExecutionSpace>(), range, by_threads, writer);
  })};
  const std::vector<double> expected = to_host<ExecutionSpace>(space, writer.numbers);
  const ReplicationRange used{options.falsified == "queue" ? 1 : 0, options.replications};
  for (const std::int64_t block : options.blocks) {
    Kokkos::deep_copy(writer.numbers, 0.0);
    const QueueBlocks<ExecutionSpace> blocks{{design, PreparedSource<ExecutionSpace>().on_device(), used, writer},
                                             block};
    all.push_back(least_seconds(space, options.repeats, [&] {
      Kokkos::parallel_for("bench::queue_blocks", policy_of(space, options.replications, block), blocks);
    }));
    check_same("queues in blocks", to_host<ExecutionSpace>(space, writer.numbers), expected);
  }
  return all;
}

/// Times of a customer, in units of the mean interarrival time.
struct Customer {
  double gap, service;
};

/// Source of customers, which has two input variables.
struct Customers {
  enum Input { gap, service, input_count };
  std::int64_t count;

  template <class Inputs>
  KOKKOS_FUNCTION static Customer next(Inputs& inputs) {
    const double time = exponential_by_mean(inputs(gap), 1.0);
    return {time, exponential_by_mean(inputs(service), 1.0)};
  }
};

/// Customers of each data set: on a device, neighbouring sets alternate, so that a warp reads contiguous memory.
template <class ExecutionSpace>
using DataSets = Kokkos::View<Customer**, typename ExecutionSpace::array_layout, typename ExecutionSpace::memory_space>;

/// Waiting times in a single-server queue by Lindley's recursion.
struct Waits {
  double wait, sum;

  KOKKOS_FORCEINLINE_FUNCTION void add(const Customer& customer, double factor) {
    sum += wait;
    const double left = wait + factor * customer.service - customer.gap;
    wait = left > 0 ? left : 0;
  }
};

/// Factor of the service times, which is the utilization: 0.5 to 0.9, by replication.
KOKKOS_FORCEINLINE_FUNCTION double factor_of(std::int64_t replication, std::int64_t replications) {
  return 0.5 + 0.4 * static_cast<double>(replication) / static_cast<double>(replications);
}

/// Writes a data set for each replication.
template <class ExecutionSpace>
struct DataWriter {
  DataSets<ExecutionSpace> sets;

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Customers& customers, Inputs& inputs, const Replication& replication) const {
    for (std::int64_t i = 0; i < customers.count; ++i) sets(replication.row, i) = Customers::next(inputs);
  }
};

/// Draws the customers in place, without data.
template <class ExecutionSpace>
struct DrawnWaits {
  Vector<ExecutionSpace> means;

  template <class Inputs>
  KOKKOS_FUNCTION void operator()(const Customers& customers, Inputs& inputs, const Replication& replication) const {
    const double factor = factor_of(replication.row, static_cast<std::int64_t>(means.extent(0)));
    Waits waits{0, 0};
    for (std::int64_t i = 0; i < customers.count; ++i) waits.add(Customers::next(inputs), factor);
    means(replication.row) = waits.sum / static_cast<double>(customers.count);
  }
};

/// Reads the customers from global memory: all replications from one data set, or each from its own.
template <class ExecutionSpace>
struct ReadWaits {
  DataSets<ExecutionSpace> sets;
  Vector<ExecutionSpace> means;

  KOKKOS_FUNCTION void operator()(std::int64_t replication) const {
    const double factor = factor_of(replication, static_cast<std::int64_t>(means.extent(0)));
    const std::int64_t set = sets.extent(0) == 1 ? 0 : replication, count = static_cast<std::int64_t>(sets.extent(1));
    Waits waits{0, 0};
    for (std::int64_t i = 0; i < count; ++i) waits.add(sets(set, i), factor);
    means(replication) = waits.sum / static_cast<double>(count);
  }
};

/// Loads the customers block by block into the scratch memory of a team, whose replications advance together.
template <class ExecutionSpace>
struct SynchronizedWaits {
  using Team = typename Blocks<ExecutionSpace>::member_type;
  DataSets<ExecutionSpace> sets;
  Vector<ExecutionSpace> means;
  std::int64_t lanes, block, skipped;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    return static_cast<std::size_t>(block) * sizeof(Customer) + static_cast<std::size_t>(lanes) * sizeof(Waits);
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto* const data = static_cast<Customer*>(team.team_shmem().get_shmem(static_cast<int>(scratch_bytes())));
    auto* const waits = reinterpret_cast<Waits*>(data + block);
    for (std::int64_t lane = team.team_rank(); lane < lanes; lane += team.team_size()) waits[lane] = {0, 0};
    const std::int64_t size = static_cast<std::int64_t>(sets.extent(1));
    for (std::int64_t first = 0; first < size; first += block) {
      const std::int64_t count = size - first < block ? size - first : block;
      for (std::int64_t i = team.team_rank(); i < count; i += team.team_size()) data[i] = sets(0, first + i);
      team.team_barrier();
      for (std::int64_t lane = team.team_rank(); lane < lanes; lane += team.team_size()) {
        waits[lane] = advanced(waits[lane], data, count - skipped, factor_of(row(team, lane), replications()));
      }
      team.team_barrier();
    }
    for (std::int64_t lane = team.team_rank(); lane < lanes; lane += team.team_size()) {
      if (row(team, lane) < replications()) means(row(team, lane)) = waits[lane].sum / static_cast<double>(size);
    }
  }

 private:
  KOKKOS_FUNCTION std::int64_t replications() const { return static_cast<std::int64_t>(means.extent(0)); }
  KOKKOS_FUNCTION std::int64_t row(const Team& team, std::int64_t lane) const {
    return team.league_rank() * lanes + lane;
  }
  KOKKOS_FUNCTION static Waits advanced(Waits waits, const Customer* data, std::int64_t count, double factor) {
    for (std::int64_t i = 0; i < count; ++i) waits.add(data[i], factor);
    return waits;
  }
};

/// Data sets of the first `count` replications.
template <class ExecutionSpace>
DataSets<ExecutionSpace> data_sets(const ExecutionSpace& space, std::int64_t count, std::int64_t customers) {
  check_memory<typename ExecutionSpace::memory_space>(
      {"data sets", count, "replications", static_cast<double>(customers) * sizeof(Customer)});
  const DataSets<ExecutionSpace> sets(Kokkos::view_alloc(Kokkos::WithoutInitializing, "bench::customers"),
                                      static_cast<std::size_t>(count), static_cast<std::size_t>(customers));
  for_each_replication("bench::data", space, Design<Customers, ExecutionSpace>({customers}, seed),
                       PreparedSource<ExecutionSpace>(), {0, count}, by_threads, DataWriter<ExecutionSpace>{sets});
  space.fence();
  return sets;
}

/// Measures the sources of data. `means` holds the mean wait of each replication.
template <class ExecutionSpace>
class DataComparison {
 public:
  DataComparison(const ExecutionSpace& space, const Options& options)
      : m_space(space),
        m_options(options),
        m_means("sporos::bench::means", static_cast<std::size_t>(options.replications)) {}

  Json results() {
    Json found = {{"lanes", m_options.lanes}, {"customers", m_options.customers}};
    if (wants("shared") || wants("blocks")) add_shared(found);
    if (wants("separate") || wants("drawn")) add_separate(found);
    return found;
  }

 private:
  using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

  bool wants(const char* source) const { return m_options.has(m_options.sources, source); }
  template <class Work>
  double seconds(const Work& work) {
    Kokkos::deep_copy(m_means, 0.0);
    return least_seconds(m_space, m_options.repeats, work);
  }
  std::vector<double> means() const { return to_host<ExecutionSpace>(m_space, m_means); }
  double read_seconds(const DataSets<ExecutionSpace>& sets) {
    return seconds([&] {
      Kokkos::parallel_for("bench::read", Range(m_space, 0, m_options.replications),
                           ReadWaits<ExecutionSpace>{sets, m_means});
    });
  }

  void add_shared(Json& found) {
    const auto sets = data_sets(m_space, 1, m_options.customers);
    const auto on_host = Kokkos::create_mirror(Kokkos::HostSpace(), sets);
    found["copy_seconds"] = least_seconds(m_space, m_options.repeats, [&] { Kokkos::deep_copy(on_host, sets); });
    found["shared"] = read_seconds(sets);
    const std::vector<double> expected = means();
    if (!wants("blocks")) return;
    for (const std::int64_t block : m_options.data_blocks) {
      const SynchronizedWaits<ExecutionSpace> waits{sets, m_means, m_options.lanes, block,
                                                    m_options.falsified == "data" ? 1 : 0};
      auto policy = policy_of(m_space, m_options.replications, m_options.lanes);
      policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(waits.scratch_bytes())));
      found["blocks"][std::to_string(block)] =
          seconds([&] { Kokkos::parallel_for("bench::synchronized", policy, waits); });
      check_same("blocks of data", means(), expected);
    }
  }

  void add_separate(Json& found) {
    const std::uint64_t drawn_seed = m_options.falsified == "draws" ? seed + 1 : seed;
    const Design<Customers, ExecutionSpace> design({m_options.customers}, drawn_seed);
    std::vector<double> expected;
    if (wants("separate")) {
      found["separate"] = read_seconds(data_sets(m_space, m_options.replications, m_options.customers));
      expected = means();
    }
    if (!wants("drawn")) return;
    found["drawn"] = seconds([&] {
      for_each_replication("bench::drawn", m_space, design, PreparedSource<ExecutionSpace>(),
                           {0, m_options.replications}, by_threads, DrawnWaits<ExecutionSpace>{m_means});
    });
    check_same("draws in place", means(), expected);
  }

  const ExecutionSpace& m_space;
  const Options& m_options;
  Vector<ExecutionSpace> m_means;
};

template <class ExecutionSpace>
Json run_of(const ExecutionSpace& space, const Options& options) {
  Json found = {{"replications", options.replications}};
  if (options.has(options.parts, "blocks")) {
    found["evaluations"] = options.evaluations;
    found["customers"] = options.customers;
    found["blocks"] = options.blocks;
    found["likelihood_seconds"] = likelihood_seconds(space, options);
    found["queue_seconds"] = queue_seconds(space, options);
  }
  if (options.has(options.parts, "data")) found["data"] = DataComparison<ExecutionSpace>(space, options).results();
  return found;
}

std::string milliseconds(const Json& seconds) { return fmt::format("{:.4g}", 1e3 * seconds.get<double>()); }

void print_blocks(const Json& runs) {
  io::Table table({{"on", Column::text},
                   {"block", Column::number},
                   {"likelihoods, ms", Column::number},
                   {"queues, ms", Column::number}});
  for (const Json& run : runs) {
    if (!run.contains("blocks")) continue;
    for (std::size_t i = 0; i < run["likelihood_seconds"].size(); ++i) {
      table.add_row({i == 0 ? place_of(run) : "", i == 0 ? "library" : run["blocks"].at(i - 1).dump(),
                     milliseconds(run["likelihood_seconds"][i]), milliseconds(run["queue_seconds"].at(i))});
    }
  }
  fmt::print("{}\n", table.text());
}

void print_data(const Json& runs) {
  io::Table table(
      {{"on", Column::text}, {"customers", Column::number}, {"source", Column::text}, {"ms", Column::number}});
  for (const Json& run : runs) {
    if (!run.contains("data")) continue;
    const Json& data = run["data"];
    const auto add = [&](const std::string& source, const Json& seconds) {
      table.add_row({place_of(run), data.at("customers").dump(), source, milliseconds(seconds)});
    };
    if (data.contains("blocks")) {
      for (const auto& [block, seconds] : data["blocks"].items()) add("one set, blocks of " + block, seconds);
    }
    for (const auto& [name, source] : {std::pair{"shared", "one set, read by each"},
                                       {"separate", "a set for each"},
                                       {"drawn", "drawn in place"},
                                       {"copy_seconds", "copy of one set"}}) {
      if (data.contains(name)) add(source, data[name]);
    }
  }
  fmt::print("{}\n", table.text());
}

/// Script of a panel: relative time against block size, with a line for each backend.
std::string panel_of(const Json& runs, const char* member, const char* title, double left) {
  static constexpr const char* colors[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7"};
  std::string data, plot;
  std::size_t line = 0;
  for (const Json& run : runs) {
    if (!run.contains("blocks")) continue;
    const std::vector<double> seconds = run.at(member);
    const double least = *std::min_element(seconds.begin() + 1, seconds.end());
    data += fmt::format("$line{}{} << EOD\n", member, line);
    for (std::size_t i = 1; i < seconds.size(); ++i) {
      data += fmt::format("{} {}\n", run["blocks"].at(i - 1).dump(), seconds[i] / least);
    }
    data += "EOD\n";
    plot += fmt::format("{}$line{}{} using 1:2 with linespoints pointtype {} linewidth 2 linecolor rgb '{}' title {}",
                        line == 0 ? "plot " : ", ", member, line, 2 * line + 5, colors[line % std::size(colors)],
                        io::in_gnuplot_quotes(run["backend"].get<std::string>()));
    ++line;
  }
  return data + io::quiet_axes() +
         fmt::format(
             "set key bottom right\nset logscale x 2\nset xtics (64, 128, 256, 512)\nset xrange [56:585]\n"
             "set yrange [0:*]\nset lmargin at screen {}\nset rmargin at screen {}\nset bmargin at screen 0.14\n"
             "set tmargin at screen 0.86\nset title {}\nset xlabel 'block size'\n"
             "set ylabel 'time / shortest time'\n",
             left, left + 0.41, io::in_gnuplot_quotes(title)) +
         plot + '\n';
}

std::string picture_of(const Json& runs) {
  return "set multiplot\n" + panel_of(runs, "likelihood_seconds", "1000 log-likelihoods", 0.07) +
         panel_of(runs, "queue_seconds", "M/M/3/5 queues", 0.57) + "unset multiplot\n";
}

void check(const Options& options) {
  for (const std::int64_t block : options.blocks) {
    if (block > 0 && (block & (block - 1)) == 0) continue;
    throw std::invalid_argument(
        fmt::format("--blocks has {}; give powers of two, which reductions of teams require", block));
  }
  if (options.has(options.sources, "drawn") && !options.has(options.sources, "separate")) {
    throw std::invalid_argument("--sources has drawn without separate; give both, because they are compared");
  }
}

void run(const Options& options) {
  check(options);
  std::optional<io::OutputFile> file;
  std::optional<io::PictureFile> picture;
  if (!options.json.empty()) file.emplace(options.json);
  if (!options.picture.empty()) picture.emplace(options.picture);
  Json runs = runs_of_files(options.reports);
  if (options.reports.empty()) {
    runs = runs_on(options.backends, [&](const auto& space) { return run_of(space, options); });
  }
  print_blocks(runs);
  print_data(runs);
  if (picture) picture->draw(picture_of(runs));
  if (file) file->write(Json{{"runs", runs}}.dump(1) + '\n');
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bench::OptionParser app("Paper 000: times for several block sizes, and replications that share blocks of data.",
                          "paper_000_blocks");
  app.add_option("--parts", options.parts, "blocks, data or both").one_of({"blocks", "data"}).separated_by_commas();
  app.add_option("--blocks", options.blocks, "block sizes of the likelihood and the queue")
      .between(1, most_lanes)
      .separated_by_commas();
  app.add_option("--evaluations", options.evaluations, "number of log-likelihoods").positive();
  app.add_option("--replications", options.replications).between(1, 1 << 30);
  app.add_option("--customers", options.customers, "of a replication").positive();
  app.add_option("--sources", options.sources, "of the data: blocks, shared, separate, drawn")
      .one_of({"blocks", "shared", "separate", "drawn"})
      .separated_by_commas();
  app.add_option("--data-blocks", options.data_blocks, "customers of a block of data")
      .between(1, 2048)
      .separated_by_commas();
  app.add_option("--lanes", options.lanes, "replications of a team that share blocks of data").between(1, most_lanes);
  app.add_option("--falsify", options.falsified, "result to falsify, so that a check fails")
      .one_of({"likelihood", "queue", "data", "draws"});
  app.add_option("--repeats", options.repeats, "of which the fastest counts").positive();
  app.add_option("--backends", options.backends, "of this build, instead of all").separated_by_commas();
  app.add_option("--json", options.json, "file to write: all results");
  app.add_option("--with", options.reports, "such files, which make the tables; nothing runs").separated_by_commas();
  app.add_option("--picture", options.picture, "SVG or PNG file to write: time by block size; requires gnuplot");
  if (const auto status = app.parse(argc, argv)) return *status == 0 ? 0 : 2;
  return run_program([&] { run(options); });
}
