// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fit.hpp"

#include "complaint.hpp"
#include "interruption.hpp"
#include "start_backend.hpp"
#include "status_line.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/files/picture_files.hpp>
#include <sporos/runtime/mixtures/options.hpp>
#include <sporos/runtime/mixtures/report.hpp>
#include <sporos/runtime/optimization/problem.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/models/mixtures/mixture_picture.hpp>
#include <sporos/procedures/mixture_state_json.hpp>

#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace sporos::apps {

namespace {

// Shows how far the fit has come, ends it where a signal came, and halts it for checkpoints.
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
  bool m_has_paused = true;  // so that something is done between two pauses
  StatusLine m_line;
  Clock::time_point m_start = Clock::now();
};

// The files that a fit leaves, known to be writable before there is anything to write.
class FitFiles {
 public:
  explicit FitFiles(const FitOptions& options)
      : m_destination(options.table.text("output")), m_pictures(options.pictures) {}

  void write_report(const std::string& text) const { m_destination.write(text); }

  // The chosen fit, on every picture.
  void draw(const models::ObservationFile& data, const MixtureFit& fit) const {
    if (m_pictures.empty()) return;
    const MixtureSizeFit& chosen = fit.sizes[fit.chosen];
    const std::string name = std::filesystem::path(data.path).filename().string();
    m_pictures.draw(models::mixture_picture(data.sample, chosen.mixture,
                                            {name, data.column.empty() ? "observation" : data.column, chosen.bic}));
  }

 private:
  Destination m_destination;
  PictureFiles m_pictures;
};

void check_sample(const MixtureFitOptions& options, const models::ObservationFile& data) {
  try {
    check(options, data.sample);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", data.path, error.what()));
  }
}

// Each start is a mixture on the host, and its parameters, their sums and four iterates, or a simplex, where densities
// are formed.
void check_memory_of_starts(const MixtureFitOptions& options) {
  const auto sizes = options.most_components - options.least_components + 1;
  const auto parameters = 3 * static_cast<double>(options.most_components);
  constexpr double copies = 7;
  check_memory<Kokkos::HostSpace>({"numbers", sizes * options.starts, "starts", copies * sizeof(double) * parameters});
  check_memory<Kokkos::HostSpace>({"simplices", sizes * options.nelder_mead_starts, "starts of Nelder-Mead",
                                   sizeof(double) * parameters * (parameters + copies)});
}

int conclude(bool is_whole, int signal, const std::optional<KeptRun>& kept) {
  if (is_whole) return 0;
  complain("interrupted: the best fits so far are written" + (kept ? kept->note() : ""));
  return exit_status_of(signal);
}

// What is done already, and what is to become of it.
MixtureFitJournal journal_of(const std::optional<KeptRun>& kept, const FitOptions& given) {
  auto state = kept_state(kept, given.table.text("checkpoint"), mixture_fit_state_of_json);
  if (!state) state.emplace();
  if (!kept) return MixtureFitJournal(std::move(*state));
  if (kept->state())
    kept->announce(plural(static_cast<std::int64_t>(state->finished.size()), "stage", "stages"), given.shows_progress);
  return MixtureFitJournal(std::move(*state),
                           [&kept](const MixtureFitState& now) { kept->save(sporos::json_of(now)); });
}

// What is fitted, so that a checkpoint of something else is seen.
io::Json description(const FitOptions& given, const models::ObservationFile& data) {
  io::Json json = description_of("fit", given.table, {"checkpoint", "every", "threads", "device", "format", "output"},
                                 digest_of(data.sample));
  json["bayesian"] = given.is_bayesian;
  return json;
}

int run(const FitOptions& given, const models::ObservationFile& data, const MixtureFitOptions& options,
        const std::optional<MixtureBootstrapOptions>& bootstrap, FitPrecision precision, Format format,
        const FitFiles& files, const std::optional<KeptRun>& kept, const Backend& backend) {
  Interruption interruption(std::numeric_limits<double>::infinity(), [&] { return note_of(kept); });
  const auto start = Clock::now();
  MixtureFitJournal journal = journal_of(kept, given);
  const auto [fit, sureness] = [&] {
    FitWatch watch(interruption, kept, given.shows_progress);
    const MixtureFitCallback callback = [&](const auto& progress) { return watch(progress); };
    return backend.run(FitTask{data.sample, options, precision, bootstrap, callback, &journal, processes()});
  }();
  interruption.begin_writing();
  const FitReport report{data, options, precision, fit, sureness, seconds_since(start), machine_of(backend)};
  const bool is_whole = fit.is_whole && sureness.has_value() == bootstrap.has_value();
  write_kept(
      kept, is_whole, [&] { return sporos::json_of(journal.state()); },
      [&] {
        files.draw(data, report.fit);
        files.write_report(text_of(report, format));
      });
  return conclude(is_whole, interruption.signal(), kept);
}

}  // namespace

int fit_command(std::span<const std::string> arguments, Backend& backend) {
  const FitOptions given = parse_fit_options(arguments);
  const OptionTable& table = given.table;
  const MixtureFitOptions options = mixture_fit_options(given);
  const auto bootstrap = mixture_bootstrap_options(given);
  const auto precision = table.choice("precision", FitPrecision::real64);
  const Format format = table.choice("format", Format::table);
  const auto settings = execution_settings(table.text("threads"), table.text("device"), backend);
  const FitFiles files(given);
  const auto data = models::read_observations(given.data, observation_reading(table));
  check_sample(options, data);
  check_memory_of_starts(options);
  std::optional<KeptRun> kept;
  keep(kept, table.text("checkpoint"), table.text("every"), [&] { return description(given, data); });

  start_backend(backend, settings);
  check_same_task(table, digest_of(data.sample));
  check_same(processes(), "--bayesian", given.is_bayesian ? "given" : "not given");
  return run(given, data, options, bootstrap, precision, format, files, kept, backend);
}

}  // namespace sporos::apps
