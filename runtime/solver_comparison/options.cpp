// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/solver_comparison/options.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/design_points.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/procedures/solver_comparison/farming.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::int64_t max_runs = 10'000;

std::vector<OptionEntry> solver_comparison_entries() {
  const std::string what = "Comparison", results = "Results";
  return {
      {what, "solvers", "LIST",
       "names separated by commas, or all; a name may be followed by settings, as in adam:step=0.5:sample-size=60; "
       "`" +
           called_with("optimize MODEL --help") + "` lists solvers and settings"},
      {what, "problems", "LIST", "names separated by commas, or all; `" + called_with("problems") + "` lists them"},
      {what,
       "vary",
       "NAME:SETTING=LOW..HIGH",
       "vary the step, sample-size or starts of a solver of --solvers, as in adam:step=0.1..10, or a fixed parameter "
       "of a problem of --problems, as in mm1:arrival_rate=0.5..2, over a design on a logarithmic scale, and report "
       "its effect on the area; may be given several times",
       {},
       Decides::result,
       Occurrence::repeated},
      {what, "design-points", "P",
       "points of the nearly orthogonal Latin hypercube of each varied solver or problem; default: 17"},
      {what, "macroreplications", "R", "runs of each solver on each problem; default: 10"},
      {what, "budget", "N", "replications of a run; default: depends on the problem"},
      {what, "post-replications", "N",
       "replications at each recommended point, not used in the runs, the same at all points of a problem; default: "
       "200"},
      {what, "seed", "S", "seed of the random numbers, from 0 to 2^64 - 1; default: 1"},
      {what,
       "keep",
       "FOLDER",
       "store the runs of each solver on each problem in a file there, and reuse stored runs",
       {},
       Decides::run},
      {what, "time-limit", "SECONDS", "end after that time, with the results so far", {}, Decides::end},
      {results, "solved-below", "T",
       "a run has solved its problem once less than this part of the initial gap to the optimum is left; default: 0.1"},
      {results, "quantile", "Q", "quantile of progress and of solve times; default: 0.5"},
      {results, "reference", "SOLVER", "reference solver of difference profiles; default: the first"},
      {results, "bootstraps", "B", "bootstrap samples of runs and post-replications, for intervals; default: 200"},
      {results, "confidence", "P", "confidence of intervals; default: 0.95"}};
}

void refuse(const std::string& option, const std::string& text, const std::string& expected) {
  throw std::invalid_argument(fmt::format("--{} is {}, expected {}", option, io::in_quotes(text), expected));
}

// Returns the names in a list, which must not have duplicates; `all` if the list is "all".
std::vector<std::string> names_in(const OptionTable& options, const std::string& option,
                                  const std::vector<std::string>& all) {
  const OptionText& text = options.text(option);
  if (!text) {
    throw std::invalid_argument(fmt::format("no {} are given, expected --{} with names, or all", option, option));
  }
  if (*text == "all") return all;
  std::vector<std::string> names;
  for (const std::string_view name : split(*text, ',')) {
    if (name.empty()) refuse(option, *text, "names separated by commas");
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

// Parses a solver with settings, such as "adam:step=0.5:sample-size=60".
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
      if (found.settings.starts < 1) refuse("solvers", text, "starts of at least 1");
    } else {
      refuse("solvers", text, "step=S, sample-size=N or starts=K after the colon");
    }
  }
  return found;
}

// Parses "adam:step=0.1..10" into the solver or problem and the setting that is varied.
std::pair<std::string, VariedSetting> varied_setting(const std::string& text) {
  const auto colon = text.find(':'), equals = text.find('='), dots = text.find("..");
  const auto expected = [&] { refuse("vary", text, "NAME:SETTING=LOW..HIGH, as in adam:step=0.1..10"); };
  if (colon == text.npos || equals == text.npos || dots == text.npos || !(colon < equals && equals < dots)) expected();
  VariedSetting setting{text.substr(colon + 1, equals - colon - 1), 0, 0};
  const auto low = io::number_of<double>(text.substr(equals + 1, dots - equals - 1));
  const auto high = io::number_of<double>(text.substr(dots + 2));
  if (!low || !high || !(*low > 0 && *low < *high)) expected();
  setting.low = *low;
  setting.high = *high;
  return {text.substr(0, colon), setting};
}

double value_at(const VariedSetting& setting, double place) {
  return setting.low * std::pow(setting.high / setting.low, place);
}

// Returns the name of a design point, such as "adam:step=0.316:sample-size=40".
std::string name_at(const Farmed& farmed, const std::vector<double>& row) {
  std::string name = farmed.name;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const VariedSetting& setting = farmed.settings[i];
    const double value = value_at(setting, row[i]);
    name +=
        setting.name == "step" ? fmt::format(":step={:.3g}", value) : fmt::format(":{}={:.0f}", setting.name, value);
  }
  return name;
}

// Adds a setting to the entry called `name` of the list, which is made if it does not exist.
void add_setting(std::vector<Farmed>& list, const std::string& name, const VariedSetting& setting,
                 const std::string& text) {
  const auto found = std::ranges::find(list, name, &Farmed::name);
  Farmed& farmed = found == list.end() ? list.emplace_back() : *found;
  farmed.name = name;
  if (std::ranges::find(farmed.settings, setting.name, &VariedSetting::name) != farmed.settings.end())
    refuse("vary", text, setting.name + " once");
  farmed.settings.push_back(setting);
}

// Replaces a solver in the request by one entry for each point of its design.
void farm_solver(SolverComparisonRequest& request, Farmed& farmed, std::int64_t points) {
  const auto plain = std::ranges::find(request.solvers, farmed.name, &ComparedSolver::name);
  if (plain == request.solvers.end()) refuse("vary", farmed.name, "one of --solvers or of --problems");
  request.solvers.erase(plain);
  for (const auto& row : farmed.design) {
    const std::string name = name_at(farmed, row);
    if (std::ranges::find(request.solvers, name, &ComparedSolver::name) != request.solvers.end())
      refuse("design-points", std::to_string(points), fmt::format("fewer: {} comes twice", name));
    request.solvers.push_back(compared_solver(name));
  }
}

// Returns the problem at a design point: with other values of parameters, and without a known optimum.
RegisteredProblem problem_at(const RegisteredProblem& plain, const Farmed& farmed, const std::vector<double>& row,
                             SolverComparisonRequest& request) {
  DescribedProblem varied = *plain.described;
  varied.optimum.reset();
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string& name = farmed.settings[i].name;
    const auto place = plain.model->find_parameter(name);
    if (!place || std::ranges::find(varied.decisions, name, &ProblemDecision::parameter) != varied.decisions.end()) {
      refuse("vary", farmed.name + ':' + name,
             fmt::format("a parameter of {} that is no decision variable", plain.model->name));
    }
    double value = value_at(farmed.settings[i], row[i]);
    if (plain.model->parameters[*place].is_whole()) value = std::round(value);
    std::erase_if(varied.parameters, [&](const ProblemParameter& parameter) { return parameter.parameter == name; });
    varied.parameters.push_back({name, value});
    varied.name += fmt::format(":{}={:.4g}", name, value);
  }
  request.varied_problems.push_back(std::make_shared<const DescribedProblem>(std::move(varied)));
  const RegisteredProblem problem{plain.model, request.varied_problems.back().get()};
  search_request(problem);  // throws if the values are invalid for the model
  return problem;
}

// Replaces a problem in the request by one entry for each point of its design.
void farm_problem(SolverComparisonRequest& request, Farmed& farmed, std::int64_t points) {
  const auto place = std::ranges::find_if(
      request.problems, [&](const RegisteredProblem& problem) { return problem.described->name == farmed.name; });
  const RegisteredProblem plain = *place;
  request.problems.erase(place);
  for (const auto& row : farmed.design) {
    const RegisteredProblem problem = problem_at(plain, farmed, row, request);
    for (const RegisteredProblem& other : request.problems) {
      if (other.described->name == problem.described->name)
        refuse("design-points", std::to_string(points), fmt::format("fewer: {} comes twice", other.described->name));
    }
    request.problems.push_back(problem);
  }
}

// Replaces all solvers and problems that are varied by the points of their designs.
void farm(SolverComparisonRequest& request, const OptionTable& options) {
  const std::int64_t points = options.whole("design-points", 17, 2, 1000);
  for (const std::string& text : options.list("vary")) {
    const auto [name, setting] = varied_setting(text);
    const bool is_problem = std::ranges::any_of(
        request.problems, [&, &of = name](const RegisteredProblem& problem) { return problem.described->name == of; });
    if (!is_problem && setting.name != "step" && (setting.low < 1 || setting.high > 1e9))
      refuse("vary", text, "whole numbers from 1");
    add_setting(is_problem ? request.farmed_problems : request.farmed, name, setting, text);
  }
  if (options.has("design-points") && request.farmed.empty() && request.farmed_problems.empty())
    throw std::invalid_argument("--design-points is given, expected it only with --vary");
  for (std::vector<Farmed>* list : {&request.farmed, &request.farmed_problems}) {
    for (Farmed& farmed : *list) {
      if (points < static_cast<std::int64_t>(farmed.settings.size()) + 2)
        throw std::invalid_argument(
            fmt::format("--design-points is {}, expected at least {}, two more than the varied settings of {}", points,
                        farmed.settings.size() + 2, farmed.name));
      farmed.design = nearly_orthogonal_design(static_cast<std::size_t>(points), farmed.settings.size(), request.seed);
    }
  }
  for (Farmed& farmed : request.farmed) farm_solver(request, farmed, points);
  for (Farmed& farmed : request.farmed_problems) farm_problem(request, farmed, points);
  // Design points follow the entries that are not varied, in the order of the lists.
  std::size_t of_solvers = request.solvers.size(), of_problems = request.problems.size();
  for (const Farmed& farmed : request.farmed) of_solvers -= farmed.design.size();
  for (const Farmed& farmed : request.farmed_problems) of_problems -= farmed.design.size();
  for (Farmed& farmed : request.farmed) {
    farmed.first = of_solvers;
    of_solvers += farmed.design.size();
  }
  for (Farmed& farmed : request.farmed_problems) {
    farmed.first = of_problems;
    of_problems += farmed.design.size();
  }
}

double share(const OptionTable& options, const std::string& name, double default_value) {
  const double value = options.positive(name, default_value);
  if (value >= 1) refuse(name, *options.text(name), "a number between 0 and 1");
  return value;
}

SummaryOptions summary_options(const OptionTable& options, const SolverComparisonRequest& request) {
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

Usage compare_solvers_usage() {
  return {"compare-solvers",
          called_with("compare-solvers --solvers LIST --problems LIST [OPTION...]"),
          "Runs solvers on problems repeatedly, and compares their progress towards the known optima.",
          "Progress is the part of the initial gap to the optimum that is left, as defined by SimOpt.",
          {},
          entries_of({solver_comparison_entries(),
                      execution_options("threads of the backend; changes no bit of the result"),
                      {format_option(), table_option(), output_option(), report_option(), no_progress_option()}}),
          {"compare-solvers --solvers astro-df,adam --problems mm1 --budget 3000",
           "compare-solvers --solvers all --problems san-1 --report solvers.html"}};
}

SolverComparisonRequest compare_solvers_request(const OptionTable& options, std::vector<ComparedSolver> own) {
  SolverComparisonRequest request{};
  std::vector<std::string> all;
  for (const RegisteredProblem& problem : registered_problems()) all.push_back(problem.described->name);
  if (options.has("solvers") || own.empty()) {
    for (const std::string& name : names_in(options, "solvers", names_of_solvers()))
      request.solvers.push_back(compared_solver(name));
  }
  for (ComparedSolver& solver : own) {
    if (std::ranges::find(request.solvers, solver.name, &ComparedSolver::name) != request.solvers.end())
      refuse("solvers", solver.name, "a name that no other solver has");
    request.solvers.push_back(std::move(solver));
  }
  for (const std::string& name : names_in(options, "problems", all))
    request.problems.push_back(registered_problem(name));
  request.runs = options.whole("macroreplications", 10, 1, max_runs);
  if (options.has("budget")) request.budget = options.whole("budget", 0, 1);
  request.looks = RecordingOptions{}.looks;
  request.seed = options.seed("seed", 1);
  request.post.groups = PostReplications{}.groups;
  request.post.count = options.whole("post-replications", PostReplications{}.count, 2 * request.post.groups);
  request.post.seed = request.seed;
  farm(request, options);
  request.summary = summary_options(options, request);
  request.keep = options.text("keep");
  request.time_limit = time_limit_of(options);
  return request;
}

std::int64_t budget_of(const SolverComparisonRequest& request, const RegisteredProblem& problem) {
  return request.budget.value_or(problem.described->budget);
}

}  // namespace sporos::runtime
