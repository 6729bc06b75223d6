// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/steady_state/steady_state.hpp>

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/panels.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/statistics/warm_up.hpp>
#include <sporos/procedures/steady_state/series_methods.hpp>
#include <sporos/version.hpp>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::int64_t default_runs = 32;                       // runs of the method of replications
constexpr std::int64_t default_ceiling_of_run = 1'000'000'000;  // observations, if a precision is requested

std::vector<OptionEntry> steady_state_entries(const ModelDescription& model) {
  const std::string group = "Steady state";
  const SteadyStateGoal defaults;
  OptionEntry picture = picture_option("the series with the end of the warm-up, after Welch");
  picture.group = group;
  return {{group, "method", "NAME",
           fmt::format(
               "{}; 95 % intervals of methods other than skart cover less often if runs are short for the correlation: "
               "87 to 91 % with 262144 waits at load 0.95, 50 to 73 % with 16384; default: {}",
               names_of<SeriesMethod>(), name_of(defaults.method))},
          {group, "runs", "R",
           fmt::format("independent long runs, for regenerative and replications; default: {} for replications, else 1",
                       default_runs)},
          {group, "observations", "N",
           fmt::format("observations of each run; with a precision, the maximum; default: {}, with a precision {}",
                       model.series_observations, default_ceiling_of_run)},
          {group,
           "response",
           "NAME ...",
           "mean to estimate; may be given several times; default: all",
           {},
           Decides::result,
           Occurrence::repeated},
          picture};
}

Usage steady_state_usage(const ModelDescription& model) {
  Usage usage =
      one_point_usage(steady_state_question, model,
                      entries_of({steady_state_entries(model), plan_entries_named({"precision", "relative-precision"}),
                                  estimate_entries(), checkpoint_options()}),
                      " --relative-precision 0.05");
  usage.footer = model.station_names != nullptr ? "One observation is a time slot, whose length the result shows. For "
                                                  "quantiles of waits, use `sporos simulate` "
                                                  "with a case that has warm_up and wait_quantiles."
                                                : "Runs store averages and no single observations. For the "
                                                  "distribution of single waits, simulate a network whose "
                                                  "case has warm_up, wait_quantiles and wait_limits.";
  return usage;
}

std::string reason_without_series(const ModelDescription& model) {
  if (model.series_names != nullptr) return "";
  return model.without_series.empty() ? "has no steady-state series"
                                      : fmt::format("has no steady state, because {}", model.without_series);
}

// Returns the places in `names` of the means that --response names; none if it is not given.
std::vector<std::size_t> chosen_means(const std::vector<std::string>& names, const OptionTable& options) {
  std::vector<std::size_t> means;
  for (const std::string& name : options.list("response")) means.push_back(response_named(name, names, "response"));
  std::ranges::sort(means);
  means.erase(std::ranges::unique(means).begin(), means.end());
  return means;
}

void check_parameters(const ModelDescription& model, const OptionTable& options) {
  for (const std::string& ignored : model.series_ignores) {
    const ParameterDescription& parameter = model.parameters[*model.find_parameter(ignored)];
    if (!options.has(parameter.option())) continue;
    throw std::invalid_argument(
        fmt::format("{} is given, but steady-state runs have no end: omit it", parameter.flag()));
  }
}

void add(std::vector<EstimateStep>& steps, std::int64_t observations, const SeriesInterval& interval) {
  if (interval.reason.empty()) steps.push_back({observations, interval.mean, interval.low, interval.high});
}

// The model without the parameters that its series ignore.
ResultSubject subject_of(const SteadyStateRequest& request) {
  ResultSubject subject = subject_of(*request.model, request.values);
  std::erase_if(subject.parameters, [&](const ResultParameter& parameter) {
    const auto& ignored = request.model->series_ignores;
    return std::ranges::find(ignored, parameter.name) != ignored.end();
  });
  return subject;
}

std::string lead_of(const SteadyStateRequest& request, const SteadyStateResult& result) {
  std::vector<std::string> goals;
  if (request.goal.half_width > 0) goals.push_back(io::shortest_text(request.goal.half_width));
  if (request.goal.relative_half_width > 0) {
    goals.push_back(io::shortest_text(request.goal.relative_half_width) + " of the mean");
  }
  const std::string precision =
      goals.empty() ? "" : fmt::format("half-widths of at most {} within ", fmt::join(goals, " and "));
  const std::string each = result.observation.empty() ? "" : fmt::format(" ({} each)", result.observation);
  return fmt::format("Means in steady state by {}: {}{}{} of {}, seed {}", name_of(request.goal.method), precision,
                     plural(request.goal.observations, "observation", "observations"), each,
                     plural(request.runs, "run", "runs"), request.seed);
}

std::vector<ResultFact> settings_of(const SteadyStateRequest& request) {
  const SteadyStateGoal& goal = request.goal;
  const auto width = [](double asked) { return asked > 0 ? ResultValue(asked) : ResultValue(); };
  return {{"method", "method", std::string(name_of(goal.method))},
          {"precision", "maximum half-width", width(goal.half_width), ValueKind::number},
          {"relative_precision", "maximum half-width relative to the mean", width(goal.relative_half_width),
           ValueKind::percentage},
          {"observations", goal.is_sequential() ? "maximum observations of a run" : "observations of a run",
           goal.observations, ValueKind::count},
          {"runs", "runs", request.runs, ValueKind::count},
          {"confidence", "confidence", goal.confidence, ValueKind::percentage},
          {"seed", "seed", request.seed, ValueKind::count}};
}

ResultTable means_table(const SteadyStateReport& report) {
  const SteadyStateGoal& goal = report.request.goal;
  const char* const batches = goal.method == SeriesMethod::regenerative   ? "cycles"
                              : goal.method == SeriesMethod::replications ? "runs"
                                                                          : "batches";
  ResultTable table{
      "means",
      "Means in steady state",
      {{"response", "response", ValueKind::text},
       {"mean", "mean", ValueKind::number, "half_width"},
       {"low", interval_title(goal.confidence), ValueKind::number, "half_width"},
       {"high", "to", ValueKind::number, "half_width"},
       {.id = "half_width", .title = "half-width", .half_width = "half_width", .shown = Shown::in_reports},
       {"exact", "exact", ValueKind::number, "half_width"},
       {"warm_up", "warm-up cut", ValueKind::count},
       {"batch_size", "batch size", ValueKind::count},
       {"batches", batches, ValueKind::count},
       {"used", "observations used", ValueKind::count},
       {.id = "degrees_of_freedom", .title = "degrees of freedom", .shown = Shown::in_reports},
       {.id = "no_interval", .title = "why there is no interval", .kind = ValueKind::text, .shown = Shown::as_data}},
      {}};
  for (std::size_t i = 0; i < report.result.names.size(); ++i) {
    const SeriesInterval& found = report.result.intervals[i];
    const auto of_interval = [&](auto value) { return found.reason.empty() ? ResultValue(value) : ResultValue(); };
    table.rows.push_back({report.result.names[i], found.mean, found.low, found.high, found.half_width(),
                          value_of(report.exact.empty() ? std::nullopt : report.exact[report.result.means[i]]),
                          of_interval(found.cut), found.batch_size > 0 ? ResultValue(found.batch_size) : ResultValue(),
                          of_interval(found.batches), of_interval(found.used), of_interval(found.degrees_of_freedom),
                          found.reason.empty() ? ResultValue() : ResultValue(std::string(found.reason))});
  }
  return table;
}

std::vector<std::string> notes_of(const SteadyStateReport& report) {
  const SteadyStateResult& result = report.result;
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    const SeriesInterval& interval = result.intervals[i];
    if (!interval.reason.empty())
      notes.push_back(fmt::format("{} has no interval: {}", result.names[i], interval.reason));
  }
  if (notes.empty()) notes.push_back(missed_precision(report.request, result));
  if (notes.back().empty()) notes.pop_back();
  return notes;
}

PageSection series_section(const SteadyStateReport& report) {
  PageSection section{"Series and end of the warm-up", {}};
  for (PagePicture& picture : page_pictures_of(report, *report.runs)) section.blocks.emplace_back(std::move(picture));
  return section;
}

PageSection convergence_section(const SteadyStateReport& report) {
  PageSection section{narrowing_heading, {}};
  if (report.convergence == nullptr) {
    section.blocks.emplace_back(PageParagraph{unknown_narrowing});
    return section;
  }
  for (std::size_t i = 0; i < report.result.names.size(); ++i) {
    const auto steps = report.convergence->steps(i, report.result);
    if (steps.empty()) continue;
    section.blocks.emplace_back(convergence_picture(report.result.names[i], "observations of a run", steps));
  }
  if (section.blocks.empty())
    section.blocks.emplace_back(PageParagraph{"No interval was available at any point of the run."});
  return section;
}

// Welch's moving average over `window` values on each side. Near the front, both sides have only `place` values.
double moving_average(std::span<const double> values, std::size_t place, std::size_t window) {
  const std::size_t reach = std::min(window, place);
  double sum = 0;
  for (std::size_t i = place - reach; i <= place + reach; ++i) sum += values[i];
  return sum / static_cast<double>(2 * reach + 1);
}

// The drawn part of a series: ten times its warm-up and at least 100 blocks if available, in at most 1000 averages.
struct DrawnSeries {
  std::vector<double> averages;
  double spacing;  // observations of each average
};

DrawnSeries drawn(const SeriesRuns& runs, std::size_t mean, std::int64_t cut) {
  constexpr std::size_t least = 100, most = 1000;
  const auto blocks = series_values(runs, mean, static_cast<std::size_t>(cut / runs.block_size())).averages();
  const std::size_t wanted = std::max(static_cast<std::size_t>(10 * cut / runs.block_size()), least);
  const std::size_t count = std::min(wanted, blocks.size()), group = (count + most - 1) / most;
  return {averages_of(std::span(blocks).first(count), group),
          static_cast<double>(group) * static_cast<double>(runs.block_size())};
}

// gnuplot data of a series, the commands that plot them, and a description of the plot.
struct SeriesPlot {
  std::string data, commands, words;
};

SeriesPlot plot_of(const SteadyStateReport& report, const SeriesRuns& runs, std::size_t i) {
  const SeriesInterval& interval = report.result.intervals[i];
  const auto [averages, spacing] = drawn(runs, report.result.means[i], interval.cut);
  const std::size_t window = std::max<std::size_t>(averages.size() / 20, 1);
  SeriesPlot plot{fmt::format("$series{} << END\n", i), "", ""};
  for (std::size_t place = 0; place < averages.size(); ++place) {
    plot.data += fmt::format(
        "{} {} {}\n", io::shortest_text((static_cast<double>(place) + 0.5) * spacing),
        io::shortest_text(averages[place]),
        place + window < averages.size() ? io::shortest_text(moving_average(averages, place, window)) : "NaN");
  }
  plot.data += "END\n";
  const double end = static_cast<double>(averages.size()) * spacing;
  plot.commands = fmt::format("set xrange [0:{}]\nunset arrow\nunset object\n", io::shortest_text(end));
  plot.words = fmt::format("The first {:.6g} observations, averaged over the runs, and their moving average", end);
  std::string mean;
  if (interval.reason.empty()) {
    plot.commands += fmt::format(
        "set object 1 rectangle from graph 0, first {} to graph 1, first {} fillcolor rgb '#F0E6C8' fillstyle solid "
        "noborder behind\nset arrow 1 from first {}, graph 0 to first {}, graph 1 nohead linewidth 2 dashtype 2 "
        "linecolor rgb '#D55E00' front\n",
        io::shortest_text(interval.low), io::shortest_text(interval.high), interval.cut, interval.cut);
    mean = fmt::format(", {} title 'mean, interval' linewidth 1.5 linecolor rgb '#707070'",
                       io::shortest_text(interval.mean));
    plot.words += fmt::format("; the warm-up ends after {} observations; mean {:.6g}, interval {:.6g} to {:.6g}",
                              interval.cut, interval.mean, interval.low, interval.high);
  }
  plot.commands += fmt::format(
      "plot $series{} using 1:2 with lines linewidth 0.8 linecolor rgb '#B8CFE0' title 'averages of {:.6g}', "
      "$series{} using 1:3 with lines linewidth 2 linecolor rgb '#0072B2' title 'moving average of {}'"
      "{}, 1/0 with lines linewidth 2 dashtype 2 linecolor rgb '#D55E00' title 'end of warm-up'\n",
      i, spacing, i, 2 * window + 1, mean);
  return plot;
}

constexpr auto welch_axes =
    "set border 3 linecolor rgb '#707070'\nset tics nomirror out textcolor rgb 'black'\n"
    "set grid linetype 1 linecolor rgb '#E4E4E4' linewidth 1\nset key below samplen 2\n"
    "set xlabel 'observation'\nset format x '%g'\nset xtics rotate by 30 right\n";

}  // namespace

const Question steady_state_question{"steady-state", "Estimates the steady-state means of a model from long runs.",
                                     steady_state_usage, reason_without_series};

SteadyStateRequest steady_state_request(const ModelOptions& given) {
  const ModelDescription& model = *given.model;
  const OptionTable& options = given.table;
  check_parameters(model, options);
  const SteadyStateGoal defaults;
  const Plan plan;
  SteadyStateRequest request{
      &model, only_point(given), defaults, 1, options.seed("seed", plan.seed), time_limit_of(options)};
  SteadyStateGoal& goal = request.goal;
  goal.method = options.choice("method", defaults.method);
  goal.confidence = options.positive("confidence", plan.confidence);
  goal.half_width = options.has("precision") ? options.positive("precision", 0) : 0;
  goal.relative_half_width = options.has("relative-precision") ? options.positive("relative-precision", 0) : 0;
  goal.observations =
      options.whole("observations", goal.is_sequential() ? default_ceiling_of_run : model.series_observations, 1);
  request.runs = options.whole("runs", goal.method == SeriesMethod::replications ? default_runs : 1, 1);
  if (goal.method == SeriesMethod::regenerative && !model.series_regenerates) {
    throw std::invalid_argument(
        fmt::format("method is regenerative, expected another with {}, which has no regeneration points", model.name));
  }
  check_goal(goal, request.runs);
  request.names = model.series_names(request.values);
  goal.means = chosen_means(request.names, options);
  return request;
}

io::Json description_of(const SteadyStateRequest& request) {
  const SteadyStateGoal& goal = request.goal;
  return {{"sporos", SPOROS_VERSION},
          {"command", "steady-state"},
          {"model", request.model->name},
          {"parameters", json_of(*request.model, request.values)},
          {"method", name_of(goal.method)},
          {"confidence", goal.confidence},
          {"precision", goal.half_width},
          {"relative_precision", goal.relative_half_width},
          {"observations", goal.observations},
          {"means", goal.means},
          {"runs", request.runs},
          {"seed", request.seed}};
}

void SeriesConvergence::look(const SeriesRuns& runs) {
  if (!m_looks.are_due(runs.observations())) return;
  const std::vector<std::size_t> means = estimated_means(runs, m_goal);
  m_steps.resize(means.size());
  for (std::size_t i = 0; i < means.size(); ++i)
    add(m_steps[i], runs.observations(), steady_state_mean(m_goal.method, runs, means[i], m_goal.confidence));
}

std::vector<EstimateStep> SeriesConvergence::steps(std::size_t index, const SteadyStateResult& result) const {
  std::vector<EstimateStep> steps;
  for (const EstimateStep& step : m_steps.at(index)) {
    if (step.observations < result.observations) steps.push_back(step);
  }
  add(steps, result.observations, result.intervals[index]);
  return steps;
}

std::vector<std::optional<double>> exact_means(const SteadyStateRequest& request) {
  return request.model->series_means(request.values);
}

namespace {

std::string end_of(const SteadyStateResult& result) { return end_of_run(result.stopped_by, "observations"); }

}  // namespace

bool is_ended_early(const SteadyStateResult& result) {
  return result.stopped_by == StopReason::time_limit || result.stopped_by == StopReason::interrupted;
}

std::string missed_precision(const SteadyStateRequest& request, const SteadyStateResult& result) {
  std::size_t worst = 0;
  const auto excess_of = [&](std::size_t i) { return excess(result.intervals[i], request.goal); };
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    if (!result.intervals[i].reason.empty()) {
      return fmt::format("'{}' has no interval after {} of each run ({}): {}", result.names[i],
                         plural(result.observations, "observation", "observations"), end_of(result),
                         result.intervals[i].reason);
    }
    if (excess_of(i) > excess_of(worst)) worst = i;
  }
  if (!request.goal.is_sequential() || result.stopped_by == StopReason::precision) return "";
  const SeriesInterval& interval = result.intervals[worst];
  return fmt::format(
      "precision not reached: '{}' is {:.6g} to {:.6g}, half-width {:.3g}, {:.3g} times the requested one, after {} of "
      "each run ({})",
      result.names[worst], interval.low, interval.high, interval.half_width(), excess_of(worst),
      plural(result.observations, "observation", "observations"), end_of(result));
}

ResultDocument document_of(const SteadyStateReport& report) {
  const SteadyStateRequest& request = report.request;
  const std::int64_t observations = report.result.observations;
  const std::string done = plural(observations, "observation", "observations") + " of each run";
  ResultDocument document{
      .question = "steady-state",
      .subject = subject_of(request),
      .lead = lead_of(request, report.result),
      .settings = settings_of(request),
      .tables = {means_table(report)},
      .findings = {{"observations", "observations of each run", observations, ValueKind::count}},
      .notes = notes_of(report),
      .stopped_by = end_of(report.result),
      .early_end = is_ended_early(report.result) ? early_end_line(report.result.stopped_by, done) : "",
      .confidence = request.goal.confidence,
      .seconds = report.seconds,
      .machine = report.machine};
  if (!report.result.observation.empty())
    document.settings.push_back({"observation", "one observation", report.result.observation});
  if (report.runs != nullptr) document.sections = {series_section(report), convergence_section(report)};
  return document;
}

std::string picture_of(const SteadyStateReport& report, const SeriesRuns& runs) {
  const SteadyStateRequest& request = report.request;
  const SteadyStateResult& result = report.result;
  std::string data, plots;
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    const SeriesPlot plot = plot_of(report, runs, i);
    data += plot.data;
    plots += fmt::format("set title {}\n", io::in_gnuplot_quotes(result.names[i])) + plot.commands;
  }
  const std::string title = fmt::format("{}: {} by {}", request.model->name, plural(request.runs, "run", "runs"),
                                        name_of(request.goal.method));
  constexpr std::size_t most_columns = 3;
  const std::size_t columns = std::min(result.names.size(), most_columns);
  const std::size_t rows = (result.names.size() + columns - 1) / columns;
  return data + fmt::format("set multiplot layout {},{} title {}\n", rows, columns, io::in_gnuplot_quotes(title)) +
         welch_axes + plots + "unset multiplot\n";
}

std::vector<PagePicture> page_pictures_of(const SteadyStateReport& report, const SeriesRuns& runs) {
  std::vector<PagePicture> pictures;
  for (std::size_t i = 0; i < report.result.names.size(); ++i) {
    SeriesPlot plot = plot_of(report, runs, i);
    pictures.push_back(
        {report.result.names[i], plot.words + ".",
         plot.data + welch_axes + "set key above vertical maxrows 2 samplen 1 font ',11'\n" + plot.commands});
  }
  return pictures;
}

}  // namespace sporos::runtime
