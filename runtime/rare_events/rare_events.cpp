// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/rare_events/rare_events.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/expression.hpp>
#include <sporos/runtime/simulation/response_probabilities.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/procedures/rare_events/adaptive_levels.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::int64_t default_chain_steps = 1'000'000'000;

// Names that an event can refer to: the responses, followed by the level of the chain.
std::vector<std::string> names_in(const ModelDescription& model, const ParameterValues& values) {
  std::vector<std::string> names = model.response_names(values);
  if (!model.chain_level.empty()) names.push_back(model.chain_level);
  return names;
}

void set_event(RareEventRequest& request, const OptionTable& options) {
  const ModelDescription& model = *request.model;
  const auto names = names_in(model, request.values);
  const auto comparison =
      comparison_of_names("--event", request.event, "a response or a level", names, model, {request.values});
  const bool is_of_chain = names[comparison.response] == model.chain_level;
  if (!is_of_chain) request.response = static_cast<int>(comparison.response);
  request.tail = comparison.is_upper ? Tail::lower : Tail::upper;
  request.threshold = comparison.bounds.front();
  if (comparison.is_strict) {
    const double beyond = (comparison.is_upper ? -1 : 1) * std::numeric_limits<double>::infinity();
    request.threshold = std::nextafter(request.threshold, beyond);
  }
  request.method = options.choice("method", is_of_chain ? RareMethod::splitting : RareMethod::importance);
  if (is_of_chain && comparison.is_upper) {
    throw std::invalid_argument(fmt::format("--event is {}, expected {} >= BOUND: the chain ends at low levels",
                                            io::in_quotes(request.event), model.chain_level));
  }
  if (!is_of_chain && request.method != RareMethod::importance) {
    const std::string chain =
        model.chain_level.empty() ? "" : fmt::format(", or an event of the {}", io::in_quotes(model.chain_level));
    throw std::invalid_argument(fmt::format("--method is {} for a response of a replication, expected importance{}",
                                            name_of(request.method), chain));
  }
}

void set_numbers(RareEventRequest& request, const OptionTable& options) {
  const bool is_sampled = request.method == RareMethod::importance;
  for (const char* name : {"replications", "pilot-replications"}) {
    options.refuse_unless(is_sampled || !options.has(name), name, "--method importance");
  }
  for (const char* name : {"chains", "runs"}) {
    options.refuse_unless(!is_sampled || !options.has(name), name, "--method splitting or adaptive");
  }
  options.refuse_unless(!request.response || !options.has("chain-steps"), "chain-steps", "an event of a chain");
  constexpr std::int64_t most = 1'000'000'000;
  ImportanceOptions& sampled = request.importance;
  sampled.replications = options.whole("replications", sampled.replications, 2, most);
  sampled.pilot_replications = options.whole("pilot-replications", sampled.pilot_replications, 2, most);
  sampled.confidence = options.positive("confidence", Plan().confidence);
  sampled.seed = options.seed("seed", sampled.seed);
  sampled.max_chain_steps = options.whole("chain-steps", default_chain_steps, 1);
  SplittingOptions& split = request.splitting;
  split.chains = options.whole("chains", split.chains, 2, most);
  split.runs = options.whole("runs", split.runs, 2, most);
  if (request.method == RareMethod::adaptive) split.share = default_kept_share;
  split.confidence = sampled.confidence;
  split.seed = sampled.seed;
  split.max_steps = sampled.max_chain_steps;
  check(sampled);
  check(split);
}

// Returns help such as "'RESPONSE > BOUND' (or <, >=, <=) in a replication, where RESPONSE is profit, or 'number in
// system >= BOUND' in a busy cycle".
std::string event_help(const ModelDescription& model) {
  constexpr std::size_t max_names = 8;
  std::string text = "'RESPONSE > BOUND' (or <, >=, <=) in a replication";
  const auto names = model.response_names(model.default_values());
  if (names.size() <= max_names) text += fmt::format(", where RESPONSE is {}", fmt::join(names, ", "));
  if (model.chain_level.empty()) return text;
  return text + fmt::format(", or '{} >= BOUND' in {}", model.chain_level, model.chain_cycle);
}

std::vector<OptionEntry> rare_event_entries(const ModelDescription& model) {
  const std::string group = "Rare event";
  const ImportanceOptions sampled;
  const SplittingOptions split;
  return {{group, "event", "TEXT", event_help(model)},
          {group, "method", "NAME",
           fmt::format("{}; 95 % intervals cover in 93 to 95 %, those of importance in fewer if the event has several "
                       "causes; default: importance for a response, splitting for a chain",
                       names_of<RareMethod>())},
          {group, "replications", "N",
           fmt::format("importance: replications of the estimate; default: {}", sampled.replications)},
          {group, "pilot-replications", "N",
           fmt::format("importance: replications of each cross-entropy step; default: {}", sampled.pilot_replications)},
          {group, "runs", "R", fmt::format("splitting, adaptive: independent runs; default: {}", split.runs)},
          {group, "chains", "N", fmt::format("splitting, adaptive: chains of a run; default: {}", split.chains)},
          {group, "chain-steps", "N",
           fmt::format("maximum number of steps of a chain; a longer chain is an error; default: {}",
                       default_chain_steps)}};
}

Usage rare_event_usage(const ModelDescription& model) {
  const bool is_chain = !model.chain_level.empty();
  const std::string event = is_chain ? model.chain_level : model.response_names(model.default_values()).front();
  return one_point_usage(rare_event_question, model, entries_of({rare_event_entries(model), estimate_entries()}),
                         fmt::format(" --event '{} >= {}'", event, is_chain ? 20 : 100));
}

const ImportanceResult* importance_of(const RareEventReport& report) {
  return std::get_if<ImportanceResult>(&report.result);
}

const SplittingResult* splitting_of(const RareEventReport& report) {
  return std::get_if<SplittingResult>(&report.result);
}

double half_width_of(const RareEventResult& result) {
  return std::visit([](const auto& found) { return found.half_width; }, result);
}

double at_most_of(const RareEventResult& result) {
  return std::visit([](const auto& found) { return found.at_most; }, result);
}

// Text for the lead: the cycle in which the event occurs, the method and the seed.
std::string method_text(const RareEventRequest& request) {
  const std::string where = request.response ? "a replication" : request.model->chain_cycle;
  const std::string how = request.method == RareMethod::importance
                              ? fmt::format("importance sampling, {} after cross-entropy steps of {}",
                                            plural(request.importance.replications, "replication", "replications"),
                                            request.importance.pilot_replications)
                              : fmt::format("{} of {} with {} splitting", plural(request.splitting.runs, "run", "runs"),
                                            plural(request.splitting.chains, "chain", "chains"),
                                            request.method == RareMethod::adaptive ? "adaptive" : "fixed-effort");
  return fmt::format("in {}, by {}, seed {}", where, how, request.seed());
}

// Reason for the end of a run that was not ended early.
std::string_view goal_of(const RareEventRequest& request) {
  return request.method == RareMethod::importance ? "replications" : "runs";
}

std::vector<ResultFact> settings_of(const RareEventRequest& request) {
  std::vector<ResultFact> settings{{"event", "event", request.event},
                                   {"method", "method", std::string(name_of(request.method))}};
  if (request.method == RareMethod::importance) {
    settings.push_back({"replications", "replications", request.importance.replications, ValueKind::count});
    settings.push_back({"pilot_replications", "replications of a cross-entropy step",
                        request.importance.pilot_replications, ValueKind::count});
  } else {
    settings.push_back({"runs", "runs", request.splitting.runs, ValueKind::count});
    settings.push_back({"chains", "chains of a run", request.splitting.chains, ValueKind::count});
  }
  settings.push_back({"confidence", "confidence", request.confidence(), ValueKind::percentage});
  settings.push_back({"seed", "seed", request.seed(), ValueKind::count});
  return settings;
}

std::vector<ResultFact> findings_of(const ImportanceResult& found) {
  const auto of_hits = [&](double value) { return found.hits > 0 ? ResultValue(value) : ResultValue(); };
  return {{"replications", "replications", found.estimate_replications, ValueKind::count},
          {"hits", "replications with the event (hits)", found.hits, ValueKind::count},
          {"effective_hits", "effective number of hits", of_hits(found.effective_hits), ValueKind::number},
          {"variance_ratio", "variance reduction factor", of_hits(found.variance_ratio), ValueKind::number},
          {"largest_share", "share of the largest likelihood ratio in the estimate", of_hits(found.largest_share),
           ValueKind::percentage},
          {"tail_shape", "tail shape of the likelihood ratios", of_hits(found.tail_shape), ValueKind::number},
          {"replications_of_all_steps", "replications, cross-entropy included", found.replications, ValueKind::count}};
}

std::vector<ResultFact> findings_of(const SplittingResult& found) {
  return {{"runs", "runs", static_cast<std::int64_t>(found.estimates.size()), ValueKind::count},
          {"steps", "steps of all chains", found.steps, ValueKind::count}};
}

// Estimate that all methods provide.
struct RareEstimate {
  double probability;           // estimated probability; 0 if the event was not seen
  double low, high;             // ends of its interval; 0 and an upper bound if the event was not seen
  std::optional<double> exact;  // exact probability, if it is known from theory
};

RareEstimate estimate_of(const RareEventReport& report) {
  const RareEventResult& result = report.result;
  const double probability = std::visit([](const auto& found) { return found.probability; }, result);
  const double width = half_width_of(result);
  if (probability == 0) return {0, 0, std::min(1.0, at_most_of(result)), report.exact};
  return {probability, std::max(0.0, probability - width), std::min(1.0, probability + width), report.exact};
}

// Returns a warning if a few likelihood ratios or runs dominate the estimate; otherwise empty.
std::string warning_of(const RareEventReport& report) {
  if (estimate_of(report).probability == 0) return "";  // missed_goal reports this
  if (const auto* found = importance_of(report)) {
    const double sign = report.request.tail == Tail::upper ? 1 : -1;
    ImportanceResult same = *found;
    for (double& level : same.levels) level *= sign;
    return importance_warning(same, sign * report.request.threshold);
  }
  const auto& estimates = splitting_of(report)->estimates;
  double sum = 0, largest = 0;
  for (const double estimate : estimates) sum += estimate, largest = std::max(largest, estimate);
  if (estimates.size() < 5 || !(largest > 0.5 * sum)) return "";
  return fmt::format(
      "one of {} runs contributes {:.3g} of the sum of all estimates, and the interval may be too narrow: give "
      "more chains",
      estimates.size(), largest / sum);
}

ResultTable probabilities_table(const RareEventReport& report) {
  const auto& [probability, low, high, exact] = estimate_of(report);
  const double half_width = half_width_of(report.result);
  return {"probabilities",
          "Probability",
          {{"event", "event", ValueKind::text},
           data_column("method", "method", ValueKind::text),
           {"probability", "probability"},
           {"low", interval_title(report.request.confidence())},
           {"high", "to"},
           data_column("half_width", "half-width"),
           {"exact", "exact"}},
          {{report.request.event, std::string(name_of(report.request.method)), probability, low, high, half_width,
            value_of(exact)}}};
}

// Intermediate levels. Splitting also has the share of chains that reached each level, and the estimated probability of
// reaching it.
ResultTable levels_table(const RareEventReport& report) {
  ResultTable table{"levels",
                    "Intermediate levels",
                    {{"level", "level"},
                     {"share", "share of chains", ValueKind::percentage},
                     {"probability", "probability of reaching the level"}},
                    {}};
  if (const auto* sampled = importance_of(report)) {
    for (const double level : sampled->levels) table.rows.push_back({level, ResultValue(), ResultValue()});
    return table;
  }
  const SplittingResult& found = *splitting_of(report);
  double probability = 1;
  for (std::size_t i = 0; i < found.levels.size(); ++i) {
    const bool is_known = i < found.shares.size();
    if (is_known) probability *= found.shares[i];
    table.rows.push_back({found.levels[i], is_known ? ResultValue(found.shares[i]) : ResultValue(),
                          is_known ? ResultValue(probability) : ResultValue()});
  }
  if (estimate_of(report).probability > 0) {
    table.pictures.push_back(
        {"Probability of reaching each level", PictureKind::curve, "level", "probability", "", "", {}, true});
  }
  return table;
}

// History of the estimate over replications.
ResultTable steps_table(const ImportanceResult& found, const std::string& title) {
  ResultTable table{"steps",
                    "How the interval narrowed",
                    {{"replications", "replications", ValueKind::count},
                     {"probability", "probability"},
                     {"low", "from"},
                     {"high", "to"}},
                    {},
                    Shown::as_data};
  for (const auto& [replications, value, low, high] : found.steps)
    table.rows.push_back({replications, value, low, high});
  if (found.probability > 0) {
    table.pictures.push_back({title, PictureKind::convergence, "replications", "probability", "low", "high"});
  }
  return table;
}

// Tilts of the `input_count` variables, with a row for each piece. Models of Python functions use only some of theirs.
ResultTable tilts_table(const ImportanceResult& found, std::int64_t input_count) {
  ResultTable table{"tilts",
                    "Tilts",
                    {{"variable", "variable", ValueKind::count},
                     {"exponential_mean", "mean of the exponential form"},
                     {"normal_shift", "shift of the normal form"},
                     {"piece_end", "end of a piece"},
                     {"piece_share", "its share", ValueKind::percentage}},
                    {},
                    Shown::as_data};
  std::int64_t variable = 0;
  for (const Tilt& tilt : found.tilts) {
    if (++variable > input_count) break;
    for (std::size_t piece = 0; piece < tilt.ends.size(); ++piece) {
      table.rows.push_back({variable, tilt.exponential_mean, tilt.normal_shift, tilt.ends[piece], tilt.shares[piece]});
    }
  }
  return table;
}

ResultTable runs_table(const SplittingResult& found, const std::string& title) {
  ResultTable table{"runs", "Runs", {{"estimate", "estimate"}}, {}, Shown::as_data};
  for (const double estimate : found.estimates) table.rows.push_back({estimate});
  if (found.probability > 0) table.pictures.push_back({title, PictureKind::runs, "runs", "estimate"});
  return table;
}

}  // namespace

const Question rare_event_question{"rare-event", "Estimates the probability of a rare event.", rare_event_usage,
                                   is_offered_always};

RareEventRequest rare_event_request(const ModelOptions& options) {
  if (!options.table.has("event")) {
    throw std::invalid_argument("--event is not given: expected an event such as 'RESPONSE > BOUND'");
  }
  RareEventRequest request;
  request.set_point(options);
  request.event = *options.table.text("event");
  set_event(request, options.table);
  set_numbers(request, options.table);
  const bool is_sampled = request.method == RareMethod::importance;
  check_table(options.table, is_sampled ? std::vector<std::string>{"probabilities", "steps", "levels", "tilts"}
                                        : std::vector<std::string>{"probabilities", "runs", "levels"});
  return request;
}

std::optional<double> exact_mean(const RareEventRequest& request) {
  return request.response ? std::nullopt : request.model->exact_reach(request.values, request.threshold);
}

std::string done_text(const RareEventReport& report) {
  const RareEventRequest& request = report.request;
  if (const auto* found = importance_of(report)) {
    return fmt::format("{} of {} replications", found->estimate_replications, request.importance.replications);
  }
  return fmt::format("{} of {} runs", splitting_of(report)->estimates.size(), request.splitting.runs);
}

bool is_ended_early(const RareEventReport& report) {
  if (const auto* found = importance_of(report)) {
    return found->estimate_replications < report.request.importance.replications;
  }
  return static_cast<std::int64_t>(splitting_of(report)->estimates.size()) < report.request.splitting.runs;
}

std::string_view min_work(const RareEventRequest& request) {
  return request.method == RareMethod::importance ? "cross-entropy and 2 replications of the estimate were done"
                                                  : "2 runs were done";
}

std::string missed_goal(const RareEventReport& report) {
  const RareEstimate found = estimate_of(report);
  if (found.probability > 0) return "";
  return fmt::format("the event was not seen: with {:.6g} % confidence its probability is at most {:.3g}; give more {}",
                     100 * report.request.confidence(), found.high,
                     report.request.method == RareMethod::importance ? "replications" : "chains");
}

ResultDocument document_of(const RareEventReport& report) {
  const RareEventRequest& request = report.request;
  const std::string title = "The probability of " + request.event;
  ResultDocument document{.question = "rare-event",
                          .subject = subject_of(*request.model, request.values),
                          .lead = fmt::format("{} {}", title, method_text(request)),
                          .settings = settings_of(request),
                          .tables = {probabilities_table(report)},
                          .stopped_by = end_of_run(report.ended_by, goal_of(request)),
                          .early_end = early_end_line(report.ended_by, done_text(report)),
                          .confidence = request.confidence(),
                          .seconds = report.seconds,
                          .machine = report.machine};
  if (const auto* sampled = importance_of(report)) {
    document.findings = findings_of(*sampled);
    document.tables.push_back(steps_table(*sampled, title));
    document.tables.push_back(levels_table(report));
    document.tables.push_back(tilts_table(*sampled, request.model->input_count));
  } else {
    document.findings = findings_of(*splitting_of(report));
    document.tables.push_back(runs_table(*splitting_of(report), title));
    document.tables.push_back(levels_table(report));
  }
  for (std::string note : {missed_goal(report), warning_of(report)}) {
    if (!note.empty()) document.notes.push_back(std::move(note));
  }
  return document;
}

}  // namespace sporos::runtime
