// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solution_file.hpp"

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <cmath>
#include <stdexcept>
#include <unordered_map>

namespace sporos::apps {

std::string solution_text(const ProblemDescription& problem, const std::vector<double>& solution, bool all) {
  std::string text;
  io::append_csv_row(text, {problem.variable, problem.quantity});
  for (std::size_t i = 0; i < solution.size(); ++i) {
    if (all || solution[i] != 0) io::append_csv_row(text, {problem.name_of(i), io::shortest_text(solution[i])});
  }
  return text;
}

std::vector<double> read_solution(const ProblemDescription& problem, const std::string& path) {
  const auto file = io::read_csv(path, {"column", problem.variable});
  if (file.names != std::vector<std::string>{problem.variable, problem.quantity}) {
    throw std::invalid_argument(fmt::format("{}, line 1: the columns are {}, expected {}, {}", path,
                                            io::in_quotes(fmt::to_string(fmt::join(file.names, ", "))),
                                            problem.variable, problem.quantity));
  }
  const auto size = static_cast<std::size_t>(problem.dimension);
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < size; ++i) places.emplace(problem.name_of(i), i);
  std::vector<double> solution(size);
  for (std::size_t row = 0; row < file.rows.size(); ++row) {
    const std::string& name = file.rows[row][0];
    const auto at = [&](const std::string& column) {
      return fmt::format("{}, line {}: {}", path, row + 2, io::in_quotes(column));
    };
    const auto place = places.find(name);
    if (place == places.end()) {
      throw std::invalid_argument(fmt::format("{} is {}, expected the name of one of the problem's {}s, each at most once",
                                              at(problem.variable), io::in_quotes(name), problem.variable));
    }
    const auto value = io::parse_number<double>(at(problem.quantity), file.rows[row][1]);
    if (!std::isfinite(value)) {
      throw std::invalid_argument(fmt::format("{} is {}, expected a finite number", at(problem.quantity), value));
    }
    solution[place->second] = value;
    places.erase(place);
  }
  return solution;
}

}  // namespace sporos::apps
