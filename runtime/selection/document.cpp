// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/from_json.hpp>
#include <sporos/runtime/selection/report.hpp>
#include <sporos/runtime/simulation/document.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sporos::runtime {

namespace {

PageTable survivors_table(const SelectionReport& report, const io::Json& json) {
  constexpr std::size_t most_rows = 100;
  std::vector<JsonColumn> columns{{"/system", "system"}};
  for (const GridAxis& axis : report.request.grid.axes()) {
    columns.push_back({"/parameters/" + axis.parameter, axis.parameter});
  }
  columns.push_back({"/mean", report.request.response, "/half_width"});
  columns.push_back({"/half_width", "half-width", "/half_width"});
  for (std::size_t i = 0; i < report.request.constraints.size(); ++i) {
    const std::string place = fmt::format("/constraints/{}", i), width = place + "/half_width";
    columns.push_back({place + "/mean", report.request.constraints[i].name, width});
    columns.push_back({width, "half-width", width});
  }
  columns.push_back({"/replications", "replications"});
  io::Json rows = json["survivors"];
  const std::size_t all = report.survivors.size();
  if (rows.size() > most_rows) rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(most_rows), rows.end());
  return page_table(fmt::format("{}{}, the best first, with {:.6g} % intervals of single systems",
                                rows.size() < all ? fmt::format("The first {} of ", rows.size()) : "",
                                plural(static_cast<std::int64_t>(all), "survivor", "survivors"),
                                100 * report.request.options.confidence),
                    rows, columns);
}

PageTable failed_table(const SelectionReport& report, const io::Json& json) {
  std::vector<JsonColumn> columns{{"/system", "system"}};
  for (const GridAxis& axis : report.request.grid.axes()) {
    columns.push_back({"/parameters/" + axis.parameter, axis.parameter});
  }
  columns.insert(columns.end(), {{"/failures", "failed"}, {"/replications", "replications"}, {"/reason", "reason"}});
  const bool has_equal = std::ranges::any_of(report.failed, &FailedSystem::has_equal_numbers);
  return page_table(fmt::format("{} without a result, {}",
                                plural(static_cast<std::int64_t>(report.failed.size()), "system", "systems"),
                                has_equal ? "for which there is no guarantee" : "worse than every other"),
                    json["failed"], columns);
}

PageSection selected_section(const SelectionReport& report, const io::Json& json) {
  PageSection section{"The selected system", {}};
  if (!json["selected"].is_null()) {
    io::Json selected = json["selected"];
    selected.erase("constraints");
    section.blocks.emplace_back(page_facts(selected));
  }
  section.blocks.emplace_back(page_facts(
      json_members(json, {"guarantee", "estimated_correct_selection", "nearest_infeasible", "survivor_count"})));
  section.blocks.emplace_back(
      PageParagraph{"Intervals are those of single systems: that one was selected makes it look better than it is."});
  section.blocks.emplace_back(survivors_table(report, json));
  if (!report.failed.empty()) section.blocks.emplace_back(failed_table(report, json));
  return section;
}

}  // namespace

Document document_of(const SelectionReport& report, const io::Json& json) {
  const SelectionRequest& request = report.request;
  PageFacts facts =
      page_facts(json_members(json, {"systems", "response", "best", "procedure", "delta", "confidence", "first_stage",
                                     "standard", "budget", "common_random_numbers", "seed"}));
  PageSection asked = asked_section(*request.model, {request.values}, std::move(facts));
  asked.blocks.emplace_back(page_table("Parameters that differ between systems", json["over"],
                                       {{"/parameter", "parameter"}, {"/values", "values"}}));
  if (!json["subject_to"].empty()) {
    asked.blocks.emplace_back(
        page_table("Constraints", json["subject_to"], {{"/text", "subject to"}, {"/tolerance", "tolerance"}}));
  }
  PageSection way{"How it was selected", {}};
  for (PagePicture& picture : page_pictures_of(report)) way.blocks.emplace_back(std::move(picture));
  way.blocks.emplace_back(page_table(
      "Stages", json["steps"],
      {{"/stage", "stage"}, {"/survivors", "survivors"}, {"/replications", "replications"}, {"/seconds", "seconds"}}));
  return {fmt::format("{}: {}", request.model->name, request.model->title),
          fmt::format("The {} {} of {} systems, by {}: {}, seed {}, {}",
                      request.which.is_smallest_best ? "smallest" : "largest", request.response, request.grid.size(),
                      request.procedure->name, plural(report.replications, "replication", "replications"),
                      request.which.seed, end_text(report.end)),
          {std::move(asked), selected_section(report, json), std::move(way)}};
}

}  // namespace sporos::runtime
