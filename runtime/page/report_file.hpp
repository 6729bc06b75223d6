// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/page/document.hpp>
#include <sporos/runtime/results/renderers.hpp>

#include <sporos/core/io/output_file.hpp>

#include <optional>
#include <span>
#include <string>

namespace sporos::runtime {

/// The option --report.
OptionEntry report_option();

/// The command that these words, positional arguments and options make, as a shell takes it, without options that only
/// say where results are written.
std::string command_text(const std::string& words, std::span<const std::string> positionals,
                         const OptionTable& options);

/// The page that a run leaves where --report is given, known to be writable before there is anything to write. Of
/// several processes the first writes it.
class ReportFile {
 public:
  /// Of the command that `words` ("simulate mm1") and positional arguments call. Throws io::WriteError where the file
  /// could not be written now, std::runtime_error without gnuplot.
  ReportFile(const OptionTable& options, const std::string& words, std::span<const std::string> positionals = {});

  /// Writes the result's page if that is wanted, and behind it how to repeat the run and the JSON. Throws
  /// io::WriteError if that fails, std::runtime_error if a picture cannot be drawn.
  void write(const ResultDocument& result) const {
    if (m_file) write_page(page_of(result), json_of(result), result.machine);
  }

 private:
  void write_page(Document document, const std::string& json, const Machine& machine) const;

  std::optional<io::OutputFile> m_file;
  std::string m_command;
};

}  // namespace sporos::runtime
