// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/classification/report.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/from_json.hpp>
#include <sporos/runtime/page/panels.hpp>

#include <sporos/core/io/format.hpp>

#include <utility>
#include <vector>

namespace sporos::runtime {

Document document_of(const ClassificationReport& report, const io::Json& json) {
  io::Json data = json["data"];
  data.erase("notes");
  PageSection asked{"What was asked", {page_facts(data), page_facts(json["options"])}};
  for (const std::string& note : report.data.description.notes) asked.blocks.emplace_back(PageParagraph{note});
  PageSection found{"The classifier",
                    {page_facts(json_members(json, {"objective", "gradient_norm", "iterations", "stopped_by"})),
                     page_facts(json_members(json, {"training", "test"}))}};
  if (report.separation) found.blocks.emplace_back(PageParagraph{text_of(*report.separation, report.data)});
  const io::Json& trajectory = json["trajectory"];
  PageSection way{
      "How it was found",
      {curve_picture("Objective", trajectory, "/iteration", "/objective", "iterations"),
       curve_picture("Norm of the gradient", trajectory, "/iteration", "/gradient_norm", "iterations", true),
       page_table("The trajectory", some_of(trajectory.get<std::vector<io::Json>>()),
                  {{"/iteration", "iteration"},
                   {"/objective", "objective"},
                   {"/gradient_norm", "norm of the gradient"},
                   {"/step", "step"},
                   {"/seconds", "seconds"}})}};
  return {"Classification of " + report.data.description.path,
          fmt::format("{}, {}", plural(report.result.iterations, "iteration", "iterations"),
                      end_text(end_of(report.result))),
          {std::move(asked), std::move(found), std::move(way)}};
}

}  // namespace sporos::runtime
