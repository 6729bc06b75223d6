// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/page/document.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/results/renderers.hpp>

#include <sporos/core/io/output_file.hpp>

#include <optional>
#include <span>
#include <string>

namespace sporos::runtime {

/// Returns the option --report.
OptionEntry report_option();

/// Returns the shell command with these words, positional arguments and options. It omits options that affect only the
/// output of results, such as --output and --format.
std::string command_text(const std::string& words, std::span<const std::string> positionals,
                         const OptionTable& options);

/// The HTML report of a run, if --report is given. The constructor already checks that the file is writable. Only the
/// first process writes it.
class ReportFile {
 public:
  /// Takes the words of the command ("simulate mm1") and its positional arguments. Throws io::WriteError if the file is
  /// not writable, std::runtime_error if gnuplot is not installed.
  ReportFile(const OptionTable& options, const std::string& words, std::span<const std::string> positionals = {});

  /// Writes the result's page if --report is given, followed by instructions to repeat the run and the JSON. Throws
  /// io::WriteError if the file cannot be written, std::runtime_error if a picture cannot be drawn.
  void write(const ResultDocument& result) const {
    if (m_file) write_page(page_of(result), json_of(result), result.machine);
  }

 private:
  void write_page(Document document, const std::string& json, const Machine& machine) const;

  std::optional<io::OutputFile> m_file;
  std::string m_command;
};

/// Where a command writes its result: the HTML report of --report, and the file of --output, or standard output. The
/// constructor already checks that the files are writable.
class ResultFiles {
 public:
  /// Takes the options of the command, which must outlive this object, and the arguments of ReportFile. Throws the same
  /// exceptions as Destination and ReportFile.
  ResultFiles(const OptionTable& options, const std::string& words, std::span<const std::string> positionals = {})
      : m_options(options), m_destination(options.text("output")), m_page(options, words, positionals) {}

  /// Writes the report, and then the result in the format and table that the options select. Throws the same exceptions
  /// as ReportFile::write and Destination::write.
  void write(const ResultDocument& result) const {
    m_page.write(result);
    m_destination.write(text_of(result, m_options));
  }

 private:
  const OptionTable& m_options;
  Destination m_destination;
  ReportFile m_page;
};

}  // namespace sporos::runtime
