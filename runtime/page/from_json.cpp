// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/page/from_json.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/table.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sporos::runtime {

namespace {

PageText shortened(std::string text, const io::Json& value) {
  const std::string exact = value.dump();
  return text == exact ? PageText{exact, exact} : PageText{std::move(text), exact};
}

std::string words_of(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

const io::Json& member(const io::Json& object, const std::string& pointer) {
  static const io::Json missing;
  const io::Json::json_pointer place(pointer);
  return object.contains(place) ? object.at(place) : missing;
}

}  // namespace

PageText page_text(const io::Json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return {value.get<std::string>()};
  if (value.is_boolean()) return {value.get<bool>() ? "yes" : "no"};
  if (value.is_number_float()) return shortened(fmt::format("{:.6g}", value.get<double>()), value);
  if (value.is_number()) return shortened(value.dump(), value);
  std::string list;
  for (const auto& [name, item] : value.items()) {
    list += (list.empty() ? "" : ", ") + (value.is_object() ? words_of(name) + ' ' : "") + page_text(item).text;
  }
  return {list};
}

PageText page_text(const io::Json& value, const io::Json& half_width) {
  if (!value.is_number() || !half_width.is_number()) return page_text(value);
  return shortened(io::text_to_precision(value.get<double>(), half_width.get<double>()), value);
}

PageTable page_table(const std::string& caption, const io::Json& rows, const std::vector<JsonColumn>& columns) {
  PageTable table{caption, {}, std::vector<std::vector<PageText>>(rows.size())};
  for (const auto& [pointer, name, half_width] : columns) {
    std::vector<PageText> fields;
    bool is_empty = true, is_number = true;
    for (const io::Json& row : rows) {
      const io::Json& value = member(row, pointer);
      fields.push_back(half_width.empty() ? page_text(value) : page_text(value, member(row, half_width)));
      is_empty = is_empty && value.is_null();
      is_number = is_number && (value.is_number() || value.is_null());
    }
    if (is_empty) continue;
    table.columns.push_back({name, is_number});
    for (std::size_t i = 0; i < fields.size(); ++i) table.rows[i].push_back(std::move(fields[i]));
  }
  return table;
}

io::Json json_members(const io::Json& object, std::initializer_list<const char*> names) {
  io::Json some = io::Json::object();
  for (const char* name : names) {
    if (object.contains(name)) some[name] = object[name];
  }
  return some;
}

PageFacts page_facts(const io::Json& object) {
  PageFacts facts;
  for (const auto& [name, value] : object.items()) {
    if (value.is_null() || (value.is_array() && value.empty())) continue;
    if (!value.is_object()) {
      facts.facts.emplace_back(words_of(name), page_text(value));
      continue;
    }
    for (auto& [inner, text] : page_facts(value).facts) facts.facts.emplace_back(words_of(name) + ", " + inner, text);
  }
  return facts;
}

}  // namespace sporos::runtime
