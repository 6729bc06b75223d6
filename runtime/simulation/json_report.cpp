// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/simulation/report.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/version.hpp>

namespace sporos::runtime {

namespace {

io::Json quantiles_json(const QuantileReport& quantiles, std::size_t point, std::size_t response) {
  io::Json list = io::Json::array();
  for (std::size_t i = 0; i < quantiles.probabilities.size(); ++i) {
    const QuantileEstimate& quantile = quantiles.estimates[point][response][i];
    list.push_back({{"probability", quantiles.probabilities[i]},
                    {"value", io::json_number(quantile.value)},
                    {"low", io::json_number(quantile.lower)},
                    {"high", io::json_number(quantile.upper)},
                    {"replications_needed", quantiles.needed[i]}});
  }
  return list;
}

io::Json probabilities_json(const ProbabilityReport& report, std::size_t point) {
  io::Json list = io::Json::array();
  for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
    const auto& [value, lower, upper] = report.estimates[point][i];
    list.push_back({{"text", report.comparisons[i].text},
                    {"value", value},
                    {"low", lower},
                    {"high", upper},
                    {"replications_with_it", report.events[point][i]}});
  }
  return list;
}

// A bin without an end has null there.
io::Json histograms_json(const HistogramReport& report, std::size_t point) {
  io::Json list = io::Json::array();
  for (std::size_t i = 0; i < report.bins.size(); ++i) {
    const std::vector<double>& edges = report.bins[i].edges;
    const auto& [counts, shares] = report.histograms[point][i];
    io::Json bins = io::Json::array();
    for (std::size_t b = 0; b < counts.size(); ++b) {
      bins.push_back({{"from", b == 0 ? io::Json(nullptr) : io::Json(edges[b - 1])},
                      {"to", b == edges.size() ? io::Json(nullptr) : io::Json(edges[b])},
                      {"count", counts[b]},
                      {"share", shares[b].value},
                      {"low", shares[b].lower},
                      {"high", shares[b].upper}});
    }
    list.push_back({{"response", report.bins[i].name}, {"bins", std::move(bins)}});
  }
  return list;
}

io::Json densities_json(const DensityReport& report, std::size_t point) {
  io::Json list = io::Json::array();
  for (std::size_t i = 0; i < report.asked.size(); ++i) {
    const ResponseDensity& density = report.densities[point][i];
    io::Json points = io::Json::array();
    for (const auto& [place, value, lower, upper] : density.points) {
      points.push_back({{"point", place}, {"value", value}, {"low", lower}, {"high", upper}});
    }
    list.push_back({{"response", report.asked[i].name},
                    {"bandwidth", density.bandwidth},
                    {"lack", density.lack.empty() ? io::Json(nullptr) : io::Json(density.lack)},
                    {"points", std::move(points)}});
  }
  return list;
}

// Of points counted from 1; an end that is not known is null.
io::Json comparison_json(const PointComparison& comparison) {
  io::Json differences = io::Json::array(), distances = io::Json::array();
  for (const auto& [first, second, difference, half_width] : comparison.differences) {
    differences.push_back({{"first", first + 1},
                           {"second", second + 1},
                           {"difference", io::json_number(difference)},
                           {"low", io::json_number(difference - half_width)},
                           {"high", io::json_number(difference + half_width)}});
  }
  for (std::size_t point = 0; point < comparison.distances.size(); ++point) {
    const auto& [difference, lower, upper] = comparison.distances[point];
    distances.push_back({{"point", point + 1},
                         {"difference", io::json_number(difference)},
                         {"low", io::json_number(lower)},
                         {"high", io::json_number(upper)}});
  }
  io::Json json = {{"response", comparison.request.name},
                   {"with", name_of(comparison.request.with)},
                   {"by", comparison.by},
                   {"differences", std::move(differences)}};
  if (!comparison.distances.empty()) json["distances"] = std::move(distances);
  return json;
}

io::Json controlled_json(const ControlledMean& controlled) {
  return {{"mean", io::json_number(controlled.mean)},
          {"half_width", io::json_number(controlled.half_width)},
          {"variance_ratio", io::json_number(controlled.variance_ratio)},
          {"degrees_of_freedom", controlled.freedom}};
}

io::Json controls_json(const ControlledPoint& point) {
  io::Json list = io::Json::array();
  for (const ObservedControl& control : point.controls) {
    list.push_back({{"name", control.name},
                    {"known", control.known},
                    {"mean", io::json_number(control.mean)},
                    {"is_used", control.is_used}});
  }
  return list;
}

io::Json skipped_json(const Report& report) {
  io::Json skipped = io::Json::array();
  for (const auto& [values, reason] : report.skipped) {
    skipped.push_back({{"parameters", json_of(report.model, values)}, {"reason", reason}});
  }
  return skipped;
}

io::Json requirements_json(const Report& report) {
  const RequirementReport& requirements = *report.requirements;
  io::Json points = io::Json::array();
  for (const PointVerdict& point : requirements.points) {
    io::Json verdicts = io::Json::array();
    for (const Verdict verdict : point.of_requirements) verdicts.push_back(name_of(verdict));
    points.push_back({{"point", point.point + 1},
                      {"verdict", name_of(point.verdict)},
                      {"verdicts", std::move(verdicts)},
                      {"cost", point.cost ? io::json_number(*point.cost) : io::Json(nullptr)}});
  }
  return {{"requirements", requirements.texts},
          {"confidence", requirements.confidence},
          {"cost", requirements.cost ? io::Json(*requirements.cost) : io::Json(nullptr)},
          {"points", std::move(points)},
          {"skipped", skipped_json(report)}};
}

}  // namespace

std::string json_of(const Report& report) {
  io::Json points = io::Json::array();
  for (std::size_t i = 0; i < report.design.size(); ++i) {
    io::Json point = {{"parameters", json_of(report.model, report.design[i])}};
    point.update(io::json_of(report.result.points[i], report.exact[i]));
    for (std::size_t r = 0; report.quantiles && r < point["responses"].size(); ++r) {
      point["responses"][r]["quantiles"] = quantiles_json(*report.quantiles, i, r);
    }
    for (std::size_t r = 0; report.simultaneous && r < point["responses"].size(); ++r) {
      point["responses"][r]["simultaneous_half_width"] = io::json_number(report.simultaneous->half_widths[i][r]);
    }
    if (!report.controlled.empty()) {
      for (std::size_t r = 0; r < point["responses"].size(); ++r) {
        point["responses"][r]["with_controls"] = controlled_json(report.controlled[i].responses[r]);
      }
      point["controls"] = controls_json(report.controlled[i]);
    }
    const bool has_replications = !report.result.points[i].failure;
    if (report.probabilities && has_replications) point["probabilities"] = probabilities_json(*report.probabilities, i);
    if (report.histograms && has_replications) point["histograms"] = histograms_json(*report.histograms, i);
    if (report.densities && has_replications) point["densities"] = densities_json(*report.densities, i);
    points.push_back(std::move(point));
  }
  io::Json json = {{"sporos", SPOROS_VERSION}, {"model", report.model.name}, {"plan", io::json_of(report.plan)}};
  if (points.size() == 1) {
    json["digest"] = points[0]["digest"];
    json["responses"] = points[0]["responses"];
  }
  json["points"] = std::move(points);
  if (report.best) {
    json["best"] = {{"response", report.best->response},
                    {"best", name_of(report.best->best)},
                    {"probabilities", report.best->probabilities}};
  }
  if (report.simultaneous) json["simultaneous"] = name_of(report.simultaneous->method);
  if (report.comparison) json["comparison"] = comparison_json(*report.comparison);
  if (report.requirements) json["requirements"] = requirements_json(report);
  if (!report.skipped.empty()) json["skipped"] = skipped_json(report);
  json["notes"] = report.notes;
  json["run"] = {{"seconds", io::json_number(report.result.seconds)},
                 {"mapping_used", name_of(report.result.mapping)},
                 {"machine", json_of(report.machine)}};
  return json_text(json);
}

std::string json_of(const ComparisonReport& report) {
  io::Json samplings = io::Json::array();
  for (const auto& compared : report.samplings) {
    io::Json responses = io::Json::array();
    for (std::size_t i = 0; i < compared.responses.size(); ++i) {
      const auto& [estimate, ratio, random_replications] = compared.responses[i];
      responses.push_back({{"name", estimate.name},
                           {"mean", io::json_number(estimate.mean)},
                           {"variance", io::json_number(estimate.variance)},
                           {"half_width", io::json_number(estimate.half_width)},
                           {"observations", estimate.observations},
                           {"variance_ratio", io::json_number(ratio.ratio)},
                           {"variance_ratio_interval", {io::json_number(ratio.low), io::json_number(ratio.high)}},
                           {"random_replications", io::json_number(random_replications)},
                           {"exact", report.exact[i] ? io::json_number(*report.exact[i]) : io::Json(nullptr)}});
    }
    Plan plan = report.plan;
    plan.source = compared.source;
    samplings.push_back({{"sampling", name_of(compared.source.sampling)},
                         {"plan", io::json_of(plan)},
                         {"digest", io::bits_text(compared.result.digest)},
                         {"replications", compared.result.replications},
                         {"stopped_by", name_of(compared.result.stopped_by)},
                         {"responses", std::move(responses)}});
  }
  return json_text({{"sporos", SPOROS_VERSION},
                    {"model", report.model.name},
                    {"parameters", json_of(report.model, report.parameters)},
                    {"samplings", std::move(samplings)},
                    {"notes", report.notes},
                    {"machine", json_of(report.machine)}});
}

std::string json_of(const Replay& replay) {
  const io::Json plan = io::json_of(replay.plan);
  io::Json responses = io::Json::array();
  const auto names = replay.model.response_names(replay.parameters);
  for (std::size_t i = 0; i < replay.responses.size(); ++i) {
    const double value = replay.responses[i];
    responses.push_back({{"name", names[i]},
                         {"value", io::json_number(value)},
                         {"hexadecimal", io::hexadecimal_text(value)},
                         {"bits", io::bits_text(value)}});
  }
  io::Json json({{"sporos", SPOROS_VERSION},
                 {"model", replay.model.name},
                 {"parameters", json_of(replay.model, replay.parameters)},
                 {"seed", replay.plan.seed},
                 {"engine", name_of(replay.plan.source.engine)},
                 {"sampling", name_of(replay.plan.source.sampling)},
                 {"run_length", plan["run_length"]},
                 {"sample_size", plan["sample_size"]},
                 {"primes", plan["primes"]},
                 {"replication", replay.replication},
                 {"responses", std::move(responses)},
                 {"notes", replay.notes}});
  if (!replay.failure.empty()) json["failure"] = replay.failure;
  if (!replay.trace.kinds.empty()) {
    io::Json& events = json["events"] = io::Json::array();
    for (const TracedEvent& event : replay.trace.events) {
      io::Json& added = events.emplace_back();
      added["time"] = event.time;
      added["event"] = replay.trace.kinds.at(static_cast<std::size_t>(event.kind));
      if (event.station >= 0) {
        const auto station = static_cast<std::size_t>(event.station);
        if (replay.trace.stations.empty()) {
          added["station"] = station;
        } else {
          added["station"] = replay.trace.stations.at(station);
        }
      }
      if (event.entity >= 0) added["entity"] = event.entity;
    }
  }
  return json_text(json);
}

}  // namespace sporos::runtime
