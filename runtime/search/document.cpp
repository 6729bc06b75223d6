// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/from_json.hpp>
#include <sporos/runtime/search/certificate_report.hpp>
#include <sporos/runtime/search/end_report.hpp>
#include <sporos/runtime/search/report.hpp>
#include <sporos/runtime/simulation/document.hpp>

#include <sporos/core/io/format.hpp>

#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

std::vector<JsonColumn> decision_columns(const SearchReport& report) {
  std::vector<JsonColumn> columns;
  for (const Decision& decision : report.request.decisions) {
    columns.push_back({"/decisions/" + decision.parameter, decision.parameter});
  }
  columns.push_back({"/objective/mean", "objective", "/objective/half_width"});
  columns.push_back({"/objective/half_width", "half-width", "/objective/half_width"});
  return columns;
}

PageSection answer_section(const SearchReport& report, const io::Json& json) {
  PageSection section{"The decisions", {}};
  const io::Json answer = io::Json::array({{{"decisions", json["decisions"]}, {"objective", json["estimate"]}}});
  section.blocks.emplace_back(page_table(
      fmt::format(
          "The answer, with the {:.6g} % interval of its objective on replications that the search has not seen",
          100 * report.request.confidence),
      answer, decision_columns(report)));
  const io::Json& better = json["improvement"];
  if (is_end_infeasible(report)) {
    section.blocks.emplace_back(PageParagraph{"These decisions violate a constraint."});
  } else if (may_start_be_feasible(report)) {
    section.blocks.emplace_back(
        PageFacts{{{"better than the start by", page_text(better["mean"], better["half_width"])},
                   {"half-width of that", page_text(better["half_width"], better["half_width"])}}});
  } else {
    section.blocks.emplace_back(PageParagraph{"The start violates a constraint."});
  }
  if (report.certificate) {
    const io::Json& certificate = json["constraints_on_responses"];
    std::vector<JsonColumn> columns{{"/constraint", "constraint"},
                                    {"/exceeded_by", "exceeded by"},
                                    {"/at_least", "at least"},
                                    {"/at_most", "at most"}};
    if (knows_multipliers(*report.certificate)) {
      columns.push_back({"/multiplier", "multiplier", "/multiplier_half_width"});
      columns.push_back({"/multiplier_half_width", "half-width", "/multiplier_half_width"});
    }
    section.blocks.emplace_back(page_table(
        fmt::format("Constraints on responses: {} with {:.6g} % confidence",
                    certificate["feasibility"].get<std::string>(), 100 * certificate["confidence"].get<double>()),
        certificate["constraints"], columns));
  }
  for (const std::string& sentence : {search_text(report), selection_text(report), gap_text(report)}) {
    if (!sentence.empty()) section.blocks.emplace_back(PageParagraph{in_one_line(sentence)});
  }
  return section;
}

PageSection way_section(const SearchReport& report, const io::Json& json) {
  PageSection section{"How it was found", {}};
  for (PagePicture& picture : page_pictures_of(report)) section.blocks.emplace_back(std::move(picture));
  auto columns = decision_columns(report);
  columns.insert(columns.begin(), {"/replications", "replications"});
  section.blocks.emplace_back(page_table("Decisions on the way", json["points"], columns));
  if (json.contains("runs")) {
    columns.insert(columns.begin(), {"/seed", "seed"});
    section.blocks.emplace_back(page_table("Where each run ended", json["runs"], columns));
  }
  return section;
}

}  // namespace

Document document_of(const SearchReport& report, const io::Json& json) {
  const SearchRequest& request = report.request;
  const io::Json asked = json_members(json, {"objective", "bounds", "subject_to", "solver", "reason", "seed", "budget",
                                             "starts", "macro_replications", "final_replications", "confidence"});
  PageFacts facts = page_facts(asked);
  for (const ConstraintOnMeans& constraint : request.constraints_on_means) {
    facts.facts.emplace_back("subject to", PageText{constraint.text});
  }
  return {fmt::format("{}: {}", request.model->name, request.model->title),
          fmt::format("{}, by {}: {}, seed {}, {}", objective_text(request), report.solver,
                      plural(report.replications, "replication", "replications"), request.seed, end_text(report.end)),
          {asked_section(*request.model, {request.values}, std::move(facts)), answer_section(report, json),
           way_section(report, json)}};
}

}  // namespace sporos::runtime
