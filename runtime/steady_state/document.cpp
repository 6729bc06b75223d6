// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/from_json.hpp>
#include <sporos/runtime/page/panels.hpp>
#include <sporos/runtime/simulation/document.hpp>
#include <sporos/runtime/steady_state/report.hpp>

#include <sporos/core/io/format.hpp>

#include <cstddef>
#include <utility>

namespace sporos::runtime {

namespace {

PageSection convergence_section(const SteadyStateReport& report, const std::optional<SeriesConvergence>& convergence) {
  PageSection section{narrowing_heading, {}};
  if (!convergence) {
    section.blocks.emplace_back(PageParagraph{unknown_narrowing});
    return section;
  }
  for (std::size_t i = 0; i < report.result.names.size(); ++i) {
    const auto steps = convergence->steps(i, report.result);
    if (!steps.empty()) {
      section.blocks.emplace_back(convergence_picture(report.result.names[i], "observations of a run", steps));
    }
  }
  if (section.blocks.empty()) section.blocks.emplace_back(PageParagraph{"There was no interval at any look."});
  return section;
}

}  // namespace

Document document_of(const SteadyStateReport& report, const io::Json& json, const SeriesRuns& runs,
                     const std::optional<SeriesConvergence>& convergence) {
  const auto& [request, result, seconds, machine, exact] = report;
  io::Json asked = io::Json::object();
  for (const char* name : {"method", "confidence", "precision", "relative_precision", "runs", "seed"}) {
    asked[name] = json[name];
  }
  asked["observations at most"] = request.goal.observations;
  const std::string width = "/half_width";
  PageSection estimates{
      "Means in steady state",
      {page_table(fmt::format("Means with their {:.6g} % intervals", 100 * request.goal.confidence), json["responses"],
                  {{"/name", "response"},
                   {"/mean", "mean", width},
                   {width, "half-width", width},
                   {"/low", "from", width},
                   {"/high", "to", width},
                   {"/exact", "exact", width},
                   {"/warm_up", "warm-up cut"},
                   {"/batch_size", "batch size"},
                   {"/batches", "batches"},
                   {"/degrees_of_freedom", "degrees of freedom"},
                   {"/used", "observations used"},
                   {"/lack", "why there is no interval"}})}};
  PageSection series{"The series, and where its warm-up was cut", {}};
  for (PagePicture& picture : page_pictures_of(report, runs)) series.blocks.emplace_back(std::move(picture));
  return {fmt::format("{}: {}", request.model->name, request.model->title),
          fmt::format("Steady state by {}: {} of each run, {}, seed {}", name_of(request.goal.method),
                      plural(result.observations, "observation", "observations"), end_text(result.stopped_by),
                      request.seed),
          {asked_section(*request.model, {request.values}, page_facts(asked)), std::move(estimates), std::move(series),
           convergence_section(report, convergence)}};
}

}  // namespace sporos::runtime
