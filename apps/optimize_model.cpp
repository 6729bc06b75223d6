// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "run.hpp"
#include "status_line.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/files/picture_files.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/search/model_search.hpp>
#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/search/report.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace sporos::apps {

namespace {

// A search over parameters of a model whose results are written.
class WatchedSearch final : public Run {
 public:
  WatchedSearch(ModelSearch search, const OptionTable& options, Format format)
      : m_search(std::move(search)),
        m_options(options),
        m_format(format),
        m_destination(options.text("output")),
        m_pictures(options.list("picture")) {}

  double time_limit() const override { return m_search.request().time_limit; }

  io::Json description() const override {
    return description_of("optimize " + m_search.request().model->name, m_options, 0);
  }

  void start(const Backend& backend) override {
    if (processes().count() > 1) {
      throw std::invalid_argument(fmt::format("{} processes optimize one model, expected 1", processes().count()));
    }
    m_search.start(backend);
  }

  std::string restore(const io::Json& state, const std::string& what) override {
    m_search.journal().restore(io::json_list(state, what, "moments"), what + ": moments");
    return plural(m_search.journal().replications(), "replication", "replications");
  }

  void compute(const Backend&, const RunControl& control) override {
    StatusLine line(control.shows_progress);
    const SearchRequest& request = m_search.request();
    const auto start = Clock::now();
    double saved_at = 0;
    const auto is_enough = [&] {
      const double seconds = seconds_since(start);
      if (line.is_due(seconds)) {
        line.show(seconds, fmt::format("{}: {}, {} of at most {} replications", request.model->name, m_search.solver(),
                                       m_search.journal().replications(), request.budget));
      }
      if (control.kept && seconds >= saved_at + control.kept->every()) {
        control.kept->save(state());
        saved_at = seconds;
      }
      if (control.interruption.signal() != 0) m_end = "interrupted";
      if (seconds >= request.time_limit) m_end = "time";
      return !m_end.empty();
    };
    m_search.run(is_enough);
    if (m_end.empty()) m_end = "replications";
  }

  std::optional<std::string> make_results() override { return m_search.estimate(); }

  bool has_ended() const override { return m_end == "replications"; }

  io::Json state() const override { return {{"moments", m_search.journal().json()}}; }

  void write(const Machine& machine, double seconds) override {
    const SearchReport report = m_search.report(m_end, seconds, machine);
    if (!m_pictures.empty()) m_pictures.draw(picture_of(report));
    m_destination.write(text_of(report, m_format));
  }

  Ending ending(int signal) const override {
    if (m_end != "interrupted") return {};
    return Ending::interrupted(signal, fmt::format("interrupted after {}, whose results are written",
                                                   plural(m_search.replications(), "replication", "replications")));
  }

 private:
  ModelSearch m_search;
  const OptionTable& m_options;
  Format m_format;
  Destination m_destination;
  PictureFiles m_pictures;
  std::string_view m_end;
};

}  // namespace

int optimize_model_command(const ModelDescription& model, std::span<const std::string> arguments, Backend& backend) {
  const Arguments given = parsed(search_usage(model), arguments);
  const OptionTable& options = given.options;
  SearchRequest request = search_request(model, options);
  model.check(request.values);
  Objective objective = objective_of(request.objective, model, request.values, request.decisions);
  const Format format = options.choice("format", Format::table);
  const auto settings = execution_settings(options, backend);
  WatchedSearch run({std::move(request), std::move(objective)}, options, format);
  return carry_out(run, options, settings, backend);
}

}  // namespace sporos::apps
