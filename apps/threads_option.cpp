// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "threads_option.hpp"

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <stdexcept>
#include <string>

namespace sporos::apps {

std::optional<int> threads_from(const OptionText& text, const Backend& backend) {
  if (!text) return std::nullopt;
  if (backend.most_threads() == 0) {
    throw std::invalid_argument(
        fmt::format("--threads is given, but the {} backend's threads are its device's", backend.name()));
  }
  if (backend.most_threads() == 1 && *text != "1") {
    throw std::invalid_argument(fmt::format("--threads is {}, expected 1: the {} backend has one thread",
                                            io::in_quotes(*text), backend.name()));
  }
  return io::parse_number<int>("--threads of the " + std::string(backend.name()) + " backend", *text, 1,
                               backend.most_threads());
}

}  // namespace sporos::apps
