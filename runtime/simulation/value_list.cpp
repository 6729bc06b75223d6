// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/value_list.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

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

}  // namespace sporos::runtime
