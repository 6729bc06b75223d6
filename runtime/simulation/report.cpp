// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/report.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/panels.hpp>
#include <sporos/runtime/simulation/point_tables.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/estimates.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::size_t max_pictures = 12;  // limit for a section
constexpr std::size_t max_shown = 5;      // limit for notes of one kind

std::string goal_of(const Plan& plan) {
  if (!plan.precision.is_set()) return plural(plan.replications, "replication", "replications");
  std::vector<std::string> goals;
  if (plan.precision.half_width > 0) goals.push_back(io::shortest_text(plan.precision.half_width));
  if (plan.precision.relative_half_width > 0) {
    goals.push_back(io::shortest_text(plan.precision.relative_half_width) + " of the mean");
  }
  return fmt::format("half-widths up to {} within {}, batches of {}", fmt::join(goals, " and "),
                     plural(plan.replications, "replication", "replications"), plan.batch);
}

std::string lead_of(const Report& report) {
  std::string lead = goal_of(report.plan) + ", " + source_text(report.plan);
  if (report.design.size() > 1) {
    lead += report.plan.common_random_numbers ? ", common random numbers" : ", independent design points";
  }
  return lead;
}

// Returns all parameters of all design points, from which the experiment can be repeated.
ResultTable design_table(const Report& report) {
  ResultTable table{
      "design", "Parameters of the design points", {point_number_column(Shown::as_data)}, {}, Shown::as_data};
  for (const ParameterDescription& parameter : report.model.parameters) {
    table.columns.push_back(parameter_column(parameter, Shown::as_data));
  }
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    std::vector<ResultValue> row{static_cast<std::int64_t>(p + 1)};
    for (const ParameterValue& value : report.design[p]) row.push_back(parameter_value(value));
    table.rows.push_back(std::move(row));
  }
  tell_apart(table.columns, 1, table.columns.size());
  return table;
}

// Returns the id of the column for the horizontal axis of pictures: the only parameter that varies, or the points'
// numbers.
std::string axis_of(const Report& report, const ResultTable& table) {
  const auto varying = varied_parameters(report.design);
  const bool is_one = varying.size() == 1 && !report.model.parameters[varying[0]].is_file();
  if (!is_one) return point_number;
  return std::ranges::find(table.columns, report.model.parameters[varying[0]].name, &ResultColumn::title)->id;
}

ResultTable means_table(const Report& report) {
  const std::string width = "half_width", title = half_width_title(report.plan.confidence);
  PointTable means(report, "means", "Means",
                   {{"response", "response", ValueKind::text},
                    {"mean", "mean", ValueKind::number, width},
                    {"half_width", title, ValueKind::number, width},
                    {"low", "from", ValueKind::number, width, "", Shown::in_reports},
                    {"high", "to", ValueKind::number, width, "", Shown::in_reports},
                    {"simultaneous_half_width",
                     report.simultaneous ? fmt::format("simultaneous, {}", name_of(report.simultaneous->method)) : "",
                     ValueKind::number, "simultaneous_half_width"},
                    {"deviation", "deviation"},
                    {"exact", "exact", ValueKind::number, width},
                    {"observations", "observations", ValueKind::count, "", "", Shown::in_reports},
                    {"variance", "variance", ValueKind::number, "", "", Shown::as_data},
                    {"replications", "replications", ValueKind::count, "", "", Shown::as_data},
                    {"stopped_by", "stopped by", ValueKind::text, "", "", Shown::as_data},
                    {"digest", "digest", ValueKind::text, "", "", Shown::as_data}},
                   Constants::are_data);
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    const PointResult& point = report.result.points[p];
    for (std::size_t i = 0; i < point.responses.size(); ++i) {
      const ResponseEstimate& one = point.responses[i];
      means.add(p, {one.name, one.mean, one.half_width, one.mean - one.half_width, one.mean + one.half_width,
                    report.simultaneous ? ResultValue(report.simultaneous->half_widths[p][i]) : ResultValue(),
                    one.deviation, value_of(report.exact[p][i]), one.observations, one.variance, point.replications,
                    std::string(name_of(point.stopped_by)), io::bits_text(point.digest)});
    }
  }
  if (report.design.size() == 1) return std::move(means.table);
  const std::string x = axis_of(report, means.table);
  const auto& responses = report.result.points.front().responses;
  for (std::size_t i = 0; i < std::min(max_pictures, responses.size()); ++i) {
    means.table.pictures.push_back({responses[i].name, PictureKind::intervals, x, "mean", "low", "high",
                                    std::pair("response", ResultValue(responses[i].name))});
  }
  return std::move(means.table);
}

// Returns how each design point ended.
ResultTable points_table(const Report& report) {
  PointTable points(report, "points", "Design points",
                    {{"replications", "replications", ValueKind::count},
                     {"stopped_by", "stopped by", ValueKind::text},
                     {"failures", "failed replications", ValueKind::count},
                     {"reason", "reason", ValueKind::text, "", "", Shown::in_reports},
                     {"digest", "digest", ValueKind::text}});
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    const PointResult& point = report.result.points[p];
    points.add(p, {point.replications, std::string(name_of(point.stopped_by)),
                   point.failure ? ResultValue(point.failure->failures) : ResultValue(),
                   point.failure ? ResultValue(point.failure->reason) : ResultValue(), io::bits_text(point.digest)});
  }
  if (report.design.size() == 1) points.table.shown = Shown::as_data;
  return std::move(points.table);
}

// Returns the skipped design points, which are invalid for the model.
ResultTable skipped_table(const Report& report) {
  ResultTable table{"skipped", "Invalid design points, which were skipped", {}, {}, Shown::in_reports};
  std::vector<std::size_t> differing;
  for (std::size_t i = 0; i < report.model.parameters.size(); ++i) {
    const bool differs = std::ranges::any_of(
        report.skipped, [&](const SkippedPoint& skipped) { return skipped.values[i] != report.design.front()[i]; });
    if (!differs && !varies(report.design, i)) continue;
    differing.push_back(i);
    table.columns.push_back(parameter_column(report.model.parameters[i], Shown::in_reports));
  }
  table.columns.push_back({"reason", "reason", ValueKind::text});
  tell_apart(table.columns, 0, differing.size());
  for (const SkippedPoint& skipped : report.skipped) {
    std::vector<ResultValue> row;
    for (const std::size_t i : differing) row.push_back(parameter_value(skipped.values[i]));
    row.emplace_back(skipped.reason);
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Appends the first lines, and the number of those left out in the format `more`.
void add_first(std::vector<std::string>& notes, std::vector<std::string> lines, const std::string& more) {
  for (std::size_t i = 0; i < std::min(lines.size(), max_shown); ++i) notes.push_back(std::move(lines[i]));
  if (lines.size() > max_shown) notes.push_back(fmt::format(fmt::runtime(more), lines.size() - max_shown));
}

std::vector<std::string> notes_of(const Report& report) {
  std::vector<std::string> notes = report.notes, failed, skipped;
  for (std::size_t p = 0; p < report.design.size(); ++p) {
    const PointResult& point = report.result.points[p];
    if (!point.failure) continue;
    failed.push_back(fmt::format("point {} has no result: {} of {} have failed: {}", p + 1, point.failure->failures,
                                 plural(point.replications, "replication", "replications"), point.failure->reason));
  }
  for (const auto& [values, reason] : report.skipped) {
    std::vector<std::string> parameters;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == report.design.front()[i]) continue;
      parameters.push_back(fmt::format("{} {}", report.model.parameters[i].name, shown_text_of(values[i])));
    }
    skipped.push_back(fmt::format("skipped {}: {}", fmt::join(parameters, ", "), reason));
  }
  add_first(notes, std::move(failed), "{} more design points have no result");
  add_first(notes, std::move(skipped), "skipped {} more design points");
  return notes;
}

// Returns the recorded steps of means, quantiles and probabilities, which show how each interval narrowed.
ResultTable convergence_table(const Report& report, const Convergence& means) {
  ResultTable table{"convergence",
                    narrowing_heading,
                    {{"estimate", "estimate", ValueKind::text},
                     {"observations", "observations", ValueKind::count},
                     {"value", "value"},
                     {"low", "from"},
                     {"high", "to"}},
                    {},
                    Shown::as_data};
  const auto add = [&](std::size_t point, const std::string& name, const std::vector<EstimateStep>& steps) {
    if (report.result.points[point].failure || table.pictures.size() == max_pictures || steps.empty()) return;
    const std::string estimate = name + point_text(report, point);
    for (const auto& [observations, value, low, high] : steps) {
      table.rows.push_back({estimate, observations, value, low, high});
    }
    table.pictures.push_back({estimate, PictureKind::convergence, "observations", "value", "low", "high",
                              std::pair("estimate", ResultValue(estimate))});
  };
  for (std::size_t p = 0; p < means.points(); ++p) {
    const auto& responses = report.result.points[p].responses;
    for (std::size_t r = 0; r < responses.size(); ++r) {
      if (responses[r].observations < 1) continue;
      add(p, responses[r].name, means.steps(p, r, responses[r], report.plan.confidence));
    }
  }
  for (std::size_t p = 0; report.quantiles && p < report.quantiles->steps.size(); ++p) {
    for (std::size_t r = 0; r < report.quantiles->steps[p].size(); ++r) {
      for (std::size_t i = 0; i < report.quantiles->probabilities.size(); ++i) {
        add(p,
            fmt::format("{}, quantile {}", report.result.points[p].responses[r].name,
                        report.quantiles->probabilities[i]),
            report.quantiles->steps[p][r][i]);
      }
    }
  }
  for (std::size_t p = 0; report.probabilities && p < report.probabilities->steps.size(); ++p) {
    for (std::size_t i = 0; i < report.probabilities->comparisons.size(); ++i) {
      add(p, report.probabilities->comparisons[i].text, report.probabilities->steps[p][i]);
    }
  }
  return table;
}

// Returns the reasons why the design points stopped: "precision, failed".
std::string ends_of(const ExperimentResult& result) {
  std::vector<std::string> ends;
  for (const PointResult& point : result.points) {
    std::string end(name_of(point.stopped_by));
    if (std::ranges::find(ends, end) == ends.end()) ends.push_back(std::move(end));
  }
  return fmt::format("{}", fmt::join(ends, ", "));
}

std::string early_end_of(const ExperimentResult& result) {
  for (const PointResult& point : result.points) {
    if (point.stopped_by != StopReason::time_limit && point.stopped_by != StopReason::interrupted) continue;
    const std::int64_t replications =
        std::accumulate(result.points.begin(), result.points.end(), std::int64_t{0},
                        [](std::int64_t sum, const PointResult& one) { return sum + one.replications; });
    return early_end_line(name_of(point.stopped_by), plural(replications, "replication", "replications"));
  }
  return "";
}

std::vector<ResultFact> findings_of(const Report& report) {
  const PointResult& point = report.result.points.front();
  std::vector<ResultFact> findings;
  if (report.best) findings.push_back(best_finding(report));
  if (report.design.size() == 1) {
    if (point.stopped_by != StopReason::replications) {
      findings.push_back({"end", "ended by", std::string(name_of(point.stopped_by))});
    }
    findings.push_back({"replications", "replications", point.replications, ValueKind::count});
    findings.push_back({"digest", "digest", io::bits_text(point.digest)});
  }
  findings.push_back({"mapping", "mapping", std::string(name_of(report.result.mapping))});
  return findings;
}

// Returns the title of an animated picture: its design point, and the parameters that vary if they are few.
std::string animation_title(const Report& report, std::size_t point) {
  constexpr std::size_t max_parameters = 3;
  std::string title = "Customers at the stations" + point_text(report, point);
  const auto varying = varied_parameters(report.design);
  for (std::size_t i = 0; i < varying.size() && varying.size() <= max_parameters; ++i) {
    title += fmt::format("{} {} {}", i == 0 ? ":" : ",", report.model.parameters[varying[i]].name,
                         shown_text_of(report.design[point][varying[i]]));
  }
  return title;
}

// Returns for each station the largest number in all pictures, so that their curves have the same scale; empty if the
// pictures have different stations.
std::vector<int> tops_of(const std::vector<PointAnimation>& pictures) {
  std::vector<int> tops(pictures.front().animation.stations.size());
  for (const PointAnimation& picture : pictures) {
    if (picture.animation.stations.size() != tops.size()) return {};
    for (std::size_t i = 0; i < tops.size(); ++i)
      tops[i] = std::max(tops[i], std::ranges::max(picture.animation.stations[i].peaks));
  }
  return tops;
}

// Returns the section with the animated pictures.
PageSection animation_section(const Report& report) {
  PageSection section{"Replication 0 over time", {}};
  if (report.animations.size() > 1)
    section.blocks.emplace_back(
        PageParagraph{"The controls move the pictures of all design points together. Curves of the same station have "
                      "the same scale."});
  if (report.design.size() > report.animations.size()) {
    std::vector<std::size_t> shown;
    for (const PointAnimation& one : report.animations) shown.push_back(one.point + 1);
    section.blocks.emplace_back(PageParagraph{
        fmt::format("Shown: points {} of {} design points.", fmt::join(shown, ", "), report.design.size())});
  }
  const std::vector<int> tops = tops_of(report.animations);
  for (const PointAnimation& one : report.animations) {
    const bool is_led = one.point != report.animations.front().point;
    section.blocks.emplace_back(PageAnimation{animation_title(report, one.point), one.animation, is_led, tops});
  }
  const UniformSource& source = report.plan.source;
  if (source.engine != Engine::philox4x32 || source.sampling != Sampling::random) {
    section.blocks.emplace_back(PageParagraph{
        "The picture shows a replication with philox and random sampling, which is not one of those in the tables."});
  }
  return section;
}

}  // namespace

std::vector<std::string> interval_notes(std::span<const PointResult> points, double confidence) {
  constexpr std::size_t max_notes = 5;
  std::vector<std::string> notes;
  std::size_t more = 0;
  const std::size_t responses = points.empty() ? 0 : points.front().responses.size();
  for (std::size_t response = 0; response < responses; ++response) {
    std::size_t count = 0, worst = 0;
    double max_needed = 0;
    for (std::size_t point = 0; point < points.size(); ++point) {
      const ResponseEstimate& estimate = points[point].responses[response];
      const double needed = observations_for_skewness(estimate);
      if (needed == 0 || needed < static_cast<double>(estimate.observations)) continue;
      ++count;
      if (needed <= max_needed) continue;
      max_needed = needed;
      worst = point;
    }
    if (count == 0) continue;
    if (notes.size() == max_notes) {
      ++more;
      continue;
    }
    const ResponseEstimate& estimate = points[worst].responses[response];
    const std::string where = points.size() > 1
                                  ? fmt::format(" at {} of {} design points, the worst being design point {}", count,
                                                points.size(), worst + 1)
                                  : "";
    notes.push_back(
        fmt::format("the interval of {} may cover less often than {:.6g} %{}: a skewness of {:.3g} requires more than "
                    "{:.0f} replications (Cochran's rule)",
                    io::in_quotes(estimate.name), 100 * confidence, where, adjusted_skewness(estimate),
                    std::ceil(max_needed * static_cast<double>(estimate.run_length))));
  }
  if (more > 0)
    notes.push_back(fmt::format("so may the intervals of {}",
                                plural(static_cast<std::int64_t>(more), "more response", "more responses")));
  return notes;
}

std::vector<std::string> bias_notes(Sampling sampling) {
  if (is_unbiased(sampling)) return {};
  return {
      fmt::format("means under {} sampling are biased, and intervals do not include the bias, which decreases with the "
                  "sample size: latin-hypercube and random sampling are unbiased",
                  name_of(sampling))};
}

std::vector<std::string> host_notes(const Machine& machine, std::size_t points, const Plan& plan) {
  const bool has_device = machine.backend != "serial" && machine.backend != "openmp";
  if (!has_device || !is_for_host(points, plan)) return {};
  return {
      "one core of the host ran the replications, in less time than the device takes for so few: mapping thread or "
      "warp "
      "chooses the device"};
}

std::vector<std::size_t> animated_points(const ExperimentResult& result, std::optional<std::size_t> best) {
  constexpr std::size_t max_animations = 4;
  const std::size_t count = result.points.size();
  std::vector<std::size_t> points;
  for (std::size_t p = 0; p < count; ++p) {
    const bool is_chosen = count <= max_animations || p == 0 || p + 1 == count || p == best;
    if (is_chosen && !result.points[p].failure) points.push_back(p);
  }
  return points;
}

std::string source_text(const Plan& plan) {
  const UniformSource& source = plan.source;
  std::string text =
      fmt::format("seed {}, {}, {} sampling", plan.seed, name_of(source.engine), name_of(source.sampling));
  if (source.sample_size > 0) text += " of " + plural(source.sample_size, "number", "numbers");
  if (source.sampling == Sampling::refined_descriptive) {
    text += fmt::format(" by primes from {} to {}", source.primes.smallest, source.primes.largest);
  }
  if (source.run_length > 0) text += fmt::format(", runs of {}", source.run_length);
  if (source.sampling == Sampling::refined_descriptive && source.run_length > 1) {
    text += source.weights == SubRunWeights::equal ? ", sub-runs weighted equally" : ", sub-runs weighted by size";
  }
  return text;
}

std::vector<ResultFact> plan_facts(const Plan& plan) {
  io::Json json = io::json_of(plan);
  const PrimeRange& primes = plan.source.primes;
  if (!json["primes"].is_null()) json["primes"] = fmt::format("{}:{}", primes.smallest, primes.largest);
  std::vector<ResultFact> facts = facts_of(json);
  for (ResultFact& fact : facts) {
    if (fact.id == "confidence") fact.kind = ValueKind::percentage;
    if (fact.id == "time_limit") fact.kind = ValueKind::duration;
  }
  return facts;
}

ResultDocument document_of(const Report& report, const std::optional<Convergence>& convergence) {
  const auto varied = varied_parameters(report.design);
  ResultDocument result{.question = "simulate",
                        .subject = subject_of(report.model, report.design.front(), varied),
                        .lead = lead_of(report),
                        .settings = plan_facts(report.plan),
                        .tables = {means_table(report), points_table(report), design_table(report)},
                        .findings = findings_of(report),
                        .notes = notes_of(report),
                        .stopped_by = ends_of(report.result),
                        .early_end = early_end_of(report.result),
                        .confidence = report.plan.confidence,
                        .seconds = report.result.seconds,
                        .machine = report.machine};
  if (auto periods = period_table(report)) {
    hide_period_rows(report, result.tables.front());
    result.tables.insert(result.tables.begin() + 1, std::move(*periods));
  }
  add_answers(report, result);
  result.tables.push_back(skipped_table(report));
  if (convergence) result.tables.push_back(convergence_table(report, *convergence));
  if (!report.animations.empty()) result.opening.push_back(animation_section(report));
  return result;
}

}  // namespace sporos::runtime
