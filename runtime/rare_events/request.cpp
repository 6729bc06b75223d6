// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/rare_events/request.hpp>

#include <sporos/runtime/simulation/expression.hpp>
#include <sporos/runtime/simulation/question.hpp>
#include <sporos/runtime/simulation/response_comparison.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/procedures/rare_events/adaptive_levels.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

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

}  // namespace

const Question rare_event_question{"rare-event", "Estimates the probability of a rare event.", rare_event_usage,
                                   is_offered_always};

RareEventRequest rare_event_request(const ModelOptions& options) {
  if (!options.table.has("event")) {
    throw std::invalid_argument("--event is not given: expected an event such as 'RESPONSE > BOUND'");
  }
  // Members are assigned one by one: g++ 12 destroys a base twice if a later initializer of an aggregate throws.
  RareEventRequest request;
  request.model = options.model;
  request.values = only_point(options);
  request.event = *options.table.text("event");
  request.time_limit = time_limit_of(options.table);
  set_event(request, options.table);
  set_numbers(request, options.table);
  return request;
}

}  // namespace sporos::runtime
