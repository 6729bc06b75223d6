// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/solver_comparison/kept_cells.hpp>

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/problems/problems.hpp>

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json_text.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/version.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

constexpr std::size_t max_cell_mebibytes = 1024;

// Returns everything that determines the runs of a cell.
io::Json description_of(const SolverComparisonRequest& request, const RegisteredProblem& problem,
                        const ComparedSolver& solver) {
  io::Json decisive = json_of(problem);
  for (const char* name : {"title", "source", "budget", "optimum", "is_smooth", "is_convex"}) decisive.erase(name);
  return {{"version", SPOROS_VERSION},
          {"problem", std::move(decisive)},
          {"solver", solver.name},
          {"macroreplications", request.runs},
          {"budget", budget_of(request, problem)},
          {"looks", request.looks},
          {"post_replications", request.post.count},
          {"seed", request.seed}};
}

// Throws if a property of a stored cell differs from the requested one; the message names the first.
void check_same(const io::Json& found, const io::Json& asked, const std::string& what) {
  for (const auto& [name, value] : asked.items()) {
    const io::Json& other = io::json_member<io::Json>(found, what, name);
    if (other == value) continue;
    const bool is_short = value.is_primitive() && other.is_primitive();
    throw std::invalid_argument(fmt::format(
        "{} is from a comparison with {}, expected {}; use another folder in --keep, or remove the file", what,
        is_short ? fmt::format("{} {}", name, other.dump()) : "another " + name, is_short ? value.dump() : "the same"));
  }
}

io::Json numbers_json(const std::vector<double>& numbers) {
  io::Json list = io::Json::array();
  for (const double number : numbers) list.push_back(io::json_number(number));
  return list;
}

// Reads numbers. A null, which stands for an objective that is not finite, becomes infinity.
std::vector<double> numbers_of(const io::Json& json, const std::string& what, const char* name) {
  std::vector<double> numbers;
  for (const io::Json& number : io::json_list(json, what, name)) {
    if (!number.is_number() && !number.is_null())
      throw io::JsonError(number, fmt::format("{}: {} holds {}, expected numbers", what, name, number.dump()));
    numbers.push_back(number.is_null() ? std::numeric_limits<double>::infinity() : number.get<double>());
  }
  return numbers;
}

EvaluatedPoint point_of(const io::Json& json, const std::string& what) {
  EvaluatedPoint point{io::json_numbers(json, what, "x"), 0, numbers_of(json, what, "of_groups"),
                       numbers_of(json, what, "exceeded_by"), numbers_of(json, what, "errors")};
  const io::Json& objective = io::json_member<io::Json>(json, what, "objective");
  point.objective =
      objective.is_null() ? std::numeric_limits<double>::infinity() : io::json_member<double>(json, what, "objective");
  if (point.of_groups.empty() || point.errors.size() != point.exceeded_by.size())
    throw std::invalid_argument(what +
                                " has a point without groups, or with different numbers of errors and constraints");
  return point;
}

RecordedRun run_of(const io::Json& json, const std::string& what, std::size_t points) {
  RecordedRun run{io::json_member<std::uint64_t>(json, what, "seed"),
                  io::json_member<std::int64_t>(json, what, "replications"),
                  {}};
  for (const io::Json& step : io::json_list(json, what, "steps")) {
    const auto place = io::json_member<std::uint64_t>(step, what, "point");
    if (place >= points) throw std::invalid_argument(fmt::format("{} has no point {}", what, place));
    run.steps.push_back({io::json_member<std::int64_t>(step, what, "replications"), static_cast<std::size_t>(place)});
  }
  if (run.steps.empty()) throw std::invalid_argument(what + " has a run without steps");
  return run;
}

}  // namespace

io::Json json_of(const RecordedRuns& runs) {
  io::Json all = io::Json::array(), points = io::Json::array();
  for (const RecordedRun& run : runs.runs) {
    io::Json steps = io::Json::array();
    for (const RecordedStep& step : run.steps)
      steps.push_back({{"replications", step.replications}, {"point", step.point}});
    all.push_back({{"seed", run.seed}, {"replications", run.replications}, {"steps", std::move(steps)}});
  }
  for (const EvaluatedPoint& point : runs.points) {
    points.push_back({{"x", point.x},
                      {"objective", io::json_number(point.objective)},
                      {"of_groups", numbers_json(point.of_groups)},
                      {"exceeded_by", numbers_json(point.exceeded_by)},
                      {"errors", numbers_json(point.errors)}});
  }
  return {{"runs", std::move(all)}, {"points", std::move(points)}};
}

RecordedRuns recorded_runs_of_json(const io::Json& json, const std::string& what) {
  RecordedRuns found;
  for (const io::Json& point : io::json_list(json, what, "points")) found.points.push_back(point_of(point, what));
  for (const io::Json& run : io::json_list(json, what, "runs"))
    found.runs.push_back(run_of(run, what, found.points.size()));
  if (found.runs.empty()) throw std::invalid_argument(what + " has no runs");
  return found;
}

KeptCells::KeptCells(const OptionText& folder) : m_folder(folder) {
  if (!m_folder) return;
  together(processes(), [&] {
    if (!is_first_process()) return;
    const std::filesystem::path path(*m_folder);
    std::error_code error;
    const bool is_there = std::filesystem::exists(path, error);
    if (is_there && !std::filesystem::is_directory(path)) throw io::WriteError(io::in_quotes(*m_folder), ENOTDIR);
    // Throws if no file can be written in the folder, or, if it does not exist, in its parent. Leaves no trace.
    io::OutputFile((is_there ? path / "cell.json" : path).string());
  });
}

std::string KeptCells::path_of(const RegisteredProblem& problem, const ComparedSolver& solver) const {
  return (std::filesystem::path(*m_folder) / fmt::format("{}.{}.json", problem.described->name, solver.name)).string();
}

std::optional<RecordedRuns> KeptCells::read(const SolverComparisonRequest& request, const RegisteredProblem& problem,
                                            const ComparedSolver& solver) const {
  if (!m_folder || solver.own) return std::nullopt;
  const std::string path = path_of(problem, solver);
  std::string mine;
  together(processes(), [&] {
    if (is_first_process() && std::filesystem::exists(path))
      mine = io::read_text_file(path, max_cell_mebibytes, io::FileContents::bytes);
  });
  const std::string text = text_of_first(processes(), mine);
  if (text.empty()) return std::nullopt;
  const std::string what = io::in_quotes(path);
  return io::JsonText(what, text).read([&](const io::Json& json, const std::string&) {
    check_same(io::json_member<io::Json>(json, what, "cell"), description_of(request, problem, solver), what);
    return recorded_runs_of_json(json, what);
  });
}

void KeptCells::write(const SolverComparisonRequest& request, const RegisteredProblem& problem,
                      const ComparedSolver& solver, const RecordedRuns& runs) const {
  if (!m_folder || solver.own) return;
  together(processes(), [&] {
    if (!is_first_process()) return;
    io::Json json = {{"cell", description_of(request, problem, solver)}};
    json.update(json_of(runs));
    std::error_code error;
    std::filesystem::create_directory(*m_folder, error);
    if (error) throw io::WriteError(io::in_quotes(*m_folder), error.value());
    io::OutputFile(path_of(problem, solver)).write(json.dump() + '\n');
  });
}

}  // namespace sporos::runtime
