// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/stratification/request.hpp>

#include <sporos/runtime/simulation/expression.hpp>
#include <sporos/runtime/simulation/question.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/plan.hpp>

#include <stdexcept>

namespace sporos::runtime {

namespace {

std::string known_inputs(const ModelDescription& model) {
  std::string text = model.input_count == 1 ? "1" : fmt::format("a number from 1 to {}", model.input_count);
  if (!model.control_names.empty()) text += fmt::format(", or {}", fmt::join(model.control_names, ", "));
  return text;
}

// Parses INPUT:COUNT.
void set_strata(StratifiedRequest& request, const std::string& text) {
  const ModelDescription& model = *request.model;
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) {
    throw std::invalid_argument(
        fmt::format("--strata is {}, expected INPUT:COUNT, an input variable and a number of strata, such as '1:16'",
                    io::in_quotes(text)));
  }
  const std::string input = text.substr(0, colon);
  const std::string what = fmt::format("--strata {}: number of strata", io::in_quotes(text));
  request.options.strata = io::parse_number<std::int64_t>(what, text.substr(colon + 1), 2, std::int64_t{1} << 20);
  for (int i = 0; i < model.input_count; ++i) {
    const bool has_name = static_cast<std::size_t>(i) < model.control_names.size();
    const std::string number = std::to_string(i + 1);
    const std::string& name = has_name ? model.control_names[static_cast<std::size_t>(i)] : number;
    if (input != number && !is_same_name(name, input)) continue;
    request.options.input = i;
    request.input = has_name ? name : fmt::format("input {}", number);
    return;
  }
  throw std::invalid_argument(fmt::format("--strata is {}, whose input {} is not known, expected {}",
                                          io::in_quotes(text), io::in_quotes(input), known_inputs(model)));
}

void set_response(StratifiedRequest& request, const std::string& name) {
  const std::size_t response = response_named(name, *request.model, request.values, "neyman");
  for (const RatioOfMeans& ratio : request.model->ratios(request.values)) {
    if (static_cast<std::size_t>(ratio.response) != response) continue;
    throw std::invalid_argument(fmt::format(
        "--neyman is {}, a ratio of means, which stratification does not estimate: expected another response",
        io::in_quotes(name)));
  }
  request.options.shared_for = response;
}

std::vector<OptionEntry> stratification_entries() {
  const std::string group = "Strata";
  const StratifiedOptions defaults;
  return {{group, "strata", "INPUT:COUNT",
           "COUNT equally likely strata of the first draw of INPUT, an input variable that is given by its name as a "
           "control variate or by its number from 1"},
          {group, "replications", "N",
           fmt::format("replications of all strata together; default: {}", defaults.replications)},
          {group, "neyman", "RESPONSE",
           "allocate replications in proportion to the deviation of that response in each stratum; default: the same "
           "number for all"},
          {group, "pilot-replications", "N",
           fmt::format("with --neyman: replications of each stratum that estimate the deviation and are not counted; "
                       "default: {}",
                       defaults.pilot_replications)}};
}

Usage stratify_usage(const ModelDescription& model) {
  return one_point_usage(stratify_question, model, entries_of({stratification_entries(), estimate_entries()}),
                         " --strata 1:16");
}

std::string reason_without_strata(const ModelDescription& model) {
  return model.has_strata ? "" : "has a number of responses that depends on a file";
}

}  // namespace

const Question stratify_question{"stratify", "Estimates means from equally likely strata of an input variable.",
                                 stratify_usage, reason_without_strata};

StratifiedRequest stratified_request(const ModelOptions& options) {
  const OptionTable& table = options.table;
  // Members are assigned one by one: g++ 12 destroys a base twice if a later initializer of an aggregate throws.
  StratifiedRequest request;
  request.model = options.model;
  request.values = only_point(options);
  request.time_limit = time_limit_of(table);
  if (!table.has("strata")) throw std::invalid_argument("--strata is not given: expected INPUT:COUNT, such as '1:16'");
  set_strata(request, *table.text("strata"));
  if (table.has("neyman")) set_response(request, *table.text("neyman"));
  table.refuse_unless(table.has("neyman") || !table.has("pilot-replications"), "pilot-replications", "--neyman");
  StratifiedOptions& wanted = request.options;
  wanted.replications = table.whole("replications", wanted.replications, 1);
  if (wanted.replications < 2 * wanted.strata) {
    throw std::invalid_argument(fmt::format("--replications is {}, expected at least {}: two in each of {} strata",
                                            wanted.replications, 2 * wanted.strata, wanted.strata));
  }
  wanted.pilot_replications = table.whole("pilot-replications", wanted.pilot_replications, 2, 1'000'000'000);
  wanted.confidence = table.positive("confidence", Plan().confidence);
  wanted.seed = table.seed("seed", wanted.seed);
  check(wanted, request.model->input_count, request.model->response_names(request.values).size());
  return request;
}

}  // namespace sporos::runtime
