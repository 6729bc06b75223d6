// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Section 5 of Aloui and Ourbih-Tari (2011), The use of refined descriptive sampling and applications in parallel Monte
// Carlo simulation: a master sends the N runs of a simulation to Q workers and receives their estimates, either with a
// message for each run (2N messages) or for each worker (2Q messages). Compares both schemes with Sporos, where all
// Q + 1 processes simulate and gather their results. The time of messages is split as in the paper's model: latency,
// over-cost (packing and unpacking) and transfer. Fails if the schemes estimate different means.
#include "../harness/option_parser.hpp"
#include "refined_descriptive.hpp"

#include <sporos/core/distributed/mpi.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/models/queues/mm1.hpp>

#include <mpi.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::papers;

using Host = Kokkos::DefaultHostExecutionSpace;

struct Options {
  std::vector<std::int64_t> workers;  // by default 1, 2 … up to all processes except the master
  std::int64_t runs = 5040, repeats = 7;
  std::string json;
  bool is_control = false;
};

// The parameters that the master sends (section 7.1.2), and the runs that a worker has to carry out.
struct Task {
  std::int64_t first, count;
  double arrival_rate, service_rate, horizon;
};

constexpr int time_in_queue = 0, queue_length = 3;  // responses of models::MM1
constexpr std::int64_t estimates_of_run = 2;

models::MM1 paper_queue() { return {1.0 / 3, 1.0 / 2, 0, 1200.0}; }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Seconds that a process has spent on runs, and on packing and unpacking.
struct Spent {
  double computation = 0, over_cost = 0;
};

// One exchange between a master, which is rank 0 of a communicator, and its workers. The runs are divided into `parts`,
// which the workers get in turns.
class Exchange {
 public:
  Exchange(MPI_Comm communicator, const Options& options, std::int64_t parts, bool simulates)
      : m_communicator(communicator), m_options(options), m_parts(parts), m_simulates(simulates) {
    MPI_Comm_rank(communicator, &m_rank);
    int processes = 0;
    MPI_Comm_size(communicator, &processes);
    m_workers = processes - 1;
    if (m_rank == 0) return;
    const auto rows = static_cast<std::size_t>(m_options.runs / m_parts + 1);
    m_outputs = Outputs<Host>("estimates", rows, response_count<models::MM1>);
  }

  // Returns the mean time in queue, on the master.
  double run() {
    if (m_rank == 0) return collect();
    for (std::int64_t part = m_rank - 1; part < m_parts; part += m_workers) work();
    return 0;
  }

  const Spent& spent() const { return m_spent; }

 private:
  int worker_of(std::int64_t part) const { return static_cast<int>(part % m_workers) + 1; }
  std::int64_t first_of(std::int64_t part) const { return m_options.runs * part / m_parts; }

  void send(std::int64_t part) const {
    const models::MM1 queue = paper_queue();
    const std::int64_t first = first_of(part), count = first_of(part + 1) - first;
    const Task task{m_options.is_control ? 0 : first, count, queue.arrival_rate, queue.service_rate, queue.horizon};
    MPI_Send(&task, sizeof(task), MPI_BYTE, worker_of(part), 0, m_communicator);
  }

  double collect() {
    for (std::int64_t part = 0; part < std::min(m_workers, m_parts); ++part) send(part);
    double sum = 0;
    for (std::int64_t part = 0; part < m_parts; ++part) {
      m_message.resize(static_cast<std::size_t>(estimates_of_run * (first_of(part + 1) - first_of(part))));
      MPI_Recv(m_message.data(), static_cast<int>(m_message.size()), MPI_DOUBLE, worker_of(part), 0, m_communicator,
               MPI_STATUS_IGNORE);
      if (part + m_workers < m_parts) send(part + m_workers);
      const Kokkos::Timer timer;
      for (std::size_t i = 0; i < m_message.size(); i += estimates_of_run) sum += m_message[i];
      m_spent.over_cost += timer.seconds();
    }
    return sum / static_cast<double>(m_options.runs);
  }

  void work() {
    Task task{};
    MPI_Recv(&task, sizeof(task), MPI_BYTE, 0, 0, m_communicator, MPI_STATUS_IGNORE);
    Kokkos::Timer timer;
    if (m_simulates) simulate_runs(task);
    m_spent.computation += timer.seconds();
    timer.reset();
    m_message.resize(static_cast<std::size_t>(estimates_of_run * task.count));
    for (std::int64_t run = 0; run < task.count; ++run) {
      m_message[static_cast<std::size_t>(estimates_of_run * run)] = m_outputs(run, time_in_queue);
      m_message[static_cast<std::size_t>(estimates_of_run * run + 1)] = m_outputs(run, queue_length);
    }
    m_spent.over_cost += timer.seconds();
    MPI_Send(m_message.data(), static_cast<int>(m_message.size()), MPI_DOUBLE, 0, 0, m_communicator);
  }

  void simulate_runs(const Task& task) const {
    const models::MM1 queue{task.arrival_rate, task.service_rate, 0, task.horizon};
    const Plan plan = refined_plan(m_options.runs, 0);
    const auto source = prepared_source<Host>(plan.source, std::span(&queue, 1));
    replicate(Host(), Design<models::MM1, Host>(queue, plan.seed), source, {task.first, task.count}, Mapping::thread,
              m_outputs);
    Host().fence();
  }

  MPI_Comm m_communicator;
  const Options& m_options;
  std::int64_t m_parts, m_workers = 0;
  bool m_simulates;
  int m_rank = 0;
  Outputs<Host> m_outputs;
  std::vector<double> m_message;
  Spent m_spent;
};

// Seconds of a step that the processes of a communicator begin together, until rank 0 has ended it.
template <class Step>
double seconds_of(MPI_Comm communicator, const Step& step) {
  MPI_Barrier(communicator);
  const Kokkos::Timer timer;
  step();
  return timer.seconds();
}

// One line of the table.
struct Row {
  std::int64_t workers;
  std::string scheme;
  std::int64_t messages, bytes;  // of all processes; for Sporos, collective calls and what one process passes to them
  std::optional<Spent> longest;  // of one worker, with the over-cost of the master
  double without_runs, whole;
  double mean;  // of the time in queue
};

// Median times of the paper's scheme.
Row scheme_of_paper(MPI_Comm communicator, const Options& options, std::int64_t workers, std::int64_t parts) {
  std::vector<double> whole, without, computation, over_cost;
  double mean = 0;
  for (std::int64_t i = 0; i < options.repeats; ++i) {
    Exchange empty(communicator, options, parts, false), full(communicator, options, parts, true);
    without.push_back(seconds_of(communicator, [&] { empty.run(); }));
    whole.push_back(seconds_of(communicator, [&] { mean = full.run(); }));
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    Spent of_workers = rank == 0 ? Spent() : full.spent(), longest;
    MPI_Reduce(&of_workers, &longest, 2, MPI_DOUBLE, MPI_MAX, 0, communicator);
    computation.push_back(longest.computation);
    over_cost.push_back(longest.over_cost + full.spent().over_cost);
  }
  const auto task_bytes = static_cast<std::int64_t>(sizeof(Task)), size = static_cast<std::int64_t>(sizeof(double));
  return {workers,
          parts == options.runs ? "2N messages" : "2Q messages",
          2 * parts,
          parts * task_bytes + options.runs * estimates_of_run * size,
          Spent{median(computation), median(over_cost)},
          median(without),
          median(whole),
          mean};
}

// Median times of Sporos. The communication without runs repeats the calls of one simulation.
Row scheme_of_sporos(MPI_Comm communicator, const Options& options, std::int64_t workers) {
  MpiProcesses processes(communicator);
  const Plan plan = refined_plan(options.runs, 0);
  std::vector<double> whole, without;
  double mean = 0;
  MpiTraffic calls;
  for (std::int64_t i = 0; i < options.repeats; ++i) {
    const MpiTraffic before = processes.traffic();
    whole.push_back(seconds_of(communicator, [&] {
      mean = simulate(Host(), paper_queue(), plan, {}, {}, processes).responses[time_in_queue].mean;
    }));
    calls.collectives = processes.traffic().collectives - before.collectives;
    calls.draws = processes.traffic().draws - before.draws;
    calls.bytes = processes.traffic().bytes - before.bytes;
    const auto most =
        static_cast<std::size_t>(greatest(processes, calls.bytes / std::max<std::int64_t>(1, calls.collectives)));
    const std::int64_t draws = greatest(processes, calls.draws);
    const std::vector<std::byte> piece(most);
    without.push_back(seconds_of(communicator, [&] {
      if (draws > 0) processes.share(draws * processes.count(), [](std::int64_t) {});
      for (std::int64_t call = 0; call < calls.collectives; call += 2) processes.gathered(piece);
    }));
  }
  return {workers, "Sporos", calls.collectives, calls.bytes, {}, median(without), median(whole), mean};
}

// Latency of an empty message, and seconds to transfer a byte of a long one, between the first two processes.
struct Link {
  double latency, of_byte;
};

double half_round_trip(int rank, std::size_t bytes, int trips) {
  std::vector<std::byte> message(bytes);
  std::vector<double> seconds;
  const auto size = static_cast<int>(bytes);
  for (int trip = 0; trip < trips; ++trip) {
    const Kokkos::Timer timer;
    if (rank == 0) MPI_Send(message.data(), size, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    MPI_Recv(message.data(), size, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(message.data(), size, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    seconds.push_back(timer.seconds() / 2);
  }
  return median(seconds);
}

Link measured_link(int rank) {
  constexpr std::size_t bytes = 1 << 20;
  Link link{};
  if (rank < 2) {
    half_round_trip(rank, bytes, 10);  // warm-up
    link.latency = half_round_trip(rank, 0, 2000);
    link.of_byte = (half_round_trip(rank, bytes, 100) - link.latency) / static_cast<double>(bytes);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return link;
}

void check_means(const std::vector<Row>& rows, double expected) {
  for (const Row& row : rows) {
    if (std::abs(row.mean - expected) <= 1e-12 * std::abs(expected)) continue;
    throw std::runtime_error(fmt::format("{}, {} workers: the mean time in queue is {:.15g}, expected {:.15g}",
                                         row.scheme, row.workers, row.mean, expected));
  }
}

double communication(const Row& row, const Link& link) {
  return static_cast<double>(row.messages) * link.latency + row.longest->over_cost +
         static_cast<double>(row.bytes) * link.of_byte;
}

std::string microseconds(double seconds) { return fixed(seconds * 1e6, 1); }

std::string table(const std::vector<Row>& rows, const Link& link, double alone) {
  std::vector<std::pair<std::string, Column>> columns{{"workers Q", Column::number}, {"scheme", Column::text}};
  for (const auto* name : {"messages", "bytes", "latency, µs", "over-cost", "transfer", "sum", "measured without runs",
                           "longest computation, ms", "whole, ms", "efficiency of Q + 1"}) {
    columns.emplace_back(name, Column::number);
  }
  io::Table table(columns);
  for (const Row& row : rows) {
    const bool is_paper = row.longest.has_value();
    table.add_row({std::to_string(row.workers), row.scheme, std::to_string(row.messages), std::to_string(row.bytes),
                   is_paper ? microseconds(static_cast<double>(row.messages) * link.latency) : "",
                   is_paper ? microseconds(row.longest->over_cost) : "",
                   is_paper ? microseconds(static_cast<double>(row.bytes) * link.of_byte) : "",
                   is_paper ? microseconds(communication(row, link)) : "", microseconds(row.without_runs),
                   is_paper ? fixed(row.longest->computation * 1e3, 2) : "", fixed(row.whole * 1e3, 2),
                   fixed(alone / (static_cast<double>(row.workers + 1) * row.whole), 3)});
  }
  return table.text();
}

nlohmann::json report(const Options& options, const std::vector<Row>& rows, const Link& link, double alone) {
  auto lines = nlohmann::json::array();
  for (const Row& row : rows) {
    lines.push_back({{"workers", row.workers},
                     {"scheme", row.scheme},
                     {"messages", row.messages},
                     {"bytes", row.bytes},
                     {"without_runs", row.without_runs},
                     {"whole", row.whole}});
    if (!row.longest) continue;
    lines.back()["over_cost"] = row.longest->over_cost;
    lines.back()["computation"] = row.longest->computation;
    lines.back()["predicted"] = communication(row, link);
  }
  return {{"runs", options.runs},    {"repeats", options.repeats},
          {"latency", link.latency}, {"of_byte", link.of_byte},
          {"alone", alone},          {"rows", lines}};
}

// Rows of all numbers of workers, on rank 0. Processes that do not take part wait for the others.
std::vector<Row> measured_rows(const Options& options, int rank) {
  std::vector<Row> rows;
  for (const std::int64_t workers : options.workers) {
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank <= workers ? 0 : MPI_UNDEFINED, rank, &communicator);
    if (communicator != MPI_COMM_NULL) {
      for (const std::int64_t parts : {options.runs, workers}) {
        rows.push_back(scheme_of_paper(communicator, options, workers, parts));
      }
      rows.push_back(scheme_of_sporos(communicator, options, workers));
      MPI_Comm_free(&communicator);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return rows;
}

void check_options(Options& options, int processes) {
  if (processes < 2) {
    throw std::invalid_argument("there is one process, expected a master and some workers: start it with mpirun -n 3");
  }
  if (options.workers.empty()) {
    options.workers.resize(static_cast<std::size_t>(processes - 1));
    std::iota(options.workers.begin(), options.workers.end(), 1);
  }
  const std::int64_t most = *std::max_element(options.workers.begin(), options.workers.end());
  if (most >= processes) {
    throw std::invalid_argument(
        fmt::format("--workers has {}, expected at most {}, one less than the processes", most, processes - 1));
  }
  if (options.runs < most) {
    throw std::invalid_argument(
        fmt::format("--runs is {}, expected at least {}, one for each worker", options.runs, most));
  }
}

void run(Options& options) {
  int rank = 0, processes = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  check_options(options, processes);
  std::optional<io::OutputFile> file;
  if (!options.json.empty() && rank == 0) file.emplace(options.json);
  const Link link = measured_link(rank);
  std::vector<double> alone;
  double expected = 0;
  for (std::int64_t i = 0; rank == 0 && i < options.repeats; ++i) {
    alone.push_back(seconds_of(MPI_COMM_SELF, [&] {
      expected = simulate(Host(), paper_queue(), refined_plan(options.runs, 0)).responses[time_in_queue].mean;
    }));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const std::vector<Row> rows = measured_rows(options, rank);
  if (rank != 0) return;
  std::printf("M/M/1 until T = 1200, N = %lld runs; %.2f ms in one process; latency %.2f µs, %.4f ns for a byte\n\n%s",
              static_cast<long long>(options.runs), median(alone) * 1e3, link.latency * 1e6, link.of_byte * 1e9,
              table(rows, link, median(alone)).c_str());
  if (file) file->write(report(options, rows, link, median(alone)).dump(1) + "\n");
  check_means(rows, expected);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bench::OptionParser app(
      "Paper 001, section 5: messages of a master and Q workers, and of Sporos. Start it by mpirun.",
      "paper_001_messages");
  app.add_option("--workers", options.workers, "numbers Q of workers, instead of 1 to all")
      .separated_by_commas()
      .positive();
  app.add_option("--runs", options.runs, "N").positive();
  app.add_option("--repeats", options.repeats, "of which the median counts").positive();
  app.add_option("--json", options.json, "file for all that was found");
  app.add_flag("--control", options.is_control, "workers begin with run 0, so that the check of the means must fail");
  if (const auto status = app.parse(argc, argv)) return *status;
  const MpiSession session;
  return run_program([&] { run(options); });
}
