// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/design_points.hpp>

#include <sporos/runtime/options/usage.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <variant>

namespace sporos::runtime {

namespace {

// Returns the number of digits after the decimal point; empty for a number in scientific notation.
std::optional<std::size_t> decimals_of(std::string_view number) {
  if (number.find_first_of("eE") != std::string_view::npos) return std::nullopt;
  const auto point = number.find('.');
  return point == std::string_view::npos ? 0 : number.size() - point - 1;
}

// The values first, first + step, … up to last.
class Range {
 public:
  Range(const ParameterDescription& parameter, std::string_view text) : m_text(text), m_what(parameter.flag()) {
    const auto parts = split(text, ':');
    if (parts.size() > 3) refuse();
    const std::string_view step = parts.size() == 3 ? parts[2] : "1";
    const auto value = [&](std::string_view part) { return parse_value(parameter, m_what, part); };
    if (parameter.is_whole()) {
      add_whole(std::get<std::int64_t>(value(parts[0])), std::get<std::int64_t>(value(parts[1])),
                std::get<std::int64_t>(value(step)));
      return;
    }
    const auto first_decimals = decimals_of(parts[0]), step_decimals = decimals_of(step);
    std::optional<std::size_t> decimals;
    if (first_decimals && step_decimals) decimals = std::max(*first_decimals, *step_decimals);
    add_real(std::get<double>(value(parts[0])), std::get<double>(value(parts[1])), std::get<double>(value(step)),
             decimals);
  }

  const std::vector<ParameterValue>& values() const { return m_values; }

 private:
  [[noreturn]] void refuse() const {
    throw std::invalid_argument(
        fmt::format("{} is {}, expected FIRST:LAST or FIRST:LAST:STEP with FIRST at most LAST and a positive STEP",
                    m_what, io::in_quotes(m_text)));
  }

  void check_steps(double steps) const {
    if (steps < static_cast<double>(max_design_points)) return;
    throw std::invalid_argument(fmt::format("{} is {}, a range of {:.6g} values, expected at most {}", m_what,
                                            io::in_quotes(m_text), steps + 1, max_design_points));
  }

  void add_whole(std::int64_t first, std::int64_t last, std::int64_t step) {
    if (first > last || step < 1) refuse();
    const auto length = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    const std::uint64_t steps = length / static_cast<std::uint64_t>(step);
    check_steps(static_cast<double>(steps));
    for (std::uint64_t i = 0; i <= steps; ++i) m_values.emplace_back(first + static_cast<std::int64_t>(i) * step);
  }

  void add_real(double first, double last, double step, std::optional<std::size_t> decimals) {
    if (!std::isfinite(first) || !std::isfinite(last) || !std::isfinite(step) || first > last || !(step > 0)) refuse();
    constexpr double rounding = 1e-9;  // in steps: tolerance for a last value that should be reached exactly
    const double steps = std::floor((last - first) / step + rounding);
    check_steps(steps);
    for (double i = 0; i <= steps; ++i) {
      const double value = first + i * step;
      m_values.emplace_back(decimals ? io::parse_number<double>(m_what, fmt::format("{:.{}f}", value, *decimals))
                                     : value);
    }
  }

  std::string_view m_text;
  std::string m_what;
  std::vector<ParameterValue> m_values;
};

// Design points, and the name of each in messages.
struct Points {
  std::vector<ParameterValues> values;
  std::function<std::string(std::size_t)> name;
  std::vector<std::string> notes = {};
};

// Returns the index of the parameter of each column of a file.
std::vector<std::size_t> parameters_of(const io::NamedRows& rows, const ModelDescription& model,
                                       const OptionTable& options) {
  std::vector<std::size_t> list;
  std::vector<std::string> known;
  for (const auto& parameter : model.parameters) known.push_back(parameter.name);
  for (const auto& name : rows.names()) {
    const auto parameter = model.find_parameter(name);
    if (!parameter) {
      throw std::invalid_argument(fmt::format("{}, line 1: column {} is no parameter of {}{}", rows.path(),
                                              io::in_quotes(name), model.name, suggestion_for(name, known)));
    }
    if (options.has(model.parameters[*parameter].option())) {
      throw std::invalid_argument(fmt::format("{} and column {} of {} are given: expected one of them",
                                              model.parameters[*parameter].flag(), io::in_quotes(name), rows.path()));
    }
    if (std::find(list.begin(), list.end(), *parameter) != list.end()) {
      throw std::invalid_argument(fmt::format("{}, line 1: column {} occurs twice", rows.path(), io::in_quotes(name)));
    }
    list.push_back(*parameter);
  }
  return list;
}

Points read_points(const std::string& path, const ModelOptions& options) {
  DesignFile file = read_design_file(path, *options.model, options.table);
  return {
      std::move(file.points),
      [path, lines = std::move(file.lines)](std::size_t row) { return fmt::format("{}, line {}", path, lines[row]); },
      std::move(file.notes)};
}

Points base_points(const ModelOptions& options) {
  const bool has_file = options.table.has("design");
  if (has_file && options.saved_run) {
    throw std::invalid_argument("--design and --plan are given: expected one of them");
  }
  if (has_file) return read_points(*options.table.text("design"), options);
  auto values =
      options.saved_run ? options.saved_run->design : std::vector<ParameterValues>{options.model->default_values()};
  return {std::move(values), [](std::size_t point) { return fmt::format("design point {}", point + 1); }};
}

// Combines each of the points with each of the values of a parameter.
Points crossed(const Points& points, std::size_t parameter, const std::vector<ParameterValue>& choices) {
  if (choices.size() * points.values.size() > max_design_points) {
    throw std::invalid_argument(fmt::format("the ranges make {} design points or more, expected at most {}",
                                            choices.size() * points.values.size(), max_design_points));
  }
  Points all{{}, points.name, points.notes};
  if (choices.size() > 1) all.name = [](std::size_t point) { return fmt::format("design point {}", point + 1); };
  for (const auto& values : points.values) {
    for (const auto& choice : choices) {
      all.values.push_back(values);
      all.values.back()[parameter] = choice;
    }
  }
  return all;
}

// Throws if an option would write a file that a plan or a design names, because such files are read.
void check_files_of(const Points& points, const ModelOptions& options) {
  std::map<std::string, std::string> flags;  // by path
  for (const auto& values : points.values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto* path = std::get_if<std::string>(&values[i]);
      if (path != nullptr && !path->empty()) flags[*path] = options.model->parameters[i].flag();
    }
  }
  if (flags.empty()) return;
  NamedFiles files = options.files;
  for (const auto& [path, flag] : flags) files.push_back({flag + " of the design", path, FileUse::reads});
  check_files(files);
}

void check(const Points& points, const ModelDescription& model) {
  for (std::size_t point = 0; point < points.values.size(); ++point) {
    try {
      model.check(points.values[point]);
    } catch (const std::invalid_argument& error) {
      if (points.values.size() == 1) throw;
      throw std::invalid_argument(points.name(point) + ": " + error.what());
    }
  }
}

// Throws if a point names other files than the first one and has responses of other names. The number of responses is
// checked when they are simulated.
void check_same_responses(const std::vector<ParameterValues>& points, const ModelDescription& model) {
  const auto is_file = [&](std::size_t i) { return model.parameters[i].is_file(); };
  std::vector<std::string> first;
  for (std::size_t p = 1; p < points.size(); ++p) {
    bool has_other_files = false;
    for (std::size_t i = 0; i < points[p].size(); ++i)
      has_other_files = has_other_files || (is_file(i) && points[p][i] != points[p - 1][i]);
    if (!has_other_files) continue;
    if (first.empty()) first = model.response_names(points.front());
    const auto names = model.response_names(points[p]);
    if (names.size() != first.size()) continue;
    const auto [one, other] = std::ranges::mismatch(first, names);
    if (one == first.end()) continue;
    throw std::invalid_argument(
        fmt::format("design point {} has the response {}, where design point 1 has {}, expected the same responses",
                    p + 1, io::in_quotes(*other), io::in_quotes(*one)));
  }
}

// Appends the valid points to the design and skips the others. Throws if there is no valid point.
void keep_possible(const Points& points, const ModelDescription& model, ReadDesign& design) {
  for (const auto& values : points.values) {
    try {
      model.check(values);
      design.points.push_back(values);
    } catch (const std::invalid_argument& error) {
      design.skipped.push_back({values, error.what()});
    }
  }
  if (design.points.empty()) check(points, model);
}

Points all_points(const ModelOptions& options) {
  Points points = base_points(options);
  if (points.values.size() > max_design_points) {
    throw std::invalid_argument(
        fmt::format("there are {} design points, expected at most {}", points.values.size(), max_design_points));
  }
  for (std::size_t i = 0; i < options.model->parameters.size(); ++i) {
    const ParameterDescription& parameter = options.model->parameters[i];
    const OptionText& text = options.table.text(parameter.option());
    if (text) points = crossed(points, i, parse_value_list(parameter, *text));
  }
  check_files_of(points, options);
  return points;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<ParameterValue> parse_value_list(const ParameterDescription& parameter, std::string_view text) {
  if (parameter.is_file()) return {std::string(text)};
  std::vector<ParameterValue> values;
  for (const std::string_view item : split(text, ',')) {
    if (item.find(':') == std::string_view::npos) {
      values.push_back(parse_value(parameter, parameter.flag(), item));
      continue;
    }
    const Range range(parameter, item);
    values.insert(values.end(), range.values().begin(), range.values().end());
    if (values.size() > max_design_points) {
      throw std::invalid_argument(fmt::format("{} is {}, a list of {} values or more, expected at most {}",
                                              parameter.flag(), io::in_quotes(text), values.size(), max_design_points));
    }
  }
  return values;
}

void set_single_values(const ModelDescription& model, const OptionTable& options, ParameterValues& values) {
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const ParameterDescription& parameter = model.parameters[i];
    const OptionText& text = options.text(parameter.option());
    if (!text) continue;
    if (!parameter.is_file() && text->find_first_of(":,") != std::string::npos) {
      throw std::invalid_argument(fmt::format("{} is {}, expected one value; --over varies a parameter",
                                              parameter.flag(), io::in_quotes(*text)));
    }
    values[i] = parse_value(parameter, parameter.flag(), *text);
  }
}

void add_model_notes(const ModelDescription& model, const std::vector<ParameterValues>& points,
                     std::vector<std::string>& notes) {
  constexpr int max_points = 5;
  std::set<std::string> reported;
  int points_with_notes = 0, points_left = 0;
  for (const auto& values : points) {
    auto found = model.notes(values);
    std::erase_if(found, [&](const std::string& note) { return reported.contains(note); });
    if (found.empty()) continue;
    if (++points_with_notes > max_points) {
      ++points_left;
      continue;
    }
    reported.insert(found.begin(), found.end());
    notes.insert(notes.end(), found.begin(), found.end());
  }
  if (points_left > 0) {
    notes.push_back(points_left == 1 ? "1 more design point has notes of this kind"
                                     : fmt::format("{} more design points have notes of this kind", points_left));
  }
}

DesignFile read_design_file(const std::string& path, const ModelDescription& model, const OptionTable& options) {
  io::NamedRows rows(path, {});
  DesignFile file{parameters_of(rows, model, options), {}, {}, {}};
  const auto case_column =
      static_cast<std::size_t>(std::ranges::find(file.parameters, std::size_t{0}) - file.parameters.begin());
  const bool has_case = case_column < file.parameters.size() && model.parameters.front().is_file();
  while (rows.next()) {
    const auto what = [&](std::size_t column) {
      return fmt::format("{}, line {}: {}", path, rows.line(), rows.names()[column]);
    };
    ParameterValues values = model.default_values();
    if (has_case) values = values_with_case(model, what(case_column), std::string(rows.number_text(case_column)));
    for (std::size_t column = 0; column < file.parameters.size(); ++column) {
      const std::size_t place = file.parameters[column];
      const bool is_number = io::number_of<double>(rows.number_text(column)).has_value();
      if (!model.parameters[place].is_file() && !is_number) rows.refuse_near_number(column);
      values[place] = parse_value(model.parameters[place], what(column), rows.number_text(column));
    }
    file.points.push_back(std::move(values));
    file.lines.push_back(rows.line());
  }
  rows.add_note(file.notes);
  return file;
}

bool varies(const std::vector<ParameterValues>& design, std::size_t parameter) {
  return std::any_of(design.begin(), design.end(),
                     [&](const auto& values) { return values[parameter] != design.front()[parameter]; });
}

std::vector<std::size_t> varied_parameters(const std::vector<ParameterValues>& design) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < design.front().size(); ++i) {
    if (varies(design, i)) list.push_back(i);
  }
  return list;
}

ReadDesign design_from(const ModelOptions& options) {
  Points points = all_points(options);
  ReadDesign design;
  keep_possible(points, *options.model, design);
  check_same_responses(design.points, *options.model);
  design.notes = options.notes;
  design.notes.insert(design.notes.end(), points.notes.begin(), points.notes.end());
  add_model_notes(*options.model, design.points, design.notes);
  return design;
}

}  // namespace sporos::runtime
