// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renders the text for terminals.
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/results/renderers.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace sporos::runtime {

namespace {

io::Table::Column alignment_of(ValueKind kind) {
  return is_numeric(kind) ? io::Table::Column::number : io::Table::Column::text;
}

std::string facts_text(const std::vector<ResultFact>& facts) {
  std::vector<std::pair<std::string, std::string>> lines;
  std::size_t width = 0;
  for (const ResultFact& fact : facts) {
    const std::string text = people_text(fact.value, fact.kind, fact.resolution);
    if (text.empty() || fact.shown != Shown::everywhere) continue;
    lines.emplace_back(fact.title, text);
    width = std::max(width, fact.title.size());
  }
  std::string text;
  for (const auto& [title, value] : lines) text += fmt::format("{:<{}}  {}\n", title, width, value);
  return text;
}

// Returns a line such as "mm1: An M/M/1 queue", and a second line with the parameters that do not differ between design
// points.
std::string subject_text(const ResultSubject& subject) {
  std::vector<std::string> parameters;
  for (const auto& [name, value, text, unit, meaning, is_on_pages] : subject.parameters) {
    if (is_on_pages && !std::holds_alternative<std::monostate>(value)) parameters.push_back(name + ' ' + text);
  }
  const std::string second = parameters.empty() ? "" : fmt::format("{}\n", fmt::join(parameters, ", "));
  return heading_of(subject) + '\n' + second;
}

// Removes the sign of a text such as "-0.00".
std::string without_sign_of_zero(std::string text) {
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  return is_zero && text.starts_with('-') ? text.substr(1) : text;
}

// Formats a duration below a second with three digits, in ms, µs or ns.
std::string short_duration_text(double seconds) {
  const double size = std::abs(seconds);
  if (size >= 1e-3) return fmt::format("{:.3g} ms", 1e3 * seconds);
  if (size >= 1e-6) return fmt::format("{:.3g} µs", 1e6 * seconds);
  return fmt::format("{:.3g} ns", 1e9 * seconds);
}

// Formats a share with three digits, or with six if three digits round it to 100 %.
std::string percentage_text(double share) {
  const std::string text = fmt::format("{:.3g} %", 100 * share);
  return text == "100 %" ? fmt::format("{:.6g} %", 100 * share) : text;
}

}  // namespace

std::string people_text(const ResultValue& value, ValueKind kind, double half_width) {
  if (std::holds_alternative<std::monostate>(value)) return "";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* is_so = std::get_if<bool>(&value)) return *is_so ? "yes" : "no";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  if (const auto* whole = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *whole);
  const double number = std::get<double>(value);
  if (!std::isfinite(number)) return "unknown";
  if (kind == ValueKind::exact) return io::shortest_text(number);
  if (kind == ValueKind::percentage) return percentage_text(number);
  if (kind == ValueKind::duration) return std::abs(number) < 1 ? short_duration_text(number) : duration_text(number);
  constexpr double rounding = 1e-12;
  const bool is_exact = half_width <= rounding * std::abs(number);
  if (std::isfinite(half_width) && !is_exact) return without_sign_of_zero(io::text_to_precision(number, half_width));
  const int digits = is_exact ? 6 : 4;
  const bool is_large = std::abs(number) >= std::pow(10, digits) && std::abs(number) < 1e9;
  return is_large ? fmt::format("{:.0f}", number)
                  : fmt::format("{:.{}g}", number, digits);  // avoids an exponent for large numbers
}

std::string heading_of(const ResultSubject& subject) {
  return subject.title.empty() ? subject.name : subject.name + ": " + subject.title;
}

std::string title_of(const ResultColumn& column) {
  return column.unit.empty() ? column.title : fmt::format("{} [{}]", column.title, column.unit);
}

std::string meaning_of(const ResultColumn& column) {
  return column.meaning.empty() ? "" : fmt::format("{}: {}", column.title, column.meaning);
}

std::size_t column_of(const ResultTable& table, std::string_view id) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].id == id) return i;
  }
  throw std::out_of_range(fmt::format("table {} has no column {}", table.id, id));
}

std::string people_text(const ResultTable& table, const std::vector<ResultValue>& row, std::size_t column) {
  const auto& [id, title, kind, half_width, unit, shown, resolution, meaning] = table.columns[column];
  const double* const width = half_width.empty() ? nullptr : std::get_if<double>(&row[column_of(table, half_width)]);
  return people_text(row[column], kind, width == nullptr ? resolution : *width);
}

bool is_seen(const ResultTable& table, std::size_t column) {
  return table.columns[column].shown != Shown::as_data && std::ranges::any_of(table.rows, [&](const auto& row) {
           return !std::holds_alternative<std::monostate>(row[column]);
         });
}

const ResultTable& main_table(const ResultDocument& result) {
  const auto found =
      std::ranges::find_if(result.tables, [](const ResultTable& table) { return table.shown != Shown::as_data; });
  return found == result.tables.end() ? result.tables.front() : *found;
}

std::vector<std::size_t> seen_rows(const ResultTable& table, std::size_t most) {
  const std::size_t count = table.rows.size();
  std::vector<std::size_t> places(table.rows_shown == RowsShown::first ? std::min(count, most) : count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::erase_if(places, [&](std::size_t row) { return std::ranges::binary_search(table.data_rows, row); });
  if (table.rows_shown != RowsShown::thinned || count == 0) return places;
  places.clear();
  for (std::size_t i = 0; i + 1 < count; i = i < 2 ? i + 1 : 2 * i) places.push_back(i);
  places.push_back(count - 1);
  return places;
}

std::string more_rows_text(const ResultTable& table, std::size_t most) {
  const bool has_more = table.rows_shown == RowsShown::first && table.rows.size() > most;
  return has_more ? fmt::format("and {} more", table.rows.size() - most) : "";
}

std::string table_of(const ResultTable& table) {
  std::vector<std::size_t> seen;
  std::vector<std::pair<std::string, io::Table::Column>> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].shown != Shown::everywhere || !is_seen(table, i)) continue;
    seen.push_back(i);
    columns.emplace_back(title_of(table.columns[i]), alignment_of(table.columns[i].kind));
  }
  io::Table text(std::move(columns));
  constexpr std::size_t max_rows = 10;
  for (const std::size_t place : seen_rows(table, max_rows)) {
    std::vector<std::string> fields;
    for (const std::size_t i : seen) fields.push_back(people_text(table, table.rows[place], i));
    text.add_row(std::move(fields));
  }
  const std::string more = more_rows_text(table, max_rows);
  std::string meanings;
  for (const std::size_t i : seen) {
    if (!table.columns[i].meaning.empty()) meanings += meaning_of(table.columns[i]) + '\n';
  }
  return text.text() + (more.empty() ? "" : more + '\n') + (meanings.empty() ? "" : '\n' + meanings);
}

std::string table_of(const ResultDocument& result) {
  std::string text = subject_text(result.subject) + result.lead + '\n' + result.early_end;
  text += text.ends_with('\n') ? "" : "\n";
  for (const ResultTable& table : result.tables) {
    if (table.shown != Shown::everywhere || table.rows.empty()) continue;
    text += '\n' + (&table == &result.tables.front() ? "" : table.title + '\n') + table_of(table);
  }
  const std::string findings = facts_text(result.findings);
  if (!findings.empty()) text += '\n' + findings;
  if (!result.notes.empty()) text += '\n';
  for (const std::string& note : result.notes) text += note + '\n';
  return text + fmt::format("\n{} on {}\n", duration_text(result.seconds), text_of(result.machine));
}

}  // namespace sporos::runtime
