// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renders JSON and CSV, with all digits and with names for programs.
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/results/renderers.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/version.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace sporos::runtime {

namespace {

io::Json json_of(const ResultColumn& column) {
  io::Json::object_t json;  // the pairs of an initializer list would be made as arrays first
  json.reserve(6);
  json.emplace("id", column.id);
  json.emplace("title", column.title);
  json.emplace("kind", name_of(column.kind));
  if (!column.unit.empty()) json.emplace("unit", column.unit);
  if (!column.half_width.empty()) json.emplace("half_width", column.half_width);
  if (!column.meaning.empty()) json.emplace("meaning", column.meaning);
  return json;
}

io::Json json_of(const ResultPicture& picture) {
  io::Json json{{"title", picture.title}, {"kind", name_of(picture.kind)}, {"x", picture.x}, {"y", picture.y}};
  for (const auto& [name, column] :
       {std::pair("low", picture.low), std::pair("high", picture.high), std::pair("second_x", picture.second_x),
        std::pair("second_y", picture.second_y), std::pair("second_low", picture.second_low),
        std::pair("second_high", picture.second_high), std::pair("series", picture.series)}) {
    if (!column.empty()) json[name] = column;
  }
  if (picture.rows) json["rows"] = {{"column", picture.rows->first}, {"value", json_value(picture.rows->second)}};
  if (picture.is_logarithmic) json["logarithmic"] = true;
  if (picture.is_in_order) json["in_order"] = true;
  if (picture.limit) json["limit"] = *picture.limit;
  if (picture.last_x) json["last_x"] = *picture.last_x;
  if (picture.mark) {
    const auto& [title, x, y, low, high] = *picture.mark;
    json["mark"] = {{"title", title},
                    {"x", io::json_number(x)},
                    {"y", io::json_number(y)},
                    {"low", io::json_number(low)},
                    {"high", io::json_number(high)}};
  }
  return json;
}

io::Json json_of(const ResultTable& table) {
  io::Json columns = io::Json::array(), rows = io::Json::array(), pictures = io::Json::array();
  for (const ResultColumn& column : table.columns) columns.push_back(json_of(column));
  for (const auto& values : std::span(table.rows).first(std::min(table.max_in_json, table.rows.size()))) {
    io::Json::object_t row;
    row.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) row.emplace(table.columns[i].id, json_value(values[i]));
    rows.push_back(std::move(row));
  }
  for (const ResultPicture& picture : table.pictures) pictures.push_back(json_of(picture));
  return {{"title", table.title},
          {"columns", std::move(columns)},
          {"rows", std::move(rows)},
          {"pictures", std::move(pictures)}};
}

io::Json json_of(const std::vector<ResultFact>& facts) {
  io::Json json = io::Json::object();
  for (const ResultFact& fact : facts) json[fact.id] = json_value(fact.value);
  return json;
}

std::string csv_text(const ResultValue& value) {
  const io::Json json = json_value(value);
  if (json.is_null()) return "";
  if (const auto* number = std::get_if<double>(&value)) return io::shortest_text(*number);
  return json.is_string() ? json.get<std::string>() : json.dump();
}

}  // namespace

io::Json json_value(const ResultValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return io::json_number(*number);
  return std::visit(
      [](const auto& held) -> io::Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
          return nullptr;
        } else {
          return held;
        }
      },
      value);
}

std::string json_of(const ResultDocument& result) { return json_text(json_value(result)); }

io::Json json_value(const ResultDocument& result) {
  io::Json tables = io::Json::object();
  for (const ResultTable& table : result.tables) tables[table.id] = json_of(table);
  io::Json parameters = io::Json::object();
  for (const ResultParameter& parameter : result.subject.parameters) {
    if (!std::holds_alternative<std::monostate>(parameter.value))
      parameters[parameter.name] = json_value(parameter.value);
  }
  return {{"format", result_format},       {"sporos", SPOROS_VERSION},
          {"question", result.question},   {"subject", result.subject.name},
          {"title", result.subject.title}, {"parameters", std::move(parameters)},
          {"lead", result.lead},           {"settings", json_of(result.settings)},
          {"tables", std::move(tables)},   {"findings", json_of(result.findings)},
          {"notes", result.notes},         {"stopped_by", result.stopped_by},
          {"seconds", result.seconds},     {"machine", json_of(result.machine)}};
}

std::string csv_of(const ResultDocument& result, std::string_view id) {
  const auto found = std::ranges::find(result.tables, id, &ResultTable::id);
  if (!id.empty() && found == result.tables.end()) throw std::out_of_range(fmt::format("there is no table {}", id));
  const ResultTable& table = id.empty() ? result.tables.front() : *found;
  std::vector<std::string> names;
  for (const ResultColumn& column : table.columns) names.push_back(column.id);
  const bool has_own_ends = std::ranges::find(names, "stopped_by") != names.end();
  if (!has_own_ends) names.emplace_back("stopped_by");
  std::string text;
  io::append_csv_row(text, names);
  for (const auto& values : table.rows) {
    std::vector<std::string> fields;
    for (const ResultValue& value : values) fields.push_back(csv_text(value));
    if (!has_own_ends) fields.push_back(result.stopped_by);
    io::append_csv_row(text, fields);
  }
  return text;
}

}  // namespace sporos::runtime
