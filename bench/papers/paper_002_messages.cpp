// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between two MPI processes: Lee (2012), Hybrid parallel computing strategies for scientific computing
// applications, Table 2.1 and the first row of Table 1.1. A message travels to the other process and back. The time of
// one way is fitted by t = t_s + m t_w for m bytes (2.9), by least squares of relative errors.
#include "../harness/option_parser.hpp"

#include <sporos/core/distributed/mpi.hpp>
#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/core/statistics/two_term_fit.hpp>

#include <mpi.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace sporos;
using Column = io::Table::Column;

struct Options {
  std::vector<std::int64_t> words = {0, 1, 8, 64, 512, 4096, 32'768, 262'144};
  std::int64_t round_trips = 2000, runs = 5;
  double largest_error = 0;
  bool is_control = false;
  std::string json;
};

// Sends the words from process 0 to process 1 and back, `count` times. In the control, process 1 changes the last word.
void round_trips(int rank, std::vector<double>& words, std::int64_t count, bool is_control = false) {
  const int many = static_cast<int>(words.size()), other = 1 - rank;
  const auto send = [&] {
    impl::check_mpi(MPI_Send(words.data(), many, MPI_DOUBLE, other, 0, MPI_COMM_WORLD), "MPI_Send");
  };
  for (std::int64_t i = 0; i < count; ++i) {
    if (rank == 0) send();
    impl::check_mpi(MPI_Recv(words.data(), many, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "MPI_Recv");
    if (rank == 1 && is_control && many > 0) words.back() += 1;
    if (rank == 1) send();
  }
}

// Throws on process 0 if a message does not come back as it was sent.
void check_round_trip(int rank, std::int64_t count, bool is_control) {
  std::vector<double> words(static_cast<std::size_t>(count), 0);
  const auto value_of = [](std::size_t i) { return static_cast<double>(i) + 0.5; };
  for (std::size_t i = 0; rank == 0 && i < words.size(); ++i) words[i] = value_of(i);
  round_trips(rank, words, 1, is_control);
  for (std::size_t i = 0; rank == 0 && i < words.size(); ++i) {
    if (words[i] == value_of(i)) continue;
    throw std::runtime_error(
        fmt::format("word {} of a message of {} comes back as {}, expected {}", i, count, words[i], value_of(i)));
  }
}

// Seconds of a message in one direction: the median over runs.
double message_seconds(int rank, std::int64_t count, const Options& options) {
  std::vector<double> words(static_cast<std::size_t>(count), 1), found;
  const std::int64_t trips = std::max<std::int64_t>(options.round_trips / (1 + count / 1024), 4);
  round_trips(rank, words, 1 + trips / 10);
  for (std::int64_t run = 0; run < options.runs; ++run) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    round_trips(rank, words, trips);
    found.push_back((MPI_Wtime() - begin) / static_cast<double>(2 * trips));
  }
  std::sort(found.begin(), found.end());
  return found[found.size() / 2];
}

struct Message {
  std::int64_t bytes;
  double seconds;
};

// Fits t_s and t_w to the messages with `from` to `to` bytes.
TwoTermFit fit_of(const std::vector<Message>& messages, std::int64_t from, std::int64_t to) {
  std::vector<TwoTermValue> values;
  for (const auto& [bytes, seconds] : messages) {
    if (bytes >= from && bytes <= to) values.push_back({1, static_cast<double>(bytes), seconds});
  }
  return fit_two_terms(values);
}

// Open MPI copies messages of at most this size, with their header, in one piece; others in several.
constexpr std::int64_t largest_eager_message = 4000;

struct Line {
  std::string messages;
  TwoTermFit fit;
};

void print_tables(const std::vector<Message>& messages, const std::vector<Line>& lines) {
  const TwoTermFit& fit = lines.front().fit;
  io::Table times({{"bytes", Column::number},
                   {"t, µs", Column::number},
                   {"t_s + m t_w, µs", Column::number},
                   {"off", Column::number}});
  for (const auto& [bytes, seconds] : messages) {
    const double predicted = fit.first + fit.second * static_cast<double>(bytes);
    times.add_row({fmt::format("{}", bytes), fmt::format("{:.3g}", 1e6 * seconds),
                   fmt::format("{:.3g}", 1e6 * predicted), fmt::format("{:+.0f} %", 100 * (predicted / seconds - 1))});
  }
  io::Table parameters({{"Table 2.1", Column::text},
                        {"t_s, s", Column::number},
                        {"t_w, s/byte", Column::number},
                        {"relative error", Column::number}});
  parameters.add_row({"paper: System X, InfiniBand", "2.0e-05", "1.9e-09"});
  for (const auto& [name, line] : lines) {
    parameters.add_row({name, fmt::format("{:.2g}", line.first), fmt::format("{:.2g}", line.second),
                        fmt::format("{:.2f}", line.error)});
  }
  fmt::print("Two processes of this host: {}\n\n{}\n{}", processor_name(), times.text(), parameters.text());
}

void report(const Options& options, const std::vector<Message>& messages) {
  const std::int64_t largest = messages.back().bytes;
  std::vector<Line> lines = {{"all messages", fit_of(messages, 0, largest)}};
  if (messages.size() > 3 && messages[1].bytes <= largest_eager_message &&
      messages[messages.size() - 2].bytes > largest_eager_message) {
    lines.push_back({"messages up to 4000 bytes", fit_of(messages, 0, largest_eager_message)});
    lines.push_back({"larger messages", fit_of(messages, largest_eager_message + 1, largest)});
  }
  print_tables(messages, lines);
  if (!options.json.empty()) {
    nlohmann::json all = {{"processor", processor_name()}};
    for (const auto& [bytes, seconds] : messages) all["messages"].push_back({{"bytes", bytes}, {"seconds", seconds}});
    for (const auto& [name, line] : lines) {
      all["lines"].push_back({{"of", name}, {"start", line.first}, {"each_byte", line.second}, {"error", line.error}});
    }
    io::OutputFile(options.json).write(all.dump(1) + '\n');
  }
  const double error = lines.front().fit.error;
  if (options.largest_error > 0 && error > options.largest_error) {
    throw std::runtime_error(fmt::format("the fit of t = t_s + m t_w is off by {:.3g}, expected at most {:.3g}", error,
                                         options.largest_error));
  }
}

void run(const Options& options) {
  int rank = 0, count = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  if (count != 2) {
    throw std::invalid_argument(fmt::format("the number of processes is {}, expected 2: use mpirun -n 2", count));
  }
  auto sizes = options.words;
  std::sort(sizes.begin(), sizes.end());
  std::vector<Message> messages;
  for (const std::int64_t words : sizes) check_round_trip(rank, words, options.is_control);
  for (const std::int64_t words : sizes) {
    messages.push_back({words * static_cast<std::int64_t>(sizeof(double)), message_seconds(rank, words, options)});
  }
  if (rank == 0) report(options, messages);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bench::OptionParser app("Time of messages between two MPI processes, and the line t_s + m t_w.",
                          "paper_002_messages");
  app.add_option("--words", options.words, "sizes of messages, in words of 8 bytes")
      .separated_by_commas()
      .between(0, 1 << 26);
  app.add_option("--round-trips", options.round_trips, "of a small message, in a run").positive();
  app.add_option("--runs", options.runs, "of which the median counts").positive();
  app.add_option("--largest-error", options.largest_error, "fail if the relative error of the fit is larger")
      .positive();
  app.add_flag("--control", options.is_control, "process 1 changes the messages; the check must detect it");
  app.add_option("--json", options.json, "file for the results");
  if (const auto status = app.parse(argc, argv)) return *status;
  try {
    const MpiSession session;
    try {
      run(options);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "paper_002_messages: %s\n", error.what());
      std::fflush(stderr);
      MPI_Abort(MPI_COMM_WORLD, 1);  // the other process may wait for a message
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "paper_002_messages: %s\n", error.what());
    return 1;
  }
}
