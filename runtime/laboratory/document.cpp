// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/laboratory/report.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/from_json.hpp>
#include <sporos/runtime/problems/report.hpp>

#include <sporos/core/io/format.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace sporos::runtime {

namespace {

PageSection asked_section(const io::Json& json) {
  PageSection section{"What was asked", {page_facts(json["experiment"])}};
  section.blocks.emplace_back(page_table("Problems, by post-replications", json["problems"],
                                         {{"/problem", "problem"},
                                          {"/objective", "objective"},
                                          {"/start", "at the start"},
                                          {"/optimum", "at the optimum"},
                                          {"/known_by", "known by"}}));
  if (!json["left_out"].empty()) {
    section.blocks.emplace_back(page_table("Solvers that were left out", json["left_out"],
                                           {{"/problem", "problem"}, {"/solver", "solver"}, {"/needs", "needs"}}));
  }
  return section;
}

PageSection solvers_section(const ExperimentReport& report, const io::Json& json) {
  PageSection section{"Over all problems", {}};
  for (PagePicture& picture : profile_pictures_of(report)) section.blocks.emplace_back(std::move(picture));
  io::Json rows = io::Json::array();
  for (const io::Json& solver : json["solvers"]) {
    rows.push_back({{"solver", solver["solver"]},
                    {"problems", solver["problems"].size()},
                    {"solvability", solver["solvability"]["estimate"].back()},
                    {"low", solver["solvability"]["low"].back()},
                    {"high", solver["solvability"]["high"].back()},
                    {"solved", solver["quantile_solvability"]["estimate"].back()}});
  }
  section.blocks.emplace_back(page_table("At the end of the budget", rows,
                                         {{"/solver", "solver"},
                                          {"/problems", "problems"},
                                          {"/solvability", "solvability"},
                                          {"/low", "at least"},
                                          {"/high", "at most"},
                                          {"/solved", "problems solved"}}));
  if (!json["effects"].empty()) {
    section.blocks.emplace_back(
        page_table("Main effects of what is varied on the area, over ranges on logarithmic scales", json["effects"],
                   {{"/problem", "problem"},
                    {"/solver", "solver"},
                    {"/setting", "setting"},
                    {"/low", "from"},
                    {"/high", "to"},
                    {"/effect_on_area", "area changes by", "/half_width"},
                    {"/half_width", "half-width", "/half_width"}}));
  }
  return section;
}

PageSection problem_section(const ExperimentReport& report, const io::Json& json, std::size_t problem) {
  const DescribedProblem& described = *report.request.problems[problem].described;
  PageSection section{described.name, {PageParagraph{described.title + ": " + objective_text(described) + "."}}};
  for (PagePicture& picture : problem_pictures_of(report, problem)) section.blocks.emplace_back(std::move(picture));
  io::Json rows = io::Json::array();
  for (const io::Json& cell : json["cells"]) {
    if (cell["problem"] == described.name) rows.push_back(cell);
  }
  section.blocks.emplace_back(page_table("Solvers", rows,
                                         {{"/solver", "solver"},
                                          {"/area/estimate", "area"},
                                          {"/area/low", "at least"},
                                          {"/area/high", "at most"},
                                          {"/left_at_the_end/estimate", "left at the end"},
                                          {"/solve_time/estimate", "solve time"},
                                          {"/solved/estimate", "solved"},
                                          {"/feasible/estimate", "feasible"},
                                          {"/objective", "objective"},
                                          {"/replications", "replications"}}));
  return section;
}

}  // namespace

Document document_of(const ExperimentReport& report, const io::Json& json) {
  const ExperimentRequest& request = report.request;
  Document document{
      fmt::format("{} on {}", plural(static_cast<std::int64_t>(request.solvers.size()), "solver", "solvers"),
                  plural(static_cast<std::int64_t>(request.problems.size()), "problem", "problems")),
      fmt::format(
          "{} of each solver on each problem, seed {}. Progress is the part of the initial gap to the optimum "
          "that is left, by {} that no run has seen; a run has solved its problem once less than {:.3g} is left "
          "at a point that is not infeasible. Bands and intervals hold {:.6g} % by the bootstrap.",
          plural(request.runs, "macro-replication", "macro-replications"), request.seed,
          plural(request.post.count, "replication", "replications"), request.summary.solved_below,
          100 * request.summary.confidence),
      {asked_section(json), solvers_section(report, json)}};
  for (const MeasuredProblem& problem : report.problems)
    document.sections.push_back(problem_section(report, json, problem.problem));
  return document;
}

}  // namespace sporos::runtime
