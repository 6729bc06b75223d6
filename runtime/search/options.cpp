// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/options.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/distribution_text.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/search/constraints.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/estimated_inputs.hpp>
#include <sporos/runtime/simulation/options.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::int64_t default_budget = 10'000, min_final = 100;
constexpr std::int64_t max_runs = 1'000'000;
constexpr double default_confidence = 0.95;

std::int64_t default_final_replications(std::int64_t budget) { return std::max(min_final, budget / 10); }

std::string solver_help() {
  std::string text = "automatic";
  for (const SolverDescription& solver : solvers()) text += fmt::format(", {} ({})", solver.name, solver.title);
  return text + "; default: automatic, which reports its choice and the reason";
}

std::vector<OptionEntry> search_entries() {
  const std::string problem = "Problem", search = "Search";
  return {
      {problem,
       "over",
       "NAME=LOW:HIGH",
       "decision variable: a parameter of the model, within these bounds; HIGH may be inf; * in NAME stands for any "
       "characters; may be given several times",
       {},
       Decides::result,
       Occurrence::repeated},
      {problem, "minimize", "EXPRESSION",
       "objective of mean responses and parameters, as in '3 * servers + 40 * blocking probability' or 'time in queue "
       "/ time in system'"},
      {problem, "maximize", "EXPRESSION", "objective to be maximized instead"},
      {problem, "plus", "EXPRESSION", "term added to the objective"},
      {problem,
       "subject-to",
       "CONSTRAINT",
       "constraint on mean responses and parameters, as in 'blocking probability <= 0.02', or on their tails, as in "
       "'P(time in queue > 5) <= 0.05' or 'CVaR_0.95(time in queue) <= 7'; or a linear one on decisions only, as in "
       "'x + 2 * y <= 10', with <=, >= or =; may be given several times",
       {},
       Decides::result,
       Occurrence::repeated},
      {problem, "feasible-with", "P",
       "tighten constraints on mean responses until they hold with this confidence; default: no tightening"},
      {problem,
       "draw",
       "NAME=DISTRIBUTION",
       "distribution of a decision in random points, as in 'lognormal(0, 1.2)' or 'normal(5, 2)', for random-search, "
       "--starts and the first simplex of nelder-mead; values outside the bounds are moved to them; default: uniform "
       "between finite bounds; may be given several times",
       {},
       Decides::result,
       Occurrence::repeated},
      {search, "solver", "NAME", solver_help()},
      {search, "starts", "K",
       "number of starts that share the budget: the given one and others drawn within finite bounds; the worse half is "
       "dropped repeatedly; default: up to 8 if a decision is a whole number and the budget permits a step from each, "
       "or if a check shows that the objective is not convex; else 1"},
      {search, "gradient", "KIND",
       "pathwise (from the model's source code, if it is differentiable), likelihood-ratio (scores from the same code, "
       "also for responses that jump, for short runs), differences (central differences under common random numbers, "
       "2d + 1 replications each); default: pathwise"},
      {search, "replications", "N", fmt::format("budget of the search; default: {}", default_budget)},
      {search, "macro-replications", "R",
       "number of runs of the search, each with the budget of --replications; the best end is the answer, with "
       "constraints on responses the best that is certified feasible; default: 1"},
      {search, "sample-size", "N",
       "replications at a point; for astro and astro-df the minimum, for l-bfgs, frank-wolfe and nelder-mead the first "
       "number; default: depends on the solver"},
      {search, "step", "S",
       "length of the first step or trust region, in units of max(1, |start|); default: depends on the solver"},
      {search, "final-replications", "N",
       fmt::format(
           "replications of the final estimate, not used in the search; default: a tenth of the budget, at least {}",
           min_final)},
      {search, "gap-batches", "B",
       "bound the optimality gap by B batches of --final-replications each, which are minimized separately, or by "
       "their Frank-Wolfe gaps for frank-wolfe and with --subject-to; 0 for no bound; default: 10 for frank-wolfe, "
       "else 0"},
      {search, "seed", "S", "seed of the random numbers, from 0 to 2^64 - 1; default: 1"},
      {search, "confidence", "P", "confidence of intervals; default: " + io::shortest_text(default_confidence)},
      {search, "time-limit", "SECONDS", "end the search after this time", {}, Decides::end}};
}

OptionEntry surface_option() {
  OptionEntry entry = picture_option("objective over the range of one or two decisions, with the path of the search,");
  entry.name = "surface";
  return entry;
}

// The parts of NAME=LOW:HIGH, where NAME may contain blanks as in "mean wait".
struct OverText {
  std::string_view name, low, high;
};

std::optional<OverText> parts_of(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const auto ends = split(text.substr(equals + 1), ':');
  if (ends.size() != 2) return std::nullopt;
  return OverText{text.substr(0, equals), ends[0], ends[1]};
}

std::optional<double> end_of(std::string_view text) {
  if (text == "inf") return std::numeric_limits<double>::infinity();
  return io::number_of<double>(text);
}

Decision decision_of(const ModelDescription& model, std::string_view text) {
  const auto parts = parts_of(text);
  const auto low = parts ? end_of(parts->low) : std::nullopt, high = parts ? end_of(parts->high) : std::nullopt;
  if (!low || !high || std::isinf(*low) || !(*low < *high)) {
    throw std::invalid_argument(fmt::format("--over is {}, expected NAME=LOW:HIGH with LOW below HIGH, as in {}=1:10",
                                            io::in_quotes(text), model.parameters.front().option()));
  }
  const ParameterDescription& parameter = model.parameters[place_of_parameter(model, "over", text, parts->name)];
  if (parameter.is_whole() && (std::floor(*low) != *low || std::floor(*high) != *high)) {
    throw std::invalid_argument(
        fmt::format("--over is {}, and {} takes whole numbers, expected whole bounds, as in {}", io::in_quotes(text),
                    parameter.name,
                    std::floor(*high) > std::ceil(*low)
                        ? fmt::format("{}={:.0f}:{:.0f}", parts->name, std::ceil(*low), std::floor(*high))
                        : fmt::format("{}=1:10", parts->name)));
  }
  return {parameter.name, *low, *high};
}

// Whether a name matches a pattern, in which * stands for any characters.
bool matches(std::string_view pattern, std::string_view name) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  for (std::size_t end = star; end <= name.size(); ++end) {
    if (matches(pattern.substr(star + 1), name.substr(end))) return true;
  }
  return false;
}

// Adds the decision variable of NAME=LOW:HIGH, or all whose names match NAME if it contains *.
void add_decisions(SearchRequest& request, const std::string& text) {
  const auto parts = parts_of(text);
  const auto add = [&](std::string_view one) {
    request.decisions.push_back(decision_of(*request.model, one));
    if (std::ranges::count(request.decisions, request.decisions.back().parameter, &Decision::parameter) > 1)
      throw std::invalid_argument(fmt::format("--over {} is given twice", request.decisions.back().parameter));
  };
  if (!parts || parts->name.find('*') == std::string_view::npos) return add(text);
  const std::size_t before = request.decisions.size();
  std::string pattern(parts->name);
  std::ranges::replace(pattern, '_', '-');  // as in names of options
  for (const ParameterDescription& parameter : request.model->parameters) {
    if (parameter.is_file() || !matches(pattern, parameter.option())) continue;
    add(fmt::format("{}={}:{}", parameter.option(), parts->low, parts->high));
  }
  if (request.decisions.size() > before) return;
  throw std::invalid_argument(fmt::format("--over is {}, and no parameter of {} matches {}, expected one that does",
                                          io::in_quotes(text), request.model->name, io::in_quotes(parts->name)));
}

// Adds the distribution of a decision variable from NAME=DISTRIBUTION.
void add_drawn_decision(SearchRequest& request, const std::string& text) {
  const std::string complaint = fmt::format("--draw is {}", io::in_quotes(text));
  const auto equals = text.find('=');
  if (equals == std::string::npos) {
    throw std::invalid_argument(fmt::format("{}, expected NAME=DISTRIBUTION, as in {}=lognormal(0, 1)", complaint,
                                            request.decisions.front().parameter));
  }
  const ModelDescription& model = *request.model;
  const std::size_t place = place_of_parameter(model, "draw", text, trimmed(std::string_view(text).substr(0, equals)));
  const std::string& name = model.parameters[place].name;
  if (std::ranges::find(request.decisions, name, &Decision::parameter) == request.decisions.end())
    throw std::invalid_argument(
        fmt::format("{}, but {} is no decision variable, expected --over {}=LOW:HIGH, too", complaint, name, name));
  if (std::ranges::find(request.draws, name, &DrawnDecision::parameter) != request.draws.end())
    throw std::invalid_argument(fmt::format("--draw {} is given twice", name));
  add_draw(request, name, std::string(trimmed(std::string_view(text).substr(equals + 1))), complaint);
}

// Checks that the model is valid at both ends of the range of a real decision variable or of a member of a case:
// solvers may go there.
void check_ends(const SearchRequest& request, const Decision& decision) {
  const std::size_t place = *request.model->find_parameter(decision.parameter);
  const ParameterDescription& parameter = request.model->parameters[place];
  if (parameter.is_whole() && !parameter.is_member) return;
  for (const double end : {decision.low, decision.high}) {
    if (std::isinf(end)) continue;
    ParameterValues values = request.values;
    if (parameter.is_whole()) {
      values[place] =
          whole_value(fmt::format("--over {}", parameter.name), end == decision.low ? std::ceil(end) : std::floor(end));
    } else {
      values[place] = end;
    }
    try {
      request.model->check(values);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(
          fmt::format("--over {} goes to {}, where {}", parameter.option(), io::shortest_text(end), error.what()));
    }
  }
}

bool is_scored(const ModelDescription& model, const std::string& parameter) {
  return std::ranges::find(model.scored_parameters, parameter) != model.scored_parameters.end();
}

// Refuses likelihood ratios unless they are known to be right.
void check_gradient(const SearchRequest& request) {
  const ModelDescription& model = *request.model;
  if (request.gradient != GradientKind::likelihood_ratio || has_likelihood_ratios(model, request.decisions)) return;
  const std::string others = model.is_differentiable ? "--gradient pathwise or differences" : "--gradient differences";
  if (model.scored_parameters.empty()) {
    throw std::invalid_argument(
        fmt::format("--gradient is 'likelihood-ratio', which {} does not offer, expected {}", model.name, others));
  }
  std::vector<std::string> scored;
  for (const ParameterDescription& parameter : model.parameters) {
    if (is_scored(model, parameter.name)) scored.push_back(parameter.option());
  }
  const auto missed = std::ranges::find_if(
      request.decisions, [&](const Decision& decision) { return !is_scored(model, decision.parameter); });
  throw std::invalid_argument(fmt::format(
      "--gradient likelihood-ratio is not known to be right for {}, expected {}, or decisions among {}",
      model.parameters[*model.find_parameter(missed->parameter)].option(), others, fmt::join(scored, ", ")));
}

bool is_on_tail(const ConstraintOnMeans& constraint) { return constraint.tail.has_value(); }

bool has_measure(const SearchRequest& request, TailMeasure measure) {
  return std::ranges::any_of(request.constraints_on_means, [&](const ConstraintOnMeans& constraint) {
    return constraint.tail && constraint.tail->measure == measure;
  });
}

// Refuses options that cannot be combined with constraints on tails.
void check_tails(const SearchRequest& request, const OptionTable& options) {
  if (has_measure(request, TailMeasure::cvar) && !options.list("surface").empty())
    throw std::invalid_argument("--surface is given with a CVaR in --subject-to, expected one of them");
}

double feasible_with(const SearchRequest& request, const OptionTable& options) {
  if (request.constraints_on_means.empty())
    throw std::invalid_argument("--feasible-with is given without a constraint on a response, expected --subject-to");
  const double confidence = options.positive("feasible-with", default_confidence);
  if (confidence < 0.5 || confidence >= 1) {
    throw std::invalid_argument("--feasible-with is " + *options.text("feasible-with") +
                                ", expected a number of at least 0.5 and below 1");
  }
  return confidence;
}

ObjectiveExpression objective_of(const OptionTable& options) {
  const bool is_minimized = options.has("minimize");
  if (is_minimized == options.has("maximize")) {
    throw std::invalid_argument(is_minimized
                                    ? "--minimize and --maximize are given, expected one of them"
                                    : "no objective is given, expected --minimize or --maximize with an expression");
  }
  const std::string option = is_minimized ? "minimize" : "maximize";
  return {"--" + option, *options.text(option), options.text("plus").value_or(""), !is_minimized};
}

// Reason why a model can be neither optimized nor selected from; empty if it can be.
std::string why_not_optimizable(const ModelDescription& model) {
  const bool has_members =
      model.members != nullptr || std::ranges::any_of(model.parameters, &ParameterDescription::is_member);
  if (has_members) return "";
  if (std::ranges::any_of(model.parameters, &ParameterDescription::is_file)) {
    return "has a parameter that names a file, expected a model with numeric parameters only";
  }
  return model.is_wide ? "has a number of responses that is known only at run time, expected a model with fixed ones"
                       : "";
}

}  // namespace

bool is_optimizable(const ModelDescription& model) { return why_not_optimizable(model).empty(); }

void check_optimizable(const ModelDescription& model) {
  if (const std::string reason = why_not_optimizable(model); !reason.empty()) {
    throw std::invalid_argument(model.name + " " + reason);
  }
}

const ModelDescription* find_optimizable(std::string_view name) {
  for (const ModelDescription& model : model_descriptions()) {
    if (model.name == name && is_optimizable(model)) return &model;
  }
  return nullptr;
}

bool has_tails(const SearchRequest& request) { return std::ranges::any_of(request.constraints_on_means, is_on_tail); }

bool has_probabilities(const SearchRequest& request) { return has_measure(request, TailMeasure::probability); }

bool has_likelihood_ratios(const ModelDescription& model, std::span<const Decision> decisions) {
  return std::ranges::all_of(decisions, [&](const Decision& decision) { return is_scored(model, decision.parameter); });
}

Usage search_usage(const ModelDescription& model) {
  return {
      "optimize " + model.name,
      called_with("optimize MODEL --over NAME=LOW:HIGH --minimize EXPRESSION [OPTION...]"),
      model.title,
      "The objective at the end is estimated on replications not used in the search.",
      {},
      entries_of({search_entries(),
                  parameter_entries(model, "Parameters of the model; for decisions, the start of the search"),
                  {input_option("Inputs from data")},
                  checkpoint_options(),
                  execution_options("threads of the backend; changes no bit of the result"),
                  {format_option(), table_option(), output_option(),
                   picture_option("objective and violations of constraints on responses over the replications used"),
                   surface_option(), report_option(), no_progress_option()}}),
      {"optimize mm1 --over service-rate=0.6:3 --minimize 'time in system' --plus 'service_rate^2'",
       "optimize mmck --over servers=1:8 --minimize '3*servers + 40*blocking probability'"}};
}

void add_constraint(SearchRequest& request, const std::string& text) {
  const ModelDescription& model = *request.model;
  if (auto tail = tail_constraint_of(text)) {
    request.constraints_on_means.push_back(std::move(*tail));
  } else if (holds_means(text, model, request.values)) {
    request.constraints_on_means.push_back(constraint_on_means_of(text));
  } else {
    request.constraint_texts.push_back(text);
    request.constraints.push_back(constraint_of(text, model, request.values, request.decisions));
  }
  auto& all = request.constraints_on_means;
  std::stable_partition(all.begin(), all.end(), std::not_fn(is_on_tail));
}

void add_draw(SearchRequest& request, const std::string& parameter, const std::string& distribution,
              std::string_view complaint) {
  request.draws.push_back({parameter, distribution, distribution_of(distribution, complaint)});
}

SearchRequest default_search_request(const ModelDescription& model) {
  return {&model,
          model.default_values(),
          {},
          {},
          "automatic",
          {},
          GradientKind::pathwise,
          default_budget,
          default_final_replications(default_budget),
          1,
          default_confidence,
          std::numeric_limits<double>::infinity(),
          1};
}

SearchRequest search_request(const ModelDescription& model, const OptionTable& options) {
  SearchRequest request = default_search_request(model);
  request.objective = objective_of(options);
  request.solver = options.text("solver").value_or(request.solver);
  request.gradient = options.choice("gradient", request.gradient);
  set_single_values(model, options, request.values);
  if (options.list("over").empty())
    throw std::invalid_argument("no decision variable is given, expected --over NAME=LOW:HIGH");
  for (const std::string& text : options.list("over")) add_decisions(request, text);
  check_gradient(request);
  for (const Decision& decision : request.decisions) check_ends(request, decision);
  for (const std::string& text : options.list("subject-to")) add_constraint(request, text);
  for (const std::string& text : options.list("draw")) add_drawn_decision(request, text);
  check_tails(request, options);
  if (options.has("feasible-with")) request.feasible_with = feasible_with(request, options);
  request.budget = options.whole("replications", default_budget, 1);
  request.final_replications = options.whole("final-replications", default_final_replications(request.budget), 2);
  if (options.has("gap-batches")) request.gap_batches = options.whole("gap-batches", 0, 0);
  if (request.gap_batches == 1) throw std::invalid_argument("--gap-batches is 1, expected 0 or at least 2");
  request.settings = {options.whole("sample-size", 0, 1), options.has("step") ? options.positive("step", 0) : 0,
                      options.has("starts") ? options.whole("starts", 1, 1) : 0};
  request.seed = options.seed("seed", 1);
  request.confidence = options.positive("confidence", default_confidence);
  if (request.confidence >= 1)
    throw std::invalid_argument("--confidence is " + *options.text("confidence") +
                                ", expected a number between 0 and 1");
  request.time_limit = time_limit_of(options);
  request.runs = options.whole("macro-replications", 1, 1, max_runs);
  if (request.settings.starts > 1 && has_measure(request, TailMeasure::cvar))
    throw std::invalid_argument(
        fmt::format("--starts is {}, expected 1 with a CVaR in --subject-to", request.settings.starts));
  const std::size_t decided = request.decisions.size();
  if (decided > 2 && !options.list("surface").empty())
    throw std::invalid_argument(fmt::format("--surface is given with {} decisions, expected one or two", decided));
  return request;
}

ParameterValues values_at(const SearchRequest& request, std::span<const double> x) {
  ParameterValues values = request.values;
  for (std::size_t i = 0; i < request.decisions.size(); ++i) {
    const std::size_t place = *request.model->find_parameter(request.decisions[i].parameter);
    if (request.model->parameters[place].is_whole()) {
      values[place] = static_cast<std::int64_t>(x[i]);
    } else {
      values[place] = x[i];
    }
  }
  return values;
}

std::vector<double> start_of(const SearchRequest& request) {
  std::vector<double> start;
  for (const Decision& decision : request.decisions) {
    const ParameterValue& value = request.values[*request.model->find_parameter(decision.parameter)];
    start.push_back(std::clamp(number_of(value), decision.low, decision.high));
  }
  return start;
}

std::string decisions_text(const SearchRequest& request, std::span<const double> x) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < request.decisions.size(); ++i)
    parts.push_back(fmt::format("{} = {:.6g}", request.decisions[i].parameter, x[i]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void make_start_valid(SearchRequest& request) {
  const auto fault_at = [&](std::span<const double> x) -> std::optional<std::string> {
    try {
      request.model->check(values_at(request, x));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return std::nullopt;
  };
  const std::vector<double> start = start_of(request);
  const auto fault = fault_at(start);
  if (!fault) return;
  // Tries points of a Kronecker sequence: coordinate i of point k is the fractional part of k times an irrational
  // number.
  constexpr int most = 256;
  std::vector<double> x(start.size());
  for (int k = 1; k <= most; ++k) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto& [parameter, low, end] = request.decisions[i];
      const double high = std::isfinite(end) ? end : std::max({1.0, 2 * start[i], 2 * low});
      const double turns = k / std::pow(1.32471795724474602596, static_cast<double>(i + 1));
      x[i] = low + (turns - std::floor(turns)) * (high - low);
      if (request.model->parameters[*request.model->find_parameter(parameter)].is_whole()) x[i] = std::round(x[i]);
    }
    if (fault_at(x)) continue;
    request.start_note = fmt::format("The start {} is infeasible: {}.", decisions_text(request, start), *fault);
    request.values = values_at(request, x);
    return;
  }
  throw std::invalid_argument(*fault);
}

}  // namespace sporos::runtime
