// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/rare_events/request.hpp>

#include <sporos/runtime/simulation/expression.hpp>
#include <sporos/runtime/simulation/one_point_question.hpp>
#include <sporos/runtime/simulation/response_comparison.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/procedures/rare_events/adaptive_levels.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace sporos::runtime {

namespace {

constexpr const char* group = "Rare events";
constexpr std::int64_t usual_chain_steps = 1'000'000'000;

// Those that go with --rare-event beside the model's parameters and their own.
constexpr std::array shared_options{"replications", "seed",   "confidence", "time-limit", "threads",
                                    "device",       "format", "output",     "report",     "no-progress"};

// What can be rare: the responses, and behind them the level of the chain.
std::vector<std::string> names_in(const ModelDescription& model, const ParameterValues& values) {
  std::vector<std::string> names;
  if (model.has_rare_responses) names = model.response_names(values);
  if (!model.chain_level.empty()) names.push_back(model.chain_level);
  if (names.empty()) {
    throw std::invalid_argument(
        fmt::format("--rare-event is given with {}, whose data come from files: expected another model", model.name));
  }
  return names;
}

void set_event(RareEventRequest& request, const OptionTable& options) {
  const ModelDescription& model = *request.model;
  const auto names = names_in(model, request.values);
  const auto comparison =
      comparison_of_names("--rare-event", request.event, "a response or a level", names, model, {request.values});
  const bool is_of_chain = names[comparison.response] == model.chain_level;
  if (!is_of_chain) request.response = comparison.response;
  request.tail = comparison.is_upper ? Tail::lower : Tail::upper;
  request.threshold = comparison.bounds.front();
  if (comparison.is_strict) {
    const double beyond = (comparison.is_upper ? -1 : 1) * std::numeric_limits<double>::infinity();
    request.threshold = std::nextafter(request.threshold, beyond);
  }
  request.method = options.choice("rare-method", is_of_chain ? RareMethod::splitting : RareMethod::importance);
  if (is_of_chain && comparison.is_upper) {
    throw std::invalid_argument(
        fmt::format("--rare-event is {}, expected {} >= BOUND: the chain is over where it is low",
                    io::in_quotes(request.event), model.chain_level));
  }
  if (!is_of_chain && request.method != RareMethod::importance) {
    const std::string chain =
        model.chain_level.empty() ? "" : fmt::format(", or an event of the {}", io::in_quotes(model.chain_level));
    throw std::invalid_argument(fmt::format("--rare-method is {} for a response of replications, expected importance{}",
                                            name_of(request.method), chain));
  }
}

void set_numbers(RareEventRequest& request, const OptionTable& options) {
  const bool is_sampled = request.method == RareMethod::importance;
  for (const char* name : {"replications", "pilot-replications"}) {
    options.refuse_unless(is_sampled || !options.has(name), name, "--rare-method importance");
  }
  for (const char* name : {"chains", "splitting-runs"}) {
    options.refuse_unless(!is_sampled || !options.has(name), name, "--rare-method splitting or adaptive");
  }
  options.refuse_unless(!request.response || !options.has("chain-steps"), "chain-steps", "an event of a chain");
  constexpr std::int64_t most = 1'000'000'000;
  ImportanceOptions& sampled = request.importance;
  sampled.replications = options.whole("replications", sampled.replications, 2, most);
  sampled.pilot_replications = options.whole("pilot-replications", sampled.pilot_replications, 2, most);
  sampled.confidence = options.positive("confidence", Plan().confidence);
  sampled.seed = options.seed("seed", sampled.seed);
  sampled.most_chain_steps = options.whole("chain-steps", usual_chain_steps, 1);
  SplittingOptions& split = request.splitting;
  split.chains = options.whole("chains", split.chains, 2, most);
  split.runs = options.whole("splitting-runs", split.runs, 2, most);
  if (request.method == RareMethod::adaptive) split.share = usual_kept_share;
  split.confidence = sampled.confidence;
  split.seed = sampled.seed;
  split.most_steps = sampled.most_chain_steps;
  check(sampled);
  check(split);
}

}  // namespace

std::vector<OptionEntry> rare_event_entries() {
  const ImportanceOptions sampled;
  const SplittingOptions split;
  return {
      {group, "rare-event", "TEXT",
       "the probability of a rare event, 'RESPONSE > BOUND' (or <, >=, <=) or 'LEVEL >= BOUND' of the model's chain"},
      {group, "rare-method", "NAME",
       fmt::format(
           "of it: {}; default: importance for a response, splitting for a chain; intervals of 95 % cover in 93 "
           "to 95 %, those of importance in fewer where the event comes about in several ways",
           names_of<RareMethod>())},
      {group, "pilot-replications", "N",
       fmt::format("of importance, to find the change of measure, each step; --replications are those of the estimate; "
                   "default: {}",
                   sampled.pilot_replications)},
      {group, "splitting-runs", "R",
       fmt::format("of splitting and adaptive: independent runs; default: {}", split.runs)},
      {group, "chains", "N",
       fmt::format("of splitting and adaptive: of a run; default: {}; and of --array-rqmc", split.chains)},
      {group, "chain-steps", "N",
       fmt::format("of a chain: one that makes more is an error; default: {}", usual_chain_steps)}};
}

void refuse_without_rare_event(const OptionTable& options) {
  for (const OptionEntry& entry : options.entries()) {
    if (entry.group == group) options.refuse_unless(!options.given(entry), entry.name, "--rare-event");
  }
}

RareEventRequest rare_event_request(const SimulateOptions& options) {
  refuse_others(options, "rare-event", group, shared_options);
  RareEventRequest request{options.model, only_point(options, "rare-event"), *options.table.text("rare-event")};
  request.time_limit = time_limit_of(options.table);
  set_event(request, options.table);
  set_numbers(request, options.table);
  return request;
}

}  // namespace sporos::runtime
