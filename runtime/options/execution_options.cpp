// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/execution_options.hpp>

#include <sporos/runtime/backend/program.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

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

}  // namespace sporos::runtime
