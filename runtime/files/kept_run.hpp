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

/// Seconds between two checkpoints, where the user says nothing.
inline constexpr double usual_checkpoint_interval = 60;

/// The options --checkpoint and --every.
std::vector<OptionEntry> checkpoint_options();

/// What a command computes: the options that are given and do not only decide how it is run, on data of that digest.
/// Files to start from count by their contents; a time limit does not count.
io::Json description_of(const std::string& command, const OptionTable& table, std::uint64_t digest);

/// A run whose checkpoint is kept in a file.
class KeptRun {
 public:
  /// In the file `path`, every so many seconds, of the run that `run` describes. Throws as io::Checkpoint does.
  KeptRun(const std::string& path, double every, io::Json run);

  /// Where a run that was stopped stood; nothing where there is none.
  const std::optional<io::Json>& state() const { return m_file.state(); }
  /// Seconds between two checkpoints: as the option says, but so many, unless that is 0, that checkpoints take less
  /// than a hundredth of the time.
  double every() const;

  /// Tells a person at a terminal that the run goes on after what is `done`, where that is wanted.
  void announce(std::string_view done, bool wanted) const;

  /// Writes a checkpoint; throws io::WriteError where that fails.
  void save(const io::Json& state) const;

  /// Takes note of what the last checkpoint cost with all that it took to go on after it, in seconds.
  void note_cost(double seconds) const { m_last = seconds; }

  /// Removes the checkpoint.
  void remove() const;

  /// Whether a checkpoint is there. Safe beside other threads.
  bool is_there() const { return m_is_there; }

  /// What the message about a run that was stopped says of it, behind the rest.
  std::string note() const;

 private:
  io::Checkpoint m_file;
  double m_every;
  mutable std::atomic<bool> m_is_there;
  mutable double m_last = 0;  // seconds that the last checkpoint took
};

/// What the message about a run that was ended says of its checkpoint; nothing where there is none.
inline std::string note_of(const std::optional<KeptRun>& kept) { return kept && kept->is_there() ? kept->note() : ""; }

/// Seconds between two checkpoints as --every says. Throws std::invalid_argument where it is no such number, or given
/// without --checkpoint.
double checkpoint_interval(const OptionTable& options);

/// Makes `kept` the run that `description` tells of, where --checkpoint is given; of several processes the first keeps
/// it. Elsewhere nothing is asked: a file may be a pipe, which is read but once.
/// Throws as KeptRun and checkpoint_interval do.
void keep(std::optional<KeptRun>& kept, const OptionTable& options, const std::function<io::Json()>& description);

/// Writes the results of a run by `write`, and then removes its checkpoint where the run has ended, or else keeps the
/// state. Where the results cannot be written, the state is kept, and the io::WriteError says so, too.
void write_kept(const std::optional<KeptRun>& kept, bool has_ended, const std::function<io::Json()>& state,
                const std::function<void()>& write);

}  // namespace sporos::runtime
