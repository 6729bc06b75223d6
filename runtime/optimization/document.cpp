// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/optimization/report.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/from_json.hpp>
#include <sporos/runtime/page/panels.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

// The largest coordinates.
PageTable solution_table(const io::Json& json) {
  constexpr std::size_t most = 50;
  std::vector<io::Json> solution(json["solution"].begin(), json["solution"].end());
  std::ranges::stable_sort(solution, [](const io::Json& a, const io::Json& b) {
    return std::abs(a["value"].get<double>()) > std::abs(b["value"].get<double>());
  });
  const std::size_t all = solution.size();
  solution.resize(std::min(all, most));
  const std::string which = solution.size() < all ? fmt::format("The largest {} of ", solution.size()) : "";
  return page_table(fmt::format("{}{} that are not 0, of {}", which, all, json["dimension"].get<std::int64_t>()),
                    solution, {{"/name", "name"}, {"/value", "value"}});
}

}  // namespace

Document document_of(const OptimizationReport& report, const io::Json& json) {
  const auto& [problem, options, result, findings, seconds, machine, notes] = report;
  PageSection asked{"What was asked", {page_facts(json["instance"]), page_facts(json["options"])}};
  for (const std::string& note : notes) asked.blocks.emplace_back(PageParagraph{note});
  PageSection found{"The solution",
                    {page_facts(json_members(json, {"objective", "exact_objective", "optimum", "suboptimality", "gap",
                                                    "independent_gap", "figures", "iterations", "stopped_by"}))}};
  if (!json["resources"].empty()) {
    found.blocks.emplace_back(
        page_table("Resources", json["resources"],
                   {{"/name", "resource"}, {"/use", "use"}, {"/capacity", "capacity"}, {"/is_binding", "binding"}}));
  }
  found.blocks.emplace_back(solution_table(json));
  const io::Json& trajectory = json["trajectory"];
  PageSection way{"How it was found",
                  {curve_picture("Objective", trajectory, "/iteration", "/objective", "iterations"),
                   curve_picture("Gap", trajectory, "/iteration", "/gap", "iterations", true),
                   page_table("The trajectory", some_of(trajectory.get<std::vector<io::Json>>()),
                              {{"/epoch", "epoch"},
                               {"/iteration", "iteration"},
                               {"/objective", "objective"},
                               {"/gap", "gap"},
                               {"/independent_gap/upper", "independent gap at most"},
                               {"/seconds", "seconds"}})}};
  return {problem.name,
          fmt::format("Frank-Wolfe: {}, {}", plural(result.iterations, "iteration", "iterations"),
                      end_text(end_of(result))),
          {std::move(asked), std::move(found), std::move(way)}};
}

}  // namespace sporos::runtime
