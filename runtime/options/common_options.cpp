// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/common_options.hpp>

#include <sporos/runtime/backend/program.hpp>

#include <sporos/core/io/csv_records.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <limits>
#include <optional>
#include <stdexcept>

namespace sporos::runtime {

namespace {

std::optional<int> threads_from(const OptionText& text, const Backend& backend) {
  if (!text) return std::nullopt;
  if (backend.has_devices()) {
    throw std::invalid_argument(fmt::format(
        "--threads is given, but the {} backend uses the threads of its device: omit --threads", backend.name()));
  }
  if (backend.max_threads() == 1 && *text != "1") {
    throw std::invalid_argument(fmt::format("--threads is {}, expected 1: the {} backend has one thread",
                                            io::in_quotes(*text), backend.name()));
  }
  return io::parse_number<int>("--threads of the " + std::string(backend.name()) + " backend", *text, 1,
                               backend.max_threads());
}

std::optional<int> device_from(const OptionText& text, const Backend& backend) {
  if (!text) return std::nullopt;
  if (!backend.has_devices()) {
    throw std::invalid_argument(fmt::format(
        "--device is given, but the {} backend computes on the processor: expected it with CUDA only", backend.name()));
  }
  return io::parse_number<int>("--device", *text, 0, std::numeric_limits<int>::max());
}

}  // namespace

std::vector<OptionEntry> execution_options(const std::string& help) {
  return deciding(Decides::run,
                  {{"Run", "threads", "N", help},
                   {"Run", "device", "N",
                    fmt::format("CUDA: number of the GPU to use, as listed by `{}`; default: the first visible GPU",
                                called_with("info"))}});
}

OptionEntry output_option(const std::string& help) {
  return {"Run", "output", "FILE", help, FileUse::writes, Decides::run};
}

ExecutionSettings execution_settings(const OptionText& threads, const OptionText& device, const Backend& backend) {
  return {threads_from(threads, backend), device_from(device, backend)};
}

ExecutionSettings execution_settings(const OptionTable& options, const Backend& backend) {
  return execution_settings(options.text("threads"), options.text("device"), backend);
}

std::vector<OptionEntry> column_options(const std::string& group) {
  return {{group, "ignore", "NAME[,NAME]", "csv: columns to ignore, such as identifiers, names and dates"},
          {group, "no-header", "", "csv: the first line is data; the columns are named 1, 2, ..."}};
}

std::vector<std::string> columns_of(const OptionTable& options, const std::string& name) {
  if (!options.has(name)) return {};
  io::CsvRecords records(*options.text(name), ',');
  if (records.at_end() || records.next() || !records.at_end()) {
    throw std::invalid_argument(
        fmt::format("--{} is {}, expected names of columns separated by commas, in quotes if a name contains a comma",
                    name, io::in_quotes(*options.text(name))));
  }
  return {records.fields().begin(), records.fields().end()};
}

bool drops_missing(const OptionTable& options) {
  const std::string missing = options.text("missing").value_or("refuse");
  if (missing == "refuse" || missing == "drop") return missing == "drop";
  throw std::invalid_argument(fmt::format("--missing is {}, expected refuse or drop", io::in_quotes(missing)));
}

void refuse_columns_unless(bool is_csv, const OptionTable& options, std::initializer_list<const char*> names) {
  options.refuse_unless(is_csv, "label", "CSV: in LIBSVM's format the label comes first");
  for (const char* name : names) options.refuse_unless(is_csv, name, "CSV");
}

}  // namespace sporos::runtime
