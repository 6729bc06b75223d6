// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "germinal_centre.hpp"

#include "complaint.hpp"
#include "interruption.hpp"
#include "start_backend.hpp"
#include "status_line.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/germinal_centre/files.hpp>
#include <sporos/runtime/germinal_centre/run.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/checkpoint.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/models/germinal_centre/germinal_centre_files.hpp>
#include <sporos/models/germinal_centre/germinal_centre_state_json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::apps {

namespace {

using models::GerminalCentreCase, models::GerminalCentreRunState, models::PopulationRow;

// The case and what is asked of it.
struct Request {
  GerminalCentreCase all;
  std::uint64_t digest;  // of the case's file
  std::uint64_t seed;
  std::int64_t steps;  // global ones
};

Request request_from(const GerminalCentreOptions& given) {
  const std::string text = io::read_text_file(given.path);
  Request request{models::germinal_centre_case_of_json(given.path, text), io::checksum(text),
                  given.table.seed("seed", 1), 0};
  check_processes(request.all, processes());
  const double steps = std::ceil(60 * given.table.positive("hours", 0) / request.all.global_step() - 1e-9);
  const double most = std::floor(2147483647.0 / request.all.steps_per_exchange);
  if (steps > most) {
    throw std::invalid_argument(fmt::format("--hours is {}, expected at most {:.0f}: 2^31 local steps",
                                            *given.table.text("hours"), most * request.all.global_step() / 60));
  }
  request.steps = std::max<std::int64_t>(static_cast<std::int64_t>(steps), 1);
  return request;
}

// A run under way.
class Simulation {
 public:
  Simulation(const Request& request, const GerminalCentreOptions& given, const GerminalCentreFiles& files,
             const std::optional<KeptRun>& kept, const Backend& backend)
      : m_request(request),
        m_files(files),
        m_kept(kept),
        m_checkpoints(given.table.has("checkpoint")),
        m_run(backend.run(GerminalCentreTask{request.all, request.seed})),
        m_line(given.shows_progress) {
    const auto read = [&](const io::Json& json, const std::string& name) {
      return models::germinal_centre_run_state_of_json(json, name, request.all);
    };
    if (const auto start = kept_state(kept, given.table.text("checkpoint"), read)) {
      m_run->restore(start->centres);
      m_rows = start->rows;
      m_steps = start->centres.steps;
      if (kept) kept->announce(plural(m_steps, "global step", "global steps"), given.shows_progress);
    } else {
      m_rows.push_back(population_row(0, m_run->census()));
    }
  }

  // Goes on to the end, or until a signal comes; whether that was the end.
  bool run(const Interruption& interruption) {
    std::unique_lock lock(m_mutex);
    while (m_steps < m_request.steps) {
      if (greatest(processes(), interruption.signal()) != 0) return false;
      lock.unlock();
      m_run->advance();
      lock.lock();
      m_rows.push_back(population_row(++m_steps, m_run->census()));
      show();
      const double minutes = static_cast<double>(m_steps) * m_request.all.global_step();
      if (m_steps < m_request.steps && m_files.wants_snapshot(minutes, m_request.all.global_step())) {
        m_files.write_snapshot(m_request.all, m_run->state());
      }
      save_where_due();
    }
    return true;
  }

  // For another thread, where a global step takes too long: the rows before it, and whoever computes goes on no more.
  // Nothing where that is not in a step.
  const std::vector<PopulationRow>* rows_before_step() {
    constexpr std::chrono::milliseconds between_steps{100};
    return m_mutex.try_lock_for(between_steps) ? &m_rows : nullptr;
  }

  GerminalCentreRunState state() const { return {m_run->state(), m_rows}; }
  const std::vector<PopulationRow>& rows() const { return m_rows; }

 private:
  double seconds() const { return seconds_since(m_start); }

  void show() {
    if (!m_line.is_due(seconds())) return;
    std::int64_t cells = 0;
    for (std::size_t kind = 0; kind < m_request.all.kinds.size(); ++kind) cells += m_rows.back().cells[kind];
    m_line.show(seconds(), fmt::format("germinal-centre: {:.1f} hours, {}, {} left",
                                       static_cast<double>(m_steps) * m_request.all.global_step() / 60,
                                       plural(cells, "cell", "cells"),
                                       plural(m_request.steps - m_steps, "global step", "global steps")));
  }

  // The first process says when; all give what they have.
  void save_where_due() {
    if (!m_checkpoints) return;
    const int is_due = m_kept && seconds() >= m_saved_at + m_kept->every() ? 1 : 0;
    if (greatest(processes(), is_due) == 0) return;
    const auto now = state();
    if (m_kept) m_kept->save(json_of(now));
    m_saved_at = seconds();
  }

  const Request& m_request;
  const GerminalCentreFiles& m_files;
  const std::optional<KeptRun>& m_kept;
  bool m_checkpoints;
  std::unique_ptr<GerminalCentreRun> m_run;
  StatusLine m_line;
  std::timed_mutex m_mutex;  // of what follows, but while a step is computed
  std::vector<PopulationRow> m_rows;
  std::int64_t m_steps = 0;
  double m_saved_at = 0;
  Clock::time_point m_start = Clock::now();
};

int conclude(const Request& request, const GerminalCentreFiles& files, const std::optional<KeptRun>& kept,
             bool needs_state, Simulation& simulation) {
  Interruption interruption(std::numeric_limits<double>::infinity(), [&] { return note_of(kept); });
  interruption.rescue_by([&](int signal) -> std::optional<int> {
    const auto* const rows = processes().count() == 1 ? simulation.rows_before_step() : nullptr;
    if (rows == nullptr) return std::nullopt;
    files.write_series(request.all, *rows);
    complain("interrupted within a global step: the time series before it is written, and no state" + note_of(kept));
    return exit_status_of(signal);
  });
  const bool is_whole = simulation.run(interruption);
  interruption.begin_writing();
  const GerminalCentreRunState last = needs_state ? simulation.state() : GerminalCentreRunState{{}, simulation.rows()};
  write_kept(
      kept, is_whole, [&] { return json_of(last); },
      [&] {
        if (files.wants_state()) files.write_snapshot(request.all, last.centres);
        files.draw_section(request.all, last.centres);
        files.write_series(request.all, last.rows);
      });
  if (is_whole) return 0;
  complain("interrupted: the time series so far is written" + (kept ? kept->note() : ""));
  return exit_status_of(interruption.signal());
}

}  // namespace

int germinal_centre_command(std::span<const std::string> arguments, Backend& backend) {
  const GerminalCentreOptions given = parse_germinal_centre_options(arguments);
  const OptionTable& table = given.table;
  const Request request = request_from(given);
  const auto settings = execution_settings(table.text("threads"), table.text("device"), backend);
  const GerminalCentreFiles files(given);
  std::optional<KeptRun> kept;
  keep(kept, table.text("checkpoint"), table.text("every"), [&] {
    return description_of(
        "simulate germinal-centre", table,
        {"checkpoint", "every", "threads", "device", "output", "picture", "section", "snapshots", "snapshot-every"},
        request.digest);
  });

  start_backend(backend, settings);
  check_same_task(table, request.digest);
  Simulation simulation(request, given, files, kept, backend);
  return conclude(request, files, kept, files.wants_state() || table.has("checkpoint"), simulation);
}

}  // namespace sporos::apps
