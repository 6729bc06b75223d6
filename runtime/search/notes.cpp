// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/report.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/core/replication/failed_replications.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace sporos::runtime {

namespace {

// Returns the reason of a failure without the number of the replication, which readers do not need.
std::string failure_reason(const MarkedFailure& marked, std::span<const std::string> stations) {
  if (marked.failure == Failure::none) return "a response is not a finite number";
  const std::string text = impl::failure_text(0, failure_mark(marked.failure, marked.capacity), stations);
  return text.substr(text.find(": ") + 2);
}

const std::string& decision_name(const SearchReport& report, std::size_t decision) {
  return report.request.decisions[decision].parameter;
}

// Returns by how much the constraints are exceeded that are violated with the stated confidence.
std::string violations_text(const SearchReport& report) {
  std::vector<std::string> violations;
  for (std::size_t j = 0; j < report.certificate->constraints.size(); ++j) {
    const CertifiedConstraint& constraint = report.certificate->constraints[j];
    if (!(constraint.lower > 0)) continue;
    const double reach = constraint.mean - constraint.lower;
    violations.push_back(
        fmt::format("{} is exceeded by {} (at least {})", io::in_quotes(report.request.constraints_on_means[j].text),
                    io::text_to_precision(constraint.mean, reach), io::text_to_precision(constraint.lower, reach)));
  }
  return fmt::format("{}", fmt::join(violations, ", and "));
}

std::string verdict_text(const SearchReport& report) {
  if (report.request.constraints_on_means.empty()) return "";
  if (!report.certificate) {
    return "Feasibility at the end is unknown: the search was stopped before the constraints were checked.";
  }
  const Certificate& certificate = *report.certificate;
  const std::string by = fmt::format("with {:.6g} % confidence, by {}", 100 * confidence_of_constraints(report.request),
                                     plural(certificate.replications, "replication", "replications"));
  switch (certificate.feasibility()) {
    case Feasibility::feasible:
      return fmt::format("Feasible: all constraints hold, {}.", by);
    case Feasibility::infeasible:
      return fmt::format("Infeasible: {}, {}. {}.", violations_text(report), by,
                         report.request.feasible_with
                             ? "Raise --replications to end closer to the limits"
                             : "Use --feasible-with 0.95 to search until the constraints hold, or "
                               "raise --replications to end closer to the limits");
    case Feasibility::undecided:
      break;
  }
  const bool may_tighten = std::ranges::any_of(certificate.constraints, [](const CertifiedConstraint& constraint) {
    return constraint.upper > 0 && !constraint.are_identical;
  });
  return fmt::format("Undecided: no constraint is shown to be violated, but not all are shown to hold, {}.{}", by,
                     !may_tighten                   ? ""
                     : report.request.feasible_with ? " Raise --replications or --final-replications."
                                                    : " Use --feasible-with 0.95 to tighten the constraints.");
}

// Adds a note for each constraint that is undecided because all its observations are equal.
void add_equal_observations(const SearchReport& report, std::vector<std::string>& notes) {
  if (!report.certificate) return;
  for (std::size_t j = 0; j < report.certificate->constraints.size(); ++j) {
    const CertifiedConstraint& constraint = report.certificate->constraints[j];
    if (!constraint.are_identical || constraint.upper <= 0 || constraint.lower > 0) continue;
    notes.push_back(
        fmt::format("All {} observations of {} are equal, so this constraint is undecided; raise --final-replications.",
                    report.certificate->replications, io::in_quotes(report.request.constraints_on_means[j].text)));
  }
}

// Returns how many of several runs ended feasible, undecided or infeasible, and which of them is the answer.
std::string runs_text(const SearchReport& report) {
  if (!report.certificate || report.runs.ends.empty()) return "";
  std::array<std::int64_t, 3> counts{};
  for (const RunEnd& end : report.runs.ends) ++counts[static_cast<std::size_t>(end.certificate->feasibility())];
  constexpr std::array answers{"the best of the feasible ones", "the best of the undecided ones",
                               "the one with the smallest violation"};
  return fmt::format(
      "Of the ends of {} runs, {} are feasible, {} undecided and {} infeasible, with {:.6g} % family-wise confidence; "
      "the answer is {}.",
      report.runs.ends.size(), counts[0], counts[1], counts[2], 100 * confidence_of_constraints(report.request),
      answers[static_cast<std::size_t>(report.runs.ends[report.runs.best].certificate->feasibility())]);
}

std::string scope_text(const SearchReport& report) {
  const EndReport& last = report.last;
  if (last.tried_points > 0) {
    return fmt::format("Random search tried {}: the optimum may lie between them.",
                       plural(last.tried_points, "point", "points"));
  }
  if (last.starts > 1) {
    return fmt::format(
        "Local search from {} starts, the given one and {} drawn within the bounds{}: the optimum may lie elsewhere.",
        last.starts, last.starts - 1,
        last.is_not_convex ? ", because a check of chords shows that the objective is not convex" : "");
  }
  return "Local search from 1 start: the optimum may lie elsewhere; use --starts K to search from K points.";
}

std::string start_text(const SearchReport& report) {
  if (report.request.start_note.empty()) return "";
  return report.request.start_note +
         fmt::format(" The search began at {} instead.", decisions_text(report.request, report.points.front().x));
}

// Returns the parameters that are not decision variables, "capacity 5, customers 2000", except for those with the
// values of their case file.
std::string fixed_parameters(const SearchReport& report) {
  const ModelDescription& model = *report.request.model;
  std::vector<std::string> list;
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const std::string& name = model.parameters[i].name;
    const bool is_decided =
        std::ranges::find(report.request.decisions, name, &Decision::parameter) != report.request.decisions.end();
    if (is_decided || model.parameters[i].is_as_in_case(report.request.values[i])) continue;
    list.push_back(fmt::format("{} {}", name, shown_text_of(report.request.values[i])));
  }
  return fmt::format("{}", fmt::join(list, ", "));
}

std::string judged_text(const SearchReport& report) {
  const std::string fixed = fixed_parameters(report);
  if (!report.certificate || fixed.empty()) return "";
  return fmt::format(
      "The constraints are checked only for {}, which are not decision variables: look at the other responses, too.",
      fixed);
}

// Returns a text such as "The search ended with servers at its upper bound 8."; empty if the end is at no bound.
std::string bounds_text(const SearchReport& report) {
  std::vector<std::string> texts;
  for (const std::size_t i : report.last.place.at_low)
    texts.push_back(
        fmt::format("{} at its lower bound {:.6g}", decision_name(report, i), report.request.decisions[i].low));
  for (const std::size_t i : report.last.place.at_high)
    texts.push_back(
        fmt::format("{} at its upper bound {:.6g}", decision_name(report, i), report.request.decisions[i].high));
  constexpr std::size_t most = 8;
  if (texts.size() > most) {
    const std::size_t others = texts.size() - most;
    texts.resize(most);
    texts.push_back(fmt::format("and {} others at a bound", others));
  }
  return texts.empty() ? "" : fmt::format("The search ended with {}.", fmt::join(texts, ", "));
}

std::string neighbours_text(const SearchReport& report) {
  const NeighbourProbe& probe = report.last.neighbours;
  if (probe.neighbours == 0) return "";
  std::string looked = fmt::format("{}, {} each", plural(probe.neighbours, "neighbour", "neighbours"),
                                   plural(probe.replications, "replication", "replications"));
  if (probe.confirmed_by > 0) looked += fmt::format("; {} others at the best one", probe.confirmed_by);
  if (probe.better.empty()) return fmt::format("No better decisions were found among {}.", looked);
  const BetterNeighbour& best = probe.better.front();
  std::string text = fmt::format(
      "Not yet a local optimum: a step of {:.3g} in {} improves the objective by {} ± {}, with {:.6g} % confidence "
      "({})",
      best.step, decision_name(report, best.coordinate), io::text_to_precision(best.improvement, best.half_width),
      io::text_to_precision(best.half_width, best.half_width), 100 * report.request.confidence, looked);
  if (probe.better.size() > 1) {
    double sum = 0;
    for (const BetterNeighbour& better : probe.better) sum += better.improvement;
    text +=
        fmt::format("; steps in {} decisions improve it by {:.3g} in all, if they add up", probe.better.size(), sum);
  }
  const std::string_view other = report.last.other_solver;
  return text + (other.empty() ? ". Raise --replications, or search from more --starts."
                               : fmt::format(". Raise --replications, or use --solver {}.", other));
}

std::string infeasible_text(const SearchReport& report) {
  const InfeasibleSamples& infeasible = report.last.infeasible;
  if (infeasible.infeasible == 0) return "";
  return fmt::format("{} of {} of the search were at infeasible decisions, for example at {}: {}.",
                     infeasible.infeasible, plural(infeasible.samples, "sample", "samples"),
                     decisions_text(report.request, infeasible.example),
                     fault_text(report.request, infeasible.example, infeasible.replications, infeasible.moments));
}

std::string selection_text(const SearchReport& report) {
  if (!report.selection) return "";
  const auto& [place, points, bound, replications] = *report.selection;
  const std::string more = bound > 0 ? fmt::format(" by more than {:.3g}", bound) : "";
  return fmt::format(
      "The answer is the best of the {} most promising points that the search visited, compared on {} in all: none of "
      "the others is better{}, with {:.6g} % confidence.",
      points, plural(replications, "more replication", "more replications"), more, 100 * report.request.confidence);
}

// Returns how far the solution is from the optimum.
std::string gap_text(const SearchReport& report) {
  if (report.was_gap_ended) {
    return "No bound on the optimality gap is available: the run was interrupted, or reached its time limit, before "
           "the gap was bounded.";
  }
  if (!report.gap) return "No bound on the optimality gap is available.";
  const auto& [mean, bound, replications, of_batch, batches] = *report.gap;
  const bool is_maximized = report.request.objective.is_maximized;
  const char* const within = report.certificate          ? "the best decisions that meet the constraints"
                             : report.is_frank_wolfe_gap ? "the best decisions"
                                                         : "the best decisions within these bounds";
  const char* const convex = report.certificate ? "the Lagrangian at these multipliers" : "the objective";
  const std::string by =
      !report.is_frank_wolfe_gap
          ? fmt::format("by {} batches of {} replications, each {} separately, with {} in all", batches, of_batch,
                        is_maximized ? "maximized" : "minimized", plural(replications, "replication", "replications"))
          : fmt::format("the Frank-Wolfe gap by {} batches of {} replications not used in the search, with {} in all",
                        batches, of_batch, plural(replications, "replication", "replications"));
  return fmt::format("At most {:.3g} worse than {}, if {} is {}, with {:.6g} % confidence: {}.", bound, within, convex,
                     is_maximized ? "concave" : "convex", 100 * report.request.confidence, by);
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

bool may_start_be_feasible(const SearchReport& report) {
  return std::ranges::all_of(report.points.front().constraints,
                             [](const EstimatedMean& excess) { return !(excess.mean - excess.half_width > 0); });
}

bool is_end_infeasible(const SearchReport& report) {
  return report.certificate && report.certificate->feasibility() == Feasibility::infeasible;
}

double confidence_of_constraints(const SearchRequest& request) {
  return request.feasible_with.value_or(request.confidence);
}

std::vector<std::string> notes_of(const SearchReport& report) {
  std::vector<std::string> notes{verdict_text(report)};
  add_equal_observations(report, notes);
  notes.insert(notes.end(), report.request.notes.begin(), report.request.notes.end());
  for (std::string text :
       {runs_text(report), scope_text(report), start_text(report), judged_text(report),
        std::string(report.last.place.is_at_start ? "The search ended at its start: it found no better decisions."
                                                  : ""),
        bounds_text(report), neighbours_text(report), infeasible_text(report), selection_text(report),
        gap_text(report)}) {
    notes.push_back(std::move(text));
  }
  std::erase(notes, "");
  return notes;
}

}  // namespace sporos::runtime
