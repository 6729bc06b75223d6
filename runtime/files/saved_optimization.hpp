// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace sporos::runtime {

/// An optimization that was stopped, as a file keeps it: what was given, and where it stands.
class SavedOptimization {
 public:
  /// Reads the file. Throws std::invalid_argument, naming it, where it is none, or of another problem than `problem`.
  SavedOptimization(const std::string& path, const std::string& problem);

  /// Returns `read(state, name)`: where the run stands, as the optimizer writes it, and its name in messages. Throws as
  /// io::JsonText::read does.
  template <class Read>
  auto read_state(const Read& read) const {
    return m_file.read([&](const io::Json& json, const std::string& path) {
      return read(io::json_member<io::Json>(json, path, "state"), path + ": state");
    });
  }

  /// Gives `table` the options of the stopped run that it lacks. Throws std::invalid_argument where it has another
  /// value for one that decides the result, and as check_files does for the files of these options and `named`.
  void fill(OptionTable& table, NamedFiles named) const;

  /// Throws std::invalid_argument where the data are not those of the stopped run.
  void check_data(std::uint64_t digest) const;

 private:
  io::JsonText m_file;
  std::map<std::string, std::string> m_options;
  std::string m_digest;
};

/// What such a file holds.
std::string saved_text(const std::string& problem, const OptionTable& table, std::uint64_t digest, io::Json state);

}  // namespace sporos::runtime
