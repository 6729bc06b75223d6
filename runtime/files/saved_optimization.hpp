// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/io/json.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace sporos::runtime {

/// An optimization that was stopped, as a file keeps it: what was given, and where it stands.
class SavedOptimization {
 public:
  /// Reads the file. Throws std::invalid_argument, naming it, where it is none, or of another problem than `problem`.
  SavedOptimization(const std::string& path, const std::string& problem);

  /// Where it stands, as the optimizer writes it.
  const io::Json& state() const { return m_state; }
  /// What that is called in messages.
  std::string state_name() const { return m_path + ": state"; }

  /// Gives `table` the options of the stopped run that it lacks. Throws std::invalid_argument where it has another
  /// value for one that decides the result, and as check_files does for the files of these options and `named`.
  void fill(OptionTable& table, NamedFiles named) const;

  /// Throws std::invalid_argument where the data are not those of the stopped run.
  void check_data(std::uint64_t digest) const;

 private:
  std::string m_path;
  std::map<std::string, std::string> m_options;
  std::string m_digest;
  io::Json m_state;
};

/// What such a file holds.
std::string saved_text(const std::string& problem, const OptionTable& table, std::uint64_t digest, io::Json state);

}  // namespace sporos::runtime
