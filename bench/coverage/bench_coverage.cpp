// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures how often the confidence intervals of Sporos cover. Prints the tables of docs/benchmarks/coverage.md.
#include "coverage.hpp"

#include "../harness/option_parser.hpp"

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/output_file.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::bench {

namespace {

struct NamedPart {
  const char* name;
  CoverageTable (*make)(const CoverageOptions& options);
};

constexpr std::array parts{NamedPart{"series", series_coverage}, NamedPart{"sequential", sequential_coverage},
                           NamedPart{"replications", replication_coverage}, NamedPart{"questions", question_coverage},
                           NamedPart{"rare", rare_coverage}};

// Reads all tables of these files. The counts of one part may be spread over several tables.
std::vector<CoverageTable> tables_in(const std::vector<std::string>& files) {
  std::vector<CoverageTable> tables;
  for (const std::string& file : files) {
    std::ifstream text(file);
    if (!text) throw std::runtime_error(file + " cannot be read");
    const auto all = io::Json::parse(text);
    for (const auto& table : all.at("tables")) tables.push_back(table_from(table));
  }
  return tables;
}

// Returns whether a table differs from the expected table of its part, and prints each difference to stderr.
bool differs(const CoverageTable& table, const std::vector<CoverageTable>& expected) {
  const auto same = std::ranges::find(expected, table.part, &CoverageTable::part);
  if (same == expected.end()) throw std::runtime_error("no table is expected of part " + table.part);
  const std::vector<std::string> lines = differences_from(*same, table);
  for (const std::string& line : lines) fmt::print(stderr, "{}\n", line);
  return !lines.empty();
}

int run(int argc, char** argv) {
  CoverageOptions options;
  std::int64_t processes = 1;
  std::vector<std::string> names, chosen;
  std::string file;
  std::vector<std::string> earlier, known;
  for (const auto& part : parts) names.emplace_back(part.name);
  OptionParser app("How often intervals cover", "bench_coverage");
  app.add_option("--experiments", options.experiments, "of each case; 0 for those of --add alone").non_negative();
  app.add_option("--first", options.first, "the number of the first experiment, which names its random numbers")
      .non_negative();
  app.add_option("--observations", options.observations, "of the longest runs, from 16384 on").positive();
  app.add_option("--processes", processes, "that share the experiments: the cores").between(1, 1024);
  app.add_option("--part", chosen, "these tables alone").one_of(names).separated_by_commas();
  app.add_option("--confidence", options.confidence, "of each interval").positive();
  app.add_option("--json", file, "write the counts to that file, too");
  app.add_option("--add", earlier, "add the counts in such files, of other experiments").separated_by_commas();
  app.add_option("--expect", known, "fail where a share is another than in such files, with error probability 1e-5")
      .separated_by_commas();
  if (const auto status = app.parse(argc, argv)) return *status;
  io::Json tables = io::Json::array();
  const std::vector<CoverageTable> added = tables_in(earlier), expected = tables_in(known);
  bool is_as_expected = true;
  for (const auto& [name, make] : parts) {
    if (!chosen.empty() && std::ranges::find(chosen, name) == chosen.end()) continue;
    const auto start = std::chrono::steady_clock::now();
    CoverageTable table;
    if (options.experiments > 0) table = in_processes(static_cast<int>(processes), options, make);
    for (const CoverageTable& more : added) {
      if (more.part == name) merge(table, more);
    }
    if (table.rows.empty()) continue;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const std::int64_t experiments = table.rows.at(0).cells.at(0).experiments;
    const auto [low, high] = binomial_band(experiments, options.confidence);
    fmt::print("Intervals of {:.0f} %, {} experiments: binomial band {:.2f} to {:.2f} %, ↓ below, ↑ above\n\n{}\n",
               100 * options.confidence, experiments, 100 * low, 100 * high, markdown(table, options.confidence));
    std::fflush(stdout);
    fmt::print(stderr, "{}: {:.1f} s\n", name, seconds.count());
    tables.push_back(json_of(table, options.confidence));
    tables.back()["seconds"] = seconds.count();
    if (!known.empty() && differs(table, expected)) is_as_expected = false;
  }
  if (!file.empty()) {
    const io::Json all{{"experiments", options.experiments},
                       {"first", options.first},
                       {"confidence", options.confidence},
                       {"tables", std::move(tables)}};
    io::OutputFile(file).write(all.dump(1) + '\n');
  }
  return is_as_expected ? 0 : 1;
}

}  // namespace

}  // namespace sporos::bench

int main(int argc, char** argv) {
  try {
    return sporos::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_coverage: %s\n", error.what());
    return 1;
  }
}
