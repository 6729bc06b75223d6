// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/io/json_text.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace sporos::runtime {

/// A stopped optimization, as stored in a file: its options, the digest of its data, and its state.
class SavedOptimization {
 public:
  /// Reads the file. Throws std::invalid_argument, naming the file, if it is not of this kind, or if its problem is not
  /// `problem`.
  SavedOptimization(const std::string& path, const std::string& problem);

  /// Returns `read(state, name)`; `state` is the state as the optimizer has written it, and `name` is its name in
  /// messages. Throws the same exceptions as io::JsonText::read.
  template <class Read>
  auto read_state(const Read& read) const {
    return m_file.read([&](const io::Json& json, const std::string& path) {
      return read(io::json_member<io::Json>(json, path, "state"), path + ": state");
    });
  }

  /// Sets the options that the stopped run had and `table` lacks. Throws std::invalid_argument if `table` has another
  /// value for an option that affects the result. Throws the same exceptions as check_files for the files of these
  /// options and `named`.
  void fill(OptionTable& table, NamedFiles named) const;

  /// Throws std::invalid_argument if `digest` is not that of the stopped run's data.
  void check_data(std::uint64_t digest) const;

 private:
  io::JsonText m_file;
  std::map<std::string, std::string> m_options;
  std::string m_digest;
};

/// Returns the contents of the file of a stopped optimization.
std::string saved_text(const std::string& problem, const OptionTable& table, std::uint64_t digest, io::Json state);

}  // namespace sporos::runtime
