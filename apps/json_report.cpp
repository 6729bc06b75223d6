// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.hpp"

#include <sporos/core/io/json.hpp>
#include <sporos/version.hpp>

namespace sporos::apps {

namespace {

io::Json json_of(const ModelDescription& model, const ParameterValues& values) {
  io::Json json = io::Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::visit([&](const auto& value) { json[model.parameters[i].name] = value; }, values[i]);
  }
  return json;
}

io::Json json_of(const Machine& machine) {
  return {{"backend", machine.backend},    {"device", machine.device},     {"threads", machine.threads},
          {"system", machine.system},      {"compiler", machine.compiler}, {"kokkos", machine.kokkos},
          {"same_bits", machine.same_bits}};
}

std::string text_of(const io::Json& json) {
  return json.dump(2, ' ', false, io::Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string json_of(const Report& report) {
  io::Json points = io::Json::array();
  for (std::size_t i = 0; i < report.design.size(); ++i) {
    io::Json point = {{"parameters", json_of(report.model, report.design[i])}};
    point.update(io::json_of(report.result.points[i], report.exact[i]));
    points.push_back(std::move(point));
  }
  io::Json json = {{"sporos", SPOROS_VERSION}, {"model", report.model.name}, {"plan", io::json_of(report.plan)}};
  if (points.size() == 1) {
    json["digest"] = points[0]["digest"];
    json["responses"] = points[0]["responses"];
  }
  json["points"] = std::move(points);
  json["run"] = {{"seconds", io::json_number(report.result.seconds)},
                 {"mapping_used", name_of(report.result.mapping)},
                 {"machine", json_of(report.machine)}};
  return text_of(json);
}

std::string json_of(const Replay& replay) {
  io::Json responses = io::Json::array();
  const auto names = replay.model.response_names(replay.parameters);
  for (std::size_t i = 0; i < replay.responses.size(); ++i) {
    const double value = replay.responses[i];
    responses.push_back({{"name", names[i]},
                         {"value", io::json_number(value)},
                         {"hexadecimal", io::hexadecimal_text(value)},
                         {"bits", io::bits_text(value)}});
  }
  return text_of({{"sporos", SPOROS_VERSION},
                  {"model", replay.model.name},
                  {"parameters", json_of(replay.model, replay.parameters)},
                  {"seed", replay.plan.seed},
                  {"engine", name_of(replay.plan.source.engine)},
                  {"sampling", name_of(replay.plan.source.sampling)},
                  {"replication", replay.replication},
                  {"responses", std::move(responses)}});
}

}  // namespace sporos::apps
