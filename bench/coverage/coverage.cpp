// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coverage.hpp"

#include <sporos/core/execution/initialize.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/output_file.hpp>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/hypergeometric.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <tuple>

namespace sporos::bench {

std::pair<double, double> binomial_band(std::int64_t intervals, double confidence) {
  constexpr double error = 0.0025;  // on each side
  const boost::math::binomial covering(static_cast<double>(intervals), confidence);
  const double all = static_cast<double>(intervals);
  return {boost::math::quantile(covering, error) / all,
          boost::math::quantile(boost::math::complement(covering, error)) / all};
}

std::string Coverage::text(double confidence) const {
  if (experiments == 0) return "";
  if (intervals == 0) return "none";
  const auto [low, high] = binomial_band(intervals, confidence);
  const char* const mark = share() < low ? " ↓" : share() > high ? " ↑" : "";
  const std::string of = intervals < experiments ? fmt::format(" of {}", intervals) : "";
  return fmt::format("{:.{}f} %{}{}", 100 * share(), experiments >= 10'000 ? 2 : 1, of, mark);
}

std::string markdown(const CoverageTable& table, double confidence) {
  std::string text = fmt::format("| {} |\n|", fmt::join(table.header, " | "));
  for (std::size_t i = 0; i < table.header.size(); ++i) text += "---|";
  text += '\n';
  for (const auto& [labels, cells] : table.rows) {
    text += fmt::format("| {} |", fmt::join(labels, " | "));
    for (const Coverage& cell : cells) text += fmt::format(" {} |", cell.text(confidence));
    text += '\n';
  }
  return text;
}

io::Json json_of(const CoverageTable& table, double confidence) {
  io::Json rows = io::Json::array();
  for (const auto& [labels, cells] : table.rows) {
    io::Json list = io::Json::array();
    for (const Coverage& cell : cells) {
      io::Json json{{"experiments", cell.experiments}, {"intervals", cell.intervals}, {"covering", cell.covering}};
      json["low"] = json["high"] = nullptr;
      if (cell.intervals > 0) std::tie(json["low"], json["high"]) = binomial_band(cell.intervals, confidence);
      list.push_back(std::move(json));
    }
    rows.push_back({{"labels", labels}, {"cells", std::move(list)}});
  }
  return {{"part", table.part}, {"header", table.header}, {"rows", std::move(rows)}};
}

CoverageTable table_from(const io::Json& json) {
  CoverageTable table{json.at("part"), json.at("header"), {}};
  for (const auto& row : json.at("rows")) {
    table.add(row.at("labels"), {});
    for (const auto& cell : row.at("cells")) {
      table.rows.back().cells.push_back({cell.at("experiments"), cell.at("intervals"), cell.at("covering")});
    }
  }
  return table;
}

void merge(CoverageTable& all, const CoverageTable& more) {
  if (all.rows.empty()) {
    all = more;
    return;
  }
  if (all.header != more.header) throw std::runtime_error("tables of " + all.part + " have different columns");
  for (std::size_t row = 0; row < all.rows.size(); ++row) {
    for (std::size_t i = 0; i < all.rows[row].cells.size(); ++i) {
      Coverage& cell = all.rows[row].cells[i];
      const Coverage& added = more.rows.at(row).cells.at(i);
      cell.experiments += added.experiments;
      cell.intervals += added.intervals;
      cell.covering += added.covering;
    }
  }
}

namespace {

// Whether two proportions may be equal, by Fisher's exact test. Given the total number of successes, the number of
// successes among the first `of` trials is hypergeometric.
bool may_be_same(std::int64_t some, std::int64_t of, std::int64_t others, std::int64_t of_others) {
  constexpr double error = 0.5e-5;  // on each side
  if (of == 0 || of_others == 0) return true;
  const boost::math::hypergeometric among_first(static_cast<std::uint64_t>(some + others),
                                                static_cast<std::uint64_t>(of),
                                                static_cast<std::uint64_t>(of + of_others));
  const auto found = static_cast<std::uint64_t>(some);
  const double below = boost::math::cdf(among_first, found);
  const double above = 1 - below + boost::math::pdf(among_first, found);
  return below >= error && above >= error;
}

// Whether the proportions of experiments with an interval, and of intervals that cover, may be equal.
bool agree(const Coverage& one, const Coverage& other) {
  return may_be_same(one.intervals, one.experiments, other.intervals, other.experiments) &&
         may_be_same(one.covering, one.intervals, other.covering, other.intervals);
}

const CoverageTable::Row* row_of(const CoverageTable& table, const std::vector<std::string>& labels) {
  const auto row = std::ranges::find(table.rows, labels, &CoverageTable::Row::labels);
  return row == table.rows.end() ? nullptr : &*row;
}

}  // namespace

std::vector<std::string> differences_from(const CoverageTable& expected, const CoverageTable& table) {
  std::vector<std::string> lines;
  for (const auto& [labels, cells] : table.rows) {
    const CoverageTable::Row* const row = row_of(expected, labels);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string& column = table.header[labels.size() + i];
      const auto place = std::ranges::find(expected.header, column) - expected.header.begin() - std::ssize(labels);
      const std::string name = fmt::format("{}: {}, {}", table.part, fmt::join(labels, ", "), column);
      if (row == nullptr || place >= std::ssize(row->cells)) {
        lines.push_back(name + " is not in the expected table");
        continue;
      }
      const Coverage& wanted = row->cells[static_cast<std::size_t>(place)];
      if (agree(cells[i], wanted)) continue;
      const auto counts = [](const Coverage& cell) {
        return fmt::format("{} of {} intervals of {} experiments", cell.covering, cell.intervals, cell.experiments);
      };
      lines.push_back(fmt::format("{}: {} cover, expected as {}", name, counts(cells[i]), counts(wanted)));
    }
  }
  return lines;
}

namespace {

// A process that writes its table to the pipe `output`.
struct Worker {
  pid_t process;
  int output;
};

// Runs in the new process: writes the table, or the error message, and exits without running the destructors of objects
// that the parent process owns.
[[noreturn]] void work(int output, const CoverageOptions& options, const CoveragePart& part,
                       const std::optional<int>& threads) {
  int status = 0;
  std::string text;
  try {
    const Kokkos::ScopeGuard kokkos(quiet_kokkos_settings({threads, {}}));
    text = json_of(part(options), options.confidence).dump();
  } catch (const std::exception& error) {
    text = error.what();
    status = 1;
  }
  io::impl::write_all(output, text, "pipe");
  ::_exit(status);
}

Worker begin_worker(const CoverageOptions& options, const CoveragePart& part, const std::optional<int>& threads) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe can be opened");
  std::fflush(nullptr);
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error("no process can be begun");
  if (process == 0) work(ends[1], options, part, threads);
  ::close(ends[1]);
  return {process, ends[0]};
}

std::string result_of(const Worker& worker) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t size = 0; (size = ::read(worker.output, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  ::close(worker.output);
  int status = 0;
  ::waitpid(worker.process, &status, 0);
  if (status != 0) throw std::runtime_error(text.empty() ? "a process has failed" : text);
  return text;
}

}  // namespace

CoverageTable in_processes(int processes, const CoverageOptions& options, const CoveragePart& part) {
  const std::optional<int> threads = processes > 1 ? std::optional(1) : std::nullopt;
  std::vector<Worker> workers;
  for (int i = 0; i < processes; ++i) {
    const std::int64_t begin = options.experiments * i / processes, end = options.experiments * (i + 1) / processes;
    CoverageOptions share = options;
    share.first = options.first + begin;
    share.experiments = end - begin;
    if (share.experiments > 0) workers.push_back(begin_worker(share, part, threads));
  }
  std::vector<std::string> texts;
  for (const Worker& worker : workers) texts.push_back(result_of(worker));
  CoverageTable all = table_from(io::Json::parse(texts.front()));
  for (std::size_t i = 1; i < texts.size(); ++i) merge(all, table_from(io::Json::parse(texts[i])));
  return all;
}

}  // namespace sporos::bench
