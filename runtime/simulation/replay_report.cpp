// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Report of a single replication, bit by bit, with its events if they were traced.
#include <sporos/runtime/simulation/report.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <cstddef>

namespace sporos::runtime {

namespace {

ResultTable responses_table(const Replay& replay) {
  ResultTable table{"responses",
                    "Responses",
                    {{"response", "response", ValueKind::text},
                     {"value", "value", ValueKind::exact},
                     {"hexadecimal", "hexadecimal", ValueKind::text},
                     {"bits", "bits", ValueKind::text}},
                    {}};
  const auto names = replay.model.response_names(replay.parameters);
  for (std::size_t i = 0; i < replay.responses.size(); ++i) {
    const double value = replay.responses[i];
    table.rows.push_back({names[i], value, io::hexadecimal_text(value), io::bits_text(value)});
  }
  return table;
}

ResultTable events_table(const EventListing& trace) {
  const bool has_names = !trace.stations.empty();
  ResultTable table{"events",
                    "Events",
                    {{"time", "time", ValueKind::exact},
                     {"event", "event", ValueKind::text},
                     {"station", "station", has_names ? ValueKind::text : ValueKind::count},
                     {"entity", "entity", ValueKind::count}},
                    {}};
  for (const TracedEvent& event : trace.events) {
    const auto number = [](auto value) { return value >= 0 ? ResultValue(std::int64_t{value}) : ResultValue(); };
    const bool is_named = event.station >= 0 && has_names;
    table.rows.push_back(
        {event.time, trace.kinds.at(static_cast<std::size_t>(event.kind)),
         is_named ? ResultValue(trace.stations.at(static_cast<std::size_t>(event.station))) : number(event.station),
         number(event.entity)});
  }
  return table;
}

}  // namespace

ResultDocument document_of(const Replay& replay) {
  ResultDocument result{.question = "replay",
                        .subject = subject_of(replay.model, replay.parameters),
                        .lead = fmt::format("replication {}, {}", replay.replication, source_text(replay.plan)),
                        .settings = plan_facts(replay.plan),
                        .tables = {responses_table(replay)},
                        .notes = replay.notes,
                        .stopped_by = replay.failure.empty() ? "replications" : "failed",
                        .confidence = replay.plan.confidence,
                        .seconds = replay.seconds,
                        .machine = replay.machine};
  result.settings.insert(result.settings.begin(), {"replication", "replication", replay.replication, ValueKind::count});
  if (!replay.failure.empty()) result.findings = {{"failure", "failure", replay.failure}};
  if (!replay.trace.kinds.empty()) result.tables.insert(result.tables.begin(), events_table(replay.trace));
  return result;
}

}  // namespace sporos::runtime
