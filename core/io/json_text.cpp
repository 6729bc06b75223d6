// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/one_line.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace sporos::io {
namespace {

// The line and column of a character, both from 1, for messages.
std::string json_place(std::string_view text, std::size_t character) {
  const std::string_view before = text.substr(0, std::min(character, text.size()));
  const auto line_begin = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  return fmt::format("line {}, column {}", 1 + std::count(before.begin(), before.end(), '\n'),
                     before.size() - line_begin + 1);
}

// Checks a JSON text before it is parsed, and stops at its first error.
class JsonExamination final : public nlohmann::json_sax<Json> {
 public:
  // Refers to `text`, which must outlive this object.
  explicit JsonExamination(std::string_view text) : m_text(text) {}

  // The error, as the end of a sentence about the text; empty if there is none.
  const std::string& fault() const { return m_fault; }

  bool null() override { return add(); }
  bool boolean(bool) override { return add(); }
  bool number_integer(number_integer_t) override { return add(); }
  bool number_unsigned(number_unsigned_t) override { return add(); }
  bool number_float(number_float_t, const string_t&) override { return add(); }
  bool string(string_t&) override { return add(); }
  bool binary(binary_t&) override { return add(); }
  bool start_array(std::size_t) override { return begin(true); }
  bool end_array() override { return end(); }
  bool start_object(std::size_t) override { return begin(false); }
  bool end_object() override { return end(); }

  bool key(string_t& name) override {
    Level& level = m_levels.back();
    if (!level.names.insert(name).second) {
      return refuse(fmt::format("has {} twice in {}", in_quotes(name), path().empty() ? "one object" : path()));
    }
    level.name = name;
    return level.names.size() <= max_json_members ||
           refuse(fmt::format("has an object of more than {} members, expected fewer", max_json_members));
  }

  bool parse_error(std::size_t place, const std::string&, const nlohmann::detail::exception& error) override {
    constexpr int number_out_of_range = 406;
    const std::string where = json_place(m_text, place == 0 ? 0 : place - 1);  // place counts from 1
    if (error.id == number_out_of_range) {
      return refuse(fmt::format("is not JSON that can be read: a number is too large, {}{}", where, in_path()));
    }
    if (std::string_view(error.what()).ends_with("expected end of input")) {
      return refuse(fmt::format("has text after its JSON, expected its end at {}", where));
    }
    return refuse(fmt::format("is not JSON: error at {}{}", where, in_path()));
  }

 private:
  // A list or an object that has not ended.
  struct Level {
    bool is_list;
    std::size_t count = 0;             // number of values of the list so far
    std::string name = {};             // name of the object's member that is being read
    std::set<std::string> names = {};  // names of the object's members so far
  };

  // Counts a value that has been read.
  bool add() {
    if (m_levels.empty()) return true;
    ++m_levels.back().count;
    m_levels.back().name.clear();
    return true;
  }

  bool begin(bool is_list) {
    m_levels.push_back({is_list});
    return m_levels.size() <= max_json_depth ||
           refuse(fmt::format("is nested too deeply, expected at most {} levels of lists and objects", max_json_depth));
  }

  bool end() {
    m_levels.pop_back();
    return add();
  }

  // Path of the members that lead to the current place, such as stations[1].service; empty at the top level.
  std::string path() const {
    std::string path;
    for (const Level& level : m_levels) {
      if (level.is_list) path += fmt::format("[{}]", level.count);
      if (!level.is_list && !level.name.empty()) path += (path.empty() ? "" : ".") + level.name;
    }
    return one_line(path, longest_path);
  }

  std::string in_path() const {
    const std::string where = path();
    return where.empty() ? "" : ", in " + where;
  }

  bool refuse(std::string why) {
    m_fault = std::move(why);
    return false;
  }

  static constexpr std::size_t longest_path = 200;

  std::string_view m_text;
  std::vector<Level> m_levels;
  std::string m_fault;
};

// Returns why `text` cannot be read as JSON, as the end of a sentence about it; empty if it can.
std::string json_fault(std::string_view text) {
  if (text.empty()) return "is empty, expected JSON";
  // The parser would take it for the end of the text.
  if (const auto place = text.find('\0'); place != std::string_view::npos) {
    return fmt::format("is not JSON: a byte 0 at {}", json_place(text, place));
  }
  JsonExamination examination(text);
  Json::sax_parse(text, &examination);
  return examination.fault();
}

// Returns the line, from 1, on which value `number` (from 0) of the JSON text begins. A list or an object comes before
// its elements.
std::size_t json_line(std::string_view text, std::size_t number) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::size_t line = 1;
  for (std::size_t i = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0; i < text.size(); ++i) {
    if (text[i] == '\n') ++line;
    if (is_blank(text[i]) || std::string_view(",:]}").find(text[i]) != std::string_view::npos) continue;
    std::size_t end = i;  // last character of the value
    if (text[i] == '"') {
      while (++end < text.size() && text[end] != '"') end += text[end] == '\\' ? 1 : 0;
      const auto next = std::find_if_not(text.begin() + std::min(end + 1, text.size()), text.end(), is_blank);
      if (next != text.end() && *next == ':') {  // the name of a member
        i = end;
        continue;
      }
    } else if (text[i] != '[' && text[i] != '{') {
      end = std::min(text.find_first_of(" \t\r\n,]}", i), text.size()) - 1;
    }
    if (number == 0) return line;
    --number;
    i = end;
  }
  return line;
}

// Whether `sought` is `json` or an element inside it. Increases `number` by the number of values before it.
bool find_json(const Json& json, const Json* sought, std::size_t& number) {
  if (&json == sought) return true;
  ++number;
  return json.is_structured() &&
         std::any_of(json.begin(), json.end(), [&](const Json& child) { return find_json(child, sought, number); });
}

}  // namespace

Json parse_json(std::string_view what, std::string_view text) {
  if (const auto fault = json_fault(text); !fault.empty()) {
    throw std::invalid_argument(fmt::format("{} {}", what, fault));
  }
  return Json::parse(text);
}

std::string JsonText::with_line(const JsonError& error) const {
  std::string message = error.what();
  std::size_t number = 0;
  if (!find_json(m_json, error.value(), number)) return message;
  const std::string place = fmt::format("{}, line {}", m_path, json_line(m_text, number));
  if (!message.starts_with(m_path)) return place + ": " + message;
  message.erase(0, m_path.size());
  return place + (message.starts_with(':') ? "" : ",") + message;
}

}  // namespace sporos::io
