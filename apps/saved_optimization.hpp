// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "option_table.hpp"

#include <sporos/optimizers/frank_wolfe/result.hpp>

#include <cstdint>
#include <string>

namespace sporos::apps {

/// An optimization that was stopped, as a file keeps it: what was given, and where it stands.
class SavedOptimization {
 public:
  /// Reads the file. Throws std::invalid_argument, naming it, where it is none, or of another problem than `problem`.
  SavedOptimization(const std::string& path, const std::string& problem);

  /// Where it stands.
  const FrankWolfeState& state() const { return m_state; }

  /// Gives `table` the options of the stopped run that it lacks. Throws std::invalid_argument where it has another
  /// value for one that the run depends on.
  void fill(OptionTable& table) const;

  /// Throws std::invalid_argument where the data are not those of the stopped run.
  void check_data(std::uint64_t digest) const;

 private:
  std::string m_path;
  std::map<std::string, std::string> m_options;
  std::string m_digest;
  FrankWolfeState m_state;
};

/// What such a file holds.
std::string saved_text(const std::string& problem, const OptionTable& table, std::uint64_t digest,
                       const FrankWolfeState& state);

}  // namespace sporos::apps
