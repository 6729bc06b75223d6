// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_range.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/replication/watcher.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Parts of an experiment that separate runs compute: `sporos simulate --part 3/100`, and their merge.
namespace sporos::runtime {

/// A part of an experiment.
struct ExperimentPart {
  std::int64_t number;     ///< number of the part, from 1
  std::int64_t count;      ///< number of all parts
  ReplicationRange range;  ///< its replications of each design point
};

/// The option --part.
OptionEntry part_option();

/// Returns the part that the option --part requests; empty if it is not given. Throws std::invalid_argument if its
/// value is not a part of the plan, or if another option requires the whole experiment.
std::optional<ExperimentPart> part_from(const OptionTable& options, const Plan& plan);

/// Numbers that a run has passed to an observer or a recorder, by response and design point.
using KeptNumbers = std::vector<std::vector<std::vector<double>>>;

/// The results of a part, with the observations and replications that questions about the whole experiment require.
class PartRecord {
 public:
  /// Creates the record of `part`. Throws OutOfMemory if the host has no room for what it keeps of `points` design
  /// points with `responses` responses.
  PartRecord(const ExperimentPart& part, std::size_t points, std::size_t responses, bool keeps_observations,
             bool keeps_rows);

  /// Returns the observer for the run of the part; empty if no observations are kept. It refers to this object.
  Observer observer();
  /// Returns the recorder for the run of the part; empty if no replications are kept. It refers to this object.
  Recorder recorder();

  /// Returns the text of the part's file. `run` describes the experiment, and `arguments` are those of `sporos
  /// simulate` that its result depends on.
  std::string text(const io::Json& run, const std::vector<std::string>& arguments, const ExperimentResult& result,
                   std::int64_t run_length) const;

 private:
  KeptNumbers none() const { return {m_responses, std::vector<std::vector<double>>(m_points)}; }

  ExperimentPart m_part;
  std::size_t m_points, m_responses;
  std::optional<KeptNumbers> m_observations, m_rows;
};

/// Returns the arguments of `sporos simulate` that its result depends on.
std::vector<std::string> arguments_of(const ModelDescription& model, const OptionTable& options);

/// Text with its name in messages.
struct NamedText {
  std::string name, text;
};

/// All parts of an experiment.
class MergedParts {
 public:
  /// Takes the texts of part files, in any order. Throws std::invalid_argument, which names the file, if one is not a
  /// part or belongs to another experiment, and if a part is missing or given twice.
  explicit MergedParts(std::span<const NamedText> texts);

  /// Arguments of `sporos simulate` that its result depends on.
  const std::vector<std::string>& arguments() const { return m_arguments; }
  /// Throws std::invalid_argument if the parts do not belong to the experiment that `run` describes, because files have
  /// changed.
  void check_run(const io::Json& run) const;

  /// State at the end of a single run of the experiment.
  const ExperimentState& state() const { return m_state; }
  /// Whether the parts have kept the observations.
  bool has_observations() const { return !m_parts.front().observations.empty(); }
  /// Passes the observations and replications of all parts, in order, to the observer and the recorder that are not
  /// empty. Throws std::invalid_argument if parts have not kept them.
  void replay(const Observer& observer, const Recorder& recorder) const;

  /// Seconds that the parts took together.
  double seconds() const { return m_seconds; }
  /// Mapping of most parts' replications.
  Mapping mapping() const { return m_parts.front().mapping; }

 private:
  struct Part {
    std::string name;  // name in messages
    std::int64_t number, count;
    io::Json run;
    std::vector<std::string> arguments;
    ExperimentState state;
    std::int64_t run_length;
    Mapping mapping;
    double seconds;
    KeptNumbers observations, rows;  // empty if they are not kept
  };

  static Part part_of(const NamedText& text);
  void check_parts() const;
  void replay_rows(const Part& part, const Recorder& recorder) const;

  std::vector<Part> m_parts;  // in the order of their numbers
  std::vector<std::string> m_arguments;
  ExperimentState m_state;
  double m_seconds = 0;
};

}  // namespace sporos::runtime
