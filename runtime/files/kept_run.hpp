// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/io/checkpoint.hpp>
#include <sporos/core/io/json.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// Default number of seconds between two checkpoints.
inline constexpr double default_checkpoint_interval = 60;

/// The options --checkpoint and --every.
std::vector<OptionEntry> checkpoint_options();

/// Describes what a command computes: the given options, except those that affect only how it runs, and the digest of
/// its data. Files from which the run starts are described by the checksums of their contents. The time limit is left
/// out.
io::Json description_of(const std::string& command, const OptionTable& table, std::uint64_t digest);

/// A run with a checkpoint file.
class KeptRun {
 public:
  /// Uses the file `path`, about every `every` seconds, for the run that `run` describes. Throws the same exceptions as
  /// io::Checkpoint.
  KeptRun(const std::string& path, double every, io::Json run);

  /// State of the stopped run from which to continue; empty if there is none.
  const std::optional<io::Json>& state() const { return m_file.state(); }
  /// Returns the seconds between two checkpoints: those of the option, or more, so that checkpoints take less than a
  /// hundredth of the time. If the option is 0, returns 0.
  double every() const;

  /// If `wanted`, prints on a terminal that the run continues from its checkpoint, after the work that `done`
  /// describes.
  void announce(std::string_view done, bool wanted) const;

  /// Writes a checkpoint. Throws io::WriteError if that fails.
  void save(const io::Json& state) const;

  /// Stores the cost of the last checkpoint: the seconds that it took, including those to continue after it.
  void note_cost(double seconds) const { m_last = seconds; }

  /// Removes the checkpoint.
  void remove() const;

  /// Whether the checkpoint file exists. Other threads may call this function.
  bool is_there() const { return m_is_there; }

  /// Returns text that is appended to the message about a stopped run: "; FILE keeps the run".
  std::string note() const;

 private:
  io::Checkpoint m_file;
  double m_every;
  mutable std::atomic<bool> m_is_there;
  mutable double m_last = 0;  // seconds that the last checkpoint took
};

/// Returns the note on the checkpoint for the message about a stopped run; empty if there is no checkpoint.
inline std::string note_of(const std::optional<KeptRun>& kept) { return kept && kept->is_there() ? kept->note() : ""; }

/// Returns the seconds between two checkpoints that --every requests. Throws std::invalid_argument if its value is not
/// such a number, or if --checkpoint is not given.
double checkpoint_interval(const OptionTable& options);

/// Makes `kept` the run of `description` if --checkpoint is given; only the first of several processes keeps it. Calls
/// `description` only then, because a file may be a pipe, which can be read only once. Throws the same exceptions as
/// KeptRun and checkpoint_interval.
void keep(std::optional<KeptRun>& kept, const OptionTable& options, const std::function<io::Json()>& description);

/// Writes the results of a run by `write`. Then removes its checkpoint if the run has ended, and otherwise saves the
/// state. If the results cannot be written, saves the state, and the io::WriteError says so.
void write_kept(const std::optional<KeptRun>& kept, bool has_ended, const std::function<io::Json()>& state,
                const std::function<void()>& write);

}  // namespace sporos::runtime
