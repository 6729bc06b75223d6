// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/certificate_report.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sporos::runtime {

namespace {

double confidence_of(const SearchRequest& request) { return request.feasible_with.value_or(request.confidence); }

// Of constraints that are not decided since they are the same in all replications.
std::string alike_text(const SearchReport& report) {
  std::string text;
  for (std::size_t j = 0; j < report.certificate->constraints.size(); ++j) {
    const CertifiedConstraint& constraint = report.certificate->constraints[j];
    if (!constraint.are_alike || constraint.upper <= 0 || constraint.lower > 0) continue;
    text += fmt::format("\nAll {} observations of {} are equal: undecided; raise --final-replications.",
                        report.certificate->replications, io::in_quotes(report.request.constraints_on_means[j].text));
  }
  return text;
}

// By how much the constraints are exceeded that are violated with the stated confidence.
std::string violations_text(const SearchReport& report) {
  std::vector<std::string> violations;
  for (std::size_t j = 0; j < report.certificate->constraints.size(); ++j) {
    const CertifiedConstraint& constraint = report.certificate->constraints[j];
    if (!(constraint.lower > 0)) continue;
    const double reach = constraint.mean - constraint.lower;
    violations.push_back(
        fmt::format("{} is exceeded by {}, by at least {}", io::in_quotes(report.request.constraints_on_means[j].text),
                    io::text_to_precision(constraint.mean, reach), io::text_to_precision(constraint.lower, reach)));
  }
  return fmt::format("{}", fmt::join(violations, ", and "));
}

std::string verdict_text(const SearchReport& report, double percent) {
  const Certificate& certificate = *report.certificate;
  const std::string by = fmt::format("with {:.6g} % confidence, by {}", percent,
                                     plural(certificate.replications, "replication", "replications"));
  switch (certificate.feasibility()) {
    case Feasibility::feasible:
      return fmt::format("Feasible: all constraints hold, {}.", by);
    case Feasibility::infeasible:
      return fmt::format("Infeasible: {}, {}.\n{}.", violations_text(report), by,
                         report.request.feasible_with ? "More --replications end nearer to the limits"
                                                      : "--feasible-with 0.95 searches on until the constraints hold; "
                                                        "more --replications end nearer to the limits");
    case Feasibility::undecided:
      break;
  }
  const bool may_tighten = std::ranges::any_of(certificate.constraints, [](const CertifiedConstraint& constraint) {
    return constraint.upper > 0 && !constraint.are_alike;
  });
  return fmt::format("Whether all constraints hold is not decided {}{}.", by,
                     may_tighten ? ": --feasible-with tightens them" : "");
}

}  // namespace

bool knows_multipliers(const Certificate& certificate) {
  return std::ranges::none_of(certificate.constraints,
                              [](const CertifiedConstraint& constraint) { return std::isnan(constraint.multiplier); });
}

bool is_end_infeasible(const SearchReport& report) {
  return report.certificate && report.certificate->feasibility() == Feasibility::infeasible;
}

bool may_start_be_feasible(const SearchReport& report) {
  return std::ranges::all_of(report.points.front().constraints,
                             [](const EstimatedMean& excess) { return !(excess.mean - excess.half_width > 0); });
}

io::Json json_of(const Certificate& certificate, const SearchRequest& request) {
  io::Json constraints = io::Json::array();
  for (std::size_t j = 0; j < certificate.constraints.size(); ++j) {
    const CertifiedConstraint& constraint = certificate.constraints[j];
    constraints.push_back({{"constraint", request.constraints_on_means[j].text},
                           {"exceeded_by", io::json_number(constraint.mean)},
                           {"at_least", io::json_number(constraint.lower)},
                           {"at_most", io::json_number(constraint.upper)},
                           {"multiplier", io::json_number(constraint.multiplier)},
                           {"multiplier_half_width", io::json_number(constraint.multiplier_half_width)}});
  }
  return {{"feasibility", name_of(certificate.feasibility())},
          {"confidence", confidence_of(request)},
          {"replications", certificate.replications},
          {"constraints", constraints}};
}

std::string certificate_text(const SearchReport& report) {
  const SearchRequest& request = report.request;
  if (!report.certificate) {
    return request.constraints_on_means.empty()
               ? ""
               : "Whether the constraints hold at the end is not known: the search was asked to end before that.\n\n";
  }
  const double percent = 100 * confidence_of(request);
  const bool has_multipliers = knows_multipliers(*report.certificate);
  std::vector<std::pair<std::string, io::Table::Column>> heads = {
      {"constraint", io::Table::Column::text},
      {"exceeded by", io::Table::Column::number},
      {fmt::format("{:.6g} % at most", percent), io::Table::Column::number}};
  if (has_multipliers) {
    heads.push_back({"multiplier", io::Table::Column::number});
    heads.push_back({"half-width", io::Table::Column::number});
  }
  io::Table table(std::move(heads));
  for (std::size_t j = 0; j < request.constraints_on_means.size(); ++j) {
    const CertifiedConstraint& constraint = report.certificate->constraints[j];
    const double reach = constraint.upper - constraint.mean;
    std::vector<std::string> row = {request.constraints_on_means[j].text,
                                    io::text_to_precision(constraint.mean, std::isfinite(reach) ? reach : 0),
                                    std::isfinite(reach) ? io::text_to_precision(constraint.upper, reach) : "unknown"};
    for (const double number : {constraint.multiplier, constraint.multiplier_half_width}) {
      if (has_multipliers) row.push_back(io::text_to_precision(number, constraint.multiplier_half_width));
    }
    table.add_row(std::move(row));
  }
  return table.text() + verdict_text(report, percent) + alike_text(report) + "\n\n";
}

std::string verdicts_text(const SearchReport& report) {
  if (!report.certificate) return "";
  std::array<std::int64_t, 3> counts{};
  for (const RunEnd& end : report.runs.ends) ++counts[static_cast<std::size_t>(end.certificate->feasibility())];
  constexpr std::array answers{"the best of the feasible ones", "the best of those that are undecided",
                               "the one that is violated least"};
  return fmt::format(
      "Of the {} runs' ends {} are feasible, {} undecided, {} infeasible, with {:.6g} % confidence for all "
      "together;\nthe "
      "answer is {}.\n",
      report.runs.ends.size(), counts[0], counts[1], counts[2], 100 * confidence_of(report.request),
      answers[static_cast<std::size_t>(report.runs.ends[report.runs.best].certificate->feasibility())]);
}

}  // namespace sporos::runtime
