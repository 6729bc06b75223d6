// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/array_rqmc/array_rqmc.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/results/output.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/plan.hpp>

#include <bit>
#include <stdexcept>
#include <vector>

namespace sporos::runtime {

namespace {

std::vector<OptionEntry> array_rqmc_entries() {
  const std::string group = "Arrays of chains";
  const ArrayRqmcOptions defaults;
  return {
      {group, "chain-steps", "N", "steps of each chain, after which its response is observed"},
      {group, "chains", "N", fmt::format("number of chains in an array, a power of two; default: {}", defaults.chains)},
      {group, "randomizations", "N",
       fmt::format("number of independent arrays, for the confidence interval; default: {}", defaults.randomizations)}};
}

Usage array_rqmc_usage(const ModelDescription& model) {
  return one_point_usage(array_rqmc_question, model, entries_of({array_rqmc_entries(), estimate_entries()}),
                         " --chain-steps 20");
}

std::string reason_without_arrays(const ModelDescription& model) {
  return model.array_response.empty() ? "has no chain for array-RQMC" : "";
}

std::string lead_of(const ArrayRqmcReport& report) {
  const ArrayRqmcRequest& request = report.request;
  return fmt::format("{} after {}, by array-RQMC: {} of {}, seed {}", request.model->array_response,
                     plural(request.options.steps, request.model->array_step, request.model->array_step + "s"),
                     plural(request.options.randomizations, "randomization", "randomizations"),
                     plural(request.options.chains, "chain", "chains"), request.options.seed);
}

}  // namespace

const Question array_rqmc_question{
    "array-rqmc", "Estimates the mean response of a model's chain after a number of steps by array-RQMC.",
    array_rqmc_usage, reason_without_arrays};

ArrayRqmcRequest array_rqmc_request(const ModelOptions& options) {
  check_table(options.table, {"means", "randomizations"});
  const OptionTable& table = options.table;
  ArrayRqmcRequest request;
  request.set_point(options);
  ArrayRqmcOptions& wanted = request.options;
  if (!table.has("chain-steps")) throw std::invalid_argument("--chain-steps is not given: expected a whole number");
  wanted.steps = table.whole("chain-steps", wanted.steps, 1, 1'000'000'000);
  wanted.chains = table.whole("chains", wanted.chains, 2, 1 << 30);
  if (!std::has_single_bit(static_cast<std::uint64_t>(wanted.chains))) {
    throw std::invalid_argument(fmt::format("--chains is {}, expected a power of two, such as {}", wanted.chains,
                                            std::bit_ceil(static_cast<std::uint64_t>(wanted.chains))));
  }
  wanted.randomizations = table.whole("randomizations", wanted.randomizations, 2, 1'000'000);
  wanted.confidence = table.positive("confidence", Plan().confidence);
  wanted.seed = table.seed("seed", wanted.seed);
  check(wanted);
  return request;
}

std::optional<double> exact_mean(const ArrayRqmcRequest& request) {
  return request.model->exact_after(request.values, request.options.steps);
}

std::string done_text(const ArrayRqmcReport& report) {
  return fmt::format("{} of {} randomizations", report.result.estimates.size(), report.request.options.randomizations);
}

bool is_ended_early(const ArrayRqmcReport& report) {
  return static_cast<std::int64_t>(report.result.estimates.size()) < report.request.options.randomizations;
}

std::string_view min_work(const ArrayRqmcRequest&) { return "2 randomizations were done"; }

ResultDocument document_of(const ArrayRqmcReport& report) {
  const auto& [request, result, seconds, machine, exact, ended_by] = report;
  const ArrayRqmcOptions& options = request.options;
  ResultTable means{
      "means",
      "Mean",
      {{"response", "response", ValueKind::text},
       {"mean", "mean", ValueKind::number, "half_width"},
       {"half_width", half_width_title(options.confidence), ValueKind::number, "half_width"},
       {"variance", "variance of a randomization"},
       {"exact", "exact", ValueKind::number, "half_width"}},
      {{request.model->array_response, result.mean, result.half_width, result.variance, value_of(exact)}}};
  ResultTable estimates{"randomizations",
                        "Randomizations",
                        {{"estimate", "estimate"}},
                        {},
                        Shown::as_data,
                        {{request.model->array_response, PictureKind::runs, "randomizations", "estimate"}}};
  for (const double estimate : result.estimates) estimates.rows.push_back({estimate});
  return {.question = "array-rqmc",
          .subject = subject_of(*request.model, request.values),
          .lead = lead_of(report),
          .settings = {{"response", "response", request.model->array_response},
                       {"steps", "steps", options.steps, ValueKind::count},
                       {"chains", "chains", options.chains, ValueKind::count},
                       {"randomizations", "randomizations", options.randomizations, ValueKind::count},
                       {"confidence", "confidence", options.confidence, ValueKind::percentage},
                       {"seed", "seed", options.seed, ValueKind::count}},
          .tables = {std::move(means), std::move(estimates)},
          .findings = {{"randomizations", "randomizations done", static_cast<std::int64_t>(result.estimates.size()),
                        ValueKind::count}},
          .stopped_by = end_of_run(ended_by, "randomizations"),
          .early_end = early_end_line(ended_by, done_text(report)),
          .confidence = options.confidence,
          .seconds = seconds,
          .machine = machine};
}

}  // namespace sporos::runtime
