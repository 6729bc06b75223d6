// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/end_report.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/core/replication/failed_replications.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

namespace sporos::runtime {

namespace {

// Without the number of the replication, which those who read of decisions do not need.
std::string failure_reason(const MarkedFailure& marked, std::span<const std::string> stations) {
  if (marked.failure == Failure::none) return "a response is not a finite number";
  const std::string text = impl::failure_text(0, failure_mark(marked.failure, marked.capacity), stations);
  return text.substr(text.find(": ") + 2);
}

const std::string& decision_name(const SearchReport& report, std::size_t decision) {
  return report.request.decisions[decision].parameter;
}

// "servers at its upper bound, 8".
std::vector<std::string> bounds_reached(const SearchReport& report) {
  std::vector<std::string> texts;
  for (const std::size_t i : report.last.place.at_low)
    texts.push_back(
        fmt::format("{} at its lower bound {:.6g}", decision_name(report, i), report.request.decisions[i].low));
  for (const std::size_t i : report.last.place.at_high)
    texts.push_back(
        fmt::format("{} at its upper bound {:.6g}", decision_name(report, i), report.request.decisions[i].high));
  return texts;
}

std::string scope_text(const SearchReport& report) {
  const EndReport& last = report.last;
  if (last.tried_points > 0) {
    return fmt::format("Random search tried {}: the optimum may lie between them.",
                       plural(last.tried_points, "point", "points"));
  }
  if (last.starts > 1) {
    return fmt::format(
        "Local search from {} starts, the given one and {} drawn within the bounds{}: the optimum may lie "
        "elsewhere.",
        last.starts, last.starts - 1,
        last.is_not_convex ? ", as a check of chords shows that the objective is not convex" : "");
  }
  return "Local search from 1 start: the optimum may lie elsewhere; --starts K searches from more.";
}

std::string neighbours_text(const SearchReport& report) {
  const NeighbourProbe& probe = report.last.neighbours;
  if (probe.neighbours == 0) return "";
  std::string looked = fmt::format("{}, {} each", plural(probe.neighbours, "neighbour", "neighbours"),
                                   plural(probe.replications, "replication", "replications"));
  if (probe.confirmed_by > 0) looked += fmt::format("; {} others at the best of them", probe.confirmed_by);
  if (probe.better.empty()) return fmt::format("No better one was found among {}.", looked);
  const BetterNeighbour& best = probe.better.front();
  std::string text = fmt::format(
      "Not yet a local optimum: a step of {:.3g} in {} improves the objective by {} ± {}, with {:.6g} % "
      "confidence\n({})",
      best.step, decision_name(report, best.coordinate), io::text_to_precision(best.improvement, best.half_width),
      io::text_to_precision(best.half_width, best.half_width), 100 * report.request.confidence, looked);
  if (probe.better.size() > 1) {
    double sum = 0;
    for (const BetterNeighbour& better : probe.better) sum += better.improvement;
    text += fmt::format("; such steps in {} decisions by {:.3g} in all, if they add up", probe.better.size(), sum);
  }
  const std::string_view other = report.last.other_solver;
  return text + (other.empty() ? ".\nRaise --replications, or search from more --starts."
                               : fmt::format(".\nRaise --replications, or take --solver {}.", other));
}

std::string infeasible_text(const SearchReport& report) {
  const InfeasibleSamples& infeasible = report.last.infeasible;
  if (infeasible.infeasible == 0) return "";
  return fmt::format("{} of {} of the search were at infeasible decisions, as at {}: {}.", infeasible.infeasible,
                     plural(infeasible.samples, "sample", "samples"),
                     decisions_text(report.request, infeasible.example),
                     fault_text(report.request, infeasible.example, infeasible.replications, infeasible.moments));
}

io::Json names_of(const SearchReport& report, const std::vector<std::size_t>& decisions) {
  io::Json names = io::Json::array();
  for (const std::size_t i : decisions) names.push_back(decision_name(report, i));
  return names;
}

io::Json json_of_neighbours(const SearchReport& report) {
  const NeighbourProbe& probe = report.last.neighbours;
  io::Json better = io::Json::array();
  for (const BetterNeighbour& neighbour : probe.better) {
    better.push_back({{"decision", decision_name(report, neighbour.coordinate)},
                      {"step", neighbour.step},
                      {"improvement", io::json_number(neighbour.improvement)},
                      {"half_width", io::json_number(neighbour.half_width)}});
  }
  return {{"neighbours", probe.neighbours},
          {"replications", probe.replications},
          {"confirmed_by", probe.confirmed_by},
          {"better", better}};
}

}  // namespace

std::string fault_text(const SearchRequest& request, std::span<const double> x, std::int64_t replications,
                       const SampleMoments& moments) {
  try {
    request.model->check(values_at(request, x));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  if (moments.failed == 0) return "the objective, a constraint or a derivative is not a finite number";
  return fmt::format("{} of {} failed: {}", moments.failed, plural(replications, "replication", "replications"),
                     failure_reason(moments.failure, request.model->stations_with(request.values)));
}

std::string fixed_parameters(const SearchReport& report) {
  const ModelDescription& model = *report.request.model;
  std::vector<std::string> list;
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const std::string& name = model.parameters[i].name;
    if (std::ranges::find(report.request.decisions, name, &Decision::parameter) != report.request.decisions.end())
      continue;
    if (model.parameters[i].is_as_in_case(report.request.values[i])) continue;
    list.push_back(fmt::format("{} {}", name, shown_text_of(report.request.values[i])));
  }
  return fmt::format("{}", fmt::join(list, ", "));
}

std::string search_text(const SearchReport& report) {
  std::vector<std::string> sentences{scope_text(report)};
  if (!report.request.start_note.empty())
    sentences.push_back(
        report.request.start_note +
        fmt::format(" The search began at {} instead.", decisions_text(report.request, report.points.front().x)));
  if (const std::string fixed = fixed_parameters(report); report.certificate && !fixed.empty()) {
    sentences.push_back(
        fmt::format("The constraints are judged at {}, which are not decided: look at the other responses, "
                    "too.",
                    fixed));
  }
  if (report.last.place.is_at_start) sentences.emplace_back("It ended where it began: it found no better decisions.");
  if (const auto bounds = bounds_reached(report); !bounds.empty())
    sentences.push_back(fmt::format("It ended with {}.", fmt::join(bounds, ", ")));
  for (std::string& text : std::vector<std::string>{neighbours_text(report), infeasible_text(report)}) {
    if (!text.empty()) sentences.push_back(std::move(text));
  }
  return fmt::format("{}\n", fmt::join(sentences, "\n"));
}

std::string responses_table(const SearchReport& report) {
  constexpr std::size_t most = 12;
  const std::vector<EndResponse>& responses = report.last.responses;
  if (responses.empty()) return "";
  io::Table table({{"other responses there", io::Table::Column::text},
                   {"mean", io::Table::Column::number},
                   {fmt::format("{:.6g} % half-width", 100 * report.request.confidence), io::Table::Column::number}});
  for (std::size_t i = 0; i < std::min(most, responses.size()); ++i) {
    const auto& [mean, half_width] = responses[i].mean;
    table.add_row(
        {responses[i].name, io::text_to_precision(mean, half_width), io::text_to_precision(half_width, half_width)});
  }
  const std::string more = responses.size() > most ? fmt::format("(JSON has {} more)\n", responses.size() - most) : "";
  return table.text() + more + "\n";
}

io::Json json_of_end(const SearchReport& report) {
  const EndReport& last = report.last;
  io::Json responses = io::Json::object();
  for (const auto& [name, mean] : last.responses)
    responses[name] = {{"mean", io::json_number(mean.mean)}, {"half_width", io::json_number(mean.half_width)}};
  io::Json json = {{"starts", last.starts},
                   {"ended_at_start", last.place.is_at_start},
                   {"at_lower_bound", names_of(report, last.place.at_low)},
                   {"at_upper_bound", names_of(report, last.place.at_high)},
                   {"neighbours", json_of_neighbours(report)},
                   {"other_responses", responses}};
  if (last.tried_points > 0) json["tried_points"] = last.tried_points;
  if (last.is_not_convex) json["is_convex"] = false;
  if (!report.request.start_note.empty()) json["start_note"] = report.request.start_note;
  if (last.infeasible.infeasible > 0) {
    json["infeasible"] = {{"samples", last.infeasible.samples},
                          {"infeasible_samples", last.infeasible.infeasible},
                          {"example", infeasible_text(report)}};
  }
  return json;
}

}  // namespace sporos::runtime
