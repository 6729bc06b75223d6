// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "failure.hpp"
#include "progress_line.hpp"
#include "run.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/germinal_centre/germinal_centre.hpp>
#include <sporos/runtime/germinal_centre/task.hpp>
#include <sporos/runtime/options/common_options.hpp>
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

// The case and the requested simulation of it.
struct Request {
  GerminalCentreCase all;
  std::uint64_t digest;  // checksum of the case's file
  std::uint64_t seed;
  std::int64_t steps;  // number of global steps
};

Request request_from(const Arguments& given) {
  const std::string& path = given.positionals.front();
  const std::string text = io::read_text_file(path);
  Request request{models::germinal_centre_case_of_json(path, text), io::checksum(text), given.options.seed("seed", 1),
                  0};
  check_processes(request.all, processes());
  const double steps = std::ceil(60 * given.options.positive("hours", 0) / request.all.global_step() - 1e-9);
  const double most = std::floor(2147483647.0 / request.all.steps_per_exchange);
  if (steps > most) {
    throw std::invalid_argument(fmt::format("--hours is {}, expected at most {:.0f}, which is 2^31 local steps",
                                            *given.options.text("hours"), most * request.all.global_step() / 60));
  }
  request.steps = std::max<std::int64_t>(static_cast<std::int64_t>(steps), 1);
  return request;
}

// Simulates germinal centres, from one global step to the next.
class CentreSimulation final : public Run {
 public:
  CentreSimulation(const Arguments& given, Request request)
      : m_options(given.options),
        m_path(given.positionals.front()),
        m_request(std::move(request)),
        m_files(given),
        m_checkpoints(m_options.has("checkpoint")) {}

  io::Json description() const override {
    return description_of("simulate germinal-centre", m_options, m_request.digest);
  }

  void start(const Backend& backend) override {
    check_same_task(m_options, m_request.digest);
    m_machine = machine_of(backend);
    m_run = backend.run(GerminalCentreTask{m_request.all, m_request.seed});
    m_rows.push_back(population_row(0, m_run->census()));
  }

  std::string restore(const io::Json& json, const std::string& what) override {
    auto start = models::germinal_centre_run_state_of_json(json, what, m_request.all);
    m_run->restore(start.centres);
    m_rows = std::move(start.rows);
    m_steps = start.centres.steps;
    return plural(m_steps, "global step", "global steps");
  }

  void compute(const Backend&, const RunControl& control) override {
    control.interruption.rescue_by([this, &kept = control.kept](int signal) { return rescued(signal, kept); });
    StatusLine line(control.shows_progress);
    m_start = Clock::now();
    std::unique_lock lock(m_mutex);
    while (!has_ended()) {
      if (greatest(processes(), control.interruption.signal()) != 0) return;
      lock.unlock();
      m_run->advance();
      lock.lock();
      m_rows.push_back(population_row(++m_steps, m_run->census()));
      show(line);
      const double minutes = static_cast<double>(m_steps) * m_request.all.global_step();
      if (!has_ended() && m_files.wants_snapshot(minutes, m_request.all.global_step())) {
        m_files.write_snapshot(m_request.all, m_run->state());
      }
      save_where_due(control.kept);
    }
  }

  std::optional<std::string> make_results() override {
    const bool needs_centres = m_files.wants_state() || m_checkpoints;
    m_last = {needs_centres ? m_run->state() : models::GerminalCentresState(), m_rows};
    return std::nullopt;
  }

  bool has_ended() const override { return m_steps >= m_request.steps; }

  io::Json state() const override { return json_of(m_last); }

  void write(const Machine& machine, double seconds) override {
    if (m_files.wants_state()) m_files.write_snapshot(m_request.all, m_last.centres);
    m_files.draw_section(m_request.all, m_last.centres);
    m_files.write(report(m_last.rows, seconds, machine));
  }

  Ending ending(int signal) const override {
    if (has_ended()) return {};
    return Ending::interrupted(signal, "interrupted: the time series so far is written");
  }

 private:
  double seconds() const { return seconds_since(m_start); }

  GerminalCentreReport report(const std::vector<PopulationRow>& rows, double seconds, const Machine& machine) const {
    const char* const stopped_by = rows.back().step >= m_request.steps ? "hours" : "interrupted";
    return {m_path, m_request.all, m_request.seed, m_request.steps, rows, stopped_by, seconds, machine};
  }

  // Called by another thread if a global step takes too long. Writes the rows before that step, and the computing
  // thread does not continue. Returns nothing if no step is being computed.
  std::optional<int> rescued(int signal, const std::optional<KeptRun>& kept) {
    constexpr std::chrono::milliseconds between_steps{100};
    if (processes().count() > 1 || !m_mutex.try_lock_for(between_steps)) return std::nullopt;
    m_files.write(report(m_rows, seconds(), m_machine));
    complain("interrupted within a global step: the time series before that step is written, but no state" +
             note_of(kept));
    return exit_status_of(signal);
  }

  void show(StatusLine& line) const {
    if (!line.is_due(seconds())) return;
    std::int64_t cells = 0;
    for (std::size_t kind = 0; kind < m_request.all.kinds.size(); ++kind) cells += m_rows.back().cells[kind];
    line.show(seconds(), fmt::format("germinal-centre: {:.1f} hours, {}, {} left",
                                     static_cast<double>(m_steps) * m_request.all.global_step() / 60,
                                     plural(cells, "cell", "cells"),
                                     plural(m_request.steps - m_steps, "global step", "global steps")));
  }

  // Saves a checkpoint if it is due. The first process decides; all processes contribute their parts.
  void save_where_due(const std::optional<KeptRun>& kept) {
    if (!m_checkpoints) return;
    const int is_due = kept && seconds() >= m_saved_at + kept->every() ? 1 : 0;
    if (greatest(processes(), is_due) == 0) return;
    const GerminalCentreRunState now{m_run->state(), m_rows};
    if (kept) kept->save(json_of(now));
    m_saved_at = seconds();
  }

  const OptionTable& m_options;
  std::string m_path;
  Request m_request;
  GerminalCentreFiles m_files;
  bool m_checkpoints;
  std::unique_ptr<GerminalCentreRun> m_run;
  std::timed_mutex m_mutex;  // guards the members below, except while a step is computed
  std::vector<PopulationRow> m_rows;
  std::int64_t m_steps = 0;
  double m_saved_at = 0;
  Clock::time_point m_start;
  Machine m_machine;
  GerminalCentreRunState m_last;
};

}  // namespace

int germinal_centre_command(std::span<const std::string> arguments, Backend& backend) {
  const Arguments given = parse_germinal_centre_options(arguments);
  Request request = request_from(given);
  const auto settings = execution_settings(given.options, backend);
  CentreSimulation run(given, std::move(request));
  return carry_out(run, given.options, settings, backend);
}

}  // namespace sporos::apps
