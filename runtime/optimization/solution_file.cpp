// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/optimization/solution_file.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>

#include <cstddef>
#include <stdexcept>
#include <unordered_map>

namespace sporos::runtime {

std::string solution_text(const ProblemDescription& problem, const std::vector<double>& solution, bool all) {
  std::string text;
  io::append_csv_row(text, {problem.variable, problem.quantity});
  for (std::size_t i = 0; i < solution.size(); ++i) {
    if (all || solution[i] != 0) io::append_csv_row(text, {problem.name_of(i), io::shortest_text(solution[i])});
  }
  return text;
}

std::vector<double> read_solution(const ProblemDescription& problem, const std::string& path,
                                  std::vector<std::string>& notes) {
  io::NamedRows rows(path, {"column", problem.variable});
  if (rows.names() != std::vector<std::string>{problem.variable, problem.quantity}) {
    throw std::invalid_argument(fmt::format("{}, line 1: the columns are {}, expected {}, {}", path,
                                            io::in_quotes(fmt::to_string(fmt::join(rows.names(), ", "))),
                                            problem.variable, problem.quantity));
  }
  std::vector<double> solution(static_cast<std::size_t>(problem.dimension));
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < solution.size(); ++i) places.emplace(problem.name_of(i), i);
  io::UniqueNames names(problem.variable);
  while (rows.next()) {
    names.add(rows, 0);
    const auto place = places.find(std::string(rows.field(0)));
    if (place == places.end()) {
      rows.refuse(
          0, fmt::format("is {}, expected one of the problem's {}s", io::in_quotes(rows.field(0)), problem.variable));
    }
    solution[place->second] = rows.number(1);
  }
  rows.add_note(notes);
  return solution;
}

}  // namespace sporos::runtime
