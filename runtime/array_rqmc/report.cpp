// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/array_rqmc/report.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <vector>

namespace sporos::runtime {

namespace {

std::string lead_of(const ArrayRqmcReport& report) {
  const ArrayRqmcRequest& request = report.request;
  return fmt::format("{} after {}, by array-RQMC: {} of {}, seed {}", request.model->array_response,
                     plural(request.options.steps, request.model->array_step, request.model->array_step + "s"),
                     plural(request.options.randomizations, "randomization", "randomizations"),
                     plural(request.options.chains, "chain", "chains"), request.options.seed);
}

}  // namespace

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

std::string missed_goal(const ArrayRqmcReport&) { return ""; }

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
