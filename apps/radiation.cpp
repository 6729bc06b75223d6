// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "radiation.hpp"

#include "complaint.hpp"
#include "interruption.hpp"
#include "start_backend.hpp"
#include "status_line.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/files/picture_files.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/radiation/report.hpp>
#include <sporos/runtime/radiation/task.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/models/radiation/radiation_files.hpp>
#include <sporos/models/radiation/radiation_json.hpp>
#include <sporos/models/radiation/radiation_picture.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sporos::apps {

namespace {

using models::PhotonCounts, models::PhotonProgress, models::RadiationCase;

// Shows how far photons have been followed, and ends that where a signal came or a checkpoint is due.
class RadiationWatch {
 public:
  RadiationWatch(const Interruption& interruption, const std::optional<KeptRun>& kept, std::int64_t at_most,
                 std::int64_t first, bool wanted)
      : m_interruption(interruption), m_kept(kept), m_at_most(at_most), m_first(first), m_line(wanted) {}

  bool operator()(const PhotonProgress& progress) {
    const double seconds = seconds_since(m_start);
    if (m_line.is_due(seconds)) m_line.show(seconds, line(progress.photons, seconds));
    return m_interruption.signal() == 0 && !(m_kept && seconds >= m_kept_at + m_kept->every());
  }

  void keep(const PhotonCounts& counts) {
    together(processes(), [&] {
      if (m_kept) m_kept->save(models::json_of(counts));
    });
    m_kept_at = seconds_since(m_start);
  }

 private:
  std::string line(std::int64_t photons, double seconds) const {
    const double rate = static_cast<double>(photons - m_first) / seconds;
    return fmt::format("radiation: {} of at most {} photons, {:.0f} %, {:.3g}/s, at most {} left", photons, m_at_most,
                       100 * static_cast<double>(photons) / static_cast<double>(m_at_most), rate,
                       duration_text(static_cast<double>(m_at_most - photons) / rate));
  }

  const Interruption& m_interruption;
  const std::optional<KeptRun>& m_kept;
  std::int64_t m_at_most, m_first;
  double m_kept_at = 0;
  StatusLine m_line;
  Clock::time_point m_start = Clock::now();
};

// The files that a run leaves, known to be writable before there is anything to write.
class RadiationFiles {
 public:
  explicit RadiationFiles(const RadiationOptions& options)
      : m_destination(options.table.text("output")),
        m_profile(file_of_first(options.table.text("profile"))),
        m_pictures(options.pictures) {}

  void write(const RadiationReport& report, Format format) const {
    if (m_profile) m_profile->write(csv_of(report));
    if (!m_pictures.empty()) m_pictures.draw(script_of(report));
    m_destination.write(text_of(report, format));
  }

 private:
  static std::string script_of(const RadiationReport& report) {
    const std::string name = std::filesystem::path(report.path).filename().string();
    if (const auto* balance = std::get_if<models::EnergyBalance>(&report.result)) {
      return models::energy_picture(report.radiation, *balance, name);
    }
    return models::temperature_picture(report.radiation, std::get<models::RadiativeEquilibrium>(report.result), name);
  }

  Destination m_destination;
  std::optional<io::OutputFile> m_profile;
  PictureFiles m_pictures;
};

// A case and what is asked of it.
struct Problem {
  std::string path;
  RadiationCase radiation;
  RadiationPlan plan;

  bool asks_for_equilibrium() const { return plan.question == RadiationQuestion::equilibrium; }
  // How often photons come from each source.
  std::vector<double> weights() const {
    return asks_for_equilibrium() ? exchange_weights(radiation) : source_powers(radiation);
  }
};

[[noreturn]] void refuse(const Problem& problem, const std::string& why) {
  throw std::invalid_argument(fmt::format("{}: {}", problem.path, why));
}

void check(const Problem& problem, bool has_pictures) {
  const RadiationCase& radiation = problem.radiation;
  if (problem.asks_for_equilibrium()) {
    try {
      check_equilibrium(radiation, problem.plan.equilibrium);
    } catch (const std::invalid_argument& error) {
      refuse(problem, error.what());
    }
  } else {
    const auto powers = source_powers(radiation);
    if (std::all_of(powers.begin(), powers.end(), [](double power) { return power == 0; })) {
      refuse(problem, "nothing sends out energy, expected a beam or a temperature above 0 of what absorbs");
    }
  }
  if (has_pictures && radiation.elements() > models::most_drawn_elements) {
    refuse(problem, fmt::format("number of elements is {}, expected at most {} for a picture", radiation.elements(),
                                models::most_drawn_elements));
  }
}

RadiationResult result_of(const Problem& problem, const PhotonCounts& counts) {
  if (!problem.asks_for_equilibrium()) return energy_balance(problem.radiation, counts);
  return radiative_equilibrium(problem.radiation, counts, problem.plan.equilibrium);
}

// The greatest standard error of what a precision is asked for.
double greatest_error(const RadiationResult& result) {
  const auto* balance = std::get_if<models::EnergyBalance>(&result);
  double greatest = 0;
  for (const auto& estimate :
       balance != nullptr ? balance->flux : std::get<models::RadiativeEquilibrium>(result).temperatures) {
    if (std::isfinite(estimate.error)) greatest = std::max(greatest, estimate.error);
  }
  return greatest;
}

// How many photons are followed before the next look at the precision: from the first look on twice as many each time.
std::int64_t next_look(const Problem& problem, std::int64_t photons) {
  const models::PhotonPlan& plan = problem.plan.photons;
  if (!problem.plan.precision) return plan.photons;
  constexpr std::int64_t least = 1 << 16, of_batch = 64, of_source = 100;
  std::int64_t look = std::max({least, of_batch * plan.batches, of_source * source_count(problem.radiation)});
  while (look < photons) look *= 2;
  return std::min(look, plan.photons);
}

// What photons have told.
struct Outcome {
  PhotonCounts counts;
  RadiationResult result;
  int signal;  // that ended it early, or 0
};

// Follows photons up to `photons` of them, from one checkpoint to the next. Returns the signal that has ended it, or 0.
int follow(PhotonCounts& counts, std::int64_t photons, RadiationTask& task, const Interruption& interruption,
           RadiationWatch& watch, const Backend& backend) {
  task.plan.photons = photons;
  while (counts.photons() < photons) {
    task.run.start = std::move(counts);
    counts = backend.run(task);
    const int signal = greatest(processes(), interruption.signal());
    if (counts.photons() == photons) break;
    watch.keep(counts);
    if (signal != 0) return signal;
  }
  return 0;
}

Outcome followed(const Problem& problem, PhotonCounts counts, const RadiationOptions& options,
                 const std::optional<KeptRun>& kept, const Interruption& interruption, const Backend& backend) {
  const std::int64_t at_most = problem.plan.photons.photons;
  RadiationWatch watch(interruption, kept, at_most, counts.photons(), options.shows_progress);
  RadiationTask task{problem.radiation,
                     problem.weights(),
                     problem.plan.photons,
                     problem.asks_for_equilibrium(),
                     {[&](const PhotonProgress& progress) { return watch(progress); }, {}},
                     processes()};
  for (std::int64_t photons = counts.photons();;) {
    photons = next_look(problem, photons);
    const int signal = follow(counts, photons, task, interruption, watch, backend);
    RadiationResult result = result_of(problem, counts);
    const bool is_end = signal != 0 || photons == at_most || greatest_error(result) <= *problem.plan.precision;
    if (is_end) return {std::move(counts), std::move(result), signal};
    ++photons;
  }
}

// Says what kept the run from its goal, and returns the exit status.
int conclude(const Problem& problem, const Outcome& outcome, const std::optional<KeptRun>& kept) {
  if (outcome.signal != 0) {
    complain(fmt::format("interrupted after {}, whose results are written{}",
                         plural(outcome.counts.photons(), "photon", "photons"), kept ? kept->note() : ""));
    return exit_status_of(outcome.signal);
  }
  const double error = greatest_error(outcome.result);
  if (!problem.plan.precision || error <= *problem.plan.precision) return 0;
  complain(
      fmt::format("precision not reached: the greatest standard error is {:.3g} {}, {:.3g} times the wanted one, "
                  "after {}",
                  error, problem.asks_for_equilibrium() ? "K" : "W/m²", error / *problem.plan.precision,
                  plural(outcome.counts.photons(), "photon", "photons")));
  return 2;
}

std::uint64_t digest_of(const RadiationCase& radiation) { return io::checksum(models::json_of(radiation).dump()); }

// Where the run begins: with no photons, or where an earlier one was stopped.
PhotonCounts start_of(const std::optional<KeptRun>& kept, const RadiationOptions& options) {
  auto counts = kept_state(kept, options.table.text("checkpoint"), models::photon_counts_of_json);
  if (!counts) return {};
  if (kept) kept->announce(plural(counts->photons(), "photon", "photons"), options.shows_progress);
  return std::move(*counts);
}

int run(const Problem& problem, const RadiationOptions& options, const RadiationFiles& files, Format format,
        const std::optional<KeptRun>& kept, const Backend& backend) {
  const auto start = Clock::now();
  Interruption interruption(std::numeric_limits<double>::infinity(), [&] { return note_of(kept); });
  const Outcome outcome = followed(problem, start_of(kept, options), options, kept, interruption, backend);
  interruption.begin_writing();
  const RadiationReport report{problem.path,   problem.radiation,    problem.plan,
                               outcome.result, seconds_since(start), machine_of(backend)};
  write_kept(
      kept, outcome.signal == 0, [&] { return models::json_of(outcome.counts); }, [&] { files.write(report, format); });
  return conclude(problem, outcome, kept);
}

}  // namespace

int radiation_command(std::span<const std::string> arguments, Backend& backend) {
  const RadiationOptions options = parse_radiation_options(arguments);
  const OptionTable& table = options.table;
  const RadiationPlan plan = radiation_plan(table);
  const Format format = table.choice("format", Format::table);
  const auto settings = execution_settings(table.text("threads"), table.text("device"), backend);
  const std::string path = *table.text("case");
  const Problem problem{path, models::read_radiation_case(path), plan};
  check(problem, !options.pictures.empty());
  const RadiationFiles files(options);
  const std::uint64_t digest = digest_of(problem.radiation);
  std::optional<KeptRun> kept;
  keep(kept, table.text("checkpoint"), table.text("every"), [&] {
    return description_of("simulate radiation", table,
                          {"case", "checkpoint", "every", "threads", "device", "format", "output", "profile"}, digest);
  });

  start_backend(backend, settings);
  check_same_task(table, digest);
  return run(problem, options, files, format, kept, backend);
}

}  // namespace sporos::apps
