// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/laboratory/options.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/options/suggestion.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/simulation/value_list.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::int64_t most_runs = 10'000;

std::vector<OptionEntry> experiment_entries() {
  const std::string what = "Experiment", results = "Results";
  return {
      {what, "solvers", "LIST",
       "names with commas between, or all; a name may be followed by settings, as in adam:step=0.5:sample-size=60; "
       "`" +
           called_with("optimize MODEL --help") + "` tells of solvers and settings"},
      {what, "problems", "LIST", "names with commas between, or all; `" + called_with("problems") + "` lists them"},
      {what, "macroreplications", "R", "runs of each solver on each problem; usually 10"},
      {what, "budget", "N", "replications of a run; usually the problem's own"},
      {what, "post-replications", "N",
       "that no run has seen, at each point that a run recommended, the same ones at all points of a problem; usually "
       "200"},
      {what, "seed", "S", "names the random numbers, from 0 to 2^64 - 1; usually 1"},
      {what,
       "keep",
       "FOLDER",
       "keeps the runs of each solver on each problem in a file there, and takes those that are there already",
       {},
       Decides::run},
      {what, "time-limit", "SECONDS", "the experiment ends after that time, with the results so far", {}, Decides::end},
      {results, "solved-below", "T",
       "a run has solved its problem once less than this part of the initial gap to the optimum is left; usually 0.1"},
      {results, "quantile", "Q", "of progress and of solve times; usually 0.5"},
      {results, "reference", "SOLVER", "that difference profiles are against; usually the first"},
      {results, "bootstraps", "B", "samples of runs and post-replications, of which intervals are made; usually 200"},
      {results, "confidence", "P", "of intervals; usually 0.95"}};
}

void refuse(const std::string& option, const std::string& text, const std::string& expected) {
  throw std::invalid_argument(fmt::format("--{} is {}, expected {}", option, io::in_quotes(text), expected));
}

// The names in a list, none of them twice; those of `all` where it says so.
std::vector<std::string> names_in(const OptionTable& options, const std::string& option,
                                  const std::vector<std::string>& all) {
  const OptionText& text = options.text(option);
  if (!text) {
    throw std::invalid_argument(fmt::format("no {} are given, expected --{} with names, or all", option, option));
  }
  if (*text == "all") return all;
  std::vector<std::string> names;
  for (const std::string_view name : split(*text, ',')) {
    if (name.empty()) refuse(option, *text, "names with commas between");
    if (std::ranges::find(names, name) != names.end())
      refuse(option, *text, fmt::format("{} once", io::in_quotes(name)));
    names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> names_of_solvers() {
  std::vector<std::string> names;
  for (const SolverDescription& solver : solvers()) names.emplace_back(solver.name);
  return names;
}

// "adam:step=0.5:sample-size=60".
ComparedSolver compared_solver(const std::string& text) {
  const auto parts = split(text, ':');
  ComparedSolver found{text, solver_named(parts.front()), {}};
  if (found.description == nullptr) {
    throw std::invalid_argument("unknown solver " + io::in_quotes(parts.front()) +
                                suggestion_for(parts.front(), names_of_solvers()));
  }
  for (const std::string_view part : std::span(parts).subspan(1)) {
    const auto setting = split(part, '=');
    const std::string what = fmt::format("{} of solver {}", setting.front(), found.description->name);
    if (setting.size() == 2 && setting.front() == "step") {
      found.settings.step = io::parse_number<double>(what, setting.back());
      if (!(found.settings.step > 0)) refuse("solvers", text, "a step above 0");
    } else if (setting.size() == 2 && setting.front() == "sample-size") {
      found.settings.replications = io::parse_number<std::int64_t>(what, setting.back());
      if (found.settings.replications < 1) refuse("solvers", text, "a sample-size of at least 1");
    } else if (setting.size() == 2 && setting.front() == "starts") {
      found.settings.starts = io::parse_number<std::int64_t>(what, setting.back());
      if (found.settings.starts < 1) refuse("solvers", text, "at least 1 in starts");
    } else {
      refuse("solvers", text, "step=S, sample-size=N or starts=K behind the colon");
    }
  }
  return found;
}

double share(const OptionTable& options, const std::string& name, double usual) {
  const double value = options.positive(name, usual);
  if (value >= 1) refuse(name, *options.text(name), "a number between 0 and 1");
  return value;
}

SummaryOptions summary_options(const OptionTable& options, const ExperimentRequest& request) {
  SummaryOptions summary;
  summary.solved_below = share(options, "solved-below", 0.1);
  summary.quantile = share(options, "quantile", 0.5);
  summary.confidence = share(options, "confidence", 0.95);
  summary.bootstraps = options.whole("bootstraps", 200, 1, 100'000);
  summary.seed = request.seed;
  if (const OptionText& name = options.text("reference")) {
    const auto found = std::ranges::find(request.solvers, *name, &ComparedSolver::name);
    if (found == request.solvers.end()) refuse("reference", *name, "one of --solvers");
    summary.reference = static_cast<std::size_t>(found - request.solvers.begin());
  }
  constexpr int places = 100;
  for (int i = 0; i <= places; ++i) summary.grid.push_back(static_cast<double>(i) / places);
  return summary;
}

}  // namespace

Usage experiment_usage() {
  return {"experiment",
          called_with("experiment --solvers LIST --problems LIST [OPTION...]"),
          "Runs solvers on problems again and again, and compares their progress towards the known optima.",
          "Progress is the part of the initial gap to the optimum that is left; definitions are those of SimOpt.",
          {},
          entries_of({experiment_entries(),
                      execution_options("threads of the backend; changes no bit of the result"),
                      {format_option(), output_option(), report_option(), no_progress_option()}})};
}

ExperimentRequest experiment_request(const OptionTable& options, std::vector<ComparedSolver> own) {
  ExperimentRequest request{};
  std::vector<std::string> all;
  for (const RegisteredProblem& problem : registered_problems()) all.push_back(problem.described->name);
  if (options.has("solvers") || own.empty()) {
    for (const std::string& name : names_in(options, "solvers", names_of_solvers()))
      request.solvers.push_back(compared_solver(name));
  }
  for (ComparedSolver& solver : own) {
    if (std::ranges::find(request.solvers, solver.name, &ComparedSolver::name) != request.solvers.end())
      refuse("solvers", solver.name, "names that differ");
    request.solvers.push_back(std::move(solver));
  }
  for (const std::string& name : names_in(options, "problems", all))
    request.problems.push_back(registered_problem(name));
  request.runs = options.whole("macroreplications", 10, 1, most_runs);
  if (options.has("budget")) request.budget = options.whole("budget", 0, 1);
  request.looks = RecordingOptions{}.looks;
  request.seed = options.seed("seed", 1);
  request.post.groups = PostReplications{}.groups;
  request.post.count = options.whole("post-replications", PostReplications{}.count, 2 * request.post.groups);
  request.post.seed = request.seed;
  request.summary = summary_options(options, request);
  request.keep = options.text("keep");
  request.time_limit = time_limit_of(options);
  return request;
}

std::int64_t budget_of(const ExperimentRequest& request, const RegisteredProblem& problem) {
  return request.budget.value_or(problem.described->budget);
}

}  // namespace sporos::runtime
