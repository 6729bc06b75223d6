// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/array_rqmc/report.hpp>

#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/from_json.hpp>
#include <sporos/runtime/page/panels.hpp>
#include <sporos/runtime/simulation/document.hpp>
#include <sporos/runtime/simulation/one_point_question.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/version.hpp>

#include <vector>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;

std::string lead_of(const ArrayRqmcReport& report) {
  const ArrayRqmcRequest& request = report.request;
  return fmt::format("{} after {}, by array-RQMC: {} of {}, seed {}", request.model->array_response,
                     plural(request.options.steps, request.model->array_step, request.model->array_step + "s"),
                     plural(request.options.randomizations, "randomization", "randomizations"),
                     plural(request.options.chains, "chain", "chains"), request.options.seed);
}

}  // namespace

ArrayRqmcResult array_rqmc_result(const ArrayRqmcRequest& request, const Backend& backend) {
  return backend.runner_of(request.model->name).array_rqmc(request.values, request.options);
}

std::optional<double> exact_mean(const ArrayRqmcRequest& request) {
  return request.model->exact_after(request.values, request.options.steps);
}

std::string done_text(const ArrayRqmcReport& report) {
  return fmt::format("{} of {} randomizations", report.result.estimates.size(), report.request.options.randomizations);
}

std::string table_of(const ArrayRqmcReport& report) {
  const auto& [request, result, seconds, machine, exact, ended_by] = report;
  const auto text = [half_width = result.half_width](double value) { return io::text_to_precision(value, half_width); };
  io::Table table({{"response", Column::text},
                   {"mean", Column::number},
                   {fmt::format("{:.6g} % half-width", 100 * request.options.confidence), Column::number},
                   {"variance of a randomization", Column::number},
                   {"exact", Column::number}});
  table.add_row({request.model->array_response, text(result.mean), short_text(result.half_width),
                 short_text(result.variance), exact ? text(*exact) : ""});
  return fmt::format("{}: {}\n{}\n{}\n{}\n{}\n{} on {}\n", request.model->name, request.model->title,
                     parameters_text(*request.model, request.values), lead_of(report),
                     early_end_line(ended_by, done_text(report)), table.text(), duration_text(seconds),
                     text_of(machine));
}

std::string json_of(const ArrayRqmcReport& report) {
  const auto& [request, result, seconds, machine, exact, ended_by] = report;
  return json_text({{"sporos", SPOROS_VERSION},
                    {"model", request.model->name},
                    {"parameters", json_of(*request.model, request.values)},
                    {"response", request.model->array_response},
                    {"steps", request.options.steps},
                    {"chains", request.options.chains},
                    {"randomizations", result.estimates.size()},
                    {"confidence", request.options.confidence},
                    {"seed", request.options.seed},
                    {"mean", io::json_number(result.mean)},
                    {"half_width", io::json_number(result.half_width)},
                    {"variance", io::json_number(result.variance)},
                    {"exact", exact ? io::json_number(*exact) : io::Json(nullptr)},
                    {"estimates", result.estimates},
                    {"stopped_by", ended_by.empty() ? "randomizations" : ended_by},
                    {"seconds", seconds},
                    {"machine", json_of(machine)}});
}

std::string csv_of(const ArrayRqmcReport& report) {
  const std::optional<double>& exact = report.exact;
  std::string text;
  io::append_csv_row(text, {"response", "steps", "mean", "half_width", "variance", "exact", "stopped_by"});
  io::append_csv_row(text, {report.request.model->array_response, std::to_string(report.request.options.steps),
                            io::shortest_text(report.result.mean), io::shortest_text(report.result.half_width),
                            io::shortest_text(report.result.variance), exact ? io::shortest_text(*exact) : "",
                            std::string(report.ended_by.empty() ? "randomizations" : report.ended_by)});
  return text;
}

Document document_of(const ArrayRqmcReport& report, const io::Json& json) {
  const ArrayRqmcRequest& request = report.request;
  PageSection mean{"Mean",
                   {page_table(fmt::format("With its {:.6g} % half-width", 100 * request.options.confidence),
                               io::Json::array({json}),
                               {{"/response", "response"},
                                {"/mean", "mean", "/half_width"},
                                {"/half_width", "half-width", "/half_width"},
                                {"/variance", "variance of a randomization"},
                                {"/exact", "exact", "/half_width"}}),
                    runs_picture(request.model->array_response, "randomizations", report.result.estimates,
                                 request.options.confidence)}};
  if (!report.ended_by.empty())
    mean.blocks.emplace_back(PageParagraph{early_end_line(report.ended_by, done_text(report))});
  return {fmt::format("{}: {}", request.model->name, request.model->title),
          lead_of(report),
          {asked_section(
               *request.model, {request.values},
               page_facts(json_members(json, {"response", "steps", "chains", "randomizations", "confidence", "seed"}))),
           std::move(mean)}};
}

}  // namespace sporos::runtime
