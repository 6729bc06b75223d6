// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "progress_line.hpp"
#include "run.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/mixtures/mixtures.hpp>
#include <sporos/runtime/mixtures/task.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/models/mixtures/mixture_picture.hpp>
#include <sporos/procedures/mixture_state_json.hpp>

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace sporos::apps {

namespace {

// Shows the progress of the fit, stops it after a signal, and pauses it for checkpoints.
class FitWatch {
 public:
  FitWatch(const Interruption& interruption, const std::optional<KeptRun>& kept, bool wanted)
      : m_interruption(interruption), m_kept(kept), m_line(wanted) {}

  Continuation operator()(const MixtureFitProgress& progress) {
    const double seconds = seconds_since(m_start);
    if (m_line.is_due(seconds)) {
      m_line.show(seconds, fmt::format("fit: {}, iteration {}, {} left", progress.stage, progress.done,
                                       plural(progress.open, "fit", "fits")));
    }
    if (m_interruption.signal() != 0) return Continuation::stop;
    const bool has_moved = std::exchange(m_has_paused, false) == false;
    if (!m_kept || !has_moved || seconds < m_paused_at + m_kept->every()) return Continuation::go_on;
    m_paused_at = seconds;
    m_has_paused = true;
    return Continuation::pause;
  }

 private:
  const Interruption& m_interruption;
  const std::optional<KeptRun>& m_kept;
  double m_paused_at = 0;
  bool m_has_paused = true;  // so that work is done between two pauses
  StatusLine m_line;
  Clock::time_point m_start = Clock::now();
};

// Returns a picture of the chosen fit.
std::string picture_of(const models::ObservationFile& data, const MixtureFit& fit) {
  const MixtureSizeFit& chosen = fit.sizes[fit.chosen];
  const std::string name = std::filesystem::path(data.path).filename().string();
  return models::mixture_picture(data.sample, chosen.mixture,
                                 {name, data.column.empty() ? "observation" : data.column, chosen.bic});
}

void check_sample(const MixtureFitOptions& options, const models::ObservationFile& data) {
  try {
    check(options, data.sample);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", data.path, error.what()));
  }
}

// Checks that the host has memory for the starts. Each start is a mixture on the host. The space that computes
// densities holds the parameters of each start, their sums and four iterates, or a simplex.
void check_memory_of_starts(const MixtureFitOptions& options) {
  const auto sizes = options.max_components - options.min_components + 1;
  const auto parameters = 3 * static_cast<double>(options.max_components);
  constexpr double copies = 7;
  check_memory<Kokkos::HostSpace>({"numbers", sizes * options.starts, "starts", copies * sizeof(double) * parameters});
  check_memory<Kokkos::HostSpace>({"simplices", sizes * options.nelder_mead_starts, "starts of Nelder-Mead",
                                   sizeof(double) * parameters * (parameters + copies)});
}

// Fits mixtures to a sample.
class Fit final : public Run {
 public:
  Fit(const Arguments& given, const MixtureFitOptions& options, const std::optional<MixtureBootstrapOptions>& bootstrap,
      FitPrecision precision)
      : m_options(given.options),
        m_fit_options(options),
        m_bootstrap(bootstrap),
        m_precision(precision),
        m_pictures(m_options.list("picture")),
        m_files(m_options, "fit", given.positionals),
        m_data(models::read_observations(given.positionals.front(), observation_reading(m_options))) {
    check_sample(m_fit_options, m_data);
    check_memory_of_starts(m_fit_options);
  }

  io::Json description() const override {
    io::Json json = description_of("fit", m_options, digest_of(m_data.sample));
    json["options"].erase("bayesian");  // checkpoints store this option in a separate member
    json["bayesian"] = m_options.has("bayesian");
    return json;
  }

  void start(const Backend&) override { check_same_task(m_options, digest_of(m_data.sample)); }

  std::string restore(const io::Json& state, const std::string& what) override {
    m_before = mixture_fit_state_of_json(state, what);
    return plural(static_cast<std::int64_t>(m_before.finished.size()), "stage", "stages");
  }

  void compute(const Backend& backend, const RunControl& control) override {
    const std::optional<KeptRun>& kept = control.kept;
    m_journal = kept ? MixtureFitJournal(std::move(m_before),
                                         [&kept](const MixtureFitState& now) { kept->save(sporos::json_of(now)); })
                     : MixtureFitJournal(std::move(m_before));
    FitWatch watch(control.interruption, kept, control.shows_progress);
    const MixtureFitCallback callback = [&](const auto& progress) { return watch(progress); };
    m_outcome =
        backend.run(FitTask{m_data.sample, m_fit_options, m_precision, m_bootstrap, callback, &m_journal, processes()});
  }

  bool has_ended() const override { return is_whole(m_outcome, m_bootstrap); }

  io::Json state() const override { return sporos::json_of(m_journal.state()); }

  void write(const Machine& machine, double seconds) override {
    if (!m_pictures.empty()) m_pictures.draw(picture_of(m_data, m_outcome.fit));
    m_files.write(document_of(FitReport{m_data, m_fit_options, m_precision, m_bootstrap, m_outcome, seconds, machine}));
  }

  Ending ending(int signal) const override {
    if (has_ended()) return {};
    return Ending::interrupted(signal, "interrupted: the best fits so far are written");
  }

 private:
  const OptionTable& m_options;
  MixtureFitOptions m_fit_options;
  std::optional<MixtureBootstrapOptions> m_bootstrap;
  FitPrecision m_precision;
  PictureFiles m_pictures;
  ResultFiles m_files;
  models::ObservationFile m_data;
  MixtureFitState m_before;  // state from the checkpoint, with the work of earlier runs
  MixtureFitJournal m_journal{MixtureFitState()};
  FitOutcome m_outcome;
};

}  // namespace

int fit_command(std::span<const std::string> arguments, Backend& backend) {
  const Arguments given = parsed(fit_usage(), arguments);
  const OptionTable& table = given.options;
  const MixtureFitOptions options = mixture_fit_options(table);
  const auto bootstrap = mixture_bootstrap_options(table);
  const auto precision = table.choice("precision", FitPrecision::real64);
  check_table(table, {"sizes", "mixture", "mixtures", "starts"});
  const auto settings = execution_settings(table, backend);
  Fit run(given, options, bootstrap, precision);
  return carry_out(run, table, settings, backend);
}

}  // namespace sporos::apps
