// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Report of an experiment under several samplings.
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/simulation/report.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <cstddef>
#include <string>

namespace sporos::runtime {

namespace {

ResultTable means_table(const ComparisonReport& report) {
  const std::string width = "half_width";
  ResultTable table{"means",
                    "Means",
                    {{"response", "response", ValueKind::text},
                     {"sampling", "sampling", ValueKind::text},
                     {"mean", "mean", ValueKind::number, width},
                     {"half_width", half_width_title(report.plan.confidence), ValueKind::number, width},
                     {"exact", "exact", ValueKind::number, width},
                     {"run_length", "run", ValueKind::count},
                     {"variance", "variance of a run"},
                     {"variance_ratio", "ratio to random"},
                     {"variance_ratio_low", interval_title(report.plan.confidence)},
                     {"variance_ratio_high", "to"},
                     {"random_replications", "random replications"},
                     {"observations", "observations", ValueKind::count, "", "", Shown::as_data},
                     {"replications", "replications", ValueKind::count, "", "", Shown::as_data},
                     {"stopped_by", "stopped by", ValueKind::text, "", "", Shown::as_data}},
                    {}};
  for (std::size_t i = 0; i < report.exact.size(); ++i) {
    for (const ComparedSampling& compared : report.samplings) {
      const auto& [estimate, ratio, random_replications] = compared.responses[i];
      const bool has_interval = ratio.low != ratio.high;
      table.rows.push_back({estimate.name, std::string(name_of(compared.source.sampling)), estimate.mean,
                            estimate.half_width, value_of(report.exact[i]), compared.source.replications_of_run(),
                            estimate.variance, ratio.ratio, has_interval ? ResultValue(ratio.low) : ResultValue(),
                            has_interval ? ResultValue(ratio.high) : ResultValue(), random_replications,
                            estimate.observations, compared.result.replications,
                            std::string(name_of(compared.result.stopped_by))});
    }
  }
  return table;
}

// Returns how the experiment under each sampling was run and how it ended.
ResultTable samplings_table(const ComparisonReport& report) {
  ResultTable table{"samplings",
                    "Samplings",
                    {{"sampling", "sampling", ValueKind::text},
                     {"engine", "engine", ValueKind::text},
                     {"run_length", "run", ValueKind::count},
                     {"sample_size", "sample size", ValueKind::count},
                     {"primes", "primes", ValueKind::text},
                     {"replications", "replications", ValueKind::count},
                     {"stopped_by", "stopped by", ValueKind::text},
                     {"digest", "digest", ValueKind::text}},
                    {},
                    Shown::in_reports};
  for (const ComparedSampling& compared : report.samplings) {
    const UniformSource& source = compared.source;
    const bool is_refined = source.sampling == Sampling::refined_descriptive;
    table.rows.push_back(
        {std::string(name_of(source.sampling)), std::string(name_of(source.engine)), source.replications_of_run(),
         source.sample_size > 0 ? ResultValue(source.sample_size) : ResultValue(),
         is_refined ? ResultValue(fmt::format("{}:{}", source.primes.smallest, source.primes.largest)) : ResultValue(),
         compared.result.replications, std::string(name_of(compared.result.stopped_by)),
         io::bits_text(compared.result.digest)});
  }
  return table;
}

}  // namespace

ResultDocument document_of(const ComparisonReport& report) {
  ResultDocument result{
      .question = "compare-samplings",
      .subject = subject_of(report.model, report.parameters),
      .lead = fmt::format("{} of each sampling, seed {}",
                          plural(report.plan.replications, "replication", "replications"), report.plan.seed),
      .settings = plan_facts(report.plan),
      .tables = {means_table(report), samplings_table(report)},
      .notes = report.notes,
      .stopped_by = "replications",
      .confidence = report.plan.confidence,
      .seconds = report.seconds,
      .machine = report.machine};
  for (const ComparedSampling& one : report.samplings) {
    if (one.result.stopped_by == StopReason::replications) continue;
    const std::string end(name_of(one.result.stopped_by));
    result.stopped_by = end;
    result.early_end += fmt::format("{} sampling: {}, {}\n", name_of(one.source.sampling),
                                    plural(one.result.replications, "replication", "replications"), end_text(end));
  }
  result.notes.emplace_back(
      "run: replications averaged to one observation; ratio: of variances for the same number of replications;\n"
      "random replications: number under random sampling that would give an interval of the same width");
  return result;
}

}  // namespace sporos::runtime
