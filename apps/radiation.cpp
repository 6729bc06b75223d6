// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "progress_line.hpp"
#include "run.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/radiation/radiation.hpp>
#include <sporos/runtime/radiation/task.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/results/renderers.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/models/radiation/radiation_files.hpp>
#include <sporos/models/radiation/radiation_json.hpp>
#include <sporos/models/radiation/radiation_picture.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sporos::apps {

namespace {

using models::PhotonCounts, models::PhotonProgress, models::RadiationCase;

// Shows the progress of photon tracing, and stops it after a signal or if a checkpoint is due.
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

// Output files of a run. They are known to be writable before there is anything to write.
class RadiationFiles {
 public:
  explicit RadiationFiles(const OptionTable& options)
      : m_profile(file_of_first(options.text("profile"))),
        m_pictures(options.list("picture")),
        m_files(options, "simulate radiation") {}

  void write(const RadiationReport& report) const {
    if (m_profile) m_profile->write(profile_of(report));
    if (!m_pictures.empty()) m_pictures.draw(script_of(report));
    m_files.write(document_of(report));
  }

 private:
  static std::string script_of(const RadiationReport& report) {
    const std::string name = std::filesystem::path(report.path).filename().string();
    if (const auto* balance = std::get_if<models::EnergyBalance>(&report.result)) {
      return models::energy_picture(report.radiation, *balance, name);
    }
    return models::temperature_picture(report.radiation, std::get<models::RadiativeEquilibrium>(report.result), name);
  }

  std::optional<io::OutputFile> m_profile;
  PictureFiles m_pictures;
  ResultFiles m_files;
};

// A case and the requested computation on it.
struct Problem {
  std::string path;
  RadiationCase radiation;
  RadiationPlan plan;

  bool asks_for_equilibrium() const { return plan.question == RadiationQuestion::equilibrium; }
  // Returns the relative frequencies with which photons come from the sources.
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
      refuse(problem, "no source emits energy, expected a beam or an absorber with a temperature above 0");
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

// Returns the largest standard error of the estimates to which a precision applies.
double largest_error(const RadiationResult& result) {
  const auto* balance = std::get_if<models::EnergyBalance>(&result);
  double greatest = 0;
  for (const auto& estimate :
       balance != nullptr ? balance->flux : std::get<models::RadiativeEquilibrium>(result).temperatures) {
    if (std::isfinite(estimate.error)) greatest = std::max(greatest, estimate.error);
  }
  return greatest;
}

// Returns the number of photons at the next check of the precision. It doubles from one check to the next.
std::int64_t next_look(const Problem& problem, std::int64_t photons) {
  const models::PhotonPlan& plan = problem.plan.photons;
  if (!problem.plan.precision) return plan.photons;
  constexpr std::int64_t least = 1 << 16, of_batch = 64, of_source = 100;
  std::int64_t look = std::max({least, of_batch * plan.batches, of_source * source_count(problem.radiation)});
  while (look < photons) look *= 2;
  return std::min(look, plan.photons);
}

// Follows photons through a case.
class Tracing final : public Run {
 public:
  Tracing(const Arguments& given, Problem problem)
      : m_options(given.options),
        m_problem(std::move(problem)),
        m_files(m_options),
        m_digest(io::checksum(models::json_of(m_problem.radiation).dump())) {}

  io::Json description() const override { return description_of("simulate radiation", m_options, m_digest); }

  void start(const Backend&) override { check_same_task(m_options, m_digest); }

  std::string restore(const io::Json& state, const std::string& what) override {
    m_counts = models::photon_counts_of_json(state, what);
    return plural(m_counts.photons(), "photon", "photons");
  }

  void compute(const Backend& backend, const RunControl& control) override {
    const std::int64_t at_most = m_problem.plan.photons.photons;
    RadiationWatch watch(control.interruption, control.kept, at_most, m_counts.photons(), control.shows_progress);
    RadiationTask task{m_problem.radiation,
                       m_problem.weights(),
                       m_problem.plan.photons,
                       m_problem.asks_for_equilibrium(),
                       {[&](const PhotonProgress& progress) { return watch(progress); }, {}},
                       processes()};
    for (std::int64_t photons = m_counts.photons();;) {
      photons = next_look(m_problem, photons);
      follow(photons, task, control.interruption, watch, backend);
      m_result = result_of(m_problem, m_counts);
      if (m_signal != 0 || photons == at_most || is_precise()) return;
      ++photons;
    }
  }

  bool has_ended() const override { return m_signal == 0; }

  io::Json state() const override { return models::json_of(m_counts); }

  void write(const Machine& machine, double seconds) override {
    m_files.write({m_problem.path, m_problem.radiation, m_problem.plan, m_result, stopped_by(), seconds, machine});
  }

  Ending ending(int) const override {
    const std::string photons = plural(m_counts.photons(), "photon", "photons");
    if (m_signal != 0) {
      return Ending::interrupted_after(m_signal, photons);
    }
    if (!m_problem.plan.precision || is_precise()) return {};
    const double error = largest_error(m_result);
    return {
        2,
        fmt::format(
            "precision not reached: the largest standard error is {:.3g} {}, {:.3g} times the requested one, after {}",
            error, m_problem.asks_for_equilibrium() ? "K" : "W/m²", error / *m_problem.plan.precision, photons)};
  }

 private:
  // Whether a precision is requested and reached.
  bool is_precise() const { return m_problem.plan.precision && largest_error(m_result) <= *m_problem.plan.precision; }

  const char* stopped_by() const {
    if (m_signal != 0) return "interrupted";
    return is_precise() ? "precision" : "photons";
  }

  // Follows photons until their number is `photons`, from one checkpoint to the next.
  void follow(std::int64_t photons, RadiationTask& task, const Interruption& interruption, RadiationWatch& watch,
              const Backend& backend) {
    task.plan.photons = photons;
    while (m_counts.photons() < photons) {
      task.run.start = std::move(m_counts);
      m_counts = backend.run(task);
      m_signal = greatest(processes(), interruption.signal());
      if (m_counts.photons() == photons) {
        m_signal = 0;
        return;
      }
      watch.keep(m_counts);
      if (m_signal != 0) return;
    }
  }

  const OptionTable& m_options;
  Problem m_problem;
  RadiationFiles m_files;
  std::uint64_t m_digest;
  PhotonCounts m_counts;
  RadiationResult m_result;
  int m_signal = 0;  // signal that ended the run early, or 0
};

}  // namespace

int radiation_command(std::span<const std::string> arguments, Backend& backend) {
  const Arguments given = parse_radiation_options(arguments);
  const OptionTable& options = given.options;
  const RadiationPlan plan = radiation_plan(options);
  const auto settings = execution_settings(options, backend);
  const std::string path = *options.text("case");
  Problem problem{path, models::read_radiation_case(path), plan};
  check(problem, !options.list("picture").empty());
  check_table(options, table_names(problem.radiation));
  Tracing run(given, std::move(problem));
  return carry_out(run, options, settings, backend);
}

}  // namespace sporos::apps
