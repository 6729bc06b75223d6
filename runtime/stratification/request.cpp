// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/stratification/request.hpp>

#include <sporos/runtime/simulation/expression.hpp>
#include <sporos/runtime/simulation/one_point_question.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/plan.hpp>

#include <array>
#include <stdexcept>

namespace sporos::runtime {

namespace {

constexpr const char* group = "Strata";

// Those that go with --stratify beside the model's parameters and their own.
constexpr std::array shared_options{"replications", "seed",   "confidence", "time-limit", "threads",
                                    "device",       "format", "output",     "report",     "no-progress"};

void check_model(const ModelDescription& model) {
  if (model.has_strata) return;
  throw std::invalid_argument(
      fmt::format("--stratify is given with {}, whose responses depend on a file: expected another model", model.name));
}

std::string known_inputs(const ModelDescription& model) {
  std::string text = model.input_count == 1 ? "1" : fmt::format("a number from 1 to {}", model.input_count);
  if (!model.control_names.empty()) text += fmt::format(", or {}", fmt::join(model.control_names, ", "));
  return text;
}

// INPUT:STRATA.
void set_strata(StratifiedRequest& request, const std::string& text) {
  const ModelDescription& model = *request.model;
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) {
    throw std::invalid_argument(
        fmt::format("--stratify is {}, expected INPUT:STRATA, an input variable and a number of strata, such as '1:16'",
                    io::in_quotes(text)));
  }
  const std::string input = text.substr(0, colon);
  const std::string what = fmt::format("--stratify {}: number of strata", io::in_quotes(text));
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
  throw std::invalid_argument(fmt::format("--stratify is {}, whose input {} is not known, expected {}",
                                          io::in_quotes(text), io::in_quotes(input), known_inputs(model)));
}

void set_response(StratifiedRequest& request, const std::string& name) {
  const std::size_t response = response_named(name, *request.model, request.values, "neyman");
  for (const RatioOfMeans& ratio : request.model->ratios(request.values)) {
    if (static_cast<std::size_t>(ratio.response) != response) continue;
    throw std::invalid_argument(
        fmt::format("--neyman is {}, a ratio of means, which strata do not estimate: expected another response",
                    io::in_quotes(name)));
  }
  request.options.shared_for = response;
}

}  // namespace

std::vector<OptionEntry> stratification_entries() {
  const StratifiedOptions usual;
  return {
      {group, "stratify", "TEXT",
       "'INPUT:STRATA': the means from so many equally likely strata of the first draw of that input variable, which "
       "is named as a control variate or by its number from 1"},
      {group, "neyman", "RESPONSE",
       "give each stratum replications in proportion to the deviation of that response there; default: all have as "
       "many"},
      {group, "stratum-pilots", "N",
       fmt::format("with --neyman, replications of each stratum that estimate the deviation and are not counted; "
                   "default: {}",
                   usual.pilot_replications)}};
}

void refuse_without_stratification(const OptionTable& options) {
  for (const OptionEntry& entry : options.entries()) {
    if (entry.group == group) options.refuse_unless(!options.given(entry), entry.name, "--stratify");
  }
}

StratifiedRequest stratified_request(const SimulateOptions& options) {
  const OptionTable& table = options.table;
  check_model(*options.model);
  refuse_others(options, "stratify", group, shared_options);
  StratifiedRequest request{options.model, only_point(options, "stratify"), "", {}, time_limit_of(table)};
  set_strata(request, *table.text("stratify"));
  if (table.has("neyman")) set_response(request, *table.text("neyman"));
  table.refuse_unless(table.has("neyman") || !table.has("stratum-pilots"), "stratum-pilots", "--neyman");
  StratifiedOptions& wanted = request.options;
  wanted.replications = table.whole("replications", wanted.replications, 1);
  if (wanted.replications < 2 * wanted.strata) {
    throw std::invalid_argument(fmt::format("--replications is {}, expected at least {}: two in each of {} strata",
                                            wanted.replications, 2 * wanted.strata, wanted.strata));
  }
  wanted.pilot_replications = table.whole("stratum-pilots", wanted.pilot_replications, 2, 1'000'000'000);
  wanted.confidence = table.positive("confidence", Plan().confidence);
  wanted.seed = table.seed("seed", wanted.seed);
  check(wanted, request.model->input_count, request.model->response_names(request.values).size());
  return request;
}

}  // namespace sporos::runtime
